//! Tunes the layout chooser by fictitious play: in each round a shooter learns the chosen layouts, then layouts are
//! chosen against it too.

use seabattle_bots::placing::{LayoutChooser, Tuning};
use seabattle_core::{Fleet, Rules, Seed};

/// Rounds of tuning. The shooters of the last rounds are kept.
const ROUNDS: usize = 14;
const KEPT_SHOOTERS: usize = 8;

/// The number of layouts that a shooter sees before it joins the trials.
const SEEN_LAYOUTS: usize = 1_500;

pub(crate) fn tune(rules: &Rules) {
    let mut rng = Seed::new(1).rng();
    let mut tuning = Tuning::default();
    for round in 1..=ROUNDS {
        let chooser = LayoutChooser::with_tuning(rules, &tuning);
        let fleets: Vec<Fleet> = (0..SEEN_LAYOUTS).map(|_| chooser.draw(&mut rng)).collect();
        tuning.informed_shooters.push(chooser.placement_weights(&fleets));
        let surplus = tuning.informed_shooters.len().saturating_sub(KEPT_SHOOTERS);
        tuning.informed_shooters.drain(..surplus);
        eprintln!("round {round} of {ROUNDS}");
    }
    println!("{rules}");
    tuning.informed_shooters.iter().for_each(|orbits| println!("shooter {}", text(orbits)));
}

fn text(weights: &[f64]) -> String {
    weights.iter().map(|weight| format!("{weight:.3}")).collect::<Vec<_>>().join(" ")
}
