//! Turns what was typed into a contestant: a bot of the catalog, an external program or a bot of the contest.

use std::num::NonZero;
use std::path::PathBuf;

use anyhow::bail;
use seabattle_arena::{BotCommand, Contestant, ContestantKind, Schedule, TimeLimits, contest_limits};

use crate::contest_bots;
use crate::limits::Limits;

/// How much a contestant plays before it is restarted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SessionLength {
    /// This many games, under the limits of the command line.
    Games(NonZero<u64>),
    /// A contest game of this many sets, under the limits of the contest.
    Sets(NonZero<u32>),
}

/// Makes a contestant from what was typed.
pub(crate) fn contestant(text: &str, limits: &Limits, session: SessionLength) -> anyhow::Result<Contestant> {
    if let Some(command) = contest_bots::command(text, session.length(), limits)? {
        // Each session is one game of the contest.
        let kind = ContestantKind::External { command, limits: session.time_limits(limits) };
        return Ok(Contestant { name: contest_bots::file_name(text), kind });
    }
    match seabattle_bots::find(text) {
        Ok(entry) => Ok(Contestant {
            name: entry.name.to_owned(),
            kind: ContestantKind::BuiltIn(Box::new(|seed| entry.make(seed))),
        }),
        Err(unknown) if is_one_word(text) => bail!("{unknown} (to run a program of this folder, type ./{text})"),
        Err(_) => {
            let words = words(text)?;
            check_program(&words[0])?;
            Ok(Contestant {
                name: text.to_owned(),
                // By the protocol a program may take its time for messages that need no reply.
                kind: ContestantKind::External {
                    command: bot_command(words, limits)?,
                    limits: TimeLimits { notify: None, ..session.time_limits(limits) },
                },
            })
        }
    }
}

/// Returns an error if one contestant could read the files of another.
pub(crate) fn check_isolation<'a>(contestants: impl IntoIterator<Item = &'a Contestant>) -> anyhow::Result<()> {
    let command = |contestant: &'a Contestant| match &contestant.kind {
        ContestantKind::External { command, .. } => Some((&contestant.name, command)),
        ContestantKind::BuiltIn(_) => None,
    };
    let commands: Vec<_> = contestants.into_iter().filter_map(command).collect();
    for (name, reader) in &commands {
        for (other, command) in &commands {
            if let Some(path) = reader.exposes(command) {
                bail!(
                    "{name} could read {}, which belongs to {other}. Keep their files in separate folders, and show \
                     each folder only to its own bot (see = \"DIR\" of a [[bot]] in a tournament's file)",
                    path.display()
                );
            }
        }
    }
    Ok(())
}

impl SessionLength {
    /// Returns the games of one series, which may be longer than the match.
    pub(crate) fn for_series(series: NonZero<u64>, pairs: u64) -> Self {
        let pairs = NonZero::new(pairs).map_or(series, |pairs| series.min(pairs));
        Self::Games(pairs.saturating_add(pairs.get()))
    }

    /// Returns the length of a session in a tournament.
    pub(crate) fn for_schedule(schedule: Schedule, series: NonZero<u64>, pairs: u64) -> Self {
        match schedule {
            Schedule::Contest { sets } => Self::Sets(sets),
            _ => Self::for_series(series, pairs),
        }
    }

    fn length(self) -> NonZero<u64> {
        match self {
            Self::Games(games) => games,
            Self::Sets(sets) => sets.into(),
        }
    }

    fn time_limits(self, limits: &Limits) -> TimeLimits {
        match self {
            Self::Games(_) => limits.times(),
            Self::Sets(_) => contest_limits(limits.times().margin),
        }
    }
}

/// Describes how to start a program under these limits.
pub(crate) fn bot_command(words: Vec<String>, limits: &Limits) -> anyhow::Result<BotCommand> {
    Ok(BotCommand::new(words, limits.resources(), limits.access()?))
}

/// Returns an error if a program does not exist, so that a match fails before it starts.
fn check_program(program: &str) -> anyhow::Result<()> {
    if locate(program).is_some() { Ok(()) } else { bail!("there is no program {program}") }
}

fn locate(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| path.exists());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.exists())
}

/// Returns the command that checks a contestant alone; `None` for a bot of the catalog.
pub(crate) fn check_command(text: &str, limits: &Limits) -> Option<String> {
    if contest_bots::is_contest_bot(text) {
        return Some(format!("seabattle check {}{}", limits.options(), quoted(text)));
    }
    let is_program = seabattle_bots::find(text).is_err();
    is_program.then(|| format!("seabattle check {}{text}", limits.options()))
}

/// Quotes a program with its arguments as `seabattle match` takes it, ready to paste.
pub(crate) fn as_contestant(words: &[String]) -> String {
    let found = match words {
        [program] if is_one_word(program) => locate(program).map(|path| path.to_string_lossy().into_owned()),
        _ => None,
    };
    let joined = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "));
    quoted(&found.unwrap_or(joined))
}

pub(crate) fn quoted(text: &str) -> String {
    shlex::try_quote(text).map_or_else(|_| text.to_owned(), |quoted| quoted.into_owned())
}

fn is_one_word(text: &str) -> bool {
    !text.contains([' ', '/'])
}

/// Splits a command that was typed as several words or as one quoted text.
pub(crate) fn command(typed: Vec<String>) -> anyhow::Result<Vec<String>> {
    let words = match &typed[..] {
        [text] => words(text)?,
        _ => typed,
    };
    check_program(&words[0])?;
    Ok(words)
}

fn words(text: &str) -> anyhow::Result<Vec<String>> {
    match shlex::split(text) {
        Some(words) if !words.is_empty() => Ok(words),
        _ => bail!("{text:?} is not a command: is a quotation mark missing?"),
    }
}
