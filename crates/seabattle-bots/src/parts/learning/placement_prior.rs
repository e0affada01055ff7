//! The places that an opponent likes, as a prior for the odds.

use seabattle_core::{Fleet, Rules, Seed};
use seabattle_odds::{PlacementWeights, Prior};

use crate::parts::placing::placement_index::{IndexedLayout, MOST_CELLS, PlacementIndex};

/// Games before habits are models for at all.
const FIRST: usize = 3;

/// Uniform layouts models at to know how often each place is used by who has no habits.
const UNIFORM: u32 = 1_000;

/// Ships of each length that are imagined to lie uniformly beside those seen.
const IMAGINED: f64 = 20.0;

/// What was seen so many games ago counts about a third.
const MEMORY: f64 = 100.0;

/// By how much, as a logarithm, habits must have foretold the games so far better than uniform layouts do; and how far
/// they may fall behind, so that new habits are noticed.
const BEYOND_DOUBT: f64 = 4.0;

/// No habit makes a place likelier or less likely than by this factor.
const STRONGEST: f64 = 20.0;

pub(super) struct PlacementPrior {
    rules: Rules,
    /// What the first games have shown, until there are enough to look for habits.
    first: Vec<Fleet>,
    /// On boards that are not too large.
    models: Option<PriorModels>,
    prior: Option<Prior>,
}

struct PriorModels {
    index: PlacementIndex,
    /// From coarse to fine: what is coarse is learnt sooner.
    models: [PriorModel; 3],
}

/// One way to look at places: by their distance from the border, by what turning the board makes alike, or each for itself.
struct PriorModel {
    /// For every place of the index, which of the counters is its own.
    counter: Vec<usize>,
    /// The share of a group's ships that uniform layouts have there.
    uniform: Vec<f64>,
    seen: Vec<f64>,
    /// Ships seen, for each group.
    ships: Vec<f64>,
    /// How much better than uniform layouts it has foretold, as a logarithm.
    gain: f64,
}

impl PlacementPrior {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone(), first: Vec::new(), models: None, prior: None }
    }

    pub(super) fn prior(&self) -> Option<&Prior> {
        self.prior.as_ref()
    }

    /// A game has shown this layout.
    pub(super) fn add(&mut self, fleet: &Fleet) {
        if self.first.len() < FIRST {
            self.first.push(fleet.clone());
            if self.first.len() < FIRST {
                return;
            }
            self.models = PriorModels::new(&self.rules, &self.first);
        } else if let Some(models) = &mut self.models {
            models.add(fleet);
        }
        self.prior = self.models.as_ref().and_then(PriorModels::prior);
    }
}

impl PriorModels {
    fn new(rules: &Rules, first: &[Fleet]) -> Option<Self> {
        let index = PlacementIndex::new(rules)?;
        let mut rng = Seed::new(0).rng();
        let uniform: Vec<IndexedLayout> = (0..UNIFORM).map(|_| index.draw(&mut rng)).collect::<Option<_>>()?;
        // Uniform layouts are symmetric: what is known of a kind is known of all its places.
        let mut alike = vec![0.0; index.kinds()];
        index.places.iter().for_each(|place| alike[place.kind] += 1.0);
        let of_kinds = shares(&index, &uniform);
        let uniform: Vec<f64> = index.places.iter().map(|place| of_kinds[place.kind] / alike[place.kind]).collect();
        let depths = index.places.iter().map(|place| place.group * MOST_CELLS + place.depth(rules.size()));
        let kinds = index.places.iter().map(|place| place.kind);
        let models = [depths.collect(), kinds.collect(), (0..index.places.len()).collect()];
        let mut models = Self { models: models.map(|counter| PriorModel::new(&index, counter, &uniform)), index };
        first.iter().for_each(|fleet| models.add(fleet));
        Some(models)
    }

    fn add(&mut self, fleet: &Fleet) {
        if let Some(layout) = self.index.layout(fleet) {
            self.models.iter_mut().for_each(|habit| habit.add(&self.index, &layout));
        }
    }

    /// From the view that has foretold best, if it has beyond doubt.
    fn prior(&self) -> Option<Prior> {
        let best = self.models.iter().max_by(|a, b| a.gain.total_cmp(&b.gain))?;
        (best.gain > BEYOND_DOUBT).then(|| Prior::Weighted(best.weights(&self.index)))
    }
}

/// The share of the ships of their group that layouts have on places of each kind, none of them quite never.
fn shares(index: &PlacementIndex, layouts: &[IndexedLayout]) -> Vec<f64> {
    let mut shares = vec![0.0; index.kinds()];
    for group in &index.groups {
        let ships = (group.count * layouts.len()) as f64 + 1.0;
        for place in &index.places[group.places.clone()] {
            shares[place.kind] += 1.0 / group.places.len() as f64 / ships;
        }
    }
    for place in layouts.iter().flat_map(|layout| &layout.0).map(|&place| &index.places[usize::from(place)]) {
        shares[place.kind] += 1.0 / ((index.groups[place.group].count * layouts.len()) as f64 + 1.0);
    }
    shares
}

impl PriorModel {
    fn new(index: &PlacementIndex, counter: Vec<usize>, uniform: &[f64]) -> Self {
        let counters = counter.iter().max().map_or(0, |most| most + 1);
        let mut shares = vec![0.0; counters];
        counter.iter().zip(uniform).for_each(|(&counter, share)| shares[counter] += share);
        Self { counter, uniform: shares, seen: vec![0.0; counters], ships: vec![0.0; index.groups.len()], gain: 0.0 }
    }

    /// How much likelier than in uniform layouts a ship lies on a place.
    fn weight(&self, index: &PlacementIndex, place: usize) -> f64 {
        let counter = self.counter[place];
        let seen = self.seen[counter] / self.uniform[counter];
        (seen + IMAGINED) / (self.ships[index.places[place].group] + IMAGINED)
    }

    fn add(&mut self, index: &PlacementIndex, layout: &IndexedLayout) {
        let places = || layout.0.iter().map(|&place| usize::from(place));
        let gain: f64 = places().map(|place| self.weight(index, place).ln()).sum();
        self.gain = (self.gain + gain).clamp(-BEYOND_DOUBT, 10.0 * BEYOND_DOUBT);
        self.seen.iter_mut().chain(&mut self.ships).for_each(|count| *count *= 1.0 - 1.0 / MEMORY);
        for place in places() {
            self.seen[self.counter[place]] += 1.0;
            self.ships[index.places[place].group] += 1.0;
        }
    }

    fn weights(&self, index: &PlacementIndex) -> PlacementWeights {
        let rules = index.rules();
        let mut weights = PlacementWeights::new(rules);
        for (number, place) in index.places.iter().enumerate() {
            let weight = self.weight(index, number).clamp(1.0 / STRONGEST, STRONGEST);
            for class in rules.class_ids() {
                if usize::from(rules.class(class).length()) == index.groups[place.group].length {
                    let set = weights.set(&place.ship(rules, class), weight);
                    debug_assert!(set.is_ok(), "a place of the index lies on the board");
                }
            }
        }
        weights
    }
}

#[cfg(test)]
mod tests {
    use super::PlacementPrior;
    use seabattle_core::{Fleet, Rules, Seed, layout};
    use seabattle_odds::Prior;

    fn games(rules: &Rules, count: usize) -> Vec<Fleet> {
        let mut rng = Seed::new(7).rng();
        (0..count).map(|_| layout::any(rules, &mut rng)).collect()
    }

    #[test]
    fn who_has_no_habits_is_believed_to_have_none() {
        for text in ["classic", "russian"] {
            let rules: Rules = text.parse().unwrap();
            let mut habits = PlacementPrior::new(&rules);
            for fleet in games(&rules, 300) {
                habits.add(&fleet);
                assert_eq!(habits.prior(), None, "{text}");
            }
        }
    }

    #[test]
    fn who_loves_the_border_is_found_out() {
        let rules = Rules::classic();
        let inner = |fleet: &Fleet| fleet.ships().iter().filter(|ship| ship.cells().all(is_inner)).count();
        let mut habits = PlacementPrior::new(&rules);
        let mut rng = Seed::new(7).rng();
        let fleets = std::iter::repeat_with(|| layout::any(&rules, &mut rng));
        fleets.filter(|fleet| inner(fleet) == 0).take(8).for_each(|fleet| habits.add(&fleet));
        let Some(Prior::Weighted(weights)) = habits.prior() else { panic!("eight games are enough") };
        let weight = |text: &str| weights.get(&Fleet::parse(&rules, text).unwrap().ships()[0]);
        let rest = "battleship A9 across, cruiser F9 across, submarine F10 across, destroyer A10 across";
        assert!(weight(&format!("carrier C1 across, {rest}")) > 1.0);
        assert!(weight(&format!("carrier C5 across, {rest}")) < 1.0);
    }

    fn is_inner(cell: seabattle_core::Cell) -> bool {
        (1..9).contains(&cell.col()) && (1..9).contains(&cell.row())
    }
}
