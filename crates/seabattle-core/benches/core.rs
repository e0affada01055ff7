//! The costs that every front end pays: a shot, a layout, a view.
#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up must stop")]

use divan::{Bencher, black_box};
use seabattle_core::{BySide, Cell, Fleet, Game, Knowledge, Record, Rules, Seed, Shot, Side, layout, uniform_below};

fn main() {
    divan::main();
}

const RULES: [&str; 2] = ["classic", "russian"];

fn rules(text: &str) -> Rules {
    text.parse().expect("valid rules")
}

/// One shot in the middle of a game, averaged over a whole game of shots in random order.
#[divan::bench]
fn shot_on_classic(bencher: Bencher<'_, '_>) {
    let rules = rules("classic");
    let mut rng = Seed::new(1).rng();
    let mut order: Vec<Cell> = rules.size().cells().collect();
    for last in (1..order.len()).rev() {
        order.swap(last, uniform_below(&mut rng, last + 1));
    }
    let fleet = layout::uniform(&rules, &mut rng).expect("a layout");
    let new_game = || Game::new(BySide { a: fleet.clone(), b: fleet.clone() }, Side::A).expect("one set of rules");
    bencher.counter(divan::counter::ItemsCount::new(160_usize)).with_inputs(new_game).bench_local_values(|mut game| {
        for cell in &order[..80] {
            let _ = black_box(game.fire(Side::A, &[*cell]));
            let _ = black_box(game.fire(Side::B, &[*cell]));
        }
        game
    });
}

#[divan::bench(args = RULES)]
fn uniform_layout(bencher: Bencher<'_, '_>, text: &str) {
    let rules = rules(text);
    let mut rng = Seed::new(1).rng();
    bencher.bench_local(|| layout::uniform(&rules, &mut rng));
}

#[divan::bench(args = RULES)]
fn sequential_layout(bencher: Bencher<'_, '_>, text: &str) {
    let rules = rules(text);
    let mut rng = Seed::new(1).rng();
    bencher.bench_local(|| layout::sequential(&rules, &mut rng));
}

#[divan::bench(args = RULES)]
fn impossible_cells(bencher: Bencher<'_, '_>, text: &str) {
    let (fleet, knowledge) = half_shot(text);
    bencher.bench_local(|| (black_box(&knowledge).impossible(), &fleet));
}

#[divan::bench]
fn record_round_trip(bencher: Bencher<'_, '_>) {
    let (fleet, knowledge) = half_shot("classic");
    let mut game = Game::new(BySide { a: fleet.clone(), b: fleet }, Side::A).expect("one set of rules");
    for shot in knowledge.shots() {
        let _ = game.fire(Side::A, &[shot.cell]);
        let _ = game.fire(Side::B, &[shot.cell]);
    }
    let text = Record::of(&game, BySide { a: "a", b: "b" }, Some(1)).to_string();
    bencher.bench_local(|| black_box(&text).parse::<Record>().map(|record| record.to_string()));
}

fn half_shot(text: &str) -> (Fleet, Knowledge) {
    let rules = rules(text);
    let mut rng = Seed::new(1).rng();
    let fleet = layout::uniform(&rules, &mut rng).expect("a layout");
    let mut knowledge = Knowledge::new(&rules);
    for cell in rules.size().cells().step_by(2) {
        let shot = Shot { cell, outcome: fleet.answer(cell, knowledge.hits()) };
        knowledge.add(shot).expect("a legal shot");
    }
    (fleet, knowledge)
}
