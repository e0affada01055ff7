//! Policy and value networks against the outputs of training, other rules and broken files.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up must fail")]

use std::fs;
use std::path::Path;

use seabattle_core::{Knowledge, Rules};
use seabattle_network::{PolicyNetwork, ValueNetwork, WeightsError};

/// One shot in this many may differ, because sums are rounded in another order.
const SHOTS_PER_DIFFERENCE: usize = 1000;

fn knowledge(position: &str) -> Knowledge {
    let (rules, shots) = position.split_once(' ').unwrap_or((position, ""));
    Knowledge::parse(&rules.parse().unwrap(), shots).unwrap()
}

#[test]
fn chooses_the_same_shots_as_in_training() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/network/positions");
    let mut files = 0;
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let is_distilled = path.to_string_lossy().ends_with("-distilled.txt");
        let find = if is_distilled { PolicyNetwork::distilled_for } else { PolicyNetwork::trained_for };
        let text = fs::read_to_string(path).unwrap();
        let mut different = Vec::new();
        for line in text.lines() {
            let (position, shot) = line.split_once(" -> ").unwrap();
            let knowledge = knowledge(position);
            let network = find(knowledge.rules()).unwrap();
            let chosen = network.evaluate(&knowledge).unwrap().best(|_| true).unwrap();
            if chosen.to_string() != shot {
                different.push(format!("{line}, not {chosen}"));
            }
        }
        assert!(different.len() <= text.lines().count() / SHOTS_PER_DIFFERENCE, "{}", different.join("\n"));
        files += 1;
    }
    assert!(files > 0);
}

#[test]
fn value_networks_expect_the_same_misses_as_in_training() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/network/values");
    let mut files = 0;
    for file in fs::read_dir(folder).unwrap() {
        for line in fs::read_to_string(file.unwrap().path()).unwrap().lines() {
            let (position, misses) = line.split_once(" -> ").unwrap();
            let knowledge = knowledge(position);
            let expected = ValueNetwork::trained_for(knowledge.rules()).unwrap().expected_misses(&knowledge).unwrap();
            assert!((expected - misses.parse::<f64>().unwrap()).abs() < 0.002, "{line}, not {expected:.3}");
        }
        files += 1;
    }
    assert!(files > 0);
}

#[test]
fn a_value_network_supports_its_rules_and_sunk_fleets() {
    let rules: Rules = "classic,touching=forbidden".parse().unwrap();
    let value_network = ValueNetwork::trained_for(&rules).unwrap();
    assert!(value_network.expected_misses(&Knowledge::new(&Rules::classic())).is_none());
    assert!(ValueNetwork::trained_for(&"4x4:3,2".parse().unwrap()).is_none());
    let mut shots =
        "A1x B1x C1x D1x E1#carrier A3x B3x C3x D3#battleship A5x B5x C5#cruiser A7x B7x C7#submarine A9x".to_owned();
    assert!(value_network.expected_misses(&Knowledge::parse(&rules, &shots).unwrap()).unwrap() > 0.0);
    shots += " B9#destroyer";
    assert_eq!(value_network.expected_misses(&Knowledge::parse(&rules, &shots).unwrap()), Some(0.0));
}

#[test]
fn names_of_equal_ships_do_not_matter() {
    let text = include_str!("positions/classic.txt");
    let named = text.lines().filter(|line| line.contains("#cruiser") != line.contains("#submarine"));
    let mut positions = 0;
    for line in named.step_by(10) {
        let (position, shot) = line.split_once(" -> ").unwrap();
        let exchanged =
            position.replace("#cruiser", "#x").replace("#submarine", "#cruiser").replace("#x", "#submarine");
        let [knowledge, renamed] = [position, &exchanged].map(knowledge);
        let evaluate =
            |knowledge: &Knowledge| PolicyNetwork::trained_for(knowledge.rules()).unwrap().evaluate(knowledge).unwrap();
        assert_eq!(evaluate(&knowledge), evaluate(&renamed), "{position} -> {shot}");
        positions += 1;
    }
    assert!(positions > 5);
}

#[test]
fn supports_only_rules_it_was_trained_for() {
    for other in ["classic,announce=hit", "classic,announce=named", "10x10:5,4,3,3", "9x9:5,4,3,3,2", "10x9:5,4,3,3,2"]
    {
        let rules: Rules = other.parse().unwrap();
        assert!(PolicyNetwork::trained_for(&rules).is_none(), "{other}");
        assert!(
            PolicyNetwork::trained_for(&Rules::classic()).unwrap().evaluate(&Knowledge::new(&rules)).is_none(),
            "{other}"
        );
    }
    assert!(PolicyNetwork::trained_for(&"classic,turn=again".parse().unwrap()).is_some());
}

#[test]
fn foreign_and_broken_files_are_errors() {
    check_errors("weights/classic.bin", |bytes| PolicyNetwork::read(bytes).err());
    check_errors("weights/classic-apart-value.bin", |bytes| ValueNetwork::read(bytes).err());
}

fn check_errors(file: &str, error: impl Fn(&[u8]) -> Option<WeightsError>) {
    let weights = fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    assert_eq!(error(&weights), None);
    assert_eq!(error(b""), Some(WeightsError::UnknownFormat));
    assert_eq!(error(&weights[..30]), Some(WeightsError::UnknownFormat));
    assert_eq!(error(&[b"x", &weights[..]].concat()), Some(WeightsError::UnknownFormat));
    let (bytes, expected) = (weights.len() - 1, weights.len());
    assert_eq!(error(&weights[..bytes]), Some(WeightsError::Length { bytes, expected }));
    assert_eq!(error(&[&weights[..], b"x"].concat()), Some(WeightsError::Length { bytes: expected + 1, expected }));
}
