//! The one-line text form of rules: a preset or a size with its fleet, then what differs.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::{Announce, Ending, Rules, RulesDraft, RulesError, Touching, Turn};
use crate::Size;

pub(super) const KEYS: [&str; 4] = ["touching", "turn", "announce", "ending"];

/// The most bytes of a text: more than the longest rules need, with 2500 ships and names of 20 letters.
const MAX_TEXT: usize = 65_536;

/// Why a text does not describe rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParseRulesError {
    /// The text is longer than that of any rules.
    #[error("the text is longer than any rules")]
    TooLong,
    /// The text starts with neither a preset nor a size.
    #[error("unknown rules {text:?}: start with classic, russian, salvo, or a size with its fleet such as 8x8:4,3,2")]
    Start {
        /// The text that was given.
        text: String,
    },
    /// A size has no fleet.
    #[error("{text} needs a fleet, as in {text}:4,3,2")]
    NoFleet {
        /// The size that was given.
        text: String,
    },
    /// The size is out of bounds.
    #[error("size {text:?}: a board is 1x1 to 50x50")]
    Size {
        /// The text that was given.
        text: String,
    },
    /// A word is neither a ship nor an option.
    #[error("{text:?} is neither a ship (a length, or name=length) nor one of touching=, turn=, announce=, ending=")]
    Item {
        /// The text that was given.
        text: String,
    },
    /// An option has no such value.
    #[error("{key}={value}: {key} is {expected}")]
    Value {
        /// The name of the option.
        key: &'static str,
        /// The value that was given.
        value: String,
        /// The values that are allowed.
        expected: &'static str,
    },
    /// An option is set twice.
    #[error("{key} is set twice")]
    Twice {
        /// The name of the option.
        key: &'static str,
    },
    /// The rules can be read, but not played.
    #[error(transparent)]
    Invalid(#[from] RulesError),
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Self, ParseRulesError> {
        Ok(text.parse::<RulesDraft>()?.check()?)
    }
}

impl FromStr for RulesDraft {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Self, ParseRulesError> {
        if text.len() > MAX_TEXT {
            return Err(ParseRulesError::TooLong);
        }
        let mut items = text.split(',').map(str::trim);
        let start = items.next().unwrap_or_default();
        let (mut draft, first_ship) = parse_start(start)?;
        let named_fleet = first_ship.is_some();
        if let Some(ship) = first_ship {
            draft.ships = vec![parse_ship(ship)?];
        }
        let mut seen = Vec::new();
        for item in items {
            match split_change(item) {
                Some((key, _)) if seen.contains(&key) => return Err(ParseRulesError::Twice { key }),
                Some((key, value)) => {
                    change(&mut draft, key, value)?;
                    seen.push(key);
                }
                None if named_fleet && seen.is_empty() => draft.ships.push(parse_ship(item)?),
                None => return Err(ParseRulesError::Item { text: shown(item) }),
            }
        }
        Ok(draft)
    }
}

fn parse_start(start: &str) -> Result<(RulesDraft, Option<&str>), ParseRulesError> {
    if let Some((_, preset)) = presets().into_iter().find(|(name, _)| start.eq_ignore_ascii_case(name)) {
        return Ok((preset, None));
    }
    let (size, ship) = match start.split_once(':') {
        Some((size, ship)) => (size, Some(ship)),
        None => (start, None),
    };
    let Some((width, height)) = size.trim().split_once(['x', 'X', '×']) else {
        return Err(ParseRulesError::Start { text: shown(start) });
    };
    let side = |text: &str| parse_number(text).and_then(|side| u8::try_from(side).ok());
    let size = match (side(width), side(height)) {
        (Some(width), Some(height)) => Size::new(width, height),
        _ => None,
    }
    .ok_or_else(|| ParseRulesError::Size { text: shown(size) })?;
    if ship.is_none() {
        return Err(ParseRulesError::NoFleet { text: size.to_string() });
    }
    let draft = RulesDraft { size, ..RulesDraft::classic() };
    Ok((draft, ship.map(str::trim)))
}

fn parse_ship(text: &str) -> Result<(String, u8), ParseRulesError> {
    let (name, length) = text.split_once('=').unwrap_or((text, text));
    let length = parse_number(length.trim())
        .and_then(|length| u8::try_from(length).ok())
        .ok_or_else(|| ParseRulesError::Item { text: shown(text) })?;
    Ok((shown(name.trim()), length))
}

/// Parses digits without a sign or a leading zero.
fn parse_number(text: &str) -> Option<u16> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| text.parse().ok()).flatten()?;
    (!text.starts_with('0') || number == 0).then_some(number)
}

fn split_change(item: &str) -> Option<(&'static str, &str)> {
    let (key, value) = item.split_once('=')?;
    let key = KEYS.into_iter().find(|known| known.eq_ignore_ascii_case(key.trim()))?;
    Some((key, value.trim()))
}

fn change(draft: &mut RulesDraft, key: &'static str, value: &str) -> Result<(), ParseRulesError> {
    let value = value.to_ascii_lowercase();
    let unknown = |expected| ParseRulesError::Value { key, value: shown(&value), expected };
    match key {
        "touching" => {
            draft.touching = parse_touching(&value).ok_or_else(|| unknown("allowed, corners or forbidden"))?;
        }
        "turn" => draft.turn = parse_turn(&value).ok_or_else(|| unknown("alternate, again, salvo or salvo:N"))?,
        "announce" => draft.announce = parse_announce(&value).ok_or_else(|| unknown("hit, sunk, which or named"))?,
        _ => draft.ending = parse_ending(&value).ok_or_else(|| unknown("at-once or equal"))?,
    }
    Ok(())
}

fn parse_touching(value: &str) -> Option<Touching> {
    [Touching::Allowed, Touching::Corners, Touching::Forbidden]
        .into_iter()
        .find(|touching| touching.to_string() == value)
}

fn parse_turn(value: &str) -> Option<Turn> {
    match value.split_once(':') {
        Some(("salvo", shots)) => parse_number(shots).map(Turn::Salvo),
        Some(_) => None,
        None => [Turn::Alternate, Turn::AgainOnHit, Turn::SalvoOfShipsAfloat]
            .into_iter()
            .find(|turn| turn.to_string() == value),
    }
}

fn parse_announce(value: &str) -> Option<Announce> {
    [Announce::Hit, Announce::Sunk, Announce::Which, Announce::Named]
        .into_iter()
        .find(|announce| announce.to_string() == value)
}

fn parse_ending(value: &str) -> Option<Ending> {
    [Ending::AtOnce, Ending::EqualTurns].into_iter().find(|ending| ending.to_string() == value)
}

/// The first characters of a text, for an error message.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

fn presets() -> [(&'static str, RulesDraft); 3] {
    [("classic", RulesDraft::classic()), ("russian", RulesDraft::russian()), ("salvo", RulesDraft::salvo())]
}

/// Prints the shortest form: the nearest preset of the same fleet and what differs, or the size and the fleet.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draft = &self.0.draft;
        let same_fleet = |preset: &RulesDraft| preset.size == draft.size && preset.ships == draft.ships;
        let nearest = presets()
            .into_iter()
            .filter(|(_, preset)| same_fleet(preset))
            .map(|(name, preset)| (name.to_owned(), changes(&preset, draft)))
            .min_by_key(|(_, changes)| changes.len());
        let (start, changes) = nearest.unwrap_or_else(|| {
            let start = format!("{}:{}", draft.size, fleet_text(&draft.ships));
            (start, changes(&RulesDraft::classic(), draft))
        });
        f.write_str(&start)?;
        changes.iter().try_for_each(|change| write!(f, ",{change}"))
    }
}

fn fleet_text(ships: &[(String, u8)]) -> String {
    let ship = |(name, length): &(String, u8)| {
        let length = length.to_string();
        if *name == length { length } else { format!("{name}={length}") }
    };
    ships.iter().map(ship).collect::<Vec<_>>().join(",")
}

fn changes(from: &RulesDraft, to: &RulesDraft) -> Vec<String> {
    let mut changes = Vec::new();
    if from.touching != to.touching {
        changes.push(format!("touching={}", to.touching));
    }
    if from.turn != to.turn {
        changes.push(format!("turn={}", to.turn));
    }
    if from.announce != to.announce {
        changes.push(format!("announce={}", to.announce));
    }
    if from.ending != to.ending {
        changes.push(format!("ending={}", to.ending));
    }
    changes
}

impl fmt::Display for Touching {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Allowed => "allowed",
            Self::Corners => "corners",
            Self::Forbidden => "forbidden",
        })
    }
}

impl fmt::Display for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Alternate => f.write_str("alternate"),
            Self::AgainOnHit => f.write_str("again"),
            Self::SalvoOfShipsAfloat => f.write_str("salvo"),
            Self::Salvo(shots) => write!(f, "salvo:{shots}"),
        }
    }
}

impl fmt::Display for Announce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Hit => "hit",
            Self::Sunk => "sunk",
            Self::Which => "which",
            Self::Named => "named",
        })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AtOnce => "at-once",
            Self::EqualTurns => "equal",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Rules;

    #[test]
    fn the_text_form_is_the_shortest_one() {
        let check = |text: &str, printed: &str| {
            let rules: Rules = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(rules.to_string(), printed);
            assert_eq!(printed.parse(), Ok(rules));
        };
        check("classic", "classic");
        check("russian", "russian");
        check("salvo", "salvo");
        check("Classic , Turn=Salvo", "salvo");
        check("salvo,turn=alternate", "classic");
        check("classic,touching=forbidden", "classic,touching=forbidden");
        check("salvo,ending=equal", "salvo,ending=equal");
        check("russian,touching=corners", "russian,touching=corners");
        check("8x8:4,3,2,2", "8x8:4,3,2,2");
        check("8x8:2,4,2,3", "8x8:4,3,2,2");
        check("10x10:5,4,3,3,2", "10x10:5,4,3,3,2");
        check("10×10:4,3,3,2,2,2,1,1,1,1,announce=sunk,turn=again,touching=forbidden", "russian");
        check("7x5:4,3,2,touching=corners,announce=sunk", "7x5:4,3,2,touching=corners,announce=sunk");
        check("classic,turn=salvo:3,announce=named,ending=at-once", "classic,turn=salvo:3,announce=named");
        check("6x6:scout=2,3,gun-boat=2,scout=2", "6x6:3,scout=2,scout=2,gun-boat=2");
        check("10x10:carrier=5,battleship=4,cruiser=3,submarine=3,destroyer=2", "classic");
        check("1x1:1", "1x1:1");
        check("50x50:50,50", "50x50:50,50");
    }

    #[test]
    fn bad_rules_are_refused_with_the_reason() {
        let check = |text: &str, reason: &str| {
            let error = text.parse::<Rules>().expect_err(text).to_string();
            assert!(error.contains(reason), "{text}: {error}");
        };
        check("", "start with classic");
        check("clasic", "start with classic");
        check("10x10", "10x10 needs a fleet, as in 10x10:4,3,2");
        check("51x3:2", "1x1 to 50x50");
        check("0x3:2", "1x1 to 50x50");
        check("999999999999x3:2", "1x1 to 50x50");
        check("8x8:", "neither a ship");
        check("8x8:0", "at least one cell");
        check("8x8:3,,2", "neither a ship");
        check("8x8:3,-2", "neither a ship");
        check("8x8:03", "neither a ship");
        check("8x8:turn=3", "ship name");
        check("8x8:Big=3", "ship name");
        check("8x8:4=3", "ship name");
        check("8x8:a=3,a=2", "all ships of one name");
        check("8x8:3,touching=maybe", "touching is allowed, corners or forbidden");
        check("8x8:3,turn=salvo:", "turn is alternate");
        check("8x8:3,turn=salvo:0", "1 to 2500 shots");
        check("8x8:3,announce=all", "announce is hit");
        check("8x8:3,ending=never", "ending is at-once");
        check("8x8:3,ending=equal,ending=equal", "set twice");
        check("8x8:3,ending=equal,3", "neither a ship");
        check("classic,3", "neither a ship");
        check("3x3:4", "more than a 3x3 board is long");
        check("3x3:3,3,3,1", "need 10 cells");
        check("3x3:1,1,1,1,1,touching=forbidden", "need 20 cells with the water");
        check("2x2:1,1,1,touching=corners", "no layout");
        check("6x6:4,4,4,4,4,4,4,4,4", "no layout");
    }

    #[test]
    fn the_two_presets_of_one_fleet_differ() {
        assert_ne!(Rules::classic(), Rules::salvo());
        assert_eq!(Rules::classic(), "classic".parse().unwrap());
    }
}
