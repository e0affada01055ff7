//! Who may play: a bot of the catalog, or a command that speaks the line protocol.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Once;

use anyhow::{Context, bail};
use seabattle_arena::{Contestant, Kind, Launch, TimeLimits};

use crate::cli::LimitArgs;

const KIBIBYTES: u64 = 1 << 10;

/// A contestant from what was typed for it.
pub(crate) fn contestant(text: &str, limits: &LimitArgs) -> anyhow::Result<Contestant> {
    match seabattle_bots::find(text) {
        Ok(entry) => {
            Ok(Contestant { name: entry.name.to_owned(), kind: Kind::Resident(Box::new(|seed| entry.make(seed))) })
        }
        Err(unknown) if is_one_word(text) => Err(unknown).context("nor is it a command: write ./name, or a path"),
        Err(_) => {
            let words = words(text)?;
            check_program(&words[0])?;
            Ok(Contestant {
                name: text.to_owned(),
                kind: Kind::Foreign { launch: launch(words, limits), limits: limits.times() },
            })
        }
    }
}

/// How to start a program under these limits.
pub(crate) fn launch(words: Vec<String>, limits: &LimitArgs) -> Launch {
    if !limits.open {
        static TOLD: Once = Once::new();
        TOLD.call_once(warn_if_open);
    }
    Launch { words, memory: limits.memory * KIBIBYTES, locked: !limits.open }
}

fn warn_if_open() {
    if let Some(why) = seabattle_arena::no_sandbox() {
        let warning = "foreign bots can read your files and reach the network";
        writeln!(io::stderr(), "seabattle: {why}: {warning} (--open accepts that in silence)").ok();
    }
}

/// Better told before a match than after it.
fn check_program(program: &str) -> anyhow::Result<()> {
    let is_path = program.contains('/');
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = if is_path {
        Path::new(program).exists()
    } else {
        std::env::split_paths(&path).any(|folder| folder.join(program).exists())
    };
    if found { Ok(()) } else { bail!("there is no program {program}") }
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

impl LimitArgs {
    pub(crate) fn times(&self) -> TimeLimits {
        TimeLimits {
            start: self.time_start.0,
            place: self.time_place.0,
            shot: self.time_shot.0,
            game: self.time_game.0,
            margin: self.margin.0,
        }
    }
}
