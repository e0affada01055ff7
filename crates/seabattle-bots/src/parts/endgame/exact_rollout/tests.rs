//! Shots that are weighed, against games one by one.

use seabattle_core::{Cell, Fleet, Knowledge, Rules, Seed, Solo, layout};
use seabattle_network::PolicyNetwork;
use seabattle_odds::ConsistentLayouts;

use super::{ExactRollout, RolloutCache, RolloutLimits, RolloutPosition};
use crate::parts::endgame::layout_table::LayoutTable;
use crate::parts::endgame::tests::by_answer;
use crate::parts::endgame::{Endgame, EndgameLimits, MOST_LAYOUTS};

const LAST: EndgameLimits = EndgameLimits { layouts: 20, exact: 12, exact_ahead: 0, widths: &[6, 3], steps: 10_000 };
const WEIGHED: RolloutLimits = RolloutLimits { layouts: 300, share: 8, width: 3, logit_margin: 10.0, evaluations: 100 };

fn rules() -> Rules {
    "classic,touching=forbidden".parse().unwrap()
}

/// Positions of a game in which so many layouts fit that shots are weighed, and few enough for a test.
fn weighed_positions(game: u64) -> Vec<Knowledge> {
    let rules = rules();
    let network = PolicyNetwork::trained_for(&rules).unwrap();
    let mut solo = Solo::new(layout::any(&rules, &mut Seed::new(game).rng()));
    let mut found = Vec::new();
    while !solo.is_over() {
        if ConsistentLayouts::of(solo.knowledge(), WEIGHED.layouts).is_some_and(|layouts| layouts.len() > LAST.layouts)
        {
            found.push(solo.knowledge().clone());
        }
        let output = network.evaluate(solo.knowledge()).unwrap();
        let cell = output.best(|cell| solo.knowledge().open().contains(cell)).unwrap();
        solo.fire(&[cell]).unwrap();
    }
    found
}

/// Misses over some fleets when the network shoots as it is followed.
fn followed(knowledge: &Knowledge, fleets: &[Fleet], first: Option<Cell>) -> u32 {
    let all = fleets.len();
    if all < 2 {
        return 0;
    }
    if first.is_none() && all <= LAST.layouts {
        let fitting = ConsistentLayouts::of(knowledge, all).unwrap();
        return (Endgame::new(LAST).search_sized(knowledge, &fitting).unwrap().misses * all as f64).round() as u32;
    }
    let count = |cell: Cell| fleets.iter().filter(|fleet| fleet.ship_at(cell).is_some()).count();
    let open = || knowledge.open().iter();
    let certain = || open().find(|&cell| count(cell) == all);
    let by_policy = || {
        let output = PolicyNetwork::trained_for(knowledge.rules()).unwrap().evaluate_once(knowledge).unwrap();
        let uncertain = |cell| knowledge.open().contains(cell) && count(cell) > 0;
        output.best_with(uncertain, |seen| count(seen.cell) as f32 / all as f32).unwrap()
    };
    let cell = first.or_else(certain).unwrap_or_else(by_policy);
    let mut sum = 0;
    for (outcome, fleets, next) in by_answer(knowledge, fleets, cell) {
        let missed = if outcome.is_hit() { 0 } else { fleets.len() as u32 };
        sum += missed + followed(&next, &fleets, None);
    }
    sum
}

#[test]
fn misses_are_those_of_games_against_every_layout() {
    let knowledge = weighed_positions(3).into_iter().next().unwrap();
    let fitting = ConsistentLayouts::of(&knowledge, MOST_LAYOUTS).unwrap();
    let rules = rules();
    let fleets: Vec<Fleet> = fitting.iter().map(|ships| Fleet::of_ships(&rules, ships.to_vec()).unwrap()).collect();
    let table = LayoutTable::<16>::in_row_order(&knowledge, &fitting).unwrap();
    let network = PolicyNetwork::trained_for(&rules).unwrap();
    let mut cache = RolloutCache::default();
    let mut rollout = ExactRollout { network, table: &table, last: LAST, cache: &mut cache, evaluations: usize::MAX };
    let now = RolloutPosition::new(&knowledge, table.all());
    for at in (0..table.spots.len()).step_by(9) {
        let cell = rules.size().cell(usize::from(table.spots[at].cell));
        let expected = followed(&knowledge, &fleets, Some(cell));
        assert_eq!(rollout.misses_after(&now, at).unwrap(), expected, "{cell}");
    }
}

#[test]
fn what_is_remembered_of_a_game_changes_no_shot() {
    let network = PolicyNetwork::trained_for(&rules()).unwrap();
    let mut remembering = Endgame::with_rollout(network, LAST, WEIGHED);
    let positions = weighed_positions(5);
    assert!(positions.len() > 2, "{}", positions.len());
    for knowledge in positions {
        let fresh = Endgame::with_rollout(network, LAST, WEIGHED).best_shot(&knowledge);
        assert!(fresh.is_some());
        assert_eq!(remembering.best_shot(&knowledge), fresh, "{knowledge}");
    }
}

#[test]
fn many_layouts_are_left_to_the_network() {
    let network = PolicyNetwork::trained_for(&rules()).unwrap();
    assert_eq!(Endgame::with_rollout(network, LAST, WEIGHED).best_shot(&Knowledge::new(&rules())), None);
}
