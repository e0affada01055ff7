//! Where to put one's own ships: layouts that last long even against shooters who know how they are chosen.

pub(crate) mod placement_index;
mod stored_tuning;
mod surrogate_shooter;

use seabattle_core::{Fleet, Rules, Seed, SeededRng, Ship, layout, uniform_below};

use placement_index::{IndexedLayout, PlacementIndex};
use surrogate_shooter::{Belief, SurrogateShooter};

/// Layouts on trial, where shooters who know the mixture are among those who try them, and where not.
const CANDIDATES: [usize; 2] = [40, 4];

/// Packed layouts to choose from; none is ranked, since exact odds judge them otherwise than quick shooters do.
const PACKED_CANDIDATES: usize = 10;

/// Shots at every layout on trial, and then at the best quarter of them.
const TRIALS: [usize; 2] = [2, 5];

/// Layouts from which is learnt how uniform ones look, where nothing is stored.
const UNIFORM_SAMPLES: u32 = 300;

/// Layouts that a shooter imagines beside those it has seen: no kind of place is ever ruled out.
const PSEUDO_COUNT: f64 = 20.0;

/// Chooses layouts for some rules.
///
/// Every layout is the best of many, ranked by quick shooters: some believe in uniform layouts, the others have learnt
/// from layouts chosen this way while the mixture was tuned. For the best known rules what they have learnt is stored; other
/// rules have fewer layouts on trial. Under russian rules the long ships are packed together instead, so that the single
/// ones have most of the sea to hide in. On boards of more than 128 cells all legal fleets are alike.
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

/// What was tuned for some rules.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Tuning {
    /// How many times as likely each cell under or around the ships longer than the shortest makes a layout, where layouts
    /// are packed and not ranked.
    pub packing: Option<f64>,
    /// For every shooter who knows the mixture what a place of each kind weighs, as [`LayoutChooser::placement_weights`] tells.
    pub informed_shooters: Vec<Vec<f64>>,
}

struct LayoutTrials {
    index: PlacementIndex,
    packing: Option<f64>,
    /// Who believes in uniform layouts.
    naive_beliefs: Vec<Belief>,
    /// Who knows how layouts are chosen here.
    informed_beliefs: Vec<Belief>,
}

impl LayoutChooser {
    /// As it was tuned for these rules.
    pub fn new(rules: &Rules) -> Self {
        Self::with(rules, &Self::stored_tuning(rules))
    }

    /// What was tuned for these rules; for others it is empty.
    pub fn stored_tuning(rules: &Rules) -> Tuning {
        stored_tuning::tuning(rules)
    }

    /// With a mixture of one's own.
    pub fn with(rules: &Rules, tuning: &Tuning) -> Self {
        let trials = PlacementIndex::new(rules).map(|index| LayoutTrials::new(index, tuning));
        Self { rules: rules.clone(), trials }
    }

    /// A fleet, in bounded time.
    pub fn draw(&self, rng: &mut SeededRng) -> Fleet {
        let best = self.ranked(rng).into_iter().next();
        best.map_or_else(|| layout::any(&self.rules, rng), |(fleet, _)| fleet)
    }

    /// The layouts that came through all trials, with the shots each of them lasted on average, most first; packed ones with
    /// no shots; none where the board is too large or too full for trials.
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

    /// Shots that a quick shooter needs who believes in such habits; none where the board is too large for trials.
    pub fn shots_to_sink(&self, fleet: &Fleet, weights: &[f64], rng: &mut SeededRng) -> Option<usize> {
        let index = &self.trials.as_ref()?.index;
        let belief = Belief::from_orbits(index, weights);
        Some(SurrogateShooter::new(index).shots_to_sink(&belief, &index.layout(fleet)?, rng))
    }

    /// The kind of a ship's place: the same number for all that turning the board makes alike.
    pub fn orbit(&self, ship: &Ship) -> Option<usize> {
        self.trials.as_ref()?.index.orbit(ship)
    }

    /// What a place of each kind weighs for who has seen these fleets; turning the board makes no difference.
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

    /// Tries many layouts and then the best of them again; most shots first.
    fn rank_by_trial(&self, rng: &mut SeededRng) -> Vec<(IndexedLayout, usize)> {
        let candidates = CANDIDATES[usize::from(self.informed_beliefs.is_empty())];
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

    /// Trusting or informed, one as likely as the other.
    fn random_belief(&self, rng: &mut SeededRng) -> &Belief {
        let is_informed = !self.informed_beliefs.is_empty() && uniform_below(rng, 2) == 1;
        let beliefs = if is_informed { &self.informed_beliefs } else { &self.naive_beliefs };
        &beliefs[uniform_below(rng, beliefs.len())]
    }
}

/// Ones where all places are used alike.
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
