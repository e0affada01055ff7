//! The levels for people: evenly spaced, and never silly.

use seabattle_arena::Layouts;
use seabattle_bots::find;
use seabattle_core::{Cell, CellSet, Rules, Seed, Ship, Side, Solo, layout};

use crate::published;

const LEVELS: [&str; 3] = ["recruit", "sailor", "captain"];

#[test]
fn the_levels_are_evenly_spaced() {
    published::check(
        "classic",
        Layouts::Uniform,
        &[("recruit", 62.0, 1.0), ("sailor", 54.0, 1.0), ("captain", 49.0, 1.0)],
    );
}

/// Every level plays so many games; each shot is shown before it is fired.
fn watch_games(rules: &str, games: u64, look: &dyn Fn(&Solo, Cell)) {
    let rules: Rules = rules.parse().unwrap();
    for level in LEVELS {
        for number in 0..games {
            let seed = Seed::new(5).game(number);
            let mut bot = find(level).unwrap().make(&seed.side(Side::A));
            let mut game = Solo::new(layout::any(&rules, &mut seed.layout().rng()));
            bot.start(&rules);
            while !game.is_over() {
                let cell = bot.shoot(&game.view());
                look(&game, cell);
                game.fire(&[cell]).unwrap();
            }
        }
    }
}

/// The hits on ships that are hit and not sunk, ship by ship.
fn wounds(game: &Solo) -> Vec<CellSet> {
    let hits = game.knowledge().hits();
    let wound = |ship: &Ship| &CellSet::of_ship(hits.size(), ship) & hits;
    game.fleet().afloat(hits).map(wound).filter(|wound| !wound.is_empty()).collect()
}

#[test]
fn a_hit_ship_is_never_left_alone() {
    let rules = [
        "classic",
        "classic,announce=sunk",
        "classic,touching=corners,announce=named",
        "russian",
        "12x7:4,4,3,2,1,1",
        "50x50:12,5,3,1",
    ];
    for rules in rules {
        watch_games(rules, 30, &|game, cell| {
            let is_beside_a_hit = || game.knowledge().open_hits().beside().contains(cell);
            assert!(wounds(game).is_empty() || is_beside_a_hit(), "{cell} after {:?}", game.knowledge().shots());
        });
    }
}

#[test]
fn a_ship_is_followed_along_its_line() {
    for rules in ["classic,touching=forbidden", "russian", "9x9:5,4,3,touching=forbidden,announce=sunk"] {
        watch_games(rules, 30, &|game, cell| {
            let Some(wound) = wounds(game).into_iter().find(|wound| wound.len() > 1) else { return };
            let in_row = wound.iter().all(|hit| hit.row() == cell.row());
            let in_column = wound.iter().all(|hit| hit.col() == cell.col());
            assert!(in_row || in_column, "{cell} after {:?}", game.knowledge().shots());
        });
    }
}

#[test]
fn nothing_is_looked_for_beside_a_sunk_ship_that_none_touches() {
    for rules in ["russian", "classic,touching=forbidden", "8x8:4,3,2,2,1,touching=forbidden,announce=sunk"] {
        watch_games(rules, 30, &|game, cell| {
            let sunk = game.knowledge().sunk_cells();
            assert!(!sunk.grown().contains(cell), "{cell} after {:?}", game.knowledge().shots());
        });
    }
}
