//! Whole games between bots.
#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up must stop")]

use divan::Bencher;
use divan::counter::ItemsCount;
use seabattle_arena::duel;
use seabattle_core::{BySide, Rules, Seed, Side};

fn main() {
    divan::main();
}

#[divan::bench(args = ["random", "adjacent"])]
fn duel_on_classic(bencher: Bencher<'_, '_>, name: &str) {
    let entry = seabattle_bots::find(name).expect("in the catalog");
    let mut bots = BySide::new(|side| entry.make(&Seed::new(1).side(side)));
    let rules = Rules::classic();
    bencher.counter(ItemsCount::new(1_usize)).bench_local(|| duel(&mut bots, &rules, Side::A).map(|game| game.end()));
}
