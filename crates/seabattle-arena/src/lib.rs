//! Games between players, refereed, and what they tell about the players.

mod bench;
mod check;
mod contest;
mod contestant;
mod duel;
mod executor;
mod external;
mod fault;
mod fingerprint;
mod finished_game;
mod matches;
mod pairs;
mod player;
mod possible;
mod process;
pub mod protocol;
mod rating;
mod referee;
mod report;
mod score;
mod series;
mod set_aside;
mod solo;
mod stats;
mod tournament;
mod variance_reduction;

pub use bench::{Bench, BenchError, Contender, LayoutGenerator, Layouts, MakeBot, ObserveGame, SoloGame};
pub use check::{CheckFailure, CheckSuite, check};
pub use contest::{
    CompileError, CompileLimits, compile as compile_contest_unit, limits as contest_limits, module as contest_module,
};
pub use contestant::{Contestant, ContestantKind};
pub use duel::{DuelError, duel};
pub use executor::{Executor, ExecutorError, ThreadExecutor};
pub use external::{ExternalPlayer, LimitSource, NotifyLimits, TimeLimits};
pub use fault::IllegalShot;
pub use fingerprint::{FingerprintError, fingerprint};
pub use finished_game::{FinishedGame, GameKey, GameResult, Pairing, PlayerInfo};
pub use matches::Match;
pub use pairs::PairSettings;
pub use player::{BuiltInPlayer, Fault, FaultKind, Player};
pub use possible::ImpossibleResult;
pub use process::{
    Access, BotCommand, BotLog, BuildFolder, ResourceLimits, SandboxError, has_whole_bot_limits, is_private,
    kill_external_bots, sandbox_error,
};
pub use rating::{Elo, GameScore, PairCounts, PairingResult, Rating, Spread, Sprt, SprtError, SprtState, ratings};
pub use referee::{GameSettings, PlayedGame, referee};
pub use report::{BenchReport, BotResult};
pub use score::Score;
pub use series::Series;
pub use solo::solo;
pub use stats::{Difference, Histogram, SeriesMean};
pub use tournament::{
    ContestStanding, ContestTable, CrossTableCell, Journal, JournalError, RatingTable, Schedule, Standing, StopReason,
    Tournament, TournamentError, TournamentObserver, TournamentTask, UnknownSchedule,
};
pub use variance_reduction::{AivatCorrection, ReducedMean};
