//! Fleets from raw placements: accepted exactly where a reference implementation accepts them.

use std::collections::BTreeSet;

use proptest::prelude::{prop_assert, prop_assert_eq, proptest};
use seabattle_core::{
    Cell, Fleet, FleetError, Orientation, Placement, Rules, SeededRng, Shape, Touching, Violation, ViolationKind,
    layout, uniform_below,
};

use crate::naive::{self, Point};
use crate::support::{any_rules, cases, pick, rules, seeds, some_fleet, stream};

/// The ships of a legal fleet, proposed as lines or as lists of cells, then perhaps corrupted.
fn some_proposal(rules: &Rules, rng: &mut SeededRng) -> Vec<Placement> {
    let fleet = some_fleet(rules, rng);
    let mut proposal: Vec<Placement> = Vec::new();
    for ship in fleet.ships() {
        let mut cells: Vec<Cell> = ship.cells().collect();
        let first = uniform_below(rng, cells.len());
        cells.rotate_left(first);
        proposal.push(match uniform_below(rng, 2) {
            0 => Placement::line(ship.class(), ship.start(), ship.orientation()),
            _ => Placement::cells(ship.class(), cells),
        });
    }
    for _ in 0..uniform_below(rng, 3) {
        let at = uniform_below(rng, proposal.len());
        match uniform_below(rng, 8) {
            0 if proposal.len() > 1 => drop(proposal.remove(at)),
            1 => proposal.push(proposal[at].clone()),
            2 => proposal[at].class = pick(&rules.class_ids().collect::<Vec<_>>(), rng),
            _ => corrupt_shape(rules, &mut proposal[at].shape, rng),
        }
    }
    proposal.rotate_left(uniform_below(rng, 2));
    proposal
}

fn corrupt_shape(rules: &Rules, shape: &mut Shape, rng: &mut SeededRng) {
    let near = Cell::new(
        uniform_below(rng, usize::from(rules.size().width()) + 2) as u8,
        uniform_below(rng, usize::from(rules.size().height()) + 2) as u8,
    );
    let far = Cell::new(250 + uniform_below(rng, 6) as u8, 250 + uniform_below(rng, 6) as u8);
    let elsewhere = if uniform_below(rng, 10) == 0 { far } else { near };
    match shape {
        Shape::Line { start, orientation } => match uniform_below(rng, 3) {
            0 => *start = elsewhere,
            1 => *orientation = orientation.turned(),
            _ => *start = start.step(pick(&Orientation::ALL, rng), 1).unwrap_or(*start),
        },
        Shape::Cells(cells) => match uniform_below(rng, 4) {
            0 => drop(cells.pop()),
            1 => cells.extend(cells.first().copied()),
            2 => cells.push(elsewhere),
            _ => cells.iter_mut().for_each(|cell| *cell = cell.step(Orientation::Down, 1).unwrap_or(*cell)),
        },
    }
}

/// The points that a placement names, in its order, with duplicates.
fn points(rules: &Rules, placement: &Placement) -> Vec<Point> {
    match &placement.shape {
        Shape::Cells(cells) => cells.iter().copied().map(naive::point).collect(),
        Shape::Line { start, orientation } => {
            let (col, row) = naive::point(*start);
            let steps = 0..i32::from(rules.class(placement.class).length());
            match orientation {
                Orientation::Across => steps.map(|step| (col + step, row)).collect(),
                Orientation::Down => steps.map(|step| (col, row + step)).collect(),
            }
        }
    }
}

fn on_board(rules: &Rules, (col, row): Point) -> bool {
    col < i32::from(rules.size().width()) && row < i32::from(rules.size().height())
}

fn is_straight_line(points: &[Point], length: u8) -> bool {
    let distinct: BTreeSet<Point> = points.iter().copied().collect();
    let spread = |values: BTreeSet<i32>| match (values.first(), values.last()) {
        (Some(first), Some(last)) => last - first + 1,
        _ => 0,
    };
    let cols = spread(points.iter().map(|point| point.0).collect());
    let rows = spread(points.iter().map(|point| point.1).collect());
    let length = i32::from(length);
    distinct.len() == points.len() && points.len() as i32 == length && cols.min(rows) == 1 && cols.max(rows) == length
}

fn naive_accepts(rules: &Rules, proposal: &[Placement]) -> bool {
    let ships: Vec<Vec<Point>> = proposal.iter().map(|placement| points(rules, placement)).collect();
    let shapes_are_good = proposal.iter().zip(&ships).all(|(placement, points)| {
        let length = rules.class(placement.class).length();
        points.iter().all(|&point| on_board(rules, point)) && is_straight_line(points, length)
    });
    let counts_are_right = rules.class_ids().all(|class| {
        proposal.iter().filter(|placement| placement.class == class).count() == usize::from(rules.class(class).count())
    });
    let all_agree =
        (0..ships.len()).all(|at| ships[..at].iter().all(|other| naive::agree(&ships[at], other, rules.touching())));
    shapes_are_good && counts_are_right && all_agree
}

/// Whether a violation is true of the proposal.
fn is_true(rules: &Rules, proposal: &[Placement], violation: &Violation) -> bool {
    let class = rules.class_named(&violation.ship).expect("a ship of the rules");
    let of = |name: &str| {
        let class = rules.class_named(name);
        proposal.iter().filter(move |placement| Some(placement.class) == class)
    };
    let covering = |name: &str, cell: Cell| {
        of(name).filter(|placement| points(rules, placement).contains(&naive::point(cell))).count()
    };
    let named = |cell: Cell| covering(&violation.ship, cell) > 0;
    let (given, due) = (of(&violation.ship).count(), usize::from(rules.class(class).count()));
    let lists = |corrupted: &dyn Fn(&[Cell]) -> bool| {
        of(&violation.ship).any(|placement| matches!(&placement.shape, Shape::Cells(cells) if corrupted(cells)))
    };
    match &violation.kind {
        ViolationKind::Outside { cell, size } => named(*cell) && !size.contains(*cell) && *size == rules.size(),
        ViolationKind::Overlap { cell, other } if *other == violation.ship => covering(other, *cell) > 1,
        ViolationKind::Overlap { cell, other } => named(*cell) && covering(other, *cell) > 0,
        ViolationKind::Touching { cell, other, other_cell } => {
            let near = !naive::agree(&[naive::point(*cell)], &[naive::point(*other_cell)], rules.touching());
            named(*cell) && covering(other, *other_cell) > 0 && near && cell != other_cell
        }
        ViolationKind::WrongLength { cell, given, length } => {
            named(*cell) && *length == rules.class(class).length() && *given != usize::from(*length)
        }
        ViolationKind::NotStraight { cell } => named(*cell),
        ViolationKind::Gap { cell } => lists(&|cells| !cells.contains(cell)),
        ViolationKind::Repeated { cell } => lists(&|cells| cells.iter().filter(|other| *other == cell).count() > 1),
        ViolationKind::NoCells => lists(&<[Cell]>::is_empty),
        ViolationKind::Missing { count } => given + usize::from(*count) == due,
        ViolationKind::TooMany { cell, allowed } => named(*cell) && usize::from(*allowed) == due && given > due,
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn a_fleet_is_accepted_exactly_where_a_naive_check_accepts_it(rules in any_rules(8), seed in seeds()) {
        let rng = &mut stream(seed);
        for _ in 0..5 {
            let proposal = some_proposal(&rules, rng);
            match Fleet::new(&rules, &proposal) {
                Ok(fleet) => {
                    prop_assert!(naive_accepts(&rules, &proposal), "accepted {:?}", proposal);
                    let proposed: BTreeSet<Point> =
                        proposal.iter().flat_map(|placement| points(&rules, placement)).collect();
                    let occupied: BTreeSet<Point> = fleet.occupied().iter().map(naive::point).collect();
                    prop_assert_eq!(occupied, proposed);
                }
                Err(FleetError { violations }) => {
                    prop_assert!(!naive_accepts(&rules, &proposal), "refused {:?}: {:?}", proposal, violations);
                    prop_assert!(!violations.is_empty());
                    let false_one = violations.iter().find(|violation| !is_true(&rules, &proposal, violation));
                    prop_assert!(false_one.is_none(), "{:?} is not true of {:?}", false_one, proposal);
                    let outside = |placement: &&Placement| points(&rules, placement).iter().any(|&at| !on_board(&rules, at));
                    let outside_count = violations.iter().filter(|one| matches!(one.kind, ViolationKind::Outside { .. })).count();
                    prop_assert_eq!(outside_count, proposal.iter().filter(outside).count(), "{:?}: {:?}", proposal, violations);
                }
            }
        }
    }

    #[test]
    fn the_order_of_the_ships_does_not_matter(rules in any_rules(8), seed in seeds()) {
        let rng = &mut stream(seed);
        let fleet = some_fleet(&rules, rng);
        let mut placements: Vec<Placement> =
            fleet.ships().iter().map(|ship| Placement::cells(ship.class(), ship.cells())).collect();
        placements.reverse();
        placements.rotate_left(uniform_below(rng, fleet.ships().len()));
        prop_assert_eq!(Fleet::new(&rules, &placements), Ok(fleet));
    }

    #[test]
    fn a_fleet_parses_what_it_prints(rules in any_rules(8), seed in seeds()) {
        let fleet = some_fleet(&rules, &mut stream(seed));
        prop_assert_eq!(Fleet::parse(&rules, &fleet.to_string()), Ok(fleet));
    }
}

#[test]
fn ships_reach_every_edge_of_the_board() {
    for text in ["7x5:4,1", "3x8:3,touching=forbidden", "10x10:5", "50x50:2", "16x8:3", "43x3:3,1"] {
        let rules = rules(text);
        let size = rules.size();
        for class in rules.class_ids() {
            let rest = usize::from(rules.class(class).length()) - 1;
            let (right, bottom) = (usize::from(size.width()) - 1, usize::from(size.height()) - 1);
            let across = (rest <= right).then(|| Cell::new((right - rest) as u8, bottom as u8));
            let down = (rest <= bottom).then(|| Cell::new(right as u8, (bottom - rest) as u8));
            for (start, orientation) in [(across, Orientation::Across), (down, Orientation::Down)] {
                let Some(start) = start else { continue };
                let ship = rules.ship(class, start, orientation);
                assert!(ship.is_within(size), "{text}: {start} {orientation}");
                assert_eq!(ship.cells().last(), Some(Cell::new(right as u8, bottom as u8)));
                let mut builder = seabattle_core::FleetBuilder::new(&rules);
                let placed = builder.place(&Placement::line(class, start, orientation));
                assert_eq!(placed, Ok(ship), "{text}: {start} {orientation}");
            }
        }
    }
}

#[test]
fn some_legal_fleet_covers_each_cell_of_the_board() {
    for touching in [Touching::Allowed, Touching::Corners, Touching::Forbidden] {
        let rules = rules(&format!("5x4:3,2,touching={touching}"));
        let mut covered = seabattle_core::CellSet::empty(rules.size());
        for fleet in layout::all(&rules) {
            covered |= fleet.occupied();
        }
        assert_eq!(covered.len(), rules.size().area(), "{touching}:\n{covered}");
    }
}

#[test]
fn a_ship_off_the_board_covers_only_cells_that_it_names() {
    let rules = rules("50x50:50");
    let class = rules.class_ids().next().unwrap();
    for (start, orientation) in [(Cell::new(250, 0), Orientation::Across), (Cell::new(0, 250), Orientation::Down)] {
        let ship = rules.ship(class, start, orientation);
        let wrapped: Vec<Cell> = rules.size().cells().filter(|&cell| ship.covers(cell)).collect();
        assert!(wrapped.is_empty(), "{orientation}: {ship:?} covers {wrapped:?}");
    }
}
