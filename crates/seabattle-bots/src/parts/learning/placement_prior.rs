//! A placement prior: the placements that an opponent prefers, learned from its layouts.

use seabattle_core::{Fleet, Rules, Seed};
use seabattle_odds::{PlacementWeights, Prior};

use crate::parts::placing::placement_index::{IndexedLayout, MAX_CELLS, PlacementIndex};

/// The fewest games before models are built.
const MIN_GAMES: usize = 3;

/// Uniform layouts to count how often each placement is used without preferences.
const UNIFORM_SAMPLES: u32 = 1_000;

/// Uniform ships of each length that are added to those seen (pseudo-count), so that few games change little.
const PSEUDO_COUNT: f64 = 20.0;

/// Games after which a layout counts about a third of a new one.
const MEMORY_GAMES: f64 = 100.0;

/// The evidence that a prior needs: the least sum of log-likelihood gains over uniform layouts. The sum is never below
/// the negative of this number, so that a new preference is noticed soon.
const MIN_LOG_GAIN: f64 = 4.0;

/// The largest factor by which the prior changes the weight of a placement, up or down.
const MAX_FACTOR: f64 = 20.0;

pub(super) struct PlacementPrior {
    rules: Rules,
    /// The fleets of the first games, until there are enough to build models.
    first_fleets: Vec<Fleet>,
    /// Absent where the board is too large.
    models: Option<PriorModels>,
    prior: Option<Prior>,
}

struct PriorModels {
    index: PlacementIndex,
    /// The models from coarse to fine. A coarse model learns faster.
    models: [PriorModel; 3],
}

/// A model of an opponent's placements. It counts them by distance from the border, by orbit, or one by one.
struct PriorModel {
    /// The bucket that each placement is counted in.
    bucket_of: Vec<usize>,
    /// The share of a group's ships in each bucket, in uniform layouts.
    uniform_shares: Vec<f64>,
    seen_ships: Vec<f64>,
    /// The number of ships seen in each group.
    group_ships: Vec<f64>,
    /// The sum of log-likelihood gains over uniform layouts, for the games so far.
    log_gain: f64,
}

impl PlacementPrior {
    pub(super) fn new(rules: &Rules) -> Self {
        Self { rules: rules.clone(), first_fleets: Vec::new(), models: None, prior: None }
    }

    pub(super) fn prior(&self) -> Option<&Prior> {
        self.prior.as_ref()
    }

    /// Learns from the layout of one game.
    pub(super) fn add(&mut self, fleet: &Fleet) {
        if self.first_fleets.len() < MIN_GAMES {
            self.first_fleets.push(fleet.clone());
            if self.first_fleets.len() < MIN_GAMES {
                return;
            }
            self.models = PriorModels::new(&self.rules, &self.first_fleets);
        } else if let Some(models) = &mut self.models {
            models.add(fleet);
        }
        self.prior = self.models.as_ref().and_then(PriorModels::prior);
    }
}

impl PriorModels {
    fn new(rules: &Rules, first_fleets: &[Fleet]) -> Option<Self> {
        let index = PlacementIndex::new(rules)?;
        let mut rng = Seed::new(0).rng();
        let samples: Vec<IndexedLayout> = (0..UNIFORM_SAMPLES).map(|_| index.draw(&mut rng)).collect::<Option<_>>()?;
        // Uniform layouts are symmetric, so all placements of an orbit have the same share.
        let mut orbit_sizes = vec![0.0; index.orbits()];
        index.placements.iter().for_each(|placement| orbit_sizes[placement.orbit] += 1.0);
        let orbit_shares = orbit_shares(&index, &samples);
        let uniform_shares: Vec<f64> = index
            .placements
            .iter()
            .map(|placement| orbit_shares[placement.orbit] / orbit_sizes[placement.orbit])
            .collect();
        let by_depth =
            index.placements.iter().map(|placement| placement.group * MAX_CELLS + placement.depth(rules.size()));
        let orbits = index.placements.iter().map(|placement| placement.orbit);
        let models = [by_depth.collect(), orbits.collect(), (0..index.placements.len()).collect()];
        let mut models =
            Self { models: models.map(|bucket_of| PriorModel::new(&index, bucket_of, &uniform_shares)), index };
        first_fleets.iter().for_each(|fleet| models.add(fleet));
        Some(models)
    }

    fn add(&mut self, fleet: &Fleet) {
        if let Some(layout) = self.index.layout(fleet) {
            self.models.iter_mut().for_each(|model| model.add(&self.index, &layout));
        }
    }

    /// The prior of the model with the most evidence, if there is enough.
    fn prior(&self) -> Option<Prior> {
        let best = self.models.iter().max_by(|a, b| a.log_gain.total_cmp(&b.log_gain))?;
        (best.log_gain > MIN_LOG_GAIN).then(|| Prior::Weighted(best.weights(&self.index)))
    }
}

/// The share of a group's ships in each orbit. No share is zero.
fn orbit_shares(index: &PlacementIndex, layouts: &[IndexedLayout]) -> Vec<f64> {
    let mut shares = vec![0.0; index.orbits()];
    for group in &index.groups {
        let ships = (group.count * layouts.len()) as f64 + 1.0;
        for placement in &index.placements[group.placements.clone()] {
            shares[placement.orbit] += 1.0 / group.placements.len() as f64 / ships;
        }
    }
    for placement in
        layouts.iter().flat_map(|layout| &layout.0).map(|&placement| &index.placements[usize::from(placement)])
    {
        shares[placement.orbit] += 1.0 / ((index.groups[placement.group].count * layouts.len()) as f64 + 1.0);
    }
    shares
}

impl PriorModel {
    fn new(index: &PlacementIndex, bucket_of: Vec<usize>, uniform_shares: &[f64]) -> Self {
        let buckets = bucket_of.iter().max().map_or(0, |last| last + 1);
        let mut bucket_shares = vec![0.0; buckets];
        bucket_of.iter().zip(uniform_shares).for_each(|(&bucket, share)| bucket_shares[bucket] += share);
        Self {
            bucket_of,
            uniform_shares: bucket_shares,
            seen_ships: vec![0.0; buckets],
            group_ships: vec![0.0; index.groups.len()],
            log_gain: 0.0,
        }
    }

    /// The probability of a ship on a placement, relative to uniform layouts.
    fn weight(&self, index: &PlacementIndex, placement: usize) -> f64 {
        let bucket = self.bucket_of[placement];
        let seen = self.seen_ships[bucket] / self.uniform_shares[bucket];
        (seen + PSEUDO_COUNT) / (self.group_ships[index.placements[placement].group] + PSEUDO_COUNT)
    }

    fn add(&mut self, index: &PlacementIndex, layout: &IndexedLayout) {
        let placements = || layout.0.iter().map(|&placement| usize::from(placement));
        let log_gain: f64 = placements().map(|placement| self.weight(index, placement).ln()).sum();
        self.log_gain = (self.log_gain + log_gain).clamp(-MIN_LOG_GAIN, 10.0 * MIN_LOG_GAIN);
        self.seen_ships.iter_mut().chain(&mut self.group_ships).for_each(|count| *count *= 1.0 - 1.0 / MEMORY_GAMES);
        for placement in placements() {
            self.seen_ships[self.bucket_of[placement]] += 1.0;
            self.group_ships[index.placements[placement].group] += 1.0;
        }
    }

    fn weights(&self, index: &PlacementIndex) -> PlacementWeights {
        let rules = index.rules();
        let mut weights = PlacementWeights::new(rules);
        for (number, placement) in index.placements.iter().enumerate() {
            let weight = self.weight(index, number).clamp(1.0 / MAX_FACTOR, MAX_FACTOR);
            for class in rules.class_ids() {
                if usize::from(rules.class(class).length()) == index.groups[placement.group].length {
                    let set = weights.set(&placement.ship(rules, class), weight);
                    debug_assert!(set.is_ok(), "a placement of the index is on the board");
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
    fn uniform_layouts_give_no_prior() {
        for text in ["classic", "russian"] {
            let rules: Rules = text.parse().unwrap();
            let mut prior = PlacementPrior::new(&rules);
            for fleet in games(&rules, 300) {
                prior.add(&fleet);
                assert_eq!(prior.prior(), None, "{text}");
            }
        }
    }

    #[test]
    fn layouts_at_the_border_give_a_prior() {
        let rules = Rules::classic();
        let inner_ships = |fleet: &Fleet| fleet.ships().iter().filter(|ship| ship.cells().all(is_inner)).count();
        let mut prior = PlacementPrior::new(&rules);
        let mut rng = Seed::new(7).rng();
        let fleets = std::iter::repeat_with(|| layout::any(&rules, &mut rng));
        fleets.filter(|fleet| inner_ships(fleet) == 0).take(8).for_each(|fleet| prior.add(&fleet));
        let Some(Prior::Weighted(weights)) = prior.prior() else { panic!("eight games are enough") };
        let weight = |text: &str| weights.get(&Fleet::parse(&rules, text).unwrap().ships()[0]);
        let other_ships = "battleship A9 across, cruiser F9 across, submarine F10 across, destroyer A10 across";
        assert!(weight(&format!("carrier C1 across, {other_ships}")) > 1.0);
        assert!(weight(&format!("carrier C5 across, {other_ships}")) < 1.0);
    }

    fn is_inner(cell: seabattle_core::Cell) -> bool {
        (1..9).contains(&cell.col()) && (1..9).contains(&cell.row())
    }
}
