//! The arguments, and the help that teaches them.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use seabattle_bots::Entry;
use seabattle_core::Rules;

/// Battleship in the terminal.
#[derive(Parser)]
#[command(version, about, after_help = "Without a command, on a terminal, a game against the computer starts.")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Play against the computer
    Play(PlayArgs),
}

const RULES_HELP: &str = "\
Rules: a preset or a size with its fleet, then what differs, separated by commas.
  classic                      10x10, ships of 5, 4, 3, 3, 2 that may touch
  russian                      10x10, 4,3,3,2,2,2,1,1,1,1, no touching, a hit shoots again
  salvo                        classic, as many shots a turn as ships afloat
  8x8:4,3,2,2                  any size up to 50x50, any fleet
  classic,touching=forbidden   touching=allowed|corners|forbidden
  classic,turn=again           turn=alternate|again|salvo|salvo:N
  classic,announce=sunk        announce=hit|sunk|which|named
  classic,ending=equal         ending=at-once|equal

Examples:
  seabattle play
  seabattle play --rules russian --bot random
  seabattle play --seed 7 --first me --save games.txt";

#[derive(Args)]
#[command(after_help = RULES_HELP)]
pub(crate) struct PlayArgs {
    /// Type and read line by line: works through a pipe and with a screen reader
    #[arg(long)]
    pub(crate) plain: bool,

    /// The rules of the game (see below)
    #[arg(long, default_value = "classic")]
    pub(crate) rules: Rules,

    /// The computer player
    #[arg(long, value_name = "NAME", default_value = "adjacent", value_parser = seabattle_bots::find)]
    pub(crate) bot: &'static Entry,

    /// Repeat a game: the same number gives the same computer fleet and shots [default: random, printed]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Who fires first
    #[arg(long, value_enum, default_value_t = First::Random)]
    pub(crate) first: First,

    /// Append the record of every game to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// Draw with nothing but ASCII
    #[arg(long)]
    pub(crate) ascii: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum First {
    /// Drawn by lot
    Random,
    /// You
    Me,
    /// The computer
    Bot,
}
