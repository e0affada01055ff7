//! Open hits as a person reads the board: which are in line, and which seem to belong to a sunk ship.

use seabattle_core::{Announce, Cell, CellSet, Orientation, View};

use crate::parts::direction::Direction;
use crate::parts::placement_counter::afloat_of_length;

/// The open hits, and the hits that belong to sunk ships. Where sinkings are not announced, closed lines count as sunk.
pub(crate) struct OpenHits {
    pub(crate) open: CellSet,
    pub(crate) sunk: CellSet,
}

impl OpenHits {
    pub(crate) fn new(view: &View<'_>) -> Self {
        let enemy = view.enemy();
        let mut sunk = enemy.sunk_cells().clone();
        if view.rules().announce() == Announce::Hit {
            sunk |= &closed_lines(view);
        }
        Self { open: enemy.hits() - &sunk, sunk }
    }

    /// The cells that continue a line of two hits, or lie between two hits.
    pub(crate) fn in_line(&self) -> CellSet {
        let size = self.open.size();
        let continues_line = |cell: Cell, towards: Direction| {
            let next = towards.neighbor_of(cell, size);
            let after_next = next.and_then(|next| towards.neighbor_of(next, size));
            let is_hit = |cell: Option<Cell>| cell.is_some_and(|cell| self.open.contains(cell));
            is_hit(next) && (is_hit(after_next) || is_hit(towards.opposite().neighbor_of(cell, size)))
        };
        let is_in_line = |cell: &Cell| Direction::CLOCKWISE.into_iter().any(|towards| continues_line(*cell, towards));
        CellSet::of(size, self.open.beside().iter().filter(is_in_line))
    }

    /// The cells around hits that have no other hit next to them.
    pub(crate) fn around_single(&self) -> CellSet {
        (&self.open - &self.open.beside()).beside()
    }
}

/// The hits on lines that are probably whole ships. For each length there may be at most as many lines as ships afloat.
fn closed_lines(view: &View<'_>) -> CellSet {
    let mut lengths: Vec<u8> = view.rules().classes().iter().map(|class| class.length()).collect();
    lengths.dedup();
    let mut closed = CellSet::empty(view.rules().size());
    for length in lengths.into_iter().filter(|&length| length > 1) {
        let lines: Vec<CellSet> =
            Orientation::ALL.into_iter().flat_map(|orientation| lines_of_length(view, length, orientation)).collect();
        if lines.len() <= usize::from(afloat_of_length(view, usize::from(length))) {
            lines.iter().for_each(|line| closed |= line);
        }
    }
    closed
}

/// The lines of hits of this length with no open cell at either end, and no hit next to them.
fn lines_of_length(view: &View<'_>, length: u8, orientation: Orientation) -> Vec<CellSet> {
    let (hits, open) = (view.enemy().hits(), view.enemy().open());
    let is_closed = |start: &Cell| {
        let ends = [start.step_back(orientation, 1), start.step(orientation, length)];
        ends.into_iter().flatten().all(|end| !open.contains(end))
    };
    let line = |start: Cell| CellSet::of(hits.size(), (0..length).filter_map(|step| start.step(orientation, step)));
    let stands_apart = |line: &CellSet| !(&line.beside() - line).intersects(hits);
    hits.starts(length, orientation).iter().filter(is_closed).map(line).filter(stands_apart).collect()
}

#[cfg(test)]
mod tests {
    use super::OpenHits;
    use seabattle_core::{CellSet, Knowledge, Rules, View};

    fn check(rules: &str, shots: &str, select: impl Fn(&OpenHits) -> CellSet, expected: &str) {
        let rules: Rules = rules.parse().unwrap();
        let enemy = Knowledge::parse(&rules, shots).unwrap();
        let selected = select(&OpenHits::new(&View::solo(&enemy)));
        assert_eq!(selected, expected.parse().unwrap(), "{rules} {shots}");
    }

    #[test]
    fn a_line_continues_at_both_ends_and_in_its_gaps() {
        check("6x3:5,3", "B2x C2x", OpenHits::in_line, "......\n#..#..\n......");
        check("6x3:5,3", "B1x B3x", OpenHits::in_line, "......\n.#....\n......");
        check("6x3:5,3", "A1x D1x F3x", OpenHits::in_line, "......\n......\n......");
    }

    #[test]
    fn single_hits_have_four_sides() {
        check("6x3:5,3", "B2x C2x F1x", OpenHits::around_single, "....#.\n.....#\n......");
    }

    #[test]
    fn a_closed_line_as_long_as_a_ship_seems_sunk_where_nothing_is_announced() {
        let sunk = |open_hits: &OpenHits| open_hits.sunk.clone();
        check("6x3:3,2,announce=hit", "A2x B2x C2x D2.", sunk, "......\n###...\n......");
        check("6x3:3,2,announce=hit", "A2x B2x C2x", sunk, "......\n......\n......");
        check("6x3:4,2,announce=hit", "A2x B2x C2x D2.", sunk, "......\n......\n......");
        let two_closed_lines = "A1x B1x C1. A3x B3x C3.";
        check("6x3:3,2,2,announce=hit", two_closed_lines, sunk, "##....\n......\n##....");
        check("6x3:4,2,announce=hit", two_closed_lines, sunk, "......\n......\n......");
        check("6x3:4,2,announce=sunk", "A2x B2x C2.", sunk, "......\n......\n......");
        check("6x3:4,2,announce=sunk", "A2x B2# C2.", sunk, "......\n##....\n......");
    }
}
