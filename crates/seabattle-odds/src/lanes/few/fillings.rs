//! The ways to fill single lanes around no, one or two crossings.
//!
//! Crossings part a lane into stretches that do not know of each other: the ways to fill them multiply.

use super::Grid;
use super::lots::{Lot, Table, WIDTH, add, add_moved, dot, fold, spread};
use super::products::Products;
use crate::lanes::{Along, Count};
use crate::number::Number;

/// One lane. Its tables are by the higher crossing and, four at a time, by the lower one: see [`Grid`].
pub(super) struct Lane<N> {
    /// From after the lower crossing to before the higher one.
    stretches: Table<N>,
    /// All before the lower crossing.
    below: Table<N>,
    /// All before the higher crossing.
    before: Table<N>,
    /// All of the lane.
    ways: Table<N>,
    /// What the other lanes and the ships across contribute, by the ships that they use.
    others: Table<N>,
    known: Vec<bool>,
}

impl<N: Number> Lane<N> {
    pub(super) fn new(count: &Count<'_, N>, lane: usize, grid: &Grid, products: &Products) -> Self {
        let size = count.radix.size;
        let table = || Table::new(size, grid.blocks());
        let mut made = Self {
            stretches: table(),
            below: Table::new(size, grid.singles().len()),
            before: table(),
            ways: table(),
            others: table(),
            known: vec![false; grid.blocks()],
        };
        for end in 0..=grid.positions {
            made.stretch(count, lane, grid, end);
        }
        made.below.at_mut(0)[0][0] = N::ONE;
        for position in 0..grid.positions {
            let (block, slot) = Grid::place(position + 1);
            let whole = made.stretches.at(grid.row(position).start);
            made.below.at_mut(block).iter_mut().zip(whole).for_each(|(below, ways)| below[slot] = ways[0]);
        }
        for (block, at) in grid.singles().enumerate() {
            products.all.add(made.below.at(block), made.stretches.at(at), made.ways.at_mut(at));
            made.known[at] = true;
        }
        made
    }

    /// The ways to fill from everywhere to one end: the last cell is left free, or a ship ends there.
    fn stretch(&mut self, count: &Count<'_, N>, lane: usize, grid: &Grid, end: usize) {
        let to = grid.row(end).start;
        for (block, shorter) in grid.without_last_cell(count.hits[lane], end).enumerate() {
            let (known, room) = self.stretches.at_and_later(shorter, to + block);
            add(room, known);
        }
        for (start, ship) in ending(&count.along[lane], end) {
            for (block, shorter) in grid.row(start).enumerate() {
                let (known, room) = self.stretches.at_and_later(shorter, to + block);
                add_moved(&count.radix, ship.group, &[N::weight(ship.weight); WIDTH], known, room);
            }
        }
        let (block, slot) = Grid::place(end);
        self.stretches.at_mut(to + block)[0][slot] += N::ONE;
    }

    /// The ways to fill the lane, where they are known.
    pub(super) fn ways(&self, at: usize) -> &[Lot<N>] {
        self.ways.at(at)
    }

    pub(super) fn others(&mut self, at: usize) -> &mut [Lot<N>] {
        self.others.at_mut(at)
    }

    /// The ways to fill the lane crossed at a position and lower down, four at a time.
    pub(super) fn crossed_twice(
        &mut self,
        grid: &Grid,
        products: &Products,
        (position, block): (usize, usize),
        room: &mut [Lot<N>],
    ) -> &[Lot<N>] {
        let at = grid.row(position).start + block;
        if !self.known[at] {
            self.known[at] = true;
            let two = &products.beside_two[1].ways;
            two.add(self.below.at(block), self.stretches.at(at), self.before.at_mut(at));
            let (above, slot) = grid.above(position);
            spread(self.stretches.at(above), slot, room);
            two.add(self.before.at(at), room, self.ways.at_mut(at));
        }
        self.ways.at(at)
    }

    /// Hands what the others contribute on to the ships of this lane.
    pub(super) fn hand_on(
        &self,
        count: &Count<'_, N>,
        lane: usize,
        (grid, products): (&Grid, &Products),
        shares: &mut [Vec<N>],
    ) {
        let mut beside = Table::new(count.radix.size, grid.blocks());
        let mut beside_below = Table::new(count.radix.size, grid.singles().len());
        let mut room = Table::new(count.radix.size, 3);
        for position in 0..grid.positions {
            for (block, at) in grid.row(position).enumerate().filter(|(_, at)| self.known[*at]) {
                let two = &products.beside_two[1].others;
                room.clear();
                let (above, slot) = grid.above(position);
                spread(self.stretches.at(above), slot, room.at_mut(0));
                two.add(self.others.at(at), self.before.at(at), room.at_mut(1));
                fold(room.at(1), beside.at_mut(above), slot);
                let (above, beside_before) = room.at_and_later(0, 2);
                two.add(self.others.at(at), above, beside_before);
                two.add(beside_before, self.stretches.at(at), beside_below.at_mut(block));
                two.add(beside_before, self.below.at(block), beside.at_mut(at));
            }
        }
        for (block, at) in grid.singles().enumerate() {
            products.all.add(self.others.at(at), self.stretches.at(at), beside_below.at_mut(block));
            products.all.add(self.others.at(at), self.below.at(block), beside.at_mut(at));
        }
        for position in 0..grid.positions {
            let (block, slot) = Grid::place(position + 1);
            let whole = beside.at_mut(grid.row(position).start);
            whole.iter_mut().zip(beside_below.at(block)).for_each(|(whole, below)| whole[0] += below[slot]);
        }
        for end in (0..=grid.positions).rev() {
            self.hand_on_stretch((count, lane, grid), end, &mut beside, shares);
        }
    }

    fn hand_on_stretch(
        &self,
        (count, lane, grid): (&Count<'_, N>, usize, &Grid),
        end: usize,
        beside: &mut Table<N>,
        shares: &mut [Vec<N>],
    ) {
        let to = grid.row(end).start;
        for (block, shorter) in grid.without_last_cell(count.hits[lane], end).enumerate() {
            let (others, room) = beside.at_and_earlier(to + block, shorter);
            add(room, others);
        }
        for (start, ship) in ending(&count.along[lane], end) {
            let weight = [N::weight(ship.weight); WIDTH];
            for (block, shorter) in grid.row(start).enumerate() {
                let (others, room) = beside.at_and_earlier(to + block, shorter);
                add_moved(&count.radix, ship.group, &weight, others, room);
                let found = dot(&count.radix, ship.group, &weight, self.stretches.at(shorter), others);
                found.into_iter().for_each(|share| shares[ship.group][ship.candidate] += share);
            }
        }
    }
}

/// The ships along a lane that end before a position, with where they start.
fn ending(along: &[Vec<Along>], end: usize) -> impl Iterator<Item = (usize, &Along)> {
    let starting = |start: usize| along[start].iter().map(move |ship| (start, ship));
    (0..end).flat_map(starting).filter(move |(start, ship)| start + ship.length == end)
}
