//! All rooms that somebody cares about: commands are decided, stored, folded, and then told.

use std::collections::HashMap;
use std::sync::{Arc, Mutex as StdMutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use seabattle_core::{BySide, Game, Knowledge, Record, Side};
use seabattle_odds::{Analysis, Odds};
use tokio::sync::{Mutex, MutexGuard, watch};

use crate::clock::Millis;
use crate::command::{Command, Refusal};
use crate::computer::{Brain, any_volley};
use crate::event::{Created, Event, Letter, Seat, What};
use crate::metrics::Metrics;
use crate::room::{Room, Stage};
use crate::secret::{NoChance, fingerprint, is_id, new_id, new_secret, new_seed};
use crate::store::{Addition, Listing, Shelf, Store, StoreError};
use crate::terms::{Terms, Wanted, tame_name};
use crate::view::{Sides, View, computer};

/// A game that nobody has touched for so long is over.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 3600);

/// How often rooms that nobody watches are let go, and abandoned games ended.
const SWEEP: Duration = Duration::from_secs(60);

const LISTED: usize = 50;

pub(crate) struct Hall {
    store: Store,
    brain: Brain,
    pub(crate) metrics: Metrics,
    tables: StdMutex<HashMap<String, Arc<Table>>>,
    this: Weak<Self>,
}

/// A room with those who watch it.
pub(crate) struct Table {
    room: Mutex<Room>,
    /// The newest revision.
    newest: watch::Sender<u64>,
    /// How many live connections each seat has had: all but the last one leave.
    connections: BySide<watch::Sender<u64>>,
}

/// Somebody who has just sat down.
pub(crate) struct Seated {
    pub(crate) game: String,
    pub(crate) secret: String,
    pub(crate) view: View,
}

impl Hall {
    pub(crate) fn new(store: Store, threads: usize) -> Arc<Self> {
        Arc::new_cyclic(|this| Self {
            store,
            brain: Brain::new(threads),
            metrics: Metrics::new(),
            tables: StdMutex::new(HashMap::new()),
            this: this.clone(),
        })
    }

    /// Takes up all games that go on: clocks run, computers move.
    pub(crate) async fn wake(&self) -> Result<usize, StoreError> {
        let games = self.store.unfinished().await?;
        for (game, _) in &games {
            if let Ok(table) = self.table(game).await {
                self.go_on(&table);
            }
        }
        Ok(games.len())
    }

    pub(crate) async fn is_ready(&self) -> bool {
        self.store.listed(Shelf::Open, 1).await.is_ok()
    }

    pub(crate) async fn create(&self, wanted: &Wanted) -> Result<Seated, Refusal> {
        let seed = new_seed()?;
        let terms = wanted.checked(seed & 1 == 1)?;
        let secret = new_secret()?;
        let seat = Seat { fingerprint: fingerprint(&secret), name: tame_name(wanted.name.as_deref()) };
        let computer = terms.computer.map(|_| Side::B);
        let table = self.open_room(&terms, [Some(seat), None], computer, seed).await?;
        let room = table.room.lock().await;
        let view = View::of(&room, Some(Side::A), Millis::now());
        Ok(Seated { game: room.id.clone(), secret, view })
    }

    /// A new room with its first events stored.
    async fn open_room(
        &self,
        terms: &Terms,
        seats: [Option<Seat>; 2],
        computer: Option<Side>,
        seed: u64,
    ) -> Result<Arc<Table>, Refusal> {
        let (id, now) = (new_id()?, Millis::now());
        let created = Created {
            rules: terms.rules.to_string(),
            computer: terms.computer.map(str::to_owned),
            computer_side: computer.map(Letter::from),
            first: terms.first.into(),
            clock: terms.clock,
            listed: terms.listed,
            seats,
            seed,
            salt: new_secret()?,
        };
        let mut events = vec![Event { at: now, command: None, what: What::Created(Box::new(created)) }];
        if let (Some(level), Some(side)) = (terms.computer, computer) {
            let fleet = self.brain.place(level, seed, side, &terms.rules).await.ok_or_else(Refusal::unavailable)?;
            let what = What::Placed { side: side.into(), fleet: fleet.to_string() };
            events.push(Event { at: now, command: None, what });
        }
        let room = Room::replay(&id, &events).map_err(|_| Refusal::unavailable())?;
        self.add(&room, 0, events).await?;
        self.metrics.games.inc();
        let table = Arc::new(Table::new(room));
        self.lock().insert(id, Arc::clone(&table));
        Ok(table)
    }

    pub(crate) async fn join(&self, game: &str, name: Option<&str>) -> Result<Seated, Refusal> {
        let table = self.table(game).await?;
        let secret = new_secret()?;
        let mut room = table.room.lock().await;
        if room.stage() != Stage::Waiting {
            return Err(Refusal::conflict("full", "both seats of this game are taken"));
        }
        let what = What::Joined { seat: fingerprint(&secret), name: tame_name(name) };
        self.record(&table, &mut room, vec![Event { at: Millis::now(), command: None, what }]).await?;
        let view = View::of(&room, Some(Side::B), Millis::now());
        Ok(Seated { game: game.to_owned(), secret, view })
    }

    /// The view of whoever holds one of these secrets, or of a spectator.
    pub(crate) async fn view(&self, game: &str, secrets: &[String]) -> Result<(View, Option<Side>), Refusal> {
        let table = self.table(game).await?;
        let room = table.room.lock().await;
        let viewer = seat(&room, secrets);
        Ok((View::of(&room, viewer, Millis::now()), viewer))
    }

    pub(crate) async fn obey(&self, game: &str, secrets: &[String], command: &Command) -> Result<View, Refusal> {
        let table = self.table(game).await?;
        let mut room = table.room.lock().await;
        let side = seat(&room, secrets).ok_or_else(Refusal::not_seated)?;
        let events = room.decide(side, command, Millis::now())?;
        let fired = events.iter().any(|event| matches!(event.what, What::Fired { .. }));
        self.record(&table, &mut room, events).await?;
        if fired {
            self.metrics.shots.inc();
        }
        self.agree_on_rematch(&table, &mut room).await?;
        let view = View::of(&room, Some(side), Millis::now());
        drop(room);
        self.go_on(&table);
        Ok(view)
    }

    /// Stores events, folds them, and tells everybody: in this order.
    async fn record(&self, table: &Table, room: &mut MutexGuard<'_, Room>, events: Vec<Event>) -> Result<(), Refusal> {
        if events.is_empty() {
            return Ok(());
        }
        let mut newer = Room::clone(room);
        for event in &events {
            newer.apply(event).map_err(|_| Refusal::conflict("impossible", "that cannot be in this game"))?;
        }
        if let Err(refusal) = self.add(&newer, room.revision, events).await {
            self.read_again(table, room).await;
            return Err(refusal);
        }
        **room = newer;
        table.newest.send_replace(room.revision);
        Ok(())
    }

    /// What is in the store may differ from what is in memory: the store is right, and whoever watches is told.
    async fn read_again(&self, table: &Table, room: &mut MutexGuard<'_, Room>) {
        let Ok(events) = self.store.events(&room.id).await else { return };
        if let Ok(stored) = Room::replay(&room.id, &events) {
            **room = stored;
            table.newest.send_replace(room.revision);
        }
    }

    async fn add(&self, newer: &Room, number: u64, events: Vec<Event>) -> Result<(), Refusal> {
        let began = Instant::now();
        let addition =
            Addition { game: newer.id.clone(), number, events, shelf: shelf(newer), listing: listing(newer) };
        let stored = self.store.add(addition).await;
        self.metrics.storing.observe(began.elapsed().as_secs_f64());
        stored.map_err(|error| {
            tracing::error!(game = newer.id, %error, "cannot store");
            Refusal::unavailable()
        })
    }

    /// Once both want another game, it is there, with sides swapped.
    async fn agree_on_rematch(&self, table: &Table, room: &mut MutexGuard<'_, Room>) -> Result<(), Refusal> {
        let wants = |side: Side| room.offered[side] || room.computer() == Some(side);
        if room.rematch.is_some() || room.stage() != Stage::Over || !Side::ALL.into_iter().all(wants) {
            return Ok(());
        }
        let terms = Terms {
            rules: room.rules.clone(),
            computer: room
                .created
                .computer
                .as_deref()
                .and_then(|level| crate::terms::LEVELS.into_iter().find(|known| *known == level)),
            first: Side::from(room.created.first),
            clock: room.created.clock,
            listed: false,
        };
        let seats = [room.seats.b.clone(), room.seats.a.clone()];
        let computer = room.computer().map(Side::other);
        let next = self.open_room(&terms, seats, computer, new_seed()?).await?;
        let game = next.room.lock().await.id.clone();
        let what = What::Rematch { game };
        self.record(table, room, vec![Event { at: Millis::now(), command: None, what }]).await
    }

    /// Whatever has to happen by itself: the computer moves, or a clock runs.
    fn go_on(&self, table: &Arc<Table>) {
        let (Some(hall), table) = (self.this.upgrade(), Arc::clone(table)) else { return };
        tokio::spawn(async move {
            let deadline = {
                let room = table.room.lock().await;
                if room.mover().is_some() && room.mover() == room.computer() {
                    drop(room);
                    return hall.computer_moves(&table).await;
                }
                room.deadline
            };
            if let Some(deadline) = deadline {
                tokio::time::sleep(Millis::now().until(deadline)).await;
                hall.expire(&table).await;
            }
        });
    }

    async fn computer_moves(&self, table: &Arc<Table>) {
        loop {
            let (game, side, level, seed, revision) = {
                let room = table.room.lock().await;
                let (Some(side), Some(game)) = (room.computer(), room.game.clone()) else { return };
                let Some(level) = room.created.computer.clone().filter(|_| room.mover() == Some(side)) else { break };
                (game, side, level, room.created.seed, room.revision)
            };
            let Some(cells) = self.brain.shoot(&level, seed, side, &game).await else { return };
            let mut room = table.room.lock().await;
            if room.revision != revision {
                continue;
            }
            let cells = cells.iter().map(ToString::to_string).collect();
            let what = What::Fired { side: side.into(), cells, late: false };
            if self.record(table, &mut room, vec![Event { at: Millis::now(), command: None, what }]).await.is_err() {
                return;
            }
            self.metrics.shots.inc();
        }
        self.go_on(table);
    }

    async fn expire(&self, table: &Arc<Table>) {
        let mut room = table.room.lock().await;
        let Ok(seed) = new_seed() else { return };
        let events = room.expire(Millis::now(), |game, side| any_volley(game, side, seed));
        if events.is_empty() {
            return;
        }
        if self.record(table, &mut room, events).await.is_ok() {
            drop(room);
            self.go_on(table);
        }
    }

    /// The odds that the player whose turn it is may know, and where the shot may go.
    pub(crate) async fn odds(&self, game: &str, secrets: &[String]) -> Result<(u64, Arc<Odds>, Knowledge), Refusal> {
        let table = self.table(game).await?;
        let (known, revision) = {
            let room = table.room.lock().await;
            let side = seat(&room, secrets).ok_or_else(Refusal::not_seated)?;
            if room.computer().is_none() {
                return Err(Refusal::conflict("no-hints", "there are hints only against the computer"));
            }
            if room.mover() != Some(side) {
                return Err(Refusal::conflict("not-your-turn", "it is not your turn"));
            }
            let playing = room.game.as_ref().ok_or_else(Refusal::unavailable)?;
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
    ) -> Result<(Arc<Odds>, Knowledge), Refusal> {
        let (game, _) = self.finished(game).await?;
        let fired = game.knowledge(side).shots();
        let fired = fired.get(..shots).ok_or_else(|| Refusal::wrong("shots", "so many shots were not fired"))?;
        let mut known = Knowledge::new(game.rules());
        for &shot in fired {
            known.add(shot).map_err(|_| Refusal::unavailable())?;
        }
        Ok((self.odds_of(&known).await?, known))
    }

    async fn odds_of(&self, known: &Knowledge) -> Result<Arc<Odds>, Refusal> {
        let odds = self.brain.odds(known).await;
        odds.ok_or_else(|| Refusal::conflict("no-odds", "there are no odds for this position"))
    }

    pub(crate) async fn finished(&self, game: &str) -> Result<(Game, Record), Refusal> {
        let table = self.table(game).await?;
        let room = table.room.lock().await;
        let finished = room.game.clone().filter(|_| room.stage() == Stage::Over);
        let finished =
            finished.ok_or_else(|| Refusal::conflict("not-over", "there is no record before a game is over"))?;
        let name = |side: Side, other: &'static str| {
            let named = room.seats[side].as_ref().and_then(|seat| seat.name.clone());
            let level = room.created.computer.clone().filter(|_| room.computer() == Some(side));
            named.or(level).unwrap_or_else(|| other.to_owned())
        };
        let (a, b) = (name(Side::A, "A"), name(Side::B, "B"));
        let record = Record::of(&finished, BySide { a: &a, b: &b }, None);
        Ok((finished, record))
    }

    pub(crate) async fn analysis(&self, game: &str) -> Result<(Record, Analysis), Refusal> {
        let (game, record) = self.finished(game).await?;
        let analysis = self.brain.analysis(&game).await;
        let analysis =
            analysis.ok_or_else(|| Refusal::conflict("no-odds", "there are no odds for some position of this game"))?;
        Ok((record, analysis))
    }

    pub(crate) async fn film(&self, game: &str) -> Result<Vec<u8>, Refusal> {
        let (_, record) = self.finished(game).await?;
        let film = self.brain.film(record).await;
        film.ok_or_else(|| Refusal::conflict("no-odds", "there are no odds for some position of this game"))
    }

    pub(crate) async fn listed(&self, shelf: Shelf) -> Result<Vec<Listing>, Refusal> {
        self.store.listed(shelf, LISTED).await.map_err(|error| {
            tracing::error!(%error, "cannot list games");
            Refusal::unavailable()
        })
    }

    /// A room from memory or from the store.
    pub(crate) async fn table(&self, game: &str) -> Result<Arc<Table>, Refusal> {
        if !is_id(game) {
            return Err(Refusal::unknown_game());
        }
        if let Some(table) = self.lock().get(game) {
            return Ok(Arc::clone(table));
        }
        let events = self.store.events(game).await.map_err(|error| {
            tracing::error!(game, %error, "cannot read");
            Refusal::unavailable()
        })?;
        if events.is_empty() {
            return Err(Refusal::unknown_game());
        }
        let room = Room::replay(game, &events).map_err(|error| {
            tracing::error!(game, %error, "spoilt");
            Refusal::unavailable()
        })?;
        // Somebody else may have been quicker: there is one table for each game.
        Ok(Arc::clone(self.lock().entry(game.to_owned()).or_insert_with(|| Arc::new(Table::new(room)))))
    }

    /// Lets go of rooms that nobody watches, and ends abandoned games, for ever.
    pub(crate) async fn sweep(self: Arc<Self>) {
        loop {
            tokio::time::sleep(SWEEP).await;
            self.lock().retain(|_, table| Arc::strong_count(table) > 1 || !table.is_idle());
            let Ok(games) = self.store.unfinished().await else { continue };
            for (game, updated) in games {
                if updated.until(Millis::now()) > ABANDONED_AFTER {
                    self.abandon(&game).await;
                }
            }
        }
    }

    async fn abandon(&self, game: &str) {
        let Ok(table) = self.table(game).await else { return };
        let mut room = table.room.lock().await;
        let event = Event { at: Millis::now(), command: None, what: What::Abandoned };
        if room.end().is_none() {
            self.record(&table, &mut room, vec![event]).await.ok();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Table>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Table {
    fn new(room: Room) -> Self {
        Self {
            newest: watch::Sender::new(room.revision),
            room: Mutex::new(room),
            connections: BySide { a: watch::Sender::new(0), b: watch::Sender::new(0) },
        }
    }

    fn is_idle(&self) -> bool {
        let waits = self.room.try_lock().map_or(true, |room| room.deadline.is_some());
        self.newest.receiver_count() == 0 && !waits
    }

    pub(crate) fn watch(&self) -> watch::Receiver<u64> {
        self.newest.subscribe()
    }

    /// A new connection of a seat: the one before it is told by a number that grows.
    pub(crate) fn take_over(&self, side: Side) -> watch::Receiver<u64> {
        let connections = &self.connections[side];
        connections.send_modify(|number| *number += 1);
        connections.subscribe()
    }

    pub(crate) async fn view_of(&self, secrets: &[String]) -> (View, Option<Side>) {
        let room = self.room.lock().await;
        let viewer = seat(&room, secrets);
        (View::of(&room, viewer, Millis::now()), viewer)
    }
}

impl From<NoChance> for Refusal {
    fn from(_: NoChance) -> Self {
        Self::unavailable()
    }
}

fn seat(room: &Room, secrets: &[String]) -> Option<Side> {
    secrets.iter().find_map(|secret| room.seat_of(&fingerprint(secret)))
}

fn shelf(room: &Room) -> Shelf {
    match room.stage() {
        Stage::Over => Shelf::Over,
        Stage::Waiting if room.created.listed => Shelf::Open,
        _ => Shelf::Running,
    }
}

fn listing(room: &Room) -> Listing {
    let name = |side: Side| room.seats[side].as_ref().and_then(|seat| seat.name.clone());
    let winner = room.end().and_then(|end| end.winner);
    Listing {
        id: room.id.clone(),
        rules: room.rules.to_string(),
        name: name(Side::A),
        names: Sides::of(name),
        computer: computer(room),
        clock: room.created.clock,
        created: room.created_at,
        winner: winner.map(|side| side.to_string()),
    }
}
