//! Changes of a room: decided on what is known, stored if nobody was quicker, else decided again on what is true.

use std::time::Instant;

use tokio::sync::MutexGuard;

use super::{Hall, Table, listing, shelf};
use crate::command::Refusal;
use crate::event::Event;
use crate::room::Room;
use crate::store::{Addition, Known, StoreError, Stored};

/// A room that others change more often than that while we try is too busy.
const MOST_TRIES: usize = 8;

/// Why events are not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Hindrance {
    /// Another server was quicker.
    Outrun,
    /// What is known of the room does not allow them, or the store does not answer.
    Refused(Refusal),
}

impl From<Hindrance> for Refusal {
    fn from(hindrance: Hindrance) -> Self {
        match hindrance {
            Hindrance::Outrun => Self::unavailable(),
            Hindrance::Refused(refusal) => refusal,
        }
    }
}

impl Hall {
    /// Stores what is decided; whether there was anything.
    pub(super) async fn change(
        &self,
        table: &Table,
        room: &mut MutexGuard<'_, Room>,
        decide: impl Fn(&Room) -> Result<Vec<Event>, Refusal> + Send + Sync,
    ) -> Result<bool, Refusal> {
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
                Err(Hindrance::Outrun) => {
                    self.catch_up(table, room).await?;
                    is_newest = true;
                }
                Err(Hindrance::Refused(refusal)) => return Err(refusal),
            }
        }
        Err(Refusal::unavailable())
    }

    /// Stores events, folds them, and tells everybody: in this order.
    async fn record(
        &self,
        table: &Table,
        room: &mut MutexGuard<'_, Room>,
        events: Vec<Event>,
    ) -> Result<(), Hindrance> {
        if events.is_empty() {
            return Ok(());
        }
        let mut newer = Room::clone(room);
        for event in &events {
            let impossible = |_| Refusal::conflict("impossible", "that cannot be in this game");
            newer.apply(event).map_err(|error| Hindrance::Refused(impossible(error)))?;
        }
        self.add(&newer, room.revision, events).await?;
        **room = newer;
        table.newest.send_replace(room.revision);
        if let Some(news) = &self.news {
            news.tell(Known { game: room.id.clone(), revision: room.revision });
        }
        Ok(())
    }

    pub(super) async fn add(&self, newer: &Room, number: u64, events: Vec<Event>) -> Result<(), Hindrance> {
        let began = Instant::now();
        let due = newer.duty().map(|(_, due)| due);
        let addition =
            Addition { game: newer.id.clone(), number, events, shelf: shelf(newer), listing: listing(newer), due };
        let stored = self.store.add(addition).await;
        self.metrics.storing.observe(began.elapsed().as_secs_f64());
        stored.map_err(|error| match error {
            StoreError::Conflict { .. } => {
                self.metrics.conflicts.inc();
                Hindrance::Outrun
            }
            error => {
                tracing::error!(game = newer.id, %error, "cannot store");
                Hindrance::Refused(Refusal::unavailable())
            }
        })
    }

    /// Takes in what other servers have stored.
    pub(super) async fn catch_up(&self, table: &Table, room: &mut MutexGuard<'_, Room>) -> Result<(), Refusal> {
        let known = Known { game: room.id.clone(), revision: room.revision };
        let newer = self.store.newer(&[known]).await.map_err(|error| self.cannot_read(&room.id, &error))?;
        self.take_in(table, room, newer)
    }

    /// Folds stored events that are new, and tells those who watch here.
    pub(super) fn take_in(
        &self,
        table: &Table,
        room: &mut MutexGuard<'_, Room>,
        stored: Vec<Stored>,
    ) -> Result<(), Refusal> {
        let before = room.revision;
        let mut taken = Ok(());
        for Stored { number, event, .. } in stored {
            if number == room.revision {
                taken = event.map_err(|error| self.cannot_read(&room.id, &error)).and_then(|event| {
                    room.apply(&event).map_err(|error| {
                        tracing::error!(game = room.id, %error, "spoilt");
                        Refusal::unavailable()
                    })
                });
            }
        }
        if room.revision > before {
            table.newest.send_replace(room.revision);
        }
        taken
    }

    pub(super) fn cannot_read(&self, game: &str, error: &StoreError) -> Refusal {
        tracing::error!(game, %error, "cannot read");
        Refusal::unavailable()
    }
}
