//! Violations: each names its ship and cell, all are reported at once, and a builder stays unchanged.

use seabattle_core::{Fleet, FleetBuilder, Placement, Rules, Violation, ViolationKind};

use crate::support::{cell, fleet, rules};

fn placements(rules: &Rules, ships: &[&str]) -> Vec<Placement> {
    ships.iter().map(|ship| Placement::parse(rules, ship).unwrap_or_else(|error| panic!("{ship}: {error}"))).collect()
}

fn check(text: &str, ships: &[&str], reasons: &[&str]) {
    let rules = rules(text);
    let refused = Fleet::new(&rules, &placements(&rules, ships)).expect_err(text);
    let messages: Vec<String> = refused.violations.iter().map(Violation::to_string).collect();
    assert_eq!(messages, reasons, "{text}: {ships:?}");
    assert_eq!(refused.to_string(), reasons.join("; "));
}

#[test]
fn every_violation_names_its_ship_and_its_cell() {
    check("4x4:3", &["3 C2 across"], &["3: E2 is outside the 4x4 board"]);
    check("4x4:3", &["3 B3 down"], &["3: B5 is outside the 4x4 board"]);
    check("4x4:3", &["3 D5 E5 C5"], &["3: C5 is outside the 4x4 board"]);
    check("4x4:3,2", &["3 A1 across", "2 B1 down"], &["2: B1 is taken by the 3"]);
    check("4x4:3,2", &["2 B1 down", "3 A2 across"], &["3: B2 is taken by the 2"]);
    let near = "4x4:3,2,touching=corners";
    check(near, &["3 A1 across", "2 C2 down"], &["2: C2 touches the 3 at C1"]);
    let far = "4x4:3,2,touching=forbidden";
    check(far, &["3 A1 across", "2 D2 down"], &["2: D2 touches the 3 at C1"]);
    check("4x4:3", &["3 A1 B1"], &["3: 2 cells from A1, but it has 3"]);
    check("4x4:3", &["3 D1 C1 B1 A1"], &["3: 4 cells from A1, but it has 3"]);
    check("4x4:3", &["3 A1 A2 B2"], &["3: B2 is not in line with the cells before it"]);
    check("4x4:3", &["3 A1 B2 C3"], &["3: B2 is not in line with the cells before it"]);
    check("4x4:3", &["3 A1 B1 D1"], &["3: there is a gap at C1"]);
    check("4x4:3", &["3 B4 B1 B2"], &["3: there is a gap at B3"]);
    check("4x4:2", &["2 A1 A2 A1"], &["2: A1 is named twice"]);
    check("4x4:3,2", &["3 A1 across"], &["2: 1 not placed"]);
    check("4x4:2,2,2", &["2 A1 down"], &["2: 2 not placed"]);
    check("4x4:2,1", &["2 A1 down", "1 D4", "1 B4"], &["1: one too many at B4, the fleet has 1"]);
}

#[test]
fn violations_are_values() {
    let rules = rules("4x4:3,2,touching=forbidden");
    let violations = |ships: &[Placement]| Fleet::new(&rules, ships).unwrap_err().violations;
    let [three, two] = [0, 1].map(|at| rules.class_ids().nth(at).unwrap());
    let violation = |ship: &str, kind: ViolationKind| Violation { ship: ship.to_owned(), kind };
    let nowhere = violations(&[Placement::cells(three, []), Placement::cells(two, [cell("A1"), cell("B1")])]);
    assert_eq!(nowhere, [violation("3", ViolationKind::NoCells)]);
    let near = violations(&placements(&rules, &["2 A1 across", "3 B2 across"]));
    let touching = ViolationKind::Touching { cell: cell("B2"), other: "2".to_owned(), other_cell: cell("A1") };
    assert_eq!(near, [violation("3", touching)]);
    let outside = violations(&placements(&rules, &["2 A1 across", "3 A3 down"]));
    assert_eq!(outside, [violation("3", ViolationKind::Outside { cell: cell("A5"), size: rules.size() })]);
    let none = violations(&[]);
    assert_eq!(
        none,
        [violation("3", ViolationKind::Missing { count: 1 }), violation("2", ViolationKind::Missing { count: 1 })]
    );
}

#[test]
fn all_violations_are_reported_at_once() {
    check(
        "5x5:4,3,2,1",
        &["4 A1 across", "3 D1 across", "2 B1 down"],
        &["3: F1 is outside the 5x5 board", "3: D1 is taken by the 4", "2: B1 is taken by the 4", "1: 1 not placed"],
    );
    check(
        "5x5:3,2,1,touching=forbidden",
        &["3 A1 B1 E1 E1", "2 C3 across", "2 D4 across", "1 D2"],
        &[
            "3: E1 is named twice",
            "3: there is a gap at C1",
            "2: one too many at D4, the fleet has 1",
            "2: D4 touches the 2 at C3",
            "1: D2 touches the 2 at C3",
        ],
    );
    check(
        "3x3:2,2",
        &["2 C3 F3 G3", "2 A1 A1"],
        &[
            "2: there is a gap at D3",
            "2: 3 cells from C3, but it has 2",
            "2: F3 is outside the 3x3 board",
            "2: A1 is named twice",
            "2: 1 cells from A1, but it has 2",
        ],
    );
    check(
        "5x5:3,2,1",
        &["3 A1 across", "2 A1 across", "1 B1"],
        &["2: A1 is taken by the 3", "1: B1 is taken by the 3", "1: B1 is taken by the 2"],
    );
}

#[test]
fn a_ship_too_many_is_reported_even_where_its_cells_make_no_ship() {
    check(
        "4x4:3",
        &["3 A1 across", "3 A3 B3 D3"],
        &["3: one too many at A3, the fleet has 1", "3: there is a gap at C3"],
    );
}

#[test]
fn a_ship_outside_is_never_said_to_overlap() {
    for touching in ["allowed", "corners", "forbidden"] {
        let rules = format!("4x4:2,1,touching={touching}");
        check(&rules, &["1 A2", "2 D1 across"], &["2: E1 is outside the 4x4 board"]);
        check(&rules, &["1 A1", "2 D4 down"], &["2: D5 is outside the 4x4 board"]);
        check(&rules, &["1 A1", "2 IV256 across"], &["2: IV256 is outside the 4x4 board"]);
    }
}

#[test]
fn touching_depends_on_the_switch() {
    let legal = |touching: &str, ships: &[&str]| {
        let rules = rules(&format!("4x4:2,1,touching={touching}"));
        Fleet::new(&rules, &placements(&rules, ships)).is_ok()
    };
    //                       side by side          corner to corner      one cell apart
    let ships = [["2 B2 down", "1 C3"], ["2 B2 down", "1 C4"], ["2 B2 down", "1 D2"]];
    assert_eq!(ships.map(|ships| legal("allowed", &ships)), [true, true, true]);
    assert_eq!(ships.map(|ships| legal("corners", &ships)), [false, true, true]);
    assert_eq!(ships.map(|ships| legal("forbidden", &ships)), [false, false, true]);
}

/// A builder of the fleet 3,2,2 with a 3 and a 2 already placed.
fn begun() -> FleetBuilder {
    let rules = rules("4x4:3,2,2,touching=corners");
    let mut builder = FleetBuilder::new(&rules);
    for placement in placements(&rules, &["3 A1 across", "2 D2 down"]) {
        builder.place(&placement).unwrap();
    }
    builder
}

#[test]
fn a_builder_becomes_a_fleet_ship_by_ship() {
    let mut builder = begun();
    let rules = builder.rules().clone();
    let missing =
        |builder: &FleetBuilder| -> Vec<u16> { rules.class_ids().map(|class| builder.missing(class)).collect() };
    assert_eq!(missing(&builder), [0, 1]);
    assert!(!builder.is_complete());
    assert_eq!(builder.fleet().unwrap_err().to_string(), "2: 1 not placed");
    let last = Placement::parse(&rules, "2 A4 B4").unwrap();
    assert_eq!(builder.violations(&last), []);
    let ship = builder.place(&last).unwrap();
    assert_eq!((ship.start(), missing(&builder)), (cell("A4"), vec![0, 0]));
    assert!(builder.is_complete());
    let complete = fleet(&rules, "2 A4 across, 3 A1 across, 2 D2 down");
    assert_eq!(builder.fleet().as_ref(), Ok(&complete));
    assert_eq!(FleetBuilder::from(&complete).fleet(), Ok(complete));
}

#[test]
fn ships_can_be_removed() {
    let mut builder = begun();
    let [three, two] = [0, 1].map(|at| builder.ships()[at]);
    assert_eq!(builder.remove(cell("A2")), None);
    assert_eq!(builder.ships(), [three, two]);
    assert_eq!(builder.remove(cell("C1")), Some(three));
    assert_eq!(builder.ships(), [two]);
    assert_eq!(builder.missing(three.class()), 1);
    assert_eq!(builder.take_back(), Some(two));
    assert_eq!(builder.take_back(), None);
    let mut builder = begun();
    assert_eq!(builder.take_back(), Some(two));
    assert_eq!(builder.ships(), [three]);
    builder.clear();
    assert_eq!(builder, FleetBuilder::new(&rules("4x4:3,2,2,touching=corners")));
    assert_eq!(builder.fleet().unwrap_err().to_string(), "3: 1 not placed; 2: 2 not placed");
}

#[test]
fn a_refused_ship_changes_nothing_in_a_builder() {
    let check = |ship: &str, reasons: &str| {
        let mut builder = begun();
        let before = builder.clone();
        let placement = Placement::parse(before.rules(), ship).unwrap();
        let refused = builder.place(&placement).expect_err(ship);
        assert_eq!(refused.to_string(), reasons, "{ship}");
        assert_eq!(before.violations(&placement), refused.violations);
        assert_eq!(builder, before, "{ship}");
    };
    check("2 A4 down", "2: A5 is outside the 4x4 board");
    check("2 D3 down", "2: D3 is taken by the 2");
    check("2 A2 down", "2: A2 touches the 3 at A1");
    check("2 D1 across", "2: E1 is outside the 4x4 board; 2: D1 touches the 3 at C1; 2: D1 touches the 2 at D2");
    check("3 A4 across", "3: one too many at A4, the fleet has 1");
    check("2 A3 C3", "2: there is a gap at B3");
    check("2 A3 B3 A3", "2: A3 is named twice");
}

#[test]
fn a_hostile_list_of_ships_is_refused_with_a_short_error() {
    let rules = rules("50x50:1");
    let ships = vec!["1 A1"; 2500].join(",");
    let Err(seabattle_core::ParseFleetError::Illegal(refused)) = Fleet::parse(&rules, &ships) else {
        panic!("2500 ships instead of one are refused");
    };
    let count = refused.violations.len();
    assert!(count <= 25_000, "{count} violations for {} bytes", ships.len());
}
