//! Follows what other nodes store: by their notifications, and by polling the store for notifications that were lost.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::{RoomHandle, RoomRegistry};
use crate::notifications::{Received, Subscriber};
use crate::store::{Revision, StoredEvent};

/// How often all watched rooms are compared with the store, with one query.
const RESYNC_INTERVAL: Duration = Duration::from_secs(2);

impl RoomRegistry {
    /// Receives notifications and polls the store, for ever.
    pub(crate) async fn follow_other_nodes(self: Arc<Self>, mut subscriber: Option<Subscriber>) {
        let mut checks = tokio::time::interval(RESYNC_INTERVAL);
        checks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let received = tokio::select! {
                received = next(&mut subscriber) => received,
                _ = checks.tick() => Received::Resync,
            };
            match received {
                Received::Revisions(revisions) => self.handle_revisions(revisions).await,
                Received::Resync => self.resync().await,
                Received::Closed => subscriber = None,
            }
        }
    }

    async fn handle_revisions(&self, revisions: Vec<Revision>) {
        self.metrics.notifications_received.inc_by(revisions.len() as u64);
        let mut newest: HashMap<String, u64> = HashMap::new();
        for Revision { game, revision } in revisions {
            let known = newest.entry(game).or_default();
            *known = revision.max(*known);
        }
        let outdated = {
            let rooms = self.lock_rooms();
            let outdated = newest.iter().filter_map(|(game, revision)| {
                let handle = rooms.get(game).filter(|handle| handle.is_watched())?;
                Some(handle.revision_of(game)).filter(|known| known.revision < *revision)
            });
            outdated.collect::<Vec<_>>()
        };
        self.read_newer_events(&outdated).await;
    }

    async fn resync(&self) {
        let watched: Vec<Revision> = {
            let rooms = self.lock_rooms();
            let watched = rooms.iter().filter(|(_, handle)| handle.is_watched());
            watched.map(|(game, handle)| handle.revision_of(game)).collect()
        };
        let found = self.read_newer_events(&watched).await;
        self.metrics.notifications_missed.inc_by(found as u64);
    }

    /// Reads and applies newer events of rooms. Returns how many rooms had any.
    async fn read_newer_events(&self, known: &[Revision]) -> usize {
        if known.is_empty() {
            return 0;
        }
        let events = match self.store.newer_events(known).await {
            Ok(events) => events,
            Err(error) => {
                tracing::warn!(%error, "cannot read events of other nodes");
                return 0;
            }
        };
        let mut by_game: HashMap<String, Vec<StoredEvent>> = HashMap::new();
        for stored in events {
            by_game.entry(stored.game.clone()).or_default().push(stored);
        }
        let found = by_game.len();
        for (game, events) in by_game {
            let handle = self.lock_rooms().get(&game).cloned();
            if let Some(handle) = handle {
                self.apply_when_free(&handle, events);
            }
        }
        found
    }

    /// Applies events now, or later if the room is locked, so that other rooms need not wait for it.
    fn apply_when_free(&self, handle: &Arc<RoomHandle>, events: Vec<StoredEvent>) {
        if let Ok(mut room) = handle.room.try_lock() {
            self.apply_remote_events(handle, &mut room, events).ok();
            return;
        }
        let (Some(registry), handle) = (self.this.upgrade(), Arc::clone(handle)) else { return };
        tokio::spawn(async move {
            let mut room = handle.room.lock().await;
            registry.apply_remote_events(&handle, &mut room, events).ok();
        });
    }
}

async fn next(subscriber: &mut Option<Subscriber>) -> Received {
    match subscriber {
        Some(subscriber) => subscriber.next().await,
        None => std::future::pending().await,
    }
}
