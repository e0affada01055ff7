//! `seabattle check`: tests that an external bot speaks the line protocol.

use std::io::{self, Write};

use anyhow::bail;
use seabattle_arena::{BotCommand, CheckFailure, CheckSuite, Contestant, ContestantKind};

use crate::cli::CheckArgs;
use crate::limits::Limits;
use crate::{bot_logs, contest_bots, interrupt, players};

/// The bot to check, and the checks to run.
struct CheckTarget {
    command: BotCommand,
    suite: CheckSuite,
    /// The command that measures the strength of the bot.
    next_command: String,
}

pub(crate) fn check(args: CheckArgs) -> anyhow::Result<()> {
    interrupt::exit_on_ctrl_c()?;
    let entry = seabattle_bots::find("random")?;
    let enemy =
        Contestant { name: entry.name.to_owned(), kind: ContestantKind::BuiltIn(Box::new(|seed| entry.make(seed))) };
    let mut written = Ok(());
    let mut report_step = |step: &'static str, observation: &str| {
        if written.is_ok() {
            written = writeln!(io::stdout(), "ok      {step:<22} {observation}");
        }
    };
    let limits = args.limits.applied_to(&Limits::default());
    let name = args.command.join(" ");
    let CheckTarget { mut command, suite, next_command } = check_target(args.command, &limits)?;
    command.log = args.bot_log.map(|folder| bot_logs::create(&folder, 1, &name)).transpose()?;
    let checked = seabattle_arena::check(suite, command, limits.times(), &enemy, &mut report_step);
    written?;
    if interrupt::is_requested() {
        interrupt::exit();
    }
    match checked {
        Ok(()) => writeln!(io::stdout(), "\nThe bot speaks the protocol. Measure its strength:\n  {next_command}")?,
        Err(failure) => print_failure(&failure)?,
    }
    Ok(())
}

fn check_target(command: Vec<String>, limits: &Limits) -> anyhow::Result<CheckTarget> {
    const SETS: std::num::NonZero<u64> = std::num::NonZero::new(3).expect("three is not zero");
    let options = limits.options();
    if let [text] = &command[..]
        && let Some(command) = contest_bots::command(text, SETS, limits)?
    {
        let next_command =
            format!("seabattle match {} lattice --rules russian --pairs 100 {options}", players::quoted(text));
        return Ok(CheckTarget {
            command,
            suite: CheckSuite::Contest,
            next_command: next_command.trim_end().to_owned(),
        });
    }
    let words = players::command(command)?;
    let next_command = format!("seabattle match {} hunter --pairs 100 {options}", players::as_contestant(&words));
    Ok(CheckTarget {
        command: players::bot_command(words, limits)?,
        suite: CheckSuite::Protocol,
        next_command: next_command.trim_end().to_owned(),
    })
}

fn print_failure(failure: &CheckFailure) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "FAILED  {}\n\n{}", failure.step, failure.fault)?;
    if !failure.transcript.is_empty() {
        writeln!(out, "\nThe last lines (> to the bot, < from the bot):")?;
        failure.transcript.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    if !failure.log.is_empty() {
        writeln!(out, "\nThe end of its standard error:")?;
        failure.log.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    bail!("the bot failed in step {:?}; docs/protocol.md describes what it should do", failure.step)
}
