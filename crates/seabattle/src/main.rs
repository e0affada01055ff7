//! The `seabattle` executable: reads the arguments and calls one module per command.

mod analyse;
mod bench;
mod bot;
mod bot_logs;
mod bots;
mod check;
mod cli;
mod completions;
mod contest_bots;
mod count;
mod default_command;
mod display_names;
mod export;
mod fault_reporter;
mod interrupt;
mod limits;
mod man_page;
mod matches;
mod odds;
mod old_flags;
mod play;
mod players;
mod random_seed;
mod record_input;
mod remote;
mod replay;
mod serve;
mod solve;
mod table;
mod tournament;
mod variance_reduction;
mod worker;

use std::io::{self, ErrorKind};
use std::process::ExitCode;

use clap::FromArgMatches;

use cli::{Cli, Command};

fn main() -> ExitCode {
    let command = cli::command();
    let arguments = default_command::add_play(&command, std::env::args_os().collect());
    let (arguments, replaced) = old_flags::replace(&command, arguments);
    for flag in replaced {
        anstream::eprintln!("seabattle: {flag}");
    }
    let cli = Cli::from_arg_matches(&command.get_matches_from(arguments)).unwrap_or_else(|error| error.exit());
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("seabattle: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> anyhow::Result<()> {
    match cli.command {
        Some(Command::Play(args)) => play::play(args),
        Some(Command::Bench(args)) => bench::bench(args),
        Some(Command::Bots(args)) => bots::list(&args),
        Some(Command::Match(args)) => matches::play(&args),
        Some(Command::Tournament(args)) => tournament::tournament(&args),
        Some(Command::Check(args)) => check::check(args),
        Some(Command::Bot(args)) => bot::bot(&args),
        Some(Command::Odds(args)) => odds::odds(&args),
        Some(Command::Count(args)) => count::count(&args),
        Some(Command::Solve(args)) => solve::solve(&args),
        Some(Command::Analyse(args)) => analyse::analyse(&args),
        Some(Command::Export(args)) => export::export(&args),
        Some(Command::Replay(args)) => replay::replay(&args),
        Some(Command::Serve(args)) => serve::serve(&args),
        Some(Command::Worker(args)) => worker::work(args),
        Some(Command::Completions { shell }) => completions::print(shell),
        Some(Command::Man) => man_page::print(),
        None => play::play_or_help(),
    }
}

/// Whether the program that reads our output has closed it, which is no error.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|error| error.kind() == ErrorKind::BrokenPipe)
}
