//! The ways to fill ranges of neighboring lanes that no ship crosses, or that one ship crosses at each position.

use super::batch::{Batch, BatchTable, WIDTH, add, broadcast, is_zero, reduce_into};
use super::lane_fillings::LaneFillings;
use super::terms::TermSets;
use super::{Dimensions, OpenCrossings, PairIndex};
use crate::number::Number;

/// Polynomials and their adjoints.
pub(super) struct DualTable<N> {
    pub(super) ways: BatchTable<N>,
    pub(super) adjoints: BatchTable<N>,
}

impl<N: Number> DualTable<N> {
    pub(super) fn new(size: usize, count: usize) -> Self {
        Self { ways: BatchTable::new(size, count), adjoints: BatchTable::new(size, count) }
    }
}

/// The ways to fill all ranges of lanes.
pub(super) struct LaneRanges<N> {
    dimensions: Dimensions,
    /// Single lanes without a crossing, all lanes before each, and all lanes from each on; the same in all four slots.
    free: DualTable<N>,
    pub(super) below: DualTable<N>,
    pub(super) above: DualTable<N>,
    /// Lanes that a ship crosses; the same with all free lanes below them; the same with all free lanes above them.
    pub(super) crossed: DualTable<N>,
    pub(super) low: DualTable<N>,
    pub(super) high: DualTable<N>,
}

impl<N: Number> LaneRanges<N> {
    pub(super) fn new(
        dimensions: Dimensions,
        lanes: &[LaneFillings<N>],
        pair_index: &PairIndex,
        term_sets: &TermSets,
        open_crossings: &OpenCrossings,
    ) -> Self {
        let aligned_ships = || DualTable::new(dimensions.size, dimensions.lanes + 1);
        let crossing =
            || DualTable::new(dimensions.size, (dimensions.lanes + 1) * (dimensions.longest + 1) * dimensions.blocks);
        let mut lane_ranges = Self {
            dimensions,
            free: aligned_ships(),
            below: aligned_ships(),
            above: aligned_ships(),
            crossed: crossing(),
            low: crossing(),
            high: crossing(),
        };
        for (number, lane) in lanes.iter().enumerate() {
            broadcast(lane.ways(pair_index.singles().start), 0, lane_ranges.free.ways.at_mut(number));
        }
        lane_ranges.multiply_free(term_sets);
        lane_ranges.multiply_crossed(lanes, pair_index, term_sets, open_crossings);
        lane_ranges
    }

    fn multiply_free(&mut self, term_sets: &TermSets) {
        let lanes = self.dimensions.lanes;
        self.below.ways.at_mut(0)[0] = [N::ONE; WIDTH];
        self.above.ways.at_mut(lanes)[0] = [N::ONE; WIDTH];
        for lane in 0..lanes {
            let (known, buffer) = self.below.ways.at_and_later(lane, lane + 1);
            term_sets.all.add(known, self.free.ways.at(lane), buffer);
        }
        for lane in (0..lanes).rev() {
            let (known, buffer) = self.above.ways.at_and_earlier(lane + 1, lane);
            term_sets.all.add(known, self.free.ways.at(lane), buffer);
        }
    }

    fn multiply_crossed(
        &mut self,
        lanes: &[LaneFillings<N>],
        pair_index: &PairIndex,
        term_sets: &TermSets,
        open_crossings: &OpenCrossings,
    ) {
        for (start, length) in self.dimensions.lane_ranges() {
            let one = &term_sets.with_one_crossing[length].ways;
            for (block, single) in pair_index.singles().enumerate() {
                if !open_crossings.may_cross(start, length, block) {
                    continue;
                }
                let at = self.dimensions.range(start, length) + block;
                if length == 0 {
                    self.crossed.ways.at_mut(at)[0] = [N::ONE; WIDTH];
                    add(self.low.ways.at_mut(at), self.below.ways.at(start));
                    add(self.high.ways.at_mut(at), self.above.ways.at(start));
                    continue;
                }
                let (shorter, buffer) = self.crossed.ways.at_and_later(at - self.dimensions.blocks, at);
                one.add(shorter, lanes[start + length - 1].ways(single), buffer);
                let crossed = self.crossed.ways.at(at);
                one.add(crossed, self.below.ways.at(start), self.low.ways.at_mut(at));
                one.add(crossed, self.above.ways.at(start + length), self.high.ways.at_mut(at));
            }
        }
    }

    pub(super) fn free_lane(&self, lane: usize) -> &[Batch<N>] {
        self.free.ways.at(lane)
    }

    pub(super) fn free_lane_adjoints(&mut self, lane: usize) -> &mut [Batch<N>] {
        self.free.adjoints.at_mut(lane)
    }

    /// Passes the adjoints back to single lanes.
    pub(super) fn backpropagate(
        &mut self,
        lanes: &mut [LaneFillings<N>],
        pair_index: &PairIndex,
        term_sets: &TermSets,
    ) {
        self.backpropagate_crossed(lanes, pair_index, term_sets);
        for lane in 0..self.dimensions.lanes {
            let (adjoints, buffer) = self.above.adjoints.at_and_later(lane, lane + 1);
            term_sets.all.add(adjoints, self.free.ways.at(lane), buffer);
            term_sets.all.add(adjoints, self.above.ways.at(lane + 1), self.free.adjoints.at_mut(lane));
        }
        for lane in (0..self.dimensions.lanes).rev() {
            let (adjoints, buffer) = self.below.adjoints.at_and_earlier(lane + 1, lane);
            term_sets.all.add(adjoints, self.free.ways.at(lane), buffer);
            term_sets.all.add(adjoints, self.below.ways.at(lane), self.free.adjoints.at_mut(lane));
        }
        for (number, lane) in lanes.iter_mut().enumerate() {
            reduce_into(self.free.adjoints.at(number), lane.adjoints(pair_index.singles().start), 0);
        }
    }

    fn backpropagate_crossed(&mut self, lanes: &mut [LaneFillings<N>], pair_index: &PairIndex, term_sets: &TermSets) {
        for (start, length) in self.dimensions.lane_ranges().collect::<Vec<_>>().into_iter().rev() {
            let one = &term_sets.with_one_crossing[length].adjoints;
            for (block, single) in pair_index.singles().enumerate() {
                let at = self.dimensions.range(start, length) + block;
                let (low, high) = (self.low.adjoints.at(at), self.high.adjoints.at(at));
                let (below, above) = (start, start + length);
                if length == 0 {
                    add(self.below.adjoints.at_mut(below), low);
                    add(self.above.adjoints.at_mut(above), high);
                    continue;
                }
                let crossed = self.crossed.ways.at(at);
                if !is_zero(low) {
                    one.add(low, crossed, self.below.adjoints.at_mut(below));
                    one.add(low, self.below.ways.at(below), self.crossed.adjoints.at_mut(at));
                }
                if !is_zero(high) {
                    one.add(high, crossed, self.above.adjoints.at_mut(above));
                    one.add(high, self.above.ways.at(above), self.crossed.adjoints.at_mut(at));
                }
                let shorter = at - self.dimensions.blocks;
                let lane = &mut lanes[start + length - 1];
                let (adjoints, buffer) = self.crossed.adjoints.at_and_earlier(at, shorter);
                if !is_zero(adjoints) {
                    one.add(adjoints, lane.ways(single), buffer);
                    one.add(adjoints, self.crossed.ways.at(shorter), lane.adjoints(single));
                }
            }
        }
    }
}
