//! Bots of the «Морской бой» contest: `tavt:` and the path of a Python module or of a Free Pascal unit.

use std::num::NonZero;
use std::path::Path;

use anyhow::bail;
use seabattle_arena::{BotCommand, CompileLimits, compile_contest_unit, contest_module};

use crate::limits::Limits;
use crate::players;

/// What the path of a bot of the contest begins with.
const PREFIX: &str = "tavt:";

/// Whether this names a bot of the contest.
pub(crate) fn is_contest_bot(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// What tables call a bot of the contest.
pub(crate) fn file_name(text: &str) -> String {
    let path = text.strip_prefix(PREFIX).unwrap_or(text);
    Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// How to start a bot of the contest for this many games; nothing if none is named. Units are compiled for it.
pub(crate) fn command(text: &str, games: NonZero<u64>, limits: &Limits) -> anyhow::Result<Option<BotCommand>> {
    let Some(path) = text.strip_prefix(PREFIX) else {
        return Ok(None);
    };
    if !Path::new(path).is_file() {
        bail!("{text}: there is no such file; a bot of the contest is named by its path");
    }
    if !is_pascal(path) {
        return players::bot_command(contest_module(path, games), limits).map(Some);
    }
    let allowed = CompileLimits { time: limits.times().start, resources: limits.resources(), access: limits.access()? };
    Ok(Some(compile_contest_unit(path, games, allowed)?))
}

fn is_pascal(path: &str) -> bool {
    let extension = Path::new(path).extension().unwrap_or_default();
    ["pas", "pp", "p"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}
