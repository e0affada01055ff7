//! One game with its seats: commands in, events out, events in, a newer room out. No clock, no store, no network.

use std::collections::VecDeque;

use seabattle_core::{BySide, Cell, End, Fleet, Game, Rules, Side, Stop};

use crate::rooms::command::{ApiError, Command, CommandKind, LONGEST_COMMAND};
use crate::rooms::event::{Created, Event, EventKind, Seat, SideName};
use crate::rooms::placement::read_fleet;
use crate::timestamp::Timestamp;

/// Commands that are remembered: a client repeats the last ones it is not sure of.
const REMEMBERED: usize = 64;

/// A game that nobody has touched for so long is over.
const ABANDONED_AFTER: u64 = 24 * HOUR;
const HOUR: u64 = 3_600_000;

/// So many shots in a row fired by the server lose the game.
const LATE_SHOTS: u8 = 2;

/// A game that cannot be read: its events are not those of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {number} of the game cannot have happened")]
pub(crate) struct CorruptLog {
    number: u64,
}

#[derive(Debug, Clone)]
pub(crate) struct Room {
    pub(crate) id: String,
    pub(crate) rules: Rules,
    pub(crate) created: Created,
    pub(crate) created_at: Timestamp,
    /// When the last event happened.
    pub(crate) updated: Timestamp,
    pub(crate) revision: u64,
    pub(crate) seats: BySide<Option<Seat>>,
    pub(crate) fleets: BySide<Option<Fleet>>,
    pub(crate) game: Option<Game>,
    /// An end that no game knows of: nobody had placed yet.
    early_end: Option<End>,
    pub(crate) deadline: Option<Timestamp>,
    late: BySide<u8>,
    pub(crate) offered: BySide<bool>,
    pub(crate) rematch: Option<String>,
    done: VecDeque<(Side, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Waiting,
    Placing,
    Battle,
    Over,
}

/// What has to happen although nobody asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PendingAction {
    /// The computer fires.
    ComputerMove,
    /// The time for a shot is up.
    ExpireClock,
    /// Nobody came back.
    Abandon,
}

impl Room {
    /// The room after its first event.
    pub(crate) fn begin(id: &str, event: &Event) -> Result<Self, CorruptLog> {
        let spoilt = CorruptLog { number: 0 };
        let EventKind::Created(created) = &event.what else { return Err(spoilt) };
        let rules: Rules = created.rules.parse().map_err(|_| spoilt)?;
        let [a, b] = created.seats.clone();
        Ok(Self {
            id: id.to_owned(),
            rules,
            created: created.as_ref().clone(),
            created_at: event.at,
            updated: event.at,
            revision: 1,
            seats: BySide { a, b },
            fleets: BySide { a: None, b: None },
            game: None,
            early_end: None,
            deadline: None,
            late: BySide { a: 0, b: 0 },
            offered: BySide { a: false, b: false },
            rematch: None,
            done: VecDeque::new(),
        })
    }

    /// The room after all its events.
    pub(crate) fn replay(id: &str, events: &[Event]) -> Result<Self, CorruptLog> {
        let (first, more) = events.split_first().ok_or(CorruptLog { number: 0 })?;
        let mut room = Self::begin(id, first)?;
        for event in more {
            room.apply(event)?;
        }
        Ok(room)
    }

    pub(crate) fn computer(&self) -> Option<Side> {
        self.created.computer_side.map(Side::from)
    }

    pub(crate) fn stage(&self) -> Stage {
        if self.end().is_some() {
            Stage::Over
        } else if self.game.is_some() {
            Stage::Battle
        } else if self.is_full() {
            Stage::Placing
        } else {
            Stage::Waiting
        }
    }

    pub(crate) fn end(&self) -> Option<End> {
        self.early_end.or_else(|| self.game.as_ref()?.end())
    }

    pub(crate) fn side_to_move(&self) -> Option<Side> {
        self.end().is_none().then(|| self.game.as_ref()?.side_to_move())?
    }

    fn is_full(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.seats[side].is_some() || self.computer() == Some(side))
    }

    /// The side whose secret this is.
    pub(crate) fn seat_of(&self, fingerprint: &str) -> Option<Side> {
        let sits = |side: &Side| self.seats[*side].as_ref().is_some_and(|seat| seat.fingerprint == fingerprint);
        Side::ALL.into_iter().find(sits)
    }

    /// Whether the command was done before: then it is answered, not done again.
    pub(crate) fn has_done(&self, side: Side, command: &str) -> bool {
        self.done.iter().any(|(by, name)| *by == side && name == command)
    }

    /// What follows from a command, or why nothing does.
    pub(crate) fn decide(&self, side: Side, command: &Command, now: Timestamp) -> Result<Vec<Event>, ApiError> {
        if command.command.is_empty() || command.command.len() > LONGEST_COMMAND {
            return Err(ApiError::wrong("command", "a command has a name of 1 to 64 characters"));
        }
        if self.has_done(side, &command.command) {
            return Ok(Vec::new());
        }
        let what = match &command.kind {
            CommandKind::Place { fleet } => self.place(side, fleet)?,
            CommandKind::Shoot { cells } => self.shoot(side, cells)?,
            CommandKind::Resign if self.end().is_some() => return Err(ApiError::conflict("over", "the game is over")),
            CommandKind::Resign => EventKind::Resigned { side: side.into() },
            CommandKind::Rematch if self.end().is_none() => {
                return Err(ApiError::conflict("not-over", "the game is not over yet"));
            }
            CommandKind::Rematch => EventKind::Offered { side: side.into() },
        };
        Ok(vec![Event { at: now, command: Some(command.command.clone()), what }])
    }

    fn place(&self, side: Side, fleet: &str) -> Result<EventKind, ApiError> {
        if self.stage() == Stage::Over {
            return Err(ApiError::conflict("over", "the game is over"));
        }
        if self.fleets[side].is_some() {
            return Err(ApiError::conflict("placed", "your fleet is placed already"));
        }
        let fleet = read_fleet(&self.rules, fleet)?;
        Ok(EventKind::Placed { side: side.into(), fleet: fleet.to_string() })
    }

    fn shoot(&self, side: Side, cells: &[String]) -> Result<EventKind, ApiError> {
        let Some(game) = self.game.as_ref().filter(|_| self.end().is_none()) else {
            let over = self.end().is_some();
            let why =
                if over { ("over", "the game is over") } else { ("not-begun", "both fleets must be placed first") };
            return Err(ApiError::conflict(why.0, why.1));
        };
        if game.side_to_move() != Some(side) {
            return Err(ApiError::conflict("not-your-turn", "it is not your turn"));
        }
        if cells.len() > self.rules.size().area() {
            return Err(ApiError::wrong("cells", "more shots than the board has cells"));
        }
        let cells = read_cells(cells)?;
        game.clone().fire(side, &cells).map_err(|error| ApiError::wrong("shot", &error.to_string()))?;
        Ok(EventKind::Fired { side: side.into(), cells: cells.iter().map(Cell::to_string).collect(), late: false })
    }

    /// What has to happen by itself next, and when.
    pub(crate) fn duty(&self) -> Option<(PendingAction, Timestamp)> {
        if self.end().is_some() {
            return None;
        }
        if self.side_to_move().is_some() && self.side_to_move() == self.computer() {
            return Some((PendingAction::ComputerMove, self.updated));
        }
        Some(
            self.deadline.map_or((PendingAction::Abandon, self.abandonment()), |deadline| {
                (PendingAction::ExpireClock, deadline)
            }),
        )
    }

    /// A whole hour, so that what is stored of it seldom changes.
    fn abandonment(&self) -> Timestamp {
        Timestamp((self.updated.0 + ABANDONED_AFTER).next_multiple_of(HOUR))
    }

    /// What follows when nobody came back.
    pub(crate) fn abandon(&self, now: Timestamp) -> Vec<Event> {
        match self.duty() {
            Some((PendingAction::Abandon, due)) if due <= now => {
                vec![Event { at: now, command: None, what: EventKind::Abandoned }]
            }
            _ => Vec::new(),
        }
    }

    /// What follows from a time that is up.
    pub(crate) fn expire(&self, now: Timestamp, cells: impl FnOnce(&Game, Side) -> Vec<Cell>) -> Vec<Event> {
        let (Some(deadline), Some(game), Some(side)) = (self.deadline, self.game.as_ref(), self.side_to_move()) else {
            return Vec::new();
        };
        if now < deadline {
            return Vec::new();
        }
        let what = if self.late[side] + 1 >= LATE_SHOTS {
            EventKind::OutOfTime { side: side.into() }
        } else {
            let cells = cells(game, side).iter().map(Cell::to_string).collect();
            EventKind::Fired { side: side.into(), cells, late: true }
        };
        vec![Event { at: now, command: None, what }]
    }

    /// Takes an event in; one that cannot have happened is refused.
    pub(crate) fn apply(&mut self, event: &Event) -> Result<(), CorruptLog> {
        let spoilt = CorruptLog { number: self.revision };
        self.fold(event).ok_or(spoilt)?;
        self.revision += 1;
        self.updated = event.at;
        self.remember(event);
        self.set_deadline(event.at);
        Ok(())
    }

    fn fold(&mut self, event: &Event) -> Option<()> {
        match &event.what {
            EventKind::Created(_) => return None,
            EventKind::Joined { seat, name } => {
                self.seats[Side::B] = Some(Seat { fingerprint: seat.clone(), name: name.clone() });
            }
            EventKind::Placed { side, fleet } => {
                self.fleets[Side::from(*side)] = Some(Fleet::parse(&self.rules, fleet).ok()?);
                self.begin_battle();
            }
            EventKind::Fired { side, cells, late } => {
                let side = Side::from(*side);
                let cells = read_cells(cells).ok()?;
                self.game.as_mut()?.fire(side, &cells).ok()?;
                self.late[side] = if *late { self.late[side] + 1 } else { 0 };
            }
            EventKind::Resigned { side } => self.stop(Stop::Resign((*side).into())),
            EventKind::OutOfTime { side } => self.stop(Stop::OutOfTime((*side).into())),
            EventKind::Abandoned => self.stop(Stop::Abandon),
            EventKind::Offered { side } => self.offered[Side::from(*side)] = true,
            EventKind::Rematch { game } => self.rematch = Some(game.clone()),
        }
        Some(())
    }

    fn begin_battle(&mut self) {
        if let BySide { a: Some(a), b: Some(b) } = &self.fleets {
            self.game = Game::new(BySide { a: a.clone(), b: b.clone() }, self.created.first.into()).ok();
        }
    }

    fn stop(&mut self, why: Stop) {
        match &mut self.game {
            Some(game) => game.stop(why),
            None => self.early_end = Some(early_end(why)),
        }
    }

    fn remember(&mut self, event: &Event) {
        let (Some(command), Some(side)) = (&event.command, event.what.by()) else { return };
        self.done.push_back((side, command.clone()));
        if self.done.len() > REMEMBERED {
            self.done.pop_front();
        }
    }

    /// People have a clock, computers have none.
    fn set_deadline(&mut self, now: Timestamp) {
        let person = self.side_to_move().filter(|&side| self.computer() != Some(side));
        self.deadline = person.and(self.created.clock).map(|seconds| now.after(seconds));
    }
}

fn early_end(why: Stop) -> End {
    use seabattle_core::Termination;
    let lost = |side: Side, termination| End { winner: Some(side.other()), termination };
    match why {
        Stop::Resign(side) => lost(side, Termination::Resigned),
        Stop::OutOfTime(side) => lost(side, Termination::OutOfTime),
        Stop::Fault(side) => lost(side, Termination::Fault),
        Stop::Abandon => End { winner: None, termination: Termination::Abandoned },
    }
}

impl EventKind {
    fn by(&self) -> Option<Side> {
        match self {
            Self::Placed { side, .. } | Self::Fired { side, .. } | Self::Resigned { side } | Self::Offered { side } => {
                Some((*side).into())
            }
            Self::Joined { .. } => Some(SideName::B.into()),
            Self::Created(_) | Self::OutOfTime { .. } | Self::Abandoned | Self::Rematch { .. } => None,
        }
    }
}

fn read_cells(cells: &[String]) -> Result<Vec<Cell>, ApiError> {
    let read = |text: &String| {
        text.parse().map_err(|_| ApiError::wrong("cells", "a cell is a letter and a number, such as B7"))
    };
    cells.iter().map(read).collect()
}
