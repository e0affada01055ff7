//! What a network sees where the odds are counted.

use seabattle_core::Cell;
use seabattle_network::PolicyOutput;

use super::position::Position;
use crate::parts::endgame::layout_table::Table;

/// A sight of a position, with the layouts left to say how likely hits are.
pub(super) struct Eyes<'a, const W: usize> {
    sight: PolicyOutput,
    position: &'a Position<W>,
    /// For each cell of the board, how many layouts cover it, and its spot.
    spots: Vec<Option<(u32, usize)>>,
}

impl<'a, const W: usize> Eyes<'a, W> {
    pub(super) fn new(table: &Table<W>, position: &'a Position<W>, counts: &[u32], sight: PolicyOutput) -> Self {
        let mut spots = vec![None; position.knowledge.rules().size().area()];
        for (at, (spot, &count)) in table.spots.iter().zip(counts).enumerate() {
            if (1..position.layouts.len()).contains(&count) {
                spots[usize::from(spot.cell)] = Some((count, at));
            }
        }
        Self { sight, position, spots }
    }

    fn spot(&self, cell: Cell) -> Option<(u32, usize)> {
        self.spots[self.position.knowledge.rules().size().index(cell)]
    }

    fn probability(&self, cell: Cell) -> f32 {
        self.spot(cell).map_or(0.0, |(count, _)| count as f32 / self.position.layouts.len() as f32)
    }

    /// Where it would shoot.
    pub(super) fn best(&self) -> Option<usize> {
        let cell = self.sight.best_with(|cell| self.spot(cell).is_some(), |seen| self.probability(seen.cell))?;
        self.spot(cell).map(|(_, at)| at)
    }

    /// The logit of every spot that tells layouts apart.
    pub(super) fn wishes(&self) -> impl Iterator<Item = (f32, usize)> {
        let wishes = self.sight.logits_with(|cell| self.spot(cell).is_some(), |seen| self.probability(seen.cell));
        wishes.filter_map(|(cell, wish)| Some((wish, self.spot(cell)?.1)))
    }
}
