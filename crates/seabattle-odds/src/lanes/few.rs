//! At most two ships across the lanes: they are summed over all their positions at once.
//!
//! Everything is a product of polynomials in the ships used. Ways are multiplied up, from stretches of a lane to all
//! lanes; then what all others contribute is handed down the same way, to every ship at every place.

use std::ops::Range;

use super::Count;
use crate::number::Number;

use self::common::Common;
use self::crossers::{Crosser, Side, crossers};
use self::fillings::Lane;
use self::lots::{Table, WIDTH, add, sum};
use self::products::Products;
use self::ranges::Ranges;

mod common;
mod crossers;
mod fillings;
mod lots;
mod products;
mod ranges;
#[cfg(test)]
mod tests;

/// With more choices of ships the tables would grow too large.
pub(super) const MOST_CHOICES: usize = 512;

/// Where the ways to fill a lane are, for each choice of a higher and a lower crossing.
///
/// The higher is a position, or their number where there is none; the lower comes one later than its position: 0 is none.
/// So the row of no higher crossing has all single ones. Each row is stored four lower crossings at a time.
struct Grid {
    positions: usize,
    begins: Vec<usize>,
}

impl Grid {
    fn new(positions: usize) -> Self {
        let blocks = |row: usize| Self::place(row).0 + 1;
        let begins = (0..=positions + 1).map(|row| (0..row).map(blocks).sum()).collect();
        Self { positions, begins }
    }

    fn blocks(&self) -> usize {
        self.begins[self.positions + 1]
    }

    fn row(&self, higher: usize) -> Range<usize> {
        self.begins[higher]..self.begins[higher + 1]
    }

    fn singles(&self) -> Range<usize> {
        self.row(self.positions)
    }

    /// The block of a lower crossing in its row, and its slot there.
    fn place(lower: usize) -> (usize, usize) {
        (lower / WIDTH, lower % WIDTH)
    }

    /// The lower crossings of a block, as bits.
    fn block(block: usize) -> u32 {
        ((1 << WIDTH) - 1) << (block * WIDTH)
    }

    /// The stretch from after a position to the end of the lane.
    fn above(&self, position: usize) -> (usize, usize) {
        let (block, slot) = Self::place(position + 1);
        (self.singles().start + block, slot)
    }

    /// The stretches to one end without their last cell, where that may be left free.
    fn without_last_cell(&self, hits: u32, end: usize) -> Range<usize> {
        match end.checked_sub(1) {
            Some(last) if hits >> last & 1 == 0 => self.row(last),
            _ => 0..0,
        }
    }
}

/// How many there are of everything.
#[derive(Clone, Copy)]
struct Shape {
    size: usize,
    lanes: usize,
    /// The longest ship that crosses.
    longest: usize,
    blocks: usize,
}

impl Shape {
    /// Starts and lengths of all ranges that one ship may cross, shorter ones first.
    fn ranges(self) -> impl Iterator<Item = (usize, usize)> {
        let lengths = move |start: usize| (0..=self.longest.min(self.lanes - start)).map(move |length| (start, length));
        (0..=self.lanes).flat_map(lengths)
    }

    /// The first block of a range.
    fn range(self, start: usize, length: usize) -> usize {
        (start * (self.longest + 1) + length) * self.blocks
    }

    fn range_between(self, start: usize, end: usize) -> usize {
        self.range(start, end - start)
    }
}

/// Where ships may cross: for each lane its positions as bits; they begin at 1.
struct Open {
    lanes: Vec<u32>,
}

impl Open {
    fn new<N: Number>(lanes: usize, crossers: &[Crosser<N>]) -> Self {
        let mut open = vec![0; lanes];
        for crosser in crossers {
            open[crosser.first_lane..crosser.end()].iter_mut().for_each(|open| *open |= crosser.positions());
        }
        Self { lanes: open }
    }

    /// Whether some ship may cross all of these lanes at some position of a block.
    fn may_cross(&self, start: usize, length: usize, block: usize) -> bool {
        self.lanes[start..start + length].iter().fold(Grid::block(block), |open, lane| open & lane) != 0
    }
}

/// All sums of one orientation.
pub(super) struct Few<'a, N> {
    count: &'a Count<'a, N>,
    grid: Grid,
    shape: Shape,
    products: Products,
    lanes: Vec<Lane<N>>,
    ranges: Ranges<N>,
    crossers: Vec<Crosser<N>>,
    pub(super) total: N,
    /// For each candidate of each group.
    pub(super) shares: Vec<Vec<N>>,
}

impl<'a, N: Number> Few<'a, N> {
    pub(super) fn new(count: &'a Count<'a, N>, most_crossing_ships: usize) -> Self {
        let grid = Grid::new(count.positions);
        let blocks = grid.singles().len();
        let crossers = if most_crossing_ships > 0 { crossers(count, blocks) } else { Vec::new() };
        let longest = crossers.iter().map(|crosser| crosser.length).max().unwrap_or(0);
        let shape = Shape { size: count.radix.size, lanes: count.lanes, longest, blocks };
        let products = Products::new(count.sea, &count.radix, longest);
        let lanes: Vec<Lane<N>> = (0..count.lanes).map(|lane| Lane::new(count, lane, &grid, &products)).collect();
        let ranges = Ranges::new(shape, &lanes, &grid, &products, &Open::new(shape.lanes, &crossers));
        let shares = count.sea.groups.iter().map(|group| vec![N::ZERO; group.candidates.len()]).collect();
        let mut few = Self { count, grid, shape, products, lanes, ranges, crossers, total: N::ZERO, shares };
        few.add_up(most_crossing_ships);
        few
    }

    fn add_up(&mut self, most_crossing_ships: usize) {
        self.none_crosses();
        match most_crossing_ships {
            0 => {}
            1 => self.last_crosses(false),
            _ => {
                self.last_crosses(true);
                Common::new(self).add_up();
            }
        }
        self.ranges.hand_on(&mut self.lanes, &self.grid, &self.products);
        for (number, lane) in self.lanes.iter().enumerate() {
            lane.hand_on(self.count, number, (&self.grid, &self.products), &mut self.shares);
        }
        for crosser in &self.crossers {
            crosser.hand_on(&mut self.shares);
        }
    }

    fn none_crosses(&mut self) {
        let Shape { lanes, .. } = self.shape;
        self.total += self.ranges.below.ways.at(lanes)[self.count.radix.full()][0];
        self.ranges.below.others.at_mut(lanes)[0][0] += N::ONE;
    }

    /// One ship crosses; below it no other does, or one that crosses no lane in common with it.
    fn last_crosses(&mut self, after_another: bool) {
        let (lanes, size) = (self.shape.lanes, self.shape.size);
        let mut below = Table::new(size, lanes + 1);
        if after_another {
            for lane in 0..lanes {
                self.one_crosses_below(lane + 1, &mut below);
            }
        }
        let mut beside_below = Table::new(size, lanes + 1);
        let mut side = Side::new(self.shape);
        let mut room = Table::new(size, 1);
        for crosser in &mut self.crossers {
            side.clear();
            let at = self.shape.range(crosser.first_lane, crosser.length);
            room.clear();
            add(room.at_mut(0), below.at(crosser.first_lane));
            add(room.at_mut(0), self.ranges.below.ways.at(crosser.first_lane));
            crosser.join(&self.count.radix, &self.ranges.high.ways, at, &mut side);
            for block in 0..self.shape.blocks {
                add(side.others.at_mut(block), room.at(0));
                add(self.ranges.below.others.at_mut(crosser.first_lane), side.ways.at(block));
                add(beside_below.at_mut(crosser.first_lane), side.ways.at(block));
            }
            self.total += crosser.share_out(&self.count.radix, &mut self.ranges.high, at, &side);
        }
        if after_another {
            for lane in (0..lanes).rev() {
                self.hand_on_below(lane + 1, &below, &mut beside_below);
            }
        }
    }

    /// The ways to fill the lanes before one with exactly one ship across them.
    fn one_crosses_below(&mut self, lane: usize, below: &mut Table<N>) {
        let (known, room) = below.at_and_later(lane - 1, lane);
        self.products.all.add(known, self.ranges.free_lane(lane - 1), room);
        let mut side = Side::new(self.shape);
        for crosser in self.crossers.iter().filter(|crosser| crosser.end() == lane) {
            let at = self.shape.range(crosser.first_lane, crosser.length);
            crosser.join(&self.count.radix, &self.ranges.low.ways, at, &mut side);
        }
        for block in 0..self.shape.blocks {
            side.ways.at(block).iter().zip(room.iter_mut()).for_each(|(lot, room)| {
                let sum = sum(lot);
                room.iter_mut().for_each(|room| *room += sum);
            });
        }
    }

    fn hand_on_below(&mut self, lane: usize, below: &Table<N>, beside_below: &mut Table<N>) {
        let mut side = Side::new(self.shape);
        for (number, lot) in beside_below.at(lane).iter().enumerate() {
            let sum = sum(lot);
            (0..self.shape.blocks).for_each(|block| side.others.at_mut(block)[number] = [sum; WIDTH]);
        }
        for crosser in self.crossers.iter_mut().filter(|crosser| crosser.end() == lane) {
            let at = self.shape.range(crosser.first_lane, crosser.length);
            crosser.share_out(&self.count.radix, &mut self.ranges.low, at, &side);
        }
        let (others, room) = beside_below.at_and_earlier(lane, lane - 1);
        self.products.all.add(others, self.ranges.free_lane(lane - 1), room);
        self.products.all.add(others, below.at(lane - 1), self.ranges.beside_free_lane(lane - 1));
    }
}
