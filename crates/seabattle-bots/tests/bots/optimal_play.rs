//! Bots on boards so small that optimal play is known.

use seabattle_arena::solo;
use seabattle_bots::find;
use seabattle_core::{Rules, Seed, layout};

/// Checks the mean shots of a bot over all layouts against those of optimal play.
fn check(bot: &str, rules: &str, optimal_mean: f64, tolerance: f64) {
    let rules: Rules = rules.parse().unwrap();
    let entry = find(bot).unwrap();
    let shots = |fleet| solo(entry.make(&Seed::new(1)).as_mut(), fleet).unwrap().knowledge().shots().len();
    let shot_counts: Vec<usize> = layout::all(&rules).map(shots).collect();
    let mean = shot_counts.iter().sum::<usize>() as f64 / shot_counts.len() as f64;
    let excess = mean / optimal_mean - 1.0;
    assert!((-1e-6..=tolerance).contains(&excess), "{bot} on {rules}: {mean} shots, the best play {optimal_mean}");
}

#[test]
fn admiral_is_nearly_optimal_on_small_boards() {
    check("admiral", "3x3:2", 4.5, 1e-6);
    check("admiral", "4x4:2", 6.083333, 1e-6);
    check("admiral", "5x5:3", 6.9, 0.001);
    check("admiral", "4x4:3,2", 8.753788, 0.003);
    check("admiral", "5x4:3,2", 9.843137, 0.001);
    check("admiral", "5x5:3,2", 11.254184, 0.005);
}

#[test]
fn hunter_always_takes_the_likeliest_cell() {
    check("hunter", "4x4:3,2", 8.909091, 1e-6);
    check("hunter", "5x5:3,2", 11.373431, 1e-6);
}
