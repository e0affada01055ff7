//! `seabattle check`: a foreign bot walked through the line protocol.

use std::io::{self, Write};

use anyhow::bail;
use seabattle_arena::{CheckFailure, Contestant, Kind};

use crate::cli::CheckArgs;
use crate::limits::Limits;
use crate::players;

pub(crate) fn check(args: CheckArgs) -> anyhow::Result<()> {
    let entry = seabattle_bots::find("random")?;
    let enemy = Contestant { name: entry.name.to_owned(), kind: Kind::Resident(Box::new(|seed| entry.make(seed))) };
    let mut told = Ok(());
    let mut passed = |step: &'static str, seen: &str| {
        if told.is_ok() {
            told = writeln!(io::stdout(), "ok      {step:<22} {seen}");
        }
    };
    let limits = args.limits.over(&Limits::default());
    let launch = players::launch(players::command(args.command)?, &limits);
    let checked = seabattle_arena::check(launch, limits.times(), &enemy, &mut passed);
    told?;
    match checked {
        Ok(()) => writeln!(
            io::stdout(),
            "\nIt speaks the protocol. See how strong it is: seabattle match \"COMMAND\" random"
        )?,
        Err(failure) => explain(&failure)?,
    }
    Ok(())
}

fn explain(failure: &CheckFailure) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "FAILED  {}\n\n{}", failure.step, failure.fault)?;
    if !failure.said.is_empty() {
        writeln!(out, "\nThe last lines, the arena's behind > and the bot's behind <:")?;
        failure.said.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
    }
    bail!("the bot failed in the step {:?}; docs/protocol.md says what is expected", failure.step)
}
