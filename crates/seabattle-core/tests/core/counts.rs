//! The counterpart of perft in chess: the number of legal fleets, and every one of them against a naive enumeration.

use std::collections::BTreeSet;

use seabattle_core::layout;

use crate::naive;
use crate::support::rules;

/// Counts fleets, with the ships of one class distinguished.
fn check_count(text: &str, distinguished: u64) {
    let rules = rules(text);
    let orders = |count: u16| (1..=u64::from(count)).product::<u64>();
    let per_fleet: u64 = rules.classes().iter().map(|class| orders(class.count())).product();
    assert_eq!(layout::all(&rules).count_rest() * per_fleet, distinguished, "{text}");
}

#[test]
fn small_boards_have_as_many_fleets_as_known() {
    check_count("3x3:2", 12);
    check_count("3x3:2,2", 88);
    check_count("4x4:3,2", 264);
    check_count("5x5:3,2", 956);
    check_count("6x6:3,2,2", 113_648);
    check_count("10x10:5,4,3", 1_850_736);
}

#[test]
fn ships_of_two_names_are_reported_apart_even_at_one_length() {
    check_count("3x3:scout=2,guard=2", 88);
    assert_eq!(layout::all(&rules("3x3:2,2")).count_rest(), 44);
    assert_eq!(layout::all(&rules("3x3:scout=2,guard=2")).count_rest(), 88);
}

#[test]
fn boards_with_a_single_fleet_are_counted_once() {
    for text in ["1x1:1", "1x5:5", "5x1:5", "3x3:1,1,1,1,touching=forbidden", "2x2:1,1,1,1"] {
        assert_eq!(layout::all(&rules(text)).count_rest(), 1, "{text}");
    }
}

#[test]
fn counting_the_rest_starts_where_the_iterator_is() {
    let mut fleets = layout::all(&rules("4x4:3,2"));
    assert_eq!(fleets.by_ref().take(100).count(), 100);
    assert_eq!(fleets.count_rest(), 164);
}

fn check_against_naive(text: &str) {
    let rules = rules(text);
    let listed: Vec<_> = layout::all(&rules).map(|fleet| naive::picture(&fleet)).collect();
    let distinct: BTreeSet<_> = listed.iter().cloned().collect();
    assert_eq!(listed.len(), distinct.len(), "{text}: some fleet comes twice");
    assert_eq!(distinct, naive::all_fleets(&rules), "{text}");
}

#[test]
fn every_legal_fleet_comes_once_and_no_other() {
    for touching in ["allowed", "corners", "forbidden"] {
        for start in ["4x4:3,2", "4x3:2,2,1", "5x3:4,1,1", "3x5:3,1", "4x4:2,1,1", "3x3:scout=2,guard=2", "1x6:2,2"] {
            check_against_naive(&format!("{start},touching={touching}"));
        }
    }
}
