//! Cached odds equal counted odds.

use seabattle_core::{Knowledge, Rules};
use seabattle_odds::{Odds, OddsCache};

use crate::brute::{random_position, stream};

#[test]
fn a_cached_position_has_the_same_odds_under_all_symmetries() {
    let odds_cache = OddsCache::default();
    let mut rng = stream(3);
    for rules in
        ["5x5:3,2", "6x4:3,2,1,touching=forbidden,announce=sunk", "5x5:3,2,announce=named", "8x8:4,3,touching=corners"]
    {
        let rules: Rules = rules.parse().unwrap();
        for _ in 0..40 {
            let shots = seabattle_core::uniform_below(&mut rng, 4);
            let knowledge: Knowledge = random_position(&rules, shots, &mut rng);
            let (cached, counted) = (odds_cache.odds(&knowledge).unwrap(), Odds::of(&knowledge).unwrap());
            assert_eq!((cached.layouts(), cached.is_exact()), (counted.layouts(), counted.is_exact()));
            for cell in rules.size().cells() {
                assert!((cached.probability(cell) - counted.probability(cell)).abs() < 1e-12, "{knowledge} at {cell}");
                for class in rules.class_ids() {
                    let difference = cached.class_probability(class, cell) - counted.class_probability(class, cell);
                    assert!(difference.abs() < 1e-12, "{knowledge} at {cell}");
                }
                assert_eq!(cached.answers(cell).len(), counted.answers(cell).len(), "{knowledge} at {cell}");
            }
        }
    }
}

#[test]
fn a_cache_stays_within_its_bytes_and_keeps_what_is_needed_often() {
    let odds_cache = OddsCache::default().with_max_bytes(40_000);
    let frequent: Knowledge = "4x4:2,1 A1.".parse().unwrap();
    let first = odds_cache.odds(&frequent).unwrap();
    for size in 3..=12 {
        for ships in ["2,1", "1,1", "2"] {
            odds_cache.odds(&format!("{size}x4:{ships}").parse().unwrap()).unwrap();
            assert!((1..=40_000).contains(&odds_cache.bytes()), "{}", odds_cache.bytes());
            // The same shared value: it was not counted again.
            assert!(std::sync::Arc::ptr_eq(&first, &odds_cache.odds(&frequent).unwrap()));
        }
    }
    assert!(odds_cache.bytes() > 20_000, "the cache is used: {}", odds_cache.bytes());
}

#[test]
fn a_cache_without_room_keeps_nothing() {
    let (knowledge, odds_cache) = ("4x4:2".parse().unwrap(), OddsCache::default().with_max_bytes(100));
    odds_cache.odds(&knowledge).unwrap();
    assert_eq!(odds_cache.bytes(), 0);
}
