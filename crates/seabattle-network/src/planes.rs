//! A position as planes of numbers: the input channels of a network.

use crate::fleet_slots::{FleetSlots, SLOTS};
use crate::position::{CellState, Position, neighbour};

/// The number of planes that stay the same when the board is rotated.
pub(crate) const SCALARS: usize = 6 + 4 * SLOTS + 5;

/// The number of pairs of planes, across and down, that swap when the board is rotated by 90 degrees.
pub(crate) const PAIRS: usize = 2 * SLOTS;

/// The logarithm of the weight that each covered open hit gives a placement.
const HIT_WEIGHT: f32 = 2.3;

/// Computes the input planes of positions.
pub(crate) struct Planes {
    area: usize,
    touching: bool,
    fleet_cells: usize,
    placements: [Vec<Placement>; SLOTS],
}

/// A placement of a ship.
struct Placement {
    cells: Vec<usize>,
    around: Vec<usize>,
    /// How much of the ship is across: 1, 0, or a half for a ship of one cell.
    across: f32,
}

/// One number for every cell.
type Plane = Vec<f32>;

/// Densities of the placements of one slot, regardless of other ships.
struct Density {
    consistent: usize,
    plain: [Plane; 2],
    weighted: [Plane; 2],
}

impl Planes {
    pub(crate) fn new(fleet_slots: &FleetSlots) -> Self {
        let side = usize::from(fleet_slots.side);
        Self {
            area: fleet_slots.area(),
            touching: fleet_slots.touching,
            fleet_cells: fleet_slots.fleet_cells(),
            placements: fleet_slots
                .slots
                .map(|slot| if slot.ships > 0 { placements(side, usize::from(slot.length)) } else { vec![] }),
        }
    }

    /// All planes of a position, one after the other.
    pub(crate) fn of(&self, position: &Position) -> Vec<f32> {
        let consistent: [Vec<&Placement>; SLOTS] = std::array::from_fn(|slot| self.consistent(position, slot));
        let open_hits = self.open_hits(position, &consistent);
        let densities: [Density; SLOTS] = std::array::from_fn(|slot| self.density(&consistent[slot], &open_hits));
        let mut planes = Vec::with_capacity((SCALARS + 2 * PAIRS) * self.area);
        self.put_cells(&mut planes, position, &open_hits);
        for slot in 0..SLOTS {
            self.put_constant(&mut planes, f32::from(position.afloat[slot]) * 0.25);
        }
        for density in &densities {
            self.put_constant(&mut planes, (density.consistent as f32).ln_1p() * 0.2);
        }
        self.put_any_ship(&mut planes, position, &densities, |density| &density.plain);
        self.put_any_ship(&mut planes, position, &densities, |density| &density.weighted);
        self.put_constant(&mut planes, 1.0);
        let count = |wanted: fn(&CellState) -> bool| position.cells.iter().filter(|cell| wanted(cell)).count() as f32;
        self.put_constant(&mut planes, 1.0 - count(is_hit) / self.fleet_cells as f32);
        self.put_constant(&mut planes, count(|cell| *cell == CellState::Miss) * 2.0 / self.area as f32);
        for plane in densities.iter().flat_map(|density| &density.plain) {
            planes.extend(plane.iter().map(|value| 2.0 * value));
        }
        for plane in densities.iter().flat_map(|density| &density.weighted) {
            planes.extend(plane.iter().map(|value| 2.0 * value));
        }
        planes
    }

    fn put_constant(&self, planes: &mut Vec<f32>, value: f32) {
        planes.resize(planes.len() + self.area, value);
    }

    fn put_cells(&self, planes: &mut Vec<f32>, position: &Position, open_hits: &[f32]) {
        let mut put = |wanted: &dyn Fn(usize) -> bool| {
            planes.extend((0..self.area).map(|at| if wanted(at) { 1.0 } else { 0.0 }));
        };
        put(&|at| position.may_hold_a_ship(at));
        put(&|at| position.cells[at] == CellState::Miss);
        put(&|at| is_hit(&position.cells[at]));
        put(&|at| matches!(position.cells[at], CellState::Sunk(_)));
        planes.extend_from_slice(open_hits);
        let mut put = |wanted: &dyn Fn(usize) -> bool| {
            planes.extend((0..self.area).map(|at| if wanted(at) { 1.0 } else { 0.0 }));
        };
        put(&|at| position.blocked[at]);
        for slot in 0..SLOTS {
            put(&|at| self.may_be_of(position.cells[at], slot));
        }
        for slot in 0..SLOTS {
            put(&|at| position.cells[at] == CellState::Sunk(slot));
        }
    }

    /// Whether an open hit can be on a ship of a slot.
    fn may_be_of(&self, cell: CellState, slot: usize) -> bool {
        matches!(cell, CellState::Hit(bits) if !self.touching || bits >> slot & 1 == 1)
    }

    /// Twice the probability that some ship afloat covers a cell, as if ships were independent.
    fn put_any_ship(
        &self,
        planes: &mut Vec<f32>,
        position: &Position,
        densities: &[Density; SLOTS],
        pick: fn(&Density) -> &[Plane; 2],
    ) {
        planes.extend((0..self.area).map(|at| {
            if !position.may_hold_a_ship(at) {
                return 0.0;
            }
            let free = (0..SLOTS).map(|slot| {
                let [across, down] = pick(&densities[slot]);
                (1.0 - across[at] - down[at]).max(0.0).powi(i32::from(position.afloat[slot]))
            });
            2.0 * (1.0 - free.product::<f32>())
        }));
    }

    /// The placements of a slot that are consistent with the answers, regardless of other ships.
    fn consistent(&self, position: &Position, slot: usize) -> Vec<&Placement> {
        let afloat = position.afloat[slot] > 0;
        let cell = |at: usize| position.cells[at];
        let fits = |placement: &&Placement| {
            let all = |wanted: &dyn Fn(usize) -> bool| placement.cells.iter().all(|&at| wanted(at));
            let any = |wanted: &dyn Fn(usize) -> bool| placement.cells.iter().any(|&at| wanted(at));
            if !afloat {
                let its = |at| cell(at) == CellState::Sunk(slot);
                return self.touching && all(&|at| its(at) || self.may_be_of(cell(at), slot)) && any(&its);
            }
            let free = |at| position.may_hold_a_ship(at);
            let clear = || self.touching || !placement.around.iter().any(|&at| matches!(cell(at), CellState::Hit(_)));
            all(&|at| free(at) || self.may_be_of(cell(at), slot)) && any(&free) && clear()
        };
        self.placements[slot].iter().filter(fits).collect()
    }

    /// The share of each hit that sunk ships do not explain.
    fn open_hits(&self, position: &Position, consistent: &[Vec<&Placement>; SLOTS]) -> Plane {
        if !self.touching {
            let open = |cell: &CellState| if matches!(cell, CellState::Hit(_)) { 1.0 } else { 0.0 };
            return position.cells.iter().map(open).collect();
        }
        let mut open: Plane = position.cells.iter().map(|cell| if is_hit(cell) { 1.0 } else { 0.0 }).collect();
        for slot in (0..SLOTS).filter(|&slot| position.afloat[slot] == 0) {
            let share = 1.0 / consistent[slot].len().max(1) as f32;
            for &at in consistent[slot].iter().flat_map(|placement| &placement.cells) {
                open[at] -= share;
            }
        }
        open.iter().map(|value| value.max(0.0)).collect()
    }

    fn density(&self, consistent: &[&Placement], open_hits: &[f32]) -> Density {
        let weight = |placement: &Placement| {
            let covered: f32 = placement.cells.iter().map(|&at| open_hits[at]).sum();
            (HIT_WEIGHT * covered).exp()
        };
        Density {
            consistent: consistent.len(),
            plain: self.spread(consistent, |_| 1.0),
            weighted: self.spread(consistent, weight),
        }
    }

    /// The probability of every cell, across and down, if placements are drawn by weight.
    fn spread(&self, consistent: &[&Placement], weight: impl Fn(&Placement) -> f32) -> [Plane; 2] {
        let weights: Vec<f32> = consistent.iter().map(|placement| weight(placement)).collect();
        let sum: f32 = weights.iter().sum::<f32>().max(1e-9);
        let mut planes = [vec![0.0; self.area], vec![0.0; self.area]];
        for (placement, weight) in consistent.iter().zip(weights) {
            for &at in &placement.cells {
                planes[0][at] += weight / sum * placement.across;
                planes[1][at] += weight / sum * (1.0 - placement.across);
            }
        }
        planes
    }
}

fn is_hit(cell: &CellState) -> bool {
    matches!(cell, CellState::Hit(_) | CellState::Sunk(_))
}

fn placements(side: usize, length: usize) -> Vec<Placement> {
    let mut placements = Vec::new();
    for (rows, cols) in [(0, 1), (1, 0)].into_iter().take(length.min(2)) {
        for start in 0..side * side {
            let cells: Option<Vec<usize>> =
                (0..length as isize).map(|step| neighbour(side, start, rows * step, cols * step)).collect();
            let across = if length == 1 { 0.5 } else { cols as f32 };
            placements.extend(cells.map(|cells| Placement { around: around(side, &cells), cells, across }));
        }
    }
    placements
}

fn around(side: usize, cells: &[usize]) -> Vec<usize> {
    let is_around = |&at: &usize| {
        let near = |other: usize| {
            let far = (at / side).abs_diff(other / side).max((at % side).abs_diff(other % side));
            far <= 1
        };
        !cells.contains(&at) && cells.iter().any(|&other| near(other))
    };
    (0..side * side).filter(is_around).collect()
}
