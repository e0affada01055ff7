//! A room in memory, with the subscriptions of its viewers.

use std::collections::HashMap;
use std::sync::{Mutex as StdMutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use seabattle_core::{BySide, Side};
use tokio::sync::{Mutex, watch};

use super::seat;
use crate::admission::Client;
use crate::crypto::fingerprint;
use crate::metrics::Metrics;
use crate::rooms::room::Room;
use crate::rooms::view::View;
use crate::store::Revision;
use crate::timestamp::Timestamp;

/// How long viewers share a rendered view.
const SHARED_FOR: Duration = Duration::from_millis(100);

struct RenderedView {
    revision: u64,
    at: Instant,
    message: Utf8Bytes,
}

impl RenderedView {
    fn is_fresh(&self, revision: u64) -> bool {
        self.revision == revision && self.at.elapsed() < SHARED_FOR
    }
}

/// A shared handle to one room.
pub(crate) struct RoomHandle {
    pub(super) room: Mutex<Room>,
    /// The newest revision. Every change notifies the subscribers.
    pub(super) revision: watch::Sender<u64>,
    /// Held while the computer plays, so that only one task does.
    pub(super) computer_turn: Mutex<()>,
    /// Who pays for the computer's moves: the player of the latest command.
    payer: StdMutex<Client>,
    /// The latest view of each viewer as a message, so that a thousand spectators cost one.
    rendered: StdMutex<HashMap<Option<Side>, RenderedView>>,
    /// The number of live connections that each seat has had. All but the newest are closed.
    connections: BySide<watch::Sender<u64>>,
}

impl RoomHandle {
    pub(super) fn new(room: Room) -> Self {
        Self {
            revision: watch::Sender::new(room.revision),
            room: Mutex::new(room),
            computer_turn: Mutex::new(()),
            payer: StdMutex::default(),
            rendered: StdMutex::default(),
            connections: BySide { a: watch::Sender::new(0), b: watch::Sender::new(0) },
        }
    }

    pub(super) fn payer(&self) -> Client {
        self.payer.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn set_payer(&self, client: Client) {
        *self.payer.lock().unwrap_or_else(PoisonError::into_inner) = client;
    }

    pub(super) fn is_watched(&self) -> bool {
        self.revision.receiver_count() > 0
    }

    pub(super) fn revision_of(&self, game: &str) -> Revision {
        Revision { game: game.to_owned(), revision: *self.revision.borrow() }
    }

    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.revision.subscribe()
    }

    /// Registers a new connection of a seat. The receiver changes when a newer one replaces it.
    pub(crate) fn replace_connection(&self, side: Side) -> watch::Receiver<u64> {
        let connections = &self.connections[side];
        connections.send_modify(|number| *number += 1);
        connections.subscribe()
    }

    /// The side that one of these secrets proves, with that secret.
    pub(crate) async fn seat_of(&self, secrets: &[String]) -> Option<(Side, String)> {
        let room = self.room.lock().await;
        secrets.iter().find_map(|secret| Some((room.seat_of(&fingerprint(secret))?, secret.clone())))
    }

    /// The newest view of a viewer, as a message for live connections. Viewers of one side share it for a moment: not
    /// longer, because it contains the time.
    pub(crate) async fn newest_view(&self, viewer: Option<Side>, metrics: &Metrics) -> Utf8Bytes {
        let room = self.room.lock().await;
        let mut rendered = self.rendered.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = rendered.get(&viewer).filter(|known| known.is_fresh(room.revision)) {
            return known.message.clone();
        }
        metrics.views_rendered.inc();
        let view = View::of(&room, viewer, Timestamp::now());
        let message = Utf8Bytes::from(serde_json::json!({ "view": view }).to_string());
        if self.revision.receiver_count() <= 2 {
            return message;
        }
        rendered.insert(viewer, RenderedView { revision: room.revision, at: Instant::now(), message: message.clone() });
        message
    }

    pub(crate) async fn view_of(&self, secrets: &[String]) -> (View, Option<Side>) {
        let room = self.room.lock().await;
        let viewer = seat(&room, secrets);
        (View::of(&room, viewer, Timestamp::now()), viewer)
    }
}
