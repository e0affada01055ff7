//! The arguments of the commands that look at recorded games.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use seabattle_render::Speed;
use seabattle_terminal::screen::Theme;

/// Which game is looked at.
#[derive(Args)]
pub(crate) struct RecordArgs {
    /// A file of game records (docs/record.md), as `play --save`, `match --records` and tournaments write them; - reads standard input
    #[arg(value_name = "RECORD")]
    pub(crate) file: PathBuf,

    /// Which game of the file, counted from 1 [default: the last]
    #[arg(long, value_name = "N")]
    pub(crate) game: Option<NonZero<usize>>,
}

const ANALYSE_EXAMPLES: &str = "\
Every shot is judged by the odds that its side could have known: all fleets that fit what was
announced, counted alike.
  skill  100 x hits to be expected of the cells chosen / of the likeliest cells
  luck   hits made - hits to be expected of the cells chosen; sd: in standard deviations
What these numbers can say, and what they cannot: docs/analysis.md.

Examples:
  seabattle play --save games.txt
  seabattle analyse games.txt
  seabattle analyse games.txt --game 3 --format json
  seabattle analyse games.txt --all
  seabattle analyse games.txt --format html > game.html";

#[derive(Args)]
#[command(after_help = ANALYSE_EXAMPLES)]
pub(crate) struct AnalyseArgs {
    #[command(flatten)]
    pub(crate) record: RecordArgs,

    /// Every game of the file, a line for each
    #[arg(long, conflicts_with = "game")]
    pub(crate) all: bool,

    /// What to print
    #[arg(long, value_enum, default_value_t = AnalyseFormat::Text)]
    pub(crate) format: AnalyseFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnalyseFormat {
    /// Tables to read
    Text,
    /// For programs
    Json,
    /// A page with boards, heat maps and a chart that needs nothing else
    Html,
}

const EXPORT_EXAMPLES: &str = "\
The name of the file says what is made: .gif moves, .html can be stepped through, .png and .svg show
one step. A step is one volley: one shot, unless the rules have salvos.

Examples:
  seabattle export games.txt -o game.gif
  seabattle export games.txt -o game.gif --odds --side A --speed 4 --theme dark
  seabattle export games.txt -o step20.png --step 20 --odds --size 1600
  seabattle export games.txt -o game.html --odds";

#[derive(Args)]
#[command(after_help = EXPORT_EXAMPLES)]
pub(crate) struct ExportArgs {
    #[command(flatten)]
    pub(crate) record: RecordArgs,

    /// The file to write: .gif, .svg, .png or .html
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,

    /// Whose shots are shown
    #[arg(long, value_enum, default_value_t = ExportSide::Both, ignore_case = true)]
    pub(crate) side: ExportSide,

    /// Colour the boards by the odds before each shot, with skill and luck at the end
    #[arg(long)]
    pub(crate) odds: bool,

    /// The step that a still shows, 0 for empty boards [default: the last]
    #[arg(long, value_name = "N")]
    pub(crate) step: Option<usize>,

    /// Steps a second of a moving picture, 0.1 to 50
    #[arg(long, value_name = "N", default_value = "3", value_parser = parse_speed)]
    pub(crate) speed: Speed,

    /// The width in pixels, 100 to 4000 [default: 1 for each unit of a GIF, 2 of a PNG]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u16).range(100..=4000))]
    pub(crate) size: Option<u16>,

    /// The colours; pages follow the reader's own setting
    #[arg(long, value_enum, default_value_t = ExportTheme::Light)]
    pub(crate) theme: ExportTheme,
}

fn parse_speed(text: &str) -> Result<Speed, String> {
    let speed = text.parse().ok().and_then(Speed::new);
    speed.ok_or_else(|| "a speed is 0.1 to 50 steps a second".to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportSide {
    /// Those of A
    A,
    /// Those of B
    B,
    /// Two boards
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportTheme {
    /// Ink on paper
    Light,
    /// For dark pages
    Dark,
}

const REPLAY_EXAMPLES: &str = "\
Examples:
  seabattle replay games.txt
  seabattle replay games.txt --game 1
  seabattle replay games.txt --plain --boards | less";

#[derive(Args)]
#[command(after_help = REPLAY_EXAMPLES)]
pub(crate) struct ReplayArgs {
    #[command(flatten)]
    pub(crate) record: RecordArgs,

    /// Print all steps, a line for each with its odds, and the boards at the end
    #[arg(long)]
    pub(crate) plain: bool,

    /// Draw the boards after every step (line by line)
    #[arg(long)]
    pub(crate) boards: bool,

    /// Do not reckon the odds (line by line)
    #[arg(long)]
    pub(crate) no_odds: bool,

    /// The colours of the screen: sea, paper (for light terminals), ansi or mono [default: the last one chosen, else what the terminal can show]
    #[arg(long)]
    pub(crate) theme: Option<Theme>,

    /// Draw with nothing but ASCII
    #[arg(long)]
    pub(crate) ascii: bool,
}
