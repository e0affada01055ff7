//! All rooms that somebody cares about: commands are decided, stored, folded, and then told.

pub(crate) mod command;
mod commit;
pub(crate) mod event;
pub(crate) mod game_config;
mod handle;
pub(crate) mod placement;
pub(crate) mod room;
mod schedule;
mod sync;
#[cfg(test)]
mod tests;
pub(crate) mod view;

use std::collections::HashMap;
use std::sync::{Arc, Mutex as StdMutex, PoisonError, Weak};
use std::time::Duration;

use seabattle_core::{BySide, Fleet, FleetBuilder, Game, Knowledge, Record, Side};
use seabattle_odds::{Analysis, Odds};
use tokio::sync::{MutexGuard, watch};

use crate::compute_pool::ComputePool;
use crate::crypto::{NoRandomness, fingerprint, is_id, new_id, new_secret, new_seed, next_id};
use crate::metrics::Metrics;
use crate::notifications::Publisher;
use crate::rooms::command::{ApiError, Command, CommandKind};
use crate::rooms::event::{Created, Event, EventKind, Seat, SideName};
use crate::rooms::game_config::{CreateGame, GameConfig, opponent, tame_name};
use crate::rooms::room::{Room, Stage};
use crate::rooms::view::{PerSide, View, computer};
use crate::store::{GameStatus, Listing, Store, StoreError};
use crate::timestamp::Timestamp;

use commit::CommitError;
pub(crate) use handle::RoomHandle;

/// How often rooms that nobody watches are let go.
const TIDYING: Duration = Duration::from_secs(60);

const LISTED: usize = 50;

pub(crate) struct RoomRegistry {
    store: Store,
    brain: ComputePool,
    news: Option<Publisher>,
    pub(crate) metrics: Metrics,
    tables: StdMutex<HashMap<String, Arc<RoomHandle>>>,
    this: Weak<Self>,
}

/// Somebody who has just sat down.
pub(crate) struct SeatGrant {
    pub(crate) game: String,
    pub(crate) secret: String,
    pub(crate) view: View,
}

impl RoomRegistry {
    pub(crate) fn new(store: Store, threads: usize, news: Option<Publisher>, metrics: Metrics) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            store,
            brain: ComputePool::new(threads),
            news,
            metrics,
            tables: StdMutex::new(HashMap::new()),
            this: this.clone(),
        })
    }

    /// Whether other servers may change games too.
    pub(crate) fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    /// How many games go on.
    pub(crate) async fn unfinished(&self) -> Result<u64, StoreError> {
        self.store.unfinished().await
    }

    pub(crate) async fn is_ready(&self) -> bool {
        self.store.listed(GameStatus::Open, 1).await.is_ok()
    }

    /// Whether news from other servers come at once; one that serves alone needs none.
    pub(crate) fn hears_at_once(&self) -> bool {
        self.news.as_ref().is_none_or(Publisher::is_connected)
    }

    pub(crate) fn metrics_text(&self) -> String {
        let connected = self.news.as_ref().is_some_and(Publisher::is_connected);
        self.metrics.news_connected.set(i64::from(connected));
        self.metrics.text()
    }

    pub(crate) async fn create(&self, wanted: &CreateGame) -> Result<SeatGrant, ApiError> {
        let seed = new_seed()?;
        let terms = wanted.checked(seed & 1 == 1)?;
        let secret = new_secret()?;
        let seat = Seat { fingerprint: fingerprint(&secret), name: tame_name(wanted.name.as_deref()) };
        let computer = terms.computer.map(|_| Side::B);
        let table = self.open_room(new_id()?, &terms, [Some(seat), None], computer, seed).await?;
        let room = table.room.lock().await;
        let view = View::of(&room, Some(Side::A), Timestamp::now());
        Ok(SeatGrant { game: room.id.clone(), secret, view })
    }

    /// A new room with its first events stored.
    async fn open_room(
        &self,
        id: String,
        terms: &GameConfig,
        seats: [Option<Seat>; 2],
        computer: Option<Side>,
        seed: u64,
    ) -> Result<Arc<RoomHandle>, CommitError> {
        let now = Timestamp::now();
        let created = Created {
            rules: terms.rules.to_string(),
            computer: terms.computer.map(str::to_owned),
            computer_side: computer.map(SideName::from),
            first: terms.first.into(),
            clock: terms.clock,
            listed: terms.listed,
            seats,
            seed,
            salt: new_secret()?,
        };
        let mut events = vec![Event { at: now, command: None, what: EventKind::Created(Box::new(created)) }];
        if let (Some(level), Some(side)) = (terms.computer, computer) {
            let fleet = self.brain.place(level, seed, side, &terms.rules).await;
            let fleet = fleet.ok_or_else(|| CommitError::Rejected(ApiError::unavailable()))?;
            let what = EventKind::Placed { side: side.into(), fleet: fleet.to_string() };
            events.push(Event { at: now, command: None, what });
        }
        let room = Room::replay(&id, &events).map_err(|_| CommitError::Rejected(ApiError::unavailable()))?;
        self.add(&room, 0, events).await?;
        self.metrics.games.inc();
        let table = Arc::new(RoomHandle::new(room));
        self.lock().insert(id, Arc::clone(&table));
        Ok(table)
    }

    pub(crate) async fn join(&self, game: &str, name: Option<&str>) -> Result<SeatGrant, ApiError> {
        let table = self.table(game).await?;
        let secret = new_secret()?;
        let join = |room: &Room| {
            if room.stage() != Stage::Waiting {
                return Err(ApiError::conflict("full", "both seats of this game are taken"));
            }
            let what = EventKind::Joined { seat: fingerprint(&secret), name: tame_name(name) };
            Ok(vec![Event { at: Timestamp::now(), command: None, what }])
        };
        let mut room = table.room.lock().await;
        self.change(&table, &mut room, join).await?;
        let view = View::of(&room, Some(Side::B), Timestamp::now());
        Ok(SeatGrant { game: game.to_owned(), secret, view })
    }

    /// The view of whoever holds one of these secrets, or of a spectator.
    pub(crate) async fn view(&self, game: &str, secrets: &[String]) -> Result<(View, Option<Side>), ApiError> {
        Ok(self.up_to_date(game).await?.view_of(secrets).await)
    }

    pub(crate) async fn obey(&self, game: &str, secrets: &[String], command: &Command) -> Result<View, ApiError> {
        let table = self.table(game).await?;
        let mut room = table.room.lock().await;
        let decide = |room: &Room| {
            let side = seat(room, secrets).ok_or_else(ApiError::not_seated)?;
            room.decide(side, command, Timestamp::now())
        };
        let changed = self.change(&table, &mut room, decide).await?;
        if changed && matches!(command.kind, CommandKind::Shoot { .. }) {
            self.metrics.shots.inc();
        }
        self.agree_on_rematch(&table, &mut room).await?;
        let view = View::of(&room, seat(&room, secrets), Timestamp::now());
        drop(room);
        // Also after a command that was done before: whoever did it may have died before doing what follows.
        self.go_on(&table);
        Ok(view)
    }

    /// Once both want another game, it is there, with sides swapped.
    async fn agree_on_rematch(&self, table: &RoomHandle, room: &mut MutexGuard<'_, Room>) -> Result<(), ApiError> {
        if !wants_rematch(room) {
            return Ok(());
        }
        let next = next_id(&room.id, &room.created.salt);
        let level = room.created.computer.as_deref();
        let terms = GameConfig {
            rules: room.rules.clone(),
            computer: level.and_then(opponent).map(|bot| bot.name),
            first: Side::from(room.created.first),
            clock: room.created.clock,
            listed: false,
        };
        let seats = [room.seats.b.clone(), room.seats.a.clone()];
        let computer = room.computer().map(Side::other);
        match self.open_room(next.clone(), &terms, seats, computer, new_seed()?).await {
            // Whoever was quicker has made the same room.
            Ok(_) | Err(CommitError::Conflict) => {}
            Err(hindrance) => return Err(hindrance.into()),
        }
        let agree = |room: &Room| {
            let what = EventKind::Rematch { game: next.clone() };
            let event = Event { at: Timestamp::now(), command: None, what };
            Ok(wants_rematch(room).then_some(event).into_iter().collect())
        };
        self.change(table, room, agree).await.map(drop)
    }

    /// The odds that the player whose turn it is may know, and where the shot may go.
    pub(crate) async fn odds(&self, game: &str, secrets: &[String]) -> Result<(u64, Arc<Odds>, Knowledge), ApiError> {
        let table = self.up_to_date(game).await?;
        let (known, revision) = {
            let room = table.room.lock().await;
            let side = seat(&room, secrets).ok_or_else(ApiError::not_seated)?;
            if room.computer().is_none() {
                return Err(ApiError::conflict("no-hints", "there are hints only against the computer"));
            }
            if room.side_to_move() != Some(side) {
                return Err(ApiError::conflict("not-your-turn", "it is not your turn"));
            }
            let playing = room.game.as_ref().ok_or_else(ApiError::unavailable)?;
            (playing.knowledge(side).clone(), room.revision)
        };
        Ok((revision, self.odds_of(&known).await?, known))
    }

    /// The odds that a side could know after so many shots of a game that is over.
    pub(crate) async fn odds_then(
        &self,
        game: &str,
        side: Side,
        shots: usize,
    ) -> Result<(Arc<Odds>, Knowledge), ApiError> {
        let (game, _) = self.finished(game).await?;
        let fired = game.knowledge(side).shots();
        let fired = fired.get(..shots).ok_or_else(|| ApiError::wrong("shots", "so many shots were not fired"))?;
        let mut known = Knowledge::new(game.rules());
        for &shot in fired {
            known.add(shot).map_err(|_| ApiError::unavailable())?;
        }
        Ok((self.odds_of(&known).await?, known))
    }

    /// A fleet by chance around ships that stay.
    pub(crate) async fn layout(&self, placed: FleetBuilder) -> Result<Fleet, ApiError> {
        let fleet = self.brain.layout(placed, new_seed()?).await.ok_or_else(ApiError::unavailable)?;
        fleet.ok_or_else(|| ApiError::conflict("no-room", "no way was found to place the other ships"))
    }

    async fn odds_of(&self, known: &Knowledge) -> Result<Arc<Odds>, ApiError> {
        let odds = self.brain.odds(known).await;
        odds.ok_or_else(|| ApiError::conflict("no-odds", "there are no odds for this position"))
    }

    pub(crate) async fn finished(&self, game: &str) -> Result<(Game, Record), ApiError> {
        let table = self.up_to_date(game).await?;
        let room = table.room.lock().await;
        let finished = room.game.clone().filter(|_| room.stage() == Stage::Over);
        let finished =
            finished.ok_or_else(|| ApiError::conflict("not-over", "there is no record before a game is over"))?;
        let name = |side: Side, other: &'static str| {
            let named = room.seats[side].as_ref().and_then(|seat| seat.name.clone());
            let level = room.created.computer.clone().filter(|_| room.computer() == Some(side));
            named.or(level).unwrap_or_else(|| other.to_owned())
        };
        let (a, b) = (name(Side::A, "A"), name(Side::B, "B"));
        let record = Record::of(&finished, BySide { a: &a, b: &b }, None);
        Ok((finished, record))
    }

    pub(crate) async fn analysis(&self, game: &str) -> Result<(Record, Analysis), ApiError> {
        let (game, record) = self.finished(game).await?;
        let analysis = self.brain.analysis(&game).await;
        let analysis = analysis
            .ok_or_else(|| ApiError::conflict("no-odds", "there are no odds for some position of this game"))?;
        Ok((record, analysis))
    }

    pub(crate) async fn film(&self, game: &str) -> Result<Vec<u8>, ApiError> {
        let (_, record) = self.finished(game).await?;
        let film = self.brain.film(record).await;
        film.ok_or_else(|| ApiError::conflict("no-odds", "there are no odds for some position of this game"))
    }

    pub(crate) async fn listed(&self, shelf: GameStatus) -> Result<Vec<Listing>, ApiError> {
        self.store.listed(shelf, LISTED).await.map_err(|error| {
            tracing::error!(%error, "cannot list games");
            ApiError::unavailable()
        })
    }

    /// A room as it is in the store.
    async fn up_to_date(&self, game: &str) -> Result<Arc<RoomHandle>, ApiError> {
        let kept = self.lock().get(game).cloned();
        let Some(table) = kept else { return self.table(game).await };
        if self.store.is_shared() {
            // Whoever only looks keeps nobody from the room while the store is asked.
            let newer = self.store.newer(&[table.known(game)]).await;
            let newer = newer.map_err(|error| self.cannot_read(game, &error))?;
            if !newer.is_empty() {
                self.take_in(&table, &mut table.room.lock().await, newer)?;
            }
        }
        Ok(table)
    }

    /// A room and what tells that it has changed; nothing that happens after the first view is missed.
    pub(crate) async fn watch(&self, game: &str) -> Result<(Arc<RoomHandle>, watch::Receiver<u64>), ApiError> {
        let table = self.table(game).await?;
        let newest = table.watch();
        self.up_to_date(game).await?;
        Ok((table, newest))
    }

    /// A room from memory, where it may be older than in the store, or from the store.
    async fn table(&self, game: &str) -> Result<Arc<RoomHandle>, ApiError> {
        if !is_id(game) {
            return Err(ApiError::unknown_game());
        }
        if let Some(table) = self.lock().get(game) {
            return Ok(Arc::clone(table));
        }
        let events = self.store.events(game).await.map_err(|error| self.cannot_read(game, &error))?;
        if events.is_empty() {
            return Err(ApiError::unknown_game());
        }
        let room = Room::replay(game, &events).map_err(|error| {
            tracing::error!(game, %error, "spoilt");
            ApiError::unavailable()
        })?;
        // Somebody else may have been quicker: there is one table for each game.
        Ok(Arc::clone(self.lock().entry(game.to_owned()).or_insert_with(|| Arc::new(RoomHandle::new(room)))))
    }

    /// Lets go of rooms that nobody uses, for ever.
    pub(crate) async fn tidy(self: Arc<Self>) {
        loop {
            tokio::time::sleep(TIDYING).await;
            self.lock().retain(|_, table| Arc::strong_count(table) > 1);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<RoomHandle>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<NoRandomness> for ApiError {
    fn from(_: NoRandomness) -> Self {
        Self::unavailable()
    }
}

impl From<NoRandomness> for CommitError {
    fn from(no_chance: NoRandomness) -> Self {
        Self::Rejected(no_chance.into())
    }
}

fn wants_rematch(room: &Room) -> bool {
    let wants = |side: Side| room.offered[side] || room.computer() == Some(side);
    room.rematch.is_none() && room.stage() == Stage::Over && Side::ALL.into_iter().all(wants)
}

fn seat(room: &Room, secrets: &[String]) -> Option<Side> {
    secrets.iter().find_map(|secret| room.seat_of(&fingerprint(secret)))
}

fn shelf(room: &Room) -> GameStatus {
    match room.stage() {
        Stage::Over => GameStatus::Over,
        Stage::Waiting if room.created.listed => GameStatus::Open,
        _ => GameStatus::Running,
    }
}

fn listing(room: &Room) -> Listing {
    let name = |side: Side| room.seats[side].as_ref().and_then(|seat| seat.name.clone());
    let winner = room.end().and_then(|end| end.winner);
    Listing {
        id: room.id.clone(),
        rules: room.rules.to_string(),
        name: name(Side::A),
        names: PerSide::of(name),
        computer: computer(room),
        clock: room.created.clock,
        created: room.created_at,
        winner: winner.map(|side| side.to_string()),
    }
}
