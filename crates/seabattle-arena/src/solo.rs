//! Solo games: one bot shoots at a fleet that does not shoot back.

use seabattle_core::{Bot, Fleet, Solo};

use crate::IllegalShot;

/// Plays a solo game until the fleet is sunk or the bot fires an illegal shot.
pub fn solo(bot: &mut dyn Bot, fleet: Fleet) -> Result<Solo, IllegalShot> {
    bot.start(fleet.rules());
    let mut game = Solo::new(fleet);
    let mut volley = Vec::new();
    while !game.is_over() {
        volley.clear();
        for _ in 0..game.shots_due() {
            let cell = bot.shoot(&game.view().aiming(&volley));
            volley.push(cell);
        }
        if let Err(why) = game.fire(&volley) {
            return Err(IllegalShot::new(&volley, why, game.knowledge()));
        }
    }
    bot.finish(&game.view(), Some(game.fleet()));
    Ok(game)
}

#[cfg(test)]
mod tests {
    use super::solo;
    use seabattle_core::{Bot, Cell, Fleet, Rules, View};

    /// A bot that fires at the same cells over and over.
    struct Stubborn {
        cells: Vec<Cell>,
        next: usize,
    }

    impl Bot for Stubborn {
        fn start(&mut self, _rules: &Rules) {}

        fn place(&mut self, rules: &Rules) -> Fleet {
            Fleet::parse(rules, "2 A1 across").unwrap()
        }

        fn shoot(&mut self, _view: &View<'_>) -> Cell {
            self.next += 1;
            self.cells[(self.next - 1) % self.cells.len()]
        }
    }

    fn check(cells: &[&str], expected: &str) {
        let rules: Rules = "3x1:2".parse().unwrap();
        let cells = cells.iter().map(|cell| cell.parse().unwrap()).collect();
        let fleet = Fleet::parse(&rules, "2 A1 across").unwrap();
        let result = match solo(&mut Stubborn { cells, next: 0 }, fleet) {
            Ok(game) => format!("{} shots", game.knowledge().shots().len()),
            Err(fault) => fault.to_string(),
        };
        assert_eq!(result, expected);
    }

    #[test]
    fn a_game_alone_always_ends() {
        check(&["C1", "A1", "B1"], "3 shots");
        check(&["C1", "C1"], "fired at C1: C1 has been shot at before; position: 3x1:2 C1.");
        check(&["A1", "D1"], "fired at D1: D1 is outside the 3x1 board; position: 3x1:2 A1x");
    }
}
