//! Chooses layouts for a bot's own ships that survive long, even against shooters that know how they are chosen.

pub(crate) mod placement_index;
mod stored_tuning;
mod surrogate_shooter;

use seabattle_core::{Fleet, Rules, Seed, SeededRng, Ship, layout, uniform_below};

use placement_index::{IndexedLayout, PlacementIndex};
use surrogate_shooter::{Belief, SurrogateShooter};

/// The number of layouts on trial where tuning is stored.
const TUNED_CANDIDATES: usize = 40;

/// The number of layouts on trial where no tuning is stored.
const UNTUNED_CANDIDATES: usize = 4;

/// Packed layouts to choose from. They are not ranked, because surrogate shooters judge them differently from exact
/// odds.
const PACKED_CANDIDATES: usize = 10;

/// Shots at every layout on trial, then at the best quarter of them.
const TRIALS: [usize; 2] = [2, 5];

/// Uniform layouts that a belief is learned from where no tuning is stored.
const UNIFORM_SAMPLES: u32 = 300;

/// Uniform layouts that a shooter adds to those it has seen (additive smoothing), so that it rules out no placement.
const PSEUDO_COUNT: f64 = 20.0;

/// Chooses layouts for some rules.
///
/// Every layout is the best of many, ranked by surrogate shooters. Some of these believe in uniform layouts. The others
/// have learned from layouts chosen in this way, while the chooser was tuned (fictitious play). Their beliefs are
/// stored for common rules; other rules get fewer layouts on trial.
///
/// Under `russian` rules the long ships are packed together instead, so that the single cells have most of the board to
/// hide in. On boards of more than 128 cells all legal fleets are equally likely.
///
/// ```
/// use seabattle_bots::placing::LayoutChooser;
/// use seabattle_core::{Rules, Seed};
///
/// let rules = Rules::classic();
/// let fleet = LayoutChooser::new(&rules).draw(&mut Seed::new(1).rng());
/// assert_eq!(*fleet.rules(), rules);
/// ```
pub struct LayoutChooser {
    rules: Rules,
    trials: Option<LayoutTrials>,
}

/// The result of tuning a [`LayoutChooser`] for some rules.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tuning {
    /// Where layouts are packed instead of ranked: the factor of a layout's probability for each cell under or around
    /// its long ships. Ships longer than the shortest are long.
    pub packing: Option<f64>,
    /// The belief of each informed shooter: a weight for every orbit, as [`LayoutChooser::placement_weights`] returns
    /// it.
    pub informed_shooters: Vec<Vec<f64>>,
}

struct LayoutTrials {
    index: PlacementIndex,
    packing: Option<f64>,
    /// Beliefs in uniform layouts.
    naive_beliefs: Vec<Belief>,
    /// Beliefs of shooters that know how layouts are chosen.
    informed_beliefs: Vec<Belief>,
}

impl LayoutChooser {
    /// A chooser with the stored tuning for these rules.
    pub fn new(rules: &Rules) -> Self {
        Self::with_tuning(rules, &Self::stored_tuning(rules))
    }

    /// The stored tuning for these rules; empty if there is none.
    pub fn stored_tuning(rules: &Rules) -> Tuning {
        stored_tuning::tuning(rules)
    }

    /// A chooser with another tuning than the stored one.
    pub fn with_tuning(rules: &Rules, tuning: &Tuning) -> Self {
        let trials = PlacementIndex::new(rules).map(|index| LayoutTrials::new(index, tuning));
        Self { rules: rules.clone(), trials }
    }

    /// Draws a fleet in bounded time.
    pub fn draw(&self, rng: &mut SeededRng) -> Fleet {
        let best = self.ranked(rng).into_iter().next();
        best.map_or_else(|| layout::any(&self.rules, rng), |(fleet, _)| fleet)
    }

    /// The layouts that passed all trials, most shots first, each with the mean number of shots that sank it.
    ///
    /// Packed layouts have zero shots. The list is empty where the board is too large or too full for trials.
    pub fn ranked(&self, rng: &mut SeededRng) -> Vec<(Fleet, f64)> {
        let Some(trials) = &self.trials else {
            return Vec::new();
        };
        let finalists = match trials.packing {
            Some(packing) => trials.packed_layouts(packing, rng),
            None => trials.rank_by_trial(rng),
        };
        let trial_count = TRIALS.iter().sum::<usize>() as f64;
        let fleet =
            |(layout, shots): &(IndexedLayout, usize)| Some((trials.index.fleet(layout)?, *shots as f64 / trial_count));
        finalists.iter().filter_map(fleet).collect()
    }

    /// The number of shots that a surrogate shooter with these orbit weights needs to sink a fleet. `None` where the
    /// board is too large.
    pub fn shots_to_sink(&self, fleet: &Fleet, weights: &[f64], rng: &mut SeededRng) -> Option<usize> {
        let index = &self.trials.as_ref()?.index;
        let belief = Belief::from_orbits(index, weights);
        Some(SurrogateShooter::new(index).shots_to_sink(&belief, &index.layout(fleet)?, rng))
    }

    /// The orbit of a ship's placement: the same number for all placements that rotating or mirroring the board maps
    /// onto each other.
    pub fn orbit(&self, ship: &Ship) -> Option<usize> {
        self.trials.as_ref()?.index.orbit(ship)
    }

    /// The weight of every orbit for a shooter that has seen these fleets: 1 where the placements are used as often as
    /// in uniform layouts.
    pub fn placement_weights<'a>(&self, fleets: impl IntoIterator<Item = &'a Fleet>) -> Vec<f64> {
        let Some(LayoutTrials { index, .. }) = &self.trials else {
            return Vec::new();
        };
        let layouts: Vec<IndexedLayout> = fleets.into_iter().filter_map(|fleet| index.layout(fleet)).collect();
        placement_weights(index, &layouts)
    }
}

impl LayoutTrials {
    fn new(index: PlacementIndex, tuning: &Tuning) -> Self {
        let mut naive_beliefs = vec![Belief::uniform(&index)];
        let mut rng = Seed::new(0).rng();
        let uniform: Option<Vec<IndexedLayout>> = (0..UNIFORM_SAMPLES).map(|_| index.draw(&mut rng)).collect();
        naive_beliefs.extend(uniform.map(|layouts| Belief::from_orbits(&index, &placement_weights(&index, &layouts))));
        let informed_beliefs = tuning.informed_shooters.iter().filter(|orbits| orbits.len() == index.orbits());
        let informed_beliefs = informed_beliefs.map(|orbits| Belief::from_orbits(&index, orbits)).collect();
        Self { index, packing: tuning.packing, naive_beliefs, informed_beliefs }
    }

    fn packed_layouts(&self, packing: f64, rng: &mut SeededRng) -> Vec<(IndexedLayout, usize)> {
        let drawn = (0..PACKED_CANDIDATES).map_while(|_| self.index.draw_packed(packing, rng));
        drawn.map(|layout| (layout, 0)).collect()
    }

    /// Shoots at many layouts, then again at the best of them. Most shots first.
    fn rank_by_trial(&self, rng: &mut SeededRng) -> Vec<(IndexedLayout, usize)> {
        let candidates = if self.informed_beliefs.is_empty() { UNTUNED_CANDIDATES } else { TUNED_CANDIDATES };
        let mut shooter = SurrogateShooter::new(&self.index);
        let drawn = (0..candidates).map_while(|_| self.index.draw(rng));
        let mut layouts: Vec<(IndexedLayout, usize)> = drawn.map(|layout| (layout, 0)).collect();
        for trials in TRIALS {
            for _ in 0..trials {
                let belief = self.random_belief(rng);
                layouts.iter_mut().for_each(|(layout, shots)| *shots += shooter.shots_to_sink(belief, layout, rng));
            }
            layouts.sort_by_key(|(_, shots)| std::cmp::Reverse(*shots));
            layouts.truncate((candidates / 4).max(1));
        }
        layouts
    }

    /// A naive or an informed belief, each with probability one half.
    fn random_belief(&self, rng: &mut SeededRng) -> &Belief {
        let is_informed = !self.informed_beliefs.is_empty() && uniform_below(rng, 2) == 1;
        let beliefs = if is_informed { &self.informed_beliefs } else { &self.naive_beliefs };
        &beliefs[uniform_below(rng, beliefs.len())]
    }
}

/// The weight of every orbit: its use in the layouts, relative to equal use of all placements.
fn placement_weights(index: &PlacementIndex, layouts: &[IndexedLayout]) -> Vec<f64> {
    let mut expected = vec![0.0; index.orbits()];
    let mut seen = vec![0.0; index.orbits()];
    for group in &index.groups {
        let share = group.count as f64 / group.placements.len() as f64;
        for placement in &index.placements[group.placements.clone()] {
            expected[placement.orbit] += share * (layouts.len() as f64 + PSEUDO_COUNT);
            seen[placement.orbit] += share * PSEUDO_COUNT;
        }
    }
    for placement in layouts.iter().flat_map(|layout| &layout.0) {
        seen[index.placements[usize::from(*placement)].orbit] += 1.0;
    }
    seen.iter().zip(&expected).map(|(seen, expected)| seen / expected).collect()
}

#[cfg(test)]
mod tests {
    use super::LayoutChooser;
    use seabattle_core::{Fleet, Rules, Seed};

    fn draw(rules: &str, count: usize) -> Vec<Fleet> {
        let rules: Rules = rules.parse().unwrap();
        let chooser = LayoutChooser::new(&rules);
        let mut rng = Seed::new(4).rng();
        (0..count).map(|_| chooser.draw(&mut rng)).collect()
    }

    #[test]
    fn every_rule_set_gets_a_fleet() {
        let full = format!("10x10:{}", ["7"; 12].join(","));
        let boards = ["1x1:1", "2x1:1", "1x7:3,2", "3x3:3,2", "5x4:3,2,1", "13x9:6,2,2,1", "50x50:12,5,3,1", &full];
        for board in boards {
            for touching in ["allowed", "corners", "forbidden"] {
                let text = format!("{board},touching={touching}");
                if text.parse::<Rules>().is_ok() {
                    assert_eq!(draw(&text, 2).len(), 2);
                }
            }
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_fleets() {
        assert_eq!(draw("classic", 5), draw("classic", 5));
    }

    #[test]
    fn no_layout_is_drawn_twice() {
        for rules in ["classic", "classic,touching=forbidden", "russian"] {
            let mut fleets: Vec<String> = draw(rules, 100).iter().map(ToString::to_string).collect();
            fleets.sort_unstable();
            fleets.dedup();
            assert_eq!(fleets.len(), 100, "{rules}");
        }
    }

    #[test]
    fn weights_grow_with_the_use_of_an_orbit() {
        let rules: Rules = "3x3:1".parse().unwrap();
        let fleets: Vec<Fleet> =
            ["B2", "B2", "B2", "A1"].map(|cell| Fleet::parse(&rules, &format!("1 {cell} across")).unwrap()).to_vec();
        let weights = LayoutChooser::new(&rules).placement_weights(&fleets);
        let expected = [(1.0 + 80.0 / 9.0) / (24.0 / 9.0 * 4.0), 0.0, 0.0];
        assert_eq!(weights.len(), 3, "corner, side, middle");
        assert!((weights[0] - expected[0]).abs() < 1e-9 && weights[2] > 1.8 && weights[1] < 0.9, "{weights:?}");
    }
}
