//! Changes of a room: decided on what is known, stored if nobody was quicker, else decided again on what is true.

use std::time::Instant;

use tokio::sync::MutexGuard;

use super::{RoomHandle, RoomRegistry, listing, shelf};
use crate::rooms::command::ApiError;
use crate::rooms::event::Event;
use crate::rooms::room::Room;
use crate::store::{Append, Revision, StoreError, StoredEvent};

/// A room that others change more often than that while we try is too busy.
const MOST_TRIES: usize = 8;

/// Why events are not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CommitError {
    /// Another server was quicker.
    Conflict,
    /// What is known of the room does not allow them, or the store does not answer.
    Rejected(ApiError),
}

impl From<CommitError> for ApiError {
    fn from(hindrance: CommitError) -> Self {
        match hindrance {
            CommitError::Conflict => Self::unavailable(),
            CommitError::Rejected(refusal) => refusal,
        }
    }
}

impl RoomRegistry {
    /// Stores what is decided; whether there was anything.
    pub(super) async fn change(
        &self,
        table: &RoomHandle,
        room: &mut MutexGuard<'_, Room>,
        decide: impl Fn(&Room) -> Result<Vec<Event>, ApiError> + Send + Sync,
    ) -> Result<bool, ApiError> {
        let mut is_newest = !self.store.is_shared();
        for _ in 0..MOST_TRIES {
            let events = match decide(room) {
                Ok(events) => events,
                Err(refusal) if is_newest => return Err(refusal),
                // What is wrong for an old revision may be right for the newest.
                Err(_) => {
                    self.catch_up(table, room).await?;
                    is_newest = true;
                    continue;
                }
            };
            let any = !events.is_empty();
            match self.record(table, room, events).await {
                Ok(()) => return Ok(any),
                Err(CommitError::Conflict) => {
                    self.catch_up(table, room).await?;
                    is_newest = true;
                }
                Err(CommitError::Rejected(refusal)) => return Err(refusal),
            }
        }
        Err(ApiError::unavailable())
    }

    /// Stores events, folds them, and tells everybody: in this order.
    async fn record(
        &self,
        table: &RoomHandle,
        room: &mut MutexGuard<'_, Room>,
        events: Vec<Event>,
    ) -> Result<(), CommitError> {
        if events.is_empty() {
            return Ok(());
        }
        let mut newer = Room::clone(room);
        for event in &events {
            let impossible = |_| ApiError::conflict("impossible", "that cannot be in this game");
            newer.apply(event).map_err(|error| CommitError::Rejected(impossible(error)))?;
        }
        self.add(&newer, room.revision, events).await?;
        **room = newer;
        table.newest.send_replace(room.revision);
        if let Some(news) = &self.news {
            news.tell(Revision { game: room.id.clone(), revision: room.revision });
        }
        Ok(())
    }

    pub(super) async fn add(&self, newer: &Room, number: u64, events: Vec<Event>) -> Result<(), CommitError> {
        let began = Instant::now();
        let due = newer.duty().map(|(_, due)| due);
        let addition =
            Append { game: newer.id.clone(), number, events, shelf: shelf(newer), listing: listing(newer), due };
        let stored = self.store.add(addition).await;
        self.metrics.storing.observe(began.elapsed().as_secs_f64());
        stored.map_err(|error| match error {
            StoreError::Conflict { .. } => {
                self.metrics.conflicts.inc();
                CommitError::Conflict
            }
            error => {
                tracing::error!(game = newer.id, %error, "cannot store");
                CommitError::Rejected(ApiError::unavailable())
            }
        })
    }

    /// Takes in what other servers have stored.
    pub(super) async fn catch_up(&self, table: &RoomHandle, room: &mut MutexGuard<'_, Room>) -> Result<(), ApiError> {
        let known = Revision { game: room.id.clone(), revision: room.revision };
        let newer = self.store.newer(&[known]).await.map_err(|error| self.cannot_read(&room.id, &error))?;
        self.take_in(table, room, newer)
    }

    /// Folds stored events that are new, and tells those who watch here.
    pub(super) fn take_in(
        &self,
        table: &RoomHandle,
        room: &mut MutexGuard<'_, Room>,
        stored: Vec<StoredEvent>,
    ) -> Result<(), ApiError> {
        let before = room.revision;
        let mut taken = Ok(());
        for StoredEvent { number, event, .. } in stored {
            if number == room.revision {
                taken = event.map_err(|error| self.cannot_read(&room.id, &error)).and_then(|event| {
                    room.apply(&event).map_err(|error| {
                        tracing::error!(game = room.id, %error, "spoilt");
                        ApiError::unavailable()
                    })
                });
            }
        }
        if room.revision > before {
            table.newest.send_replace(room.revision);
        }
        taken
    }

    pub(super) fn cannot_read(&self, game: &str, error: &StoreError) -> ApiError {
        tracing::error!(game, %error, "cannot read");
        ApiError::unavailable()
    }
}
