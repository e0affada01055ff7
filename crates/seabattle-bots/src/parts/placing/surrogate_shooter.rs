//! Surrogate shooters: fast models of opponents, which show how many shots a layout survives.

use seabattle_core::{SeededRng, Touching, uniform_below};

use super::placement_index::{CellMask, IndexedLayout, MAX_CELLS, PlacementIndex};

/// The factor of a placement's weight for every hit under it.
const HIT_FACTOR: f64 = 64.0;

/// The most hits that add weight to a placement, so that weights stay bounded.
const MAX_COUNTED_HITS: u8 = 4;

/// The largest relative error of a cell's weight. Errors are random, so no two shooters play the same way.
const MAX_MISJUDGMENT: f64 = 0.06;

/// The belief of a shooter before its first shot: how likely a ship is on each placement.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Belief {
    weights: Vec<f64>,
    /// Whether the weights of a ship's possible placements are divided by their sum, so that few possible placements
    /// make each likelier.
    is_normalized: bool,
}

impl Belief {
    /// The same weight for all placements. They stay unnormalized where ships may touch.
    pub(super) fn uniform(index: &PlacementIndex) -> Self {
        let is_normalized = index.rules().touching() != Touching::Allowed;
        Self { weights: vec![1.0; index.placements.len()], is_normalized }
    }

    /// The weights of placements by their orbits.
    pub(super) fn from_orbits(index: &PlacementIndex, orbits: &[f64]) -> Self {
        let weights =
            index.placements.iter().map(|placement| orbits.get(placement.orbit).copied().unwrap_or(0.0)).collect();
        Self { weights, is_normalized: true }
    }
}

/// A shooter with its state, used for one game after the other.
pub(super) struct SurrogateShooter<'a> {
    index: &'a PlacementIndex,
    /// The weight of every placement now; 0 if it is impossible.
    weights: Vec<f64>,
    hit_counts: Vec<u8>,
    by_length: Vec<LengthWeights>,
    /// The factor by which the shooter misjudges each cell.
    errors: [f64; MAX_CELLS],
}

/// The knowledge of the ships of one length.
#[derive(Clone)]
struct LengthWeights {
    afloat: usize,
    /// The sum of the weights of all possible placements, without the factor for hits.
    total_weight: f64,
    /// For each cell the sum of the weights of the placements that cover it.
    cell_weights: [f64; MAX_CELLS],
}

impl<'a> SurrogateShooter<'a> {
    pub(super) fn new(index: &'a PlacementIndex) -> Self {
        let empty = LengthWeights { afloat: 0, total_weight: 0.0, cell_weights: [0.0; MAX_CELLS] };
        Self {
            index,
            weights: Vec::new(),
            hit_counts: Vec::new(),
            by_length: vec![empty; index.groups.len()],
            errors: [1.0; MAX_CELLS],
        }
    }

    /// The number of shots that the shooter needs to sink a layout.
    pub(super) fn shots_to_sink(&mut self, belief: &Belief, layout: &IndexedLayout, rng: &mut SeededRng) -> usize {
        self.reset(belief, rng);
        let area = self.index.covering.len();
        let mut open = CellMask::MAX >> (MAX_CELLS - area);
        let mut afloat: Vec<usize> = layout.0.iter().map(|&placement| usize::from(placement)).collect();
        let mut hits: CellMask = 0;
        let mut shots = 0;
        while !afloat.is_empty() && open != 0 {
            let cell = self.likeliest(open, belief.is_normalized);
            open &= !(1 << cell);
            shots += 1;
            match afloat.iter().position(|&ship| self.index.placements[ship].cells >> cell & 1 == 1) {
                None => self.on_miss(cell, belief),
                Some(index) => {
                    hits |= 1 << cell;
                    if self.index.placements[afloat[index]].cells & !hits == 0 {
                        self.on_sunk(afloat.swap_remove(index), belief);
                    } else {
                        self.on_hit(cell, belief);
                    }
                }
            }
        }
        shots
    }

    fn reset(&mut self, belief: &Belief, rng: &mut SeededRng) {
        self.weights.clone_from(&belief.weights);
        self.hit_counts.clear();
        self.hit_counts.resize(belief.weights.len(), 0);
        for (group, length) in self.index.groups.iter().zip(&mut self.by_length) {
            *length = LengthWeights { afloat: group.count, total_weight: 0.0, cell_weights: [0.0; MAX_CELLS] };
            for placement in group.placements.clone() {
                length.total_weight += belief.weights[placement];
                length.add(self.index.placements[placement].cells, belief.weights[placement]);
            }
        }
        for error in &mut self.errors[..self.index.covering.len()] {
            *error = 1.0 + MAX_MISJUDGMENT * uniform_below(rng, 1 << 16) as f64 / f64::from(1 << 16);
        }
    }

    /// The open cell that seems likeliest to hold a ship.
    fn likeliest(&self, open: CellMask, is_normalized: bool) -> usize {
        let mut weight_of_cell = [0.0; MAX_CELLS];
        for length in self.by_length.iter().filter(|length| length.afloat > 0) {
            let share =
                length.afloat as f64 / if is_normalized { length.total_weight.max(f64::MIN_POSITIVE) } else { 1.0 };
            weight_of_cell.iter_mut().zip(&length.cell_weights).for_each(|(sum, weight)| *sum += share * weight);
        }
        let apparent = |cell: usize| weight_of_cell[cell].max(f64::MIN_POSITIVE) * self.errors[cell];
        let better = |best: usize, cell: usize| if apparent(cell) > apparent(best) { cell } else { best };
        cells(open).reduce(better).unwrap_or(0)
    }

    fn on_miss(&mut self, cell: usize, belief: &Belief) {
        for &placement in &self.index.covering[cell] {
            self.rule_out(usize::from(placement), belief);
        }
    }

    fn on_hit(&mut self, cell: usize, belief: &Belief) {
        for &placement in &self.index.adjoining[cell] {
            self.rule_out(usize::from(placement), belief);
        }
        for &placement in &self.index.covering[cell] {
            let placement = usize::from(placement);
            let group = self.index.placements[placement].group;
            self.hit_counts[placement] += 1;
            if usize::from(self.hit_counts[placement]) == self.index.groups[group].length {
                self.rule_out(placement, belief);
            } else if self.hit_counts[placement] <= MAX_COUNTED_HITS {
                let added_weight = self.weights[placement] * (HIT_FACTOR - 1.0);
                self.weights[placement] += added_weight;
                self.by_length[group].add(self.index.placements[placement].cells, added_weight);
            }
        }
    }

    fn on_sunk(&mut self, ship: usize, belief: &Belief) {
        let Some(sunk) = self.index.placements.get(ship) else { return };
        self.by_length[sunk.group].afloat -= 1;
        for placement in 0..self.weights.len() {
            if self.index.placements[placement].cells & sunk.claim != 0 {
                self.rule_out(placement, belief);
            }
        }
    }

    fn rule_out(&mut self, placement: usize, belief: &Belief) {
        let weight = std::mem::replace(&mut self.weights[placement], 0.0);
        if weight > 0.0 {
            let length = &mut self.by_length[self.index.placements[placement].group];
            length.total_weight -= belief.weights[placement];
            length.add(self.index.placements[placement].cells, -weight);
        }
    }
}

impl LengthWeights {
    fn add(&mut self, mask: CellMask, weight: f64) {
        cells(mask).for_each(|cell| self.cell_weights[cell] += weight);
    }
}

fn cells(mut mask: CellMask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            cell
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{Belief, SurrogateShooter};
    use crate::parts::placing::placement_index::PlacementIndex;
    use seabattle_core::{Rules, Seed};

    /// The mean number of shots over uniform layouts.
    fn mean(rules: &str, belief: fn(&PlacementIndex) -> Belief) -> f64 {
        let index = PlacementIndex::new(&rules.parse::<Rules>().unwrap()).unwrap();
        let mut rng = Seed::new(5).rng();
        let (mut shooter, belief) = (SurrogateShooter::new(&index), belief(&index));
        let mut shots = 0;
        for _ in 0..2000 {
            let layout = index.draw(&mut rng).unwrap();
            shots += shooter.shots_to_sink(&belief, &layout, &mut rng);
        }
        shots as f64 / 2000.0
    }

    #[test]
    fn surrogates_shoot_about_as_well_as_density() {
        for (rules, expected) in [("classic", 44.8), ("classic,touching=forbidden", 39.5), ("russian", 57.4)] {
            let uniform = mean(rules, Belief::uniform);
            let normalized = mean(rules, |index| Belief::from_orbits(index, &vec![1.0; index.orbits()]));
            assert!(
                (uniform - expected).abs() < 1.0 && (normalized - expected).abs() < 1.0,
                "{rules}: {uniform} and {normalized}"
            );
        }
    }

    #[test]
    fn every_fleet_is_sunk_on_any_board() {
        for rules in ["1x1:1", "2x1:2", "16x8:16,16,1", "4x4:4,4,4,4", "50x2:50,3"] {
            let shots = mean(rules, Belief::uniform);
            assert!(shots >= 1.0 && shots.is_finite(), "{rules}: {shots}");
        }
    }
}
