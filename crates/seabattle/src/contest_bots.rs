//! Bots of the «Морской бой» contest: `tavt:` and the path of a Python module or Free Pascal unit.

use std::num::NonZero;
use std::path::Path;

use anyhow::bail;
use seabattle_arena::{BotCommand, CompileLimits, compile_contest_unit, contest_module};
use seabattle_core::Rules;

use crate::limits::Limits;
use crate::players;

/// The prefix of the path of a contest bot.
const PREFIX: &str = "tavt:";

/// Whether a text names a bot of the contest.
pub(crate) fn is_contest_bot(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// Returns an error if a bot of the contest would play under other rules than those of the contest.
pub(crate) fn check_rules(text: &str, rules: &Rules) -> anyhow::Result<()> {
    if is_contest_bot(text) && *rules != Rules::russian() {
        bail!("{text}: a bot of the contest plays only with --rules russian, not {rules}");
    }
    Ok(())
}

/// Returns the name that tables show for a contest bot.
pub(crate) fn file_name(text: &str) -> String {
    let path = text.strip_prefix(PREFIX).unwrap_or(text);
    Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the command that starts a contest bot for this many games; `None` for other players.
///
/// Free Pascal units are compiled first.
pub(crate) fn command(text: &str, games: NonZero<u64>, limits: &Limits) -> anyhow::Result<Option<BotCommand>> {
    let Some(path) = text.strip_prefix(PREFIX) else {
        return Ok(None);
    };
    if !Path::new(path).is_file() {
        bail!("{text}: there is no such file; write tavt: and the path of the bot");
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
