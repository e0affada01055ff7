//! Certain hits are taken first: they cost no miss, and their answers may tell layouts apart.

use super::layout_set::Set;
use super::answer_split::Split;
use super::layout_table::{Cells, Counted, Table};

/// What to do with some layouts after some hits.
pub(super) enum Next<const W: usize> {
    /// All layouts cover the same cells: no miss is left.
    Settled,
    /// A certain hit whose answer is not certain.
    Ask(usize, Split<W>),
    /// No certain hit tells anything; all of them are among these hits now.
    Search(Cells),
}

impl<const W: usize> Table<W> {
    /// What to do next; `counts` says afterwards how many of the layouts cover each spot.
    pub(super) fn next(&self, layouts: &Set<W>, mut hits: Cells, counts: &mut Vec<u32>) -> Next<W> {
        let all = layouts.len();
        match self.counts(layouts, hits, counts) {
            Counted { uncertain: false, .. } => return Next::Settled,
            Counted { certain: false, .. } => return Next::Search(hits),
            Counted { .. } => {}
        }
        loop {
            let mut quiet = 0;
            for (at, spot) in self.spots.iter().enumerate() {
                if counts[at] == all && hits & spot.bit() == 0 {
                    let split = self.split(layouts, hits, at);
                    if split.hits().nth(1).is_some() {
                        return Next::Ask(at, split);
                    }
                    quiet = spot.bit();
                }
            }
            if quiet == 0 {
                return Next::Search(hits);
            }
            hits |= quiet;
        }
    }

    /// The first spot under a ship in all of some layouts.
    pub(super) fn sure(&self, layouts: &Set<W>) -> Option<usize> {
        let all = layouts.len();
        self.spots.iter().position(|spot| spot.covers.common(layouts) == all)
    }
}
