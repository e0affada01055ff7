//! A match: pairs of games between two contestants, with an optional sequential test that ends it early.

use std::num::NonZero;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::AtomicBool;

use seabattle_core::BySide;

use crate::contestant::Contestant;
use crate::executor::{Executor, ExecutorError};
use crate::finished_game::FinishedGame;
use crate::pairs::PairSettings;
use crate::rating::{PairCounts, Sprt, SprtState};
use crate::score::Score;
use crate::set_aside::FaultStreaks;

/// The settings of a match.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// How each pair is played.
    pub settings: PairSettings,
    /// The maximum number of pairs.
    pub pairs: u64,
    /// The number of pairs that the same two players play in a row.
    pub series: NonZero<u64>,
    /// The [SPRT](crate::Sprt) that ends the match early, if any.
    pub sprt: Option<Sprt>,
    /// The number of faults in a row after which a contestant is not asked again, and the match ends.
    pub give_up: Option<NonZero<u64>>,
}

impl Match {
    /// Lets an executor play the match, `at_once` series per job.
    ///
    /// Pairs count in the order of their numbers, so the score does not depend on the executor. `on_pair` gets the
    /// number of each pair, its games and the score after it; it may end the match. If the executor retracts results,
    /// the match is counted again from pair 0.
    pub fn run(
        &self,
        executor: &dyn Executor<Range<u64>, Vec<FinishedGame>>,
        at_once: NonZero<u64>,
        stop: &AtomicBool,
        mut on_pair: impl FnMut(u64, &[FinishedGame], &Score) -> ControlFlow<()>,
    ) -> Result<Score, ExecutorError> {
        let length = self.series.get().saturating_mul(at_once.get());
        let job = |number: u64| Some(number * length..self.pairs.min((number + 1).saturating_mul(length)));
        loop {
            let (mut score, mut number) = (Score::default(), 0);
            let mut streaks = FaultStreaks::new(self.give_up);
            let ran = executor.run(self.pairs.div_ceil(length), &job, stop, &mut |games| {
                for pair in games.chunks(2) {
                    score.add(pair);
                    for game in pair {
                        streaks.count(game.result);
                    }
                    score.set_aside = streaks.set_aside();
                    if on_pair(number, pair, &score).is_break() || self.is_decided(&score) || streaks.any_set_aside() {
                        return ControlFlow::Break(());
                    }
                    number += 1;
                }
                ControlFlow::Continue(())
            });
            match ran {
                Ok(()) => return Ok(score),
                Err(ExecutorError::Retracted(_)) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Plays a range of pairs that starts with a series.
    ///
    /// If `names` are given, the games have records under these names. `on_game` gets each game as soon as it ends.
    pub fn play(
        &self,
        contestants: BySide<&Contestant>,
        pairs: Range<u64>,
        names: Option<&BySide<String>>,
        on_game: &dyn Fn(&FinishedGame),
    ) -> Vec<FinishedGame> {
        let Range { start, end } = pairs;
        let length = self.series.get();
        let series = (0..(end - start).div_ceil(length)).map(|number| start + number * length);
        let play = |first: u64| self.settings.play(contestants, first..end.min(first + length), names, on_game);
        series.flat_map(play).collect()
    }

    fn is_decided(&self, score: &Score) -> bool {
        let state = self.sprt.as_ref().map(|sprt| sprt.state(&PairCounts::new(score.pairs)));
        state.is_some_and(|state| state != SprtState::Continue)
    }
}
