//! A policy with exact odds: the output of a network, with exact probabilities of hits among its inputs.

use seabattle_core::Cell;
use seabattle_network::PolicyOutput;

use super::rollout_position::RolloutPosition;
use crate::parts::endgame::layout_table::LayoutTable;

/// A network's output for a position, completed by the exact odds from the layouts that are left.
pub(super) struct PolicyWithOdds<'a, const W: usize> {
    output: PolicyOutput,
    position: &'a RolloutPosition<W>,
    /// For each cell of the board: how many layouts cover it, and its index among the covered cells. Certain cells have
    /// none.
    covered_cells: Vec<Option<(u32, usize)>>,
}

impl<'a, const W: usize> PolicyWithOdds<'a, W> {
    pub(super) fn new(
        table: &LayoutTable<W>,
        position: &'a RolloutPosition<W>,
        counts: &[u32],
        output: PolicyOutput,
    ) -> Self {
        let mut covered_cells = vec![None; position.knowledge.rules().size().area()];
        for (index, (covered, &count)) in table.covered_cells.iter().zip(counts).enumerate() {
            if (1..position.layouts.len()).contains(&count) {
                covered_cells[usize::from(covered.number)] = Some((count, index));
            }
        }
        Self { output, position, covered_cells }
    }

    fn covered(&self, cell: Cell) -> Option<(u32, usize)> {
        self.covered_cells[self.position.knowledge.rules().size().index(cell)]
    }

    fn probability(&self, cell: Cell) -> f32 {
        self.covered(cell).map_or(0.0, |(count, _)| count as f32 / self.position.layouts.len() as f32)
    }

    /// The covered cell that the policy fires at.
    pub(super) fn best_index(&self) -> Option<usize> {
        let cell =
            self.output.best_with(|cell| self.covered(cell).is_some(), |candidate| self.probability(candidate.cell))?;
        self.covered(cell).map(|(_, index)| index)
    }

    /// The logit of every uncertain cell, with its index.
    pub(super) fn logits(&self) -> impl Iterator<Item = (f32, usize)> {
        let logits =
            self.output.logits_with(|cell| self.covered(cell).is_some(), |candidate| self.probability(candidate.cell));
        logits.filter_map(|(cell, logit)| Some((logit, self.covered(cell)?.1)))
    }
}
