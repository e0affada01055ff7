//! The stored events of a game. The state of a room is the fold over its events.

use seabattle_core::Side;
use serde::{Deserialize, Serialize};

use crate::timestamp::Timestamp;

/// An event with its time and the command that caused it.
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
    /// A second person joined.
    Joined {
        seat: String,
        name: Option<String>,
    },
    Placed {
        side: SideName,
        fleet: String,
    },
    /// A volley. `late` means that the time was up and the server fired at random.
    Fired {
        side: SideName,
        cells: Vec<String>,
        late: bool,
    },
    Resigned {
        side: SideName,
    },
    /// A side lost because its time was up too often.
    OutOfTime {
        side: SideName,
    },
    /// Nobody came back to an unfinished game.
    Abandoned,
    /// A side offered a rematch.
    Offered {
        side: SideName,
    },
    /// Both sides offered a rematch, and it was created.
    Rematch {
        game: String,
    },
}

/// The first event of a game, with its settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Created {
    pub(crate) rules: String,
    /// The id of the computer opponent, if there is one.
    pub(crate) computer: Option<String>,
    /// The side that the computer plays.
    pub(crate) computer_side: Option<SideName>,
    pub(crate) first: SideName,
    pub(crate) clock: Option<u16>,
    pub(crate) listed: bool,
    pub(crate) seats: [Option<Seat>; 2],
    /// The seed of the computer's random choices.
    pub(crate) seed: u64,
    /// The salt of the commitment to the computer's fleet.
    pub(crate) salt: String,
}

/// The person on one side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seat {
    /// The hash of the secret in the player's cookie.
    pub(crate) fingerprint: String,
    pub(crate) name: Option<String>,
}

/// A side as JSON writes it: `A` or `B`.
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
    fn from(name: SideName) -> Self {
        match name {
            SideName::A => Self::A,
            SideName::B => Self::B,
        }
    }
}
