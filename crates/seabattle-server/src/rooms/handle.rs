//! A room with those who watch it.

use seabattle_core::{BySide, Side};
use tokio::sync::{Mutex, watch};

use super::seat;
use crate::rooms::room::Room;
use crate::rooms::view::View;
use crate::store::Revision;
use crate::timestamp::Timestamp;

pub(crate) struct RoomHandle {
    pub(super) room: Mutex<Room>,
    /// The newest revision.
    pub(super) revision: watch::Sender<u64>,
    /// One thought at a time.
    pub(super) computer_turn: Mutex<()>,
    /// How many live connections each seat has had: all but the last one leave.
    connections: BySide<watch::Sender<u64>>,
}

impl RoomHandle {
    pub(super) fn new(room: Room) -> Self {
        Self {
            revision: watch::Sender::new(room.revision),
            room: Mutex::new(room),
            computer_turn: Mutex::new(()),
            connections: BySide { a: watch::Sender::new(0), b: watch::Sender::new(0) },
        }
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

    /// A new connection of a seat: the one before it is told by a number that grows.
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
