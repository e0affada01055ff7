//! Shooters to practise on: they fire where most of what they believe lies, and show how long a layout lasts.

use seabattle_core::{SeededRng, Touching, uniform_below};

use super::placement_index::{Chart, Layout, MOST_CELLS, Mask};

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
    is_keen: bool,
}

impl Belief {
    /// All places count alike, where ships may touch from the first shot to the last.
    pub(super) fn blank(chart: &Chart) -> Self {
        let is_keen = chart.rules().touching() != Touching::Allowed;
        Self { places: vec![1.0; chart.places.len()], is_keen }
    }

    /// From what a place of each kind weighs.
    pub(super) fn of_kinds(chart: &Chart, kinds: &[f64]) -> Self {
        let places = chart.places.iter().map(|place| kinds.get(place.kind).copied().unwrap_or(0.0)).collect();
        Self { places, is_keen: true }
    }
}

/// A board on which layouts are shot at again and again.
pub(super) struct Range<'a> {
    chart: &'a Chart,
    /// What each place weighs as things stand; 0 where no ship can lie any more.
    weights: Vec<f64>,
    hits_under: Vec<u8>,
    waters: Vec<Waters>,
    /// How much likelier than it is each cell seems.
    errors: [f64; MOST_CELLS],
}

/// What is known of the ships of one length.
#[derive(Clone)]
struct Waters {
    afloat: usize,
    /// The weight of the places left, hits aside.
    left: f64,
    /// For each cell the weight of the places that cover it.
    cover: [f64; MOST_CELLS],
}

impl<'a> Range<'a> {
    pub(super) fn new(chart: &'a Chart) -> Self {
        let empty = Waters { afloat: 0, left: 0.0, cover: [0.0; MOST_CELLS] };
        Self {
            chart,
            weights: Vec::new(),
            hits_under: Vec::new(),
            waters: vec![empty; chart.groups.len()],
            errors: [1.0; MOST_CELLS],
        }
    }

    /// How many shots it takes to sink a layout.
    pub(super) fn shots(&mut self, belief: &Belief, layout: &Layout, rng: &mut SeededRng) -> usize {
        self.set_up(belief, rng);
        let area = self.chart.through.len();
        let mut open = Mask::MAX >> (MOST_CELLS - area);
        let mut afloat: Vec<usize> = layout.0.iter().map(|&place| usize::from(place)).collect();
        let mut hits: Mask = 0;
        let mut shots = 0;
        while !afloat.is_empty() && open != 0 {
            let cell = self.likeliest(open, belief.is_keen);
            open &= !(1 << cell);
            shots += 1;
            match afloat.iter().position(|&ship| self.chart.places[ship].cells >> cell & 1 == 1) {
                None => self.miss(cell, belief),
                Some(at) => {
                    hits |= 1 << cell;
                    if self.chart.places[afloat[at]].cells & !hits == 0 {
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
        for (group, waters) in self.chart.groups.iter().zip(&mut self.waters) {
            *waters = Waters { afloat: group.count, left: 0.0, cover: [0.0; MOST_CELLS] };
            for place in group.places.clone() {
                waters.left += belief.places[place];
                waters.add(self.chart.places[place].cells, belief.places[place]);
            }
        }
        for error in &mut self.errors[..self.chart.through.len()] {
            *error = 1.0 + MISJUDGED * uniform_below(rng, 1 << 16) as f64 / f64::from(1 << 16);
        }
    }

    /// The open cell that seems likeliest to hold a ship.
    fn likeliest(&self, open: Mask, is_keen: bool) -> usize {
        let mut likely = [0.0; MOST_CELLS];
        for waters in self.waters.iter().filter(|waters| waters.afloat > 0) {
            let share = waters.afloat as f64 / if is_keen { waters.left.max(f64::MIN_POSITIVE) } else { 1.0 };
            likely.iter_mut().zip(&waters.cover).for_each(|(sum, weight)| *sum += share * weight);
        }
        let seems = |cell: usize| likely[cell].max(f64::MIN_POSITIVE) * self.errors[cell];
        let better = |best: usize, cell: usize| if seems(cell) > seems(best) { cell } else { best };
        cells(open).reduce(better).unwrap_or(0)
    }

    fn miss(&mut self, cell: usize, belief: &Belief) {
        for &place in &self.chart.through[cell] {
            self.rule_out(usize::from(place), belief);
        }
    }

    fn hit(&mut self, cell: usize, belief: &Belief) {
        for &place in &self.chart.around[cell] {
            self.rule_out(usize::from(place), belief);
        }
        for &place in &self.chart.through[cell] {
            let place = usize::from(place);
            let group = self.chart.places[place].group;
            self.hits_under[place] += 1;
            if usize::from(self.hits_under[place]) == self.chart.groups[group].length {
                self.rule_out(place, belief);
            } else if self.hits_under[place] <= MOST_HITS {
                let more = self.weights[place] * (HIT - 1.0);
                self.weights[place] += more;
                self.waters[group].add(self.chart.places[place].cells, more);
            }
        }
    }

    fn sink(&mut self, ship: usize, belief: &Belief) {
        let Some(sunk) = self.chart.places.get(ship) else { return };
        self.waters[sunk.group].afloat -= 1;
        for place in 0..self.weights.len() {
            if self.chart.places[place].cells & sunk.claim != 0 {
                self.rule_out(place, belief);
            }
        }
    }

    fn rule_out(&mut self, place: usize, belief: &Belief) {
        let weight = std::mem::replace(&mut self.weights[place], 0.0);
        if weight > 0.0 {
            let waters = &mut self.waters[self.chart.places[place].group];
            waters.left -= belief.places[place];
            waters.add(self.chart.places[place].cells, -weight);
        }
    }
}

impl Waters {
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
    use super::{Belief, Range};
    use crate::parts::placing::placement_index::Chart;
    use seabattle_core::{Rules, Seed};

    /// Mean shots over uniform layouts.
    fn mean(rules: &str, belief: fn(&Chart) -> Belief) -> f64 {
        let chart = Chart::new(&rules.parse::<Rules>().unwrap()).unwrap();
        let mut rng = Seed::new(5).rng();
        let (mut range, belief) = (Range::new(&chart), belief(&chart));
        let mut shots = 0;
        for _ in 0..2000 {
            let layout = chart.draw(&mut rng).unwrap();
            shots += range.shots(&belief, &layout, &mut rng);
        }
        shots as f64 / 2000.0
    }

    #[test]
    fn they_shoot_about_as_well_as_density() {
        for (rules, expected) in [("classic", 44.8), ("classic,touching=forbidden", 39.5), ("russian", 57.4)] {
            let blank = mean(rules, Belief::blank);
            let keen = mean(rules, |chart| Belief::of_kinds(chart, &vec![1.0; chart.kinds()]));
            assert!((blank - expected).abs() < 1.0 && (keen - expected).abs() < 1.0, "{rules}: {blank} and {keen}");
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
