//! Stores of games: their event logs, and what lists of games show.

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

/// Why the store cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// An error of SQLite.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// An error of PostgreSQL.
    #[error("PostgreSQL: {0}")]
    Postgres(tokio_postgres::Error),
    /// PostgreSQL does not answer; it may come back.
    #[error("PostgreSQL does not answer: {0}")]
    Unreachable(String),
    /// The address is neither a file nor a PostgreSQL URL.
    #[error("{0:?} is not a store: give a file for SQLite, or postgres://user@host/database")]
    Address(String),
    /// The tables have a version that this program cannot use.
    #[error(
        "the store has version {found} and needs a program that knows version {oldest} or later; this program knows \
         {known}: use a newer program or another store"
    )]
    Version {
        /// The version of the tables.
        found: i64,
        /// The oldest version that a program must know to use the tables.
        oldest: i64,
        /// The version that this program knows.
        known: i64,
    },
    /// A stored event cannot be read.
    #[error("game {game}: an event cannot be read")]
    Unreadable {
        /// The id of the game.
        game: String,
    },
    /// Another server uses the file.
    #[error("another server uses {0}: stop it first, give this one a store of its own, or share a PostgreSQL store")]
    InUse(String),
    /// The file is not where it was opened, so nothing is stored in it any more.
    #[error("{0} was moved, replaced or deleted while the server ran; put it back, or restart the server")]
    Moved(String),
    /// The file cannot be opened.
    #[error("cannot open {path}: {source}")]
    File {
        /// Its path.
        path: String,
        /// The error of the system.
        source: std::io::Error,
    },
    /// Another node has stored an event with the same number.
    #[error("game {game} was changed by another program")]
    Conflict {
        /// Its id.
        game: String,
    },
    /// The writing task has stopped.
    #[error("the store is closed")]
    Closed,
}

/// A store of games. Clones share the connections.
#[derive(Clone)]
pub struct Store(Backend);

#[derive(Clone)]
enum Backend {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// What lists show of a game.
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

/// The status of a game, which decides the lists that show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GameStatus {
    /// The game waits for anyone to join.
    Open,
    /// The game is unfinished and not open to everyone.
    Running,
    Over,
}

/// New events of a game, with its new status.
pub(crate) struct Append {
    pub(crate) game: String,
    /// The number of the first event.
    pub(crate) number: u64,
    pub(crate) events: Vec<Event>,
    pub(crate) status: GameStatus,
    pub(crate) listing: Listing,
    /// When some node has to act, if nothing happens before.
    pub(crate) due: Option<Timestamp>,
}

/// An event read from the store.
pub(crate) struct StoredEvent {
    pub(crate) game: String,
    pub(crate) number: u64,
    /// The event, or an error for this event alone, so that one corrupt game does not hide others.
    pub(crate) event: Result<Event, StoreError>,
}

impl StoredEvent {
    fn read(game: String, number: i64, body: &str) -> Self {
        let event = serde_json::from_str(body).map_err(|_| StoreError::Unreadable { game: game.clone() });
        Self { number: number.cast_unsigned(), event, game }
    }
}

/// How many events of a game are known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Revision {
    pub(crate) game: String,
    pub(crate) revision: u64,
}

impl Store {
    /// Opens a store, and creates or migrates its tables. The address is a file, or a `postgres://` URL.
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

    /// Appends events to a game. They are durable when it returns.
    pub(crate) async fn append(&self, append: Append) -> Result<(), StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.append(append).await,
            Backend::Postgres(store) => store.append(append).await,
        }
    }

    /// All events of a game. Empty if there is no such game.
    pub(crate) async fn events(&self, game: &str) -> Result<Vec<Event>, StoreError> {
        let nothing = Revision { game: game.to_owned(), revision: 0 };
        self.newer_events(&[nothing]).await?.into_iter().map(|stored| stored.event).collect()
    }

    /// The events of games after the given revisions, in order.
    pub(crate) async fn newer_events(&self, known: &[Revision]) -> Result<Vec<StoredEvent>, StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.newer_events(known).await,
            Backend::Postgres(store) => store.newer_events(known).await,
        }
    }

    /// Writes something that changes nothing. Only a store that works can do that.
    pub(crate) async fn probe(&self) -> Result<(), StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.probe().await,
            Backend::Postgres(store) => store.probe().await,
        }
    }

    /// The stored review of a game, as JSON.
    pub(crate) async fn review(&self, game: &str) -> Result<Option<String>, StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.review(game).await,
            Backend::Postgres(store) => store.review(game).await,
        }
    }

    /// Stores the review of a finished game. It never changes.
    pub(crate) async fn add_review(&self, game: &str, review: &str) -> Result<(), StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.add_review(game, review).await,
            Backend::Postgres(store) => store.add_review(game, review).await,
        }
    }

    /// The newest games with a status.
    pub(crate) async fn list(&self, status: GameStatus, most: usize) -> Result<Vec<Listing>, StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.list(status, most).await,
            Backend::Postgres(store) => store.list(status, most).await,
        }
    }

    /// How many games are unfinished.
    pub(crate) async fn count_unfinished(&self) -> Result<u64, StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.count_unfinished().await,
            Backend::Postgres(store) => store.count_unfinished().await,
        }
    }

    /// Leases games that are overdue at `due`. Until `until` no other node gets them.
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

    /// Sets when some node has to act next, unless the game has changed since.
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

    /// Stores what waits, and refuses more. Then the file of SQLite is complete without its `-wal`.
    pub(crate) async fn close(&self) -> Result<(), StoreError> {
        match &self.0 {
            Backend::Sqlite(store) => store.close().await,
            // Nothing waits that was acknowledged.
            Backend::Postgres(_) => Ok(()),
        }
    }

    /// Whether other nodes may use the store too.
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
