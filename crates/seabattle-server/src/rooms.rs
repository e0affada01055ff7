//! Rooms: the registry of all rooms in use on this node.

pub(crate) mod command;
mod commit;
pub(crate) mod event;
pub(crate) mod game_config;
mod handle;
mod holdings;
pub(crate) mod placement;
mod queries;
pub(crate) mod room;
mod schedule;
mod sync;
#[cfg(test)]
mod tests;
pub(crate) mod view;

use std::collections::HashMap;
use std::sync::{Arc, Mutex as StdMutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use seabattle_core::Side;
use tokio::sync::{Mutex, MutexGuard, watch};

use crate::admission::Client;
use crate::api_error::{ApiError, ErrorKind};
use crate::compute_pool::ComputePool;
use crate::crypto::{
    NoRandomness, fingerprint, id_of_request, is_id, new_id, new_secret, new_seed, next_id, secret_of_request,
};
use crate::metrics::{CacheLabel, Metrics};
use crate::notifications::Publisher;
use crate::rooms::command::{Command, CommandKind};
use crate::rooms::event::{Created, Event, EventKind, Seat, SideName};
use crate::rooms::game_config::{CreateGame, GameConfig, check_request_id, opponent, sanitize_name};
use crate::rooms::room::{Room, Stage, read_rules};
use crate::rooms::view::{PerSide, View, computer};
use crate::shared_work::SharedWork;
use crate::store::{GameStatus, Listing, Store, StoreError};
use crate::timestamp::Timestamp;

use commit::CommitError;
pub(crate) use handle::RoomHandle;
use holdings::{Holdings, Reservation};

/// The size of the caches in bytes.
const REVIEW_CACHE_BYTES: usize = 32 << 20;
const ANIMATION_CACHE_BYTES: usize = 64 << 20;

/// How often the store is probed at most, and how long that may take.
const PROBE_INTERVAL: Duration = Duration::from_secs(1);
const PROBE_TIMEOUT: Duration = Duration::from_secs(3);

/// One open game in the lobby, and one seat in a game of the lobby, for so many requests a second of a client.
const LISTED_SHARE: usize = 10;
const JOINED_SHARE: usize = 2;

/// How often unused rooms are removed from memory.
const EVICTION_INTERVAL: Duration = Duration::from_secs(60);

/// All rooms in use on this node. It loads rooms, executes commands, and runs the background tasks.
pub(crate) struct RoomRegistry {
    store: Store,
    pub(crate) compute: ComputePool,
    /// The reviews of finished games, as JSON. They are also in the store.
    reviews: Arc<SharedWork>,
    /// The GIFs of finished games.
    animations: Arc<SharedWork>,
    /// The games that each address has in the lobby.
    listed: Arc<Holdings>,
    /// The games of the lobby that each address has joined.
    joined: Arc<Holdings>,
    publisher: Option<Publisher>,
    pub(crate) metrics: Metrics,
    rooms: StdMutex<HashMap<String, Arc<RoomHandle>>>,
    /// When the store was probed, and whether it worked.
    latest_probe: Mutex<Option<(Instant, bool)>>,
    this: Weak<Self>,
}

/// A seat that was just taken: the game, the secret for the cookie, and the view.
pub(crate) struct SeatGrant {
    pub(crate) game: String,
    pub(crate) secret: String,
    pub(crate) view: View,
}

impl RoomRegistry {
    /// `rate` is how many requests a second one client may make. What it may hold grows with that.
    pub(crate) fn new(
        store: Store,
        threads: usize,
        rate: u32,
        publisher: Option<Publisher>,
        metrics: Metrics,
    ) -> Arc<Self> {
        let shares = rate as usize;
        Arc::new_cyclic(|this| Self {
            store,
            compute: ComputePool::new(threads, rate, metrics.clone()),
            reviews: SharedWork::new(REVIEW_CACHE_BYTES),
            animations: SharedWork::new(ANIMATION_CACHE_BYTES),
            listed: Holdings::new(shares.div_ceil(LISTED_SHARE)),
            joined: Holdings::new(shares.div_ceil(JOINED_SHARE)),
            publisher,
            metrics,
            rooms: StdMutex::new(HashMap::new()),
            latest_probe: Mutex::new(None),
            this: this.clone(),
        })
    }

    /// Whether other nodes may use the same store.
    pub(crate) fn is_shared(&self) -> bool {
        self.store.is_shared()
    }

    /// How many games are unfinished.
    pub(crate) async fn count_unfinished(&self) -> Result<u64, StoreError> {
        self.store.count_unfinished().await
    }

    /// Whether the store can be written. The answer holds for a second, however often it is asked for.
    pub(crate) async fn is_ready(&self) -> bool {
        let mut latest = self.latest_probe.lock().await;
        if let Some((at, is_ready)) = *latest
            && at.elapsed() < PROBE_INTERVAL
        {
            return is_ready;
        }
        let probe = tokio::time::timeout(PROBE_TIMEOUT, self.store.probe()).await;
        let is_ready = match &probe {
            Ok(Ok(())) => true,
            Ok(Err(error)) => {
                tracing::error!(%error, "the store does not work");
                false
            }
            Err(_) => false,
        };
        *latest = Some((Instant::now(), is_ready));
        is_ready
    }

    /// Whether notifications of other nodes arrive. True for a node that serves alone.
    pub(crate) fn receives_notifications(&self) -> bool {
        self.publisher.as_ref().is_none_or(Publisher::is_connected)
    }

    /// Writes everything into the store's own file, and refuses to store more.
    pub(crate) async fn close_store(&self) -> Result<(), StoreError> {
        self.store.close().await
    }

    pub(crate) fn metrics_text(&self) -> String {
        let connected = self.publisher.as_ref().is_some_and(Publisher::is_connected);
        self.metrics.notifications_connected.set(i64::from(connected));
        self.compute.update_metrics(&self.metrics);
        for (cache, bytes) in [("reviews", self.reviews.bytes()), ("animations", self.animations.bytes())] {
            self.metrics.cache_bytes.get_or_create(&CacheLabel { cache }).set(bytes as i64);
        }
        self.metrics.text()
    }

    /// Creates a game for the client, who gets side A. A repeated request gets the same game.
    pub(crate) async fn create(&self, request: &CreateGame, client: &Client) -> Result<SeatGrant, ApiError> {
        check_request_id(request.command.as_deref())?;
        let (id, secret) = match request_key(request.command.as_deref(), client) {
            Some(key) => (id_of_request(&key), secret_of_request(&key, &id_of_request(&key))),
            None => (new_id()?, new_secret()?),
        };
        if request.command.is_some()
            && let Some(grant) = self.grant_again(&id, &secret).await?
        {
            return Ok(grant);
        }
        let seed = new_seed()?;
        let rules = self.compute.read_rules(request.rules.as_deref().unwrap_or("classic"), client).await?;
        let config = request.validate(rules, seed & 1 == 1)?;
        let place = if config.listed { self.reserve_listing(client).await? } else { None };
        let seat = Seat { fingerprint: fingerprint(&secret), name: sanitize_name(request.name.as_deref()) };
        let computer = config.computer.map(|_| Side::B);
        let handle = match self.create_room(id.clone(), &config, [Some(seat), None], computer, seed, client).await {
            Ok(handle) => handle,
            // The same request was sent twice at once.
            Err(CommitError::Conflict) => {
                return self.grant_again(&id, &secret).await?.ok_or_else(ApiError::unavailable);
            }
            Err(error) => return Err(error.into()),
        };
        if let Some(place) = place {
            place.take(&id);
        }
        let room = handle.room.lock().await;
        let view = View::of(&room, Some(Side::A), Timestamp::now());
        Ok(SeatGrant { game: id, secret, view })
    }

    /// The seat that an earlier request with the same secret took. `None` if there is no such game, or no such seat.
    async fn grant_again(&self, game: &str, secret: &str) -> Result<Option<SeatGrant>, ApiError> {
        let handle = match self.current_room(game).await {
            Ok(handle) => handle,
            Err(error) if error.kind == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let room = handle.room.lock().await;
        let Some(side) = room.seat_of(&fingerprint(secret)) else { return Ok(None) };
        let view = View::of(&room, Some(side), Timestamp::now());
        Ok(Some(SeatGrant { game: game.to_owned(), secret: secret.to_owned(), view }))
    }

    /// Creates a room and stores its first events.
    async fn create_room(
        &self,
        id: String,
        config: &GameConfig,
        seats: [Option<Seat>; 2],
        computer: Option<Side>,
        seed: u64,
        client: &Client,
    ) -> Result<Arc<RoomHandle>, CommitError> {
        let now = Timestamp::now();
        let created = Created {
            rules: config.rules.to_string(),
            computer: config.computer.map(str::to_owned),
            computer_side: computer.map(SideName::from),
            first: config.first.into(),
            clock: config.clock,
            listed: config.listed,
            seats,
            seed,
            salt: new_secret()?,
        };
        let mut events = vec![Event { at: now, command: None, kind: EventKind::Created(Box::new(created)) }];
        if let (Some(level), Some(side)) = (config.computer, computer) {
            let fleet = self.compute.place_fleet(level, seed, side, &config.rules, client).await;
            let fleet = fleet.map_err(CommitError::Rejected)?;
            let kind = EventKind::Placed { side: side.into(), fleet: fleet.to_string() };
            events.push(Event { at: now, command: None, kind });
        }
        let room = Room::replay(&id, config.rules.clone(), &events)
            .map_err(|_| CommitError::Rejected(ApiError::unavailable()))?;
        self.append(&room, 0, events).await?;
        self.metrics.games.inc();
        let handle = Arc::new(RoomHandle::new(room));
        self.lock_rooms().insert(id, Arc::clone(&handle));
        Ok(handle)
    }

    /// Joins a game as side B. A repeated request gets the same seat.
    pub(crate) async fn join(
        &self,
        game: &str,
        name: Option<&str>,
        command: Option<&str>,
        client: &Client,
    ) -> Result<SeatGrant, ApiError> {
        check_request_id(command)?;
        let handle = self.find_room(game).await?;
        let secret = match request_key(command, client) {
            Some(key) => secret_of_request(&key, game),
            None => new_secret()?,
        };
        if command.is_some()
            && let Some(grant) = self.grant_again(game, &secret).await?
        {
            return Ok(grant);
        }
        let is_listed = handle.room.lock().await.created.listed;
        let place = if is_listed { self.reserve_seat(client).await? } else { None };
        let join = |room: &Room| {
            if room.stage() != Stage::Waiting {
                return Err(ApiError::conflict("full", "both seats of this game are taken"));
            }
            let kind = EventKind::Joined { seat: fingerprint(&secret), name: sanitize_name(name) };
            Ok(vec![Event { at: Timestamp::now(), command: None, kind }])
        };
        let mut room = handle.room.lock().await;
        self.commit(&handle, &mut room, join).await?;
        if let Some(place) = place {
            place.take(game);
        }
        let view = View::of(&room, Some(Side::B), Timestamp::now());
        Ok(SeatGrant { game: game.to_owned(), secret, view })
    }

    /// Reserves a place in the lobby.
    async fn reserve_listing(&self, client: &Client) -> Result<Option<Reservation>, ApiError> {
        let error =
            "you already have several open games in the list; wait until someone joins, or invite a person by link";
        let error = ApiError::new(ErrorKind::TooManyRequests, "too-many-listed", error);
        self.reserve(&self.listed, client, |room| room.stage() == Stage::Waiting, error).await
    }

    /// Reserves a seat in a game of the lobby.
    async fn reserve_seat(&self, client: &Client) -> Result<Option<Reservation>, ApiError> {
        let error = "you already play many games of the list; finish one first";
        let error = ApiError::new(ErrorKind::TooManyRequests, "too-many-seats", error);
        self.reserve(&self.joined, client, |room| room.stage() != Stage::Over, error).await
    }

    async fn reserve(
        &self,
        holdings: &Arc<Holdings>,
        client: &Client,
        is_held: impl Fn(&Room) -> bool + Send + Sync,
        error: ApiError,
    ) -> Result<Option<Reservation>, ApiError> {
        let Some(address) = client.address else { return Ok(None) };
        if let Some(place) = holdings.reserve(address) {
            return Ok(Some(place));
        }
        let mut gone = Vec::new();
        for game in holdings.games(address) {
            let handle = self.current_room(&game).await?;
            if !is_held(&*handle.room.lock().await) {
                gone.push(game);
            }
        }
        holdings.forget(address, &gone);
        holdings.reserve(address).map(Some).ok_or_else(|| error.retry_after(Duration::from_secs(60)))
    }

    /// The view of the player with one of these secrets, or of a spectator.
    pub(crate) async fn view(&self, game: &str, secrets: &[String]) -> Result<(View, Option<Side>), ApiError> {
        Ok(self.current_room(game).await?.view_of(secrets).await)
    }

    /// Executes a command of a player, and returns the new view.
    pub(crate) async fn handle_command(
        &self,
        game: &str,
        secrets: &[String],
        command: &Command,
        client: &Client,
    ) -> Result<View, ApiError> {
        let handle = self.find_room(game).await?;
        let mut room = handle.room.lock().await;
        if let Some(side) = seat(&room, secrets) {
            handle.set_payer(client.clone().with_seat(fingerprint_of(&room, side)));
        }
        let decide = |room: &Room| {
            let side = seat(room, secrets).ok_or_else(ApiError::not_seated)?;
            room.decide(side, command, Timestamp::now())
        };
        let changed = self.commit(&handle, &mut room, decide).await?;
        if changed && matches!(command.kind, CommandKind::Shoot { .. }) {
            self.metrics.shots.inc();
        }
        self.start_agreed_rematch(&handle, &mut room).await?;
        let view = View::of(&room, seat(&room, secrets), Timestamp::now());
        drop(room);
        // Also after a repeated command: the node that executed it may have died before the next action.
        self.schedule_next(&handle);
        Ok(view)
    }

    /// Creates a game with swapped sides once both sides have offered a rematch.
    async fn start_agreed_rematch(&self, handle: &RoomHandle, room: &mut MutexGuard<'_, Room>) -> Result<(), ApiError> {
        if !wants_rematch(room) {
            return Ok(());
        }
        let next = next_id(&room.id, &room.created.salt);
        let level = room.created.computer.as_deref();
        let config = GameConfig {
            rules: room.rules.clone(),
            computer: level.and_then(opponent).map(|bot| bot.name),
            first: Side::from(room.created.first),
            clock: room.created.clock,
            listed: false,
        };
        let seats = [room.seats.b.clone(), room.seats.a.clone()];
        let computer = room.computer().map(Side::other);
        match self.create_room(next.clone(), &config, seats, computer, new_seed()?, &handle.payer()).await {
            // Another node was quicker. Its room is the same, because the id follows from this game.
            Ok(_) | Err(CommitError::Conflict) => {}
            Err(error) => return Err(error.into()),
        }
        let agree = |room: &Room| {
            let kind = EventKind::Rematch { game: next.clone() };
            let event = Event { at: Timestamp::now(), command: None, kind };
            Ok(wants_rematch(room).then_some(event).into_iter().collect())
        };
        self.commit(handle, room, agree).await.map(drop)
    }

    /// A room that is up to date with the store.
    async fn current_room(&self, game: &str) -> Result<Arc<RoomHandle>, ApiError> {
        let cached = self.lock_rooms().get(game).cloned();
        let Some(handle) = cached else { return self.find_room(game).await };
        if self.store.is_shared() {
            // The room is not locked while the store is queried.
            let newer = self.store.newer_events(&[handle.revision_of(game)]).await;
            let newer = newer.map_err(|error| self.read_failed(game, &error))?;
            if !newer.is_empty() {
                self.apply_remote_events(&handle, &mut handle.room.lock().await, newer)?;
            }
        }
        Ok(handle)
    }

    /// A room, and a receiver for its changes. No change after the first view is missed.
    pub(crate) async fn subscribe(&self, game: &str) -> Result<(Arc<RoomHandle>, watch::Receiver<u64>), ApiError> {
        let handle = self.find_room(game).await?;
        let updates = handle.subscribe();
        self.current_room(game).await?;
        Ok((handle, updates))
    }

    /// A room from memory, which may be outdated, or else from the store.
    async fn find_room(&self, game: &str) -> Result<Arc<RoomHandle>, ApiError> {
        if !is_id(game) {
            return Err(ApiError::unknown_game());
        }
        if let Some(handle) = self.lock_rooms().get(game) {
            return Ok(Arc::clone(handle));
        }
        let events = self.store.events(game).await.map_err(|error| self.read_failed(game, &error))?;
        if events.is_empty() {
            return Err(ApiError::unknown_game());
        }
        let room = self.replay(game, events).await?;
        // Another task may have loaded the room meanwhile. There is one handle for each game.
        Ok(Arc::clone(self.lock_rooms().entry(game.to_owned()).or_insert_with(|| Arc::new(RoomHandle::new(room)))))
    }

    /// A room after all its events. Long games take a while, so a thread that serves nobody replays them.
    async fn replay(&self, game: &str, events: Vec<Event>) -> Result<Room, ApiError> {
        let id = game.to_owned();
        let replayed = tokio::task::spawn_blocking(move || Room::replay(&id, read_rules(&events)?, &events)).await;
        replayed.map_err(|_| ApiError::unavailable())?.map_err(|error| {
            tracing::error!(game, %error, "the event log is corrupt");
            ApiError::unavailable()
        })
    }

    /// Removes unused rooms from memory, for ever.
    pub(crate) async fn evict_unused(self: Arc<Self>) {
        loop {
            tokio::time::sleep(EVICTION_INTERVAL).await;
            self.lock_rooms().retain(|_, handle| Arc::strong_count(handle) > 1);
        }
    }

    fn lock_rooms(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<RoomHandle>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl From<NoRandomness> for ApiError {
    fn from(_: NoRandomness) -> Self {
        Self::unavailable()
    }
}

impl From<NoRandomness> for CommitError {
    fn from(no_randomness: NoRandomness) -> Self {
        Self::Rejected(no_randomness.into())
    }
}

/// What identifies a repeated request: its random id, and the address, so that a stolen id is worth nothing elsewhere.
fn request_key(command: Option<&str>, client: &Client) -> Option<String> {
    command.map(|command| format!("{:?}:{command}", client.address))
}

fn wants_rematch(room: &Room) -> bool {
    let wants = |side: Side| room.rematch_offers[side] || room.computer() == Some(side);
    room.rematch_game.is_none() && room.stage() == Stage::Over && Side::ALL.into_iter().all(wants)
}

fn seat(room: &Room, secrets: &[String]) -> Option<Side> {
    secrets.iter().find_map(|secret| room.seat_of(&fingerprint(secret)))
}

fn fingerprint_of(room: &Room, side: Side) -> Option<String> {
    room.seats[side].as_ref().map(|seat| seat.fingerprint.clone())
}

fn status_of(room: &Room) -> GameStatus {
    match room.stage() {
        Stage::Over => GameStatus::Over,
        Stage::Waiting if room.created.listed => GameStatus::Open,
        _ => GameStatus::Running,
    }
}

fn listing_of(room: &Room) -> Listing {
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
