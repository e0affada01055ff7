//! The levels for people are evenly spaced and never make a silly move.

use seabattle_arena::Layouts;
use seabattle_bots::find;
use seabattle_core::{Cell, CellSet, Rules, Seed, Ship, Side, Solo, layout};

use crate::published_means;

const LEVELS: [&str; 3] = ["recruit", "sailor", "captain"];

#[test]
fn the_levels_are_evenly_spaced() {
    published_means::check(
        "classic",
        Layouts::Uniform,
        &[("recruit", 62.0, 1.0), ("sailor", 54.0, 1.0), ("captain", 49.0, 1.0)],
    );
}

/// Every level plays some games. `inspect` sees each shot before it is fired.
fn for_each_shot(rules: &str, games: u64, inspect: &dyn Fn(&Solo, Cell)) {
    let rules: Rules = rules.parse().unwrap();
    for level in LEVELS {
        for number in 0..games {
            let seed = Seed::new(5).game(number);
            let mut bot = find(level).unwrap().make(&seed.side(Side::A));
            let mut game = Solo::new(layout::any(&rules, &mut seed.layout().rng()));
            bot.start(&rules);
            while !game.is_over() {
                let cell = bot.shoot(&game.view());
                inspect(&game, cell);
                game.fire(&[cell]).unwrap();
            }
        }
    }
}

/// The open hits of each ship that is hit and afloat.
fn open_hits_by_ship(game: &Solo) -> Vec<CellSet> {
    let hits = game.knowledge().hits();
    let open_hits = |ship: &Ship| &CellSet::of_ship(hits.size(), ship) & hits;
    game.fleet().afloat(hits).map(open_hits).filter(|open_hits| !open_hits.is_empty()).collect()
}

#[test]
fn every_shot_after_a_hit_is_beside_a_hit() {
    let rules = [
        "classic",
        "classic,announce=sunk",
        "classic,touching=corners,announce=named",
        "russian",
        "12x7:4,4,3,2,1,1",
        "50x50:12,5,3,1",
    ];
    for rules in rules {
        for_each_shot(rules, 30, &|game, cell| {
            let is_beside_a_hit = || game.knowledge().open_hits().beside().contains(cell);
            assert!(
                open_hits_by_ship(game).is_empty() || is_beside_a_hit(),
                "{cell} after {:?}",
                game.knowledge().shots()
            );
        });
    }
}

#[test]
fn a_ship_is_followed_along_its_line() {
    for rules in ["classic,touching=forbidden", "russian", "9x9:5,4,3,touching=forbidden,announce=sunk"] {
        for_each_shot(rules, 30, &|game, cell| {
            let Some(open_hits) = open_hits_by_ship(game).into_iter().find(|open_hits| open_hits.len() > 1) else {
                return;
            };
            let in_row = open_hits.iter().all(|hit| hit.row() == cell.row());
            let in_column = open_hits.iter().all(|hit| hit.col() == cell.col());
            assert!(in_row || in_column, "{cell} after {:?}", game.knowledge().shots());
        });
    }
}

#[test]
fn no_shot_is_next_to_a_sunk_ship_where_ships_may_not_touch() {
    for rules in ["russian", "classic,touching=forbidden", "8x8:4,3,2,2,1,touching=forbidden,announce=sunk"] {
        for_each_shot(rules, 30, &|game, cell| {
            let sunk = game.knowledge().sunk_cells();
            assert!(!sunk.grown().contains(cell), "{cell} after {:?}", game.knowledge().shots());
        });
    }
}
