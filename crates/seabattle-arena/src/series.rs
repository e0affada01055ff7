//! Series: games in a row between the same two bots, so that either may learn from one game to the next.

use std::num::NonZero;
use std::time::Instant;

use seabattle_core::{Bot, Fleet, Knowledge, OwnBoard, Rules, Seed, Solo, View};

use crate::bench::LayoutGenerator;
use crate::report::Game;
use crate::{AivatCorrection, BenchError, BotResult, Contender, solo};

/// How a bench groups its games into series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Series {
    /// How many games a bot plays before a new one replaces it.
    pub length: NonZero<u64>,
    /// How many layouts a series uses in turn; `None` if every game has its own. A layout generator ignores it.
    pub cycle: Option<NonZero<u64>>,
}

impl Default for Series {
    fn default() -> Self {
        Self { length: NonZero::<u64>::MIN, cycle: None }
    }
}

impl Series {
    /// The number of the game whose layout `game` uses, in the series that starts with `first`.
    pub(crate) fn layout_of(self, first: u64, game: u64) -> u64 {
        self.cycle.map_or(game, |cycle| first + (game - first) % cycle)
    }
}

/// One series of a bench, the same for every contender.
pub(crate) struct PlannedSeries<'a> {
    pub(crate) rules: &'a Rules,
    /// The number of the first game.
    pub(crate) first: u64,
    pub(crate) games: u64,
    /// The seed of the shooter.
    pub(crate) seed: Seed,
    pub(crate) fleets: FleetSource<'a>,
    pub(crate) correction: Option<&'a AivatCorrection>,
}

/// Where the fleets of a series come from.
pub(crate) enum FleetSource<'a> {
    Drawn(Vec<Fleet>),
    Bot { generator: &'a LayoutGenerator, seed: Seed },
}

impl FleetSource<'_> {
    fn bot(&self) -> Option<Box<dyn Bot>> {
        match self {
            Self::Drawn(_) => None,
            Self::Bot { generator, seed } => Some(generator.make(seed)),
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
    /// Plays every game with a contender; a game that ended in a fault is `None`.
    pub(crate) fn play(
        &self,
        contender: &Contender<'_>,
        observe: &dyn Fn(u64, Option<&Solo>),
        result: &mut BotResult,
    ) -> Result<Vec<Option<Game>>, BenchError> {
        let mut bot = (contender.make)(&self.seed);
        let mut placer = self.fleets.bot();
        let mut games = Vec::with_capacity(self.games as usize);
        for number in 0..self.games {
            let fleet = match &mut placer {
                Some(placer) => placed(placer.as_mut(), self.rules)?,
                None => self.fleets.drawn(number)?,
            };
            let started = Instant::now();
            let game = solo(bot.as_mut(), fleet);
            result.busy += started.elapsed();
            observe(self.first + number, game.as_ref().ok());
            if let (Some(placer), Ok(game)) = (&mut placer, &game) {
                show_shots(placer.as_mut(), game);
            }
            let game = game.map(|game| Game::new(game.knowledge(), self.correction));
            games.push(result.add_game(self.first + number, game));
        }
        result.add_series(&games);
        Ok(games)
    }
}

/// The next fleet of a bot that places layouts.
pub(crate) fn placed(placer: &mut dyn Bot, rules: &Rules) -> Result<Fleet, BenchError> {
    placer.start(rules);
    let fleet = placer.place(rules);
    if fleet.rules() == rules { Ok(fleet) } else { Err(BenchError::PlacedForOtherRules) }
}

/// Shows a bot that places layouts where it was shot at. It never fires itself.
fn show_shots(placer: &mut dyn Bot, game: &Solo) {
    let unseen = Knowledge::new(game.fleet().rules());
    let own = OwnBoard { fleet: game.fleet(), incoming: game.knowledge() };
    placer.finish(&View::new(own, &unseen), None);
}
