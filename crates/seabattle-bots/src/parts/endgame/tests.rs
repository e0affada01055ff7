//! Endgame searches, compared with optimal play on small boards.

use std::sync::atomic::AtomicBool;

use seabattle_core::{Cell, Fleet, Knowledge, Outcome, Rules, Shot, layout};
use seabattle_odds::ConsistentLayouts;
use seabattle_odds::solve::{Limits, solve};

use super::{Endgame, EndgameLimits, MAX_LAYOUTS};

const EXACT: EndgameLimits = EndgameLimits { max_layouts: 4096, max_exact: 64, widths: &[], max_steps: 1_000_000 };

/// The fleets for each answer to a shot, with the position after it.
pub(super) fn by_answer(knowledge: &Knowledge, fleets: &[Fleet], cell: Cell) -> Vec<(Outcome, Vec<Fleet>, Knowledge)> {
    let mut parts: Vec<(Outcome, Vec<Fleet>, Knowledge)> = Vec::new();
    for fleet in fleets {
        let outcome = fleet.answer(cell, knowledge.hits());
        match parts.iter_mut().find(|(known, ..)| *known == outcome) {
            Some((_, fleets, _)) => fleets.push(fleet.clone()),
            None => {
                let mut next = knowledge.clone();
                next.add(Shot { cell, outcome }).unwrap();
                parts.push((outcome, vec![fleet.clone()], next));
            }
        }
    }
    parts
}

/// The misses summed over some layouts, if every shot is the best one found.
fn misses(endgame: &mut Endgame, knowledge: &Knowledge, fleets: &[Fleet]) -> usize {
    if knowledge.is_fleet_sunk() {
        return 0;
    }
    let cell = endgame.best_shot(knowledge).unwrap();
    let mut sum = 0;
    for (outcome, fleets, next) in by_answer(knowledge, fleets, cell) {
        let missed = if outcome.is_hit() { 0 } else { fleets.len() };
        sum += missed + misses(endgame, &next, &fleets);
    }
    sum
}

fn check(rules: &str, limits: EndgameLimits, max_ratio: f64) {
    let rules: Rules = rules.parse().unwrap();
    let solution = solve(&rules, Limits::default(), &AtomicBool::new(false)).unwrap();
    let fleets: Vec<Fleet> = layout::all(&rules).collect();
    let sum = misses(&mut Endgame::new(limits), &Knowledge::new(&rules), &fleets) + fleets.len() * rules.fleet_cells();
    let ratio = sum as f64 / solution.total_shots as f64;
    assert!((1.0..=max_ratio).contains(&ratio), "{rules}: {sum} shots instead of {}", solution.total_shots);
}

#[test]
fn few_layouts_are_played_perfectly() {
    for rules in ["3x3:2", "4x4:2", "4x4:3", "5x5:3", "4x2:2,2", "3x3:2,1", "6x1:2,1,1", "3x3:3,2", "5x2:3,2"] {
        for announce in ["hit", "sunk", "which", "named"] {
            check(&format!("{rules},announce={announce}"), EXACT, 1.0);
        }
    }
}

#[test]
fn many_layouts_are_played_nearly_perfectly() {
    for rules in ["4x4:3,2", "4x4:2,2", "5x4:3,2", "4x4:3,2,announce=hit", "4x4:3,2,announce=named"] {
        check(rules, EndgameLimits { max_exact: 12, widths: &[8, 4], ..EXACT }, 1.005);
    }
}

#[test]
fn the_expected_misses_are_those_of_best_play() {
    let rules: Rules = "5x5:3".parse().unwrap();
    let knowledge = Knowledge::new(&rules);
    let layouts = ConsistentLayouts::of(&knowledge, MAX_LAYOUTS).unwrap();
    let rated = Endgame::new(EXACT).search(&knowledge, &layouts).unwrap();
    assert_eq!(rated.misses + 3.0, 6.9);
}

#[test]
fn certain_hits_come_first() {
    let knowledge: Knowledge = "5x5:3,2 C3x B3x D3. C2. C4. B2. B4.".parse().unwrap();
    assert_eq!(Endgame::new(EXACT).best_shot(&knowledge), Some("A3".parse().unwrap()));
}

#[test]
fn too_many_layouts_get_no_answer() {
    let knowledge: Knowledge = "4x4:3,2".parse().unwrap();
    assert_eq!(Endgame::new(EndgameLimits { max_layouts: 263, ..EXACT }).best_shot(&knowledge), None);
    assert_eq!(Endgame::new(EXACT).best_shot(&"classic".parse().unwrap()), None);
}

#[test]
fn few_steps_still_give_a_shot() {
    for steps in [0, 1, 10, 100] {
        let limits = EndgameLimits { max_steps: steps, max_exact: 64, widths: &[8, 8], ..EXACT };
        for line in ["4x4:2", "4x4:3,2", "5x5:3,2", "5x4:2,2,2,announce=sunk"] {
            let knowledge: Knowledge = line.parse().unwrap();
            let cell = Endgame::new(limits).best_shot(&knowledge).unwrap();
            assert!(knowledge.open().contains(cell), "{line} with {steps} steps");
        }
    }
}
