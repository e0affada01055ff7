//! `lattice` and `blocks`: the hunt by the table and by the formula of their document, and its three target modes.

use seabattle_bots::find;
use seabattle_core::{Cell, Knowledge, Rules, Seed, View};

use super::{cells, check_start, numbered, show};

/// The table of the document for n = 4.
const TABLE: &str = "
     1  .  .  .  2  .  .  .  3  .
     . 10  .  .  . 11  .  .  . 12
     .  . 19  .  .  . 20  .  .  .
     .  .  . 23  .  .  . 24  .  .
     4  .  .  .  5  .  .  .  6  .
     . 13  .  .  . 14  .  .  . 15
     .  . 21  .  .  . 22  .  .  .
     .  .  . 25  .  .  . 26  .  .
     7  .  .  .  8  .  .  .  9  .
     . 16  .  .  . 17  .  .  . 18";

/// The hunt over an empty board: the lists for n = 4, 3, 2 and 1, each without the cells of those before it.
fn hunt(list: impl Fn(u8) -> Vec<Cell>) -> Vec<Cell> {
    let mut hunt: Vec<Cell> = Vec::new();
    for n in [4, 3, 2, 1] {
        for cell in list(n) {
            if !hunt.contains(&cell) {
                hunt.push(cell);
            }
        }
    }
    hunt
}

fn row_by_row() -> impl Iterator<Item = (u8, u8)> {
    (0..10).flat_map(|r| (0..10).map(move |c| (r, c)))
}

/// The diagonals of the table for any n: residue by residue, each in row order.
fn diagonals(n: u8) -> Vec<Cell> {
    let of_residue = |residue: u8| row_by_row().filter(move |(r, c)| r % n == residue && c % n == residue);
    (0..n).flat_map(of_residue).map(|(r, c)| Cell::new(c, r)).collect()
}

/// The printed formula: `(r mod n < 2) and (c mod n < 2)`.
fn formula(n: u8) -> Vec<Cell> {
    row_by_row().filter(|(r, c)| r % n < 2 && c % n < 2).map(|(r, c)| Cell::new(c, r)).collect()
}

/// Checks a whole hunt. The ship is where it ends.
fn check_hunt(bot: &str, expected: &[Cell]) {
    let last = expected.last().unwrap();
    assert_eq!(expected.len(), 100);
    let fired = cells(bot, "10x10:1,touching=forbidden,turn=again", &format!("1 {last}"), 1);
    assert_eq!(show(&fired), show(expected));
}

#[test]
fn lattice_hunts_along_the_table() {
    assert_eq!(show(&diagonals(4)), show(&numbered(TABLE)));
    assert_eq!(diagonals(4).len(), 26);
    check_hunt("lattice", &hunt(diagonals));
}

#[test]
fn blocks_hunts_by_the_formula() {
    assert_eq!(formula(4).len(), 36);
    check_hunt("blocks", &hunt(formula));
}

/// The shots of each bot until it reaches E5.
const UNTIL_E5: [(&str, &str); 2] =
    [("lattice", "A1 E1 I1 A5 E5"), ("blocks", "A1 B1 E1 F1 I1 J1 A2 B2 E2 F2 I2 J2 A5 B5 E5")];

/// Checks the shots that follow a hit at E5, for both bots.
fn check_target(rules: &str, fleet: &str, expected: &str) {
    for (bot, until_e5) in UNTIL_E5 {
        let fired = cells(bot, &format!("{rules},touching=forbidden,turn=again"), fleet, 1);
        check_start(&fired, &format!("{until_e5} {expected}"));
    }
}

#[test]
fn a_single_hit_is_followed_up_right_down_left() {
    check_target("10x10:2,1", "2 E4 down, 1 J10", "E4");
    check_target("10x10:2,1", "2 E5 across, 1 J10", "E4 F5");
    check_target("10x10:2,1", "2 E5 down, 1 J10", "E4 F5 E6");
    check_target("10x10:2,1", "2 D5 across, 1 J10", "E4 F5 E6 D5");
}

#[test]
fn a_horizontal_ship_is_followed_first_to_its_left_then_to_its_right() {
    check_target("10x10:4,1", "4 C5 across, 1 J10", "E4 F5 D5 C5");
    check_target("10x10:4,1", "4 E5 across, 1 J10", "E4 F5 D5 G5 H5");
    check_target("10x10:3,1", "3 C5 across, 1 J10", "E4 F5 E6 D5 C5");
}

#[test]
fn a_vertical_ship_is_followed_first_upwards_then_downwards() {
    check_target("10x10:4,1", "4 E4 down, 1 J10", "E4 E3 E6 E7");
    check_target("10x10:4,1", "4 E5 down, 1 J10", "E4 F5 E6 E7 E8");
}

#[test]
fn gaps_between_hits_are_filled_first() {
    let rules: Rules = "10x10:4,1,touching=forbidden,turn=again".parse().unwrap();
    for (bot, _) in UNTIL_E5 {
        for (position, expected) in [("E5x G5x", "F5"), ("E5x E7x", "E6"), ("E7x E4x", "E5")] {
            let knowledge = Knowledge::parse(&rules, position).unwrap();
            let mut bot = find(bot).unwrap().make(&Seed::new(1));
            bot.start(&rules);
            assert_eq!(bot.shoot(&View::solo(&knowledge)).to_string(), expected, "{position}");
        }
    }
}

#[test]
fn around_a_sunk_ship_nothing_is_fired_at() {
    // The ship is E5 to E7: D4 to F8 are impossible now. Of the table, those are 14, 23 and 25.
    let fired = cells("lattice", "10x10:3,1,touching=forbidden,turn=again", "3 E5 down, 1 I10", 1);
    let expected = "A1 E1 I1 A5 E5 E4 F5 E6 E7 I5 A9 E9 I9 B2 F2 J2 B6 J6 B10 F10 J10 C3 G3 C7 G7 H4 H8";
    check_start(&fired, expected);
    // A ship of one cell is sunk by its first hit.
    check_target("10x10:1,1", "1 E5, 1 J10", "");
    let fired = cells("lattice", "10x10:1,1,touching=forbidden,turn=again", "1 E5, 1 I10", 1);
    check_start(&fired, "A1 E1 I1 A5 E5 I5 A9 E9 I9 B2 F2 J2 B6 J6 B10 F10 J10 C3 G3 C7 G7 H4 D8 H8");
}
