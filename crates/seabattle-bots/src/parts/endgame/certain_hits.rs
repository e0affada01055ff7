//! Certain hits are taken first: they cost no miss, and their answers may tell layouts apart.

use super::answer_split::AnswerSplit;
use super::layout_set::LayoutSet;
use super::layout_table::{CellMask, Coverage, LayoutTable};

/// What to do with some layouts after some hits.
pub(super) enum NextStep<const W: usize> {
    /// All layouts cover the same cells: no miss is left.
    Settled,
    /// A certain hit whose answer is not certain.
    Fire(usize, AnswerSplit<W>),
    /// No certain hit tells anything; all of them are among these hits now.
    Search(CellMask),
}

impl<const W: usize> LayoutTable<W> {
    /// What to do next; `counts` says afterwards how many of the layouts cover each spot.
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

    /// The first spot under a ship in all of some layouts.
    pub(super) fn certain_hit(&self, layouts: &LayoutSet<W>) -> Option<usize> {
        let layout_count = layouts.len();
        self.covered_cells.iter().position(|covered| covered.layouts.common_count(layouts) == layout_count)
    }
}
