//! The arguments of the commands that measure, compare and test bots.

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};
use seabattle_arena::{Schedule, Sprt};
use seabattle_bots::BotInfo;
use seabattle_core::Rules;

use super::{help, suggestions};
use crate::limits::LimitArgs;
use crate::remote::RemoteArgs;

#[derive(Args)]
#[command(after_help = help::CHECK)]
pub(crate) struct CheckArgs {
    /// Write the bot's standard error to a file in this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) bot_log: Option<PathBuf>,

    /// A program with its arguments, or `tavt:` and the path of a bot of the «Морской бой» contest (Python or Free Pascal)
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND", value_hint = ValueHint::CommandWithArguments)]
    pub(crate) command: Vec<String>,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

#[derive(Args)]
#[command(after_help = format!("{}\n\n{}", help::RULES, help::MATCH))]
pub(crate) struct MatchArgs {
    /// The contestant whose score is shown
    #[arg(value_name = "A", value_parser = suggestions::contestant(), hide_possible_values = true)]
    pub(crate) a: String,

    /// Its opponent
    #[arg(value_name = "B", value_parser = suggestions::contestant(), hide_possible_values = true)]
    pub(crate) b: String,

    /// Maximum number of pairs of games
    #[arg(long, value_name = "N", default_value_t = 500, value_hint = ValueHint::Other, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) pairs: u64,

    /// Rules of every game (see below)
    #[arg(long, default_value = "classic", value_parser = suggestions::rules(), hide_possible_values = true)]
    pub(crate) rules: Rules,

    /// Random seed: the same number gives the same games [default: a secret one, shown at the end]
    #[arg(long, value_name = "N", value_hint = ValueHint::Other)]
    pub(crate) seed: Option<u64>,

    /// Stop as soon as a sequential probability ratio test decides whether A is elo0 or elo1 stronger.
    /// The test is elo0,elo1 or elo0,elo1,alpha,beta
    #[arg(long, value_name = "TEST", allow_hyphen_values = true, value_hint = ValueHint::Other)]
    pub(crate) sprt: Option<Sprt>,

    /// Pairs in a series; both players are restarted for the next one
    #[arg(long, value_name = "N", default_value = "10", value_hint = ValueHint::Other)]
    pub(crate) series: NonZero<u64>,

    /// Let bots of the catalog learn from earlier games of a series
    #[arg(long)]
    pub(crate) learn: bool,

    /// End the match after this many faults of a bot in a row; 0 for never
    #[arg(long, value_name = "N", default_value_t = 20, value_hint = ValueHint::Other)]
    pub(crate) give_up: u64,

    /// Keep fleets secret after the game
    #[arg(long)]
    pub(crate) hide: bool,

    /// Games played at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_hint = ValueHint::Other)]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Append the record of every game to a file in this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) records: Option<PathBuf>,

    /// Write the standard error of external bots to files in this folder, up to 1 MiB each
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) bot_log: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = MatchFormat::Text)]
    pub(crate) format: MatchFormat,

    /// Exit without an error even if a contestant forfeited games
    #[arg(long)]
    pub(crate) tolerate: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

#[derive(Args)]
#[command(after_help = format!("{}\n\n{}", help::RULES, help::TOURNAMENT))]
pub(crate) struct TournamentArgs {
    /// Contestants; a gauntlet plays the first against the others, a knockout seeds them in this order
    #[arg(value_name = "BOT", conflicts_with = "resume", value_parser = suggestions::contestant(), hide_possible_values = true)]
    pub(crate) bots: Vec<String>,

    /// TOML file with contestants and options (docs/tournament.md); the command line overrides it
    #[arg(long, value_name = "FILE", conflicts_with = "resume", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    /// New folder for the games
    #[arg(long, value_name = "DIR", conflicts_with = "resume", value_hint = ValueHint::DirPath)]
    pub(crate) out: Option<PathBuf>,

    /// Continue the tournament in this folder; if it is finished, show its table
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) resume: Option<PathBuf>,

    /// Who meets whom: round-robin, gauntlet, swiss, swiss:ROUNDS, knockout, contest or contest:SETS
    /// [default: round-robin]
    #[arg(long, value_name = "SCHEDULE", conflicts_with = "resume", value_parser = suggestions::schedule(), hide_possible_values = true)]
    pub(crate) schedule: Option<Schedule>,

    /// Sets in every game of a contest [default: 10]
    #[arg(long, value_name = "N", conflicts_with = "resume", value_hint = ValueHint::Other, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) sets: Option<u32>,

    /// Pairs of games in every pairing [default: 50]
    #[arg(long, value_name = "N", conflicts_with = "resume", value_hint = ValueHint::Other, value_parser = parse_pairs)]
    pub(crate) pairs: Option<u64>,

    /// Rules of every game (see below) [default: classic; russian in a contest]
    #[arg(long, conflicts_with = "resume", value_parser = suggestions::rules(), hide_possible_values = true)]
    pub(crate) rules: Option<Rules>,

    /// Random seed: the same number gives the same games [default: a secret one, shown with the table]
    #[arg(long, value_name = "N", conflicts_with = "resume", value_hint = ValueHint::Other)]
    pub(crate) seed: Option<u64>,

    /// Pairs in a series; both players are restarted for the next one [default: 10]
    #[arg(long, value_name = "N", conflicts_with = "resume", value_hint = ValueHint::Other)]
    pub(crate) series: Option<NonZero<u64>>,

    /// Let bots of the catalog learn from earlier games of a series
    #[arg(long, conflicts_with = "resume", value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) learn: Option<bool>,

    /// Let a bot lose the rest of a pairing after this many faults in a row; 0 for never [default: 20]
    #[arg(long, value_name = "N", conflicts_with = "resume", value_hint = ValueHint::Other)]
    pub(crate) give_up: Option<u64>,

    /// Keep fleets secret after the game
    #[arg(long, conflicts_with = "resume", value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) hide: Option<bool>,

    /// Games played at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_hint = ValueHint::Other)]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Write the standard error of external bots to files in this folder, up to 1 MiB each
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) bot_log: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = TournamentFormat::Text)]
    pub(crate) format: TournamentFormat,

    /// Exit without an error even if a contestant forfeited games
    #[arg(long)]
    pub(crate) tolerate: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

/// Parses the number of pairs of games in a pairing.
pub(crate) fn parse_pairs(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1..=10_000_000).contains(number));
    number.ok_or_else(|| "a pairing has 1 to 10000000 pairs of games".to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TournamentFormat {
    /// A table for people
    Text,
    /// One line for programs
    Json,
    /// For spreadsheets
    Csv,
    /// A web page in one file
    Html,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatchFormat {
    /// A few lines for people
    Text,
    /// One line for programs
    Json,
}

#[derive(Args)]
#[command(after_help = help::BOTS)]
pub(crate) struct BotsArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t = BotsFormat::Text)]
    pub(crate) format: BotsFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BotsFormat {
    /// A table for people
    Text,
    /// For programs
    Json,
}

#[derive(Args)]
#[command(after_help = help::BOT)]
pub(crate) struct BotArgs {
    /// Name in the catalog
    #[arg(value_name = "NAME", value_parser = suggestions::bot(), hide_possible_values = true)]
    pub(crate) bot: &'static BotInfo,

    /// Learn from game to game; without it every game depends on its seed alone
    #[arg(long)]
    pub(crate) learn: bool,
}

#[derive(Args)]
#[command(after_help = format!("{}\n\n{}", help::RULES, help::BENCH))]
pub(crate) struct BenchArgs {
    /// Bots to measure; the others are compared with the first [default: all that need microseconds for a shot]
    #[arg(value_name = "BOT", value_parser = suggestions::bot(), hide_possible_values = true)]
    pub(crate) bots: Vec<&'static BotInfo>,

    /// Rules of every game (see below)
    #[arg(long, default_value = "classic", value_parser = suggestions::rules(), hide_possible_values = true)]
    pub(crate) rules: Rules,

    /// Games of each bot [default: 10000; 200 with --low-variance; all layouts of a file]
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) games: Option<u64>,

    /// Skip the first N games, to split a long bench over several days or machines
    #[arg(long, value_name = "N", default_value_t = 0, value_hint = ValueHint::Other, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    pub(crate) skip: u64,

    /// Random seed of layouts and bots
    #[arg(long, value_name = "N", default_value_t = 1, value_hint = ValueHint::Other)]
    pub(crate) seed: u64,

    /// Where the layouts come from. uniform: all are equally likely. sequential: ships are placed one by one, the
    /// longest first. FILE: one fleet on each line, such as `carrier A1 across, battleship C3 down, …`
    #[arg(long, value_name = "LAYOUTS", default_value = "uniform", value_hint = ValueHint::FilePath)]
    pub(crate) layouts: String,

    /// Let this bot place the fleets. It is restarted in every series and sees where the other shot
    #[arg(long, value_name = "BOT", conflicts_with = "layouts", value_parser = suggestions::bot(), hide_possible_values = true)]
    pub(crate) placer: Option<&'static BotInfo>,

    /// Games in a series; the last series may be shorter
    #[arg(long, value_name = "N", default_value = "1", value_hint = ValueHint::Other, value_parser = parse_series)]
    pub(crate) series: NonZero<u64>,

    /// Use only N layouts in a series, in turn
    #[arg(long, value_name = "N", conflicts_with = "placer", value_hint = ValueHint::Other, value_parser = parse_series)]
    pub(crate) cycle: Option<NonZero<u64>>,

    /// Apply AIVAT-style variance reduction: after each shot it subtracts the change in the value network's estimate
    /// minus its expectation over all possible answers. The mean stays unbiased and its error shrinks. A game takes
    /// half a second or more
    #[arg(long, conflicts_with_all = ["layouts", "placer", "cycle"])]
    pub(crate) low_variance: bool,

    /// Games played at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_threads)]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Output format
    #[arg(long, value_enum, default_value_t = BenchFormat::Text)]
    pub(crate) format: BenchFormat,

    /// Draw the distributions of all bots to this file (.svg or .png)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) plot: Option<PathBuf>,

    /// Write the games of each bot to a new record file in this folder, up to 10000 games.
    /// `replay`, `analyse` and `export` read them
    #[arg(long, value_name = "DIR", conflicts_with = "nats", value_hint = ValueHint::DirPath)]
    pub(crate) records: Option<PathBuf>,

    /// Print only one number for each bot. It changes when the bot plays differently
    #[arg(long, conflicts_with_all = ["rules", "games", "skip", "seed", "layouts", "placer", "series", "cycle", "low_variance", "threads", "format", "plot", "records"])]
    pub(crate) fingerprint: bool,

    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

/// Parses a number of threads.
pub(super) fn parse_threads(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse::<NonZero<usize>>().ok().filter(|number| number.get() <= 1024);
    number.ok_or_else(|| "the number of threads is 1 to 1024".to_owned())
}

fn parse_series(text: &str) -> Result<NonZero<u64>, String> {
    let number = text.parse::<NonZero<u64>>().ok().filter(|number| number.get() <= 10_000);
    number.ok_or_else(|| "a series has 1 to 10000 games".to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum BenchFormat {
    /// A table for people
    Text,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
}
