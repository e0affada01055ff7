//! Shooters to practise on: they fire where most of what they believe lies, and show how long a layout lasts.

use seabattle_core::{SeededRng, Touching, uniform_below};

use super::placement_index::{IndexedLayout, MOST_CELLS, Mask, PlacementIndex};

/// A hit under a place makes it so many times as likely.
const HIT: f64 = 64.0;

/// More hits than this under one place add nothing: the weights stay bounded.
const MOST_HITS: u8 = 4;

/// How far a shooter may misjudge a cell: no two judge alike.
const MISJUDGED: f64 = 0.06;

/// What a shooter believes before the first shot: how likely a ship lies on each place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Belief {
    places: Vec<f64>,
    /// Whether a ship with few places left makes each of them likelier, or all places count alike.
    is_normalized: bool,
}

impl Belief {
    /// All places count alike, where ships may touch from the first shot to the last.
    pub(super) fn blank(index: &PlacementIndex) -> Self {
        let is_normalized = index.rules().touching() != Touching::Allowed;
        Self { places: vec![1.0; index.places.len()], is_normalized }
    }

    /// From what a place of each kind weighs.
    pub(super) fn of_kinds(index: &PlacementIndex, kinds: &[f64]) -> Self {
        let places = index.places.iter().map(|place| kinds.get(place.kind).copied().unwrap_or(0.0)).collect();
        Self { places, is_normalized: true }
    }
}

/// A board on which layouts are shot at again and again.
pub(super) struct SurrogateShooter<'a> {
    index: &'a PlacementIndex,
    /// What each place weighs as things stand; 0 where no ship can lie any more.
    weights: Vec<f64>,
    hits_under: Vec<u8>,
    weights_of: Vec<LengthWeights>,
    /// How much likelier than it is each cell seems.
    errors: [f64; MOST_CELLS],
}

/// What is known of the ships of one length.
#[derive(Clone)]
struct LengthWeights {
    afloat: usize,
    /// The weight of the places left, hits aside.
    left: f64,
    /// For each cell the weight of the places that cover it.
    cover: [f64; MOST_CELLS],
}

impl<'a> SurrogateShooter<'a> {
    pub(super) fn new(index: &'a PlacementIndex) -> Self {
        let empty = LengthWeights { afloat: 0, left: 0.0, cover: [0.0; MOST_CELLS] };
        Self {
            index,
            weights: Vec::new(),
            hits_under: Vec::new(),
            weights_of: vec![empty; index.groups.len()],
            errors: [1.0; MOST_CELLS],
        }
    }

    /// How many shots it takes to sink a layout.
    pub(super) fn shots(&mut self, belief: &Belief, layout: &IndexedLayout, rng: &mut SeededRng) -> usize {
        self.set_up(belief, rng);
        let area = self.index.through.len();
        let mut open = Mask::MAX >> (MOST_CELLS - area);
        let mut afloat: Vec<usize> = layout.0.iter().map(|&place| usize::from(place)).collect();
        let mut hits: Mask = 0;
        let mut shots = 0;
        while !afloat.is_empty() && open != 0 {
            let cell = self.likeliest(open, belief.is_normalized);
            open &= !(1 << cell);
            shots += 1;
            match afloat.iter().position(|&ship| self.index.places[ship].cells >> cell & 1 == 1) {
                None => self.miss(cell, belief),
                Some(at) => {
                    hits |= 1 << cell;
                    if self.index.places[afloat[at]].cells & !hits == 0 {
                        self.sink(afloat.swap_remove(at), belief);
                    } else {
                        self.hit(cell, belief);
                    }
                }
            }
        }
        shots
    }

    fn set_up(&mut self, belief: &Belief, rng: &mut SeededRng) {
        self.weights.clone_from(&belief.places);
        self.hits_under.clear();
        self.hits_under.resize(belief.places.len(), 0);
        for (group, weights_of) in self.index.groups.iter().zip(&mut self.weights_of) {
            *weights_of = LengthWeights { afloat: group.count, left: 0.0, cover: [0.0; MOST_CELLS] };
            for place in group.places.clone() {
                weights_of.left += belief.places[place];
                weights_of.add(self.index.places[place].cells, belief.places[place]);
            }
        }
        for error in &mut self.errors[..self.index.through.len()] {
            *error = 1.0 + MISJUDGED * uniform_below(rng, 1 << 16) as f64 / f64::from(1 << 16);
        }
    }

    /// The open cell that seems likeliest to hold a ship.
    fn likeliest(&self, open: Mask, is_normalized: bool) -> usize {
        let mut likely = [0.0; MOST_CELLS];
        for weights_of in self.weights_of.iter().filter(|weights_of| weights_of.afloat > 0) {
            let share =
                weights_of.afloat as f64 / if is_normalized { weights_of.left.max(f64::MIN_POSITIVE) } else { 1.0 };
            likely.iter_mut().zip(&weights_of.cover).for_each(|(sum, weight)| *sum += share * weight);
        }
        let seems = |cell: usize| likely[cell].max(f64::MIN_POSITIVE) * self.errors[cell];
        let better = |best: usize, cell: usize| if seems(cell) > seems(best) { cell } else { best };
        cells(open).reduce(better).unwrap_or(0)
    }

    fn miss(&mut self, cell: usize, belief: &Belief) {
        for &place in &self.index.through[cell] {
            self.rule_out(usize::from(place), belief);
        }
    }

    fn hit(&mut self, cell: usize, belief: &Belief) {
        for &place in &self.index.around[cell] {
            self.rule_out(usize::from(place), belief);
        }
        for &place in &self.index.through[cell] {
            let place = usize::from(place);
            let group = self.index.places[place].group;
            self.hits_under[place] += 1;
            if usize::from(self.hits_under[place]) == self.index.groups[group].length {
                self.rule_out(place, belief);
            } else if self.hits_under[place] <= MOST_HITS {
                let more = self.weights[place] * (HIT - 1.0);
                self.weights[place] += more;
                self.weights_of[group].add(self.index.places[place].cells, more);
            }
        }
    }

    fn sink(&mut self, ship: usize, belief: &Belief) {
        let Some(sunk) = self.index.places.get(ship) else { return };
        self.weights_of[sunk.group].afloat -= 1;
        for place in 0..self.weights.len() {
            if self.index.places[place].cells & sunk.claim != 0 {
                self.rule_out(place, belief);
            }
        }
    }

    fn rule_out(&mut self, place: usize, belief: &Belief) {
        let weight = std::mem::replace(&mut self.weights[place], 0.0);
        if weight > 0.0 {
            let weights_of = &mut self.weights_of[self.index.places[place].group];
            weights_of.left -= belief.places[place];
            weights_of.add(self.index.places[place].cells, -weight);
        }
    }
}

impl LengthWeights {
    fn add(&mut self, mask: Mask, weight: f64) {
        cells(mask).for_each(|cell| self.cover[cell] += weight);
    }
}

fn cells(mut mask: Mask) -> impl Iterator<Item = usize> {
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

    /// Mean shots over uniform layouts.
    fn mean(rules: &str, belief: fn(&PlacementIndex) -> Belief) -> f64 {
        let index = PlacementIndex::new(&rules.parse::<Rules>().unwrap()).unwrap();
        let mut rng = Seed::new(5).rng();
        let (mut shooter, belief) = (SurrogateShooter::new(&index), belief(&index));
        let mut shots = 0;
        for _ in 0..2000 {
            let layout = index.draw(&mut rng).unwrap();
            shots += shooter.shots(&belief, &layout, &mut rng);
        }
        shots as f64 / 2000.0
    }

    #[test]
    fn they_shoot_about_as_well_as_density() {
        for (rules, expected) in [("classic", 44.8), ("classic,touching=forbidden", 39.5), ("russian", 57.4)] {
            let blank = mean(rules, Belief::blank);
            let normalized = mean(rules, |index| Belief::of_kinds(index, &vec![1.0; index.kinds()]));
            assert!(
                (blank - expected).abs() < 1.0 && (normalized - expected).abs() < 1.0,
                "{rules}: {blank} and {normalized}"
            );
        }
    }

    #[test]
    fn any_board_is_shot_empty() {
        for rules in ["1x1:1", "2x1:2", "16x8:16,16,1", "4x4:4,4,4,4", "50x2:50,3"] {
            let shots = mean(rules, Belief::blank);
            assert!(shots >= 1.0 && shots.is_finite(), "{rules}: {shots}");
        }
    }
}
