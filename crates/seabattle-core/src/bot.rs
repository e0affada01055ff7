//! The interface of a computer player in this process.

use crate::{Cell, Fleet, Rules, View};

/// A computer player. It plays a series of games, so it may learn from one to the next.
///
/// A bot sees only its [`View`]. It draws all random numbers from its seed, so
/// the same seed plays the same games.
pub trait Bot {
    /// Starts a new game.
    fn start(&mut self, rules: &Rules);

    /// Places the fleet of the new game. It is not called in a solo game.
    fn place(&mut self, rules: &Rules) -> Fleet;

    /// Chooses the next shot, one of [`View::targets`]. It is called once for each shot of a salvo.
    fn shoot(&mut self, view: &View<'_>) -> Cell;

    /// Ends the game: the final view, and the enemy's fleet if it is revealed.
    fn finish(&mut self, _view: &View<'_>, _enemy: Option<&Fleet>) {}
}
