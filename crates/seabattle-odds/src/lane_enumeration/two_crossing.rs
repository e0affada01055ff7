//! At most two crossing ships: all their positions are summed at once.
//!
//! Every number here is a coefficient of a product of polynomials in the ships used. The forward pass multiplies ways,
//! from segments of a lane to all lanes. The backward pass computes adjoints: for each factor the derivative of the
//! total, which is the product of everything else. This is
//! [reverse-mode differentiation](https://en.wikipedia.org/wiki/Automatic_differentiation), and it ends with the sum
//! over all layouts for every ship at every placement.

use std::ops::Range;

use super::LaneCount;
use crate::number::Number;

use self::batch::{BatchTable, WIDTH, add, sum};
use self::crossing_group::{CrossingGroup, CrossingSum, crossing_groups};
use self::lane_fillings::LaneFillings;
use self::lane_ranges::LaneRanges;
use self::overlap::Overlap;
use self::terms::TermSets;

mod batch;
mod crossing_group;
mod lane_fillings;
mod lane_ranges;
mod overlap;
mod terms;
#[cfg(test)]
mod tests;

/// The most combinations of ships: with more of them the tables would grow too large.
pub(super) const MAX_TABLE_SIZE: usize = 512;

/// The index of the tables of a lane, by its higher and its lower crossing.
///
/// The higher crossing is a position, or the number of positions if there is none. The lower crossing is its position
/// plus one, or 0 if there is none. So the row without a higher crossing has all single crossings. A row is stored in
/// blocks of four lower crossings.
struct PairIndex {
    positions: usize,
    row_starts: Vec<usize>,
}

impl PairIndex {
    fn new(positions: usize) -> Self {
        let blocks = |row: usize| Self::block_and_offset(row).0 + 1;
        let row_starts = (0..=positions + 1).map(|row| (0..row).map(blocks).sum()).collect();
        Self { positions, row_starts }
    }

    fn blocks(&self) -> usize {
        self.row_starts[self.positions + 1]
    }

    fn row(&self, higher: usize) -> Range<usize> {
        self.row_starts[higher]..self.row_starts[higher + 1]
    }

    fn singles(&self) -> Range<usize> {
        self.row(self.positions)
    }

    /// The block of a lower crossing in its row, and its offset in the block.
    fn block_and_offset(lower: usize) -> (usize, usize) {
        (lower / WIDTH, lower % WIDTH)
    }

    /// The lower crossings of a block, as a bit set.
    fn block_mask(block: usize) -> u32 {
        ((1 << WIDTH) - 1) << (block * WIDTH)
    }

    /// The block and offset of the segment from after a position to the end of the lane.
    fn segment_after(&self, position: usize) -> (usize, usize) {
        let (block, offset) = Self::block_and_offset(position + 1);
        (self.singles().start + block, offset)
    }

    /// The row of segments that end one cell earlier, if the last cell can stay free.
    fn without_last_cell(&self, hits: u32, end: usize) -> Range<usize> {
        match end.checked_sub(1) {
            Some(last) if hits >> last & 1 == 0 => self.row(last),
            _ => 0..0,
        }
    }
}

/// The dimensions of all tables.
#[derive(Clone, Copy)]
struct Dimensions {
    size: usize,
    lanes: usize,
    /// The length of the longest crossing ship.
    longest: usize,
    blocks: usize,
}

impl Dimensions {
    /// Starts and lengths of all lane ranges that one ship may cross, shorter ranges first.
    fn lane_ranges(self) -> impl Iterator<Item = (usize, usize)> {
        let lengths = move |start: usize| (0..=self.longest.min(self.lanes - start)).map(move |length| (start, length));
        (0..=self.lanes).flat_map(lengths)
    }

    /// The first block of a lane range.
    fn range(self, start: usize, length: usize) -> usize {
        (start * (self.longest + 1) + length) * self.blocks
    }

    fn range_between(self, start: usize, end: usize) -> usize {
        self.range(start, end - start)
    }
}

/// The open crossings of each lane: the positions plus one where ships may cross, as a bit set.
struct OpenCrossings {
    lanes: Vec<u32>,
}

impl OpenCrossings {
    fn new<N: Number>(lanes: usize, crossing_groups: &[CrossingGroup<N>]) -> Self {
        let mut open_crossings = vec![0; lanes];
        for group in crossing_groups {
            open_crossings[group.first_lane..group.end()].iter_mut().for_each(|lane| *lane |= group.positions());
        }
        Self { lanes: open_crossings }
    }

    /// Whether a ship may cross all lanes of a range at some position of a block.
    fn may_cross(&self, start: usize, length: usize, block: usize) -> bool {
        self.lanes[start..start + length].iter().fold(PairIndex::block_mask(block), |open, lane| open & lane) != 0
    }
}

/// The sums over all layouts with at most two crossing ships, for one orientation.
pub(super) struct TwoCrossing<'a, N> {
    count: &'a LaneCount<'a, N>,
    pair_index: PairIndex,
    dimensions: Dimensions,
    term_sets: TermSets,
    lanes: Vec<LaneFillings<N>>,
    lane_ranges: LaneRanges<N>,
    crossing_groups: Vec<CrossingGroup<N>>,
    pub(super) total: N,
    /// For each candidate of each group, the sum over the layouts that use it.
    pub(super) shares: Vec<Vec<N>>,
}

impl<'a, N: Number> TwoCrossing<'a, N> {
    pub(super) fn new(count: &'a LaneCount<'a, N>, max_crossing_ships: usize) -> Self {
        let pair_index = PairIndex::new(count.positions);
        let blocks = pair_index.singles().len();
        let crossing_groups = if max_crossing_ships > 0 { crossing_groups(count, blocks) } else { Vec::new() };
        let longest = crossing_groups.iter().map(|group| group.length).max().unwrap_or(0);
        let dimensions = Dimensions { size: count.radix.size, lanes: count.lanes, longest, blocks };
        let term_sets = TermSets::new(count.problem, &count.radix, longest);
        let lanes: Vec<LaneFillings<N>> =
            (0..count.lanes).map(|lane| LaneFillings::new(count, lane, &pair_index, &term_sets)).collect();
        let lane_ranges = LaneRanges::new(
            dimensions,
            &lanes,
            &pair_index,
            &term_sets,
            &OpenCrossings::new(dimensions.lanes, &crossing_groups),
        );
        let shares = count.problem.groups.iter().map(|group| vec![N::ZERO; group.candidates.len()]).collect();
        let mut two_crossing = Self {
            count,
            pair_index,
            dimensions,
            term_sets,
            lanes,
            lane_ranges,
            crossing_groups,
            total: N::ZERO,
            shares,
        };
        two_crossing.add_up(max_crossing_ships);
        two_crossing
    }

    fn add_up(&mut self, max_crossing_ships: usize) {
        self.add_without_crossings();
        match max_crossing_ships {
            0 => {}
            1 => self.add_separate_crossings(1),
            _ => {
                self.add_separate_crossings(2);
                Overlap::new(self).add_up();
            }
        }
        self.lane_ranges.backpropagate(&mut self.lanes, &self.pair_index, &self.term_sets);
        for (number, lane) in self.lanes.iter().enumerate() {
            lane.backpropagate(self.count, number, (&self.pair_index, &self.term_sets), &mut self.shares);
        }
        for group in &self.crossing_groups {
            group.add_shares(&mut self.shares);
        }
    }

    fn add_without_crossings(&mut self) {
        let Dimensions { lanes, .. } = self.dimensions;
        self.total += self.lane_ranges.before.ways.at(lanes)[self.count.radix.full()][0];
        self.lane_ranges.before.adjoints.at_mut(lanes)[0][0] += N::ONE;
    }

    /// Adds the layouts in which one ship crosses, or two ships that share no lane.
    fn add_separate_crossings(&mut self, max_crossing_ships: usize) {
        let (lanes, size) = (self.dimensions.lanes, self.dimensions.size);
        let mut one_before = BatchTable::new(size, lanes + 1);
        if max_crossing_ships > 1 {
            for lane in 0..lanes {
                self.fill_lanes_before(lane + 1, &mut one_before);
            }
        }
        let mut one_before_adjoints = BatchTable::new(size, lanes + 1);
        let mut crossing_sum = CrossingSum::new(self.dimensions);
        let mut buffer = BatchTable::new(size, 1);
        for group in &mut self.crossing_groups {
            crossing_sum.clear();
            let at = self.dimensions.range(group.first_lane, group.length);
            buffer.clear();
            add(buffer.at_mut(0), one_before.at(group.first_lane));
            add(buffer.at_mut(0), self.lane_ranges.before.ways.at(group.first_lane));
            group.multiply_into(&self.count.radix, &self.lane_ranges.crossed_and_after.ways, at, &mut crossing_sum);
            for block in 0..self.dimensions.blocks {
                add(crossing_sum.adjoints.at_mut(block), buffer.at(0));
                add(self.lane_ranges.before.adjoints.at_mut(group.first_lane), crossing_sum.ways.at(block));
                add(one_before_adjoints.at_mut(group.first_lane), crossing_sum.ways.at(block));
            }
            self.total +=
                group.backpropagate(&self.count.radix, &mut self.lane_ranges.crossed_and_after, at, &crossing_sum);
        }
        if max_crossing_ships > 1 {
            for lane in (0..lanes).rev() {
                self.backpropagate_lanes_before(lane + 1, &one_before, &mut one_before_adjoints);
            }
        }
    }

    /// The ways to fill the lanes before `lane` with exactly one ship across them.
    fn fill_lanes_before(&mut self, lane: usize, one_before: &mut BatchTable<N>) {
        let (shorter, buffer) = one_before.at_and_later(lane - 1, lane);
        self.term_sets.all.add(shorter, self.lane_ranges.free_lane(lane - 1), buffer);
        let mut crossing_sum = CrossingSum::new(self.dimensions);
        for group in self.crossing_groups.iter().filter(|group| group.end() == lane) {
            let at = self.dimensions.range(group.first_lane, group.length);
            group.multiply_into(&self.count.radix, &self.lane_ranges.crossed_and_before.ways, at, &mut crossing_sum);
        }
        for block in 0..self.dimensions.blocks {
            crossing_sum.ways.at(block).iter().zip(buffer.iter_mut()).for_each(|(batch, buffer)| {
                let sum = sum(batch);
                buffer.iter_mut().for_each(|buffer| *buffer += sum);
            });
        }
    }

    fn backpropagate_lanes_before(
        &mut self,
        lane: usize,
        one_before: &BatchTable<N>,
        one_before_adjoints: &mut BatchTable<N>,
    ) {
        let mut crossing_sum = CrossingSum::new(self.dimensions);
        for (number, batch) in one_before_adjoints.at(lane).iter().enumerate() {
            let sum = sum(batch);
            (0..self.dimensions.blocks).for_each(|block| crossing_sum.adjoints.at_mut(block)[number] = [sum; WIDTH]);
        }
        for group in self.crossing_groups.iter_mut().filter(|group| group.end() == lane) {
            let at = self.dimensions.range(group.first_lane, group.length);
            group.backpropagate(&self.count.radix, &mut self.lane_ranges.crossed_and_before, at, &crossing_sum);
        }
        let (adjoints, buffer) = one_before_adjoints.at_and_earlier(lane, lane - 1);
        self.term_sets.all.add(adjoints, self.lane_ranges.free_lane(lane - 1), buffer);
        self.term_sets.all.add(adjoints, one_before.at(lane - 1), self.lane_ranges.free_lane_adjoints(lane - 1));
    }
}
