//! `star`: two scans of every fourth cell, and a star around every hit of a scan.

use super::{cells, check_start, numbered, show};

#[test]
fn the_first_scan_takes_24_shots_and_the_second_lies_two_cells_beside_it() {
    let first = numbered(
        "
        .  .  .  1  .  .  .  2  .  .
        .  .  3  .  .  .  4  .  .  .
        .  5  .  .  .  6  .  .  .  7
        8  .  .  .  9  .  .  . 10  .
        .  .  . 11  .  .  . 12  .  .
        .  . 13  .  .  . 14  .  .  .
        . 15  .  .  . 16  .  .  . 17
       18  .  .  . 19  .  .  . 20  .
        .  .  . 21  .  .  . 22  .  .
        .  . 23  .  .  . 24  .  .  .",
    );
    let second = numbered(
        "
        .  1  .  .  .  2  .  .  .  3
        4  .  .  .  5  .  .  .  6  .
        .  .  .  7  .  .  .  8  .  .
        .  .  9  .  .  . 10  .  .  .
        . 11  .  .  . 12  .  .  . 13
       14  .  .  . 15  .  .  . 16  .
        .  .  . 17  .  .  . 18  .  .
        .  . 19  .  .  . 20  .  .  .
        . 21  .  .  . 22  .  .  . 23
       24  .  .  . 25  .  .  . 26  .",
    );
    assert_eq!(first.len(), 24);
    // Hidden where the second scan ends.
    let fired = cells("star", "10x10:2", "2 I10 across", 1);
    assert_eq!(show(&fired[..24]), show(&first));
    assert_eq!(show(&fired[24..50]), show(&second));
}

/// Checks a whole game: cells of the scan, each list followed by the arms of a star. The arms may come in any order.
fn check_game(rules: &str, fleet: &str, expected: &[(&str, &[&str])]) {
    let all = cells("star", rules, fleet, 1);
    let mut fired = &all[..];
    for (scanned, arms) in expected {
        check_start(fired, scanned);
        fired = &fired[scanned.split_whitespace().count()..];
        let mut arms = arms.to_vec();
        while !arms.is_empty() {
            let next = fired[0].to_string();
            let arm = arms.iter().position(|arm| arm.split(' ').next() == Some(&*next));
            let arm = arms.remove(arm.unwrap_or_else(|| panic!("{next} begins none of the arms {arms:?}")));
            check_start(fired, arm);
            fired = &fired[arm.split(' ').count()..];
        }
    }
    assert_eq!(show(fired), "", "shots after the last that was expected");
}

#[test]
fn a_star_goes_out_in_all_directions_until_a_miss() {
    // D1 to D5 is hit by the first shot, A2 to C2 by the fourth cell of the scan.
    check_game(
        "10x10:5,3,2",
        "5 D1 down, 3 A2 across, 2 I10 across",
        &[
            // The hits at D2 to D5 start no stars of their own: the scan continues at H1.
            ("D1", &["E1", "D2 D3 D4 D5 D6", "C1"]),
            // East of C2 the star passes over D2, which was hit before. C1 was a miss before.
            ("H1 C2", &["E2", "C3", "B2 A2"]),
            // D5 was hit before: when the scan reaches it, it does start a star.
            ("G2 B3 F3 J3 A4 E4 I4", &["E5", "C5"]),
            ("H5 C6 G6 B7 F7 J7 A8 E8 I8 D9 H9 C10 G10", &[]),
            // The second scan starts stars by the same rules: at A2, at D3, and at I10.
            ("B1 F1 J1", &["A1", "A3"]),
            ("I2", &["E3"]),
            ("H3 C4 G4 B5 F5 J5 A6 E6 I6 D7 H7 C8 G8 B9 F9 J9 A10 E10 I10", &["I9", "J10"]),
        ],
    );
}
