//! Fields of a protocol line: names with values, such as the rules of a game.

use seabattle_core::{ParseRulesError, Rules};
use thiserror::Error;

use super::shown;

/// Why the fields of a line cannot be read as rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FieldsError {
    /// A field has no value.
    #[error("the field {name:?} has no value")]
    NoValue {
        /// The name of the field.
        name: String,
    },
    /// A required field is missing.
    #[error("the field `{name}` is missing")]
    Missing {
        /// The name of the field.
        name: &'static str,
    },
    /// A value is not a number.
    #[error("the field `{name}` is a number, not {value:?}")]
    NotANumber {
        /// The name of the field.
        name: &'static str,
        /// The value.
        value: String,
    },
    /// The values are not legal rules.
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
}

/// The fields of a line: pairs of names and values.
pub(super) struct Fields<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Fields<'a> {
    pub(super) fn parse(text: &'a str) -> Result<Self, FieldsError> {
        let mut words = text.split_whitespace();
        let mut fields = Vec::new();
        while let Some(name) = words.next() {
            let value = words.next().ok_or_else(|| FieldsError::NoValue { name: shown(name) })?;
            fields.push((name, value));
        }
        Ok(Self(fields))
    }

    pub(super) fn get(&self, name: &'static str) -> Result<&'a str, FieldsError> {
        self.find(name).ok_or(FieldsError::Missing { name })
    }

    pub(super) fn find(&self, name: &str) -> Option<&'a str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    pub(super) fn rules(&self) -> Result<Rules, FieldsError> {
        let ships = self.get("fleet")?.replace(':', "=");
        let ships: Vec<&str> = ships.split(',').map(by_length_alone).collect();
        let switch = |name: &'static str| self.get(name).map(|value| format!(",{name}={value}"));
        let switches: String =
            ["touching", "turn", "announce", "ending"].map(switch).into_iter().collect::<Result<_, _>>()?;
        Ok(format!("{}:{}{switches}", self.get("size")?, ships.join(",")).parse()?)
    }

    pub(super) fn number(&self, name: &'static str) -> Result<u64, FieldsError> {
        let value = self.get(name)?;
        value.parse().map_err(|_| FieldsError::NotANumber { name, value: shown(value) })
    }
}

/// The text form of a ship in rules, which omits a name that equals the length.
fn by_length_alone(ship: &str) -> &str {
    match ship.split_once('=') {
        Some((name, length)) if name == length => length,
        _ => ship,
    }
}

/// The fields that describe rules.
pub(super) fn of_rules(rules: &Rules) -> String {
    let draft = rules.draft();
    let ships: Vec<String> = draft.ships.iter().map(|(name, length)| format!("{name}:{length}")).collect();
    format!(
        "size {} fleet {} touching {} turn {} announce {} ending {}",
        draft.size,
        ships.join(","),
        draft.touching,
        draft.turn,
        draft.announce,
        draft.ending
    )
}
