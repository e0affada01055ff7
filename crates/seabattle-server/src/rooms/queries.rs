//! What clients may read of games: odds, records, analyses, lists.

use std::sync::Arc;

use axum::body::Bytes;
use seabattle_core::{BySide, Fleet, FleetBuilder, Game, Knowledge, Record, Side};
use seabattle_odds::Odds;

use super::{RoomRegistry, fingerprint_of, seat};
use crate::admission::Client;
use crate::api_error::ApiError;
use crate::crypto::new_seed;
use crate::rooms::room::Stage;
use crate::store::{GameStatus, Listing};

const LIST_LENGTH: usize = 50;

impl RoomRegistry {
    /// The odds for the player to move, with the revision and the knowledge they belong to.
    pub(crate) async fn current_odds(
        &self,
        game: &str,
        secrets: &[String],
        client: &Client,
    ) -> Result<(u64, Arc<Odds>, Knowledge), ApiError> {
        let handle = self.current_room(game).await?;
        let (known, revision, payer) = {
            let room = handle.room.lock().await;
            let side = seat(&room, secrets).ok_or_else(ApiError::not_seated)?;
            if room.computer().is_none() {
                return Err(ApiError::conflict(
                    "no-hints",
                    "odds during a game are available only against the computer",
                ));
            }
            if room.side_to_move() != Some(side) {
                return Err(ApiError::conflict("not-your-turn", "it is not your turn"));
            }
            let playing = room.game.as_ref().ok_or_else(ApiError::unavailable)?;
            let payer = client.clone().with_seat(fingerprint_of(&room, side));
            (playing.knowledge(side).clone(), room.revision, payer)
        };
        Ok((revision, self.compute.odds(&known, &payer).await?, known))
    }

    /// The odds that a side could have known after its first `shots` shots of a finished game.
    pub(crate) async fn past_odds(
        &self,
        game: &str,
        side: Side,
        shots: usize,
        client: &Client,
    ) -> Result<(Arc<Odds>, Knowledge), ApiError> {
        let (game, _) = self.finished_game(game).await?;
        let fired = game.knowledge(side).shots();
        let fired = fired
            .get(..shots)
            .ok_or_else(|| ApiError::bad_request("shots", "this side did not fire that many shots"))?;
        let mut known = Knowledge::new(game.rules());
        for &shot in fired {
            known.add(shot).map_err(|_| ApiError::unavailable())?;
        }
        Ok((self.compute.odds(&known, client).await?, known))
    }

    /// A random fleet that contains the ships placed so far.
    pub(crate) async fn random_layout(&self, placed: FleetBuilder, client: &Client) -> Result<Fleet, ApiError> {
        let fleet = self.compute.random_layout(placed, new_seed()?, client).await?;
        fleet.ok_or_else(|| ApiError::conflict("no-room", "no way was found to place the remaining ships"))
    }

    /// A finished game and its record.
    pub(crate) async fn finished_game(&self, game: &str) -> Result<(Game, Record), ApiError> {
        let handle = self.current_room(game).await?;
        let room = handle.room.lock().await;
        let finished = room.game.clone().filter(|_| room.stage() == Stage::Over);
        let finished = finished.ok_or_else(|| {
            ApiError::conflict("not-over", "the game is not over yet; its record is available at the end")
        })?;
        let name = |side: Side, other: &'static str| {
            let named = room.seats[side].as_ref().and_then(|seat| seat.name.clone());
            let level = room.created.computer.clone().filter(|_| room.computer() == Some(side));
            named.or(level).unwrap_or_else(|| other.to_owned())
        };
        let (a, b) = (name(Side::A, "A"), name(Side::B, "B"));
        let record = Record::of(&finished, BySide { a: &a, b: &b }, None);
        Ok((finished, record))
    }

    /// The review of a finished game, as JSON. It is computed once and stored with the game.
    pub(crate) async fn review(&self, game: &str, client: &Client) -> Result<Bytes, ApiError> {
        if let Some(known) = self.reviews.known(game) {
            return known;
        }
        let (finished, record) = self.finished_game(game).await?;
        let (registry, id, client) = (self.strong()?, game.to_owned(), client.clone());
        let compute = async move {
            let stored = registry.store.review(&id).await.map_err(|error| registry.read_failed(&id, &error))?;
            if let Some(review) = stored {
                return Ok(Bytes::from(review));
            }
            let analysis = registry.compute.analysis(finished, &client).await?;
            let review = seabattle_render::analysis_json(record.rules(), &analysis).to_string();
            if let Err(error) = registry.store.add_review(&id, &review).await {
                tracing::warn!(game = id, %error, "cannot store the review");
            }
            Ok(Bytes::from(review))
        };
        self.reviews.get(game, compute).await
    }

    /// A finished game as a GIF. It is computed once and kept in memory for a while.
    pub(crate) async fn animation(&self, game: &str, client: &Client) -> Result<Bytes, ApiError> {
        if let Some(known) = self.animations.known(game) {
            return known;
        }
        let (_, record) = self.finished_game(game).await?;
        let (registry, client) = (self.strong()?, client.clone());
        let compute = async move { registry.compute.animation(record, &client).await.map(Bytes::from) };
        self.animations.get(game, compute).await
    }

    fn strong(&self) -> Result<Arc<Self>, ApiError> {
        self.this.upgrade().ok_or_else(ApiError::unavailable)
    }

    /// The newest games with a status.
    pub(crate) async fn list(&self, status: GameStatus) -> Result<Vec<Listing>, ApiError> {
        self.store.list(status, LIST_LENGTH).await.map_err(|error| {
            tracing::error!(%error, "cannot list games");
            ApiError::unavailable()
        })
    }
}
