//! Solo games: one player shoots at a fleet that does not shoot back.

use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use seabattle_core::{
    BySide, Cell, End, FireError, Fleet, Knowledge, Record, Rules, SeededRng, Shot, Side, Solo, Termination, Turn,
    uniform_below,
};

use crate::support::{any_rules, cases, cell, cells, fleet, rules, seeds, some_fleet, stream};

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_solo_game_answers_as_its_fleet_does_until_it_is_sunk(rules in any_rules(8), seed in seeds()) {
        let rng = &mut stream(seed);
        let target = some_fleet(&rules, rng);
        let mut solo = Solo::new(target.clone());
        let mut expected = Knowledge::new(&rules);
        while !expected.is_fleet_sunk() {
            let most = match rules.turn() {
                Turn::Alternate | Turn::AgainOnHit => 1,
                Turn::Salvo(shots) => usize::from(shots),
                Turn::SalvoOfShipsAfloat => rules.ship_count(),
            };
            prop_assert_eq!((solo.is_over(), solo.shots_due()), (false, most.min(expected.open().len())));
            let mut volley = Vec::new();
            for _ in 0..solo.shots_due() {
                let open = expected.open();
                let cell = open.nth(uniform_below(rng, open.len())).unwrap();
                expected.add(Shot { cell, outcome: target.answer(cell, expected.hits()) }).unwrap();
                volley.push(cell);
            }
            let shots = solo.fire(&volley).map(<[Shot]>::to_vec);
            prop_assert_eq!(&shots.unwrap()[..], &expected.shots()[expected.shots().len() - volley.len()..]);
            prop_assert_eq!(solo.knowledge(), &expected);
            prop_assert_eq!(solo.view().enemy(), &expected);
        }
        prop_assert_eq!((solo.is_over(), solo.shots_due()), (true, 0));
        prop_assert_eq!(solo.fire(&[Cell::new(0, 0)]), Err(FireError::Over));
        prop_assert!(solo.view().own().is_none());
    }

    #[test]
    fn the_record_of_a_solo_game_reads_what_it_prints(rules in any_rules(8), seed in seeds(), volleys in 0..80_usize) {
        let game = some_solo_game(&rules, volleys, &mut stream(seed));
        let record = Record::of_solo(&game, BySide { a: "anna", b: "uniform layout" }, Some(seed));
        let text = record.to_string();
        prop_assert_eq!(text.parse(), Ok(record.clone()), "{}", text);
        let shots: Vec<Shot> = record.turns().iter().flat_map(|(_, shots)| shots.clone()).collect();
        prop_assert_eq!(&shots, game.knowledge().shots());
        prop_assert!(record.volleys().all(|(side, _)| side == Side::A));
        prop_assert_eq!((record.is_solo(), record.shooters(), record.replay()), (true, &[Side::A][..], None));
        prop_assert_eq!(record.fleets(), BySide { a: None, b: Some(game.fleet()) });
        let won = End { winner: Some(Side::A), termination: Termination::Sunk };
        prop_assert_eq!(record.end(), game.is_over().then_some(won));
    }
}

/// A solo game of at most this many volleys at random cells.
fn some_solo_game(rules: &Rules, volleys: usize, rng: &mut SeededRng) -> Solo {
    let fleet: Fleet = some_fleet(rules, rng);
    let mut game = Solo::new(fleet);
    for _ in 0..volleys {
        let mut open: Vec<Cell> = game.knowledge().open().iter().collect();
        let volley: Vec<Cell> =
            (0..game.shots_due()).map(|_| open.swap_remove(uniform_below(rng, open.len()))).collect();
        if volley.is_empty() || game.fire(&volley).is_err() {
            break;
        }
    }
    game
}

#[test]
fn a_solo_record_that_breaks_the_rules_is_refused() {
    let check = |tags: &str, rounds: &str, why: &str| {
        let text = format!("[Seabattle \"1\"]\n[Rules \"3x1:2\"]\n[First \"A\"]\n{tags}\n\n{rounds}\n");
        let read = text.parse::<Record>().map(|record| record.to_string());
        assert_eq!(read.map_err(|error| error.to_string()).err().as_deref(), Some(why), "{text}");
    };
    let going_on = "[Solo \"yes\"]\n[Result \"*\"]";
    check(going_on, "1. A A1.\n2. A A1.", "line 8: A1 has been shot at before");
    check(going_on, "1. A A1. B A1.", "line 7: it is not B's turn");
    check(going_on, "1. A A1. B1x", "line 7: the number of shots in this turn is 1, not 2");
    check(going_on, "1. A B1x\n2. A C1#2\n3. A A1.", "line 9: the game was over before this shot");
    check("[Result \"*\"]", "1. A A1.\n2. A B1x", "line 7: it is not A's turn");
    check("[Solo \"no\"]\n[Result \"*\"]", "1. A A1.", "line 4: Solo is yes, or left out");
    check(
        "[Solo \"yes\"]\n[Result \"B\"]\n[Ended \"sunk\"]",
        "1. A B1x\n2. A C1#2",
        "line 9: the shots end with Result \"A\" and Ended \"sunk\", but the tags name another result",
    );
}

#[test]
fn a_refused_volley_changes_nothing() {
    let rules = rules("3x2:2,1,turn=salvo");
    let mut solo = Solo::new(fleet(&rules, "2 A1 across, 1 C2"));
    solo.fire(&cells("A1 A2")).unwrap();
    let check = |volley: &str, why: FireError| {
        let mut tried = solo.clone();
        assert_eq!(tried.fire(&cells(volley)), Err(why), "{volley}");
        assert_eq!(tried, solo, "{volley}");
    };
    check("B1", FireError::WrongCount { due: 2, given: 1 });
    check("B1 B2 C1", FireError::WrongCount { due: 2, given: 3 });
    check("B1 D1", FireError::Outside { cell: cell("D1"), size: rules.size() });
    check("B1 A1", FireError::Repeated { cell: cell("A1") });
    check("B1 B1", FireError::Repeated { cell: cell("B1") });
}
