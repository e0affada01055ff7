//! Brute force: all layouts, filtered by every shot.

use seabattle_core::{Cell, ClassId, Fleet, Knowledge, Outcome, Rules, Seed, SeededRng, Shot, layout, uniform_below};

/// All layouts that give the announced answers, in order.
pub(crate) fn consistent_layouts(knowledge: &Knowledge) -> Vec<Fleet> {
    layout::all(knowledge.rules()).filter(|fleet| fits(fleet, knowledge)).collect()
}

pub(crate) fn fits(fleet: &Fleet, knowledge: &Knowledge) -> bool {
    let mut hits = seabattle_core::CellSet::empty(knowledge.rules().size());
    knowledge.shots().iter().all(|shot| {
        let same = fleet.answer(shot.cell, &hits) == shot.outcome;
        if shot.outcome.is_hit() {
            hits.insert(shot.cell);
        }
        same
    })
}

/// The share of the layouts with a ship on a cell.
pub(crate) fn probability(layouts: &[Fleet], cell: Cell) -> f64 {
    share(layouts, |fleet| fleet.occupied().contains(cell))
}

pub(crate) fn class_probability(layouts: &[Fleet], class: ClassId, cell: Cell) -> f64 {
    share(layouts, |fleet| fleet.ship_at(cell).is_some_and(|ship| ship.class() == class))
}

pub(crate) fn answer_probability(layouts: &[Fleet], knowledge: &Knowledge, cell: Cell, outcome: Outcome) -> f64 {
    share(layouts, |fleet| fleet.answer(cell, knowledge.hits()) == outcome)
}

fn share(layouts: &[Fleet], holds: impl Fn(&Fleet) -> bool) -> f64 {
    layouts.iter().filter(|fleet| holds(fleet)).count() as f64 / layouts.len() as f64
}

/// A position of a real game: some shots at a random fleet, more often beside hits than elsewhere.
pub(crate) fn random_position(rules: &Rules, shots: usize, rng: &mut SeededRng) -> Knowledge {
    let fleet = layout::any(rules, rng);
    let mut knowledge = Knowledge::new(rules);
    for _ in 0..shots {
        if knowledge.is_fleet_sunk() {
            break;
        }
        let beside = &knowledge.hits().beside() & knowledge.open();
        let from = if uniform_below(rng, 3) > 0 && !beside.is_empty() { beside } else { knowledge.open().clone() };
        let Some(cell) = from.nth(uniform_below(rng, from.len())) else { break };
        let outcome = fleet.answer(cell, knowledge.hits());
        knowledge.add(Shot { cell, outcome }).unwrap();
    }
    knowledge
}

pub(crate) fn stream(number: u64) -> SeededRng {
    Seed::new(number).rng()
}
