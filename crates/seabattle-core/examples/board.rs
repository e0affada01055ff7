//! A board from the first ship to the last shot: place, populate, fire, lost, with both views drawn.
//!
//! ```sh
//! cargo run -p seabattle-core --example board           # another board every time
//! cargo run -p seabattle-core --example board -- 7      # the board of seed 7
//! ```

use std::error::Error;
use std::hash::{BuildHasher, RandomState};

use seabattle_core::layout::LayoutError;
use seabattle_core::{
    Cell, Fleet, FleetBuilder, Glyphs, Outcome, Placement, Rules, Seed, SeededRng, Solo, TextBoard, layout,
    uniform_below,
};

/// Shots after which both views are drawn: enough to see something, too few to win.
const HALFWAY: usize = 40;

fn main() -> Result<(), Box<dyn Error>> {
    let seed = match std::env::args().nth(1) {
        Some(number) => number.parse()?,
        None => RandomState::new().hash_one("board"),
    };
    println!("seed {seed}\n");
    let mut rng = Seed::new(seed).rng();
    let rules = Rules::classic();

    let fleet = populate(&place(&rules)?, &mut rng)?;
    let mut game = Solo::new(fleet);
    for cell in ["A1", "A1", "K5", "F10"] {
        println!("{}", fire(&mut game, cell.parse()?));
    }
    while game.knowledge().shots().len() < HALFWAY {
        fire_at_random(&mut game, &mut rng);
    }
    println!("\nAfter {HALFWAY} shots the opponent sees");
    draw(&TextBoard::of_enemy(game.knowledge()));
    println!("and the owner sees");
    draw(&TextBoard::of_fleet(game.fleet(), game.knowledge()));

    while !has_lost(&game) {
        fire_at_random(&mut game, &mut rng);
    }
    println!("All ships are sunk after {} shots at random.", game.knowledge().shots().len());
    Ok(())
}

/// Two ships placed by hand, after two placements that are refused.
fn place(rules: &Rules) -> Result<FleetBuilder, Box<dyn Error>> {
    let mut board = FleetBuilder::new(rules);
    for text in ["carrier G10 across", "carrier F10 across", "destroyer H9 down", "destroyer A2 down"] {
        let placement = Placement::parse(rules, text)?;
        match board.place(&placement) {
            Ok(_) => println!("{text}: placed"),
            Err(refused) => println!("{text}: refused: {refused}"),
        }
    }
    Ok(board)
}

/// Places the rest of the fleet at random, ship by ship, around what is on the board already.
fn populate(board: &FleetBuilder, rng: &mut SeededRng) -> Result<Fleet, LayoutError> {
    layout::sequential_around(board, rng)
}

/// Fires and says what happened. A refused shot changes nothing.
fn fire(game: &mut Solo, cell: Cell) -> String {
    match game.fire(&[cell]) {
        Ok(shots) => match shots[0].outcome {
            Outcome::Miss => format!("{cell}: water"),
            Outcome::Hit(_) => format!("{cell}: hit"),
            Outcome::Sunk(_) => format!("{cell}: hit and sunk"),
        },
        Err(refused) => format!("refused: {refused}"),
    }
}

fn fire_at_random(game: &mut Solo, rng: &mut SeededRng) {
    let targets = game.view().targets().into_owned();
    if let Some(cell) = targets.nth(uniform_below(rng, targets.len())) {
        fire(game, cell);
    }
}

/// Whether the owner of the board has lost: every ship is sunk.
fn has_lost(game: &Solo) -> bool {
    game.is_over()
}

fn draw(board: &TextBoard) {
    println!("{}\n", board.lines(Glyphs::Unicode).join("\n"));
}

#[cfg(test)]
mod tests {
    use super::{fire, fire_at_random, has_lost, place, populate};
    use seabattle_core::{Rules, Seed, Solo};

    #[test]
    fn a_populated_board_keeps_the_ships_placed_by_hand_and_is_lost_when_all_are_sunk() {
        let mut rng = Seed::new(7).rng();
        let board = place(&Rules::classic()).unwrap();
        assert_eq!(board.ships().len(), 2, "the two legal placements, and neither of the others");
        let fleet = populate(&board, &mut rng).unwrap();
        assert!(board.ships().iter().all(|ship| fleet.ships().contains(ship)));

        let mut game = Solo::new(fleet);
        assert_eq!(fire(&mut game, "F10".parse().unwrap()), "F10: hit");
        assert!(fire(&mut game, "F10".parse().unwrap()).starts_with("refused"));
        for _ in 1..100 {
            assert!(!has_lost(&game) || game.knowledge().hits().len() == 17);
            fire_at_random(&mut game, &mut rng);
        }
        assert!(has_lost(&game));
    }
}
