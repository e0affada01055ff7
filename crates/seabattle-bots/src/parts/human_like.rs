//! What the levels for people share: every hit is followed up, but the eye sees a part of the board, and misses fade.

use seabattle_core::{Bot, Cell, CellSet, Fleet, Rules, Seed, SeededRng, Size, Touching, View, layout, uniform_below};

use crate::parts::direction::Direction;
use crate::parts::open_hits::OpenHits;
use crate::parts::placement_count::{Pick, PlacementCounter, PlacementQuery};
use crate::parts::random_choice::{any_of, any_target};

/// What makes one person better than another.
#[derive(Clone, Copy)]
pub(crate) struct SkillProfile {
    /// The latest misses that are kept in mind when looking for room; a gap between older ones is not seen to be small.
    pub(crate) remembered_misses: usize,
    /// How many cells the eye sees in every direction from where it rests.
    pub(crate) sight: u8,
    /// In how many of a hundred shots the eye moves to another part of the board.
    pub(crate) restlessness: usize,
    /// How many of a hundred shots are thought over; the others go anywhere in sight, or to any side of a hit ship.
    pub(crate) care: usize,
}

pub(crate) struct HumanLike {
    rng: SeededRng,
    profile: SkillProfile,
    counter: Option<PlacementCounter>,
    eye: Option<Cell>,
}

impl HumanLike {
    pub(crate) fn new(seed: &Seed, profile: SkillProfile) -> Self {
        Self { rng: seed.rng(), profile, counter: None, eye: None }
    }

    /// The next shot at a ship that was hit: along its line, else beside it.
    fn follow_up(&mut self, view: &View<'_>, open_hits: &OpenHits, possible: &CellSet) -> Option<Cell> {
        if open_hits.open.is_empty() {
            return None;
        }
        let water = &view.enemy().misses() | &open_hits.sunk;
        let pick = if self.is_careful() { Pick::Most } else { Pick::Any };
        let line = open_hits.in_line();
        let waits_for_the_line = view.aimed().iter().any(|&cell| line.contains(cell));
        let sides = (!waits_for_the_line).then(|| open_hits.open.beside());
        [Some(line), Some(open_hits.around_single()), sides].into_iter().flatten().find_map(|cells| {
            let query = PlacementQuery { water: &water, among: &(&cells & possible), on_hits: true, pick };
            self.counter.as_mut()?.best(view, &query, &mut self.rng)
        })
    }

    fn is_careful(&mut self) -> bool {
        uniform_below(&mut self.rng, 100) < self.profile.care
    }

    fn hunt(&mut self, view: &View<'_>, open_hits: &OpenHits, possible: &CellSet) -> Option<Cell> {
        let seen = self.seen(possible);
        if !self.is_careful() {
            return any_of(&seen, &mut self.rng);
        }
        let water = &self.remembered(view) | &open_hits.sunk;
        let query = PlacementQuery { water: &water, among: &seen, on_hits: false, pick: Pick::Most };
        self.counter.as_mut()?.best(view, &query, &mut self.rng)
    }

    /// What the eye sees, after moving perhaps.
    fn seen(&mut self, possible: &CellSet) -> CellSet {
        let rests = uniform_below(&mut self.rng, 100) >= self.profile.restlessness;
        let around = |eye: Cell| &square(possible.size(), eye, self.profile.sight) & possible;
        if let Some(seen) = self.eye.filter(|_| rests).map(around).filter(|seen| !seen.is_empty()) {
            return seen;
        }
        self.eye = any_of(possible, &mut self.rng);
        self.eye.map_or_else(|| possible.clone(), around)
    }

    fn remembered(&self, view: &View<'_>) -> CellSet {
        let newest_first = view.enemy().shots().iter().rev();
        let misses = newest_first.filter(|shot| !shot.outcome.is_hit()).map(|shot| shot.cell);
        CellSet::of(view.rules().size(), misses.take(self.profile.remembered_misses))
    }
}

impl Bot for HumanLike {
    fn start(&mut self, rules: &Rules) {
        self.counter = Some(PlacementCounter::new(rules));
        self.eye = None;
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let open_hits = OpenHits::new(view);
        let possible = possible(view, &open_hits);
        self.follow_up(view, &open_hits, &possible)
            .or_else(|| self.hunt(view, &open_hits, &possible))
            .unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}

/// Where a ship may lie as far as ships keep apart from each other.
fn possible(view: &View<'_>, open_hits: &OpenHits) -> CellSet {
    let targets = view.targets();
    match view.rules().touching() {
        Touching::Allowed => targets.into_owned(),
        Touching::Corners => &*targets - &open_hits.sunk.beside(),
        Touching::Forbidden => &(&*targets - &open_hits.sunk.beside()) - &corners(view.enemy().hits()),
    }
}

/// The cells that touch one of these with a corner.
fn corners(cells: &CellSet) -> CellSet {
    let size = cells.size();
    let above_and_below =
        |cell: Cell| [Direction::North, Direction::South].map(|direction| direction.neighbour_of(cell, size));
    let left_and_right =
        |cell: Cell| [Direction::West, Direction::East].map(|direction| direction.neighbour_of(cell, size));
    let rows = cells.iter().flat_map(above_and_below).flatten();
    CellSet::of(size, rows.flat_map(left_and_right).flatten())
}

/// The cells at most so far from one, up and down as well as sideways.
fn square(size: Size, center: Cell, sight: u8) -> CellSet {
    let reach = |at: u8| at.saturating_sub(sight)..at.saturating_add(sight).saturating_add(1);
    CellSet::rectangle(size, reach(center.col()), reach(center.row()))
}

#[cfg(test)]
mod tests {
    use super::{corners, square};
    use seabattle_core::{Cell, CellSet, Size};

    #[test]
    fn corners_are_corners_even_beside_another_cell() {
        let cells: CellSet = "....\n.##.\n....".parse().unwrap();
        assert_eq!(corners(&cells), "####\n....\n####".parse().unwrap());
    }

    #[test]
    fn the_eye_sees_a_square_as_far_as_there_is_a_board() {
        let size = Size::new(4, 3).unwrap();
        let seen = |cell: Cell, sight: u8| square(size, cell, sight).len();
        assert_eq!([seen(Cell::new(0, 0), 1), seen(Cell::new(2, 1), 1), seen(Cell::new(1, 1), 60)], [4, 9, 12]);
    }
}
