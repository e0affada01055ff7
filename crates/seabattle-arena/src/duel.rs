//! Duels: one game between two built-in bots.

use seabattle_core::{Bot, BySide, Game, Rules, RulesMismatch, Side};
use thiserror::Error;

use crate::IllegalShot;

/// How a bot broke the rules in a duel.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum DuelError {
    /// The bot fired an illegal shot.
    #[error("bot {side} {fault}")]
    Shot {
        /// The side of the bot.
        side: Side,
        /// The illegal shot.
        fault: IllegalShot,
    },
    /// The bot placed a fleet for other rules than those of the game.
    #[error("bot {side} placed a fleet for other rules than {rules}")]
    OtherRules {
        /// The side of the bot.
        side: Side,
        /// The rules of the game.
        rules: Rules,
    },
    /// The two fleets are for different rules.
    #[error(transparent)]
    Fleet(#[from] RulesMismatch),
}

/// Plays one game to its end, then reveals both fleets to the bots.
pub fn duel(bots: &mut BySide<Box<dyn Bot>>, rules: &Rules, first: Side) -> Result<Game, DuelError> {
    let mut place = |side: Side| {
        bots[side].start(rules);
        bots[side].place(rules)
    };
    let fleets = BySide { a: place(Side::A), b: place(Side::B) };
    if let Some(side) = Side::ALL.into_iter().find(|&side| fleets[side].rules() != rules) {
        return Err(DuelError::OtherRules { side, rules: rules.clone() });
    }
    let mut game = Game::new(fleets, first)?;
    let mut volley = Vec::new();
    while let Some(side) = game.side_to_move() {
        volley.clear();
        for _ in 0..game.shots_due() {
            let cell = bots[side].shoot(&game.view(side).aiming(&volley));
            volley.push(cell);
        }
        if let Err(why) = game.fire(side, &volley) {
            return Err(DuelError::Shot { side, fault: IllegalShot::new(&volley, why, game.knowledge(side)) });
        }
    }
    for side in Side::ALL {
        bots[side].finish(&game.view(side), Some(game.fleets()[side.other()]));
    }
    Ok(game)
}
