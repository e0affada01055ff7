//! The arguments of every command, and their help.

mod bot_arguments;
mod help;
mod odds_arguments;
mod record_arguments;
mod service_arguments;
mod suggestions;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use clap_complete::Shell;
use seabattle_bots::BotInfo;
use seabattle_core::Rules;
use seabattle_terminal::screen::Theme;

pub(crate) use bot_arguments::{
    BenchArgs, BenchFormat, BotArgs, BotsArgs, BotsFormat, CheckArgs, MatchArgs, MatchFormat, TournamentArgs,
    TournamentFormat, parse_pairs,
};
pub(crate) use help::command;
pub(crate) use odds_arguments::{CountArgs, OddsArgs, OddsFormat, SolveArgs, SolveFormat};
pub(crate) use record_arguments::{
    AnalyseArgs, AnalyseFormat, ExportArgs, ExportSide, ExportTheme, RecordArgs, ReplayArgs,
};
pub(crate) use service_arguments::{LogFormat, ServeArgs, WorkerArgs};

/// Battleship in the terminal and browser, with bots, exact odds and tournaments.
#[derive(Parser)]
#[command(version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Play against the computer
    Play(PlayArgs),
    /// Show skill, luck and turning points of a recorded game
    #[command(alias = "analyze")]
    Analyse(AnalyseArgs),
    /// Step through a recorded game in the terminal
    Replay(ReplayArgs),
    /// Save a recorded game as an animation, a picture or a web page
    Export(ExportArgs),
    /// List the bots with their strength and source
    Bots(BotsArgs),
    /// Measure how many shots bots need to sink a fleet
    Bench(BenchArgs),
    /// Play two bots against each other
    Match(MatchArgs),
    /// Rank many bots; can be stopped and resumed
    Tournament(TournamentArgs),
    /// Test that your bot speaks the line protocol
    Check(CheckArgs),
    /// Run a bot of the catalog over the line protocol
    Bot(BotArgs),
    /// Show the probability of a ship on every cell
    Odds(OddsArgs),
    /// Count the legal fleets of a board
    Count(CountArgs),
    /// Find the best possible play on a small board
    Solve(SolveArgs),
    /// Run the game in the browser
    Serve(ServeArgs),
    /// Play games for other machines over NATS
    Worker(WorkerArgs),
    /// Print a completion script for your shell
    #[command(after_help = help::COMPLETIONS)]
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    #[command(after_help = help::MAN)]
    Man,
}

#[derive(Args)]
#[command(after_help = format!("{}\n\n{}", help::RULES, help::PLAY))]
pub(crate) struct PlayArgs {
    /// Play line by line, for pipes and screen readers
    #[arg(long)]
    pub(crate) plain: bool,

    /// Rules of the game (see below) [default: those of your last full-screen game, else classic]
    #[arg(long, value_parser = suggestions::rules(), hide_possible_values = true)]
    pub(crate) rules: Option<Rules>,

    /// Your opponent: recruit, sailor, captain, admiral, champion, or any other bot of `seabattle bots`
    /// [default: your last opponent, else sailor; line by line adjacent]
    #[arg(long, value_name = "NAME", value_parser = suggestions::bot(), hide_possible_values = true)]
    pub(crate) bot: Option<&'static BotInfo>,

    /// Random seed: the same number gives the same enemy fleet and shots [default: random, shown at the start]
    #[arg(long, value_name = "N", value_hint = ValueHint::Other)]
    pub(crate) seed: Option<u64>,

    /// Who fires first
    #[arg(long, value_enum, default_value_t = FirstPlayer::Random)]
    pub(crate) first: FirstPlayer,

    /// Append the record of every game to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) save: Option<PathBuf>,

    /// Colors of the screen: sea, paper (for light terminals), ansi or mono
    /// [default: your last choice, else what the terminal supports]
    #[arg(long, value_parser = suggestions::theme(), hide_possible_values = true)]
    pub(crate) theme: Option<Theme>,

    /// Draw with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FirstPlayer {
    /// Chosen at random
    Random,
    /// You
    Me,
    /// The computer
    Bot,
}
