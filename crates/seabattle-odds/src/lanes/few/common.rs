//! Two ships that cross some lanes in common, from one lane on.
//!
//! The lanes in common depend on both positions, all others on one: free lanes and lanes of the one ship alone are summed
//! up on one side, those of the other on the other side, and the lanes in common lie between them.

use super::crossers::{Crosser, Side};
use super::lots::{Lot, Table, add, fold, spread};
use super::products::Lie;
use super::ranges::Sums;
use super::{Few, Grid};
use crate::number::Number;

pub(super) struct Common<'f, 'a, N> {
    few: &'f mut Few<'a, N>,
    start: usize,
    /// For each number of lanes from this one on, the ways to fill them crossed twice.
    ranges: Sums<N>,
    /// For each choice of crossings, of how many lanes the ways are known.
    known: Vec<usize>,
    room: Table<N>,
}

impl<'f, 'a, N: Number> Common<'f, 'a, N> {
    pub(super) fn new(few: &'f mut Few<'a, N>) -> Self {
        let (size, blocks) = (few.shape.size, few.grid.blocks());
        let ranges = Sums::new(size, few.shape.longest * blocks);
        Self { start: 0, ranges, known: vec![0; blocks], room: Table::new(size, 3), few }
    }

    pub(super) fn add_up(&mut self) {
        for start in 0..self.few.shape.lanes {
            self.start = start;
            for length in 1..=self.few.shape.longest.min(self.few.shape.lanes - start) {
                self.staggered(length);
                self.nested(length);
            }
            self.hand_on();
        }
    }

    /// Where the ways to fill so many lanes are.
    fn range(&self, length: usize, at: usize) -> usize {
        (length - 1) * self.few.grid.blocks() + at
    }

    fn crossers(&self, keep: impl Fn(&Crosser<N>) -> bool) -> Vec<usize> {
        let numbered = self.few.crossers.iter().enumerate();
        numbered.filter(|(_, crosser)| keep(crosser)).map(|(number, _)| number).collect()
    }

    /// The lower ship ends where the lanes in common end, the higher one begins where they begin.
    fn staggered(&mut self, length: usize) {
        let (start, end) = (self.start, self.start + length);
        let low_ships = self.crossers(|crosser| crosser.first_lane < start && crosser.end() == end);
        let high_ships = self.crossers(|crosser| crosser.first_lane == start && crosser.end() > end);
        if low_ships.is_empty() || high_ships.is_empty() || !self.few.products.staggered[length].is_possible() {
            return;
        }
        let Few { ranges, crossers, shape, count, .. } = &mut *self.few;
        let (mut low, mut high) = (Side::new(*shape), Side::new(*shape));
        for &number in &low_ships {
            let at = shape.range_between(crossers[number].first_lane, start);
            crossers[number].join(&count.radix, &ranges.low.ways, at, &mut low);
        }
        for &number in &high_ships {
            let at = shape.range_between(end, crossers[number].end());
            crossers[number].join(&count.radix, &ranges.high.ways, at, &mut high);
        }
        self.cross(Lie::Staggered, length, &mut low, &mut high);
        self.cross(Lie::Staggered, length, &mut high, &mut low);
        let Few { ranges, crossers, shape, count, total, .. } = &mut *self.few;
        for &number in &low_ships {
            let at = shape.range_between(crossers[number].first_lane, start);
            *total += crossers[number].share_out(&count.radix, &mut ranges.low, at, &low);
        }
        for &number in &high_ships {
            let at = shape.range_between(end, crossers[number].end());
            crossers[number].share_out(&count.radix, &mut ranges.high, at, &high);
        }
    }

    /// One ship crosses the lanes in common and no others.
    fn nested(&mut self, length: usize) {
        let (start, end, shape) = (self.start, self.start + length, self.few.shape);
        let inner = self.crossers(|crosser| crosser.first_lane == start && crosser.end() == end);
        if inner.is_empty() || !self.few.products.nested[length].is_possible() {
            return;
        }
        let no_lanes = shape.range(start, 0);
        let mut within = Side::new(shape);
        for &number in &inner {
            let Few { ranges, crossers, count, .. } = &mut *self.few;
            crossers[number].join(&count.radix, &ranges.crossed.ways, no_lanes, &mut within);
        }
        self.around(length, &mut within);
        for &number in &inner {
            let Few { ranges, crossers, count, .. } = &mut *self.few;
            crossers[number].share_out(&count.radix, &mut ranges.crossed, no_lanes, &within);
        }
    }

    /// All ships that cross the same lanes as an inner one, and perhaps others.
    fn around(&mut self, length: usize, within: &mut Side<N>) {
        let (start, end, shape) = (self.start, self.start + length, self.few.shape);
        // Two that cross the same lanes come up once: the one that counts as the outer crosses at the higher position.
        let (mut higher, mut lower) = (Side::new(shape), Side::new(shape));
        let mut around: Vec<(usize, Sums<N>)> = Vec::new();
        for number in self.crossers(|crosser| crosser.first_lane <= start && crosser.end() >= end) {
            let lanes = self.multiply_outer(number, length);
            let crosser = &self.few.crossers[number];
            crosser.join(&self.few.count.radix, &lanes.ways, 0, &mut higher);
            if crosser.length > length {
                crosser.join(&self.few.count.radix, &lanes.ways, 0, &mut lower);
            }
            around.push((number, lanes));
        }
        self.cross(Lie::OuterHigher, length, &mut higher, within);
        self.cross(Lie::InnerHigher, length, within, &mut lower);
        for block in 0..shape.blocks {
            add(lower.others.at_mut(block), higher.others.at(block));
        }
        for (number, mut lanes) in around {
            let Few { crossers, count, total, .. } = &mut *self.few;
            let side = if crossers[number].length > length { &lower } else { &higher };
            *total += crossers[number].share_out(&count.radix, &mut lanes, 0, side);
            self.hand_on_outer(number, length, &lanes);
        }
    }

    /// The lanes of an outer ship on both sides of those in common, with all free lanes.
    fn multiply_outer(&self, number: usize, length: usize) -> Sums<N> {
        let Few { ranges, shape, products, crossers, .. } = &*self.few;
        let low = shape.range_between(crossers[number].first_lane, self.start);
        let high = shape.range_between(self.start + length, crossers[number].end());
        let mut lanes = Sums::new(shape.size, shape.blocks);
        for block in 0..shape.blocks {
            let (low, high) = (ranges.low.ways.at(low + block), ranges.high.ways.at(high + block));
            products.beside_two[length].ways.add(low, high, lanes.ways.at_mut(block));
        }
        lanes
    }

    fn hand_on_outer(&mut self, number: usize, length: usize, lanes: &Sums<N>) {
        let Few { ranges, shape, products, crossers, .. } = &mut *self.few;
        let low = shape.range_between(crossers[number].first_lane, self.start);
        let high = shape.range_between(self.start + length, crossers[number].end());
        for block in 0..shape.blocks {
            let others = lanes.others.at(block);
            let two = &products.beside_two[length].others;
            two.add(others, ranges.high.ways.at(high + block), ranges.low.others.at_mut(low + block));
            two.add(others, ranges.low.ways.at(low + block), ranges.high.others.at_mut(high + block));
        }
    }

    /// Each position of the one ship with all lower positions of the other.
    fn cross(&mut self, lie: Lie, length: usize, higher: &mut Side<N>, lower: &mut Side<N>) {
        let (higher_possible, lower_possible) = (higher.possible(), lower.possible());
        for position in 0..self.few.grid.positions {
            if higher_possible >> (position + 1) & 1 == 0 {
                continue;
            }
            let below = lower_possible & ((1 << (position + 1)) - 1);
            let (block, slot) = Grid::place(position + 1);
            spread(higher.ways.at(block), slot, self.room.at_mut(0));
            self.room.clear_at(1);
            for (number, at) in self.few.grid.row(position).enumerate() {
                if below & Grid::block(number) == 0 {
                    continue;
                }
                self.know(position, number, length);
                let turn = self.few.products.turn(lie, length);
                let common = self.range(length, at);
                let ways = self.ranges.ways.at(common);
                let (one, beside) = self.room.at_and_later(0, 1);
                turn.beside_higher.add(ways, lower.ways.at(number), beside);
                turn.beside_lower.add(ways, one, lower.others.at_mut(number));
                let (first, second): (&[Lot<N>], &[Lot<N>]) =
                    if turn.higher_first { (one, lower.ways.at(number)) } else { (lower.ways.at(number), one) };
                turn.beside_common.add(first, second, self.ranges.others.at_mut(common));
            }
            fold(self.room.at(1), higher.others.at_mut(block), slot);
        }
    }

    /// Multiplies the ways to fill so many lanes that are crossed twice.
    fn know(&mut self, position: usize, block: usize, length: usize) {
        let at = self.few.grid.row(position).start + block;
        for known in self.known[at]..length {
            let next = self.range(known + 1, at);
            let Few { grid, products, lanes, .. } = &mut *self.few;
            let lane = &mut lanes[self.start + known];
            let ways = lane.crossed_twice(grid, products, (position, block), self.room.at_mut(2));
            if known == 0 {
                self.ranges.ways.at_mut(next).copy_from_slice(ways);
            } else {
                let (shorter, product) = self.ranges.ways.at_and_later(next - grid.blocks(), next);
                products.beside_two[known + 1].ways.add(shorter, ways, product);
            }
        }
        self.known[at] = self.known[at].max(length);
    }

    /// Hands what is beside the lanes in common on to single lanes, and forgets them.
    fn hand_on(&mut self) {
        for at in 0..self.known.len() {
            for length in (1..=std::mem::take(&mut self.known[at])).rev() {
                let number = self.range(length, at);
                let Few { grid, products, lanes, .. } = &mut *self.few;
                let two = &products.beside_two[length].others;
                let lane = &mut lanes[self.start + length - 1];
                if length == 1 {
                    add(lane.others(at), self.ranges.others.at(number));
                } else {
                    let shorter = number - grid.blocks();
                    let (others, room) = self.ranges.others.at_and_earlier(number, shorter);
                    two.add(others, lane.ways(at), room);
                    two.add(others, self.ranges.ways.at(shorter), lane.others(at));
                }
                self.ranges.ways.clear_at(number);
                self.ranges.others.clear_at(number);
            }
        }
    }
}
