//! Actions that no client asks for: moves of the computer, expired clocks, abandoned games.
//!
//! The node that stores an event also does the next action. The time of that action is stored with the game. If the node
//! dies or hangs, the game becomes overdue, and another node leases it and continues. If the first node is alive after all,
//! both may act, and the store accepts one event.

use std::sync::Arc;
use std::time::Duration;

use super::{RoomHandle, RoomRegistry};
use crate::api_error::ApiError;
use crate::compute_pool::random_volley;
use crate::crypto::new_seed;
use crate::rooms::event::{Event, EventKind};
use crate::rooms::room::{PendingAction, Room};
use crate::store::Revision;
use crate::timestamp::Timestamp;

/// How often the store is asked for overdue games.
const OVERDUE_INTERVAL: Duration = Duration::from_secs(1);
/// How long an action may be late before another node takes the game over.
const GRACE: Duration = Duration::from_secs(2);
/// The same where only one node uses the store.
const GRACE_ALONE: Duration = Duration::from_secs(1);
/// How long a game stays with the node that took it over.
const LEASE: Duration = Duration::from_secs(8);
/// How many overdue games are taken over at once.
const MAX_LEASED: usize = 256;

impl RoomRegistry {
    /// Takes over overdue games, for ever.
    pub(crate) async fn run_overdue(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(OVERDUE_INTERVAL);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.lease_overdue().await;
        }
    }

    async fn lease_overdue(&self) {
        let now = Timestamp::now();
        let grace = if self.store.is_shared() { GRACE } else { GRACE_ALONE };
        let leased = match self.store.lease_overdue(now.minus(grace), now.plus(LEASE), MAX_LEASED).await {
            Ok(leased) => leased,
            Err(error) => return tracing::warn!(%error, "cannot look for overdue games"),
        };
        for game in leased {
            if let Ok(handle) = self.current_room(&game).await {
                self.metrics.takeovers.inc();
                self.take_over(&handle).await;
            }
        }
    }

    /// Continues an overdue game. If its action is not due yet, the store gets the right time.
    async fn take_over(&self, handle: &Arc<RoomHandle>) {
        let later = {
            let room = handle.room.lock().await;
            let due = room
                .pending_action()
                .filter(|(action, due)| *action != PendingAction::ComputerMove && *due > Timestamp::now());
            due.map(|(_, due)| (Revision { game: room.id.clone(), revision: room.revision }, room.updated, due))
        };
        if let Some((known, updated, due)) = later {
            self.store.postpone(&known, updated, due).await.ok();
        }
        self.schedule_next(handle);
    }

    /// Starts a task that does the next action of a room when it is due.
    pub(super) fn schedule_next(&self, handle: &Arc<RoomHandle>) {
        let (Some(registry), handle) = (self.this.upgrade(), Arc::clone(handle)) else { return };
        tokio::spawn(async move {
            let (action, revision) = {
                let room = handle.room.lock().await;
                (room.pending_action(), room.revision)
            };
            match action {
                Some((PendingAction::ComputerMove, _)) => registry.play_computer_turns(&handle).await,
                Some((PendingAction::ExpireClock, due)) => registry.expire_at_deadline(&handle, revision, due).await,
                Some((PendingAction::Abandon, due)) if due <= Timestamp::now() => registry.abandon(&handle).await,
                Some((PendingAction::Abandon, _)) | None => {}
            }
        });
    }

    /// Expires the clock at its deadline, unless the room changes before.
    async fn expire_at_deadline(&self, handle: &Arc<RoomHandle>, revision: u64, due: Timestamp) {
        let mut updates = handle.subscribe();
        let moved_on = async { updates.wait_for(|newest| *newest > revision).await.is_ok() };
        if tokio::time::timeout(Timestamp::now().until(due), moved_on).await.is_err() {
            self.expire(handle).await;
        }
    }

    async fn play_computer_turns(&self, handle: &Arc<RoomHandle>) {
        {
            let _turn = handle.computer_turn.lock().await;
            while self.fire_computer_volley(handle).await.is_some() {}
        }
        self.schedule_unless_computer(handle).await;
    }

    /// Schedules the next action unless it is a computer move. A computer move that failed stays overdue, and is
    /// retried.
    async fn schedule_unless_computer(&self, handle: &Arc<RoomHandle>) {
        let action = handle.room.lock().await.pending_action();
        if action.is_some_and(|(action, _)| action != PendingAction::ComputerMove) {
            self.schedule_next(handle);
        }
    }

    /// Fires one volley of the computer. Returns `None` if it is not the computer's turn, or on failure.
    async fn fire_computer_volley(&self, handle: &Arc<RoomHandle>) -> Option<()> {
        let (game, side, level, seed, revision) = {
            let room = handle.room.lock().await;
            let side = room.computer().filter(|&side| room.side_to_move() == Some(side))?;
            (room.game.clone()?, side, room.created.computer.clone()?, room.created.seed, room.revision)
        };
        // The room may change while this task waits for a thread. Then the volley is chosen anew, before it costs any
        // time.
        let updates = handle.subscribe();
        let permit = self.compute.admit_computer_move(&handle.payer()).await?;
        if *updates.borrow() != revision {
            return Some(());
        }
        drop(updates);
        let cells = self.compute.choose_volley(permit, &level, seed, side, &game).await?;
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        let fire = |room: &Room| {
            let kind = EventKind::Fired { side: side.into(), cells: cells.clone(), late: false };
            let is_current = room.revision == revision;
            Ok(is_current.then_some(Event { at: Timestamp::now(), command: None, kind }).into_iter().collect())
        };
        let mut room = handle.room.lock().await;
        if self.commit(handle, &mut room, fire).await.ok()? {
            self.metrics.shots.inc();
        }
        Some(())
    }

    async fn expire(&self, handle: &Arc<RoomHandle>) {
        let Ok(seed) = new_seed() else { return };
        let expire = |room: &Room| Ok(room.expire(Timestamp::now(), |game, side| random_volley(game, side, seed)));
        self.commit_automatic(handle, expire).await;
    }

    async fn abandon(&self, handle: &Arc<RoomHandle>) {
        self.commit_automatic(handle, |room| Ok(room.abandon(Timestamp::now()))).await;
    }

    async fn commit_automatic(
        &self,
        handle: &Arc<RoomHandle>,
        decide: impl Fn(&Room) -> Result<Vec<Event>, ApiError> + Send + Sync,
    ) {
        let mut room = handle.room.lock().await;
        if self.store.is_shared() && self.catch_up(handle, &mut room).await.is_err() {
            return;
        }
        if self.commit(handle, &mut room, decide).await.is_ok_and(|any| any) {
            drop(room);
            self.schedule_next(handle);
        }
    }
}
