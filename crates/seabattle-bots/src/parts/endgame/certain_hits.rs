//! Fires certain hits first. They cost no miss, and their answers may rule out layouts.

use super::answer_split::AnswerSplit;
use super::layout_set::LayoutSet;
use super::layout_table::{CellMask, Coverage, LayoutTable};

/// The next step with some consistent layouts, after some hits.
pub(super) enum NextStep<const W: usize> {
    /// All layouts cover the same cells, so no more misses follow.
    Settled,
    /// Fire at this covered cell: a certain hit with several possible answers.
    Fire(usize, AnswerSplit<W>),
    /// Search for a shot. No certain hit has several answers; the mask has all certain hits.
    Search(CellMask),
}

impl<const W: usize> LayoutTable<W> {
    /// The next step. Afterwards `counts` has the number of layouts over each covered cell.
    pub(super) fn next_step(&self, layouts: &LayoutSet<W>, mut hits: CellMask, counts: &mut Vec<u32>) -> NextStep<W> {
        let layout_count = layouts.len();
        match self.count_coverage(layouts, hits, counts) {
            Coverage { has_uncertain_cell: false, .. } => return NextStep::Settled,
            Coverage { has_certain_hit: false, .. } => return NextStep::Search(hits),
            Coverage { .. } => {}
        }
        loop {
            let mut uninformative = 0;
            for (index, covered) in self.covered_cells.iter().enumerate() {
                if counts[index] == layout_count && hits & covered.bit() == 0 {
                    let split = self.split(layouts, hits, index);
                    if split.hits().nth(1).is_some() {
                        return NextStep::Fire(index, split);
                    }
                    uninformative = covered.bit();
                }
            }
            if uninformative == 0 {
                return NextStep::Search(hits);
            }
            hits |= uninformative;
        }
    }

    /// The first cell that all of these layouts cover.
    pub(super) fn certain_hit(&self, layouts: &LayoutSet<W>) -> Option<usize> {
        let layout_count = layouts.len();
        self.covered_cells.iter().position(|covered| covered.layouts.common_count(layouts) == layout_count)
    }
}
