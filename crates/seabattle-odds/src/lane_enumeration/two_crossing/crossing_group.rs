//! Crossing groups: the ships of a group whose crossing begins at the same lane, at all positions at once.

use super::batch::{Batch, BatchTable, WIDTH, add_product, add_shifted, dot, sum};
use super::lane_ranges::DualTable;
use super::{Dimensions, PairIndex};
use crate::lane_enumeration::LaneCount;
use crate::number::Number;
use crate::residual::MixedRadix;

/// The ships of a group whose crossing begins at one lane.
pub(super) struct CrossingGroup<N> {
    pub(super) group: usize,
    pub(super) first_lane: usize,
    pub(super) length: usize,
    /// The weight of each crossing, indexed by its position plus one; 0 where the ship cannot be.
    weights: Vec<Batch<N>>,
    shares: Vec<Batch<N>>,
    /// The positions plus one, and the candidates.
    candidates: Vec<(usize, usize)>,
}

/// All crossing groups of a count.
pub(super) fn crossing_groups<N: Number>(count: &LaneCount<'_, N>, blocks: usize) -> Vec<CrossingGroup<N>> {
    let mut found: Vec<CrossingGroup<N>> = Vec::new();
    for (group, ships) in count.crossing_ships.iter().enumerate() {
        let of_group = found.len();
        for ship in ships {
            let known =
                found[of_group..].iter().position(|crossing_group| crossing_group.first_lane == ship.first_lane);
            let at = known.map_or(found.len(), |at| of_group + at);
            if known.is_none() {
                found.push(CrossingGroup {
                    group,
                    first_lane: ship.first_lane,
                    length: ship.length,
                    weights: vec![[N::ZERO; WIDTH]; blocks],
                    shares: vec![[N::ZERO; WIDTH]; blocks],
                    candidates: Vec::new(),
                });
            }
            let (block, offset) = PairIndex::block_and_offset(ship.position + 1);
            found[at].weights[block][offset] = N::weight(ship.weight);
            found[at].candidates.push((ship.position + 1, ship.candidate));
        }
    }
    found
}

impl<N: Number> CrossingGroup<N> {
    pub(super) fn end(&self) -> usize {
        self.first_lane + self.length
    }

    /// The positions plus one, as a bit set.
    pub(super) fn positions(&self) -> u32 {
        self.candidates.iter().fold(0, |all, (position, _)| all | 1 << position)
    }

    /// Multiplies the ships into the ways to fill their lanes, and adds the products to a sum.
    pub(super) fn multiply_into(
        &self,
        radix: &MixedRadix,
        ways: &BatchTable<N>,
        at: usize,
        crossing_sum: &mut CrossingSum<N>,
    ) {
        for (block, weight) in self.weights.iter().enumerate() {
            add_shifted(radix, self.group, weight, ways.at(at + block), crossing_sum.ways.at_mut(block));
        }
    }

    /// Passes the adjoints of such a sum back to the ships and to the ways to fill their lanes. Returns the total.
    pub(super) fn backpropagate(
        &mut self,
        radix: &MixedRadix,
        lanes: &mut DualTable<N>,
        at: usize,
        crossing_sum: &CrossingSum<N>,
    ) -> N {
        let mut total = N::ZERO;
        for (block, weight) in self.weights.iter().enumerate() {
            let adjoints = crossing_sum.adjoints.at(block);
            add_shifted(radix, self.group, weight, adjoints, lanes.adjoints.at_mut(at + block));
            let share = dot(radix, self.group, weight, lanes.ways.at(at + block), adjoints);
            add_product(&mut self.shares[block], &share, &[N::ONE; WIDTH]);
            total += sum(&share);
        }
        total
    }

    pub(super) fn add_shares(&self, shares: &mut [Vec<N>]) {
        for &(position, candidate) in &self.candidates {
            let (block, offset) = PairIndex::block_and_offset(position);
            shares[self.group][candidate] += self.shares[block][offset];
        }
    }
}

/// The sum over all ships that can be one of two overlapping ships, with the ways to fill the lanes that only it crosses.
pub(super) struct CrossingSum<N> {
    pub(super) ways: BatchTable<N>,
    pub(super) adjoints: BatchTable<N>,
    blocks: usize,
}

impl<N: Number> CrossingSum<N> {
    pub(super) fn new(dimensions: Dimensions) -> Self {
        Self {
            ways: BatchTable::new(dimensions.size, dimensions.blocks),
            adjoints: BatchTable::new(dimensions.size, dimensions.blocks),
            blocks: dimensions.blocks,
        }
    }

    pub(super) fn clear(&mut self) {
        self.ways.clear();
        self.adjoints.clear();
    }

    /// The positions plus one at which there is a way, as a bit set.
    pub(super) fn possible(&self) -> u32 {
        let mut found = 0;
        for block in 0..self.blocks {
            for offset in 0..WIDTH {
                let possible = self.ways.at(block).iter().any(|batch| batch[offset] != N::ZERO);
                found |= u32::from(possible) << (block * WIDTH + offset);
            }
        }
        found
    }
}
