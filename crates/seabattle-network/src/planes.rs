//! A position as planes of numbers: the input of the network.

use crate::position::{Position, Spot, neighbour};
use crate::slots::{SLOTS, Slots};

/// Planes that stay when the board is turned.
pub(crate) const SCALARS: usize = 6 + 4 * SLOTS + 5;

/// Pairs of planes, across and down, that change places when the board is turned by a quarter.
pub(crate) const PAIRS: usize = 2 * SLOTS;

/// A placement weighs e to this power as much for each open hit it covers.
const HIT_WEIGHT: f32 = 2.3;

/// Builds the planes of positions.
pub(crate) struct Planes {
    area: usize,
    touching: bool,
    fleet_cells: usize,
    places: [Vec<Place>; SLOTS],
}

/// Where a ship might lie.
struct Place {
    cells: Vec<usize>,
    around: Vec<usize>,
    /// How much of it lies across: all, nothing, or half for a ship of one cell.
    across: f32,
}

/// A number for every cell.
type Plane = Vec<f32>;

/// What the placements of one slot say, each alone.
struct Density {
    fitting: usize,
    plain: [Plane; 2],
    weighted: [Plane; 2],
}

impl Planes {
    pub(crate) fn new(slots: &Slots) -> Self {
        let side = usize::from(slots.side);
        Self {
            area: slots.area(),
            touching: slots.touching,
            fleet_cells: slots.fleet_cells(),
            places: slots
                .slots
                .map(|slot| if slot.ships > 0 { places(side, usize::from(slot.length)) } else { vec![] }),
        }
    }

    /// All planes, one after the other.
    pub(crate) fn of(&self, position: &Position) -> Vec<f32> {
        let fitting: [Vec<&Place>; SLOTS] = std::array::from_fn(|slot| self.fitting(position, slot));
        let open_hits = self.open_hits(position, &fitting);
        let densities: [Density; SLOTS] = std::array::from_fn(|slot| self.density(&fitting[slot], &open_hits));
        let mut planes = Vec::with_capacity((SCALARS + 2 * PAIRS) * self.area);
        self.put_spots(&mut planes, position, &open_hits);
        for slot in 0..SLOTS {
            self.put_same(&mut planes, f32::from(position.afloat[slot]) * 0.25);
        }
        for density in &densities {
            self.put_same(&mut planes, (density.fitting as f32).ln_1p() * 0.2);
        }
        self.put_total(&mut planes, position, &densities, |density| &density.plain);
        self.put_total(&mut planes, position, &densities, |density| &density.weighted);
        self.put_same(&mut planes, 1.0);
        let count = |wanted: fn(&Spot) -> bool| position.spots.iter().filter(|spot| wanted(spot)).count() as f32;
        self.put_same(&mut planes, 1.0 - count(is_hit) / self.fleet_cells as f32);
        self.put_same(&mut planes, count(|spot| *spot == Spot::Miss) * 2.0 / self.area as f32);
        for plane in densities.iter().flat_map(|density| &density.plain) {
            planes.extend(plane.iter().map(|value| 2.0 * value));
        }
        for plane in densities.iter().flat_map(|density| &density.weighted) {
            planes.extend(plane.iter().map(|value| 2.0 * value));
        }
        planes
    }

    fn put_same(&self, planes: &mut Vec<f32>, value: f32) {
        planes.resize(planes.len() + self.area, value);
    }

    fn put_spots(&self, planes: &mut Vec<f32>, position: &Position, open_hits: &[f32]) {
        let mut put = |wanted: &dyn Fn(usize) -> bool| {
            planes.extend((0..self.area).map(|at| if wanted(at) { 1.0 } else { 0.0 }));
        };
        put(&|at| position.may_hold_a_ship(at));
        put(&|at| position.spots[at] == Spot::Miss);
        put(&|at| is_hit(&position.spots[at]));
        put(&|at| matches!(position.spots[at], Spot::Sunk(_)));
        planes.extend_from_slice(open_hits);
        let mut put = |wanted: &dyn Fn(usize) -> bool| {
            planes.extend((0..self.area).map(|at| if wanted(at) { 1.0 } else { 0.0 }));
        };
        put(&|at| position.blocked[at]);
        for slot in 0..SLOTS {
            put(&|at| self.may_be_of(position.spots[at], slot));
        }
        for slot in 0..SLOTS {
            put(&|at| position.spots[at] == Spot::Sunk(slot));
        }
    }

    /// Whether an open hit may be on a ship of a slot.
    fn may_be_of(&self, spot: Spot, slot: usize) -> bool {
        matches!(spot, Spot::Hit(bits) if !self.touching || bits >> slot & 1 == 1)
    }

    /// The chance that some ship afloat covers a cell, ship by ship, twice.
    fn put_total(
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

    /// The placements of a slot that agree with the answers, taken alone.
    fn fitting(&self, position: &Position, slot: usize) -> Vec<&Place> {
        let afloat = position.afloat[slot] > 0;
        let spot = |at: usize| position.spots[at];
        let fits = |place: &&Place| {
            let all = |wanted: &dyn Fn(usize) -> bool| place.cells.iter().all(|&at| wanted(at));
            let any = |wanted: &dyn Fn(usize) -> bool| place.cells.iter().any(|&at| wanted(at));
            if !afloat {
                let its = |at| spot(at) == Spot::Sunk(slot);
                return self.touching && all(&|at| its(at) || self.may_be_of(spot(at), slot)) && any(&its);
            }
            let free = |at| position.may_hold_a_ship(at);
            let clear = || self.touching || !place.around.iter().any(|&at| matches!(spot(at), Spot::Hit(_)));
            all(&|at| free(at) || self.may_be_of(spot(at), slot)) && any(&free) && clear()
        };
        self.places[slot].iter().filter(fits).collect()
    }

    /// How far each hit is not explained by ships that are sunk.
    fn open_hits(&self, position: &Position, fitting: &[Vec<&Place>; SLOTS]) -> Plane {
        if !self.touching {
            let open = |spot: &Spot| if matches!(spot, Spot::Hit(_)) { 1.0 } else { 0.0 };
            return position.spots.iter().map(open).collect();
        }
        let mut open: Plane = position.spots.iter().map(|spot| if is_hit(spot) { 1.0 } else { 0.0 }).collect();
        for slot in (0..SLOTS).filter(|&slot| position.afloat[slot] == 0) {
            let share = 1.0 / fitting[slot].len().max(1) as f32;
            for &at in fitting[slot].iter().flat_map(|place| &place.cells) {
                open[at] -= share;
            }
        }
        open.iter().map(|value| value.max(0.0)).collect()
    }

    fn density(&self, fitting: &[&Place], open_hits: &[f32]) -> Density {
        let weight = |place: &Place| {
            let covered: f32 = place.cells.iter().map(|&at| open_hits[at]).sum();
            (HIT_WEIGHT * covered).exp()
        };
        Density { fitting: fitting.len(), plain: self.spread(fitting, |_| 1.0), weighted: self.spread(fitting, weight) }
    }

    /// The chance of every cell, across and down, placements drawn by weight.
    fn spread(&self, fitting: &[&Place], weight: impl Fn(&Place) -> f32) -> [Plane; 2] {
        let weights: Vec<f32> = fitting.iter().map(|place| weight(place)).collect();
        let sum: f32 = weights.iter().sum::<f32>().max(1e-9);
        let mut planes = [vec![0.0; self.area], vec![0.0; self.area]];
        for (place, weight) in fitting.iter().zip(weights) {
            for &at in &place.cells {
                planes[0][at] += weight / sum * place.across;
                planes[1][at] += weight / sum * (1.0 - place.across);
            }
        }
        planes
    }
}

fn is_hit(spot: &Spot) -> bool {
    matches!(spot, Spot::Hit(_) | Spot::Sunk(_))
}

fn places(side: usize, length: usize) -> Vec<Place> {
    let mut places = Vec::new();
    for (rows, cols) in [(0, 1), (1, 0)].into_iter().take(length.min(2)) {
        for start in 0..side * side {
            let cells: Option<Vec<usize>> =
                (0..length as isize).map(|step| neighbour(side, start, rows * step, cols * step)).collect();
            let across = if length == 1 { 0.5 } else { cols as f32 };
            places.extend(cells.map(|cells| Place { around: around(side, &cells), cells, across }));
        }
    }
    places
}

fn around(side: usize, cells: &[usize]) -> Vec<usize> {
    let beside = |&at: &usize| {
        let near = |other: usize| {
            let far = (at / side).abs_diff(other / side).max((at % side).abs_diff(other % side));
            far <= 1
        };
        !cells.contains(&at) && cells.iter().any(|&other| near(other))
    };
    (0..side * side).filter(beside).collect()
}
