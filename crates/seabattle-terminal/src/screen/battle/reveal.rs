//! The moment between a shot and what follows: splash, hit and sinking as a short animation.
//!
//! | state | event | next state |
//! |---|---|---|
//! | turn of the player | shots fired | reveal of the player's shots |
//! | reveal | 300 ms are over, or any key | the answer, the next turn, or the result |
//! | turn of the bot | shots arrive | reveal of the bot's shots |
//! | reveal of the player's shots | shots of the bot arrive | the same; the shots wait |
//!
//! Time is an input: pages get it with every event.

use std::time::Duration;

use seabattle_core::{Cell, Game, Shot, Side};

use super::super::board::CellText;
use super::super::style::{Role, Styles};
use crate::COMPUTER;

/// How long a result stands alone before the answer comes.
pub(super) const LENGTH: Duration = Duration::from_millis(300);
/// How long one picture of the animation is shown.
pub(super) const FRAME: Duration = Duration::from_millis(100);
const FRAMES: usize = 3;

/// The animation of one side's shots.
pub(super) struct Reveal {
    side: Side,
    effects: Vec<(Cell, Effect)>,
    start: Duration,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effect {
    Splash,
    Hit,
    Sinking,
}

impl Reveal {
    /// Starts the animation of shots that were just fired.
    pub(super) fn new(game: &Game, side: Side, shots: &[Shot], start: Duration) -> Self {
        let effects = shots.iter().flat_map(|&shot| effects_of(game, side, shot)).collect();
        Self { side, effects, start }
    }

    pub(super) fn side(&self) -> Side {
        self.side
    }

    pub(super) fn is_over(&self, now: Duration) -> bool {
        now.saturating_sub(self.start) >= LENGTH
    }

    /// Returns the current picture of every cell in motion.
    pub(super) fn pictures(&self, now: Duration, styles: Styles) -> Vec<(Cell, CellText, Role)> {
        let elapsed = now.saturating_sub(self.start).as_millis() / FRAME.as_millis();
        let frame = usize::try_from(elapsed).unwrap_or(FRAMES).min(FRAMES - 1);
        let picture = |&(cell, effect): &(Cell, Effect)| {
            let (text, role) = effect.picture(frame, styles);
            (cell, text, role)
        };
        self.effects.iter().map(picture).collect()
    }
}

impl Effect {
    fn picture(self, frame: usize, styles: Styles) -> (CellText, Role) {
        let drop = styles.unicode_or_ascii('°', 'o');
        match self {
            Self::Splash => ([[' ', '|', ' '], ['(', drop, ')'], ['(', ' ', ')']][frame], Role::Splash),
            Self::Hit => ([[' ', '*', ' '], ['\\', '*', '/'], ['>', 'X', '<']][frame], Role::Blast),
            Self::Sinking => ([[' ', '*', ' '], ['*', '#', '*'], ['~', '~', '~']][frame], Role::Blast),
        }
    }
}

/// Returns what a shot does to the board. A sinking moves the whole ship, if the player may know its cells.
fn effects_of(game: &Game, side: Side, shot: Shot) -> Vec<(Cell, Effect)> {
    let (knowledge, target) = (game.knowledge(side), game.fleets()[side.other()].ship_at(shot.cell));
    let sunk: Option<Vec<Cell>> = if side == COMPUTER {
        let sunk = target.filter(|ship| ship.cells().all(|cell| knowledge.hits().contains(cell)));
        sunk.map(|ship| ship.cells().collect())
    } else {
        let mut announced = knowledge.sinkings().iter().filter_map(|sinking| sinking.cells.as_ref());
        announced.find(|cells| cells.contains(shot.cell)).map(|cells| cells.iter().collect())
    };
    match sunk {
        Some(cells) => cells.into_iter().map(|cell| (cell, Effect::Sinking)).collect(),
        None if target.is_some() => vec![(shot.cell, Effect::Hit)],
        None => vec![(shot.cell, Effect::Splash)],
    }
}
