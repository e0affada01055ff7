//! The stored form of what lists show of a game.

use serde::Deserialize;

use super::{Listing, StoreError};
use crate::rooms::view::{ComputerOpponent, PerSide};
use crate::timestamp::Timestamp;

impl Listing {
    pub(super) fn text(&self) -> String {
        serde_json::json!({
            "rules": self.rules, "name": self.name, "names": self.names, "computer": self.computer,
            "clock": self.clock, "winner": self.winner,
        })
        .to_string()
    }

    pub(super) fn read(id: &str, created: i64, text: &str) -> Result<Self, StoreError> {
        let unreadable = || StoreError::Unreadable { game: id.to_owned() };
        let value: serde_json::Value = serde_json::from_str(text).map_err(|_| unreadable())?;
        let word = |name: &str| value[name].as_str().map(str::to_owned);
        let name_of = |side: &str| value["names"][side].as_str().map(str::to_owned);
        let computer = ComputerOpponent::deserialize(&value["computer"]).ok();
        Ok(Self {
            id: id.to_owned(),
            rules: word("rules").ok_or_else(unreadable)?,
            name: word("name"),
            names: PerSide { a: name_of("A"), b: name_of("B") },
            computer,
            clock: value["clock"].as_u64().and_then(|clock| u16::try_from(clock).ok()),
            created: Timestamp(created.cast_unsigned()),
            winner: word("winner"),
        })
    }
}
