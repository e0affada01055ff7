//! `quadrant`: searches the four quarters of the board in turn on one color, then follows a ship along its axis.
//!
//! The bot plays the pseudocode of its document exactly, with all its oddities.

use std::collections::{HashMap, VecDeque};

use seabattle_core::{Bot, Cell, CellSet, Fleet, Rules, Seed, SeededRng, Shot, Size, View, layout};

use crate::parts::direction::Direction;
use crate::parts::random_choice::{any_of, any_target};
use crate::parts::shot_cursor::ShotCursor;

/// The order in which the document looks for the axis of a ship: y + 1, x - 1, y - 1, x + 1.
const AXIS_ORDER: [Direction; 4] = [Direction::South, Direction::West, Direction::North, Direction::East];

pub(crate) struct Quadrant {
    rng: SeededRng,
    cursor: ShotCursor,
    /// The quarter to search next, from 0 to 3.
    quarter: usize,
    quarters: Option<[CellSet; 4]>,
    chase: Option<Chase>,
    /// The latest step of [`find_axis`] from hit to hit, as an index into [`AXIS_ORDER`]. It is kept when a chase ends:
    /// only a hit found by [`find_axis`] resets it.
    last_step: Option<usize>,
    /// The purposes of the shots that have no answer yet, oldest first.
    pending: VecDeque<ShotPurpose>,
}

/// The pursuit of a ship that has been hit.
struct Chase {
    origin: Cell,
    /// The latest cell along the axis.
    current: Cell,
    direction: Option<Direction>,
    first_direction: Option<Direction>,
    has_inverted: bool,
}

#[derive(Clone, Copy)]
enum ShotPurpose {
    Search,
    /// A search in the same turn in which a chase was inverted and then abandoned.
    SearchAfterInversion,
    /// The next cell in the direction of the chase.
    Follow,
    /// The cell beyond the origin, in the opposite direction.
    Invert(Direction),
    /// The first cell in a new direction, next to a hit.
    Turn(Direction),
}

impl Quadrant {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self {
            rng: seed.rng(),
            cursor: ShotCursor::default(),
            quarter: 0,
            quarters: None,
            chase: None,
            last_step: None,
            pending: VecDeque::new(),
        }
    }

    fn learn(&mut self, shot: Shot) {
        let purpose = self.pending.pop_front().unwrap_or(ShotPurpose::Search);
        let is_hit = shot.outcome.is_hit();
        let is_sunk = shot.outcome.is_sunk();
        if is_hit && matches!(purpose, ShotPurpose::Turn(_)) {
            self.last_step = None;
        }
        match (purpose, &mut self.chase) {
            // After such a search the document resets the chase once more, even if the search sank a ship.
            (ShotPurpose::SearchAfterInversion, _) if is_sunk => self.chase = None,
            (ShotPurpose::Search | ShotPurpose::SearchAfterInversion, _) | (_, None) => {
                if is_hit {
                    self.chase = Some(Chase::new(shot.cell));
                }
            }
            (_, Some(_)) if is_sunk => self.chase = None,
            (ShotPurpose::Follow, Some(chase)) => {
                if !is_hit {
                    chase.direction = None;
                }
            }
            (ShotPurpose::Invert(direction) | ShotPurpose::Turn(direction), Some(chase)) => {
                if is_hit {
                    chase.current = shot.cell;
                    chase.direction = Some(direction);
                    chase.first_direction.get_or_insert(direction);
                }
            }
        }
    }

    /// A random cell of one color in the next quarter that has one, else any target.
    fn search(&mut self, view: &View<'_>) -> Cell {
        let targets = view.targets();
        let quarters = self.quarters.iter().flatten().cycle().skip(self.quarter).take(4);
        let choice = quarters.map(|quarter| quarter & &*targets).find(|cells| !cells.is_empty());
        self.quarter = (self.quarter + 1) % 4;
        choice.and_then(|cells| any_of(&cells, &mut self.rng)).unwrap_or_else(|| any_target(view, &mut self.rng))
    }

    /// The next shot at the ship that was hit, or a search shot if no cell is left to try.
    fn sink(&mut self, view: &View<'_>) -> (Cell, ShotPurpose) {
        let Some(chase) = &mut self.chase else {
            return (self.search(view), ShotPurpose::Search);
        };
        if let Some(cell) = chase.follow(view) {
            return (cell, ShotPurpose::Follow);
        }
        let inverted = chase.invert();
        if let Some((cell, back)) = inverted
            && let Some(cell) = open_neighbor(view, cell, back)
        {
            return (cell, ShotPurpose::Invert(back));
        }
        if let Some((cell, direction)) = find_axis(view, chase.origin, &mut self.last_step) {
            return (cell, ShotPurpose::Turn(direction));
        }
        self.chase = None;
        let purpose = if inverted.is_some() { ShotPurpose::SearchAfterInversion } else { ShotPurpose::Search };
        (self.search(view), purpose)
    }
}

impl Bot for Quadrant {
    fn start(&mut self, rules: &Rules) {
        self.cursor = ShotCursor::default();
        self.quarter = 0;
        self.chase = None;
        self.last_step = None;
        self.pending.clear();
        let size = rules.size();
        if self.quarters.as_ref().is_none_or(|quarters| quarters[0].size() != size) {
            self.quarters = Some(quarters(size));
        }
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        for &shot in self.cursor.new_shots(view) {
            self.learn(shot);
        }
        let (cell, purpose) = self.sink(view);
        self.pending.push_back(purpose);
        cell
    }
}

impl Chase {
    fn new(origin: Cell) -> Self {
        Self { origin, current: origin, direction: None, first_direction: None, has_inverted: false }
    }

    /// The next cell in the direction of the chase. If it cannot be fired at, the chase has no direction any more.
    fn follow(&mut self, view: &View<'_>) -> Option<Cell> {
        let next = open_neighbor(view, self.current, self.direction?);
        match next {
            Some(cell) => self.current = cell,
            None => self.direction = None,
        }
        next
    }

    /// The origin and the opposite of the first direction. A chase inverts once, after its first direction ends.
    fn invert(&mut self) -> Option<(Cell, Direction)> {
        let first = self.first_direction.filter(|_| !self.has_inverted)?;
        self.has_inverted = true;
        Some((self.origin, first.opposite()))
    }
}

/// The next cell in a direction, if it can be fired at.
fn open_neighbor(view: &View<'_>, cell: Cell, direction: Direction) -> Option<Cell> {
    direction.neighbor_of(cell, view.rules().size()).filter(|&next| view.is_target(next))
}

/// The state of a call with one cell and one last step, during a search for the axis.
enum Call {
    Running,
    /// The call found nothing. Holds the last step after it.
    Failed(Option<usize>),
}

/// The document's `establishDelta`: the first open neighbor of a cell, else the same from each neighbor that was hit.
///
/// The document has one guard only: a step must not go straight back. So its recursion can run in a circle and overflow
/// the stack, which ends the chase. Here a repeated call with the same cell and last step ends the chase instead.
fn find_axis(view: &View<'_>, origin: Cell, last_step: &mut Option<usize>) -> Option<(Cell, Direction)> {
    let size = view.rules().size();
    let hit_neighbor = |cell: Cell, step: usize| {
        AXIS_ORDER[step].neighbor_of(cell, size).filter(|&next| view.enemy().hits().contains(next))
    };
    let mut calls: HashMap<(Cell, Option<usize>), Call> = HashMap::new();
    // Every running call: its cell, its last step on entry, and the first step it has not tried.
    let mut stack = vec![(origin, *last_step, 0)];
    while let Some((cell, step_on_entry, first_untried)) = stack.last_mut() {
        if *first_untried == 0 {
            let open = |&direction: &Direction| Some((open_neighbor(view, *cell, direction)?, direction));
            if let Some(found) = AXIS_ORDER.iter().find_map(open) {
                return Some(found);
            }
            calls.insert((*cell, *step_on_entry), Call::Running);
        }
        let is_way_back = |step: usize| last_step.is_some_and(|last| (last + 2) % 4 == step);
        let steps = (*first_untried..4).filter(|&step| !is_way_back(step));
        let Some((step, next)) = steps.filter_map(|step| Some((step, hit_neighbor(*cell, step)?))).next() else {
            calls.insert((*cell, *step_on_entry), Call::Failed(*last_step));
            stack.pop();
            continue;
        };
        *first_untried = step + 1;
        *last_step = Some(step);
        match calls.get(&(next, *last_step)) {
            None => stack.push((next, *last_step, 0)),
            Some(Call::Failed(step_left)) => *last_step = *step_left,
            Some(Call::Running) => return None,
        }
    }
    None
}

/// The cells of one color in each quarter: top left, top right, bottom left, bottom right.
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
