//! Names and values of a line: the rules of a game.

use seabattle_core::{ParseRulesError, Rules};
use thiserror::Error;

use super::shown;

/// Why fields are no rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FieldsError {
    /// A name with no value.
    #[error("the field {name:?} has no value")]
    NoValue {
        /// Of the field.
        name: String,
    },
    /// A field that must be there.
    #[error("the field `{name}` is missing")]
    Missing {
        /// Of the field.
        name: &'static str,
    },
    /// A value that is no number.
    #[error("the field `{name}` is a number, not {value:?}")]
    NotANumber {
        /// Of the field.
        name: &'static str,
        /// What stood there.
        value: String,
    },
    /// Values that are no rules.
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
}

/// Names and values, in pairs.
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

/// A ship called by its length, as rules have it.
fn by_length_alone(ship: &str) -> &str {
    match ship.split_once('=') {
        Some((name, length)) if name == length => length,
        _ => ship,
    }
}

/// The fields of some rules.
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
