//! Checks whether the shots of a record are a game: order of play, answers and end, with or without the fleets.

use super::parse::{RecordError, RecordFault, Turns};
use super::print;
use crate::game::{TurnOrder, volley};
use crate::{BySide, End, Ending, Fleet, Knowledge, Rules, Shot, Side, Termination, Turn};

pub(super) fn check(
    rules: &Rules,
    turn_order: TurnOrder,
    fleets: &BySide<Option<Fleet>>,
    turns: &Turns,
    end: Option<End>,
    last_line: usize,
) -> Result<(), RecordError> {
    let mut replay = Replay {
        rules,
        fleets,
        knowledge: BySide::new(|_| Knowledge::new(rules)),
        afloat_at_round: BySide::new(|_| Some(rules.ship_count())),
        turn_order,
    };
    for (side, shots) in turns {
        let volley = if rules.turn() == Turn::AgainOnHit { 1 } else { shots.len().max(1) };
        for shots in shots.chunks(volley) {
            replay.volley(*side, shots)?;
        }
    }
    replay.check_end(end).map_err(|why| RecordError { line: last_line, why })
}

/// The state of a game while the shots of a record are replayed.
struct Replay<'a> {
    rules: &'a Rules,
    fleets: &'a BySide<Option<Fleet>>,
    knowledge: BySide<Knowledge>,
    afloat_at_round: BySide<Option<usize>>,
    turn_order: TurnOrder,
}

impl Replay<'_> {
    fn volley(&mut self, side: Side, shots: &[(usize, Shot)]) -> Result<(), RecordError> {
        let line = shots.first().map_or(1, |(line, _)| *line);
        self.check_order(side, shots.len()).map_err(|why| RecordError { line, why })?;
        for &(line, shot) in shots {
            self.shot(side, shot).map_err(|why| RecordError { line, why })?;
        }
        if let Some(&(_, last)) = shots.last() {
            let sunk = self.knowledge[side].is_fleet_sunk();
            self.turn_order.advance(self.rules, last.outcome, sunk);
        }
        if self.turn_order.side_to_move() == Some(self.turn_order.first()) {
            self.afloat_at_round = BySide::new(|side| self.afloat(side));
        }
        Ok(())
    }

    fn check_order(&self, side: Side, given: usize) -> Result<(), RecordFault> {
        let side_to_move = self.turn_order.side_to_move().ok_or(RecordFault::AfterEnd)?;
        if side_to_move != side {
            return Err(RecordFault::OutOfTurn { side });
        }
        let afloat = match self.rules.ending() {
            _ if self.turn_order.is_solo() => Some(self.rules.ship_count()),
            Ending::AtOnce => self.afloat(side),
            Ending::EqualTurns => self.afloat_at_round[side],
        };
        // Where sinkings are secret, so is the number of shots, up to the whole fleet.
        let afloat = afloat.unwrap_or(given.clamp(1, self.rules.ship_count()));
        let due = volley(self.rules, afloat, self.knowledge[side].open().len());
        if given == due { Ok(()) } else { Err(RecordFault::WrongCount { due, given }) }
    }

    fn shot(&mut self, side: Side, shot: Shot) -> Result<(), RecordFault> {
        let knowledge = &mut self.knowledge[side];
        if let Some(fleet) = &self.fleets[side.other()] {
            let outcome = fleet.answer(shot.cell, knowledge.hits());
            if outcome != shot.outcome && knowledge.open().contains(shot.cell) {
                let expected = Shot { outcome, ..shot }.to_text(self.rules);
                return Err(RecordFault::WrongAnswer { cell: shot.cell, expected });
            }
        }
        knowledge.add(shot).map_err(RecordFault::Impossible)
    }

    /// The number of ships of a side that are afloat, if its fleet or the announcements reveal it.
    fn afloat(&self, side: Side) -> Option<usize> {
        if self.rules.turn() != Turn::SalvoOfShipsAfloat {
            return None;
        }
        let incoming = &self.knowledge[side.other()];
        match &self.fleets[side] {
            Some(fleet) => Some(fleet.afloat(incoming.hits()).count()),
            None => incoming.ships_sunk().map(|sunk| self.rules.ship_count().saturating_sub(sunk)),
        }
    }

    fn check_end(&self, end: Option<End>) -> Result<(), RecordFault> {
        let by_shots = self.turn_order.end();
        let is_contradicted = match by_shots {
            Some(_) => end != by_shots,
            None => end.is_some_and(|end| end.termination == Termination::Sunk),
        };
        if !is_contradicted {
            return Ok(());
        }
        let how = if by_shots.is_some() { " and Ended \"sunk\"" } else { " and no fleet sunk" };
        Err(RecordFault::End { result: print::result(by_shots), how })
    }
}
