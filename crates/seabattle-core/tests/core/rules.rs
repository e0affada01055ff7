//! Rules: their text form is read as it was printed, and impossible fleets are refused.

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::{BoxedStrategy, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use seabattle_core::{Announce, Ending, ParseRulesError, Rules, RulesDraft, RulesError, Size, Touching, Turn, layout};

use crate::naive;
use crate::support::{TOUCHING, any_draft, cases, corrupt, rules, seeds, stream};

/// Valid and invalid names, each with one length.
fn any_named_ships() -> BoxedStrategy<Vec<(String, u8)>> {
    let name = prop_oneof!["[a-z][a-z0-9-]{0,19}", "[a-zA-Z0-9=:,. -]{0,21}", "touching|turn|classic|x|10x10|[1-9]"];
    vec((name, 1..=9_u8), 1..=6)
        .prop_map(|ships| {
            let mut lengths: HashMap<String, u8> = HashMap::new();
            ships.into_iter().map(|(name, length)| (name.clone(), *lengths.entry(name).or_insert(length))).collect()
        })
        .boxed()
}

fn check_text_form(rules: &Rules) -> Result<(), proptest::test_runner::TestCaseError> {
    let text = rules.to_string();
    prop_assert_eq!(text.parse(), Ok(rules.clone()), "{}", text);
    prop_assert_eq!(rules.draft().check(), Ok(rules.clone()), "{}", text);
    prop_assert!(!text.contains(char::is_whitespace), "a position line is split at white space: {:?}", text);
    Ok(())
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn accepted_rules_read_what_they_print(draft in any_draft(12)) {
        if let Ok(rules) = draft.clone().check() {
            check_text_form(&rules)?;
            prop_assert_eq!(rules.size(), draft.size);
            prop_assert_eq!((rules.touching(), rules.turn()), (draft.touching, draft.turn));
            prop_assert_eq!((rules.announce(), rules.ending()), (draft.announce, draft.ending));
            prop_assert_eq!(rules.ship_count(), draft.ships.len());
            let cells: usize = draft.ships.iter().map(|(_, length)| usize::from(*length)).sum();
            prop_assert_eq!(rules.fleet_cells(), cells);
        }
    }

    #[test]
    fn a_preset_with_other_switches_reads_what_it_prints(draft in any_draft(3), preset in 0..3_usize) {
        let preset = [Rules::classic(), Rules::russian(), Rules::salvo()][preset].draft();
        let changed = RulesDraft { size: preset.size, ships: preset.ships, ..draft };
        check_text_form(&changed.check().unwrap())?;
    }

    #[test]
    fn whatever_name_is_accepted_reads_back(ships in any_named_ships(), draft in any_draft(12)) {
        if let Ok(rules) = (RulesDraft { ships, ..draft }).check() {
            check_text_form(&rules)?;
        }
    }

    #[test]
    fn no_text_makes_rules_panic(text in any::<String>(), near in "[0-9]{1,3}x[0-9]{1,2}:[0-9a-z,=]{0,30}") {
        let _ = text.parse::<Rules>();
        let _ = format!("8x8:{text}").parse::<Rules>();
        let _ = format!("classic,{text}").parse::<Rules>();
        if let Ok(rules) = near.parse::<Rules>() {
            check_text_form(&rules)?;
        }
    }

    #[test]
    fn corrupted_rules_are_refused_or_read_but_never_panic(draft in any_draft(8), seed in seeds()) {
        let rng = &mut stream(seed);
        let text = draft.check().map_or_else(|_| "salvo,ending=equal".to_owned(), |rules| rules.to_string());
        for _ in 0..10 {
            if let Ok(rules) = String::from_utf8_lossy(&corrupt(&text, rng)).parse::<Rules>() {
                check_text_form(&rules)?;
            }
        }
    }
}

/// Every fleet of up to three ships of up to four cells, longest first.
fn small_fleets() -> Vec<Vec<u8>> {
    let mut fleets: Vec<Vec<u8>> = Vec::new();
    for first in 1..=4 {
        fleets.push(vec![first]);
        for second in 1..=first {
            fleets.push(vec![first, second]);
            fleets.extend((1..=second).map(|third| vec![first, second, third]));
        }
    }
    fleets
}

fn plain_draft(width: u8, height: u8, lengths: &[u8], touching: Touching) -> RulesDraft {
    RulesDraft {
        size: Size::new(width, height).unwrap(),
        ships: lengths.iter().map(|length| (length.to_string(), *length)).collect(),
        touching,
        turn: Turn::Alternate,
        announce: Announce::Which,
        ending: Ending::AtOnce,
    }
}

#[test]
fn small_rules_are_accepted_exactly_where_some_layout_exists() {
    let fleets = small_fleets();
    assert_eq!(fleets.len(), 4 + 10 + 20);
    let (mut accepted, mut refused) = (0, 0);
    for (width, height) in (1..=4).flat_map(|width| (1..=4).map(move |height| (width, height))) {
        for (lengths, touching) in fleets.iter().flat_map(|lengths| TOUCHING.map(|touching| (lengths, touching))) {
            let wide: Vec<i32> = lengths.iter().map(|&length| length.into()).collect();
            let fits = naive::fits(width.into(), height.into(), &wide, touching);
            let checked = plain_draft(width, height, lengths, touching).check();
            assert_eq!(checked.is_ok(), fits, "{width}x{height} {lengths:?} {touching}: {checked:?}");
            assert!(!matches!(checked, Err(RulesError::TooCrowded { .. })), "a small board is searched to the end");
            *if fits { &mut accepted } else { &mut refused } += 1;
        }
    }
    assert!(accepted > 300 && refused > 300, "{accepted} accepted, {refused} refused");
}

#[test]
fn full_boards_are_accepted_exactly_where_some_layout_exists() {
    for (width, height, length, count) in
        [(4, 3, 2, 6), (3, 3, 2, 5), (3, 3, 3, 3), (5, 2, 5, 2), (4, 4, 4, 4), (5, 3, 3, 5), (5, 5, 4, 6)]
    {
        for spare in 0..=1_usize {
            let lengths = vec![length; count - spare];
            let wide: Vec<i32> = lengths.iter().map(|&length| i32::from(length)).collect();
            let fits = naive::fits(width.into(), height.into(), &wide, Touching::Allowed);
            let checked = plain_draft(width, height, &lengths, Touching::Allowed).check();
            assert_eq!(checked.is_ok(), fits, "{width}x{height} {lengths:?}: {checked:?}");
        }
    }
}

fn many(size: &str, count: usize, ship: &str, switches: &str) -> String {
    format!("{size}:{}{switches}", vec![ship; count].join(","))
}

#[test]
fn absurd_rules_are_accepted_or_refused_soon() {
    let accepted = |text: &str| text.parse::<Rules>().unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(accepted(&many("50x50", 2500, "1", "")).fleet_cells(), 2500);
    assert_eq!(accepted(&many("50x50", 1250, "2", "")).fleet_cells(), 2500);
    assert_eq!(accepted(&many("50x50", 625, "1", ",touching=forbidden")).ship_count(), 625);
    assert_eq!(accepted(&many("50x50", 1250, "1", ",touching=corners")).ship_count(), 1250);
    assert_eq!(accepted("50x50:50,50").fleet_cells(), 100);
    let refused = |text: &str, reason: &str| {
        let error = text.parse::<Rules>().expect_err("absurd rules").to_string();
        assert!(error.contains(reason) && error.len() < 300, "{error}");
    };
    refused(&many("50x50", 2501, "1", ""), "need 2501 cells");
    refused(&many("50x50", 626, "1", ",touching=forbidden"), "no layout");
    refused(&many("50x50", 1251, "1", ",touching=corners"), "no layout");
    refused(&many("50x50", 260, "4", ",touching=forbidden"), "no layout");
    refused(&many("50x50", 325, "3", ",touching=forbidden"), "no layout");
    refused(&many("10x10", 25, "4", ""), "no layout of these ships fits a 10x10 board");
    refused(&many("50x50", 60_000, "1", ""), "longer than any rules");
    refused(&format!("8x8:{}", "9".repeat(1000)), "neither a ship");
}

#[test]
fn there_are_up_to_64_ship_classes() {
    let classes = |count: usize| -> String {
        let ships: Vec<String> = (1..=count).map(|number| format!("ship-{number}=1")).collect();
        format!("50x50:{}", ships.join(","))
    };
    assert_eq!(rules(&classes(64)).classes().len(), 64);
    let refused = classes(65).parse::<Rules>();
    assert_eq!(refused, Err(ParseRulesError::Invalid(RulesError::TooManyClasses { count: 65 })));
}

#[test]
fn accepted_rules_have_a_fleet_to_show() {
    for text in ["1x1:1", "5x5:5,5,5,5,5", "3x3:1,1,1,1,touching=forbidden", "2x7:7,7", "9x9:3,3,3,3,3,3,3,3,3"] {
        let rules = rules(text);
        assert!(layout::all(&rules).next().is_some(), "{text}");
    }
}
