//! A reference implementation of the order of play, slow and simple: it replays all shots for every question.

use seabattle_core::{BySide, Cell, End, Ending, FireError, Fleet, Rules, Side, Termination, Turn};

/// A game: the fleets and all volleys so far.
pub(crate) struct Referee {
    rules: Rules,
    first: Side,
    /// The cells of each ship of a side.
    ships: BySide<Vec<Vec<Cell>>>,
    volleys: Vec<(Side, Vec<Cell>)>,
}

impl Referee {
    pub(crate) fn new(fleets: BySide<&Fleet>, first: Side) -> Self {
        let ships = |fleet: &Fleet| fleet.ships().iter().map(|ship| ship.cells().collect()).collect();
        Self { rules: fleets.a.rules().clone(), first, ships: fleets.map(ships), volleys: Vec::new() }
    }

    /// All cells a side has fired at.
    pub(crate) fn fired(&self, side: Side) -> Vec<Cell> {
        fired_in(&self.volleys, side)
    }

    /// The number of ships of a side that are afloat.
    pub(crate) fn afloat(&self, side: Side) -> usize {
        self.afloat_after(&self.volleys, side)
    }

    fn afloat_after(&self, volleys: &[(Side, Vec<Cell>)], side: Side) -> usize {
        let incoming = fired_in(volleys, side.other());
        self.ships[side].iter().filter(|ship| ship.iter().any(|cell| !incoming.contains(cell))).count()
    }

    /// Whether the volley with this number ended the turn of its side.
    fn ended_turn(&self, at: usize) -> bool {
        let (side, cells) = &self.volleys[at];
        let enemy = &self.ships[side.other()];
        let hit = cells.last().is_some_and(|last| enemy.iter().flatten().any(|cell| cell == last));
        let enemy_left = self.afloat_after(&self.volleys[..=at], side.other());
        self.rules.turn() != Turn::AgainOnHit || !hit || enemy_left == 0
    }

    /// How many turns each side has finished.
    pub(crate) fn finished_turns(&self) -> BySide<usize> {
        let of = |side| (0..self.volleys.len()).filter(|&at| self.volleys[at].0 == side && self.ended_turn(at)).count();
        BySide::new(of)
    }

    pub(crate) fn end(&self) -> Option<End> {
        let lost = BySide::new(|side| self.afloat(side) == 0);
        let turns = self.finished_turns();
        let may_end = self.rules.ending() == Ending::AtOnce || turns.a == turns.b;
        let winner = match (lost.a, lost.b) {
            (false, false) => return None,
            (true, true) => None,
            (true, false) => Some(Side::B),
            (false, true) => Some(Side::A),
        };
        may_end.then_some(End { winner, termination: Termination::Sunk })
    }

    pub(crate) fn side_to_move(&self) -> Option<Side> {
        let turns = self.finished_turns();
        let side_to_move = if turns[self.first] == turns[self.first.other()] { self.first } else { self.first.other() };
        self.end().is_none().then_some(side_to_move)
    }

    pub(crate) fn shots_due(&self) -> usize {
        let Some(side) = self.side_to_move() else { return 0 };
        let open = self.rules.size().area() - self.fired(side).len();
        match self.rules.turn() {
            Turn::Alternate | Turn::AgainOnHit => 1,
            Turn::Salvo(shots) => open.min(shots.into()),
            Turn::SalvoOfShipsAfloat => open.min(self.afloat_after(&self.volleys[..self.counted_until()], side)),
        }
    }

    /// The number of volleys that count for the size of a salvo: with equal turns, those before the round.
    fn counted_until(&self) -> usize {
        let in_round = self.volleys.len() % 2;
        match self.rules.ending() {
            Ending::AtOnce => self.volleys.len(),
            Ending::EqualTurns => self.volleys.len() - in_round,
        }
    }

    /// Checks a volley, and adds it to the game if it is legal.
    pub(crate) fn fire(&mut self, side: Side, cells: &[Cell]) -> Result<(), FireError> {
        let side_to_move = self.side_to_move().ok_or(FireError::Over)?;
        if side != side_to_move {
            return Err(FireError::NotYourTurn { side });
        }
        let (due, given) = (self.shots_due(), cells.len());
        if due != given {
            return Err(FireError::WrongCount { due, given });
        }
        let mut before = self.fired(side);
        let size = self.rules.size();
        for &cell in cells {
            if cell.col() >= size.width() || cell.row() >= size.height() {
                return Err(FireError::Outside { cell, size });
            }
            if before.contains(&cell) {
                return Err(FireError::Repeated { cell });
            }
            before.push(cell);
        }
        self.volleys.push((side, cells.to_vec()));
        Ok(())
    }
}

fn fired_in(volleys: &[(Side, Vec<Cell>)], side: Side) -> Vec<Cell> {
    volleys.iter().filter(|(shooter, _)| *shooter == side).flat_map(|(_, cells)| cells.iter().copied()).collect()
}
