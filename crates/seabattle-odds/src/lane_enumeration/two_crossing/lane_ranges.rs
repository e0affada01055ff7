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
    /// Single lanes without a crossing, all lanes before each lane, and all lanes from each on. Each value is at all
    /// four offsets of its batch.
    free: DualTable<N>,
    pub(super) before: DualTable<N>,
    pub(super) after: DualTable<N>,
    /// Lanes that a ship crosses: alone, with all free lanes before them, and with all free lanes after them.
    pub(super) crossed: DualTable<N>,
    pub(super) crossed_and_before: DualTable<N>,
    pub(super) crossed_and_after: DualTable<N>,
}

impl<N: Number> LaneRanges<N> {
    pub(super) fn new(
        dimensions: Dimensions,
        lanes: &[LaneFillings<N>],
        pair_index: &PairIndex,
        term_sets: &TermSets,
        open_crossings: &OpenCrossings,
    ) -> Self {
        let per_lane = || DualTable::new(dimensions.size, dimensions.lanes + 1);
        let per_range =
            || DualTable::new(dimensions.size, (dimensions.lanes + 1) * (dimensions.longest + 1) * dimensions.blocks);
        let mut lane_ranges = Self {
            dimensions,
            free: per_lane(),
            before: per_lane(),
            after: per_lane(),
            crossed: per_range(),
            crossed_and_before: per_range(),
            crossed_and_after: per_range(),
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
        self.before.ways.at_mut(0)[0] = [N::ONE; WIDTH];
        self.after.ways.at_mut(lanes)[0] = [N::ONE; WIDTH];
        for lane in 0..lanes {
            let (known, buffer) = self.before.ways.at_and_later(lane, lane + 1);
            term_sets.all.add(known, self.free.ways.at(lane), buffer);
        }
        for lane in (0..lanes).rev() {
            let (known, buffer) = self.after.ways.at_and_earlier(lane + 1, lane);
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
            let terms = &term_sets.with_one_crossing[length].ways;
            for (block, single) in pair_index.singles().enumerate() {
                if !open_crossings.may_cross(start, length, block) {
                    continue;
                }
                let at = self.dimensions.range(start, length) + block;
                if length == 0 {
                    self.crossed.ways.at_mut(at)[0] = [N::ONE; WIDTH];
                    add(self.crossed_and_before.ways.at_mut(at), self.before.ways.at(start));
                    add(self.crossed_and_after.ways.at_mut(at), self.after.ways.at(start));
                    continue;
                }
                let (shorter, buffer) = self.crossed.ways.at_and_later(at - self.dimensions.blocks, at);
                terms.add(shorter, lanes[start + length - 1].ways(single), buffer);
                let crossed = self.crossed.ways.at(at);
                terms.add(crossed, self.before.ways.at(start), self.crossed_and_before.ways.at_mut(at));
                terms.add(crossed, self.after.ways.at(start + length), self.crossed_and_after.ways.at_mut(at));
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
            let (adjoints, buffer) = self.after.adjoints.at_and_later(lane, lane + 1);
            term_sets.all.add(adjoints, self.free.ways.at(lane), buffer);
            term_sets.all.add(adjoints, self.after.ways.at(lane + 1), self.free.adjoints.at_mut(lane));
        }
        for lane in (0..self.dimensions.lanes).rev() {
            let (adjoints, buffer) = self.before.adjoints.at_and_earlier(lane + 1, lane);
            term_sets.all.add(adjoints, self.free.ways.at(lane), buffer);
            term_sets.all.add(adjoints, self.before.ways.at(lane), self.free.adjoints.at_mut(lane));
        }
        for (number, lane) in lanes.iter_mut().enumerate() {
            reduce_into(self.free.adjoints.at(number), lane.adjoints(pair_index.singles().start), 0);
        }
    }

    fn backpropagate_crossed(&mut self, lanes: &mut [LaneFillings<N>], pair_index: &PairIndex, term_sets: &TermSets) {
        for (start, length) in self.dimensions.lane_ranges().collect::<Vec<_>>().into_iter().rev() {
            let terms = &term_sets.with_one_crossing[length].adjoints;
            for (block, single) in pair_index.singles().enumerate() {
                let at = self.dimensions.range(start, length) + block;
                let (before, after) = (self.crossed_and_before.adjoints.at(at), self.crossed_and_after.adjoints.at(at));
                let end = start + length;
                if length == 0 {
                    add(self.before.adjoints.at_mut(start), before);
                    add(self.after.adjoints.at_mut(end), after);
                    continue;
                }
                let crossed = self.crossed.ways.at(at);
                if !is_zero(before) {
                    terms.add(before, crossed, self.before.adjoints.at_mut(start));
                    terms.add(before, self.before.ways.at(start), self.crossed.adjoints.at_mut(at));
                }
                if !is_zero(after) {
                    terms.add(after, crossed, self.after.adjoints.at_mut(end));
                    terms.add(after, self.after.ways.at(end), self.crossed.adjoints.at_mut(at));
                }
                let shorter = at - self.dimensions.blocks;
                let lane = &mut lanes[start + length - 1];
                let (adjoints, buffer) = self.crossed.adjoints.at_and_earlier(at, shorter);
                if !is_zero(adjoints) {
                    terms.add(adjoints, lane.ways(single), buffer);
                    terms.add(adjoints, self.crossed.ways.at(shorter), lane.adjoints(single));
                }
            }
        }
    }
}
