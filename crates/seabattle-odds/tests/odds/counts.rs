//! Known numbers of legal fleets.

use seabattle_core::Knowledge;
use seabattle_odds::Odds;

fn check(rules: &str, layouts: u128) {
    let odds = Odds::of(&rules.parse::<Knowledge>().unwrap()).unwrap();
    assert!(odds.is_exact(), "{rules}");
    assert_eq!(odds.layouts(), layouts, "{rules}");
    let cells: f64 = odds.rules().size().cells().map(|cell| odds.probability(cell)).sum();
    assert!((cells - odds.rules().fleet_cells() as f64).abs() < 1e-9, "{rules}: {cells} cells");
}

#[test]
fn small_boards() {
    check("3x3:2", 12);
    check("3x3:2,2", 88 / 2);
    check("4x4:3,2", 264);
    check("5x5:3,2", 956);
    check("6x6:3,2,2", 113_648 / 2);
    check("10x10:5,4,3", 1_850_736);
}

#[test]
fn classic() {
    check("classic", 30_093_975_536);
    check("10x10:5,4,3,3,2", 30_093_975_536 / 2);
}

#[test]
fn classic_without_touching() {
    check("classic,touching=forbidden", 1_925_751_392 * 2);
    check("10x10:5,4,3,3,2,touching=forbidden", 1_925_751_392);
}

#[test]
fn russian() {
    check("russian", 1_855_545_978_831_780);
}

/// Ships of one cell that may touch: the counts exceed the exact integers of floating point, and then 64 bits.
#[test]
fn counts_of_any_size_are_exact() {
    let choose = |cells: u128, ships: u128| (0..ships).fold(1, |count, ship| count * (cells - ship) / (ship + 1));
    let ones = |count: usize| vec!["1"; count].join(",");
    check(&format!("12x10:{}", ones(14)), choose(120, 14));
    check(&format!("12x10:{}", ones(22)), choose(120, 22));
    assert!(choose(120, 22) > u128::from(u64::MAX));
}

/// Odds that cannot be counted within the limits are sampled at once.
#[test]
fn counts_beyond_the_limits_are_not_started() {
    let odds = Odds::of(&"russian,touching=allowed".parse::<Knowledge>().unwrap()).unwrap();
    assert!(!odds.is_exact());
}
