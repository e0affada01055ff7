//! The fillings of a single lane: all ways to put aligned ships into it.

use super::{AlignedShip, LaneCount};
use crate::number::Number;
use crate::residual::CandidateSums;

/// The number of ways to fill one lane around given crossings, for each combination of ships used.
pub(super) struct Filling<N> {
    pub(super) crossed: u32,
    pub(super) ways: Vec<N>,
    /// For each combination what all other lanes contribute, summed over all choices of crossing ships.
    pub(super) share: Vec<N>,
    pub(super) possible: bool,
}

impl<N: Number> LaneCount<'_, N> {
    /// The index of the filling of a lane with these crossings, computed on first use.
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

    /// Finds all ways to fill a lane from a position on. Ships overlap neither each other nor crossings, and cover every hit.
    fn fill(&self, lane: usize, crossed: u32, from: usize, used: usize, weight: N, add: &mut dyn FnMut(usize, N)) {
        if from == self.positions {
            return add(used, weight);
        }
        let is_crossed = crossed >> from & 1 == 1;
        if is_crossed || self.hits[lane] >> from & 1 == 0 {
            self.fill(lane, crossed, from + 1, used, weight, add);
        }
        if is_crossed {
            return;
        }
        for ship in &self.aligned_ships[lane][from] {
            if self.has_room_for(crossed, from, used, ship) {
                let used = used + self.radix.strides[ship.group];
                self.fill(lane, crossed, from + ship.length, used, weight * N::weight(ship.weight), add);
            }
        }
    }

    fn has_room_for(&self, crossed: u32, from: usize, used: usize, ship: &AlignedShip) -> bool {
        let cells = ((1_u32 << ship.length) - 1) << from;
        crossed & cells == 0 && self.radix.has_room(used, ship.group)
    }
}

impl LaneCount<'_, f64> {
    /// Goes through all ways to fill a lane again and adds the share of each way to the sums of its ships.
    #[allow(clippy::too_many_arguments, reason = "the state of a recursion")]
    pub(super) fn distribute_filling(
        &self,
        lane: usize,
        filling: &Filling<f64>,
        from: usize,
        used: usize,
        weight: f64,
        ships: &mut Vec<(usize, usize)>,
        candidate_sums: &mut CandidateSums,
    ) {
        if from == self.positions {
            let share = weight * filling.share[used];
            ships.iter().for_each(|&(group, candidate)| candidate_sums.weights[group][candidate] += share);
            return;
        }
        let is_crossed = filling.crossed >> from & 1 == 1;
        if is_crossed || self.hits[lane] >> from & 1 == 0 {
            self.distribute_filling(lane, filling, from + 1, used, weight, ships, candidate_sums);
        }
        if is_crossed {
            return;
        }
        for ship in &self.aligned_ships[lane][from] {
            if self.has_room_for(filling.crossed, from, used, ship) {
                ships.push((ship.group, ship.candidate));
                let used = used + self.radix.strides[ship.group];
                self.distribute_filling(
                    lane,
                    filling,
                    from + ship.length,
                    used,
                    weight * ship.weight,
                    ships,
                    candidate_sums,
                );
                ships.pop();
            }
        }
    }
}
