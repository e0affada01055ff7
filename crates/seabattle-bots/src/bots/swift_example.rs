//! `swift-example`: scans the rows in steps as long as the smallest ship afloat, and follows every hit clockwise.

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View, layout};

use crate::parts::direction::Direction;
use crate::parts::line_follower::LineFollower;
use crate::parts::random_choice::any_target;
use crate::parts::shot_cursor::ShotCursor;

pub(crate) struct SwiftExample {
    rng: SeededRng,
    cursor: ShotCursor,
    follower: LineFollower,
}

impl SwiftExample {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), cursor: ShotCursor::default(), follower: LineFollower::default() }
    }
}

impl Bot for SwiftExample {
    fn start(&mut self, _rules: &Rules) {
        self.cursor = ShotCursor::default();
        self.follower = LineFollower::default();
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        for &shot in self.cursor.new_shots(view) {
            self.follower.learn(shot, &Direction::CLOCKWISE);
        }
        self.follower
            .next(view)
            .or_else(|| scan(view))
            .or_else(|| view.targets().first())
            .unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}

/// The next cell of the scan, from the row of the previous shot on. The smallest ship afloat must have room there.
fn scan(view: &View<'_>) -> Option<Cell> {
    let size = view.rules().size();
    let step = smallest_afloat(view);
    let previous = view.aimed().last().copied().or(view.enemy().last().map(|shot| shot.cell));
    let first_row = previous.map_or(0, Cell::row);
    (first_row..size.height()).find_map(|row| {
        let mut col = match previous {
            Some(previous) if previous.row() == row => previous.col().saturating_add(step),
            None => 0,
            Some(_) => row % 2,
        };
        while col < size.width() {
            let cell = Cell::new(col, row);
            match (view.is_target(cell), has_room(view, cell, step)) {
                (true, true) => return Some(cell),
                (true, false) => col = col.saturating_add(step),
                (false, _) => col += 1,
            }
        }
        None
    })
}

fn smallest_afloat(view: &View<'_>) -> u8 {
    let rules = view.rules();
    let afloat = rules.class_ids().filter(|&class| view.enemy().may_be_afloat(class));
    afloat.map(|class| rules.class(class).length()).min().unwrap_or(1)
}

/// Whether a ship of this length fits in some direction, starting at the cell.
fn has_room(view: &View<'_>, cell: Cell, length: u8) -> bool {
    let size = view.rules().size();
    let free = |cell: &Cell| view.is_target(*cell) || view.enemy().hits().contains(*cell);
    Direction::CLOCKWISE.into_iter().any(|direction| {
        let line = std::iter::successors(Some(cell), |&cell| direction.neighbor_of(cell, size));
        line.take_while(free).take(length.into()).count() == usize::from(length)
    })
}
