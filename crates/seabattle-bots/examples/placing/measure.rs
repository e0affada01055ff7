//! Measures how many shots chosen layouts survive, compared with uniform ones.

use std::num::NonZero;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use seabattle_arena::{Bench, BenchError, Contender, Histogram, Layouts, Series};
use seabattle_bots::placing::LayoutChooser;
use seabattle_core::{Bot, Cell, Fleet, Orientation, Rules, Seed, View, layout};
use seabattle_odds::{Limits, Odds, OddsCache, PlacementWeights, Prior, WeightError};

/// The number of layouts that the best-informed shooter has seen.
const SEEN_BY_EXPERTS: usize = 4_000;

/// Prints the mean shots of shooters that believe in uniform layouts, and of those that have seen chosen layouts.
pub(crate) fn measure(rules: &Rules, games: usize, exact_games: usize) -> Result<(), Box<dyn std::error::Error>> {
    let chooser = LayoutChooser::new(rules);
    let mut rng = Seed::new(2).rng();
    let mut uniform = |count: usize| -> Vec<Fleet> { (0..count).map(|_| layout::any(rules, &mut rng)).collect() };
    let (uniform, uniform_samples) = (uniform(games), uniform(SEEN_BY_EXPERTS));
    let mut rng = Seed::new(3).rng();
    let mut chosen = |count: usize| -> Vec<Fleet> { (0..count).map(|_| chooser.draw(&mut rng)).collect() };
    let (chosen, chosen_samples) = (chosen(games), chosen(SEEN_BY_EXPERTS));
    let uniform_weights = chooser.placement_weights(&uniform_samples);
    for (layouts, fleets) in [("uniform", &uniform), ("chosen", &chosen)] {
        show(layouts, "density", &shoot(rules, fleets, density()?)?);
        shots_to_sink(layouts, "surrogate, uniform", &chooser, fleets, &uniform_weights);
    }
    for count in [100, 1_000, SEEN_BY_EXPERTS] {
        let weights = chooser.placement_weights(&chosen_samples[..count]);
        shots_to_sink("chosen", &format!("surrogate, {count} seen"), &chooser, &chosen, &weights);
    }
    let first_few = |fleets: &[Fleet]| fleets[..exact_games.min(games)].to_vec();
    let learnt = prior(rules, &chooser.placement_weights(&chosen_samples[..1_000]), &uniform_weights, &chooser)?;
    for (layouts, fleets) in [("uniform", first_few(&uniform)), ("chosen", first_few(&chosen))] {
        show(layouts, "exact, uniform", &shoot(rules, &fleets, exact(Prior::Uniform))?);
    }
    show("chosen", "exact, seen 1000", &shoot(rules, &first_few(&chosen), exact(learnt))?);
    Ok(())
}

fn shots_to_sink(layouts: &str, shooter: &str, chooser: &LayoutChooser, fleets: &[Fleet], weights: &[f64]) {
    let mut rng = Seed::new(4).rng();
    let mut shots = Histogram::default();
    fleets
        .iter()
        .filter_map(|fleet| chooser.shots_to_sink(fleet, weights, &mut rng))
        .for_each(|count| shots.add(count));
    show(layouts, shooter, &shots);
}

fn show(layouts: &str, shooter: &str, shots: &Histogram) {
    if shots.games() > 1 {
        println!("{layouts:<10}{shooter:<22}{:7.3} ± {:.3}  ({} games)", shots.mean(), shots.stderr(), shots.games());
    }
}

/// A prior with the ratio of the weights in chosen and in uniform layouts.
fn prior(
    rules: &Rules,
    chosen_weights: &[f64],
    uniform_weights: &[f64],
    chooser: &LayoutChooser,
) -> Result<Prior, WeightError> {
    let mut weights = PlacementWeights::new(rules);
    for class in rules.class_ids() {
        for start in rules.size().cells() {
            for ship in Orientation::ALL.map(|orientation| rules.ship(class, start, orientation)) {
                if let Some(orbit) = chooser.orbit(&ship) {
                    weights.set(&ship, chosen_weights[orbit] / uniform_weights[orbit])?;
                }
            }
        }
    }
    Ok(Prior::Weighted(weights))
}

fn density() -> Result<Contender<'static>, seabattle_bots::UnknownBot> {
    let entry = seabattle_bots::find("density")?;
    Ok(Contender { name: entry.name.to_owned(), make: Box::new(|seed| entry.make(seed)) })
}

fn exact(prior: Prior) -> Contender<'static> {
    let odds_cache = Arc::new(OddsCache::default());
    let make = move |_: &Seed| -> Box<dyn Bot> {
        Box::new(Exact { prior: prior.clone(), odds_cache: Arc::clone(&odds_cache) })
    };
    Contender { name: "exact".to_owned(), make: Box::new(make) }
}

fn shoot(rules: &Rules, fleets: &[Fleet], shooter: Contender<'_>) -> Result<Histogram, BenchError> {
    let (layouts, games) = (Layouts::Given(fleets.to_vec()), fleets.len() as u64);
    if games == 0 {
        return Ok(Histogram::default());
    }
    let bench = Bench { rules: rules.clone(), layouts, seed: 3, games, series: Series::default(), correction: None };
    let mut report = bench.run(&[shooter], NonZero::<usize>::MIN, &|_| {}, &AtomicBool::new(false))?;
    Ok(report.results.pop().map(|result| result.shots).unwrap_or_default())
}

/// Fires at the likeliest cell, by exact odds under a prior.
struct Exact {
    prior: Prior,
    odds_cache: Arc<OddsCache>,
}

impl Bot for Exact {
    fn start(&mut self, _rules: &Rules) {}

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut Seed::new(0).rng())
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let odds = match &self.prior {
            Prior::Uniform => self.odds_cache.odds(view.enemy()),
            Prior::Weighted(_) => Odds::with(view.enemy(), &self.prior, &Limits::default()).map(Arc::new),
        };
        let likely = |cell: &Cell| odds.as_ref().map_or(0.0, |odds| odds.probability(*cell));
        let targets = view.targets();
        targets.iter().max_by(|a, b| likely(a).total_cmp(&likely(b))).unwrap_or(Cell::new(0, 0))
    }
}
