//! Commits changes with optimistic concurrency: after a write conflict the room catches up and decides again.

use std::time::Instant;

use tokio::sync::MutexGuard;

use super::{RoomHandle, RoomRegistry, listing_of, status_of};
use crate::api_error::ApiError;
use crate::rooms::event::Event;
use crate::rooms::room::Room;
use crate::store::{Append, Revision, StoreError, StoredEvent};

/// How often a change is decided again before the client gets an error.
const MAX_TRIES: usize = 8;

/// Why events are not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CommitError {
    /// Another node has stored an event with the same number.
    Conflict,
    /// The room does not allow the events, or the store failed.
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
    /// Decides, stores and applies events. Returns whether there were any.
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
                // The room may be outdated, so the decision is made again on the newest revision.
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

    /// Stores events, applies them to the room, and notifies viewers and nodes, in this order.
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
            let impossible = |_| ApiError::conflict("impossible", "this is not possible in this game");
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
                tracing::error!(game = newer.id, %error, "cannot store events");
                CommitError::Rejected(ApiError::unavailable())
            }
        })
    }

    /// Reads and applies the events that other nodes have stored.
    pub(super) async fn catch_up(&self, handle: &RoomHandle, room: &mut MutexGuard<'_, Room>) -> Result<(), ApiError> {
        let known = Revision { game: room.id.clone(), revision: room.revision };
        let newer = self.store.newer_events(&[known]).await.map_err(|error| self.read_failed(&room.id, &error))?;
        self.apply_remote_events(handle, room, newer)
    }

    /// Applies stored events that are new to the room, and notifies its viewers on this node.
    pub(super) fn apply_remote_events(
        &self,
        handle: &RoomHandle,
        room: &mut MutexGuard<'_, Room>,
        stored: Vec<StoredEvent>,
    ) -> Result<(), ApiError> {
        let before = room.revision;
        let mut result = Ok(());
        for StoredEvent { number, event, .. } in stored {
            if number == room.revision {
                result = event.map_err(|error| self.read_failed(&room.id, &error)).and_then(|event| {
                    room.apply(&event).map_err(|error| {
                        tracing::error!(game = room.id, %error, "the event log is corrupt");
                        ApiError::unavailable()
                    })
                });
            }
        }
        if room.revision > before {
            handle.revision.send_replace(room.revision);
        }
        result
    }

    pub(super) fn read_failed(&self, game: &str, error: &StoreError) -> ApiError {
        tracing::error!(game, %error, "cannot read events");
        ApiError::unavailable()
    }
}
