//! The arguments of the commands that read recorded games.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use seabattle_render::Speed;
use seabattle_terminal::screen::Theme;

use super::{help, suggestions};

/// Names one game of a file.
#[derive(Args)]
pub(crate) struct RecordArgs {
    /// File of game records (docs/record.md), such as `play --save` writes; - reads standard input
    #[arg(value_name = "RECORD", value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,

    /// Number of the game in the file, from 1 [default: the last]
    #[arg(long, value_name = "N", value_hint = ValueHint::Other)]
    pub(crate) game: Option<NonZero<usize>>,
}

#[derive(Args)]
#[command(after_help = help::ANALYSE)]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    pub(crate) record: RecordArgs,

    /// Show all games of the file, one per line
    #[arg(long, conflicts_with = "game")]
    pub(crate) all: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t = AnalyseFormat::Text)]
    pub(crate) format: AnalyseFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnalyseFormat {
    /// Tables for people
    Text,
    /// For programs
    Json,
    /// A web page in one file, with boards, heat maps and a chart
    Html,
}

#[derive(Args)]
#[command(after_help = help::EXPORT)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) record: RecordArgs,

    /// File to write: .gif, .svg, .png or .html
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,

    /// Whose shots to show
    #[arg(long, value_enum, default_value_t = ExportSide::Both, ignore_case = true)]
    pub(crate) side: ExportSide,

    /// Color the boards by the odds before each shot, and show skill and luck at the end
    #[arg(long)]
    pub(crate) odds: bool,

    /// Step that a picture shows; 0 is the start of the game [default: the last]
    #[arg(long, value_name = "N", value_hint = ValueHint::Other)]
    pub(crate) step: Option<usize>,

    /// Steps per second of an animation, 0.1 to 50
    #[arg(long, value_name = "N", default_value = "3", value_hint = ValueHint::Other, value_parser = parse_speed)]
    pub(crate) speed: Speed,

    /// Width in pixels, 100 to 4000 [default: depends on the board]
    #[arg(long, value_name = "PIXELS", value_hint = ValueHint::Other, value_parser = clap::value_parser!(u16).range(100..=4000))]
    pub(crate) size: Option<u16>,

    /// Colors; web pages follow the reader's own setting
    #[arg(long, value_enum, default_value_t = ExportTheme::Light)]
    pub(crate) theme: ExportTheme,
}

fn parse_speed(text: &str) -> Result<Speed, String> {
    let speed = text.parse().ok().and_then(Speed::new);
    speed.ok_or_else(|| "the speed is 0.1 to 50 steps per second".to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportSide {
    /// The shots of A
    A,
    /// The shots of B
    B,
    /// Both, on two boards
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportTheme {
    /// For light pages
    Light,
    /// For dark pages
    Dark,
}

#[derive(Args)]
#[command(after_help = help::REPLAY)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) record: RecordArgs,

    /// Print a line with the odds for each step, and the boards at the end
    #[arg(long)]
    pub(crate) plain: bool,

    /// Print the boards after every step; implies --plain
    #[arg(long)]
    pub(crate) boards: bool,

    /// Leave the odds out; implies --plain
    #[arg(long)]
    pub(crate) no_odds: bool,

    /// Colors of the screen: sea, paper (for light terminals), ansi or mono
    /// [default: your last choice, else what the terminal supports]
    #[arg(long, value_parser = suggestions::theme(), hide_possible_values = true)]
    pub(crate) theme: Option<Theme>,

    /// Draw with ASCII characters only
    #[arg(long)]
    pub(crate) ascii: bool,
}
