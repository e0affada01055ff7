//! What a computer player in this process must be able to do.

use crate::{Cell, Fleet, Rules, View};

/// A computer player. It lives for a series of games, so it may learn from one to the next.
///
/// A bot sees only its [`View`]; it draws all chance from the seed it was made with, so that
/// the same seed plays the same games.
pub trait Bot {
    /// A new game begins.
    fn start(&mut self, rules: &Rules);

    /// The fleet for the game that has begun. Not called when the bot shoots alone.
    fn place(&mut self, rules: &Rules) -> Fleet;

    /// The next shot, one of [`View::targets`]; called once for each shot of a salvo.
    fn shoot(&mut self, view: &View<'_>) -> Cell;

    /// The game is over: all that was announced, and the enemy's fleet where it is revealed.
    fn finish(&mut self, _view: &View<'_>, _enemy: Option<&Fleet>) {}
}
