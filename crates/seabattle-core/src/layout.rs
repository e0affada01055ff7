//! Random fleets, drawn uniformly or ship by ship, and the enumeration of all legal fleets.

mod enumeration;

use rand_core::Rng;
use thiserror::Error;

use crate::{Cell, CellSet, ClassId, Fleet, FleetBuilder, Orientation, Rules, Ship, Size, uniform_below};

pub use enumeration::AllFleets;

/// The most ships to draw and compare for a uniform layout: a fraction of a second.
const UNIFORM_WORK: usize = 40_000_000;

/// The most cells to look at for a layout drawn ship by ship: a fraction of a second.
const SEQUENTIAL_WORK: usize = 50_000_000;

/// Why no random layout was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LayoutError {
    /// Legal fleets are so rare among random ones that none was drawn.
    #[error("no legal fleet was drawn: the board is too full for uniform layouts")]
    TooFullForUniform,
    /// Placing ship by ship always left no room for some ship.
    #[error("some ship never had room: the board is too full to place ship by ship")]
    TooFullForSequential,
}

/// Draws a fleet uniformly from all legal fleets.
///
/// This is rejection sampling: every ship is drawn uniformly, and all are drawn again when two conflict.
/// So the result is uniform under all rules.
pub fn uniform(rules: &Rules, rng: &mut impl Rng) -> Result<Fleet, LayoutError> {
    uniform_around(&FleetBuilder::new(rules), rng)
}

/// Draws a fleet uniformly from all that keep the ships already placed.
pub fn uniform_around(placed: &FleetBuilder, rng: &mut impl Rng) -> Result<Fleet, LayoutError> {
    let rules = placed.rules();
    let fixed = placed.ships().len();
    let wanted: Vec<ShipPlacements> = missing(placed).map(|class| ShipPlacements::new(rules, class)).collect();
    let mut ships = Vec::with_capacity(rules.ship_count());
    ships.extend_from_slice(placed.ships());
    let mut work = 0;
    loop {
        ships.truncate(fixed);
        let complete = wanted.iter().all(|placements| {
            work += 1 + ships.len();
            let ship = placements.get(uniform_below(rng, placements.count()));
            let fits = !ships.iter().any(|other| ship.conflicts(other, rules.touching()));
            ships.push(ship);
            fits
        });
        if complete {
            return Ok(Fleet::of_legal(rules, ships));
        }
        if work >= UNIFORM_WORK {
            return Err(LayoutError::TooFullForUniform);
        }
    }
}

/// Draws a fleet ship by ship, longest first, each uniformly where there is room.
///
/// It starts again when a ship has no room.
pub fn sequential(rules: &Rules, rng: &mut impl Rng) -> Result<Fleet, LayoutError> {
    sequential_around(&FleetBuilder::new(rules), rng)
}

/// Completes a fleet ship by ship around the ships already placed.
pub fn sequential_around(placed: &FleetBuilder, rng: &mut impl Rng) -> Result<Fleet, LayoutError> {
    let rules = placed.rules();
    let size = rules.size();
    let claimed = |free: CellSet, ship: &Ship| &free - &ship.claim(size, rules.touching());
    let free = placed.ships().iter().fold(CellSet::full(size), claimed);
    let mut work = 0;
    while work < SEQUENTIAL_WORK {
        let mut free = free.clone();
        let mut ships = placed.ships().to_vec();
        let stuck = missing(placed).any(|class| match draw_in(&free, rules, class, rng) {
            Some(ship) => {
                work += size.area();
                free = &free - &ship.claim(size, rules.touching());
                ships.push(ship);
                false
            }
            None => true,
        });
        work += size.area();
        if !stuck {
            return Ok(Fleet::of_legal(rules, ships));
        }
    }
    Err(LayoutError::TooFullForSequential)
}

/// Draws a legal fleet in any case: uniformly if the board is not too full, otherwise ship by ship,
/// otherwise a random mirror image of the one known layout.
pub fn any(rules: &Rules, rng: &mut impl Rng) -> Fleet {
    uniform(rules, rng).or_else(|_| sequential(rules, rng)).unwrap_or_else(|_| mirrored_example(rules, rng))
}

/// Enumerates all legal fleets. Ships of one class are interchangeable.
pub fn all(rules: &Rules) -> AllFleets {
    AllFleets::new(rules)
}

fn missing(placed: &FleetBuilder) -> impl Iterator<Item = ClassId> + '_ {
    let times = |class: ClassId| usize::from(placed.missing(class));
    placed.rules().class_ids().flat_map(move |class| std::iter::repeat_n(class, times(class)))
}

/// All placements of a ship on an empty board, numbered: first those across, then those down.
struct ShipPlacements {
    class: ClassId,
    length: u8,
    across_per_row: usize,
    across: usize,
    width: usize,
    down: usize,
}

impl ShipPlacements {
    fn new(rules: &Rules, class: ClassId) -> Self {
        let length = rules.class(class).length();
        let (width, height) = (rules.size().width(), rules.size().height());
        let fitting = |side: u8| usize::from((side + 1).saturating_sub(length));
        let down = if length == 1 { 0 } else { fitting(height) * usize::from(width) };
        Self {
            class,
            length,
            across_per_row: fitting(width),
            across: fitting(width) * usize::from(height),
            width: usize::from(width),
            down,
        }
    }

    fn count(&self) -> usize {
        self.across + self.down
    }

    fn get(&self, index: usize) -> Ship {
        let cell = |index: usize, per_row: usize| Cell::new((index % per_row) as u8, (index / per_row) as u8);
        let (start, orientation) = match index.checked_sub(self.across) {
            None => (cell(index, self.across_per_row), Orientation::Across),
            Some(index) => (cell(index, self.width), Orientation::Down),
        };
        Ship::new(self.class, self.length, start, orientation)
    }
}

fn draw_in(free: &CellSet, rules: &Rules, class: ClassId, rng: &mut impl Rng) -> Option<Ship> {
    let length = rules.class(class).length();
    let across = free.starts(length, Orientation::Across);
    let down = if length == 1 { CellSet::empty(rules.size()) } else { free.starts(length, Orientation::Down) };
    let count = across.len();
    let drawn = uniform_below(rng, count + down.len());
    let (start, orientation) = match drawn.checked_sub(count) {
        None => (across.nth(drawn), Orientation::Across),
        Some(rank) => (down.nth(rank), Orientation::Down),
    };
    Some(rules.ship(class, start?, orientation))
}

fn mirrored_example(rules: &Rules, rng: &mut impl Rng) -> Fleet {
    let (flip_cols, flip_rows) = (uniform_below(rng, 2) == 1, uniform_below(rng, 2) == 1);
    let ships = rules.example().iter().map(|ship| mirrored(ship, rules.size(), flip_cols, flip_rows));
    Fleet::of_legal(rules, ships.collect())
}

fn mirrored(ship: &Ship, size: Size, flip_cols: bool, flip_rows: bool) -> Ship {
    let (across, down) = match ship.orientation() {
        Orientation::Across => (ship.length(), 1),
        Orientation::Down => (1, ship.length()),
    };
    let flip = |at: u8, length: u8, side: u8, flipped: bool| if flipped { side - length - at } else { at };
    let start = Cell::new(
        flip(ship.start().col(), across, size.width(), flip_cols),
        flip(ship.start().row(), down, size.height(), flip_rows),
    );
    Ship::new(ship.class(), ship.length(), start, ship.orientation())
}
