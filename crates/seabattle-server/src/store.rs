//! Where games are kept: events in the order in which they happened, and lists of games.

mod listing;
mod postgres;
mod sqlite;
#[cfg(test)]
mod tests;

use serde::Serialize;
use thiserror::Error;

use crate::rooms::event::Event;
use crate::rooms::view::{ComputerOpponent, PerSide};
use crate::timestamp::Timestamp;

use postgres::Postgres;
use sqlite::Sqlite;

/// Why something cannot be stored or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite refuses.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL refuses.
    #[error("PostgreSQL: {0}")]
    Postgres(tokio_postgres::Error),
    /// PostgreSQL is not there, or does not answer: it may come back.
    #[error("PostgreSQL does not answer: {0}")]
    Unreachable(String),
    /// The address names no store.
    #[error("{0:?} is no store: give a file for SQLite, or postgres://user@host/database")]
    Address(String),
    /// What is stored was written by a newer version, or by nobody.
    #[error(
        "the store has version {found}, for programs that know version {oldest} or a newer one; this program knows {known}: \
         use a newer program or another store"
    )]
    Version {
        /// In the store.
        found: i64,
        /// That a program must know to use it.
        oldest: i64,
        /// Of this program.
        known: i64,
    },
    /// An event that is none.
    #[error("game {game}: an event cannot be read")]
    Unreadable {
        /// Its id.
        game: String,
    },
    /// Somebody else has written to the same game.
    #[error("game {game} was changed by another program")]
    Conflict {
        /// Its id.
        game: String,
    },
    /// The writer has stopped.
    #[error("the store is closed")]
    Closed,
}

/// A store that any number of games may use at once.
#[derive(Clone)]
pub struct Store(Backend);

#[derive(Clone)]
enum Backend {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// What lists of games show of one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Listing {
    pub(crate) id: String,
    pub(crate) rules: String,
    pub(crate) name: Option<String>,
    pub(crate) names: PerSide<Option<String>>,
    pub(crate) computer: Option<ComputerOpponent>,
    pub(crate) clock: Option<u16>,
    pub(crate) created: Timestamp,
    pub(crate) winner: Option<String>,
}

/// Which list a game belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameStatus {
    /// Waits for a second person, who may be anybody.
    Open,
    /// Goes on, or waits for somebody in particular.
    Running,
    Over,
}

/// New events of a game and where it now belongs.
pub(crate) struct Append {
    pub(crate) game: String,
    /// The number of the first of the events.
    pub(crate) number: u64,
    pub(crate) events: Vec<Event>,
    pub(crate) status: GameStatus,
    pub(crate) listing: Listing,
    /// When some server has to act, if nothing happens before.
    pub(crate) due: Option<Timestamp>,
}

/// An event as it was found.
pub(crate) struct StoredEvent {
    pub(crate) game: String,
    pub(crate) number: u64,
    /// What one game's events are must not hide the others'.
    pub(crate) event: Result<Event, StoreError>,
}

impl StoredEvent {
    fn read(game: String, number: i64, body: &str) -> Self {
        let event = serde_json::from_str(body).map_err(|_| StoreError::Unreadable { game: game.clone() });
        Self { number: number.cast_unsigned(), event, game }
    }
}

/// A game and how many of its events are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Revision {
    pub(crate) game: String,
    pub(crate) revision: u64,
}

impl Store {
    /// Opens or creates a store: a file, or a database by its address.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            return Postgres::open(address).await.map(|store| Self(Backend::Postgres(store)));
        }
        let path = address.strip_prefix("sqlite:").unwrap_or(address);
        if path.contains("://") {
            return Err(StoreError::Address(address.to_owned()));
        }
        Sqlite::open(path).map(|store| Self(Backend::Sqlite(store)))
    }

    /// Once it returns, the events survive whatever happens.
    pub(crate) async fn append(&self, append: Append) -> Result<(), StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.append(append).await,
            Backend::Postgres(store) => store.append(append).await,
        }
    }

    /// All events of a game; none if there is no such game.
    pub(crate) async fn events(&self, game: &str) -> Result<Vec<Event>, StoreError> {
        let nothing = Revision { game: game.to_owned(), revision: 0 };
        self.newer_events(&[nothing]).await?.into_iter().map(|stored| stored.event).collect()
    }

    /// The events of games beyond those that are known, in order.
    pub(crate) async fn newer_events(&self, known: &[Revision]) -> Result<Vec<StoredEvent>, StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.newer_events(known).await,
            Backend::Postgres(store) => store.newer_events(known).await,
        }
    }

    /// The newest games of a shelf.
    pub(crate) async fn list(&self, status: GameStatus, most: usize) -> Result<Vec<Listing>, StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.list(status, most).await,
            Backend::Postgres(store) => store.list(status, most).await,
        }
    }

    /// How many games go on.
    pub(crate) async fn count_unfinished(&self) -> Result<u64, StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.count_unfinished().await,
            Backend::Postgres(store) => store.count_unfinished().await,
        }
    }

    /// Games where some server has to act since then: they are the caller's, and nobody else's until then.
    pub(crate) async fn lease_overdue(
        &self,
        due: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<String>, StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.lease_overdue(due, until, most).await,
            Backend::Postgres(store) => store.lease_overdue(due, until, most).await,
        }
    }

    /// Nobody has to act before then, as far as is known of the game.
    pub(crate) async fn postpone(
        &self,
        known: &Revision,
        updated: Timestamp,
        due: Timestamp,
    ) -> Result<(), StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.postpone(known, updated, due).await,
            Backend::Postgres(store) => store.postpone(known, updated, due).await,
        }
    }

    /// Whether other servers may write to it too.
    pub fn is_shared(&self) -> bool {
        matches!(self.0, Backend::Postgres(_))
    }
}

impl GameStatus {
    fn number(self) -> i16 {
        match self {
            Self::Open => 0,
            Self::Running => 1,
            Self::Over => 2,
        }
    }
}
