//! Weighs the shots that a network wishes for: each is followed to the end over all layouts left, the network shooting on.

mod policy_with_odds;
mod position;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use seabattle_core::{Cell, Knowledge};
use seabattle_network::PolicyNetwork;

use policy_with_odds::Eyes;
use position::{Position, mixed};

use super::EndgameLimits;
use super::exact_search::Exact;
use super::look_ahead::{LookAhead, likeliest};
use super::layout_set::BuildSetHasher;
use super::layout_table::{Cells, Table};

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
    /// Looks of the network for all of them; a shot for which they do not suffice is passed over.
    pub(crate) looks: usize,
}

/// What came of positions: that depends on nothing else.
pub(super) type Memory = HashMap<u128, Outlook, BuildSetHasher>;

#[derive(Clone, Copy)]
pub(super) struct Outlook {
    /// Summed over the layouts that fit.
    misses: u32,
    /// How often the network looks until then.
    looks: usize,
}

pub(super) struct Foresight<'a, const W: usize> {
    pub(super) network: &'a PolicyNetwork,
    /// In row order.
    pub(super) table: &'a Table<W>,
    /// The search of the last layouts.
    pub(super) last: EndgameLimits,
    pub(super) memory: &'a mut Memory,
    /// Looks that are left. What is remembered takes as many as if it were new, so that memory changes no shot.
    pub(super) looks: usize,
}

/// No look is left.
#[derive(Debug)]
struct OutOfLooks;

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
        let mut best = (u32::MAX, *spots.first()?);
        for at in spots {
            if let Ok(misses) = self.misses_after(&now, at)
                && misses < best.0
            {
                best = (misses, at);
            }
        }
        Some(cell_of(best.1))
    }

    /// The spots worth weighing, the network's choice first.
    fn strongest_wishes(&self, position: &Position<W>, counts: &[u32], limits: &ForesightLimits) -> Option<Vec<usize>> {
        let sight = self.network.evaluate(&position.knowledge)?;
        let eyes = Eyes::new(self.table, position, counts, sight);
        let chosen = eyes.best()?;
        let strongest = eyes.wishes().map(|(wish, _)| wish).fold(f32::NEG_INFINITY, f32::max);
        let near = |&(wish, at): &(f32, usize)| at != chosen && wish >= strongest - limits.behind;
        let mut others: Vec<(f32, usize)> = eyes.wishes().filter(near).collect();
        // Wishes that differ by rounding alone stay in row order, on every machine.
        others.sort_by_key(|(wish, _)| (-100.0 * wish).round() as i32);
        Some(std::iter::once(chosen).chain(others.into_iter().map(|(_, at)| at)).take(limits.width).collect())
    }

    /// The misses to come, summed over the layouts.
    fn misses(&mut self, position: &Position<W>) -> Result<u32, OutOfLooks> {
        let layouts = position.layouts.len();
        if layouts < 2 {
            return Ok(0);
        }
        let before = self.looks;
        if let Some(&Outlook { misses, looks }) = self.memory.get(&position.name) {
            self.looks = before.saturating_sub(looks);
            return if looks <= before { Ok(misses) } else { Err(OutOfLooks) };
        }
        let misses = match layouts as usize {
            many if many > self.last.layouts => self.followed(position)?,
            ..=64 => self.searched(&self.table.packed::<1>(&position.layouts), position.hits),
            65..=256 => self.searched(&self.table.packed::<4>(&position.layouts), position.hits),
            257..=1024 => self.searched(&self.table.packed::<16>(&position.layouts), position.hits),
            _ => self.searched(&self.table.packed::<W>(&position.layouts), position.hits),
        };
        self.memory.insert(position.name, Outlook { misses, looks: before - self.looks });
        Ok(misses)
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
    fn followed(&mut self, position: &Position<W>) -> Result<u32, OutOfLooks> {
        let mut counts = Vec::new();
        let counted = self.table.counts(&position.layouts, position.hits, &mut counts);
        if !counted.uncertain {
            return Ok(0);
        }
        let all = position.layouts.len();
        let is_certain = |at: &usize| counts[*at] == all && position.hits & self.table.spots[*at].bit() == 0;
        let certain = (0..counts.len()).find(is_certain);
        if certain.is_none() {
            self.looks = self.looks.checked_sub(1).ok_or(OutOfLooks)?;
        }
        let wished = || {
            let sight = self.network.evaluate_once(&position.knowledge)?;
            Eyes::new(self.table, position, &counts, sight).best()
        };
        match certain.or_else(wished).or_else(|| likeliest(&counts, all)) {
            Some(at) => self.misses_after(position, at),
            None => Ok(0),
        }
    }

    /// As [`Foresight::misses`], for a given shot, its own miss included.
    fn misses_after(&mut self, position: &Position<W>, at: usize) -> Result<u32, OutOfLooks> {
        let split = self.table.split(&position.layouts, position.hits, at);
        let mut sum = split.miss().len();
        for (outcome, layouts) in split.by_answer().filter(|(_, layouts)| !layouts.is_empty()) {
            if let Some(next) = position.after(self.table.spots[at].cell, outcome, layouts) {
                sum += self.misses(&next)?;
            }
        }
        Ok(sum)
    }
}
