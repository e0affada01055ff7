//! `checkerboard`: odd-colored cells at random, and the neighbors of hits from a stack.

use std::collections::HashSet;

use seabattle_bots::find;
use seabattle_core::{Rules, Seed, Side, Solo, layout};

use super::{cells, cells_from, check_start};

const FLEET: &str =
    "carrier A10 across, battleship J1 down, cruiser D5 across, submarine A1 across, destroyer I10 across";

#[test]
fn the_stack_is_taken_from_the_top() {
    let fired = cells_from("F5", "checkerboard", "classic", FLEET);
    // Neighbors are pushed west, east, north, south, so south comes first. E5 hits: its neighbors go on top, and
    // those of D5 after it. The sinking at D5 changes nothing.
    check_start(&fired, "F5 F6 F4 G5 E5 E6 E4 D5 D6 D4 C5");
    let next = fired[11];
    assert_eq!((next.col() + next.row()) % 2, 1, "the hunt continues at an odd cell, not at {next}");
}

#[test]
fn the_hunt_fires_at_odd_cells_only() {
    for seed in 0..100 {
        // One ship in the corner: all shots before its first cell are the hunt.
        let fired = cells("checkerboard", "10x10:2", "2 A1 across", seed);
        let first_hit = fired.iter().position(|cell| cell.to_string() == "B1").unwrap();
        assert!(fired[..=first_hit].iter().all(|cell| (cell.col() + cell.row()) % 2 == 1), "{fired:?}");
        let distinct: HashSet<_> = fired[..=first_hit].iter().collect();
        assert_eq!(distinct.len(), first_hit + 1);
    }
}

type Coordinates = (i32, i32);

/// The AI of the document under its own names, with corrected bounds in `adjacents`. It makes the same
/// random choices as the bot.
struct Ai {
    explored: HashSet<Coordinates>,
    searching_globally: bool,
    remaining: Vec<Coordinates>,
    stack: Vec<Coordinates>,
}

impl Ai {
    fn new() -> Self {
        let even = |n: i32| n % 2 == 0;
        let odd = |n: i32| n % 2 == 1;
        let all = (0..10).flat_map(|i| (0..10).map(move |j| (i, j)));
        let remaining = all.filter(|&(i, j)| even(i) && odd(j) || odd(i) && even(j)).collect();
        Self { explored: HashSet::new(), searching_globally: true, remaining, stack: Vec::new() }
    }

    fn adjacents((x, y): Coordinates) -> impl Iterator<Item = Coordinates> {
        let coords = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
        coords.into_iter().filter(|&(i, j)| (0..10).contains(&i) && (0..10).contains(&j))
    }

    fn add_to_local_search(&mut self, hit: Coordinates) {
        for a in Self::adjacents(hit).filter(|a| !self.explored.contains(a)) {
            self.stack.push(a);
            self.searching_globally = false;
            self.remaining.retain(|&elem| elem != a);
        }
    }

    fn search(&mut self, choice: Coordinates) -> Coordinates {
        assert!(self.remaining.contains(&choice), "{choice:?} is not one of {:?}", self.remaining);
        self.remaining.retain(|&elem| elem != choice);
        choice
    }

    fn local_search(&mut self, choice: Coordinates) -> Coordinates {
        while let Some(elem) = self.stack.pop() {
            if !self.explored.contains(&elem) {
                return elem;
            }
        }
        self.searching_globally = true;
        self.search(choice)
    }

    /// The cell where the AI fires. Where it chooses at random, it takes the choice of the bot.
    fn play_turn(&mut self, choice: Coordinates) -> Coordinates {
        if self.searching_globally { self.search(choice) } else { self.local_search(choice) }
    }
}

#[test]
fn no_shot_differs_from_the_program_of_the_document() {
    let rules = Rules::classic();
    for number in 0..500 {
        let seed = Seed::new(20).game(number);
        let mut game = Solo::new(layout::uniform(&rules, &mut seed.layout().rng()).unwrap());
        let mut bot = find("checkerboard").unwrap().make(&seed.side(Side::A));
        let mut ai = Ai::new();
        bot.start(&rules);
        while !game.is_over() {
            let cell = bot.shoot(&game.view());
            let chosen = (i32::from(cell.col()), i32::from(cell.row()));
            assert_eq!(ai.play_turn(chosen), chosen, "after {:?}", game.knowledge().shots());
            let outcome = game.fire(&[cell]).unwrap()[0].outcome;
            ai.explored.insert(chosen);
            if outcome.is_hit() {
                ai.add_to_local_search(chosen);
            }
        }
    }
}
