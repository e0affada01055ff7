//! Who may play: a bot of the catalog, a command that speaks the line protocol, or a Python module of the contest.

use std::num::NonZero;
use std::path::Path;

use anyhow::{Context, bail};
use seabattle_arena::{Contestant, Kind, Launch, TimeLimits, contest_module};

use crate::cli::LimitArgs;

const MEBIBYTE: u64 = 1 << 20;

/// What stands before the path of a module of the contest.
const MODULE: &str = "tavt:";

/// A contestant from what was typed for it, and how many games in a row it is to play.
pub(crate) fn contestant(text: &str, limits: &LimitArgs, games: NonZero<u64>) -> anyhow::Result<Contestant> {
    if let Some(path) = text.strip_prefix(MODULE) {
        return module(path, limits, games);
    }
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

/// A module plays each row of games as one game of the contest.
fn module(path: &str, limits: &LimitArgs, games: NonZero<u64>) -> anyhow::Result<Contestant> {
    if !Path::new(path).is_file() {
        bail!("{MODULE}{path}: there is no such file; a module of the contest is named by its path");
    }
    let launch = contest_module(path, games, limits.memory * MEBIBYTE);
    Ok(Contestant { name: format!("{MODULE}{path}"), kind: Kind::Foreign { launch, limits: limits.times() } })
}

/// Games in a row between the same two players when they play so many pairs, and so many of them in a series.
pub(crate) fn games_in_a_row(series: NonZero<u64>, pairs: u64) -> NonZero<u64> {
    let pairs = NonZero::new(pairs).map_or(series, |pairs| series.min(pairs));
    pairs.saturating_mul(NonZero::<u64>::MIN.saturating_add(1))
}

/// How to start a program under these limits.
pub(crate) fn launch(words: Vec<String>, limits: &LimitArgs) -> Launch {
    Launch { words, memory: limits.memory * MEBIBYTE }
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
