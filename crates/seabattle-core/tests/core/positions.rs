//! The position line: it reads what it prints, and no text makes it panic.

use proptest::prelude::{any, prop_assert_eq, proptest};
use seabattle_core::{Knowledge, Rules, Side, uniform_below};

use crate::support::{any_rules, cases, corrupt, play, rules, seeds, some_game, stream};

/// What A knows after some volleys of a random game.
fn some_knowledge(rules: &Rules, seed: u64) -> Knowledge {
    let rng = &mut stream(seed);
    let mut game = some_game(rules, rng);
    let volleys = uniform_below(rng, 2 * rules.size().area());
    play(&mut game, volleys, rng);
    game.knowledge(Side::A).clone()
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn a_position_reads_what_it_prints(rules in any_rules(8), seed in seeds()) {
        let knowledge = some_knowledge(&rules, seed);
        let line = knowledge.to_string();
        prop_assert_eq!(line.parse(), Ok(knowledge.clone()), "{}", line);
        let shots = line.split_once(' ').map_or("", |(_, shots)| shots);
        prop_assert_eq!(Knowledge::parse(&rules, shots), Ok(knowledge));
    }

    #[test]
    fn a_corrupted_position_is_refused_or_read_but_never_panics(rules in any_rules(8), seed in seeds()) {
        let line = some_knowledge(&rules, seed).to_string();
        let rng = &mut stream(seed);
        for _ in 0..10 {
            let corrupted = corrupt(&line, rng);
            if let Ok(knowledge) = String::from_utf8_lossy(&corrupted).parse::<Knowledge>() {
                prop_assert_eq!(knowledge.to_string().parse(), Ok(knowledge.clone()));
                let _ = knowledge.impossible();
            }
        }
    }

    #[test]
    fn no_text_makes_a_position_panic(text in any::<String>(), shots in "[A-D0-9.x#: ]{0,40}") {
        let _ = text.parse::<Knowledge>();
        let _ = Knowledge::parse(&rules("4x4:3,2"), &text);
        if let Ok(knowledge) = Knowledge::parse(&rules("4x4:3,2,1"), &shots) {
            prop_assert_eq!(knowledge.to_string().parse(), Ok(knowledge));
        }
    }
}

#[test]
fn the_line_is_the_rules_and_the_shots_in_order() {
    let knowledge: Knowledge = "  classic E5.\tD4x  D5#destroyer\n".parse().unwrap();
    assert_eq!(knowledge.to_string(), "classic E5. D4x D5#destroyer");
    assert_eq!(knowledge.shots().len(), 3);
    assert_eq!("classic".parse(), Ok(Knowledge::new(&rules("classic"))));
}

fn check(line: &str, reason: &str) {
    let error = line.parse::<Knowledge>().expect_err(line).to_string();
    assert!(error.contains(reason), "{line}: {error}");
}

#[test]
fn a_bad_word_is_reported_with_its_number() {
    check("", "unknown rules");
    check("E5. D4x", "unknown rules");
    check("classic E5. D4", "shot 2: \"D4\"");
    check("classic E5. D4x x", "shot 3: \"x\"");
    check("classic E5. D4#yacht", "shot 2: \"D4#yacht\" names no ship");
    check("classic K1.", "shot 1: K1 is outside");
}

#[test]
fn impossible_counts_are_refused() {
    check("2x1:1 A1. B1.", "shot 2: B1: all 1 cells without a ship have been shot at before");
    check("2x1:1,announce=sunk A1x", "shot 1: A1: 0 ships are sunk with 1 of 1 cells hit");
    check("3x2:2,1 A1x B1x C2#1", "shot 3: C2: 1 ships are sunk with 3 of 3 cells hit");
    check("3x3:3 A1#3", "shot 1: A1: 1 ships are sunk with 1 of 3 cells hit");
    check("3x3:3,1 A1#3", "shot 1: A1: no ship fits");
    check("russian A1x B2x", "shot 2: B2: no ship fits");
    check("classic,announce=named A1x:destroyer B5x:destroyer C9x:destroyer", "shot 3: C9: no ship fits");
}

#[test]
fn a_position_that_contradicts_itself_does_not_panic() {
    for line in [
        "2x2:1,1 A1. B2x",
        "3x3:3,1 A1x B2x C3x",
        "3x3:2,1,touching=forbidden,announce=sunk B2# B3x",
        "5x5:2,2,touching=forbidden A1x A2x A3x",
    ] {
        let knowledge: Knowledge = line.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        assert!(knowledge.impossible().is_subset(knowledge.open()), "{line}");
        assert_eq!(knowledge.to_string(), line);
    }
}
