//! Shooters learn how layouts are chosen, layouts are chosen against them, round after round.

use seabattle_bots::placing::{LayoutChooser, Mixture};
use seabattle_core::{Fleet, Rules, Seed};

/// Rounds of tuning; the shooters of the last ones are kept.
const ROUNDS: usize = 14;
const KEPT: usize = 8;

/// Layouts that a shooter has seen before it joins the trials.
const SEEN: usize = 1_500;

pub(crate) fn tune(rules: &Rules) {
    let mut rng = Seed::new(1).rng();
    let mut mixture = Mixture::default();
    for round in 1..=ROUNDS {
        let chooser = LayoutChooser::with(rules, &mixture);
        let fleets: Vec<Fleet> = (0..SEEN).map(|_| chooser.draw(&mut rng)).collect();
        mixture.informed.push(chooser.placement_weights(&fleets));
        let old = mixture.informed.len().saturating_sub(KEPT);
        mixture.informed.drain(..old);
        eprintln!("round {round} of {ROUNDS}");
    }
    println!("{rules}");
    mixture.informed.iter().for_each(|kinds| println!("knows {}", text(kinds)));
}

fn text(weights: &[f64]) -> String {
    weights.iter().map(|weight| format!("{weight:.3}")).collect::<Vec<_>>().join(" ")
}
