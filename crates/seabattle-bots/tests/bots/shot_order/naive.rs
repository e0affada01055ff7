//! The deterministic parts of six bots, written a second time, naively, from the words of their documents.
//!
//! Every shot of a bot must be the one of its naive version. Where the document fires at random, any target is right.

use seabattle_bots::find;
use seabattle_core::{Fleet, Outcome, Rules, Seed, Side, Solo, layout};

/// Row and column.
type Coordinates = (i32, i32);

const NORTH: Coordinates = (-1, 0);
const EAST: Coordinates = (0, 1);
const SOUTH: Coordinates = (1, 0);
const WEST: Coordinates = (0, -1);

#[derive(Clone, Copy, PartialEq, Debug)]
enum State {
    Unexplored,
    Miss,
    Hit,
    Impossible,
}

/// A 10×10 grid of what the shooter knows, and the lengths of the ships afloat.
struct Grid {
    states: [[State; 10]; 10],
    afloat: Vec<i32>,
}

impl Grid {
    fn get(&self, (row, col): Coordinates) -> Option<State> {
        let on_board = (0..10).contains(&row) && (0..10).contains(&col);
        on_board.then(|| self.states[row as usize][col as usize])
    }

    fn is(&self, cell: Coordinates, state: State) -> bool {
        self.get(cell) == Some(state)
    }

    fn set(&mut self, (row, col): Coordinates, state: State) {
        self.states[row as usize][col as usize] = state;
    }

    fn first(&self, state: State) -> Option<Coordinates> {
        row_by_row().find(|&cell| self.is(cell, state))
    }
}

fn row_by_row() -> impl Iterator<Item = Coordinates> {
    (0..10).flat_map(|row| (0..10).map(move |col| (row, col)))
}

fn step((row, col): Coordinates, (down, right): Coordinates) -> Coordinates {
    (row + down, col + right)
}

/// A bot of a document.
trait Naive {
    /// The cell to fire at, or `None` for a random one.
    fn fire(&mut self, grid: &Grid) -> Option<Coordinates>;

    /// The answer to the latest shot. It may mark other cells of the grid as impossible.
    fn answer(&mut self, grid: &mut Grid, cell: Coordinates, outcome: Outcome);
}

/// Plays games of a bot and compares every shot with its naive version.
fn compare<N: Naive>(bot: &str, rules: &str, new: impl Fn() -> N) {
    let rules: Rules = rules.parse().unwrap();
    for number in 0..500 {
        let seed = Seed::new(22).game(number);
        let mut game = Solo::new(layout::sequential(&rules, &mut seed.layout().rng()).unwrap());
        let mut bot = find(bot).unwrap().make(&seed.side(Side::A));
        let mut naive = new();
        let mut grid = Grid { states: [[State::Unexplored; 10]; 10], afloat: Vec::new() };
        bot.start(&rules);
        while !game.is_over() {
            grid.afloat = lengths_afloat(game.fleet(), &game);
            let cell = bot.shoot(&game.view());
            let chosen = (i32::from(cell.row()), i32::from(cell.col()));
            let expected = naive.fire(&grid).unwrap_or(chosen);
            assert_eq!(chosen, expected, "game {number}, after {:?}", game.knowledge().shots());
            let outcome = game.fire(&[cell]).unwrap()[0].outcome;
            grid.set(chosen, if outcome.is_hit() { State::Hit } else { State::Miss });
            naive.answer(&mut grid, chosen, outcome);
        }
    }
}

fn lengths_afloat(fleet: &Fleet, game: &Solo) -> Vec<i32> {
    fleet.afloat(game.knowledge().hits()).map(|ship| i32::from(ship.length())).collect()
}

/// `star`: the first scan, the second one two cells beside it, and a star from every hit that a scan reaches.
struct Star {
    scan: Vec<Coordinates>,
}

impl Star {
    fn new() -> Self {
        let diagonal = |rest: i32| row_by_row().filter(move |(row, col)| (row + col) % 4 == rest);
        Self { scan: diagonal(3).chain(diagonal(1)).collect() }
    }

    fn arm(grid: &Grid, center: Coordinates, direction: Coordinates) -> Option<Coordinates> {
        let mut cell = step(center, direction);
        while grid.is(cell, State::Hit) {
            cell = step(cell, direction);
        }
        grid.is(cell, State::Unexplored).then_some(cell)
    }
}

impl Naive for Star {
    fn fire(&mut self, grid: &Grid) -> Option<Coordinates> {
        loop {
            let &scanned = self.scan.first().expect("both scans together find every ship");
            match grid.get(scanned)? {
                State::Unexplored => return Some(scanned),
                State::Hit => {
                    let arms = [NORTH, EAST, SOUTH, WEST].map(|direction| Self::arm(grid, scanned, direction));
                    if let Some(cell) = arms.into_iter().flatten().next() {
                        return Some(cell);
                    }
                }
                State::Miss | State::Impossible => {}
            }
            self.scan.remove(0);
        }
    }

    fn answer(&mut self, _: &mut Grid, _: Coordinates, _: Outcome) {}
}

/// Follows a hit in one direction after the other.
struct Following {
    origin: Coordinates,
    directions: Vec<Coordinates>,
    latest: Coordinates,
}

impl Following {
    fn next(&mut self, grid: &Grid) -> Option<Coordinates> {
        while let Some(&direction) = self.directions.first() {
            let next = step(self.latest, direction);
            if grid.is(self.latest, State::Hit) && grid.is(next, State::Unexplored) {
                self.latest = next;
                return Some(next);
            }
            self.directions.remove(0);
            self.latest = self.origin;
        }
        None
    }
}

/// `swift-locating` and `swift-example`, which differ in the order of directions and in their search.
struct Swift {
    order: [Coordinates; 4],
    scans: bool,
    following: Option<Following>,
    previous: Option<Coordinates>,
}

impl Swift {
    fn new(order: [Coordinates; 4], scans: bool) -> Self {
        Self { order, scans, following: None, previous: None }
    }

    fn scan(&self, grid: &Grid) -> Option<Coordinates> {
        let Some(previous) = self.previous else { return Some((0, 0)) };
        let length = *grid.afloat.iter().min()?;
        for row in previous.0..10 {
            let mut col = if row == previous.0 { previous.1 + length } else { row % 2 };
            while col < 10 {
                if !grid.is((row, col), State::Unexplored) {
                    col += 1;
                } else if has_room(grid, (row, col), length) {
                    return Some((row, col));
                } else {
                    col += length;
                }
            }
        }
        grid.first(State::Unexplored)
    }
}

fn has_room(grid: &Grid, cell: Coordinates, length: i32) -> bool {
    let is_free = |cell: Coordinates| grid.is(cell, State::Unexplored) || grid.is(cell, State::Hit);
    let at = |(down, right): Coordinates, distance: i32| (cell.0 + down * distance, cell.1 + right * distance);
    [NORTH, EAST, SOUTH, WEST].iter().any(|&direction| (0..length).all(|distance| is_free(at(direction, distance))))
}

impl Naive for Swift {
    fn fire(&mut self, grid: &Grid) -> Option<Coordinates> {
        if let Some(cell) = self.following.as_mut().and_then(|following| following.next(grid)) {
            return Some(cell);
        }
        self.following = None;
        if self.scans { self.scan(grid) } else { None }
    }

    fn answer(&mut self, _: &mut Grid, cell: Coordinates, outcome: Outcome) {
        self.previous = Some(cell);
        if self.following.is_none() && outcome.is_hit() {
            self.following = Some(Following { origin: cell, directions: self.order.to_vec(), latest: cell });
        }
    }
}

/// The contest bot under the names of its document; only the list of the hunt differs between the two bots.
struct Contest {
    list: fn(i32) -> Vec<Coordinates>,
    hunt_n: i32,
    hunt_cells: Vec<Coordinates>,
    target_hits: Vec<Coordinates>,
}

impl Contest {
    fn new(list: fn(i32) -> Vec<Coordinates>) -> Self {
        Self { list, hunt_n: 4, hunt_cells: list(4), target_hits: Vec::new() }
    }

    fn next_hunt_shot(&mut self, grid: &Grid) -> Coordinates {
        loop {
            while !self.hunt_cells.is_empty() {
                let cell = self.hunt_cells.remove(0);
                if grid.is(cell, State::Unexplored) {
                    return cell;
                }
            }
            self.hunt_n -= 1;
            self.hunt_cells = (self.list)(self.hunt_n);
        }
    }

    fn possible_shots(&self, grid: &Grid) -> Vec<Coordinates> {
        let rows = || self.target_hits.iter().map(|hit| hit.0);
        let cols = || self.target_hits.iter().map(|hit| hit.1);
        let (Some(top), Some(bottom), Some(left), Some(right)) =
            (rows().min(), rows().max(), cols().min(), cols().max())
        else {
            return Vec::new();
        };
        let shots: Vec<Coordinates> = if self.target_hits.len() == 1 {
            [NORTH, EAST, SOUTH, WEST].map(|direction| step((top, left), direction)).to_vec()
        } else if top == bottom {
            (left..right).map(|col| (top, col)).chain([(top, left - 1), (top, right + 1)]).collect()
        } else {
            (top..bottom).map(|row| (row, left)).chain([(top - 1, left), (bottom + 1, left)]).collect()
        };
        shots.into_iter().filter(|&cell| grid.is(cell, State::Unexplored)).collect()
    }
}

impl Naive for Contest {
    fn fire(&mut self, grid: &Grid) -> Option<Coordinates> {
        let target = self.possible_shots(grid).first().copied();
        Some(target.unwrap_or_else(|| self.next_hunt_shot(grid)))
    }

    fn answer(&mut self, grid: &mut Grid, cell: Coordinates, outcome: Outcome) {
        if outcome.is_hit() {
            self.target_hits.push(cell);
        }
        if outcome.is_sunk() {
            for (row, col) in self.target_hits.drain(..) {
                for around in (row - 1..=row + 1).flat_map(|row| (col - 1..=col + 1).map(move |col| (row, col))) {
                    if grid.is(around, State::Unexplored) {
                        grid.set(around, State::Impossible);
                    }
                }
            }
        }
    }
}

/// The table: `r mod n == c mod n`, residue by residue.
fn table(n: i32) -> Vec<Coordinates> {
    let of_residue = |residue: i32| row_by_row().filter(move |(row, col)| row % n == residue && col % n == residue);
    (0..n).flat_map(of_residue).collect()
}

/// The formula: `(r mod n < 2) and (c mod n < 2)`.
fn formula(n: i32) -> Vec<Coordinates> {
    row_by_row().filter(|(row, col)| row % n < 2 && col % n < 2).collect()
}

/// `swift-sinking`: random, but east of a hit.
struct Sinking {
    hit: Option<Coordinates>,
}

impl Naive for Sinking {
    fn fire(&mut self, grid: &Grid) -> Option<Coordinates> {
        self.hit.map(|hit| step(hit, EAST)).filter(|&east| grid.is(east, State::Unexplored))
    }

    fn answer(&mut self, _: &mut Grid, cell: Coordinates, outcome: Outcome) {
        self.hit = outcome.is_hit().then_some(cell);
    }
}

#[test]
fn every_shot_is_that_of_a_naive_version() {
    compare("star", "classic", Star::new);
    compare("swift-example", "classic", || Swift::new([NORTH, EAST, SOUTH, WEST], true));
    compare("swift-locating", "classic", || Swift::new([NORTH, SOUTH, EAST, WEST], false));
    compare("swift-sinking", "classic", || Sinking { hit: None });
    compare("lattice", "russian", || Contest::new(table));
    compare("blocks", "russian", || Contest::new(formula));
}
