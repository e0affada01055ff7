//! Games between players, refereed, and what they tell about the players.

mod bench;
mod check;
mod contest;
mod contestant;
mod crew;
mod duel;
mod entry;
mod fault;
mod fingerprint;
mod foreign;
mod luck;
mod matches;
mod pairs;
mod player;
mod process;
pub mod protocol;
mod rating;
mod referee;
mod report;
mod score;
mod series;
mod solo;
mod stats;
mod tournament;

pub use bench::{Bench, BenchError, Contender, Layouts, MakeBot, ObserveGame, Placer, SoloGame};
pub use check::{CheckFailure, Course, check};
pub use contest::{limits as contest_limits, module as contest_module};
pub use contestant::{Contestant, Kind};
pub use crew::{Crew, CrewError, Go, Threads};
pub use duel::{DuelError, duel};
pub use entry::{Entry, GameKey, GameResult, Meeting, Note};
pub use fault::IllegalShot;
pub use fingerprint::{FingerprintError, fingerprint};
pub use foreign::{Foreign, SetBy, TimeLimits, ToldLimits};
pub use luck::{Fair, Luck};
pub use matches::Match;
pub use pairs::Pairing;
pub use player::{Fault, FaultKind, Player, Resident};
pub use process::{Launch, Log, no_sandbox};
pub use rating::{Elo, Encounter, GameScore, PairCounts, Rating, Spread, Sprt, SprtError, SprtState, ratings};
pub use referee::{Played, Terms, referee};
pub use report::{BotResult, Report};
pub use score::Score;
pub use series::Series;
pub use solo::solo;
pub use stats::{Difference, Histogram, SeriesMean};
pub use tournament::{
    Audience, ContestStanding, ContestTable, Crossing, Format, Journal, JournalError, Standing, Stopped, Table, Task,
    Tournament, TournamentError, UnknownFormat,
};
