//! `quadrant`: searches the four quarters of the board in turn on one colour, then follows a ship along its axis.

use std::collections::VecDeque;

use seabattle_core::{Bot, Cell, CellSet, Fleet, Outcome, Rules, Seed, SeededRng, Shot, Size, View, layout};

use crate::chance::{any_of, any_target};
use crate::compass::Compass;
use crate::watch::Watch;

/// Where the document looks for the axis of a ship: y + 1, x - 1, y - 1, x + 1.
const AXIS_ORDER: [Compass; 4] = [Compass::South, Compass::West, Compass::North, Compass::East];

pub(crate) struct Quadrant {
    rng: SeededRng,
    watch: Watch,
    /// The quarter to search next, of four.
    quarter: usize,
    quarters: Option<[CellSet; 4]>,
    chase: Option<Chase>,
    /// What the shots without an answer were for.
    awaited: VecDeque<Aim>,
}

/// A ship that has been found and is to be sunk.
struct Chase {
    origin: Cell,
    /// The last cell along the axis that is followed.
    current: Cell,
    direction: Option<Compass>,
    first_direction: Option<Compass>,
    has_turned: bool,
}

#[derive(Clone, Copy)]
enum Aim {
    Search,
    /// On in the direction that is followed.
    Follow,
    /// The first cell of a direction.
    Turn(Compass),
}

impl Quadrant {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self {
            rng: seed.rng(),
            watch: Watch::default(),
            quarter: 0,
            quarters: None,
            chase: None,
            awaited: VecDeque::new(),
        }
    }

    fn learn(&mut self, shot: Shot) {
        let aim = self.awaited.pop_front().unwrap_or(Aim::Search);
        match (aim, &mut self.chase) {
            (Aim::Search, _) | (_, None) => {
                if shot.outcome.is_hit() {
                    self.chase = Some(Chase::new(shot.cell));
                }
            }
            (_, Some(_)) if matches!(shot.outcome, Outcome::Sunk(_)) => self.chase = None,
            (Aim::Follow, Some(chase)) => {
                if !shot.outcome.is_hit() {
                    chase.direction = None;
                }
            }
            (Aim::Turn(direction), Some(chase)) => {
                if shot.outcome.is_hit() {
                    chase.current = shot.cell;
                    chase.direction = Some(direction);
                    chase.first_direction.get_or_insert(direction);
                }
            }
        }
    }

    /// A random cell of one colour in the next quarter that has any, else any cell.
    fn search(&mut self, view: &View<'_>) -> Cell {
        let targets = view.targets();
        let quarters = self.quarters.iter().flatten().cycle().skip(self.quarter).take(4);
        let choice = quarters.map(|quarter| quarter & &*targets).find(|cells| !cells.is_empty());
        self.quarter = (self.quarter + 1) % 4;
        choice.and_then(|cells| any_of(&cells, &mut self.rng)).unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}

impl Bot for Quadrant {
    fn start(&mut self, rules: &Rules) {
        self.watch = Watch::default();
        self.quarter = 0;
        self.chase = None;
        self.awaited.clear();
        let size = rules.size();
        if self.quarters.as_ref().is_none_or(|quarters| quarters[0].size() != size) {
            self.quarters = Some(quarters(size));
        }
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        for &shot in self.watch.news(view) {
            self.learn(shot);
        }
        let chased = self.chase.as_mut().and_then(|chase| chase.next(view));
        let (cell, aim) = chased.unwrap_or_else(|| {
            self.chase = None;
            (self.search(view), Aim::Search)
        });
        self.awaited.push_back(aim);
        cell
    }
}

impl Chase {
    fn new(origin: Cell) -> Self {
        Self { origin, current: origin, direction: None, first_direction: None, has_turned: false }
    }

    /// On along the axis, then the other way from the origin, then wherever a neighbour of the hits is open.
    fn next(&mut self, view: &View<'_>) -> Option<(Cell, Aim)> {
        let size = view.rules().size();
        let open = |cell: Option<Cell>| cell.filter(|&cell| view.is_target(cell));
        if let Some(direction) = self.direction {
            if let Some(cell) = open(direction.from(self.current, size)) {
                self.current = cell;
                return Some((cell, Aim::Follow));
            }
            self.direction = None;
        }
        if let Some(first) = self.first_direction.filter(|_| !self.has_turned) {
            self.has_turned = true;
            let back = first.opposite();
            if let Some(cell) = open(back.from(self.origin, size)) {
                return Some((cell, Aim::Turn(back)));
            }
        }
        axis(view, self.origin)
    }
}

/// The first open neighbour of the hits connected to a cell, depth first.
fn axis(view: &View<'_>, origin: Cell) -> Option<(Cell, Aim)> {
    let size = view.rules().size();
    let mut seen = CellSet::of(size, [origin]);
    let mut path = vec![origin];
    while let Some(&cell) = path.last() {
        let neighbours =
            || AXIS_ORDER.into_iter().filter_map(|direction| Some((direction.from(cell, size)?, direction)));
        if let Some((open, direction)) = neighbours().find(|(next, _)| view.is_target(*next)) {
            return Some((open, Aim::Turn(direction)));
        }
        let hit = neighbours().find(|(next, _)| view.enemy().hits().contains(*next) && !seen.contains(*next));
        match hit {
            Some((next, _)) => {
                seen.insert(next);
                path.push(next);
            }
            None => {
                path.pop();
            }
        }
    }
    None
}

/// The cells of one colour in each quarter: top left, top right, bottom left, bottom right.
fn quarters(size: Size) -> [CellSet; 4] {
    let (half_width, half_height) = (size.width().div_ceil(2), size.height().div_ceil(2));
    let quarter = |right: bool, bottom: bool| {
        let inside = move |cell: &Cell| {
            (cell.col() >= half_width) == right
                && (cell.row() >= half_height) == bottom
                && cell.col() % 2 == cell.row() % 2
        };
        CellSet::of(size, size.cells().filter(inside))
    };
    [quarter(false, false), quarter(true, false), quarter(false, true), quarter(true, true)]
}
