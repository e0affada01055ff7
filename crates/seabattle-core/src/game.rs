//! A game between two fleets: accepts legal shots, answers them, and knows when it is over.

mod board;
mod turn_order;

use std::fmt;

use thiserror::Error;

use crate::view::Own;
use crate::{BySide, Cell, Ending, Fleet, Knowledge, Outcome, Rules, Shot, Side, Size, Turn, View};

pub(crate) use board::Board;
pub(crate) use turn_order::{TurnOrder, volley};

/// A game from the first shot to its end. Both fleets are complete before it exists.
///
/// ```
/// use seabattle_core::{BySide, Fleet, Game, Rules, Side};
///
/// let rules: Rules = "2x1:1".parse()?;
/// let fleets = BySide {
///     a: Fleet::parse(&rules, "1 A1")?,
///     b: Fleet::parse(&rules, "1 B1")?,
/// };
/// let mut game = Game::new(fleets, Side::A)?;
/// assert!(!game.fire(Side::A, &["A1".parse()?])?[0].outcome.is_hit());
/// assert!(game.fire(Side::A, &["B1".parse()?]).is_err(), "it is B's turn");
/// game.fire(Side::B, &["A1".parse()?])?;
/// assert_eq!(game.end().and_then(|end| end.winner), Some(Side::B));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    boards: BySide<Board>,
    turn_order: TurnOrder,
    turns: Vec<TurnLength>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TurnLength {
    side: Side,
    shots: u16,
}

/// How a game came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct End {
    /// Who won; `None` for a draw or a game without a result.
    pub winner: Option<Side>,
    /// How it came to that.
    pub termination: Termination,
}

/// How a game came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Termination {
    /// A fleet was sunk, or both with equal turns.
    Sunk,
    /// A side gave up.
    Resigned,
    /// A side used up its time.
    OutOfTime,
    /// A player failed: an illegal shot, a crash, silence.
    Fault,
    /// The game was left unfinished.
    Abandoned,
}

impl Termination {
    /// Every way.
    pub const ALL: [Self; 5] = [Self::Sunk, Self::Resigned, Self::OutOfTime, Self::Fault, Self::Abandoned];
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sunk => "sunk",
            Self::Resigned => "resigned",
            Self::OutOfTime => "time",
            Self::Fault => "fault",
            Self::Abandoned => "abandoned",
        })
    }
}

/// A reason to stop a game before a fleet is sunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// This side gives up.
    Resign(Side),
    /// This side has used up its time.
    OutOfTime(Side),
    /// The player of this side has failed.
    Fault(Side),
    /// Nobody goes on.
    Abandon,
}

/// Two fleets made under different rules cannot meet.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("one fleet was made for {a}, the other for {b}")]
pub struct RulesMismatch {
    a: Rules,
    b: Rules,
}

/// Why shots were refused. Nothing has changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FireError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// It is the other side's turn.
    #[error("it is not {side}'s turn")]
    NotYourTurn {
        /// Who fired.
        side: Side,
    },
    /// Too many or too few shots for this turn.
    #[error("the number of shots in this turn is {due}, not {given}")]
    WrongCount {
        /// What the rules give.
        due: usize,
        /// What was fired.
        given: usize,
    },
    /// Off the board.
    #[error("{cell} is outside the {size} board")]
    Outside {
        /// Of the shot.
        cell: Cell,
        /// Of the board.
        size: Size,
    },
    /// Shot at before, or twice in one salvo.
    #[error("{cell} has been shot at before")]
    Repeated {
        /// Of the shot.
        cell: Cell,
    },
}

impl Game {
    /// A game between two complete fleets.
    pub fn new(fleets: BySide<Fleet>, first: Side) -> Result<Self, RulesMismatch> {
        if fleets.a.rules() != fleets.b.rules() {
            return Err(RulesMismatch { a: fleets.a.rules().clone(), b: fleets.b.rules().clone() });
        }
        let most_turns = 2 * fleets.a.rules().size().area();
        Ok(Self {
            boards: fleets.map(Board::new),
            turn_order: TurnOrder::new(first),
            turns: Vec::with_capacity(most_turns),
        })
    }

    /// The rules of the game.
    #[inline]
    pub fn rules(&self) -> &Rules {
        self.boards.a.fleet.rules()
    }

    /// The side that began.
    #[inline]
    pub fn first(&self) -> Side {
        self.turn_order.first()
    }

    /// The side to fire; `None` when the game is over.
    #[inline]
    pub fn side_to_move(&self) -> Option<Side> {
        self.turn_order.side_to_move()
    }

    /// How many shots the side to fire has in this volley; 0 when the game is over.
    #[inline]
    pub fn shots_due(&self) -> usize {
        let Some(side) = self.side_to_move() else { return 0 };
        // With equal turns both volleys of a round are as strong as when it began.
        let afloat = match self.rules().ending() {
            Ending::AtOnce => self.boards[side].afloat,
            Ending::EqualTurns => self.boards[side].afloat_at_round,
        };
        volley(self.rules(), afloat, self.knowledge(side).open().len())
    }

    /// How the game came out; `None` while it goes on.
    #[inline]
    pub fn end(&self) -> Option<End> {
        self.turn_order.end()
    }

    /// Fires a volley and answers it, or changes nothing and says why not.
    ///
    /// A volley has [`Game::shots_due`] shots; they are answered together, in order.
    pub fn fire(&mut self, side: Side, cells: &[Cell]) -> Result<&[Shot], FireError> {
        self.check(side, cells)?;
        let target = &mut self.boards[side.other()];
        let mut last = Outcome::Miss;
        for &cell in cells {
            last = target.take(cell);
        }
        let fleet_sunk = target.afloat == 0;
        self.count_shots(side, cells.len());
        self.turn_order.advance(self.boards.a.fleet.rules(), last, fleet_sunk);
        if self.side_to_move() == Some(self.first()) {
            self.boards.a.afloat_at_round = self.boards.a.afloat;
            self.boards.b.afloat_at_round = self.boards.b.afloat;
        }
        let shots = self.knowledge(side).shots();
        Ok(&shots[shots.len() - cells.len()..])
    }

    /// Ends the game before a fleet is sunk; a game that is over stays as it ended.
    pub fn stop(&mut self, why: Stop) {
        let lost = |side: Side, termination| End { winner: Some(side.other()), termination };
        self.turn_order.stop(match why {
            Stop::Resign(side) => lost(side, Termination::Resigned),
            Stop::OutOfTime(side) => lost(side, Termination::OutOfTime),
            Stop::Fault(side) => lost(side, Termination::Fault),
            Stop::Abandon => End { winner: None, termination: Termination::Abandoned },
        });
    }

    /// Ends the game as its record says it ended.
    pub(crate) fn end_as(&mut self, end: Option<End>) {
        if let Some(end) = end {
            self.turn_order.stop(end);
        }
    }

    /// What a side may know.
    #[inline]
    pub fn view(&self, side: Side) -> View<'_> {
        let own = &self.boards[side];
        View::new(Own { fleet: &own.fleet, incoming: &own.shots }, self.knowledge(side))
    }

    /// What a side knows of the enemy's board.
    #[inline]
    pub fn knowledge(&self, side: Side) -> &Knowledge {
        &self.boards[side.other()].shots
    }

    /// Ships of a side that are not sunk, whether announced or not.
    pub fn afloat(&self, side: Side) -> usize {
        self.boards[side].afloat
    }

    /// Both fleets: the truth, for the referee and for the end of the game.
    pub fn fleets(&self) -> BySide<&Fleet> {
        self.boards.as_ref().map(|boards| &boards.fleet)
    }

    /// The turns so far, oldest first: who fired, and the shots with their answers.
    pub fn turns(&self) -> impl Iterator<Item = (Side, &[Shot])> {
        let mut fired = BySide { a: 0, b: 0 };
        self.turns.iter().map(move |turn| {
            let from = fired[turn.side];
            fired[turn.side] += usize::from(turn.shots);
            (turn.side, &self.knowledge(turn.side).shots()[from..fired[turn.side]])
        })
    }

    /// The volleys so far, oldest first: shots that were answered together. Where a hit shoots again, every shot is one.
    pub fn volleys(&self) -> impl Iterator<Item = (Side, &[Shot])> {
        let again = self.rules().turn() == Turn::AgainOnHit;
        self.turns().flat_map(move |(side, shots)| {
            let volley = if again { 1 } else { shots.len().max(1) };
            shots.chunks(volley).map(move |shots| (side, shots))
        })
    }

    fn check(&self, side: Side, cells: &[Cell]) -> Result<(), FireError> {
        let side_to_move = self.side_to_move().ok_or(FireError::Over)?;
        if side_to_move != side {
            return Err(FireError::NotYourTurn { side });
        }
        self.boards[side.other()].check(cells, self.shots_due())
    }

    /// A hit that shoots again prolongs its turn.
    fn count_shots(&mut self, side: Side, shots: usize) {
        let shots = shots as u16;
        match self.turns.last_mut() {
            Some(turn) if turn.side == side => turn.shots += shots,
            _ => self.turns.push(TurnLength { side, shots }),
        }
    }
}
