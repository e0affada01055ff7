//! A room in memory, with the subscriptions of its viewers.

use std::sync::{Mutex as StdMutex, PoisonError};

use seabattle_core::{BySide, Side};
use tokio::sync::{Mutex, watch};

use super::seat;
use crate::admission::Client;
use crate::rooms::room::Room;
use crate::rooms::view::View;
use crate::store::Revision;
use crate::timestamp::Timestamp;

/// A shared handle to one room.
pub(crate) struct RoomHandle {
    pub(super) room: Mutex<Room>,
    /// The newest revision. Every change notifies the subscribers.
    pub(super) revision: watch::Sender<u64>,
    /// Held while the computer plays, so that only one task does.
    pub(super) computer_turn: Mutex<()>,
    /// Who pays for the computer's moves: the player of the latest command.
    payer: StdMutex<Client>,
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

    pub(crate) async fn view_of(&self, secrets: &[String]) -> (View, Option<Side>) {
        let room = self.room.lock().await;
        let viewer = seat(&room, secrets);
        (View::of(&room, viewer, Timestamp::now()), viewer)
    }
}
