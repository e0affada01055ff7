//! Volleys of bots. A new bot is made for each volley, from the seed of the game.

use seabattle_bots::{BotInfo, Group};
use seabattle_core::{Bot, BySide, Cell, Game, Seed, Side};

/// The next volley of a bot that is made for it.
pub(super) fn next_volley(entry: &BotInfo, seed: u64, side: Side, game: &Game) -> Vec<Cell> {
    let mut bot = if entry.group == Group::Level {
        // A level decides by the view alone, so it needs only fresh random numbers.
        let shots = game.knowledge(side).shots().len() as u64;
        let mut bot = entry.make(&Seed::new(seed.wrapping_add(1 + shots)).side(side));
        bot.start(game.rules());
        bot
    } else {
        bot_after(entry, seed, side, game)
    };
    volley(bot.as_mut(), game, side)
}

/// A bot in the state after the moves of a game so far. Bots of the documents keep notes between shots, and the same seed
/// leads to the same notes.
fn bot_after(entry: &BotInfo, seed: u64, side: Side, game: &Game) -> Box<dyn Bot> {
    let mut bot = entry.make(&Seed::new(seed).side(side));
    bot.start(game.rules());
    bot.place(game.rules());
    let BySide { a, b } = game.fleets();
    let Ok(mut past) = Game::new(BySide { a: a.clone(), b: b.clone() }, game.first()) else { return bot };
    for (shooter, shots) in game.volleys() {
        if shooter == side {
            volley(bot.as_mut(), &past, side);
        }
        let cells: Vec<Cell> = shots.iter().map(|shot| shot.cell).collect();
        if past.fire(shooter, &cells).is_err() {
            break;
        }
    }
    bot
}

fn volley(bot: &mut dyn Bot, game: &Game, side: Side) -> Vec<Cell> {
    let mut volley = Vec::new();
    for _ in 0..game.shots_due() {
        let cell = bot.shoot(&game.view(side).aiming(&volley));
        volley.push(cell);
    }
    volley
}

/// A random legal volley.
pub(crate) fn random_volley(game: &Game, side: Side, seed: u64) -> Vec<Cell> {
    let mut rng = Seed::new(seed).rng();
    let mut volley: Vec<Cell> = Vec::new();
    for _ in 0..game.shots_due() {
        let targets = game.view(side).aiming(&volley).targets().into_owned();
        let picked = targets.nth(seabattle_core::uniform_below(&mut rng, targets.len()));
        volley.extend(picked);
    }
    volley
}

#[cfg(test)]
mod tests {
    use super::{next_volley, random_volley, volley};
    use crate::rooms::game_config::opponents;
    use seabattle_bots::Group;
    use seabattle_core::{BySide, Game, Rules, Seed, Side, layout};

    /// A bot that plays the whole game chooses the same as one that is made for every volley.
    #[test]
    fn bots_of_the_documents_play_as_if_they_had_lived_through_the_game() {
        for rules in ["classic", "russian", "salvo"] {
            let rules: Rules = rules.parse().unwrap();
            for entry in opponents().filter(|entry| entry.group == Group::Document) {
                let mut rng = Seed::new(7).rng();
                let enemy = layout::any(&rules, &mut rng);
                let mut bot = entry.make(&Seed::new(5).side(Side::B));
                bot.start(&rules);
                let fleets = BySide { a: enemy, b: bot.place(&rules) };
                let mut game = Game::new(fleets, Side::A).unwrap();
                let mut fired = 0;
                while let Some(side) = game.side_to_move() {
                    let cells = if side == Side::A {
                        fired += 1;
                        random_volley(&game, side, fired)
                    } else {
                        let cells = volley(bot.as_mut(), &game, side);
                        assert_eq!(next_volley(entry, 5, side, &game), cells, "{} after {fired} volleys", entry.name);
                        cells
                    };
                    game.fire(side, &cells).unwrap();
                }
                assert!(fired > 3, "{}", entry.name);
            }
        }
    }
}
