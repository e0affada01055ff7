//! The best shot when few layouts are left: the fewest misses on average, by search over the layouts that fit.

mod certain_hits;
mod exact_search;
mod exact_rollout;
mod look_ahead;
mod layout_set;
mod answer_split;
mod layout_table;
#[cfg(test)]
mod tests;

use seabattle_core::{Cell, Knowledge};
use seabattle_network::PolicyNetwork;
use seabattle_odds::ConsistentLayouts;

use exact_search::Exact;
pub(crate) use exact_rollout::ForesightLimits;
use exact_rollout::{Foresight, Memory};
use look_ahead::LookAhead;
use layout_table::Table;

/// How far the search goes. All limits are counts, so the same position always gets the same answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct EndgameLimits {
    /// With more layouts there is no answer; at most [`MOST_LAYOUTS`].
    pub(crate) layouts: usize,
    /// With at most so many layouts the answer is exact, as long as the steps suffice; at most 64.
    pub(crate) exact: usize,
    /// While looking ahead, positions with at most so many layouts are searched to the end; at most 64.
    pub(crate) exact_ahead: usize,
    /// Cells tried for the shot at hand, and for each of the shots after it; then the likeliest cell alone is.
    pub(crate) widths: &'static [usize],
    /// Positions looked at before the search is cut short.
    pub(crate) steps: usize,
}

/// Two thousand layouts: a few milliseconds a shot at most.
impl Default for EndgameLimits {
    fn default() -> Self {
        Self { layouts: 2000, exact: 12, exact_ahead: 0, widths: &[6, 3, 2], steps: 40_000 }
    }
}

/// The most layouts that any limits may ask for.
pub(crate) const MOST_LAYOUTS: usize = 4096;

/// Searches endgames.
pub(crate) struct Endgame {
    limits: EndgameLimits,
    beside: Option<Beside>,
}

/// A network that plays until few layouts are left, and what is remembered of a game.
struct Beside {
    network: &'static PolicyNetwork,
    limits: ForesightLimits,
    memory: Memory,
}

/// A shot with the misses expected from then on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Advice {
    pub(crate) cell: Cell,
    /// On average over the layouts, this shot included.
    pub(crate) misses: f64,
}

impl Endgame {
    pub(crate) fn new(limits: EndgameLimits) -> Self {
        Self { limits, beside: None }
    }

    /// For one game beside a network: its shots are weighed while more layouts are left than the search takes.
    pub(crate) fn beside(network: &'static PolicyNetwork, limits: EndgameLimits, foresight: ForesightLimits) -> Self {
        Self { limits, beside: Some(Beside { network, limits: foresight, memory: Memory::default() }) }
    }

    /// The best shot found; nothing where too many layouts fit, or none.
    pub(crate) fn best_shot(&mut self, knowledge: &Knowledge) -> Option<Cell> {
        let foreseen = self.beside.as_ref().map_or(0, |beside| beside.limits.layouts);
        let most = self.limits.layouts.max(foreseen).min(MOST_LAYOUTS);
        let fitting = ConsistentLayouts::of(knowledge, most).filter(|layouts| !layouts.is_empty())?;
        if fitting.len() <= self.limits.layouts {
            return self.searched(knowledge, &fitting).map(|advice| advice.cell);
        }
        match fitting.len() {
            0..=256 => self.foresee::<4>(knowledge, &fitting),
            257..=1024 => self.foresee::<16>(knowledge, &fitting),
            _ => self.foresee::<64>(knowledge, &fitting),
        }
    }

    fn searched(&self, knowledge: &Knowledge, fitting: &ConsistentLayouts) -> Option<Advice> {
        match fitting.len() {
            0..=64 => self.search::<1>(knowledge, fitting),
            65..=256 => self.search::<4>(knowledge, fitting),
            257..=1024 => self.search::<16>(knowledge, fitting),
            _ => self.search::<64>(knowledge, fitting),
        }
    }

    fn foresee<const W: usize>(&mut self, knowledge: &Knowledge, layouts: &ConsistentLayouts) -> Option<Cell> {
        let Beside { network, limits, memory } = self.beside.as_mut()?;
        let table = Table::<W>::in_row_order(knowledge, layouts)?;
        Foresight { network, table: &table, last: self.limits, memory, looks: limits.looks }
            .best_shot(knowledge, limits)
    }

    fn search<const W: usize>(&self, knowledge: &Knowledge, layouts: &ConsistentLayouts) -> Option<Advice> {
        let (table, cells) = Table::<W>::new(knowledge, layouts)?;
        let mut steps = self.limits.steps;
        let exactly = (W == 1 && layouts.len() <= self.limits.exact)
            .then(|| Exact::new(&table.packed(&table.all())).best_shot(&mut steps).ok());
        let (spot, misses) = match exactly.flatten() {
            Some(found) => found,
            None => LookAhead { limits: &self.limits, steps, spare: Vec::new() }.best_shot(&table),
        };
        let cell = cells[usize::from(table.spots.get(spot)?.cell)];
        Some(Advice { cell, misses: f64::from(misses) / layouts.len() as f64 })
    }
}
