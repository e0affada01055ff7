//! One game between two bots of this process.

use seabattle_core::{Bot, BySide, Cell, FireError, Game, MixedRules, Rules, Side};
use thiserror::Error;

/// A bot broke the rules.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Fault {
    /// A shot that is not legal.
    #[error("bot {side} fired at {cell}: {why}; it knew: {position}")]
    Shot {
        /// Whose bot.
        side: Side,
        /// The shot.
        cell: Cell,
        /// What is wrong with it.
        why: FireError,
        /// What the bot knew, as a position line.
        position: String,
    },
    /// A fleet for other rules.
    #[error(transparent)]
    Fleet(#[from] MixedRules),
}

/// Plays one game to its end.
pub fn duel(bots: &mut BySide<Box<dyn Bot>>, rules: &Rules, first: Side) -> Result<Game, Fault> {
    let mut place = |side: Side| {
        bots[side].start(rules);
        bots[side].place(rules)
    };
    let mut game = Game::new(BySide { a: place(Side::A), b: place(Side::B) }, first)?;
    let mut volley = Vec::new();
    while let Some(side) = game.mover() {
        volley.clear();
        for _ in 0..game.shots_due() {
            let cell = bots[side].shoot(&game.view(side).aiming(&volley));
            volley.push(cell);
        }
        if let Err(why) = game.fire(side, &volley) {
            return Err(Fault::Shot {
                side,
                cell: blamed(&volley, why),
                why,
                position: game.knowledge(side).to_string(),
            });
        }
    }
    Ok(game)
}

/// The shot of a volley that was refused.
fn blamed(volley: &[Cell], why: FireError) -> Cell {
    match why {
        FireError::Outside { cell, .. } | FireError::Repeated { cell } => cell,
        _ => volley.last().copied().unwrap_or(Cell::new(0, 0)),
    }
}
