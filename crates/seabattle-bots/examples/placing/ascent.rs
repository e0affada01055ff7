//! A pull that makes layouts last longer, found step by step against shooters who know it.

use seabattle_bots::placing::{Mixture, Placing, Pull};
use seabattle_core::{CellSet, Fleet, Rules, Ship, Stream};

/// Layouts looked at in every step.
const LAYOUTS: usize = 4_000;

/// How far a step goes.
const STRIDE: f64 = 0.1;

/// How much the shots of who knows the pull count beside those of who trusts in uniform layouts.
const KNOWING: f64 = 0.6;

/// Keeps traits that hardly ever come up from being judged by chance.
const CAUTION: f64 = 0.003;

/// Cells near ships are counted in tens, so that all traits are about as large.
const TENS: f64 = 10.0;

/// Nothing after no steps.
pub(crate) fn pull(rules: &Rules, steps: usize, rng: &mut Stream) -> Option<Pull> {
    let free = Placing::with(rules, &Mixture::default());
    let uniform: Vec<Fleet> = (0..LAYOUTS).filter_map(|_| free.untried(rng)).collect();
    let usual = free.habits(&uniform);
    let mut logs = vec![0.0; usual.len() + 2];
    for step in 1..=steps {
        let placing = Placing::with(rules, &Mixture { pull: Some(of_logs(&logs)), knowing: Vec::new() });
        let fleets: Vec<Fleet> = (0..LAYOUTS).filter_map(|_| placing.untried(rng)).collect();
        let known = placing.habits(&fleets);
        let mut shots = |fleet: &Fleet| {
            let trusting = placing.try_out(fleet, &usual, rng)? as f64;
            Some(KNOWING * placing.try_out(fleet, &known, rng)? as f64 + (1.0 - KNOWING) * trusting)
        };
        let samples: Vec<(Vec<f64>, f64)> =
            fleets.iter().filter_map(|fleet| Some((traits(&placing, fleet, usual.len()), shots(fleet)?))).collect();
        let slopes = regression(&samples);
        logs.iter_mut().zip(&slopes).for_each(|(log, slope)| *log += STRIDE * slope);
        let mean = samples.iter().map(|(_, shots)| shots).sum::<f64>() / samples.len() as f64;
        eprintln!("step {step} of {steps}: {mean:.2} shots");
    }
    (steps > 0).then(|| of_logs(&logs))
}

fn of_logs(logs: &[f64]) -> Pull {
    let (kinds, near) = logs.split_at(logs.len() - 2);
    Pull {
        near: (near[0] / TENS).exp(),
        near_long: (near[1] / TENS).exp(),
        kinds: kinds.iter().map(|log| log.exp()).collect(),
    }
}

/// How many ships lie on places of each kind, then the cells near ships, then those near ships that are not the shortest.
fn traits(placing: &Placing, fleet: &Fleet, kinds: usize) -> Vec<f64> {
    let mut traits = vec![0.0; kinds + 2];
    fleet.ships().iter().filter_map(|ship| placing.kind(ship)).for_each(|kind| traits[kind] += 1.0);
    let shortest = fleet.ships().iter().map(Ship::length).min().unwrap_or(0);
    let long = fleet.ships().iter().filter(|ship| ship.length() > shortest).flat_map(Ship::cells);
    let long = CellSet::of(fleet.rules().size(), long);
    traits[kinds] = fleet.occupied().grown().len() as f64 / TENS;
    traits[kinds + 1] = long.grown().len() as f64 / TENS;
    traits
}

/// By how much each trait adds to the value, all others being equal.
fn regression(samples: &[(Vec<f64>, f64)]) -> Vec<f64> {
    let count = samples.first().map_or(0, |(traits, _)| traits.len());
    let total = samples.len() as f64;
    let means: Vec<f64> =
        (0..count).map(|at| samples.iter().map(|(traits, _)| traits[at]).sum::<f64>() / total).collect();
    let middle = samples.iter().map(|(_, value)| value).sum::<f64>() / total;
    let mut matrix = vec![vec![0.0; count + 1]; count];
    for (traits, value) in samples {
        let off: Vec<f64> = traits.iter().zip(&means).map(|(value, mean)| value - mean).collect();
        for (row, &a) in matrix.iter_mut().zip(&off) {
            row.iter_mut().zip(&off).for_each(|(sum, b)| *sum += a * b);
            row[count] += a * (value - middle);
        }
    }
    (0..count).for_each(|at| matrix[at][at] += CAUTION * samples.len() as f64);
    solved(matrix)
}

/// Gaussian elimination; the matrix is positive, so that no row need be exchanged.
fn solved(mut matrix: Vec<Vec<f64>>) -> Vec<f64> {
    let count = matrix.len();
    for at in 0..count {
        let pivot = matrix[at].clone();
        for row in matrix.iter_mut().skip(at + 1) {
            let factor = row[at] / pivot[at];
            row.iter_mut().zip(&pivot).for_each(|(value, above)| *value -= factor * above);
        }
    }
    let mut solution = vec![0.0; count];
    for at in (0..count).rev() {
        let known: f64 = (at + 1..count).map(|other| matrix[at][other] * solution[other]).sum();
        solution[at] = (matrix[at][count] - known) / matrix[at][at];
    }
    solution
}
