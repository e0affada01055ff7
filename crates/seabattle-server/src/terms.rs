//! What a game is played by, as it is asked for and as it is.

use seabattle_bots::{BotInfo, documents, find, levels};
use seabattle_core::{Rules, Side};
use serde::Deserialize;

use crate::command::Refusal;

/// Seconds for a shot.
const CLOCK: std::ops::RangeInclusive<u16> = 5..=600;

/// Characters of a name that are kept.
const LONGEST_NAME: usize = 40;

/// Longer texts name no rules.
const LONGEST_RULES: usize = 300;

/// A wish for a new game, as it comes.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Wanted {
    pub(crate) rules: Option<String>,
    pub(crate) opponent: Option<String>,
    pub(crate) first: Option<String>,
    pub(crate) clock: Option<u16>,
    pub(crate) name: Option<String>,
    pub(crate) listed: bool,
}

/// A game that can be.
#[derive(Debug, Clone)]
pub(crate) struct Terms {
    pub(crate) rules: Rules,
    pub(crate) computer: Option<&'static str>,
    pub(crate) first: Side,
    pub(crate) clock: Option<u16>,
    pub(crate) listed: bool,
}

impl Wanted {
    /// `coin`: who begins if nobody chose.
    pub(crate) fn checked(&self, coin: bool) -> Result<Terms, Refusal> {
        let rules = read_rules(self.rules.as_deref().unwrap_or("classic"))?;
        let computer = match self.opponent.as_deref().unwrap_or("sailor") {
            "person" => None,
            wanted => {
                let known = opponent(wanted);
                Some(known.ok_or_else(|| Refusal::wrong("opponent", UNKNOWN_OPPONENT))?.name)
            }
        };
        let first = match self.first.as_deref().unwrap_or("random") {
            "me" => Side::A,
            "them" => Side::B,
            "random" => Side::ALL[usize::from(coin)],
            _ => return Err(Refusal::wrong("first", "first is me, them or random")),
        };
        if self.clock.is_some_and(|seconds| !CLOCK.contains(&seconds)) {
            return Err(Refusal::wrong("clock", "a clock has 5 to 600 seconds for a shot"));
        }
        Ok(Terms { rules, computer, first, clock: self.clock, listed: self.listed && computer.is_none() })
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

pub(crate) fn read_rules(text: &str) -> Result<Rules, Refusal> {
    if text.len() > LONGEST_RULES {
        return Err(Refusal::wrong("rules", "rules are at most 300 characters long"));
    }
    text.parse().map_err(|error: seabattle_core::ParseRulesError| Refusal::wrong("rules", &error.to_string()))
}

/// A name on one line, of bounded length; none if nothing is left of it.
pub(crate) fn tame_name(name: Option<&str>) -> Option<String> {
    let tame = |c: &char| {
        !c.is_control() && !matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let name: String = name?.trim().chars().filter(tame).take(LONGEST_NAME).collect();
    (!name.trim().is_empty()).then_some(name)
}
