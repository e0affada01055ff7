//! `seabattle check`: a foreign bot walked through the line protocol.

use std::io::{self, Write};

use anyhow::bail;
use seabattle_arena::{BotCommand, CheckFailure, CheckSuite, Contestant, ContestantKind};

use crate::cli::CheckArgs;
use crate::limits::Limits;
use crate::{contest_bots, interrupt, logs, players};

/// What is to be checked.
struct Candidate {
    launch: BotCommand,
    course: CheckSuite,
    /// How to see how strong it is.
    next: String,
}

pub(crate) fn check(args: CheckArgs) -> anyhow::Result<()> {
    interrupt::exit_at_once()?;
    let entry = seabattle_bots::find("random")?;
    let enemy =
        Contestant { name: entry.name.to_owned(), kind: ContestantKind::BuiltIn(Box::new(|seed| entry.make(seed))) };
    let mut told = Ok(());
    let mut passed = |step: &'static str, seen: &str| {
        if told.is_ok() {
            told = writeln!(io::stdout(), "ok      {step:<22} {seen}");
        }
    };
    let limits = args.limits.over(&Limits::default());
    let name = args.command.join(" ");
    let Candidate { mut launch, course, next } = candidate(args.command, &limits)?;
    launch.log = args.bot_log.map(|folder| logs::create(&folder, 1, &name)).transpose()?;
    let checked = seabattle_arena::check(course, launch, limits.times(), &enemy, &mut passed);
    told?;
    match checked {
        Ok(()) => writeln!(io::stdout(), "\nIt speaks the protocol. See how strong it is:\n  {next}")?,
        Err(failure) => explain(&failure)?,
    }
    Ok(())
}

fn candidate(command: Vec<String>, limits: &Limits) -> anyhow::Result<Candidate> {
    const SETS: std::num::NonZero<u64> = std::num::NonZero::new(3).expect("three is not zero");
    let options = limits.options();
    if let [text] = &command[..]
        && let Some(launch) = contest_bots::command(text, SETS, limits)?
    {
        let next = format!("seabattle match {} lattice --rules russian --pairs 100 {options}", players::quoted(text));
        return Ok(Candidate { launch, course: CheckSuite::Contest, next: next.trim_end().to_owned() });
    }
    let words = players::command(command)?;
    let next = format!("seabattle match {} hunter --pairs 100 {options}", players::as_contestant(&words));
    Ok(Candidate {
        launch: players::launch(words, limits),
        course: CheckSuite::Protocol,
        next: next.trim_end().to_owned(),
    })
}

fn explain(failure: &CheckFailure) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "FAILED  {}\n\n{}", failure.step, failure.fault)?;
    if !failure.transcript.is_empty() {
        writeln!(out, "\nThe last lines, the arena's behind > and the bot's behind <:")?;
        failure.transcript.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    if !failure.log.is_empty() {
        writeln!(out, "\nThe end of its log:")?;
        failure.log.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    bail!("the bot failed in the step {:?}; docs/protocol.md says what is expected", failure.step)
}
