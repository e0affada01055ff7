//! Shooters learn how layouts are chosen, layouts are chosen against them, round after round.

use seabattle_bots::placing::{Mixture, Placing, Pull};
use seabattle_core::{Fleet, Rules, Seed};

use crate::ascent;

/// Rounds of tuning; the shooters of the last ones are kept.
const ROUNDS: usize = 14;
const KEPT: usize = 8;

/// Layouts that a shooter has seen before it joins the trials.
const SEEN: usize = 1_500;

pub(crate) fn tune(rules: &Rules, steps: usize) {
    let mut rng = Seed::new(1).stream();
    let mut mixture = Mixture { pull: ascent::pull(rules, steps, &mut rng), knowing: Vec::new() };
    for round in 1..=ROUNDS {
        let placing = Placing::with(rules, &mixture);
        let fleets: Vec<Fleet> = (0..SEEN).map(|_| placing.draw(&mut rng)).collect();
        mixture.knowing.push(placing.habits(&fleets));
        let old = mixture.knowing.len().saturating_sub(KEPT);
        mixture.knowing.drain(..old);
        eprintln!("round {round} of {ROUNDS}");
    }
    println!("{rules}");
    if let Some(Pull { near, near_long, kinds }) = &mixture.pull {
        println!("pull {near:.4} {near_long:.4} {}", text(kinds));
    }
    mixture.knowing.iter().for_each(|kinds| println!("knows {}", text(kinds)));
}

fn text(weights: &[f64]) -> String {
    weights.iter().map(|weight| format!("{weight:.3}")).collect::<Vec<_>>().join(" ")
}
