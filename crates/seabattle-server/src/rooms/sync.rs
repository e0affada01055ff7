//! Following what other servers store: by their news, and by looking at the store for news that never came.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::{RoomHandle, RoomRegistry};
use crate::notifications::{Received, Subscriber};
use crate::store::{Revision, StoredEvent};

/// How often all rooms that are watched here are compared with the store, with one query.
const CHECK: Duration = Duration::from_secs(2);

impl RoomRegistry {
    /// Hears and checks, for ever.
    pub(crate) async fn follow(self: Arc<Self>, mut hearer: Option<Subscriber>) {
        let mut checks = tokio::time::interval(CHECK);
        checks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let heard = tokio::select! {
                heard = next(&mut hearer) => heard,
                _ = checks.tick() => Received::Resync,
            };
            match heard {
                Received::Revisions(rooms) => self.hear(rooms).await,
                Received::Resync => self.check().await,
                Received::Closed => hearer = None,
            }
        }
    }

    async fn hear(&self, rooms: Vec<Revision>) {
        self.metrics.news_heard.inc_by(rooms.len() as u64);
        let mut newer: HashMap<String, u64> = HashMap::new();
        for Revision { game, revision } in rooms {
            let newest = newer.entry(game).or_default();
            *newest = revision.max(*newest);
        }
        let watched = {
            let tables = self.lock();
            let known = newer.iter().filter_map(|(game, revision)| {
                let table = tables.get(game).filter(|table| table.is_watched())?;
                Some(table.known(game)).filter(|known| known.revision < *revision)
            });
            known.collect::<Vec<_>>()
        };
        self.read_newer(&watched).await;
    }

    async fn check(&self) {
        let watched: Vec<Revision> = {
            let tables = self.lock();
            let watched = tables.iter().filter(|(_, table)| table.is_watched());
            watched.map(|(game, table)| table.known(game)).collect()
        };
        let found = self.read_newer(&watched).await;
        self.metrics.news_missed.inc_by(found as u64);
    }

    /// How many of the rooms had newer events.
    async fn read_newer(&self, known: &[Revision]) -> usize {
        if known.is_empty() {
            return 0;
        }
        let events = match self.store.newer(known).await {
            Ok(events) => events,
            Err(error) => {
                tracing::warn!(%error, "cannot read what other servers have stored");
                return 0;
            }
        };
        let mut by_game: HashMap<String, Vec<StoredEvent>> = HashMap::new();
        for stored in events {
            by_game.entry(stored.game.clone()).or_default().push(stored);
        }
        let found = by_game.len();
        for (game, events) in by_game {
            let table = self.lock().get(&game).cloned();
            if let Some(table) = table {
                self.put_in(&table, events);
            }
        }
        found
    }

    /// A room that is busy takes it in when it can: the others do not wait for it.
    fn put_in(&self, table: &Arc<RoomHandle>, events: Vec<StoredEvent>) {
        if let Ok(mut room) = table.room.try_lock() {
            self.take_in(table, &mut room, events).ok();
            return;
        }
        let (Some(hall), table) = (self.this.upgrade(), Arc::clone(table)) else { return };
        tokio::spawn(async move {
            let mut room = table.room.lock().await;
            hall.take_in(&table, &mut room, events).ok();
        });
    }
}

async fn next(hearer: &mut Option<Subscriber>) -> Received {
    match hearer {
        Some(hearer) => hearer.next().await,
        None => std::future::pending().await,
    }
}
