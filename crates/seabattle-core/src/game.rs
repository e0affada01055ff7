//! A game between two fleets: accepts legal shots, answers them, and knows when it is over.

mod board;
mod turn_order;

use std::fmt;

use thiserror::Error;

use crate::view::OwnBoard;
use crate::{BySide, Cell, Ending, Fleet, Knowledge, Outcome, Rules, Shot, Side, Size, Turn, View};

pub(crate) use board::Board;
pub(crate) use turn_order::{TurnOrder, volley};

/// A game between two fleets, from the first shot to the end.
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

/// A turn: its side and the number of its shots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct TurnLength {
    side: Side,
    shots: u16,
}

/// The result of a game that is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct End {
    /// The winner; `None` for a draw or a game without a result.
    pub winner: Option<Side>,
    /// How the game ended.
    pub termination: Termination,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Termination {
    /// A fleet was sunk, or both were under equal turns.
    Sunk,
    /// A side resigned.
    Resigned,
    /// A side used up its time.
    OutOfTime,
    /// A player forfeited by a fault: an illegal shot, a crash or a timeout.
    Fault,
    /// The game was left unfinished.
    Abandoned,
}

impl Termination {
    /// All terminations.
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
    /// This side resigns.
    Resign(Side),
    /// This side has used up its time.
    OutOfTime(Side),
    /// The player of this side forfeits by a fault.
    Fault(Side),
    /// Both players have left.
    Abandon,
}

/// The error of a game whose fleets were made under different rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("one fleet was made for {a}, the other for {b}")]
pub struct RulesMismatch {
    a: Rules,
    b: Rules,
}

/// Why shots were refused. The game is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum FireError {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// It is the other side's turn.
    #[error("it is not {side}'s turn")]
    NotYourTurn {
        /// The side that fired.
        side: Side,
    },
    /// There are too many or too few shots for this turn.
    #[error("the number of shots in this turn is {due}, not {given}")]
    WrongCount {
        /// The number of shots that the rules require.
        due: usize,
        /// The number of shots that were fired.
        given: usize,
    },
    /// Off the board.
    #[error("{cell} is outside the {size} board")]
    Outside {
        /// The cell of the shot.
        cell: Cell,
        /// The size of the board.
        size: Size,
    },
    /// The cell was shot at before, or twice in one salvo.
    #[error("{cell} has been shot at before")]
    Repeated {
        /// The cell of the shot.
        cell: Cell,
    },
}

impl Game {
    /// Starts a game between two fleets.
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

    /// The result of the game; `None` while it is not over.
    #[inline]
    pub fn end(&self) -> Option<End> {
        self.turn_order.end()
    }

    /// Fires a volley and returns its answers. If it is illegal, it changes nothing and says why.
    ///
    /// A volley has [`Game::shots_due`] shots. They are answered together, in order.
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

    /// Ends the game before a fleet is sunk. It has no effect on a game that is over.
    pub fn stop(&mut self, why: Stop) {
        let lost = |side: Side, termination| End { winner: Some(side.other()), termination };
        self.turn_order.stop(match why {
            Stop::Resign(side) => lost(side, Termination::Resigned),
            Stop::OutOfTime(side) => lost(side, Termination::OutOfTime),
            Stop::Fault(side) => lost(side, Termination::Fault),
            Stop::Abandon => End { winner: None, termination: Termination::Abandoned },
        });
    }

    /// Ends the game as its record says.
    pub(crate) fn end_as(&mut self, end: Option<End>) {
        if let Some(end) = end {
            self.turn_order.stop(end);
        }
    }

    /// Everything that a side may see.
    #[inline]
    pub fn view(&self, side: Side) -> View<'_> {
        let own = &self.boards[side];
        View::new(OwnBoard { fleet: &own.fleet, incoming: &own.shots }, self.knowledge(side))
    }

    /// What a side knows of the enemy's board.
    #[inline]
    pub fn knowledge(&self, side: Side) -> &Knowledge {
        &self.boards[side.other()].shots
    }

    /// The number of ships of a side that are afloat, whether or not sinkings are announced.
    pub fn afloat(&self, side: Side) -> usize {
        self.boards[side].afloat
    }

    /// Both fleets, for the referee and for the end of the game.
    pub fn fleets(&self) -> BySide<&Fleet> {
        self.boards.as_ref().map(|boards| &boards.fleet)
    }

    /// The turns so far, oldest first: the side that fired, and its shots with their answers.
    pub fn turns(&self) -> impl Iterator<Item = (Side, &[Shot])> {
        let mut fired = BySide { a: 0, b: 0 };
        self.turns.iter().map(move |turn| {
            let from = fired[turn.side];
            fired[turn.side] += usize::from(turn.shots);
            (turn.side, &self.knowledge(turn.side).shots()[from..fired[turn.side]])
        })
    }

    /// The volleys so far, oldest first: shots that were answered together. Where a hit gives another
    /// shot, every shot is a volley.
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

    /// Counts shots to the current turn, or to a new one if the side has changed.
    fn count_shots(&mut self, side: Side, shots: usize) {
        let shots = shots as u16;
        match self.turns.last_mut() {
            Some(turn) if turn.side == side => turn.shots += shots,
            _ => self.turns.push(TurnLength { side, shots }),
        }
    }
}
