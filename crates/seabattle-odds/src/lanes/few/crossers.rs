//! The ships of a group that begin to cross at a lane, at all positions.

use super::lots::{Lot, Table, WIDTH, add_moved, add_product, dot, sum};
use super::ranges::Sums;
use super::{Grid, Shape};
use crate::lanes::Count;
use crate::number::Number;
use crate::sea::Radix;

pub(super) struct Crosser<N> {
    pub(super) group: usize,
    pub(super) first_lane: usize,
    pub(super) length: usize,
    /// By position, which begin at 1; 0 where the ship may not lie.
    weights: Vec<Lot<N>>,
    shares: Vec<Lot<N>>,
    /// Positions and candidates.
    candidates: Vec<(usize, usize)>,
}

/// All of them.
pub(super) fn crossers<N: Number>(count: &Count<'_, N>, blocks: usize) -> Vec<Crosser<N>> {
    let mut found: Vec<Crosser<N>> = Vec::new();
    for (group, ships) in count.crossings.iter().enumerate() {
        let of_group = found.len();
        for ship in ships {
            let known = found[of_group..].iter().position(|crosser| crosser.first_lane == ship.first_lane);
            let at = known.map_or(found.len(), |at| of_group + at);
            if known.is_none() {
                found.push(Crosser {
                    group,
                    first_lane: ship.first_lane,
                    length: ship.length,
                    weights: vec![[N::ZERO; WIDTH]; blocks],
                    shares: vec![[N::ZERO; WIDTH]; blocks],
                    candidates: Vec::new(),
                });
            }
            let (block, slot) = Grid::place(ship.position + 1);
            found[at].weights[block][slot] = N::weight(ship.weight);
            found[at].candidates.push((ship.position + 1, ship.candidate));
        }
    }
    found
}

impl<N: Number> Crosser<N> {
    pub(super) fn end(&self) -> usize {
        self.first_lane + self.length
    }

    /// As bits; they begin at 1.
    pub(super) fn positions(&self) -> u32 {
        self.candidates.iter().fold(0, |all, (position, _)| all | 1 << position)
    }

    /// Adds the ship to the ways to fill its lanes, and both to a sum.
    pub(super) fn join(&self, radix: &Radix, ways: &Table<N>, at: usize, side: &mut Side<N>) {
        for (block, weight) in self.weights.iter().enumerate() {
            add_moved(radix, self.group, weight, ways.at(at + block), side.ways.at_mut(block));
        }
    }

    /// Hands what is beside such a sum on to the ship and to the ways to fill its lanes; the sum of all of it.
    pub(super) fn share_out(&mut self, radix: &Radix, lanes: &mut Sums<N>, at: usize, side: &Side<N>) -> N {
        let mut total = N::ZERO;
        for (block, weight) in self.weights.iter().enumerate() {
            let others = side.others.at(block);
            add_moved(radix, self.group, weight, others, lanes.others.at_mut(at + block));
            let share = dot(radix, self.group, weight, lanes.ways.at(at + block), others);
            add_product(&mut self.shares[block], &share, &[N::ONE; WIDTH]);
            total += sum(&share);
        }
        total
    }

    pub(super) fn hand_on(&self, shares: &mut [Vec<N>]) {
        for &(position, candidate) in &self.candidates {
            let (block, slot) = Grid::place(position);
            shares[self.group][candidate] += self.shares[block][slot];
        }
    }
}

/// One of two ships that cross lanes in common: the sum over all such ships with the ways to fill their other lanes.
pub(super) struct Side<N> {
    pub(super) ways: Table<N>,
    pub(super) others: Table<N>,
    blocks: usize,
}

impl<N: Number> Side<N> {
    pub(super) fn new(shape: Shape) -> Self {
        Self {
            ways: Table::new(shape.size, shape.blocks),
            others: Table::new(shape.size, shape.blocks),
            blocks: shape.blocks,
        }
    }

    pub(super) fn clear(&mut self) {
        self.ways.clear();
        self.others.clear();
    }

    /// The positions where there is a way, as bits; they begin at 1.
    pub(super) fn possible(&self) -> u32 {
        let mut found = 0;
        for block in 0..self.blocks {
            for slot in 0..WIDTH {
                let possible = self.ways.at(block).iter().any(|lot| lot[slot] != N::ZERO);
                found |= u32::from(possible) << (block * WIDTH + slot);
            }
        }
        found
    }
}
