//! Weighs the shots that a network wishes for: each is followed to the end over all layouts left, the network shooting on.

mod eyes;
mod position;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use seabattle_core::{Cell, Knowledge};
use seabattle_network::Network;

use eyes::Eyes;
use position::{Position, mixed};

use super::EndgameLimits;
use super::exact::Exact;
use super::look_ahead::{LookAhead, likeliest};
use super::set::BuildSetHasher;
use super::table::{Cells, Table};

/// How much is weighed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ForesightLimits {
    /// With more layouts nothing is; at most [`MOST_LAYOUTS`](super::MOST_LAYOUTS).
    pub(crate) layouts: usize,
    /// Once one of so many is left, the search takes over.
    pub(crate) share: usize,
    /// Shots that are weighed.
    pub(crate) width: usize,
    /// How much weaker than the strongest wish of the network a shot may be, in logits.
    pub(crate) behind: f32,
}

/// The misses of positions, summed over the layouts that fit: what the network makes of a position depends on nothing else.
pub(super) type Memory = HashMap<u128, u32, BuildSetHasher>;

pub(super) struct Foresight<'a, const W: usize> {
    pub(super) network: &'a Network,
    /// In row order.
    pub(super) table: &'a Table<W>,
    /// The search of the last layouts.
    pub(super) last: EndgameLimits,
    pub(super) memory: &'a mut Memory,
}

impl<const W: usize> Foresight<'_, W> {
    /// The shot with the fewest misses to come; the network's own where several have.
    pub(super) fn best_shot(&mut self, knowledge: &Knowledge, limits: &ForesightLimits) -> Option<Cell> {
        let mut now = Position::new(knowledge, self.table.all());
        let few = (now.layouts.len() as usize / limits.share).next_power_of_two();
        self.last.layouts = few.max(self.last.layouts);
        now.name ^= u128::from(mixed(self.last.layouts as u64)); // What follows depends on it.
        let mut counts = Vec::new();
        self.table.counts(&now.layouts, 0, &mut counts);
        let cell_of = |at: usize| knowledge.rules().size().cell(usize::from(self.table.spots[at].cell));
        if let Some(at) = self.table.sure(&now.layouts) {
            return Some(cell_of(at));
        }
        let spots = self.strongest_wishes(&now, &counts, limits)?;
        if let [only] = spots[..] {
            return Some(cell_of(only));
        }
        let mut best: Option<(u32, usize)> = None;
        for at in spots {
            let fewest = best.map_or(u32::MAX, |(misses, _)| misses);
            let misses = self.misses_after(&now, at, fewest);
            if misses < fewest {
                best = Some((misses, at));
            }
        }
        best.map(|(_, at)| cell_of(at))
    }

    /// The spots worth weighing, the network's choice first.
    fn strongest_wishes(&self, position: &Position<W>, counts: &[u32], limits: &ForesightLimits) -> Option<Vec<usize>> {
        let sight = self.network.look(&position.knowledge)?;
        let eyes = Eyes::new(self.table, position, counts, sight);
        let chosen = eyes.best()?;
        let mut others: Vec<(f32, usize)> = eyes.wishes().filter(|(_, at)| *at != chosen).collect();
        others.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let strongest = eyes.wishes().map(|(wish, _)| wish).fold(f32::NEG_INFINITY, f32::max);
        let others = others.into_iter().take_while(|(wish, _)| *wish >= strongest - limits.behind).map(|(_, at)| at);
        Some(std::iter::once(chosen).chain(others).take(limits.width).collect())
    }

    /// The misses to come if they are fewer than `limit`; else some number that is at least `limit`.
    fn misses(&mut self, position: &Position<W>, limit: u32) -> u32 {
        let layouts = position.layouts.len();
        if layouts < 2 {
            return 0;
        }
        if let Some(&misses) = self.memory.get(&position.name) {
            return misses;
        }
        let misses = match layouts as usize {
            many if many > self.last.layouts => self.followed(position, limit),
            ..=64 => self.searched(&self.table.packed::<1>(&position.layouts), position.hits),
            65..=256 => self.searched(&self.table.packed::<4>(&position.layouts), position.hits),
            257..=1024 => self.searched(&self.table.packed::<16>(&position.layouts), position.hits),
            _ => self.searched(&self.table.packed::<W>(&position.layouts), position.hits),
        };
        if misses < limit {
            self.memory.insert(position.name, misses);
        }
        misses
    }

    /// Few layouts are searched.
    fn searched<const V: usize>(&self, table: &Table<V>, hits: Cells) -> u32 {
        let mut steps = self.last.steps;
        let all = table.all();
        let exactly = (all.len() as usize <= self.last.exact).then(|| {
            let table = table.packed::<1>(&all);
            Exact::new(&table).misses(&table.all(), hits, u32::MAX, &mut steps).ok()
        });
        exactly
            .flatten()
            .unwrap_or_else(|| LookAhead { limits: &self.last, steps, spare: Vec::new() }.misses_after(table, hits))
    }

    /// Many are shot at: certain hits first, then where the network wishes.
    fn followed(&mut self, position: &Position<W>, limit: u32) -> u32 {
        let mut counts = Vec::new();
        let counted = self.table.counts(&position.layouts, position.hits, &mut counts);
        if !counted.uncertain {
            return 0;
        }
        let all = position.layouts.len();
        let is_certain = |at: &usize| counts[*at] == all && position.hits & self.table.spots[*at].bit() == 0;
        let certain = (0..counts.len()).find(is_certain);
        let wished = || {
            let sight = self.network.glance(&position.knowledge)?;
            Eyes::new(self.table, position, &counts, sight).best()
        };
        match certain.or_else(wished).or_else(|| likeliest(&counts, all)) {
            Some(at) => self.misses_after(position, at, limit),
            None => 0,
        }
    }

    /// As [`Foresight::misses`], for a given shot, its own miss included.
    fn misses_after(&mut self, position: &Position<W>, at: usize, limit: u32) -> u32 {
        let split = self.table.split(&position.layouts, position.hits, at);
        let mut sum = split.miss().len();
        for (outcome, layouts) in split.by_answer().filter(|(_, layouts)| !layouts.is_empty()) {
            if sum >= limit {
                break;
            }
            if let Some(next) = position.after(self.table.spots[at].cell, outcome, layouts) {
                sum += self.misses(&next, limit - sum);
            }
        }
        sum
    }
}
