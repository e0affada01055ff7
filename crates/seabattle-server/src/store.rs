//! Where games are kept: events in the order in which they happened, and lists of games.

mod listing;
mod postgres;
mod sqlite;
#[cfg(test)]
mod tests;

use serde::Serialize;
use thiserror::Error;

use crate::clock::Millis;
use crate::event::Event;
use crate::view::{Computer, Sides};

use postgres::Postgres;
use sqlite::Sqlite;

/// Why something cannot be stored or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite refuses.
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL refuses, or does not answer.
    #[error("PostgreSQL: {0}")]
    Postgres(#[from] tokio_postgres::Error),
    /// The address names no store.
    #[error("{0:?} is no store: give a file for SQLite, or postgres://user@host/database")]
    Address(String),
    /// What is stored was written by a newer version, or by nobody.
    #[error("the store has version {found}, this program knows {known}; use a newer program or another store")]
    Version {
        /// In the store.
        found: i64,
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
    #[error("game {game} was changed by another program; only one may serve a store")]
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
pub struct Store(Kind);

#[derive(Clone)]
enum Kind {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// What lists of games show of one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Listing {
    pub(crate) id: String,
    pub(crate) rules: String,
    pub(crate) name: Option<String>,
    pub(crate) names: Sides<Option<String>>,
    pub(crate) computer: Option<Computer>,
    pub(crate) clock: Option<u16>,
    pub(crate) created: Millis,
    pub(crate) winner: Option<String>,
}

/// Which list a game belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shelf {
    /// Waits for a second person, who may be anybody.
    Open,
    /// Goes on, or waits for somebody in particular.
    Running,
    Over,
}

/// New events of a game and where it now belongs.
pub(crate) struct Addition {
    pub(crate) game: String,
    /// The number of the first of the events.
    pub(crate) number: u64,
    pub(crate) events: Vec<Event>,
    pub(crate) shelf: Shelf,
    pub(crate) listing: Listing,
}

impl Store {
    /// Opens or creates a store: a file, or a database by its address.
    pub async fn open(address: &str) -> Result<Self, StoreError> {
        if address.starts_with("postgres://") || address.starts_with("postgresql://") {
            return Postgres::open(address).await.map(|store| Self(Kind::Postgres(store)));
        }
        let path = address.strip_prefix("sqlite:").unwrap_or(address);
        if path.contains("://") {
            return Err(StoreError::Address(address.to_owned()));
        }
        Sqlite::open(path).map(|store| Self(Kind::Sqlite(store)))
    }

    /// Once it returns, the events survive whatever happens.
    pub(crate) async fn add(&self, addition: Addition) -> Result<(), StoreError> {
        match &self.0 {
            Kind::Sqlite(store) => store.add(addition).await,
            Kind::Postgres(store) => store.add(addition).await,
        }
    }

    /// All events of a game; none if there is no such game.
    pub(crate) async fn events(&self, game: &str) -> Result<Vec<Event>, StoreError> {
        match &self.0 {
            Kind::Sqlite(store) => store.events(game).await,
            Kind::Postgres(store) => store.events(game).await,
        }
    }

    /// The newest games of a shelf.
    pub(crate) async fn listed(&self, shelf: Shelf, most: usize) -> Result<Vec<Listing>, StoreError> {
        match &self.0 {
            Kind::Sqlite(store) => store.listed(shelf, most).await,
            Kind::Postgres(store) => store.listed(shelf, most).await,
        }
    }

    /// Games that go on, with the time of their last event.
    pub(crate) async fn unfinished(&self) -> Result<Vec<(String, Millis)>, StoreError> {
        match &self.0 {
            Kind::Sqlite(store) => store.unfinished().await,
            Kind::Postgres(store) => store.unfinished().await,
        }
    }
}

impl Shelf {
    fn number(self) -> i16 {
        match self {
            Self::Open => 0,
            Self::Running => 1,
            Self::Over => 2,
        }
    }
}
