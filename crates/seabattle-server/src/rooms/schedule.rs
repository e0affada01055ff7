//! What happens by itself: computers move, clocks run out, games that were left end.
//!
//! The server that stores an event does what follows from it. Should it die or stand still, what is due is stored with the
//! game: every server looks for games that are overdue and takes each for a while, so that one other goes on with it. If the
//! first one lives after all, both may act: the store lets one event in.

use std::sync::Arc;
use std::time::Duration;

use super::{RoomHandle, RoomRegistry};
use crate::compute_pool::any_volley;
use crate::crypto::new_seed;
use crate::rooms::command::ApiError;
use crate::rooms::event::{Event, EventKind};
use crate::rooms::room::{PendingAction, Room};
use crate::store::Revision;
use crate::timestamp::Timestamp;

/// How often overdue games are looked for.
const SWEEP: Duration = Duration::from_secs(1);
/// What is due is left to the server that began with it for so long.
const GRACE: Duration = Duration::from_secs(2);
/// And to ourselves, where there is no other.
const GRACE_ALONE: Duration = Duration::from_secs(1);
/// A game that was taken is nobody else's for so long.
const LEASE: Duration = Duration::from_secs(8);
/// Overdue games that are taken at once.
const MOST_LEASED: usize = 256;

impl RoomRegistry {
    /// Looks for overdue games, for ever.
    pub(crate) async fn sweep(self: Arc<Self>) {
        let mut ticks = tokio::time::interval(SWEEP);
        ticks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            self.take_overdue().await;
        }
    }

    async fn take_overdue(&self) {
        let now = Timestamp::now();
        let grace = if self.store.is_shared() { GRACE } else { GRACE_ALONE };
        let leased = match self.store.lease(now.before(grace), now.later(LEASE), MOST_LEASED).await {
            Ok(leased) => leased,
            Err(error) => return tracing::warn!(%error, "cannot look for games that are due"),
        };
        for game in leased {
            if let Ok(table) = self.up_to_date(&game).await {
                self.metrics.takeovers.inc();
                self.take(&table).await;
            }
        }
    }

    /// A game that turns out not to be due is put off until it is.
    async fn take(&self, table: &Arc<RoomHandle>) {
        let later = {
            let room = table.room.lock().await;
            let due = room.duty().filter(|(duty, due)| *duty != PendingAction::ComputerMove && *due > Timestamp::now());
            due.map(|(_, due)| (Revision { game: room.id.clone(), revision: room.revision }, room.updated, due))
        };
        if let Some((known, updated, due)) = later {
            self.store.postpone(&known, updated, due).await.ok();
        }
        self.go_on(table);
    }

    /// Does what has to happen next, now or when its time comes, unless something else happens before.
    pub(super) fn go_on(&self, table: &Arc<RoomHandle>) {
        let (Some(hall), table) = (self.this.upgrade(), Arc::clone(table)) else { return };
        tokio::spawn(async move {
            let (duty, revision) = {
                let room = table.room.lock().await;
                (room.duty(), room.revision)
            };
            match duty {
                Some((PendingAction::ComputerMove, _)) => hall.computer_moves(&table).await,
                Some((PendingAction::ExpireClock, due)) => hall.wait_and_expire(&table, revision, due).await,
                Some((PendingAction::Abandon, due)) if due <= Timestamp::now() => hall.abandon(&table).await,
                Some((PendingAction::Abandon, _)) | None => {}
            }
        });
    }

    /// Who waits for a clock hears like whoever watches when it has stopped.
    async fn wait_and_expire(&self, table: &Arc<RoomHandle>, revision: u64, due: Timestamp) {
        let mut newest = table.watch();
        let moved_on = async { newest.wait_for(|newest| *newest > revision).await.is_ok() };
        if tokio::time::timeout(Timestamp::now().until(due), moved_on).await.is_err() {
            self.expire(table).await;
        }
    }

    async fn computer_moves(&self, table: &Arc<RoomHandle>) {
        {
            let _alone = table.thinking.lock().await;
            while self.computer_fires(table).await.is_some() {}
        }
        self.go_on_unless_computer(table).await;
    }

    /// After a failure the game stays due, and whoever looks for such games finds it.
    async fn go_on_unless_computer(&self, table: &Arc<RoomHandle>) {
        let duty = table.room.lock().await.duty();
        if duty.is_some_and(|(duty, _)| duty != PendingAction::ComputerMove) {
            self.go_on(table);
        }
    }

    /// One volley, if it is the computer's turn; `None` when there is nothing more to do, or it cannot be done.
    async fn computer_fires(&self, table: &Arc<RoomHandle>) -> Option<()> {
        let (game, side, level, seed, revision) = {
            let room = table.room.lock().await;
            let side = room.computer().filter(|&side| room.side_to_move() == Some(side))?;
            (room.game.clone()?, side, room.created.computer.clone()?, room.created.seed, room.revision)
        };
        // Who waits for a thread hears like whoever watches that another server was quicker, and waits for nothing while having one.
        let newest = table.watch();
        let turn = self.brain.turn().await?;
        if *newest.borrow() != revision {
            return Some(());
        }
        drop(newest);
        let cells = self.brain.shoot(turn, &level, seed, side, &game).await?;
        let cells: Vec<String> = cells.iter().map(ToString::to_string).collect();
        let fire = |room: &Room| {
            let what = EventKind::Fired { side: side.into(), cells: cells.clone(), late: false };
            let is_thought_for = room.revision == revision;
            Ok(is_thought_for.then_some(Event { at: Timestamp::now(), command: None, what }).into_iter().collect())
        };
        let mut room = table.room.lock().await;
        if self.change(table, &mut room, fire).await.ok()? {
            self.metrics.shots.inc();
        }
        Some(())
    }

    async fn expire(&self, table: &Arc<RoomHandle>) {
        let Ok(seed) = new_seed() else { return };
        let expire = |room: &Room| Ok(room.expire(Timestamp::now(), |game, side| any_volley(game, side, seed)));
        self.happen(table, expire).await;
    }

    async fn abandon(&self, table: &Arc<RoomHandle>) {
        self.happen(table, |room| Ok(room.abandon(Timestamp::now()))).await;
    }

    async fn happen(
        &self,
        table: &Arc<RoomHandle>,
        decide: impl Fn(&Room) -> Result<Vec<Event>, ApiError> + Send + Sync,
    ) {
        let mut room = table.room.lock().await;
        if self.store.is_shared() && self.catch_up(table, &mut room).await.is_err() {
            return;
        }
        if self.change(table, &mut room, decide).await.is_ok_and(|any| any) {
            drop(room);
            self.go_on(table);
        }
    }
}
