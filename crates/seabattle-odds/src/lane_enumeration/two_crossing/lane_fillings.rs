//! The ways to fill single lanes around zero, one or two crossings.
//!
//! Crossings divide a lane into segments that are independent of each other: the ways to fill them multiply.

use super::PairIndex;
use super::batch::{Batch, BatchTable, WIDTH, add, add_shifted, broadcast, dot, reduce_into};
use super::terms::TermSets;
use crate::lane_enumeration::{AlignedShip, LaneCount};
use crate::number::Number;

/// The fillings of one lane, indexed by its higher and its lower crossing: see [`PairIndex`].
pub(super) struct LaneFillings<N> {
    /// The ways to fill the segment from after the lower crossing to before the higher one.
    segments: BatchTable<N>,
    /// The ways to fill everything before the lower crossing.
    before_lower: BatchTable<N>,
    /// The ways to fill everything before the higher crossing.
    before_higher: BatchTable<N>,
    /// The ways to fill the whole lane.
    ways: BatchTable<N>,
    /// The adjoints of `ways`: what the other lanes and the crossing ships contribute.
    adjoints: BatchTable<N>,
    computed: Vec<bool>,
}

impl<N: Number> LaneFillings<N> {
    pub(super) fn new(count: &LaneCount<'_, N>, lane: usize, pair_index: &PairIndex, term_sets: &TermSets) -> Self {
        let size = count.radix.size;
        let table = || BatchTable::new(size, pair_index.blocks());
        let mut fillings = Self {
            segments: table(),
            before_lower: BatchTable::new(size, pair_index.singles().len()),
            before_higher: table(),
            ways: table(),
            adjoints: table(),
            computed: vec![false; pair_index.blocks()],
        };
        for end in 0..=pair_index.positions {
            fillings.fill_segments(count, lane, pair_index, end);
        }
        fillings.before_lower.at_mut(0)[0][0] = N::ONE;
        for position in 0..pair_index.positions {
            let (block, offset) = PairIndex::block_and_offset(position + 1);
            let whole = fillings.segments.at(pair_index.row(position).start);
            fillings
                .before_lower
                .at_mut(block)
                .iter_mut()
                .zip(whole)
                .for_each(|(before, ways)| before[offset] = ways[0]);
        }
        for (block, at) in pair_index.singles().enumerate() {
            term_sets.all.add(fillings.before_lower.at(block), fillings.segments.at(at), fillings.ways.at_mut(at));
            fillings.computed[at] = true;
        }
        fillings
    }

    /// The ways to fill all segments that end at `end`: the last cell is left free, or a ship ends there.
    fn fill_segments(&mut self, count: &LaneCount<'_, N>, lane: usize, pair_index: &PairIndex, end: usize) {
        let to = pair_index.row(end).start;
        for (block, shorter) in pair_index.without_last_cell(count.hits[lane], end).enumerate() {
            let (computed, buffer) = self.segments.at_and_later(shorter, to + block);
            add(buffer, computed);
        }
        for (start, ship) in ending(&count.aligned_ships[lane], end) {
            for (block, shorter) in pair_index.row(start).enumerate() {
                let (computed, buffer) = self.segments.at_and_later(shorter, to + block);
                add_shifted(&count.radix, ship.group, &[N::weight(ship.weight); WIDTH], computed, buffer);
            }
        }
        let (block, offset) = PairIndex::block_and_offset(end);
        self.segments.at_mut(to + block)[0][offset] += N::ONE;
    }

    /// The ways to fill the lane, as far as they are computed.
    pub(super) fn ways(&self, at: usize) -> &[Batch<N>] {
        self.ways.at(at)
    }

    pub(super) fn adjoints(&mut self, at: usize) -> &mut [Batch<N>] {
        self.adjoints.at_mut(at)
    }

    /// The ways to fill the lane with a crossing at `position` and a lower one, four lower ones at a time.
    pub(super) fn crossed_twice(
        &mut self,
        pair_index: &PairIndex,
        term_sets: &TermSets,
        (position, block): (usize, usize),
        buffer: &mut [Batch<N>],
    ) -> &[Batch<N>] {
        let at = pair_index.row(position).start + block;
        if !self.computed[at] {
            self.computed[at] = true;
            let terms = &term_sets.with_two_crossing[1].ways;
            terms.add(self.before_lower.at(block), self.segments.at(at), self.before_higher.at_mut(at));
            let (after, offset) = pair_index.segment_after(position);
            broadcast(self.segments.at(after), offset, buffer);
            terms.add(self.before_higher.at(at), buffer, self.ways.at_mut(at));
        }
        self.ways.at(at)
    }

    /// Passes the adjoints back to the ships of this lane.
    pub(super) fn backpropagate(
        &self,
        count: &LaneCount<'_, N>,
        lane: usize,
        (pair_index, term_sets): (&PairIndex, &TermSets),
        shares: &mut [Vec<N>],
    ) {
        let mut segment_adjoints = BatchTable::new(count.radix.size, pair_index.blocks());
        let mut before_lower_adjoints = BatchTable::new(count.radix.size, pair_index.singles().len());
        let mut buffer = BatchTable::new(count.radix.size, 3);
        for position in 0..pair_index.positions {
            for (block, at) in pair_index.row(position).enumerate().filter(|(_, at)| self.computed[*at]) {
                let terms = &term_sets.with_two_crossing[1].adjoints;
                buffer.clear();
                let (after, offset) = pair_index.segment_after(position);
                broadcast(self.segments.at(after), offset, buffer.at_mut(0));
                terms.add(self.adjoints.at(at), self.before_higher.at(at), buffer.at_mut(1));
                reduce_into(buffer.at(1), segment_adjoints.at_mut(after), offset);
                let (after, before_higher_adjoints) = buffer.at_and_later(0, 2);
                terms.add(self.adjoints.at(at), after, before_higher_adjoints);
                terms.add(before_higher_adjoints, self.segments.at(at), before_lower_adjoints.at_mut(block));
                terms.add(before_higher_adjoints, self.before_lower.at(block), segment_adjoints.at_mut(at));
            }
        }
        for (block, at) in pair_index.singles().enumerate() {
            term_sets.all.add(self.adjoints.at(at), self.segments.at(at), before_lower_adjoints.at_mut(block));
            term_sets.all.add(self.adjoints.at(at), self.before_lower.at(block), segment_adjoints.at_mut(at));
        }
        for position in 0..pair_index.positions {
            let (block, offset) = PairIndex::block_and_offset(position + 1);
            let whole = segment_adjoints.at_mut(pair_index.row(position).start);
            whole
                .iter_mut()
                .zip(before_lower_adjoints.at(block))
                .for_each(|(whole, before)| whole[0] += before[offset]);
        }
        for end in (0..=pair_index.positions).rev() {
            self.backpropagate_segment((count, lane, pair_index), end, &mut segment_adjoints, shares);
        }
    }

    fn backpropagate_segment(
        &self,
        (count, lane, pair_index): (&LaneCount<'_, N>, usize, &PairIndex),
        end: usize,
        segment_adjoints: &mut BatchTable<N>,
        shares: &mut [Vec<N>],
    ) {
        let to = pair_index.row(end).start;
        for (block, shorter) in pair_index.without_last_cell(count.hits[lane], end).enumerate() {
            let (adjoints, buffer) = segment_adjoints.at_and_earlier(to + block, shorter);
            add(buffer, adjoints);
        }
        for (start, ship) in ending(&count.aligned_ships[lane], end) {
            let weight = [N::weight(ship.weight); WIDTH];
            for (block, shorter) in pair_index.row(start).enumerate() {
                let (adjoints, buffer) = segment_adjoints.at_and_earlier(to + block, shorter);
                add_shifted(&count.radix, ship.group, &weight, adjoints, buffer);
                let found = dot(&count.radix, ship.group, &weight, self.segments.at(shorter), adjoints);
                found.into_iter().for_each(|share| shares[ship.group][ship.candidate] += share);
            }
        }
    }
}

/// The aligned ships of a lane that end at a position, with their starts.
fn ending(aligned_ships: &[Vec<AlignedShip>], end: usize) -> impl Iterator<Item = (usize, &AlignedShip)> {
    let starting = |start: usize| aligned_ships[start].iter().map(move |ship| (start, ship));
    (0..end).flat_map(starting).filter(move |(start, ship)| start + ship.length == end)
}
