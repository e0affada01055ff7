//! What clients may read of games: odds, records, analyses, lists.

use std::sync::Arc;

use seabattle_core::{BySide, Fleet, FleetBuilder, Game, Knowledge, Record, Side};
use seabattle_odds::{Analysis, Odds};

use super::{RoomRegistry, seat};
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
    ) -> Result<(u64, Arc<Odds>, Knowledge), ApiError> {
        let handle = self.current_room(game).await?;
        let (known, revision) = {
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
            (playing.knowledge(side).clone(), room.revision)
        };
        Ok((revision, self.odds_of(&known).await?, known))
    }

    /// The odds that a side could have known after its first `shots` shots of a finished game.
    pub(crate) async fn past_odds(
        &self,
        game: &str,
        side: Side,
        shots: usize,
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
        Ok((self.odds_of(&known).await?, known))
    }

    /// A random fleet that contains the ships placed so far.
    pub(crate) async fn random_layout(&self, placed: FleetBuilder) -> Result<Fleet, ApiError> {
        let fleet = self.compute.random_layout(placed, new_seed()?).await.ok_or_else(ApiError::unavailable)?;
        fleet.ok_or_else(|| ApiError::conflict("no-room", "no way was found to place the remaining ships"))
    }

    /// The exact odds of a position.
    async fn odds_of(&self, known: &Knowledge) -> Result<Arc<Odds>, ApiError> {
        let odds = self.compute.odds(known).await;
        odds.ok_or_else(|| ApiError::conflict("no-odds", "the odds of this position cannot be computed"))
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

    /// The analysis of a finished game.
    pub(crate) async fn analysis(&self, game: &str) -> Result<(Record, Analysis), ApiError> {
        let (game, record) = self.finished_game(game).await?;
        let analysis = self.compute.analysis(&game).await;
        let analysis = analysis.ok_or_else(|| {
            ApiError::conflict("no-odds", "the odds of some position of this game cannot be computed")
        })?;
        Ok((record, analysis))
    }

    /// A finished game as a GIF.
    pub(crate) async fn animation(&self, game: &str) -> Result<Vec<u8>, ApiError> {
        let (_, record) = self.finished_game(game).await?;
        let animation = self.compute.animation(record).await;
        animation
            .ok_or_else(|| ApiError::conflict("no-odds", "the odds of some position of this game cannot be computed"))
    }

    /// The newest games with a status.
    pub(crate) async fn list(&self, status: GameStatus) -> Result<Vec<Listing>, ApiError> {
        self.store.list(status, LIST_LENGTH).await.map_err(|error| {
            tracing::error!(%error, "cannot list games");
            ApiError::unavailable()
        })
    }
}
