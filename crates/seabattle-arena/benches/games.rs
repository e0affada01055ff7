//! Whole games between bots.
#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up must stop")]

use divan::Bencher;
use divan::counter::ItemsCount;
use seabattle_arena::{duel, solo};
use seabattle_core::{BySide, Rules, Seed, Side, layout};

fn main() {
    divan::main();
}

#[divan::bench(args = ["random", "adjacent"], sample_size = 100)]
fn duel_on_classic(bencher: Bencher<'_, '_>, name: &str) {
    let entry = seabattle_bots::find(name).expect("in the catalog");
    let mut bots = BySide::new(|side| entry.make(&Seed::new(1).side(side)));
    let rules = Rules::classic();
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| duel(&mut bots, &rules, Side::A).map(|game| game.end()));
}

/// A bot alone against layouts made before: how many games a second on one core.
#[divan::bench(args = [
    "random classic", "star classic", "lattice russian", "density classic", "density russian", "adjacent classic",
    "swift-sinking classic", "swift-locating classic", "swift-example classic", "checkerboard classic",
    "quadrant classic", "blocks russian",
], sample_size = 100)]
fn solo_game(bencher: Bencher<'_, '_>, case: &str) {
    let (name, rules) = case.split_once(' ').expect("a bot and rules");
    let mut bot = seabattle_bots::find(name).expect("in the catalog").make(&Seed::new(1));
    let rules: Rules = rules.parse().expect("rules");
    let mut rng = Seed::new(2).rng();
    let fleet = || layout::sequential(&rules, &mut rng).expect("room for a fleet");
    bencher
        .counter(ItemsCount::new(1_usize))
        .with_inputs(fleet)
        .bench_local_values(|fleet| solo(bot.as_mut(), fleet).map(|game| game.knowledge().shots().len()));
}
