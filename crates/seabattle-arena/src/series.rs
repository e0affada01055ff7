//! Games in a row between the same two, so that either may learn from one to the next.

use std::num::NonZero;
use std::time::Instant;

use seabattle_core::{Bot, Fleet, Knowledge, Own, Rules, Seed, Solo, View};

use crate::bench::LayoutGenerator;
use crate::report::Game;
use crate::{AivatCorrection, BenchError, BotResult, Contender, solo};

/// How the games of a bench hang together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Series {
    /// Games that a bot plays in a row before a new one takes its seat.
    pub length: NonZero<u64>,
    /// How many layouts a series has, used in turn; nothing if every game has its own. Bots that place do as they like.
    pub cycle: Option<NonZero<u64>>,
}

impl Default for Series {
    fn default() -> Self {
        Self { length: NonZero::<u64>::MIN, cycle: None }
    }
}

impl Series {
    /// The game whose layout a game of the series that starts with `first` has.
    pub(crate) fn layout_of(self, first: u64, game: u64) -> u64 {
        self.cycle.map_or(game, |cycle| first + (game - first) % cycle)
    }
}

/// One series that every contender plays.
pub(crate) struct PlannedSeries<'a> {
    pub(crate) rules: &'a Rules,
    /// The number of its first game.
    pub(crate) first: u64,
    pub(crate) games: u64,
    /// The chance of the shooter.
    pub(crate) seed: Seed,
    pub(crate) enemy: Enemy<'a>,
    pub(crate) correction: Option<&'a AivatCorrection>,
}

/// Where the fleets of a series come from.
pub(crate) enum Enemy<'a> {
    Drawn(Vec<Fleet>),
    Bot { placer: &'a LayoutGenerator, seed: Seed },
}

impl Enemy<'_> {
    fn bot(&self) -> Option<Box<dyn Bot>> {
        match self {
            Self::Drawn(_) => None,
            Self::Bot { placer, seed } => Some(placer.make(seed)),
        }
    }

    fn drawn(&self, number: u64) -> Result<Fleet, BenchError> {
        match self {
            Self::Drawn(fleets) => fleets.get(number as usize).cloned().ok_or(BenchError::NoLayouts),
            Self::Bot { .. } => Err(BenchError::NoLayouts),
        }
    }
}

impl PlannedSeries<'_> {
    /// Every game, nothing where it ended in a fault.
    pub(crate) fn play(
        &self,
        contender: &Contender<'_>,
        observe: &dyn Fn(u64, Option<&Solo>),
        result: &mut BotResult,
    ) -> Result<Vec<Option<Game>>, BenchError> {
        let mut bot = (contender.make)(&self.seed);
        let mut placer = self.enemy.bot();
        let mut games = Vec::with_capacity(self.games as usize);
        for number in 0..self.games {
            let fleet = match &mut placer {
                Some(placer) => placed(placer.as_mut(), self.rules)?,
                None => self.enemy.drawn(number)?,
            };
            let started = Instant::now();
            let game = solo(bot.as_mut(), fleet);
            result.busy += started.elapsed();
            observe(self.first + number, game.as_ref().ok());
            if let (Some(placer), Ok(game)) = (&mut placer, &game) {
                tell(placer.as_mut(), game);
            }
            let game = game.map(|game| Game::new(game.knowledge(), self.correction));
            games.push(result.take_note(self.first + number, game));
        }
        result.take_note_of_series(&games);
        Ok(games)
    }
}

/// The next fleet of a bot that places.
pub(crate) fn placed(placer: &mut dyn Bot, rules: &Rules) -> Result<Fleet, BenchError> {
    placer.start(rules);
    let fleet = placer.place(rules);
    if fleet.rules() == rules { Ok(fleet) } else { Err(BenchError::PlacedForOtherRules) }
}

/// The placer never fires, but sees where it was shot at.
fn tell(placer: &mut dyn Bot, game: &Solo) {
    let unseen = Knowledge::new(game.fleet().rules());
    let own = Own { fleet: game.fleet(), incoming: game.knowledge() };
    placer.finish(&View::new(own, &unseen), None);
}
