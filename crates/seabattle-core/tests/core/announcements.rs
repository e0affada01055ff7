//! What answers reveal: the four values of `announce` on one fixed game.

use seabattle_core::{BySide, Game, Knowledge, Rules, Side};

use crate::support::{ANNOUNCE, cell, cells, fleet, rules};

/// The knowledge of A after these shots at B, who always misses; the picture of B's fleet is
///
/// ```text
///   A B C D
/// 1 3 3 3 .
/// 2 . . . .
/// 3 2 2 . .
/// ```
fn knowledge_after(announce: &str, shots: &str) -> Knowledge {
    let rules = rules(&format!("4x3:3,2,announce={announce}"));
    let fleets = BySide { a: fleet(&rules, "3 A1 across, 2 A2 across"), b: fleet(&rules, "3 A1 across, 2 A3 across") };
    let mut game = Game::new(fleets, Side::A).unwrap();
    for (target, miss) in cells(shots).into_iter().zip(cells("D1 C2 D2 A3 B3 C3")) {
        game.fire(Side::A, &[target]).unwrap();
        if game.end().is_none() {
            game.fire(Side::B, &[miss]).unwrap();
        }
    }
    game.knowledge(Side::A).clone()
}

const ALL_SHOTS: &str = "A1 B1 C1 D2 A3 B3";

#[test]
fn answers_follow_the_announce_option() {
    let check = |announce: &str, answers: &str| {
        let line = knowledge_after(announce, ALL_SHOTS).to_string();
        assert_eq!(line.split_once(' ').unwrap().1, answers, "announce={announce}");
    };
    check("hit", "A1x B1x C1x D2. A3x B3x");
    check("sunk", "A1x B1x C1# D2. A3x B3#");
    check("which", "A1x B1x C1#3 D2. A3x B3#2");
    check("named", "A1x:3 B1x:3 C1#3 D2. A3x:2 B3#2");
}

#[test]
fn the_fleet_itself_answers_as_the_game_does() {
    for announce in ["hit", "sunk", "which", "named"] {
        let knowledge = knowledge_after(announce, ALL_SHOTS);
        let target = fleet(knowledge.rules(), "3 A1 across, 2 A3 across");
        let mut hits = seabattle_core::CellSet::empty(knowledge.rules().size());
        for shot in knowledge.shots() {
            assert_eq!(target.answer(shot.cell, &hits), shot.outcome, "announce={announce}");
            if shot.outcome.is_hit() {
                hits.insert(shot.cell);
            }
        }
        assert_eq!(target.answer(cell("Z9"), &hits), seabattle_core::Outcome::Miss);
    }
}

#[test]
fn sinkings_are_known_as_far_as_they_are_announced() {
    let check = |announce: &str, shots: &str, ships_sunk: Option<usize>, afloat: [(u16, u16); 2]| {
        let knowledge = knowledge_after(announce, shots);
        let bounds = |class| (*knowledge.afloat(class).start(), *knowledge.afloat(class).end());
        let found: Vec<(u16, u16)> = knowledge.rules().class_ids().map(bounds).collect();
        assert_eq!((knowledge.ships_sunk(), found), (ships_sunk, afloat.to_vec()), "announce={announce} {shots}");
    };
    check("hit", "A1 B1", None, [(0, 1), (0, 1)]);
    check("hit", "A1 B1 C1", None, [(0, 1), (0, 1)]);
    check("hit", ALL_SHOTS, Some(2), [(0, 0), (0, 0)]);
    for announce in ["sunk", "which", "named"] {
        check(announce, "A1 B1", Some(0), [(1, 1), (1, 1)]);
        check(announce, ALL_SHOTS, Some(2), [(0, 0), (0, 0)]);
    }
    // Unnamed, the ship that sank may be the 3, or the 2 beside a hit on the 3.
    check("sunk", "A1 B1 C1 D2", Some(1), [(0, 1), (0, 1)]);
    check("sunk", "A3 B3", Some(1), [(1, 1), (0, 0)]);
    check("which", "A1 B1 C1 D2", Some(1), [(0, 0), (1, 1)]);
    check("named", "A1 B1 C1 D2", Some(1), [(0, 0), (1, 1)]);
}

#[test]
fn a_named_hit_reveals_only_its_class() {
    let rules = rules("3x3:2,2,announce=named");
    let twins = fleet(&rules, "2 A1 across, 2 A3 across");
    let mut game = Game::new(BySide { a: twins.clone(), b: twins }, Side::A).unwrap();
    for (target, miss) in [("A1", "C1"), ("A3", "C2"), ("B3", "C3")] {
        game.fire(Side::A, &[cell(target)]).unwrap();
        game.fire(Side::B, &[cell(miss)]).unwrap();
    }
    let line = game.knowledge(Side::A).to_string();
    assert_eq!(line, "3x3:2,2,announce=named A1x:2 A3x:2 B3#2");
}

/// Two fleets on the same four cells, one across and one down.
fn twins(rules: &Rules) -> [Game; 2] {
    ["2 A1 across, 2 A2 across", "2 A1 down, 2 B1 down"].map(|ships| {
        let fleets = BySide { a: fleet(rules, "2 A1 across, 2 A2 across"), b: fleet(rules, ships) };
        Game::new(fleets, Side::A).unwrap()
    })
}

/// The number of shots after which A can distinguish the twins, of six.
fn shots_until_distinguished(announce: &str, order: &str) -> usize {
    let mut games = twins(&rules(&format!("3x2:2,2,announce={announce}")));
    for (at, target) in cells(order).into_iter().enumerate() {
        for game in &mut games {
            game.fire(Side::A, &[target]).unwrap();
        }
        let [one, two] = games.each_ref().map(|game| format!("{:?}", game.view(Side::A)));
        if one != two {
            return at + 1;
        }
        for game in games.iter_mut().filter(|game| game.end().is_none()) {
            game.fire(Side::B, &[target]).unwrap();
        }
    }
    usize::MAX
}

#[test]
fn with_announce_hit_no_answer_reveals_a_sinking() {
    for order in ["A1 A2 B1 B2", "A1 B1 A2 B2", "C1 A1 C2 B1 B2 A2", "B2 A1 B1 A2"] {
        assert_eq!(shots_until_distinguished("hit", order), usize::MAX, "{order}");
    }
    for announce in ANNOUNCE.into_iter().filter(|announce| announce.to_string() != "hit") {
        assert_eq!(shots_until_distinguished(&announce.to_string(), "A1 B1 A2 B2"), 2, "announce={announce}");
    }
}

#[test]
fn an_answer_that_the_rules_do_not_give_is_refused() {
    let check = |position: &str, reason: &str| {
        let error = position.parse::<Knowledge>().expect_err(position).to_string();
        assert!(error.contains(reason), "{position}: {error}");
    };
    check("4x3:3,2,announce=hit A1#", "no sinking is announced");
    check("4x3:3,2,announce=hit A1x:3", "a hit does not name its ship");
    check("4x3:3,2,announce=sunk A1#3", "the ship that sinks is not named");
    check("4x3:3,2,announce=which A1#", "the ship that sinks is named");
    check("4x3:3,2,announce=which A1x:3", "a hit does not name its ship");
    check("4x3:3,2,announce=named A1x", "a hit names its ship");
    check("4x3:3,2,announce=named A1#", "the ship that sinks is named");
    check("4x3:3,2 A1x A2#2 B1x B2#2", "shot 4: B2: no 2 is afloat any more");
    check("2x2:1,announce=sunk A1# A2x", "shot 2: A2: all 1 cells of the fleet have been hit before");
    check("3x2:2,1,announce=sunk A1# A2# B1#", "shot 2: A2: 2 ships are sunk with 2 of 3 cells hit");
    check("4x3:3,2 A1. A1.", "shot 2: A1 has been shot at before");
    check("4x3:3,2 A1. E1.", "shot 2: E1 is outside the 4x3 board");
}
