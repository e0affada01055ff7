//! Agreement with enumeration, under all rules.

use seabattle_core::{Cell, Fleet, Knowledge, Rules, Ship};
use seabattle_odds::{ConsistentLayouts, Odds, OddsError, PlacementWeights, Prior};

use crate::brute::{answer_probability, class_probability, consistent_layouts, probability, random_position, stream};

fn close(measured: f64, expected: f64, what: &str) {
    assert!((measured - expected).abs() < 1e-12, "{what}: {measured} instead of {expected}");
}

fn check(knowledge: &Knowledge) {
    let rules = knowledge.rules();
    let layouts = consistent_layouts(knowledge);
    let odds = Odds::of(knowledge).unwrap_or_else(|error| panic!("{knowledge}: {error}"));
    assert!(odds.is_exact(), "{knowledge}");
    assert_eq!(odds.layouts(), layouts.len() as u128, "{knowledge}");
    check_list(knowledge, &layouts);
    for cell in rules.size().cells() {
        close(odds.probability(cell), probability(&layouts, cell), &format!("{knowledge} at {cell}"));
        for class in rules.class_ids() {
            let what = format!("{knowledge}: {} at {cell}", rules.class(class).name());
            close(odds.class_probability(class, cell), class_probability(&layouts, class, cell), &what);
        }
    }
    for cell in knowledge.open().iter() {
        let answers = odds.answers(cell);
        close(answers.iter().map(|(_, probability)| probability).sum(), 1.0, "all answers");
        for (outcome, measured) in answers {
            let what = format!("{knowledge}: {outcome:?} at {cell}");
            close(measured, answer_probability(&layouts, knowledge, cell, outcome), &what);
        }
    }
}

fn check_list(knowledge: &Knowledge, layouts: &[Fleet]) {
    let sorted = |ships: &[Ship]| {
        let mut ships = ships.to_vec();
        ships.sort_unstable();
        ships
    };
    let mut expected: Vec<Vec<Ship>> = layouts.iter().map(|fleet| sorted(fleet.ships())).collect();
    let mut listed: Vec<Vec<Ship>> =
        ConsistentLayouts::of(knowledge, layouts.len()).unwrap().iter().map(sorted).collect();
    expected.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, expected, "{knowledge}");
    assert_eq!(ConsistentLayouts::of(knowledge, layouts.len() - 1), None, "{knowledge}");
}

#[test]
fn random_positions_under_all_rules_agree() {
    let boards = [
        "4x4:3,2",
        "5x4:3,2,2",
        "4x5:2,2,1",
        "6x3:3,1,1",
        "5x5:4,a=2,b=2",
        "5x3:3,3",
        "3x3:1,1,2",
        "7x2:4,2",
        "4x4:2,2,2",
    ];
    let mut rng = stream(4);
    let mut positions = 0;
    for board in boards {
        for touching in ["allowed", "corners", "forbidden"] {
            for announce in ["hit", "sunk", "which", "named"] {
                let Ok(rules) = format!("{board},touching={touching},announce={announce}").parse::<Rules>() else {
                    continue;
                };
                for shots in [0, 2, 4, 6, 8, 11] {
                    check(&random_position(&rules, shots, &mut rng));
                    positions += 1;
                }
            }
        }
    }
    assert!(positions > 400, "{positions}");
}

#[test]
fn middles_of_larger_games_agree() {
    let mut rng = stream(8);
    for (rules, shots) in
        [("10x10:5,4,3", 12), ("8x8:4,3,2", 10), ("7x7:4,3,2,2,touching=forbidden", 14), ("6x6:3,2,2,1", 8)]
    {
        for _ in 0..3 {
            check(&random_position(&rules.parse().unwrap(), shots, &mut rng));
        }
    }
}

#[test]
fn special_cases_agree() {
    // A ship that was not announced as sunk is not fully hit: A1 B1 is no 2.
    check(&"4x3:3,2 A1x B1x".parse().unwrap());
    // The ship sunk by a shot lies in the hits made up to then, not in later ones.
    check(&"5x3:3,2 B1x C1#2 A1x".parse().unwrap());
    // Unnamed, any class may be meant.
    check(&"5x3:3,2,2,announce=sunk B1x C1x D1#".parse().unwrap());
    // Two hits in a row may be two ships side by side.
    check(&"4x4:2,2 A1x B1x".parse().unwrap());
    check(&"4x4:2,2,touching=corners A1x".parse().unwrap());
}

#[test]
fn an_impossible_position_names_the_first_shot_to_blame() {
    let check = |line: &str, blamed: &str| {
        let error = Odds::of(&line.parse().unwrap()).unwrap_err();
        let OddsError::Impossible { number, shot } = error else { panic!("{line}: {error}") };
        assert_eq!(format!("{number} {shot}"), blamed, "{line}");
    };
    check("3x3:3 A2. B2. C2. B1. B3.", "5 B3.");
    check("3x3:3 A1x C2. B2x A3.", "3 B2x");
    check("5x5:3,2 A1x E5x A5x D4.", "3 A5x");
    check("4x4:2,1,touching=forbidden,announce=sunk B2# C2x A4.", "2 C2x");
}

#[test]
fn a_weighted_prior_is_the_weighted_share_of_layouts() {
    let rules: Rules = "4x4:3,2,touching=corners".parse().unwrap();
    let mut rng = stream(2);
    let mut weights = PlacementWeights::new(&rules);
    for fleet in seabattle_core::layout::all(&rules) {
        for ship in fleet.ships() {
            let weight = seabattle_core::uniform_below(&mut rng, 5) as f64 / 2.0 + 0.5;
            weights.set(ship, weight).unwrap();
        }
    }
    let knowledge = random_position(&rules, 4, &mut rng);
    let weight_of =
        |fleet: &seabattle_core::Fleet| -> f64 { fleet.ships().iter().map(|ship| weights.get(ship)).product() };
    let layouts = consistent_layouts(&knowledge);
    let total: f64 = layouts.iter().map(weight_of).sum();
    let prior = Prior::Weighted(weights.clone());
    let odds = Odds::with(&knowledge, &prior, &seabattle_odds::Limits::default()).unwrap();
    for cell in rules.size().cells() {
        let with_ship: f64 = layouts.iter().filter(|fleet| fleet.occupied().contains(cell)).map(weight_of).sum();
        close(odds.probability(cell), with_ship / total, &format!("{knowledge} at {cell}"));
    }
    assert!(
        weights
            .set(
                &rules.ship(rules.class_ids().next().unwrap(), Cell::new(3, 0), seabattle_core::Orientation::Across),
                1.0
            )
            .is_err()
    );
}

/// Brute force for five ships: all placements that no miss excludes, filtered by the announced answers.
fn classic_layouts(knowledge: &Knowledge) -> Vec<seabattle_core::Fleet> {
    let rules = knowledge.rules();
    let misses = knowledge.misses();
    let places = |class| {
        let all = rules
            .size()
            .cells()
            .flat_map(move |start| seabattle_core::Orientation::ALL.map(move |orientation| (start, orientation)));
        let ships = all.map(|(start, orientation)| rules.ship(class, start, orientation));
        let misses = misses.clone();
        ships
            .filter(move |ship| ship.is_within(rules.size()) && !ship.cells().any(|cell| misses.contains(cell)))
            .collect::<Vec<_>>()
    };
    let lists: Vec<Vec<seabattle_core::Ship>> = rules.class_ids().map(places).collect();
    let mut found = Vec::new();
    extend(knowledge, &lists, &mut Vec::new(), &mut found);
    found
}

fn extend(
    knowledge: &Knowledge,
    lists: &[Vec<seabattle_core::Ship>],
    ships: &mut Vec<seabattle_core::Ship>,
    found: &mut Vec<seabattle_core::Fleet>,
) {
    let rules = knowledge.rules();
    let Some((list, rest)) = lists.split_first() else {
        if knowledge.hits().iter().all(|hit| ships.iter().any(|ship| ship.covers(hit))) {
            let fleet = seabattle_core::Fleet::of_ships(rules, ships.clone()).unwrap();
            found.extend(crate::brute::fits(&fleet, knowledge).then_some(fleet));
        }
        return;
    };
    for ship in list {
        if !ships.iter().any(|other| ship.conflicts(other, rules.touching())) {
            ships.push(*ship);
            extend(knowledge, rest, ships, found);
            ships.pop();
        }
    }
}

#[test]
fn middles_of_classic_games_agree() {
    let mut rng = stream(21);
    let mut largest = 0;
    for (shots, announce) in [(46, "which"), (50, "sunk"), (52, "hit"), (48, "named"), (54, "which")] {
        let rules: Rules = format!("classic,announce={announce}").parse().unwrap();
        let knowledge = random_position(&rules, shots, &mut rng);
        let layouts = classic_layouts(&knowledge);
        let odds = Odds::of(&knowledge).unwrap();
        assert_eq!(odds.layouts(), layouts.len() as u128, "{knowledge}");
        for cell in rules.size().cells() {
            close(odds.probability(cell), probability(&layouts, cell), &format!("{knowledge} at {cell}"));
        }
        largest = largest.max(layouts.len());
    }
    assert!(largest > 1000, "{largest}");
}

#[test]
fn every_nth_layout_is_spread_over_all_layouts() {
    let knowledge: Knowledge = "4x4:3,2".parse().unwrap();
    let all: Vec<Vec<Ship>> = ConsistentLayouts::of(&knowledge, 264).unwrap().iter().map(<[Ship]>::to_vec).collect();
    for step in [1, 2, 7, 264, 265] {
        let some = ConsistentLayouts::every_nth(step, &knowledge, 264).unwrap();
        let places: Vec<usize> =
            some.iter().map(|ships| all.iter().position(|other| other == ships).unwrap()).collect();
        assert_eq!(places.len(), (264 + step - 1 - step / 2) / step, "every {step}");
        assert!(places.windows(2).all(|pair| pair[1] == pair[0] + step), "every {step}: {places:?}");
    }
    assert_eq!(ConsistentLayouts::every_nth(7, &knowledge, 263), None);
}
