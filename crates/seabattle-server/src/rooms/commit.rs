//! Changes of a room: decided on what is known, stored if nobody was quicker, else decided again on what is true.

use std::time::Instant;

use tokio::sync::MutexGuard;

use super::{RoomHandle, RoomRegistry, listing_of, status_of};
use crate::api_error::ApiError;
use crate::rooms::event::Event;
use crate::rooms::room::Room;
use crate::store::{Append, Revision, StoreError, StoredEvent};

/// A room that others change more often than that while we try is too busy.
const MAX_TRIES: usize = 8;

/// Why events are not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CommitError {
    /// Another server was quicker.
    Conflict,
    /// What is known of the room does not allow them, or the store does not answer.
    Rejected(ApiError),
}

impl From<CommitError> for ApiError {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Conflict => Self::unavailable(),
            CommitError::Rejected(error) => error,
        }
    }
}

impl RoomRegistry {
    /// Stores what is decided; whether there was anything.
    pub(super) async fn commit(
        &self,
        handle: &RoomHandle,
        room: &mut MutexGuard<'_, Room>,
        decide: impl Fn(&Room) -> Result<Vec<Event>, ApiError> + Send + Sync,
    ) -> Result<bool, ApiError> {
        let mut is_newest = !self.store.is_shared();
        for _ in 0..MAX_TRIES {
            let events = match decide(room) {
                Ok(events) => events,
                Err(error) if is_newest => return Err(error),
                // What is wrong for an old revision may be right for the newest.
                Err(_) => {
                    self.catch_up(handle, room).await?;
                    is_newest = true;
                    continue;
                }
            };
            let any = !events.is_empty();
            match self.store_and_publish(handle, room, events).await {
                Ok(()) => return Ok(any),
                Err(CommitError::Conflict) => {
                    self.catch_up(handle, room).await?;
                    is_newest = true;
                }
                Err(CommitError::Rejected(error)) => return Err(error),
            }
        }
        Err(ApiError::unavailable())
    }

    /// Stores events, folds them, and tells everybody: in this order.
    async fn store_and_publish(
        &self,
        handle: &RoomHandle,
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
        self.append(&newer, room.revision, events).await?;
        **room = newer;
        handle.revision.send_replace(room.revision);
        if let Some(publisher) = &self.publisher {
            publisher.publish(Revision { game: room.id.clone(), revision: room.revision });
        }
        Ok(())
    }

    pub(super) async fn append(&self, newer: &Room, number: u64, events: Vec<Event>) -> Result<(), CommitError> {
        let began = Instant::now();
        let due = newer.pending_action().map(|(_, due)| due);
        let append = Append {
            game: newer.id.clone(),
            number,
            events,
            status: status_of(newer),
            listing: listing_of(newer),
            due,
        };
        let stored = self.store.append(append).await;
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
    pub(super) async fn catch_up(&self, handle: &RoomHandle, room: &mut MutexGuard<'_, Room>) -> Result<(), ApiError> {
        let known = Revision { game: room.id.clone(), revision: room.revision };
        let newer = self.store.newer_events(&[known]).await.map_err(|error| self.read_failed(&room.id, &error))?;
        self.apply_remote_events(handle, room, newer)
    }

    /// Folds stored events that are new, and tells those who watch here.
    pub(super) fn apply_remote_events(
        &self,
        handle: &RoomHandle,
        room: &mut MutexGuard<'_, Room>,
        stored: Vec<StoredEvent>,
    ) -> Result<(), ApiError> {
        let before = room.revision;
        let mut taken = Ok(());
        for StoredEvent { number, event, .. } in stored {
            if number == room.revision {
                taken = event.map_err(|error| self.read_failed(&room.id, &error)).and_then(|event| {
                    room.apply(&event).map_err(|error| {
                        tracing::error!(game = room.id, %error, "spoilt");
                        ApiError::unavailable()
                    })
                });
            }
        }
        if room.revision > before {
            handle.revision.send_replace(room.revision);
        }
        taken
    }

    pub(super) fn read_failed(&self, game: &str, error: &StoreError) -> ApiError {
        tracing::error!(game, %error, "cannot read");
        ApiError::unavailable()
    }
}
