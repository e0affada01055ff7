//! A room: one game with its seats. Commands become events, and events change the room. It has no clock, store or
//! network.

use std::collections::VecDeque;

use seabattle_core::{BySide, Cell, End, Fleet, Game, Rules, Side, Stop};

use crate::api_error::ApiError;
use crate::rooms::command::{Command, CommandKind, MAX_COMMAND_ID};
use crate::rooms::event::{Created, Event, EventKind, Seat, SideName};
use crate::rooms::placement::read_fleet;
use crate::timestamp::Timestamp;

/// How many command ids a room remembers. Clients repeat commands that got no answer.
const RECENT_COMMANDS: usize = 64;

/// A game without events for this long ends, in milliseconds.
const ABANDONED_AFTER: u64 = 24 * HOUR;
const HOUR: u64 = 3_600_000;

/// A player loses after this many consecutive timeouts.
const MAX_TIMEOUTS: u8 = 2;

/// The stored events of a game are impossible, so it cannot be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("event {number} of the game is impossible")]
pub(crate) struct CorruptLog {
    number: u64,
}

/// One game with its seats. Equal events give an equal room.
#[derive(Debug, Clone)]
pub(crate) struct Room {
    pub(crate) id: String,
    pub(crate) rules: Rules,
    pub(crate) created: Created,
    pub(crate) created_at: Timestamp,
    /// The time of the last event.
    pub(crate) updated: Timestamp,
    pub(crate) revision: u64,
    pub(crate) seats: BySide<Option<Seat>>,
    pub(crate) fleets: BySide<Option<Fleet>>,
    pub(crate) game: Option<Game>,
    /// The end of a game that ended before both fleets were placed.
    end_before_battle: Option<End>,
    pub(crate) deadline: Option<Timestamp>,
    timeouts: BySide<u8>,
    pub(crate) rematch_offers: BySide<bool>,
    pub(crate) rematch_game: Option<String>,
    recent_commands: VecDeque<(Side, String)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stage {
    Waiting,
    Placing,
    Battle,
    Over,
}

/// An action that happens without a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PendingAction {
    /// The computer fires its volley.
    ComputerMove,
    /// The time for a shot runs out.
    ExpireClock,
    /// Nobody came back, and the game ends.
    Abandon,
}

impl Room {
    /// The room after its first event.
    fn begin(id: &str, rules: Rules, event: &Event) -> Result<Self, CorruptLog> {
        let EventKind::Created(created) = &event.kind else { return Err(CorruptLog { number: 0 }) };
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
            end_before_battle: None,
            deadline: None,
            timeouts: BySide { a: 0, b: 0 },
            rematch_offers: BySide { a: false, b: false },
            rematch_game: None,
            recent_commands: VecDeque::new(),
        })
    }

    /// The room after all its events, the first of which names these rules.
    pub(crate) fn replay(id: &str, rules: Rules, events: &[Event]) -> Result<Self, CorruptLog> {
        let (first, more) = events.split_first().ok_or(CorruptLog { number: 0 })?;
        let mut room = Self::begin(id, rules, first)?;
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
        self.end_before_battle.or_else(|| self.game.as_ref()?.end())
    }

    pub(crate) fn side_to_move(&self) -> Option<Side> {
        self.end().is_none().then(|| self.game.as_ref()?.side_to_move())?
    }

    fn is_full(&self) -> bool {
        Side::ALL.into_iter().all(|side| self.seats[side].is_some() || self.computer() == Some(side))
    }

    /// The side whose seat has this fingerprint.
    pub(crate) fn seat_of(&self, fingerprint: &str) -> Option<Side> {
        let has_seat = |side: &Side| self.seats[*side].as_ref().is_some_and(|seat| seat.fingerprint == fingerprint);
        Side::ALL.into_iter().find(has_seat)
    }

    /// Whether a command was executed before. A repeated command has no effect.
    pub(crate) fn has_executed(&self, side: Side, command: &str) -> bool {
        self.recent_commands.iter().any(|(by, name)| *by == side && name == command)
    }

    /// Decides a command: the events it causes, or why it is not allowed.
    pub(crate) fn decide(&self, side: Side, command: &Command, now: Timestamp) -> Result<Vec<Event>, ApiError> {
        if command.command.is_empty() || command.command.len() > MAX_COMMAND_ID {
            return Err(ApiError::bad_request("command", "the id of a command has 1 to 64 characters"));
        }
        if self.has_executed(side, &command.command) {
            return Ok(Vec::new());
        }
        let kind = match &command.kind {
            CommandKind::Place { fleet } => self.place(side, fleet)?,
            CommandKind::Shoot { cells } => self.shoot(side, cells)?,
            CommandKind::Resign if self.end().is_some() => return Err(ApiError::conflict("over", "the game is over")),
            CommandKind::Resign => EventKind::Resigned { side: side.into() },
            CommandKind::Rematch if self.end().is_none() => {
                return Err(ApiError::conflict("not-over", "the game is not over yet"));
            }
            // A second offer changes nothing, so it is not stored.
            CommandKind::Rematch if self.rematch_offers[side] => return Ok(Vec::new()),
            CommandKind::Rematch => EventKind::Offered { side: side.into() },
        };
        Ok(vec![Event { at: now, command: Some(command.command.clone()), kind }])
    }

    fn place(&self, side: Side, fleet: &str) -> Result<EventKind, ApiError> {
        if self.stage() == Stage::Over {
            return Err(ApiError::conflict("over", "the game is over"));
        }
        if self.fleets[side].is_some() {
            return Err(ApiError::conflict("placed", "you have already placed your fleet"));
        }
        let fleet = read_fleet(&self.rules, fleet)?;
        Ok(EventKind::Placed { side: side.into(), fleet: fleet.to_string() })
    }

    fn shoot(&self, side: Side, cells: &[String]) -> Result<EventKind, ApiError> {
        let Some(game) = self.game.as_ref().filter(|_| self.end().is_none()) else {
            let (code, reason) = match self.end() {
                Some(_) => ("over", "the game is over"),
                None => ("not-begun", "both fleets must be placed first"),
            };
            return Err(ApiError::conflict(code, reason));
        };
        if game.side_to_move() != Some(side) {
            return Err(ApiError::conflict("not-your-turn", "it is not your turn"));
        }
        if cells.len() > self.rules.size().area() {
            return Err(ApiError::bad_request("cells", "there are more shots than cells on the board"));
        }
        let cells = read_cells(cells)?;
        game.clone().fire(side, &cells).map_err(|error| ApiError::bad_request("shot", &error.to_string()))?;
        Ok(EventKind::Fired { side: side.into(), cells: cells.iter().map(Cell::to_string).collect(), late: false })
    }

    /// The next action that happens without a command, and its time.
    pub(crate) fn pending_action(&self) -> Option<(PendingAction, Timestamp)> {
        if self.end().is_some() {
            return None;
        }
        if self.side_to_move().is_some() && self.side_to_move() == self.computer() {
            return Some((PendingAction::ComputerMove, self.updated));
        }
        Some(
            self.deadline.map_or((PendingAction::Abandon, self.abandon_time()), |deadline| {
                (PendingAction::ExpireClock, deadline)
            }),
        )
    }

    /// The time at which an abandoned game ends. It is a whole hour, so that the stored time seldom changes.
    fn abandon_time(&self) -> Timestamp {
        Timestamp((self.updated.0 + ABANDONED_AFTER).next_multiple_of(HOUR))
    }

    /// The event that ends an abandoned game, if it is time.
    pub(crate) fn abandon(&self, now: Timestamp) -> Vec<Event> {
        match self.pending_action() {
            Some((PendingAction::Abandon, due)) if due <= now => {
                vec![Event { at: now, command: None, kind: EventKind::Abandoned }]
            }
            _ => Vec::new(),
        }
    }

    /// The event that follows when the time for a shot is up: a random volley, or a loss after too many.
    pub(crate) fn expire(&self, now: Timestamp, cells: impl FnOnce(&Game, Side) -> Vec<Cell>) -> Vec<Event> {
        let (Some(deadline), Some(game), Some(side)) = (self.deadline, self.game.as_ref(), self.side_to_move()) else {
            return Vec::new();
        };
        if now < deadline {
            return Vec::new();
        }
        let kind = if self.timeouts[side] + 1 >= MAX_TIMEOUTS {
            EventKind::OutOfTime { side: side.into() }
        } else {
            let cells = cells(game, side).iter().map(Cell::to_string).collect();
            EventKind::Fired { side: side.into(), cells, late: true }
        };
        vec![Event { at: now, command: None, kind }]
    }

    /// Applies an event to the room. An impossible event is an error.
    pub(crate) fn apply(&mut self, event: &Event) -> Result<(), CorruptLog> {
        let corrupt = CorruptLog { number: self.revision };
        self.apply_kind(event).ok_or(corrupt)?;
        self.revision += 1;
        self.updated = event.at;
        self.remember_command(event);
        self.set_deadline(event.at);
        Ok(())
    }

    fn apply_kind(&mut self, event: &Event) -> Option<()> {
        match &event.kind {
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
                self.timeouts[side] = if *late { self.timeouts[side] + 1 } else { 0 };
            }
            EventKind::Resigned { side } => self.stop(Stop::Resign((*side).into())),
            EventKind::OutOfTime { side } => self.stop(Stop::OutOfTime((*side).into())),
            EventKind::Abandoned => self.stop(Stop::Abandon),
            EventKind::Offered { side } => self.rematch_offers[Side::from(*side)] = true,
            EventKind::Rematch { game } => self.rematch_game = Some(game.clone()),
        }
        Some(())
    }

    fn begin_battle(&mut self) {
        if let BySide { a: Some(a), b: Some(b) } = &self.fleets {
            self.game = Game::new(BySide { a: a.clone(), b: b.clone() }, self.created.first.into()).ok();
        }
    }

    fn stop(&mut self, stop: Stop) {
        match &mut self.game {
            Some(game) => game.stop(stop),
            None => self.end_before_battle = Some(end_before_battle(stop)),
        }
    }

    fn remember_command(&mut self, event: &Event) {
        let (Some(command), Some(side)) = (&event.command, event.kind.author()) else { return };
        self.recent_commands.push_back((side, command.clone()));
        if self.recent_commands.len() > RECENT_COMMANDS {
            self.recent_commands.pop_front();
        }
    }

    /// Sets the deadline of the next shot. Only people have a clock.
    fn set_deadline(&mut self, now: Timestamp) {
        let human = self.side_to_move().filter(|&side| self.computer() != Some(side));
        self.deadline = human.and(self.created.clock).map(|seconds| now.plus_seconds(seconds));
    }
}

fn end_before_battle(stop: Stop) -> End {
    use seabattle_core::Termination;
    let lost = |side: Side, termination| End { winner: Some(side.other()), termination };
    match stop {
        Stop::Resign(side) => lost(side, Termination::Resigned),
        Stop::OutOfTime(side) => lost(side, Termination::OutOfTime),
        Stop::Fault(side) => lost(side, Termination::Fault),
        Stop::Abandon => End { winner: None, termination: Termination::Abandoned },
    }
}

impl EventKind {
    fn author(&self) -> Option<Side> {
        match self {
            Self::Placed { side, .. } | Self::Fired { side, .. } | Self::Resigned { side } | Self::Offered { side } => {
                Some((*side).into())
            }
            Self::Joined { .. } => Some(SideName::B.into()),
            Self::Created(_) | Self::OutOfTime { .. } | Self::Abandoned | Self::Rematch { .. } => None,
        }
    }
}

/// The rules of a game, from its first event.
pub(crate) fn read_rules(events: &[Event]) -> Result<Rules, CorruptLog> {
    let rules = match &events.first().ok_or(CorruptLog { number: 0 })?.kind {
        EventKind::Created(created) => created.rules.parse().ok(),
        _ => None,
    };
    rules.ok_or(CorruptLog { number: 0 })
}

fn read_cells(cells: &[String]) -> Result<Vec<Cell>, ApiError> {
    let read = |text: &String| {
        text.parse().map_err(|_| ApiError::bad_request("cells", "a cell is a letter and a number, such as B7"))
    };
    cells.iter().map(read).collect()
}
