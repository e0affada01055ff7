//! What happens by itself: computers move, clocks run out, games that were left end.
//!
//! The server that stores an event does what follows from it. Should it die or stand still, what is due is stored with the
//! game: every server looks for games that are overdue and takes each for a while, so that one other goes on with it. If the
//! first one lives after all, both may act: the store lets one event in.

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

/// How often overdue games are looked for.
const OVERDUE_INTERVAL: Duration = Duration::from_secs(1);
/// What is due is left to the server that began with it for so long.
const GRACE: Duration = Duration::from_secs(2);
/// And to ourselves, where there is no other.
const GRACE_ALONE: Duration = Duration::from_secs(1);
/// A game that was taken is nobody else's for so long.
const LEASE: Duration = Duration::from_secs(8);
/// Overdue games that are taken at once.
const MAX_LEASED: usize = 256;

impl RoomRegistry {
    /// Looks for overdue games, for ever.
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
            Err(error) => return tracing::warn!(%error, "cannot look for games that are due"),
        };
        for game in leased {
            if let Ok(handle) = self.current_room(&game).await {
                self.metrics.takeovers.inc();
                self.take_over(&handle).await;
            }
        }
    }

    /// A game that turns out not to be due is put off until it is.
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

    /// Does what has to happen next, now or when its time comes, unless something else happens before.
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

    /// Who waits for a clock hears like whoever watches when it has stopped.
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

    /// After a failure the game stays due, and whoever looks for such games finds it.
    async fn schedule_unless_computer(&self, handle: &Arc<RoomHandle>) {
        let action = handle.room.lock().await.pending_action();
        if action.is_some_and(|(action, _)| action != PendingAction::ComputerMove) {
            self.schedule_next(handle);
        }
    }

    /// One volley, if it is the computer's turn; `None` when there is nothing more to do, or it cannot be done.
    async fn fire_computer_volley(&self, handle: &Arc<RoomHandle>) -> Option<()> {
        let (game, side, level, seed, revision) = {
            let room = handle.room.lock().await;
            let side = room.computer().filter(|&side| room.side_to_move() == Some(side))?;
            (room.game.clone()?, side, room.created.computer.clone()?, room.created.seed, room.revision)
        };
        // Who waits for a thread hears like whoever watches that another server was quicker, and waits for nothing while having one.
        let updates = handle.subscribe();
        let permit = self.compute.acquire().await?;
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
