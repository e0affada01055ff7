//! Who may play: a bot of the catalog, or a command that speaks the line protocol.

use anyhow::{Context, bail};
use seabattle_arena::{Contestant, Kind, Launch};

use crate::limits::Limits;

/// A contestant from what was typed for it.
pub(crate) fn contestant(text: &str, limits: &Limits) -> anyhow::Result<Contestant> {
    match seabattle_bots::find(text) {
        Ok(entry) => {
            Ok(Contestant { name: entry.name.to_owned(), kind: Kind::Resident(Box::new(|seed| entry.make(seed))) })
        }
        Err(unknown) if is_one_word(text) => Err(unknown).context("nor is it a command: write ./name, or a path"),
        Err(_) => {
            let words = words(text)?;
            Ok(Contestant {
                name: text.to_owned(),
                kind: Kind::Foreign { launch: launch(words, limits), limits: limits.times() },
            })
        }
    }
}

/// How to start a program under these limits.
pub(crate) fn launch(words: Vec<String>, limits: &Limits) -> Launch {
    Launch { words, memory: limits.memory() }
}

fn is_one_word(text: &str) -> bool {
    !text.contains([' ', '/'])
}

fn words(text: &str) -> anyhow::Result<Vec<String>> {
    match shlex::split(text) {
        Some(words) if !words.is_empty() => Ok(words),
        _ => bail!("{text:?} is no command: is a quotation mark missing?"),
    }
}
