//! The catalog of bots: groups, names, titles, and descriptions that fit every screen.

use std::collections::HashSet;

use seabattle_bots::{Group, bots_of, catalog, default_opponent, documents, find, levels};

#[test]
fn the_levels_are_named_from_the_weakest_to_the_strongest() {
    let titles: Vec<&str> = levels().map(|entry| entry.title).collect();
    assert_eq!(titles, ["Recruit", "Sailor", "Captain", "Admiral", "Champion"]);
    assert_eq!(default_opponent().title, "Sailor");
}

#[test]
fn every_algorithm_of_the_documents_is_an_opponent() {
    let names: HashSet<&str> = documents().map(|entry| entry.name).collect();
    let expected = [
        "quadrant",
        "checkerboard",
        "lattice",
        "blocks",
        "adjacent",
        "swift-sinking",
        "swift-locating",
        "swift-example",
        "star",
    ];
    assert_eq!(names, HashSet::from(expected));
    let group_sizes = [Group::Level, Group::Document, Group::Baseline].map(|group| bots_of(group).count());
    assert_eq!(group_sizes.iter().sum::<usize>(), catalog().len());
}

#[test]
fn a_bot_is_found_by_its_name_and_its_title_in_any_case() {
    for entry in catalog() {
        for spelled in [entry.name, entry.title] {
            for typed in [spelled.to_owned(), spelled.to_uppercase(), spelled.to_lowercase()] {
                assert_eq!(find(&typed).unwrap().name, entry.name, "{typed}");
            }
        }
    }
}

#[test]
fn every_bot_says_in_a_short_sentence_how_it_plays() {
    let mut texts = HashSet::new();
    for entry in catalog() {
        assert!(entry.about.chars().count() <= 70, "{}: {}", entry.name, entry.about);
        assert!(entry.about.starts_with(char::is_uppercase) && entry.about.ends_with('.'), "{}", entry.about);
        assert!(entry.source.chars().count() <= 40, "{}: {}", entry.name, entry.source);
        assert!(texts.insert(entry.about) && texts.insert(entry.title), "two bots share a text: {}", entry.name);
    }
}
