//! The settings of a game: as a client asks for them, and after validation.

use seabattle_bots::{BotInfo, documents, find, levels};
use seabattle_core::{Rules, Side};
use serde::Deserialize;

use crate::api_error::ApiError;

/// The allowed seconds for one shot.
const CLOCK_SECONDS: std::ops::RangeInclusive<u16> = 5..=600;

/// Longer names are cut.
const MAX_NAME_CHARS: usize = 40;

/// A request for a new game, as a client sends it.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct CreateGame {
    pub(crate) rules: Option<String>,
    pub(crate) opponent: Option<String>,
    pub(crate) first: Option<String>,
    pub(crate) clock: Option<u16>,
    pub(crate) name: Option<String>,
    pub(crate) listed: bool,
    /// The id of the request, chosen at random by the client. A repeated request gives the same game and seat.
    pub(crate) command: Option<String>,
}

/// The valid settings of a game.
#[derive(Debug, Clone)]
pub(crate) struct GameConfig {
    pub(crate) rules: Rules,
    pub(crate) computer: Option<&'static str>,
    pub(crate) first: Side,
    pub(crate) clock: Option<u16>,
    pub(crate) listed: bool,
}

impl CreateGame {
    /// Validates the request, whose rules were read already. `coin` decides who begins if the client wants that at random.
    pub(crate) fn validate(&self, rules: Rules, coin: bool) -> Result<GameConfig, ApiError> {
        let computer = match self.opponent.as_deref().unwrap_or("sailor") {
            "person" => None,
            name => {
                let known = opponent(name);
                Some(known.ok_or_else(|| ApiError::bad_request("opponent", UNKNOWN_OPPONENT))?.name)
            }
        };
        let first = match self.first.as_deref().unwrap_or("random") {
            "me" => Side::A,
            "them" => Side::B,
            "random" => Side::ALL[usize::from(coin)],
            _ => return Err(ApiError::bad_request("first", "first is me, them or random")),
        };
        if self.clock.is_some_and(|seconds| !CLOCK_SECONDS.contains(&seconds)) {
            return Err(ApiError::bad_request("clock", "the clock allows 5 to 600 seconds for a shot"));
        }
        Ok(GameConfig { rules, computer, first, clock: self.clock, listed: self.listed && computer.is_none() })
    }
}

/// The length of the random id of a request. Whoever knows it gets the seat, so it cannot be guessed.
const REQUEST_ID_CHARS: std::ops::RangeInclusive<usize> = 22..=64;

/// Checks the id of a request.
pub(crate) fn check_request_id(id: Option<&str>) -> Result<(), ApiError> {
    match id {
        Some(id) if !REQUEST_ID_CHARS.contains(&id.chars().count()) => {
            Err(ApiError::bad_request("command", "the id of this request has 22 to 64 random characters"))
        }
        _ => Ok(()),
    }
}

const UNKNOWN_OPPONENT: &str =
    "there is no such opponent; GET /api/opponents lists the computer's, and \"person\" invites a person";

/// The computer opponents that people can choose: the five levels, then the bots of the source documents.
pub(crate) fn opponents() -> impl Iterator<Item = &'static BotInfo> {
    levels().chain(documents())
}

/// The opponent with this id or title, in any case.
pub(crate) fn opponent(name: &str) -> Option<&'static BotInfo> {
    find(name).ok().filter(|found| opponents().any(|offered| offered.name == found.name))
}

/// A name without control characters and of bounded length, or `None` if nothing visible is left.
pub(crate) fn sanitize_name(name: Option<&str>) -> Option<String> {
    let is_visible = |c: &char| {
        !c.is_control() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let name: String = name?.trim().chars().filter(is_visible).take(MAX_NAME_CHARS).collect();
    (!name.trim().is_empty()).then_some(name)
}
