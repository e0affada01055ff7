//! Certain hits are taken first: they cost no miss, and their answers may tell layouts apart.

use super::answer_split::AnswerSplit;
use super::layout_set::LayoutSet;
use super::layout_table::{Cells, Coverage, LayoutTable};

/// What to do with some layouts after some hits.
pub(super) enum NextStep<const W: usize> {
    /// All layouts cover the same cells: no miss is left.
    Settled,
    /// A certain hit whose answer is not certain.
    Ask(usize, AnswerSplit<W>),
    /// No certain hit tells anything; all of them are among these hits now.
    Search(Cells),
}

impl<const W: usize> LayoutTable<W> {
    /// What to do next; `counts` says afterwards how many of the layouts cover each spot.
    pub(super) fn next_step(&self, layouts: &LayoutSet<W>, mut hits: Cells, counts: &mut Vec<u32>) -> NextStep<W> {
        let all = layouts.len();
        match self.counts(layouts, hits, counts) {
            Coverage { uncertain: false, .. } => return NextStep::Settled,
            Coverage { certain: false, .. } => return NextStep::Search(hits),
            Coverage { .. } => {}
        }
        loop {
            let mut quiet = 0;
            for (at, spot) in self.spots.iter().enumerate() {
                if counts[at] == all && hits & spot.bit() == 0 {
                    let split = self.split(layouts, hits, at);
                    if split.hits().nth(1).is_some() {
                        return NextStep::Ask(at, split);
                    }
                    quiet = spot.bit();
                }
            }
            if quiet == 0 {
                return NextStep::Search(hits);
            }
            hits |= quiet;
        }
    }

    /// The first spot under a ship in all of some layouts.
    pub(super) fn certain_hit(&self, layouts: &LayoutSet<W>) -> Option<usize> {
        let all = layouts.len();
        self.spots.iter().position(|spot| spot.covers.common(layouts) == all)
    }
}
