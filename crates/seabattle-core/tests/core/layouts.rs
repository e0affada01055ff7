//! Random layouts: always legal, uniform where promised, and drawn in bounded time.

use std::collections::HashMap;

use seabattle_core::layout::{self, LayoutError};
use seabattle_core::{Fleet, FleetBuilder, Placement, Rules, SeededRng, Ship};

use crate::support::{rules, stream};

/// The number of draws for each possible fleet.
const DRAWS_EACH: usize = 200;

/// The chi-square statistic of draws that should be even over `expected`, and its critical value.
struct ChiSquare {
    statistic: f64,
    critical: f64,
}

impl ChiSquare {
    fn of<T: std::hash::Hash + Eq>(expected: impl IntoIterator<Item = T>, mut draw: impl FnMut() -> T) -> Self {
        let mut counts: HashMap<T, usize> = expected.into_iter().map(|value| (value, 0)).collect();
        for _ in 0..counts.len() * DRAWS_EACH {
            *counts.get_mut(&draw()).expect("only what is expected is drawn") += 1;
        }
        let deviation = |count: &usize| (*count as f64 - DRAWS_EACH as f64).powi(2) / DRAWS_EACH as f64;
        Self { statistic: counts.values().map(deviation).sum(), critical: critical(counts.len() - 1) }
    }

    fn rejects(&self) -> bool {
        self.statistic > self.critical
    }
}

/// The critical value by Wilson and Hilferty: a uniform draw exceeds it once in 10,000 times.
fn critical(degrees: usize) -> f64 {
    const Z: f64 = 3.719;
    let degrees = degrees as f64;
    let ninth = 2.0 / (9.0 * degrees);
    degrees * (1.0 - ninth + Z * ninth.sqrt()).powi(3)
}

fn ships(fleet: &Fleet) -> Vec<Ship> {
    fleet.ships().to_vec()
}

fn evenness(
    rules: &Rules,
    seed: u64,
    draw: impl Fn(&Rules, &mut SeededRng) -> Result<Fleet, LayoutError>,
) -> ChiSquare {
    let mut rng = stream(seed);
    ChiSquare::of(layout::all(rules).map(|fleet| ships(&fleet)), || ships(&draw(rules, &mut rng).unwrap()))
}

#[test]
fn the_critical_value_is_the_one_in_the_tables() {
    for (degrees, table) in [(10, 35.56), (20, 52.39), (100, 161.3)] {
        assert!((critical(degrees) / table - 1.0).abs() < 0.015, "{degrees}: {}", critical(degrees));
    }
}

#[test]
fn uniform_layouts_are_uniform() {
    for text in [
        "4x4:3,2",
        "4x4:2,2,touching=corners",
        "4x4:2,1,1,touching=forbidden",
        "3x4:3,3,2",
        "5x3:4,2,touching=forbidden",
        "3x3:scout=2,guard=2",
        "2x3:1,1,1",
        "1x7:3,2,touching=corners",
    ] {
        for seed in 1..=2 {
            let found = evenness(&rules(text), seed, layout::uniform);
            assert!(!found.rejects(), "{text}, seed {seed}: {} > {}", found.statistic, found.critical);
        }
    }
}

#[test]
fn the_same_test_finds_that_ship_by_ship_is_not_uniform() {
    for text in ["4x4:3,2", "4x4:2,1,1,touching=forbidden", "3x4:3,3,2"] {
        let found = evenness(&rules(text), 1, layout::sequential);
        assert!(found.rejects(), "{text}: {} <= {}", found.statistic, found.critical);
    }
}

#[test]
fn the_first_ship_of_a_sequential_layout_is_uniform_where_it_never_gets_stuck() {
    for text in ["5x4:3,2", "4x4:scout=2,guard=2", "6x3:4,1,1,touching=forbidden"] {
        let rules = rules(text);
        let longest = rules.class_ids().next().unwrap();
        let mut places: Vec<Ship> = layout::all(&rules).map(|fleet| fleet.ships()[0]).collect();
        places.sort_unstable();
        places.dedup();
        assert!(places.iter().all(|ship| ship.class() == longest));
        let mut rng = stream(1);
        let found = ChiSquare::of(places, || layout::sequential(&rules, &mut rng).unwrap().ships()[0]);
        assert!(!found.rejects(), "{text}: {} > {}", found.statistic, found.critical);
    }
}

fn check_legal(fleet: &Fleet) {
    let place = |ship: &Ship| Placement::line(ship.class(), ship.start(), ship.orientation());
    let placements: Vec<Placement> = fleet.ships().iter().map(place).collect();
    assert_eq!(Fleet::new(fleet.rules(), &placements).as_ref(), Ok(fleet));
}

#[test]
fn layouts_of_every_kind_are_legal() {
    let mut rng = stream(1);
    for text in ["classic", "classic,touching=corners", "russian", "20x20:9,7,5,5,3,touching=forbidden", "50x2:50,1"] {
        let rules = rules(text);
        for _ in 0..30 {
            check_legal(&layout::uniform(&rules, &mut rng).unwrap());
            check_legal(&layout::sequential(&rules, &mut rng).unwrap());
            check_legal(&layout::any(&rules, &mut rng));
        }
    }
}

fn around(text: &str, placed: &[&str]) -> FleetBuilder {
    let rules = rules(text);
    let mut builder = FleetBuilder::new(&rules);
    for ship in placed {
        builder.place(&Placement::parse(&rules, ship).unwrap()).unwrap();
    }
    builder
}

#[test]
fn layouts_around_placed_ships_keep_them_and_uniform_ones_stay_uniform() {
    let check = |text: &str, placed: &[&str]| {
        let builder = around(text, placed);
        let keeps = |fleet: &Fleet| builder.ships().iter().all(|ship| fleet.ships().contains(ship));
        let completions = || layout::all(builder.rules()).filter(keeps).map(|fleet| ships(&fleet));
        assert!(completions().count() > 1, "{text}");
        let mut rng = stream(1);
        let found = ChiSquare::of(completions(), || ships(&layout::uniform_around(&builder, &mut rng).unwrap()));
        assert!(!found.rejects(), "{text}: {} > {}", found.statistic, found.critical);
        for _ in 0..100 {
            let fleet = layout::sequential_around(&builder, &mut rng).unwrap();
            assert!(keeps(&fleet), "{text}: {fleet}");
            check_legal(&fleet);
        }
    };
    check("4x4:3,2,2", &["2 B2 down"]);
    check("4x4:3,2,2", &["2 A1 across", "2 A4 across"]);
    check("4x4:2,1,1,touching=forbidden", &["1 D4"]);
    check("5x5:3,2,2,touching=corners", &["3 C2 down"]);
}

#[test]
fn a_complete_builder_is_its_own_layout() {
    let complete = around("4x4:3,2", &["2 A4 across", "3 A1 across"]);
    let fleet = complete.fleet().unwrap();
    assert_eq!(layout::uniform_around(&complete, &mut stream(1)), Ok(fleet.clone()));
    assert_eq!(layout::sequential_around(&complete, &mut stream(1)), Ok(fleet));
}

#[test]
fn a_builder_that_cannot_be_completed_ship_by_ship_is_an_error() {
    let stuck = around("3x3:3,2,touching=forbidden", &["2 A2 across"]);
    let refused = layout::sequential_around(&stuck, &mut stream(1));
    assert!(matches!(refused, Err(LayoutError::TooFullForSequential)), "{refused:?}");
}

#[test]
fn the_same_seed_gives_the_same_fleet() {
    let rules = rules("classic");
    let draw = |seed: u64| {
        let mut rng = stream(seed);
        (
            layout::uniform(&rules, &mut rng).unwrap(),
            layout::sequential(&rules, &mut rng).unwrap(),
            layout::any(&rules, &mut rng),
        )
    };
    assert_eq!(draw(7), draw(7));
    assert_ne!(draw(7), draw(8));
}

fn dominoes(size: &str, count: usize) -> String {
    format!("{size}:{}", vec!["2"; count].join(","))
}

#[test]
fn a_uniform_layout_of_a_full_board_is_an_error_and_not_endless() {
    let refused = layout::uniform(&rules(&dominoes("10x10", 50)), &mut stream(1));
    assert!(matches!(refused, Err(LayoutError::TooFullForUniform)), "{refused:?}");
}

fn check_any(text: &str, seed: u64) {
    check_legal(&layout::any(&rules(text), &mut stream(seed)));
}

#[test]
fn crowded_boards_get_a_legal_fleet_in_any_case() {
    check_any("5x5:5,5,5,5,5", 1);
    check_any("7x7:4,3,3,2,2,2,1,1,1,1,touching=forbidden", 1);
    check_any("5x5:1,1,1,1,1,1,1,1,1,touching=forbidden", 1);
    check_any("6x6:6,6,6,touching=forbidden", 1);
    check_any("1x1:1", 1);
}

#[test]
fn a_board_of_ships_as_long_as_it_is_gets_a_legal_fleet() {
    check_any("10x10:10,10,10,10,10,10,10,10,10,10", 1);
}

#[test]
fn a_board_with_two_free_cells_gets_a_legal_fleet() {
    check_any(&dominoes("10x10", 49), 2);
}

/// Seeds with which neither way of drawing succeeds, and the known layout is mirrored both ways.
#[test]
fn a_board_without_a_free_cell_gets_a_legal_fleet() {
    check_any(&dominoes("10x10", 50), 5);
    check_any(&dominoes("11x10", 55), 7);
}
