//! The three Swift solutions that are described beside `star`: sinking, locating and example.

use std::collections::HashSet;

use seabattle_core::Cell;

use super::{cells, cells_from, check_start, neighbors, shots};

#[test]
fn sinking_fires_east_of_every_hit() {
    let rules = "10x10:3,2";
    check_start(&cells_from("D5", "swift-sinking", rules, "3 D5 across, 2 A9 across"), "D5 E5 F5 G5");
    check_start(&cells_from("C5", "swift-sinking", rules, "3 D5 across, 2 B5 across"), "C5 D5 E5 F5 G5");
}

#[test]
fn sinking_fires_anywhere_where_east_is_no_cell_to_fire_at() {
    let rules = "10x10:2,2";
    for seed in 0..300 {
        let fired = shots("swift-sinking", rules, "2 I5 across, 2 C7 down", seed);
        for (number, pair) in fired.windows(2).enumerate() {
            let (last, next) = (pair[0], pair[1].cell);
            let is_east = next.row() == last.cell.row() && next.col() == last.cell.col() + 1;
            let is_east_open = last.cell.col() < 9
                && !fired[..=number]
                    .iter()
                    .any(|shot| shot.cell.row() == last.cell.row() && shot.cell.col() == last.cell.col() + 1);
            assert!(!(last.outcome.is_hit() && is_east_open) || is_east, "{next} after a hit at {}", last.cell);
        }
    }
    // At the right edge the next shot goes anywhere: not always beside the hit.
    let beside = neighbors("J5".parse().unwrap(), rules);
    let after = |seed: u64| {
        let fired = cells("swift-sinking", rules, "2 I5 across, 2 C7 down", seed);
        let edge = fired.iter().position(|cell| cell.to_string() == "J5")?;
        fired.get(edge + 1).copied()
    };
    assert!((0..50).filter_map(after).any(|next| !beside.contains(next)));
}

#[test]
fn locating_follows_a_hit_north_south_east_and_west() {
    let rules = "10x10:3,2";
    let check = |first: &str, fleet: &str, expected: &str| {
        check_start(&cells_from(first, "swift-locating", rules, fleet), expected);
    };
    // Onwards while it hits, then from the origin in the next direction.
    check("D5", "3 D5 down, 2 A9 across", "D5 D4 D6 D7 D8 E5 C5");
    check("D5", "3 D3 down, 2 A9 across", "D5 D4 D3 D2 D6 E5 C5");
    check("D5", "3 B5 across, 2 A9 across", "D5 D4 D6 E5 C5 B5 A5");
    check("D5", "3 D5 across, 2 A9 across", "D5 D4 D6 E5 F5 G5 C5");
}

#[test]
fn locating_drops_all_blocked_directions_in_one_turn() {
    let rules = "10x10:3,2";
    let check = |first: &str, fleet: &str, expected: &str| {
        check_start(&cells_from(first, "swift-locating", rules, fleet), expected);
    };
    check("A1", "3 A1 across, 2 D9 across", "A1 A2 B1 C1 D1");
    // South and east are off the board, so west comes at once.
    check("J10", "3 H10 across, 2 A1 across", "J10 J9 I10 H10 G10");
    // After three hits to the north edge: north ends there, and south, from the origin, is off the board too.
    check("J3", "3 J1 down, 2 A9 across", "J3 J2 J1 J4 I3");
}

#[test]
fn locating_fires_anywhere_once_all_directions_are_dropped() {
    // The ship in the corner is sunk after at most five shots from its first hit.
    let after_the_ship = |seed: u64| {
        let fired = cells("swift-locating", "10x10:2,1", "2 A1 across, 1 J10", seed);
        let hit = fired.iter().position(|cell| ["A1", "B1"].contains(&cell.to_string().as_str()))?;
        fired.get(hit + 5).copied()
    };
    let next: HashSet<Cell> = (0..50).filter_map(after_the_ship).collect();
    assert!(next.len() > 20, "{next:?}");
}

#[test]
fn example_scans_by_the_smallest_ship_and_follows_clockwise() {
    let fired = cells("swift-example", "10x10:3,2", "3 C2 down, 2 F2 across", 1);
    let expected = "
        A1 C1 E1 G1 I1 B2 D2 F2
        F1 G2 H2 F3 E2
        I2 A3 D3 G3 J3 B4 E4 H4 A5 D5 G5 J5 B6 E6 H6 A7 D7 G7 J7 B8 E8 H8 A9 D9 G9 J9 B10 E10 H10
        B1
        C2 C3 C4";
    // Line by line:
    // Steps of two, even rows from column A, odd ones from B, until F2 is hit.
    // North misses; east hits, sinks and misses at H2; then from F2 south and west.
    // Only three cells are afloat now: steps of three from E2, passing the shot H2.
    // The scan has reached the end: the first cell not fired at.
    // The scan continues from there. H1 has no room for three; C2 has, to the south. North and east of C2 are blocked.
    check_start(&fired, expected);
    assert_eq!(fired.len(), expected.split_whitespace().count());
}

#[test]
fn example_follows_north_east_south_west() {
    let check = |fleet: &str, expected: &str| {
        check_start(&cells("swift-example", "10x10:3,2", fleet, 1), expected);
    };
    // North and west of A1 are off the board.
    check("3 A1 down, 2 J9 down", "A1 B1 A2 A3 A4");
    check("3 C1 across, 2 J9 down", "A1 C1 D1 E1 F1 C2 B1");
    // B2 is the first cell of the second row; its west is A2.
    check("3 A2 across, 2 J9 down", "A1 C1 E1 G1 I1 B2 B1 C2 D2 B3 A2");
}
