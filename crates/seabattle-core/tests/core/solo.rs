//! Shooting alone at a fleet that does not shoot back.

use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use seabattle_core::{Cell, FireError, Knowledge, Shot, Solo, Turn, uniform_below};

use crate::support::{any_rules, cases, cell, cells, chance, fleet, rules, some_fleet, stream};

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_solo_game_answers_as_its_fleet_does_until_it_is_sunk(rules in any_rules(8), seed in chance()) {
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
