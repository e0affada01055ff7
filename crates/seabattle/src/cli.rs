//! The arguments, and the help that teaches them.

mod record_arguments;
mod service_arguments;

use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use seabattle_arena::{Schedule, Sprt};
use seabattle_bots::BotInfo;
use seabattle_core::Rules;
use seabattle_terminal::screen::Theme;

use crate::limits::LimitArgs;
use crate::remote::RemoteArgs;
pub(crate) use record_arguments::{
    AnalyseArgs, AnalyseFormat, ExportArgs, ExportSide, ExportTheme, RecordArgs, ReplayArgs,
};
pub(crate) use service_arguments::{LogFormat, ServeArgs, WorkerArgs};

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
    /// Measure bots alone: how many shots do they need to sink a fleet?
    Bench(BenchArgs),
    /// List the bots: how they play, how strong they are and where they come from
    Bots(BotsArgs),
    /// Play pairs of games between two bots: who is stronger, and how sure is that?
    Match(MatchArgs),
    /// Let many bots meet each other and rank them; survives being stopped
    Tournament(TournamentArgs),
    /// Walk a bot in any language through the line protocol: does it play by the book?
    Check(CheckArgs),
    /// Speak the line protocol for a bot of the catalog, as bots in other languages do
    Bot(BotArgs),
    /// The odds of a position: the probability of a ship on every cell
    Odds(OddsArgs),
    /// Count the legal fleets of some rules
    Count(CountArgs),
    /// The best possible play on a small board: the fewest shots on average
    Solve(SolveArgs),
    /// How well was a game played? The odds of every shot, skill, luck, and where the game turned
    Analyse(AnalyseArgs),
    /// A recorded game as a moving picture, a still or a page
    Export(ExportArgs),
    /// Step through a recorded game in the terminal
    Replay(ReplayArgs),
    /// Serve the game in the browser, and its interface for scripts
    Serve(ServeArgs),
    /// Do the work that others hand out over NATS: games of their matches, tournaments and benches
    Worker(WorkerArgs),
    /// Print completions for a shell
    Completions {
        /// Whose
        shell: Shell,
    },
    /// Print the manual page
    Man,
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
  classic,ending=equal         ending=at-once|equal";

const PLAY_EXAMPLES: &str = "\
Examples:
  seabattle play
  seabattle play --rules russian --bot lattice
  seabattle play --seed 7 --first me --save games.txt";

const BENCH_EXAMPLES: &str = "\
Every bot plays the same layouts: the i-th game of each has the same fleet to sink, on any
number of threads. The same seed gives the same numbers, but for the speed.

In a series the same two meet again and again, so that a bot may learn: both are told how a game
ended, and both are new in the next series. Errors are those of whole series.

Examples:
  seabattle bench random star density
  seabattle bench density --placer random --series 10 --games 2000
  seabattle bench density --series 10 --cycle 1 --games 2000
  seabattle bench hunter admiral --low-variance
  seabattle bench lattice blocks --rules russian --layouts sequential --games 20000
  seabattle bench --plot bots.svg --format json";

#[derive(Args)]
#[command(after_help = format!("{RULES_HELP}\n\n{PLAY_EXAMPLES}"))]
pub(crate) struct PlayArgs {
    /// Type and read line by line: works through a pipe and with a screen reader
    #[arg(long)]
    pub(crate) plain: bool,

    /// The rules of the game (see below) [default: those of the last game on the screen, else classic]
    #[arg(long)]
    pub(crate) rules: Option<Rules>,

    /// The computer player [default: that of the last game on the screen, else sailor; adjacent line by line]
    #[arg(long, value_name = "NAME", value_parser = seabattle_bots::find)]
    pub(crate) bot: Option<&'static BotInfo>,

    /// Repeat a game: the same number gives the same computer fleet and shots [default: random, printed]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Who fires first
    #[arg(long, value_enum, default_value_t = First::Random)]
    pub(crate) first: First,

    /// Append the record of every game to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,

    /// The colours of the screen: sea, paper (for light terminals), ansi or mono [default: the last one chosen, else what the terminal can show]
    #[arg(long)]
    pub(crate) theme: Option<Theme>,

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

const CHECK_EXAMPLES: &str = "\
Steps end with the first that fails; what was sent, what came back and what was expected is printed.

Examples:
  seabattle check python3 bots/python/bot.py
  seabattle check --time-shot 100ms ./mybot
  seabattle check --bot-log logs python3 bots/python/bot.py
  seabattle check tavt:bots/contest/lattice.py";

#[derive(Args)]
#[command(after_help = CHECK_EXAMPLES)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    /// Keep what it writes to its standard error in a file in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) bot_log: Option<PathBuf>,

    /// The program with its arguments, or tavt: and the path of a bot of the contest (Python or Free Pascal)
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

const MATCH_EXAMPLES: &str = "\
A contestant is a bot of the catalog (see `seabattle bots`), a command that speaks the line
protocol of docs/protocol.md, or tavt: and a bot of the contest described there. In the two games of a pair each player fires first once. The same seed gives the same games on any number of threads.

After Ctrl-C the pairs so far are told, and the exit status is 130.

Examples:
  seabattle match density star
  seabattle match \"python3 bots/python/bot.py\" adjacent --pairs 200
  seabattle match hunter density --sprt 0,10 --rules russian
  seabattle match ./mybot random --format json --tolerate
  seabattle match tavt:bots/contest/lattice.py random --rules russian";

#[derive(Args)]
#[command(after_help = format!("{MATCH_EXAMPLES}\n\n{RULES_HELP}"))]
pub(crate) struct MatchArgs {
    /// The contestant whose score is told
    #[arg(value_name = "A")]
    pub(crate) a: String,

    /// Its opponent
    #[arg(value_name = "B")]
    pub(crate) b: String,

    /// The most pairs of games
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) pairs: u64,

    /// The rules of every game (see below)
    #[arg(long, default_value = "classic")]
    pub(crate) rules: Rules,

    /// Repeats a match: all random choices follow from it [default: a secret one, shown at the end]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Stop as soon as it is clear whether A is elo0 or elo1 stronger: elo0,elo1 or elo0,elo1,alpha,beta
    #[arg(long, value_name = "TEST", allow_hyphen_values = true)]
    pub(crate) sprt: Option<Sprt>,

    /// Pairs in a row between the same two players; both are started anew for the next
    #[arg(long, value_name = "N", default_value = "10")]
    pub(crate) series: NonZero<u64>,

    /// Let bots of the catalog remember from game to game of a series
    #[arg(long)]
    pub(crate) learn: bool,

    /// End the match when a bot has failed this many games in a row; 0 for never
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) give_up: u64,

    /// Do not tell players the other's fleet when a game is over
    #[arg(long)]
    pub(crate) hide: bool,

    /// Games at the same time [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Append the record of every game to a file in this folder
    #[arg(long, value_name = "DIR")]
    pub(crate) records: Option<PathBuf>,

    /// Keep what foreign bots write to their standard error in this folder, a file for each, up to 1 MiB
    #[arg(long, value_name = "DIR")]
    pub(crate) bot_log: Option<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t = MatchFormat::Text)]
    pub(crate) format: MatchFormat,

    /// End without an error even if a contestant failed
    #[arg(long)]
    pub(crate) tolerate: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

const TOURNAMENT_EXAMPLES: &str = "\
Every finished game is written into the folder at once. After Ctrl-C (exit status 130), a crash or a
power cut `--resume` goes on and ends with the same table as if nothing had happened. Contestants are
those of `seabattle match`.

Examples:
  seabattle tournament random star density hunter --pairs 100 --out cup
  seabattle tournament --resume cup
  seabattle tournament \"./mybot\" density quadrant --schedule gauntlet --out mine
  seabattle tournament --config cup.toml
  seabattle tournament --resume cup --format html > cup.html
  seabattle tournament tavt:bots/contest/lattice.py lattice blocks --schedule contest --out games

`--schedule contest` is a round robin in which each meeting is one game of several sets under russian
rules. The first shot alternates, the game ends as soon as it is decided, and any failure loses all of
it: 3 points for a win, 1 for a draw, none for two who fail in the same call. It has its own limits
of time: 1.5 s for a map, a shot and what is told of one, 5 s for everything else.";

#[derive(Args)]
#[command(after_help = format!("{TOURNAMENT_EXAMPLES}\n\n{RULES_HELP}"))]
pub(crate) struct TournamentArgs {
    /// The contestants, the strongest first where that matters
    #[arg(value_name = "BOT", conflicts_with = "resume")]
    pub(crate) bots: Vec<String>,

    /// A TOML file with contestants and options; what the command line says wins (see docs/tournament.md)
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub(crate) config: Option<PathBuf>,

    /// A new folder for the games
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    pub(crate) out: Option<PathBuf>,

    /// Go on with the tournament in this folder, or only show its table
    #[arg(long, value_name = "DIR")]
    pub(crate) resume: Option<PathBuf>,

    /// Who meets whom: round-robin, gauntlet (the first against all), swiss, swiss:ROUNDS, knockout, contest
    /// [default: round-robin]
    #[arg(long, value_name = "SCHEDULE", conflicts_with = "resume")]
    pub(crate) schedule: Option<Schedule>,

    /// Sets in every game of a contest [default: 10]
    #[arg(long, value_name = "N", conflicts_with = "resume", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) sets: Option<u32>,

    /// Pairs of games in every meeting [default: 50]
    #[arg(long, value_name = "N", conflicts_with = "resume", value_parser = parse_pairs)]
    pub(crate) pairs: Option<u64>,

    /// The rules of every game (see below) [default: classic; russian in a contest]
    #[arg(long, conflicts_with = "resume")]
    pub(crate) rules: Option<Rules>,

    /// Repeats a tournament: all random choices follow from it [default: a secret one, shown with the table]
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub(crate) seed: Option<u64>,

    /// Pairs in a row between the same two players; both are started anew for the next [default: 10]
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub(crate) series: Option<NonZero<u64>>,

    /// Let bots of the catalog remember from game to game of a series
    #[arg(long, conflicts_with = "resume", value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) learn: Option<bool>,

    /// Set a bot aside that has failed this many games of a pairing in a row; 0 for never [default: 20]
    #[arg(long, value_name = "N", conflicts_with = "resume")]
    pub(crate) give_up: Option<u64>,

    /// Do not tell players the other's fleet when a game is over
    #[arg(long, conflicts_with = "resume", value_name = "true|false", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub(crate) hide: Option<bool>,

    /// Games at the same time [default: the number of cores]
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Keep what foreign bots write to their standard error in this folder, a file for each, up to 1 MiB
    #[arg(long, value_name = "DIR")]
    pub(crate) bot_log: Option<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t = TournamentOutput::Text)]
    pub(crate) format: TournamentOutput,

    /// End without an error even if a contestant failed
    #[arg(long)]
    pub(crate) tolerate: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,

    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

/// How often two may meet.
pub(crate) fn parse_pairs(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1..=10_000_000).contains(number));
    number.ok_or_else(|| "a meeting has 1 to 10000000 pairs of games".to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TournamentOutput {
    /// A table for people
    Text,
    /// One line for programs
    Json,
    /// For spreadsheets
    Csv,
    /// A page to look at and to pass on
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
pub(crate) struct BotsArgs {
    /// What to print
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

const BOT_EXAMPLES: &str = "\
The protocol is described in docs/protocol.md. Type `seabattle 1` and see:
  seabattle bot density";

#[derive(Args)]
#[command(after_help = BOT_EXAMPLES)]
pub(crate) struct BotArgs {
    /// Its name in the catalog
    #[arg(value_name = "NAME", value_parser = seabattle_bots::find)]
    pub(crate) bot: &'static BotInfo,

    /// Remember from game to game; otherwise every game depends on its seed alone
    #[arg(long)]
    pub(crate) learn: bool,
}

#[derive(Args)]
#[command(after_help = format!("{BENCH_EXAMPLES}\n\n{RULES_HELP}"))]
pub(crate) struct BenchArgs {
    /// The bots to measure; if none is named, all whose shots take microseconds. Differences are to the first
    #[arg(value_name = "BOT", value_parser = seabattle_bots::find)]
    pub(crate) bots: Vec<&'static BotInfo>,

    /// The rules of every game (see below)
    #[arg(long, default_value = "classic")]
    pub(crate) rules: Rules,

    /// Games of each bot [default: 10000, 200 with --low-variance, or all layouts of the file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) games: Option<u64>,

    /// Leave so many games at the beginning out: a long bench in pieces, on several days or machines
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=1_000_000_000))]
    pub(crate) skip: u64,

    /// Decides layouts and chance
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,

    /// uniform: all legal fleets alike; sequential: ship by ship, longest first; or a file with a fleet on each line,
    /// such as: carrier A1 across, battleship C3 down, ...
    #[arg(long, value_name = "uniform|sequential|FILE", default_value = "uniform")]
    pub(crate) layouts: String,

    /// The fleets shot at are placed by this bot, new in every series and told where it was shot at
    #[arg(long, value_name = "BOT", value_parser = seabattle_bots::find, conflicts_with = "layouts")]
    pub(crate) placer: Option<&'static BotInfo>,

    /// Games in a row between the same two; the last series may be shorter
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_series)]
    pub(crate) series: NonZero<u64>,

    /// The enemy of a series has only so many layouts and uses them in turn
    #[arg(long, value_name = "N", value_parser = parse_series, conflicts_with = "placer")]
    pub(crate) cycle: Option<NonZero<u64>>,

    /// Apply AIVAT-style variance reduction: a few hundred games tell as much as many thousands. The means stay unbiased.
    /// A game takes half a second and more
    #[arg(long, conflicts_with_all = ["layouts", "placer", "cycle"])]
    pub(crate) low_variance: bool,

    /// How many games are played at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(crate) threads: Option<NonZero<usize>>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,

    /// Draw the distributions of all bots into this file, .svg or .png
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,

    /// Keep every game as a record in this folder, one new file for each bot, up to 10000 games.
    /// `replay`, `analyse` and `export` read them
    #[arg(long, value_name = "DIR", conflicts_with = "nats")]
    pub(crate) records: Option<PathBuf>,

    /// Print one number for each bot that changes when it plays differently, and nothing else
    #[arg(long, conflicts_with_all = ["rules", "games", "skip", "seed", "layouts", "placer", "series", "cycle", "low_variance", "threads", "format", "plot", "records"])]
    pub(crate) fingerprint: bool,

    #[command(flatten)]
    pub(crate) remote: RemoteArgs,
}

fn parse_threads(text: &str) -> Result<NonZero<usize>, String> {
    let number = text.parse::<NonZero<usize>>().ok().filter(|number| number.get() <= 1024);
    number.ok_or_else(|| "a number of threads is 1 to 1024".to_owned())
}

fn parse_series(text: &str) -> Result<NonZero<u64>, String> {
    let number = text.parse::<NonZero<u64>>().ok().filter(|number| number.get() <= 10_000);
    number.ok_or_else(|| "a series has 1 to 10000 games".to_owned())
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// A table to read
    Text,
    /// For programs
    Json,
    /// For spreadsheets
    Csv,
}

const ODDS_EXAMPLES: &str = "\
Shots: a cell with its answer, in the order in which they were fired: E5. for a miss, D4x for a hit,
D6# for a sunk ship, D6#cruiser where the ship is named, D4x:cruiser where every hit names its ship.

Examples:
  seabattle odds
  seabattle odds --shots 'E5. D4x D5x'
  seabattle odds --rules russian --shots 'C3# F6x' --format json
  seabattle odds --format svg > odds.svg";

#[derive(Args)]
#[command(after_help = format!("{ODDS_EXAMPLES}\n\n{RULES_HELP}"))]
pub(crate) struct OddsArgs {
    /// The rules of the game (see below)
    #[arg(long, default_value = "classic")]
    pub(crate) rules: Rules,

    /// The shots so far with their answers (see below)
    #[arg(long, default_value = "", hide_default_value = true)]
    pub(crate) shots: String,

    /// What to print
    #[arg(long, value_enum, default_value_t = OddsFormat::Text)]
    pub(crate) format: OddsFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OddsFormat {
    /// A heat map to read
    Text,
    /// For programs
    Json,
    /// A picture
    Svg,
}

#[derive(Args)]
#[command(after_help = RULES_HELP)]
pub(crate) struct CountArgs {
    /// The rules (see below)
    pub(crate) rules: Rules,
}

#[derive(Args)]
#[command(after_help = RULES_HELP)]
pub(crate) struct SolveArgs {
    /// The rules of a small board, such as 4x4:3,2 (see below)
    pub(crate) rules: Rules,

    /// The most memory to use, in MiB; what would need more is refused
    #[arg(long, value_name = "MIB", default_value_t = 512)]
    pub(crate) memory: usize,

    /// The most positions to look at, in millions, each a second or several; what would need more is refused
    #[arg(long, value_name = "MILLIONS", default_value_t = 50)]
    pub(crate) positions: u64,

    /// The most legal fleets that the rules may have
    #[arg(long, value_name = "COUNT", default_value_t = 2000)]
    pub(crate) layouts: usize,

    /// What to print
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
