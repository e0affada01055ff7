//! The ways to fill a single lane.

use super::{Along, Count};
use crate::number::Number;
use crate::sea::Tally;

/// The ways to fill one lane around certain crossings, for each choice of ships.
pub(super) struct Filling<N> {
    pub(super) crossed: u32,
    pub(super) ways: Vec<N>,
    /// What the other lanes contribute to each choice, summed over all crossings.
    pub(super) share: Vec<N>,
    pub(super) possible: bool,
}

impl<N: Number> Count<'_, N> {
    /// The number of the filling of a lane with these crossings.
    pub(super) fn filling(&mut self, lane: usize, crossed: u32) -> usize {
        let known = self.filling_of[lane][crossed as usize];
        if known > 0 {
            return known as usize - 1;
        }
        let mut ways = vec![N::ZERO; self.radix.size];
        self.fill(lane, crossed, 0, 0, N::ONE, &mut |used, weight| ways[used] += weight);
        let possible = ways.iter().any(|ways| *ways != N::ZERO);
        let share = vec![N::ZERO; self.radix.size];
        self.fillings[lane].push(Filling { crossed, ways, share, possible });
        self.filling_of[lane][crossed as usize] = self.fillings[lane].len() as u32;
        self.fillings[lane].len() - 1
    }

    /// All ways to fill a lane from a position on: no ship on another or on a crossing, every hit covered.
    fn fill(&self, lane: usize, crossed: u32, from: usize, used: usize, weight: N, found: &mut dyn FnMut(usize, N)) {
        if from == self.positions {
            return found(used, weight);
        }
        let is_crossed = crossed >> from & 1 == 1;
        if is_crossed || self.hits[lane] >> from & 1 == 0 {
            self.fill(lane, crossed, from + 1, used, weight, found);
        }
        if is_crossed {
            return;
        }
        for ship in &self.along[lane][from] {
            if self.may_lie(crossed, from, used, ship) {
                let used = used + self.radix.strides[ship.group];
                self.fill(lane, crossed, from + ship.length, used, weight * N::weight(ship.weight), found);
            }
        }
    }

    fn may_lie(&self, crossed: u32, from: usize, used: usize, ship: &Along) -> bool {
        let cells = ((1_u32 << ship.length) - 1) << from;
        crossed & cells == 0 && self.radix.has_room(used, ship.group)
    }
}

impl Count<'_, f64> {
    /// Goes through all ways to fill a lane once more and gives each ship its share.
    #[allow(clippy::too_many_arguments, reason = "the state of a recursion")]
    pub(super) fn share_out(
        &self,
        lane: usize,
        filling: &Filling<f64>,
        from: usize,
        used: usize,
        weight: f64,
        ships: &mut Vec<(usize, usize)>,
        tally: &mut Tally,
    ) {
        if from == self.positions {
            let share = weight * filling.share[used];
            ships.iter().for_each(|&(group, candidate)| tally.weights[group][candidate] += share);
            return;
        }
        let is_crossed = filling.crossed >> from & 1 == 1;
        if is_crossed || self.hits[lane] >> from & 1 == 0 {
            self.share_out(lane, filling, from + 1, used, weight, ships, tally);
        }
        if is_crossed {
            return;
        }
        for ship in &self.along[lane][from] {
            if self.may_lie(filling.crossed, from, used, ship) {
                ships.push((ship.group, ship.candidate));
                let used = used + self.radix.strides[ship.group];
                self.share_out(lane, filling, from + ship.length, used, weight * ship.weight, ships, tally);
                ships.pop();
            }
        }
    }
}
