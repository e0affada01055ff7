//! A human-like player, which the three weaker levels share. It follows up every hit, but sees only a part of the board
//! and forgets old misses.

use seabattle_core::{Bot, Cell, CellSet, Fleet, Rules, Seed, SeededRng, Size, Touching, View, layout, uniform_below};

use crate::parts::direction::Direction;
use crate::parts::open_hits::OpenHits;
use crate::parts::placement_counter::{CellChoice, PlacementCounter, PlacementQuery};
use crate::parts::random_choice::{any_of, any_target};

/// The parameters that make one human-like player better than another.
#[derive(Clone, Copy)]
pub(crate) struct SkillProfile {
    /// How many of the latest misses the player remembers while hunting. It forgets older ones, so a gap there seems
    /// large enough for a ship.
    pub(crate) remembered_misses: usize,
    /// The distance in cells that the player sees from its focus, in every direction.
    pub(crate) focus_radius: u8,
    /// How many percent of the hunting shots move the focus to another part of the board.
    pub(crate) refocus_percent: usize,
    /// How many percent of the shots are careful. A careless shot goes anywhere in sight, or to any side of a hit ship.
    pub(crate) careful_percent: usize,
}

pub(crate) struct HumanLike {
    rng: SeededRng,
    profile: SkillProfile,
    counter: Option<PlacementCounter>,
    focus: Option<Cell>,
}

impl HumanLike {
    pub(crate) fn new(seed: &Seed, profile: SkillProfile) -> Self {
        Self { rng: seed.rng(), profile, counter: None, focus: None }
    }

    /// The next shot at a ship that was hit: along its line, else next to it.
    fn follow_up(&mut self, view: &View<'_>, open_hits: &OpenHits, possible_cells: &CellSet) -> Option<Cell> {
        if open_hits.open.is_empty() {
            return None;
        }
        let water = &view.enemy().misses() | &open_hits.sunk;
        let choice = if self.is_careful() { CellChoice::Highest } else { CellChoice::Any };
        let line = open_hits.in_line();
        let has_pending_line_shot = view.aimed().iter().any(|&cell| line.contains(cell));
        let sides = (!has_pending_line_shot).then(|| open_hits.open.beside());
        [Some(line), Some(open_hits.around_single()), sides].into_iter().flatten().find_map(|cells| {
            let query = PlacementQuery { water: &water, candidates: &(&cells & possible_cells), on_hits: true, choice };
            self.counter.as_mut()?.best(view, &query, &mut self.rng)
        })
    }

    fn is_careful(&mut self) -> bool {
        uniform_below(&mut self.rng, 100) < self.profile.careful_percent
    }

    fn hunt(&mut self, view: &View<'_>, open_hits: &OpenHits, possible_cells: &CellSet) -> Option<Cell> {
        let focused_cells = self.focused_cells(possible_cells);
        if !self.is_careful() {
            return any_of(&focused_cells, &mut self.rng);
        }
        let water = &self.remembered_misses(view) | &open_hits.sunk;
        let query =
            PlacementQuery { water: &water, candidates: &focused_cells, on_hits: false, choice: CellChoice::Highest };
        self.counter.as_mut()?.best(view, &query, &mut self.rng)
    }

    /// The cells around the focus, which may move first.
    fn focused_cells(&mut self, possible_cells: &CellSet) -> CellSet {
        let keeps_focus = uniform_below(&mut self.rng, 100) >= self.profile.refocus_percent;
        let around = |focus: Cell| &square(possible_cells.size(), focus, self.profile.focus_radius) & possible_cells;
        if let Some(focused_cells) =
            self.focus.filter(|_| keeps_focus).map(around).filter(|focused_cells| !focused_cells.is_empty())
        {
            return focused_cells;
        }
        self.focus = any_of(possible_cells, &mut self.rng);
        self.focus.map_or_else(|| possible_cells.clone(), around)
    }

    fn remembered_misses(&self, view: &View<'_>) -> CellSet {
        let newest_first = view.enemy().shots().iter().rev();
        let misses = newest_first.filter(|shot| !shot.outcome.is_hit()).map(|shot| shot.cell);
        CellSet::of(view.rules().size(), misses.take(self.profile.remembered_misses))
    }
}

impl Bot for HumanLike {
    fn start(&mut self, rules: &Rules) {
        self.counter = Some(PlacementCounter::new(rules));
        self.focus = None;
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let open_hits = OpenHits::new(view);
        let possible_cells = possible_cells(view, &open_hits);
        self.follow_up(view, &open_hits, &possible_cells)
            .or_else(|| self.hunt(view, &open_hits, &possible_cells))
            .unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}

/// The targets that may hold a ship, given how close ships may be to each other.
fn possible_cells(view: &View<'_>, open_hits: &OpenHits) -> CellSet {
    let targets = view.targets();
    match view.rules().touching() {
        Touching::Allowed => targets.into_owned(),
        Touching::Corners => &*targets - &open_hits.sunk.beside(),
        Touching::Forbidden => &(&*targets - &open_hits.sunk.beside()) - &diagonal_neighbors(view.enemy().hits()),
    }
}

/// The cells that touch one of these cells at a corner.
fn diagonal_neighbors(cells: &CellSet) -> CellSet {
    let size = cells.size();
    let above_and_below =
        |cell: Cell| [Direction::North, Direction::South].map(|direction| direction.neighbor_of(cell, size));
    let left_and_right =
        |cell: Cell| [Direction::West, Direction::East].map(|direction| direction.neighbor_of(cell, size));
    let rows = cells.iter().flat_map(above_and_below).flatten();
    CellSet::of(size, rows.flat_map(left_and_right).flatten())
}

/// The cells at most `focus_radius` away, horizontally and vertically.
fn square(size: Size, center: Cell, focus_radius: u8) -> CellSet {
    let range = |coordinate: u8| {
        coordinate.saturating_sub(focus_radius)..coordinate.saturating_add(focus_radius).saturating_add(1)
    };
    CellSet::rectangle(size, range(center.col()), range(center.row()))
}

#[cfg(test)]
mod tests {
    use super::{diagonal_neighbors, square};
    use seabattle_core::{Cell, CellSet, Size};

    #[test]
    fn diagonal_neighbors_may_be_beside_another_cell() {
        let cells: CellSet = "....\n.##.\n....".parse().unwrap();
        assert_eq!(diagonal_neighbors(&cells), "####\n....\n####".parse().unwrap());
    }

    #[test]
    fn the_focus_is_a_square_clipped_to_the_board() {
        let size = Size::new(4, 3).unwrap();
        let visible = |cell: Cell, focus_radius: u8| square(size, cell, focus_radius).len();
        assert_eq!(
            [visible(Cell::new(0, 0), 1), visible(Cell::new(2, 1), 1), visible(Cell::new(1, 1), 60)],
            [4, 9, 12]
        );
    }
}
