//! The arguments of the commands that compute exact numbers.

use clap::{Args, ValueEnum, ValueHint};
use seabattle_core::Rules;

use super::{help, suggestions};

#[derive(Args)]
#[command(after_help = format!("{}\n\n{}\n\n{}", help::SHOTS, help::RULES, help::ODDS))]
pub(crate) struct OddsArgs {
    /// Rules of the game (see below)
    #[arg(long, default_value = "classic", value_parser = suggestions::rules(), hide_possible_values = true)]
    pub(crate) rules: Rules,

    /// Shots so far, with their answers (see below)
    #[arg(long, default_value = "", hide_default_value = true, value_hint = ValueHint::Other)]
    pub(crate) shots: String,

    /// Output format
    #[arg(long, value_enum, default_value_t = OddsFormat::Text)]
    pub(crate) format: OddsFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OddsFormat {
    /// A heat map for people
    Text,
    /// For programs
    Json,
    /// A picture
    Svg,
}

#[derive(Args)]
#[command(after_help = format!("{}\n\n{}", help::RULES, help::COUNT))]
pub(crate) struct CountArgs {
    /// Rules with the board and its ships (see below)
    #[arg(value_parser = suggestions::rules(), hide_possible_values = true)]
    pub(crate) rules: Rules,
}

#[derive(Args)]
#[command(after_help = format!("{}\n\n{}", help::RULES, help::SOLVE))]
pub(crate) struct SolveArgs {
    /// Rules with a small board, such as 4x4:3,2 (see below)
    #[arg(value_hint = ValueHint::Other)]
    pub(crate) rules: Rules,

    /// Memory limit in MiB
    #[arg(long, value_name = "MIB", default_value_t = 512, value_hint = ValueHint::Other)]
    pub(crate) memory: usize,

    /// Limit on positions in millions; a million takes a second or more
    #[arg(long, value_name = "MILLIONS", default_value_t = 50, value_hint = ValueHint::Other)]
    pub(crate) positions: u64,

    /// Limit on the legal fleets of the rules
    #[arg(long, value_name = "COUNT", default_value_t = 2000, value_hint = ValueHint::Other)]
    pub(crate) layouts: usize,

    /// Output format
    #[arg(long, value_enum, default_value_t = SolveFormat::Text)]
    pub(crate) format: SolveFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SolveFormat {
    /// For people
    Text,
    /// For programs
    Json,
}
