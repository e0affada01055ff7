//! Exact rollouts, compared with games against every layout one by one.

use seabattle_core::{Cell, Fleet, Knowledge, Rules, Seed, Solo, layout};
use seabattle_network::PolicyNetwork;
use seabattle_odds::ConsistentLayouts;

use super::{ExactRollout, RolloutCache, RolloutLimits, RolloutPosition};
use crate::parts::endgame::layout_table::LayoutTable;
use crate::parts::endgame::tests::by_answer;
use crate::parts::endgame::{Endgame, EndgameLimits, MAX_LAYOUTS};

const SEARCH_LIMITS: EndgameLimits =
    EndgameLimits { max_layouts: 20, max_exact: 12, widths: &[6, 3], max_steps: 10_000 };
const ROLLOUT_LIMITS: RolloutLimits =
    RolloutLimits { max_layouts: 300, search_share: 8, width: 3, logit_margin: 10.0, max_evaluations: 100 };

fn rules() -> Rules {
    "classic,touching=forbidden".parse().unwrap()
}

/// The positions of a game with enough layouts for a rollout, and few enough for a test.
fn rollout_positions(game: u64) -> Vec<Knowledge> {
    let rules = rules();
    let network = PolicyNetwork::trained_for(&rules).unwrap();
    let mut solo = Solo::new(layout::any(&rules, &mut Seed::new(game).rng()));
    let mut found = Vec::new();
    while !solo.is_over() {
        if ConsistentLayouts::of(solo.knowledge(), ROLLOUT_LIMITS.max_layouts)
            .is_some_and(|layouts| layouts.len() > SEARCH_LIMITS.max_layouts)
        {
            found.push(solo.knowledge().clone());
        }
        let output = network.evaluate(solo.knowledge()).unwrap();
        let cell = output.best(|cell| solo.knowledge().open().contains(cell)).unwrap();
        solo.fire(&[cell]).unwrap();
    }
    found
}

/// The misses over some fleets if the network shoots, by playing every game.
fn misses_by_policy(knowledge: &Knowledge, fleets: &[Fleet], first: Option<Cell>) -> u32 {
    let layout_count = fleets.len();
    if layout_count < 2 {
        return 0;
    }
    if first.is_none() && layout_count <= SEARCH_LIMITS.max_layouts {
        let layouts = ConsistentLayouts::of(knowledge, layout_count).unwrap();
        return (Endgame::new(SEARCH_LIMITS).search(knowledge, &layouts).unwrap().misses * layout_count as f64).round()
            as u32;
    }
    let count = |cell: Cell| fleets.iter().filter(|fleet| fleet.ship_at(cell).is_some()).count();
    let open = || knowledge.open().iter();
    let certain = || open().find(|&cell| count(cell) == layout_count);
    let by_policy = || {
        let output = PolicyNetwork::trained_for(knowledge.rules()).unwrap().evaluate_once(knowledge).unwrap();
        let uncertain = |cell| knowledge.open().contains(cell) && count(cell) > 0;
        output.best_with(uncertain, |candidate| count(candidate.cell) as f32 / layout_count as f32).unwrap()
    };
    let cell = first.or_else(certain).unwrap_or_else(by_policy);
    let mut sum = 0;
    for (outcome, fleets, next) in by_answer(knowledge, fleets, cell) {
        let missed = if outcome.is_hit() { 0 } else { fleets.len() as u32 };
        sum += missed + misses_by_policy(&next, &fleets, None);
    }
    sum
}

#[test]
fn misses_equal_those_of_games_against_every_layout() {
    let knowledge = rollout_positions(3).into_iter().next().unwrap();
    let layouts = ConsistentLayouts::of(&knowledge, MAX_LAYOUTS).unwrap();
    let rules = rules();
    let fleets: Vec<Fleet> = layouts.iter().map(|ships| Fleet::of_ships(&rules, ships.to_vec()).unwrap()).collect();
    let table = LayoutTable::<16>::in_row_order(&knowledge, &layouts).unwrap();
    let network = PolicyNetwork::trained_for(&rules).unwrap();
    let mut cache = RolloutCache::default();
    let mut rollout = ExactRollout {
        network,
        table: &table,
        search_limits: SEARCH_LIMITS,
        cache: &mut cache,
        evaluations: usize::MAX,
    };
    let root = RolloutPosition::new(&knowledge, table.all_layouts());
    for index in (0..table.covered_cells.len()).step_by(9) {
        let cell = rules.size().cell(usize::from(table.covered_cells[index].number));
        let expected = misses_by_policy(&knowledge, &fleets, Some(cell));
        assert_eq!(rollout.misses_after(&root, index).unwrap(), expected, "{cell}");
    }
}

#[test]
fn the_rollout_cache_changes_no_shot() {
    let network = PolicyNetwork::trained_for(&rules()).unwrap();
    let mut with_cache = Endgame::with_rollout(network, SEARCH_LIMITS, ROLLOUT_LIMITS);
    let positions = rollout_positions(5);
    assert!(positions.len() > 2, "{}", positions.len());
    for knowledge in positions {
        let without_cache = Endgame::with_rollout(network, SEARCH_LIMITS, ROLLOUT_LIMITS).best_shot(&knowledge);
        assert!(without_cache.is_some());
        assert_eq!(with_cache.best_shot(&knowledge), without_cache, "{knowledge}");
    }
}

#[test]
fn with_too_many_layouts_there_is_no_answer() {
    let network = PolicyNetwork::trained_for(&rules()).unwrap();
    assert_eq!(
        Endgame::with_rollout(network, SEARCH_LIMITS, ROLLOUT_LIMITS).best_shot(&Knowledge::new(&rules())),
        None
    );
}
