//! What a view reveals: nothing but the answers, and what is true of every fleet that gives them.

use std::collections::{HashMap, HashSet};

use seabattle_core::{
    BySide, Cell, CellSet, Fleet, Game, Glyphs, Knowledge, Rules, SeededRng, Shot, Side, TextBoard, Touching, layout,
    uniform_below,
};

use crate::support::{ANNOUNCE, TOUCHING, fleet, rules, stream};

/// All cells of the board in a random order.
fn shuffled(rules: &Rules, rng: &mut SeededRng) -> Vec<Cell> {
    let mut cells: Vec<Cell> = rules.size().cells().collect();
    for last in (1..cells.len()).rev() {
        cells.swap(last, uniform_below(rng, last + 1));
    }
    cells
}

/// Lets A fire at B in this order while B always misses. Returns what A sees at the end: shots, bytes and a drawing.
fn seen(own: &Fleet, target: Fleet, order: &[Cell]) -> (Vec<Shot>, String, Vec<String>) {
    let misses = (!own.occupied()).iter().collect::<Vec<_>>();
    let mut game = Game::new(BySide { a: own.clone(), b: target }, Side::A).unwrap();
    for (&target, &miss) in order.iter().zip(&misses) {
        if game.fire(Side::A, &[target]).is_ok() {
            let _ = game.fire(Side::B, &[miss]);
        }
    }
    let view = game.view(Side::A);
    let drawing = TextBoard::of_enemy(view.enemy()).lines(Glyphs::Unicode);
    (view.enemy().shots().to_vec(), format!("{view:?}"), drawing)
}

fn check_views(rules: &Rules, own: &Fleet, order: &[Cell]) {
    let mut groups: HashMap<Vec<Shot>, (String, Vec<String>)> = HashMap::new();
    let mut fleets = 0;
    for target in layout::all(rules) {
        fleets += 1;
        let (answers, bytes, drawing) = seen(own, target, order);
        let (first_bytes, first_drawing) = groups.entry(answers).or_insert_with(|| (bytes.clone(), drawing.clone()));
        assert_eq!(*first_bytes, bytes, "{rules}: equal answers, different views");
        assert_eq!(*first_drawing, drawing, "{rules}: equal answers, different boards");
    }
    let different: HashSet<&String> = groups.values().map(|(bytes, _)| bytes).collect();
    assert_eq!(different.len(), groups.len(), "{rules}: different answers, equal views");
    assert!(1 < groups.len() && groups.len() < fleets, "{rules}: {} groups of {fleets} fleets", groups.len());
}

#[test]
fn equal_answers_give_byte_equal_views_and_different_answers_do_not() {
    let mut rng = stream(1);
    for announce in ANNOUNCE {
        for touching in TOUCHING {
            let rules = rules(&format!("4x4:3,2,announce={announce},touching={touching}"));
            let own = fleet(&rules, "3 A1 across, 2 A3 across");
            for shots in [3, 6, 9] {
                check_views(&rules, &own, &shuffled(&rules, &mut rng)[..shots]);
            }
        }
    }
}

/// Counts of certain facts in positions, so that a test can require that the checks found something.
#[derive(Default)]
struct Findings {
    impossible: usize,
    ships_found: usize,
    sinkings_in_doubt: usize,
}

/// Checks every fact of a position against the fleets that give its answers.
fn check_position(knowledge: &Knowledge, consistent: &[&Fleet], findings: &mut Findings) {
    let rules = knowledge.rules();
    let impossible = knowledge.impossible();
    assert!(impossible.is_subset(knowledge.open()), "{knowledge}");
    findings.impossible += impossible.len();
    for sinking in knowledge.sinkings() {
        findings.ships_found += usize::from(sinking.cells.is_some());
        findings.sinkings_in_doubt += usize::from(sinking.cells.is_none());
        let apart = rules.touching() != Touching::Allowed;
        assert!(sinking.cells.is_some() || !apart, "{knowledge}: a ship that lies apart is a whole run of hits");
    }
    for fleet in consistent {
        let wrong = &impossible & fleet.occupied();
        assert!(wrong.is_empty(), "{knowledge}: {fleet} lies on {wrong:?}");
        check_sinkings(knowledge, fleet);
        for class in rules.class_ids() {
            let afloat = fleet.afloat(knowledge.hits()).filter(|ship| ship.class() == class).count();
            let known = knowledge.afloat(class);
            assert!(known.contains(&(afloat as u16)), "{knowledge}: {fleet} has {afloat} afloat, not {known:?}");
            assert_eq!(knowledge.may_be_afloat(class), *known.end() > 0);
        }
        let sunk = rules.ship_count() - fleet.afloat(knowledge.hits()).count();
        assert!(knowledge.ships_sunk().is_none_or(|known| known == sunk), "{knowledge}: {fleet} has {sunk} sunk");
        assert_eq!(knowledge.is_fleet_sunk(), sunk == rules.ship_count(), "{knowledge}: {fleet}");
        assert!(knowledge.sunk_cells().is_subset(&fleet.sunk_cells(knowledge.hits())), "{knowledge}: {fleet}");
    }
}

fn check_sinkings(knowledge: &Knowledge, fleet: &Fleet) {
    for sinking in knowledge.sinkings() {
        let ship = fleet.ship_at(sinking.cell).unwrap();
        let cells = CellSet::of(knowledge.rules().size(), ship.cells());
        assert!(sinking.class.is_none_or(|class| class == ship.class()), "{knowledge}: {fleet}, {sinking:?}");
        assert!(sinking.cells.as_ref().is_none_or(|known| *known == cells), "{knowledge}: {fleet}, {sinking:?}");
    }
}

/// Fires at some fleets, half of the shots on a ship, and checks the position after every shot.
fn check_deductions(rules: &Rules, targets: usize, findings: &mut Findings) {
    let fleets: Vec<Fleet> = layout::all(rules).collect();
    let mut rng = stream(fleets.len() as u64);
    for _ in 0..targets {
        let target = &fleets[uniform_below(&mut rng, fleets.len())];
        let mut knowledge = Knowledge::new(rules);
        let mut consistent: Vec<&Fleet> = fleets.iter().collect();
        while !knowledge.is_fleet_sunk() {
            let on_ships = knowledge.open() & target.occupied();
            let from = if uniform_below(&mut rng, 2) == 0 { &on_ships } else { knowledge.open() };
            let cell = from.nth(uniform_below(&mut rng, from.len())).unwrap();
            let outcome = target.answer(cell, knowledge.hits());
            consistent.retain(|fleet| fleet.answer(cell, knowledge.hits()) == outcome);
            knowledge.add(Shot { cell, outcome }).unwrap();
            check_position(&knowledge, &consistent, findings);
        }
    }
}

#[test]
fn what_is_deduced_is_true_of_every_fleet_that_gives_the_same_answers() {
    for start in ["4x4:3,2", "4x3:2,2,1", "5x3:3,1,1", "4x4:2,2", "3x4:3,3,2", "4x4:scout=2,guard=2,1", "6x2:4,2"] {
        for announce in ANNOUNCE {
            let mut findings = Findings::default();
            for touching in TOUCHING {
                if let Ok(rules) = format!("{start},announce={announce},touching={touching}").parse() {
                    check_deductions(&rules, 200, &mut findings);
                }
            }
            let tells_sinkings = announce.to_string() != "hit";
            assert!(findings.impossible > 0, "{start},announce={announce}");
            assert_eq!(findings.ships_found > 0, tells_sinkings, "{start},announce={announce}");
        }
    }
}

#[test]
fn the_cells_of_a_sunk_ship_stay_unknown_while_two_placements_fit() {
    let mut findings = Findings::default();
    check_deductions(&rules("4x4:3,2,announce=sunk"), 100, &mut findings);
    check_deductions(&rules("3x4:3,3,2"), 100, &mut findings);
    assert!(findings.sinkings_in_doubt > 100 && findings.ships_found > 100);
}
