//! What has happened in a game, as it is stored: a game is the fold over its events.

use seabattle_core::Side;
use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// One event with the time it happened and the command that led to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Event {
    pub(crate) at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) command: Option<String>,
    #[serde(flatten)]
    pub(crate) kind: EventKind,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(crate) enum EventKind {
    /// The first event of every game.
    Created(Box<Created>),
    /// A second person took the other seat.
    Joined {
        seat: String,
        name: Option<String>,
    },
    Placed {
        side: SideName,
        fleet: String,
    },
    /// `late`: the server fired by chance when the time was up.
    Fired {
        side: SideName,
        cells: Vec<String>,
        late: bool,
    },
    Resigned {
        side: SideName,
    },
    /// The time was up too often.
    OutOfTime {
        side: SideName,
    },
    /// Nobody came back.
    Abandoned,
    /// A side wants another game.
    Offered {
        side: SideName,
    },
    /// Both do: this is it.
    Rematch {
        game: String,
    },
}

/// How a game came to be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Created {
    pub(crate) rules: String,
    /// The level that plays side B, if no person does.
    pub(crate) computer: Option<String>,
    /// The side that the computer plays.
    pub(crate) computer_side: Option<SideName>,
    pub(crate) first: SideName,
    pub(crate) clock: Option<u16>,
    pub(crate) listed: bool,
    pub(crate) seats: [Option<Seat>; 2],
    /// Decides what the computer does.
    pub(crate) seed: u64,
    /// Hides the computer's fleet until the end.
    pub(crate) salt: String,
}

/// Who sits on a side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seat {
    /// Of the secret in the player's cookie.
    pub(crate) fingerprint: String,
    pub(crate) name: Option<String>,
}

/// A side in texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) enum SideName {
    A,
    B,
}

impl From<Side> for SideName {
    fn from(side: Side) -> Self {
        match side {
            Side::A => Self::A,
            Side::B => Self::B,
        }
    }
}

impl From<SideName> for Side {
    fn from(letter: SideName) -> Self {
        match letter {
            SideName::A => Self::A,
            SideName::B => Self::B,
        }
    }
}
