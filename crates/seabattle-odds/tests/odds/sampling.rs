//! Uniform draws, and estimates whose errors are right.

use std::collections::HashMap;

use seabattle_core::{Fleet, Knowledge, Rules};
use seabattle_odds::{Limits, Odds, OddsError, Prior, Sampler};

use crate::brute::{consistent_layouts, fits, random_position, stream};

#[test]
fn layouts_are_drawn_uniformly() {
    let mut rng = stream(5);
    for line in [
        "4x4:3,2 B2x",
        "5x4:3,2,2 B2x C2x A1.",
        "4x4:2,2,1,announce=sunk B2x B3# D4.",
        "5x5:2,2,1,touching=forbidden,announce=sunk B2x",
        "4x4:2,2,2,announce=hit B2x C2x",
    ] {
        let knowledge: Knowledge = line.parse().unwrap();
        let layouts = consistent_layouts(&knowledge);
        let mut counts: HashMap<String, u32> = HashMap::new();
        let mut sampler = Sampler::new(&knowledge).unwrap();
        let draws = 200 * layouts.len();
        for _ in 0..draws {
            *counts.entry(sampler.draw(&mut rng).unwrap().to_string()).or_default() += 1;
        }
        assert_eq!(counts.len(), layouts.len(), "{line}");
        let chi_square: f64 = counts.values().map(|&count| (f64::from(count) - 200.0).powi(2) / 200.0).sum();
        let freedom = layouts.len() as f64 - 1.0;
        assert!(chi_square < freedom + 4.5 * (2.0 * freedom).sqrt() + 12.0, "{line}: {chi_square} with {freedom}");
    }
}

#[test]
fn layouts_drawn_on_any_board_fit() {
    let mut rng = stream(6);
    for rules in [
        "classic",
        "russian",
        "classic,announce=named",
        "20x20:5,4,3,3,2,2",
        "50x50:9,5,3,1",
        "13x10:4,3,touching=corners",
    ] {
        let rules: Rules = rules.parse().unwrap();
        for shots in [0, 10, 40] {
            let knowledge = random_position(&rules, shots, &mut rng);
            let mut sampler = Sampler::new(&knowledge).unwrap();
            for _ in 0..20 {
                let fleet: Fleet = sampler.draw(&mut rng).unwrap();
                assert!(fits(&fleet, &knowledge), "{knowledge}: {fleet}");
            }
        }
    }
}

/// Under limits that exclude counting, the estimate agrees with the exact odds within its own errors.
#[test]
fn errors_of_estimates_are_right() {
    let sampled = Limits { max_sunk_assignments: 0, max_multiplications: 0, max_memory_bytes: 0, ..Limits::default() };
    let mut rng = stream(7);
    let (mut far, mut cells) = (0, 0);
    for rules in
        ["classic", "8x8:4,3,2,2", "russian", "classic,announce=named", "7x7:3,2,2,touching=corners,announce=hit"]
    {
        for shots in [0, 6, 20] {
            let knowledge = random_position(&rules.parse().unwrap(), shots, &mut rng);
            let exact = Odds::of(&knowledge).unwrap();
            let estimate = Odds::with(&knowledge, &Prior::Uniform, &sampled).unwrap();
            assert!(exact.is_exact() && !estimate.is_exact());
            let ratio = estimate.layouts() as f64 / exact.layouts() as f64;
            assert!((0.5..2.0).contains(&ratio), "{knowledge}: {ratio}");
            for cell in knowledge.open().iter() {
                let error = estimate.stderr(cell).max(1e-9);
                cells += 1;
                far += usize::from((estimate.probability(cell) - exact.probability(cell)).abs() > 3.0 * error + 1e-6);
            }
        }
    }
    assert!(far * 50 < cells, "{far} of {cells} cells are more than three standard errors off");
}

#[test]
fn large_boards_are_estimated_and_say_so() {
    for line in ["50x50:5,4,3,3,2", "50x50:5,4,3,3,2 Y25x Z25x", "20x20:6,5,4,3,2,touching=forbidden C3."] {
        let odds = Odds::of(&line.parse().unwrap()).unwrap();
        assert!(!odds.is_exact(), "{line}");
        let cell = "H8".parse().unwrap();
        assert!(odds.stderr(cell) > 0.0 && odds.stderr(cell) < 0.05, "{line}: {}", odds.stderr(cell));
    }
    let nothing = Odds::of(&"50x50:3 A1x C1x".parse().unwrap()).unwrap();
    assert!((nothing.probability("B1".parse().unwrap()) - 1.0).abs() < 1e-9);
    let impossible = Odds::of(&"50x50:3 A1x Z9x".parse().unwrap()).unwrap_err();
    assert!(matches!(impossible, OddsError::NothingFound { .. }));
}
