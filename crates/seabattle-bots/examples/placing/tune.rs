//! Shooters learn how layouts are chosen, layouts are chosen against them, round after round.

use seabattle_bots::placing::{LayoutChooser, Tuning};
use seabattle_core::{Fleet, Rules, Seed};

/// Rounds of tuning; the shooters of the last ones are kept.
const ROUNDS: usize = 14;
const KEPT_SHOOTERS: usize = 8;

/// Layouts that a shooter has seen before it joins the trials.
const SEEN_LAYOUTS: usize = 1_500;

pub(crate) fn tune(rules: &Rules) {
    let mut rng = Seed::new(1).rng();
    let mut tuning = Tuning::default();
    for round in 1..=ROUNDS {
        let chooser = LayoutChooser::with(rules, &tuning);
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
