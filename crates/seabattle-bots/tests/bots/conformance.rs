//! What every bot must do: play legally under all rules, never repeat a shot, and play the same game for the same seed.

use seabattle_arena::duel;
use seabattle_bots::{BotInfo, catalog, find};
use seabattle_core::{BySide, Rules, Seed, Side};

/// All combinations of the rule switches, on boards of many sizes.
fn many_rules() -> Vec<Rules> {
    let boards = [
        "1x1:1",
        "2x1:1",
        "1x7:3,2",
        "3x3:3,2",
        "5x4:3,2,1",
        "6x6:4,3,2,1,1",
        "9x14:5,4,3",
        "10x10:5,4,3,3,2",
        "13x10:6,2,2,1",
        "50x50:12,5,3,1",
    ];
    let turns = ["alternate", "again", "salvo", "salvo:3"];
    let mut all_rules = Vec::new();
    for board in boards {
        for touching in ["allowed", "corners", "forbidden"] {
            for turn in turns {
                for announce in ["hit", "sunk", "which", "named"] {
                    for ending in ["at-once", "equal"] {
                        let text =
                            format!("{board},touching={touching},turn={turn},announce={announce},ending={ending}");
                        all_rules.extend(text.parse::<Rules>());
                    }
                }
            }
        }
    }
    for announce in ["hit", "sunk", "which", "named"] {
        all_rules.extend(
            ["classic", "russian", "salvo"].map(|preset| format!("{preset},announce={announce}").parse().unwrap()),
        );
    }
    assert!(all_rules.len() > 800, "hardly any of these rules may be refused: {}", all_rules.len());
    all_rules
}

/// The rules to test a bot under. On large boards slow bots play only every eleventh combination, which still covers
/// all switches.
fn rules_for(entry: &BotInfo) -> Vec<Rules> {
    let mut all_rules = many_rules();
    if entry.is_slow {
        let mut rule_number = 0;
        all_rules.retain(|rules| {
            rule_number += 1;
            rules.size().area() < 100 || rule_number % 11 == 0
        });
    }
    all_rules
}

#[test]
fn every_bot_plays_all_rules_to_the_end() {
    let opponent = find("random").unwrap();
    for entry in catalog() {
        let seed = Seed::new(11);
        let mut bots = BySide { a: entry.make(&seed.side(Side::A)), b: opponent.make(&seed.side(Side::B)) };
        for rules in rules_for(entry) {
            let game = duel(&mut bots, &rules, Side::A);
            let game = game.unwrap_or_else(|fault| panic!("{} on {rules}: {fault}", entry.name));
            assert!(game.end().is_some(), "{} on {rules}", entry.name);
        }
    }
}

#[test]
fn every_bot_is_deterministic() {
    let play = |entry: &BotInfo, seed: u64| {
        let seed = Seed::new(seed);
        let mut bots = BySide::new(|side| entry.make(&seed.side(side)));
        let rules = Rules::classic();
        (0..5).map(|_| duel(&mut bots, &rules, Side::B).unwrap()).collect::<Vec<_>>()
    };
    for entry in catalog() {
        assert!(play(entry, 1) == play(entry, 1), "{} plays one seed in two ways", entry.name);
        assert!(play(entry, 1) != play(entry, 2), "{} ignores its seed", entry.name);
    }
}

#[test]
fn an_unknown_name_gets_the_nearest_ones() {
    let error = find("adjecent").err().unwrap().to_string();
    assert!(error.contains("did you mean adjacent"), "{error}");
    let former = find("Calm").err().map(|error| error.to_string()).unwrap_or_default();
    assert!(former.contains("did you mean recruit?"), "{former}");
    let error = find("zzz").err().unwrap().to_string();
    assert!(error.contains("seabattle bots"), "{error}");
    let hostile = "x".repeat(100_000);
    assert!(find(&hostile).err().unwrap().to_string().len() < 200);
}
