//! Two ships that cross some of the same lanes, from one lane on.
//!
//! The lanes in the overlap depend on both positions, and all other lanes on one of them. So the other lanes are summed
//! separately for each ship, and the overlap joins the two sums.

use super::batch::{Batch, BatchTable, add, broadcast, reduce_into};
use super::crossing_group::{CrossingGroup, CrossingSum};
use super::lane_ranges::DualTable;
use super::terms::OverlapKind;
use super::{PairIndex, TwoCrossing};
use crate::number::Number;

/// The sum over two ships that cross some of the same lanes, with buffers.
pub(super) struct Overlap<'f, 'a, N> {
    two_crossing: &'f mut TwoCrossing<'a, N>,
    start: usize,
    /// For each number of lanes from `start` on, the ways to fill them when two ships cross them.
    tables: DualTable<N>,
    /// For each pair of crossings the number of lanes for which these ways are computed.
    computed: Vec<usize>,
    buffer: BatchTable<N>,
}

impl<'f, 'a, N: Number> Overlap<'f, 'a, N> {
    pub(super) fn new(two_crossing: &'f mut TwoCrossing<'a, N>) -> Self {
        let (size, blocks) = (two_crossing.dimensions.size, two_crossing.pair_index.blocks());
        let tables = DualTable::new(size, two_crossing.dimensions.longest * blocks);
        Self { start: 0, tables, computed: vec![0; blocks], buffer: BatchTable::new(size, 3), two_crossing }
    }

    pub(super) fn add_up(&mut self) {
        for start in 0..self.two_crossing.dimensions.lanes {
            self.start = start;
            for length in 1..=self.two_crossing.dimensions.longest.min(self.two_crossing.dimensions.lanes - start) {
                self.add_staggered(length);
                self.add_nested(length);
            }
            self.backpropagate();
        }
    }

    /// The index of the ways to fill `length` lanes.
    fn range(&self, length: usize, at: usize) -> usize {
        (length - 1) * self.two_crossing.pair_index.blocks() + at
    }

    fn crossing_groups(&self, keep: impl Fn(&CrossingGroup<N>) -> bool) -> Vec<usize> {
        let numbered = self.two_crossing.crossing_groups.iter().enumerate();
        numbered.filter(|(_, group)| keep(group)).map(|(number, _)| number).collect()
    }

    /// Adds pairs of which the lower ship ends where the overlap ends, and the higher one begins where it begins.
    fn add_staggered(&mut self, length: usize) {
        let (start, end) = (self.start, self.start + length);
        let low_ships = self.crossing_groups(|group| group.first_lane < start && group.end() == end);
        let high_ships = self.crossing_groups(|group| group.first_lane == start && group.end() > end);
        if low_ships.is_empty() || high_ships.is_empty() || !self.two_crossing.term_sets.staggered[length].is_possible()
        {
            return;
        }
        let TwoCrossing { lane_ranges, crossing_groups, dimensions, count, .. } = &mut *self.two_crossing;
        let (mut low, mut high) = (CrossingSum::new(*dimensions), CrossingSum::new(*dimensions));
        for &number in &low_ships {
            let at = dimensions.range_between(crossing_groups[number].first_lane, start);
            crossing_groups[number].multiply_into(&count.radix, &lane_ranges.crossed_and_before.ways, at, &mut low);
        }
        for &number in &high_ships {
            let at = dimensions.range_between(end, crossing_groups[number].end());
            crossing_groups[number].multiply_into(&count.radix, &lane_ranges.crossed_and_after.ways, at, &mut high);
        }
        self.combine(OverlapKind::Staggered, length, &mut low, &mut high);
        self.combine(OverlapKind::Staggered, length, &mut high, &mut low);
        let TwoCrossing { lane_ranges, crossing_groups, dimensions, count, total, .. } = &mut *self.two_crossing;
        for &number in &low_ships {
            let at = dimensions.range_between(crossing_groups[number].first_lane, start);
            *total +=
                crossing_groups[number].backpropagate(&count.radix, &mut lane_ranges.crossed_and_before, at, &low);
        }
        for &number in &high_ships {
            let at = dimensions.range_between(end, crossing_groups[number].end());
            crossing_groups[number].backpropagate(&count.radix, &mut lane_ranges.crossed_and_after, at, &high);
        }
    }

    /// Adds pairs of which one ship crosses exactly the lanes of the overlap.
    fn add_nested(&mut self, length: usize) {
        let (start, end, dimensions) = (self.start, self.start + length, self.two_crossing.dimensions);
        let inner_ships = self.crossing_groups(|group| group.first_lane == start && group.end() == end);
        if inner_ships.is_empty() || !self.two_crossing.term_sets.nested[length].is_possible() {
            return;
        }
        let no_lanes = dimensions.range(start, 0);
        let mut inner_sum = CrossingSum::new(dimensions);
        for &number in &inner_ships {
            let TwoCrossing { lane_ranges, crossing_groups, count, .. } = &mut *self.two_crossing;
            crossing_groups[number].multiply_into(&count.radix, &lane_ranges.crossed.ways, no_lanes, &mut inner_sum);
        }
        self.add_outer_ships(length, &mut inner_sum);
        for &number in &inner_ships {
            let TwoCrossing { lane_ranges, crossing_groups, count, .. } = &mut *self.two_crossing;
            crossing_groups[number].backpropagate(&count.radix, &mut lane_ranges.crossed, no_lanes, &inner_sum);
        }
    }

    /// Adds the outer ships, which cross the same lanes as the inner one and perhaps more.
    fn add_outer_ships(&mut self, length: usize, inner_sum: &mut CrossingSum<N>) {
        let (start, end, dimensions) = (self.start, self.start + length, self.two_crossing.dimensions);
        // Of two ships that cross the same lanes, the one at the higher position counts as the outer, so a pair counts once.
        let (mut higher, mut lower) = (CrossingSum::new(dimensions), CrossingSum::new(dimensions));
        let mut outer_ships: Vec<(usize, DualTable<N>)> = Vec::new();
        for number in self.crossing_groups(|group| group.first_lane <= start && group.end() >= end) {
            let lanes = self.multiply_outer(number, length);
            let group = &self.two_crossing.crossing_groups[number];
            group.multiply_into(&self.two_crossing.count.radix, &lanes.ways, 0, &mut higher);
            if group.length > length {
                group.multiply_into(&self.two_crossing.count.radix, &lanes.ways, 0, &mut lower);
            }
            outer_ships.push((number, lanes));
        }
        self.combine(OverlapKind::OuterHigher, length, &mut higher, inner_sum);
        self.combine(OverlapKind::InnerHigher, length, inner_sum, &mut lower);
        for block in 0..dimensions.blocks {
            add(lower.adjoints.at_mut(block), higher.adjoints.at(block));
        }
        for (number, mut lanes) in outer_ships {
            let TwoCrossing { crossing_groups, count, total, .. } = &mut *self.two_crossing;
            let crossing_sum = if crossing_groups[number].length > length { &lower } else { &higher };
            *total += crossing_groups[number].backpropagate(&count.radix, &mut lanes, 0, crossing_sum);
            self.backpropagate_outer(number, length, &lanes);
        }
    }

    /// The lanes of an outer ship on both sides of the overlap, with all free lanes.
    fn multiply_outer(&self, number: usize, length: usize) -> DualTable<N> {
        let TwoCrossing { lane_ranges, dimensions, term_sets, crossing_groups, .. } = &*self.two_crossing;
        let low = dimensions.range_between(crossing_groups[number].first_lane, self.start);
        let high = dimensions.range_between(self.start + length, crossing_groups[number].end());
        let mut lanes = DualTable::new(dimensions.size, dimensions.blocks);
        for block in 0..dimensions.blocks {
            let (low, high) = (
                lane_ranges.crossed_and_before.ways.at(low + block),
                lane_ranges.crossed_and_after.ways.at(high + block),
            );
            term_sets.with_two_crossing[length].ways.add(low, high, lanes.ways.at_mut(block));
        }
        lanes
    }

    fn backpropagate_outer(&mut self, number: usize, length: usize, lanes: &DualTable<N>) {
        let TwoCrossing { lane_ranges, dimensions, term_sets, crossing_groups, .. } = &mut *self.two_crossing;
        let low = dimensions.range_between(crossing_groups[number].first_lane, self.start);
        let high = dimensions.range_between(self.start + length, crossing_groups[number].end());
        for block in 0..dimensions.blocks {
            let adjoints = lanes.adjoints.at(block);
            let terms = &term_sets.with_two_crossing[length].adjoints;
            terms.add(
                adjoints,
                lane_ranges.crossed_and_after.ways.at(high + block),
                lane_ranges.crossed_and_before.adjoints.at_mut(low + block),
            );
            terms.add(
                adjoints,
                lane_ranges.crossed_and_before.ways.at(low + block),
                lane_ranges.crossed_and_after.adjoints.at_mut(high + block),
            );
        }
    }

    /// Combines each position of one ship with all lower positions of the other.
    fn combine(&mut self, kind: OverlapKind, length: usize, higher: &mut CrossingSum<N>, lower: &mut CrossingSum<N>) {
        let (higher_possible, lower_possible) = (higher.possible(), lower.possible());
        for position in 0..self.two_crossing.pair_index.positions {
            if higher_possible >> (position + 1) & 1 == 0 {
                continue;
            }
            let lower_positions = lower_possible & ((1 << (position + 1)) - 1);
            let (block, offset) = PairIndex::block_and_offset(position + 1);
            broadcast(higher.ways.at(block), offset, self.buffer.at_mut(0));
            self.buffer.clear_at(1);
            for (number, at) in self.two_crossing.pair_index.row(position).enumerate() {
                if lower_positions & PairIndex::block_mask(number) == 0 {
                    continue;
                }
                self.compute_overlap(position, number, length);
                let ordered_terms = self.two_crossing.term_sets.ordered_terms(kind, length);
                let overlap = self.range(length, at);
                let ways = self.tables.ways.at(overlap);
                let (one, adjoints) = self.buffer.at_and_later(0, 1);
                ordered_terms.for_higher.add(ways, lower.ways.at(number), adjoints);
                ordered_terms.for_lower.add(ways, one, lower.adjoints.at_mut(number));
                let (first, second): (&[Batch<N>], &[Batch<N>]) = if ordered_terms.higher_first {
                    (one, lower.ways.at(number))
                } else {
                    (lower.ways.at(number), one)
                };
                ordered_terms.for_overlap.add(first, second, self.tables.adjoints.at_mut(overlap));
            }
            reduce_into(self.buffer.at(1), higher.adjoints.at_mut(block), offset);
        }
    }

    /// Computes the ways to fill up to `length` lanes that both ships cross.
    fn compute_overlap(&mut self, position: usize, block: usize, length: usize) {
        let at = self.two_crossing.pair_index.row(position).start + block;
        for computed in self.computed[at]..length {
            let next = self.range(computed + 1, at);
            let TwoCrossing { pair_index, term_sets, lanes, .. } = &mut *self.two_crossing;
            let lane = &mut lanes[self.start + computed];
            let ways = lane.crossed_twice(pair_index, term_sets, (position, block), self.buffer.at_mut(2));
            if computed == 0 {
                self.tables.ways.at_mut(next).copy_from_slice(ways);
            } else {
                let (shorter, product) = self.tables.ways.at_and_later(next - pair_index.blocks(), next);
                term_sets.with_two_crossing[computed + 1].ways.add(shorter, ways, product);
            }
        }
        self.computed[at] = self.computed[at].max(length);
    }

    /// Passes the adjoints of the overlap back to single lanes, and clears its tables.
    fn backpropagate(&mut self) {
        for at in 0..self.computed.len() {
            for length in (1..=std::mem::take(&mut self.computed[at])).rev() {
                let number = self.range(length, at);
                let TwoCrossing { pair_index, term_sets, lanes, .. } = &mut *self.two_crossing;
                let terms = &term_sets.with_two_crossing[length].adjoints;
                let lane = &mut lanes[self.start + length - 1];
                if length == 1 {
                    add(lane.adjoints(at), self.tables.adjoints.at(number));
                } else {
                    let shorter = number - pair_index.blocks();
                    let (adjoints, buffer) = self.tables.adjoints.at_and_earlier(number, shorter);
                    terms.add(adjoints, lane.ways(at), buffer);
                    terms.add(adjoints, self.tables.ways.at(shorter), lane.adjoints(at));
                }
                self.tables.ways.clear_at(number);
                self.tables.adjoints.clear_at(number);
            }
        }
    }
}
