//! The ways to fill neighbouring lanes that no ship crosses, or that one ship crosses at each position.

use super::fillings::Lane;
use super::lots::{Lot, Table, WIDTH, add, fold, is_zero, spread};
use super::products::Products;
use super::{Grid, Open, Shape};
use crate::number::Number;

/// Polynomials with what all others contribute beside each.
pub(super) struct Sums<N> {
    pub(super) ways: Table<N>,
    pub(super) others: Table<N>,
}

impl<N: Number> Sums<N> {
    pub(super) fn new(size: usize, count: usize) -> Self {
        Self { ways: Table::new(size, count), others: Table::new(size, count) }
    }
}

/// All ranges of lanes.
pub(super) struct Ranges<N> {
    shape: Shape,
    /// Single lanes that no ship crosses, the lanes before each and those from each on; the same for all four.
    free: Sums<N>,
    pub(super) below: Sums<N>,
    pub(super) above: Sums<N>,
    /// Lanes that a ship crosses, those with all free lanes below them, those with all free lanes above them.
    pub(super) crossed: Sums<N>,
    pub(super) low: Sums<N>,
    pub(super) high: Sums<N>,
}

impl<N: Number> Ranges<N> {
    pub(super) fn new(shape: Shape, lanes: &[Lane<N>], grid: &Grid, products: &Products, open: &Open) -> Self {
        let along = || Sums::new(shape.size, shape.lanes + 1);
        let crossing = || Sums::new(shape.size, (shape.lanes + 1) * (shape.longest + 1) * shape.blocks);
        let mut ranges = Self {
            shape,
            free: along(),
            below: along(),
            above: along(),
            crossed: crossing(),
            low: crossing(),
            high: crossing(),
        };
        for (number, lane) in lanes.iter().enumerate() {
            spread(lane.ways(grid.singles().start), 0, ranges.free.ways.at_mut(number));
        }
        ranges.multiply_free(products);
        ranges.multiply_crossed(lanes, grid, products, open);
        ranges
    }

    fn multiply_free(&mut self, products: &Products) {
        let lanes = self.shape.lanes;
        self.below.ways.at_mut(0)[0] = [N::ONE; WIDTH];
        self.above.ways.at_mut(lanes)[0] = [N::ONE; WIDTH];
        for lane in 0..lanes {
            let (known, room) = self.below.ways.at_and_later(lane, lane + 1);
            products.all.add(known, self.free.ways.at(lane), room);
        }
        for lane in (0..lanes).rev() {
            let (known, room) = self.above.ways.at_and_earlier(lane + 1, lane);
            products.all.add(known, self.free.ways.at(lane), room);
        }
    }

    fn multiply_crossed(&mut self, lanes: &[Lane<N>], grid: &Grid, products: &Products, open: &Open) {
        for (start, length) in self.shape.ranges() {
            let one = &products.beside_one[length].ways;
            for (block, single) in grid.singles().enumerate() {
                if !open.may_cross(start, length, block) {
                    continue;
                }
                let at = self.shape.range(start, length) + block;
                if length == 0 {
                    self.crossed.ways.at_mut(at)[0] = [N::ONE; WIDTH];
                    add(self.low.ways.at_mut(at), self.below.ways.at(start));
                    add(self.high.ways.at_mut(at), self.above.ways.at(start));
                    continue;
                }
                let (shorter, room) = self.crossed.ways.at_and_later(at - self.shape.blocks, at);
                one.add(shorter, lanes[start + length - 1].ways(single), room);
                let crossed = self.crossed.ways.at(at);
                one.add(crossed, self.below.ways.at(start), self.low.ways.at_mut(at));
                one.add(crossed, self.above.ways.at(start + length), self.high.ways.at_mut(at));
            }
        }
    }

    pub(super) fn free_lane(&self, lane: usize) -> &[Lot<N>] {
        self.free.ways.at(lane)
    }

    pub(super) fn beside_free_lane(&mut self, lane: usize) -> &mut [Lot<N>] {
        self.free.others.at_mut(lane)
    }

    /// Hands what the others contribute on to single lanes.
    pub(super) fn hand_on(&mut self, lanes: &mut [Lane<N>], grid: &Grid, products: &Products) {
        self.hand_on_crossed(lanes, grid, products);
        for lane in 0..self.shape.lanes {
            let (others, room) = self.above.others.at_and_later(lane, lane + 1);
            products.all.add(others, self.free.ways.at(lane), room);
            products.all.add(others, self.above.ways.at(lane + 1), self.free.others.at_mut(lane));
        }
        for lane in (0..self.shape.lanes).rev() {
            let (others, room) = self.below.others.at_and_earlier(lane + 1, lane);
            products.all.add(others, self.free.ways.at(lane), room);
            products.all.add(others, self.below.ways.at(lane), self.free.others.at_mut(lane));
        }
        for (number, lane) in lanes.iter_mut().enumerate() {
            fold(self.free.others.at(number), lane.others(grid.singles().start), 0);
        }
    }

    fn hand_on_crossed(&mut self, lanes: &mut [Lane<N>], grid: &Grid, products: &Products) {
        for (start, length) in self.shape.ranges().collect::<Vec<_>>().into_iter().rev() {
            let one = &products.beside_one[length].others;
            for (block, single) in grid.singles().enumerate() {
                let at = self.shape.range(start, length) + block;
                let (low, high) = (self.low.others.at(at), self.high.others.at(at));
                let (below, above) = (start, start + length);
                if length == 0 {
                    add(self.below.others.at_mut(below), low);
                    add(self.above.others.at_mut(above), high);
                    continue;
                }
                let crossed = self.crossed.ways.at(at);
                if !is_zero(low) {
                    one.add(low, crossed, self.below.others.at_mut(below));
                    one.add(low, self.below.ways.at(below), self.crossed.others.at_mut(at));
                }
                if !is_zero(high) {
                    one.add(high, crossed, self.above.others.at_mut(above));
                    one.add(high, self.above.ways.at(above), self.crossed.others.at_mut(at));
                }
                let shorter = at - self.shape.blocks;
                let lane = &mut lanes[start + length - 1];
                let (others, room) = self.crossed.others.at_and_earlier(at, shorter);
                if !is_zero(others) {
                    one.add(others, lane.ways(single), room);
                    one.add(others, self.crossed.ways.at(shorter), lane.others(single));
                }
            }
        }
    }
}
