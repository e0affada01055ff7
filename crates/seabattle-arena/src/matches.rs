//! A match: pairs of games between two contestants until enough is known.

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

/// What is to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// How pairs are played.
    pub settings: PairSettings,
    /// The most pairs.
    pub pairs: u64,
    /// Pairs in a row between the same two players; both are new in the next series.
    pub series: NonZero<u64>,
    /// When to stop before all pairs are played.
    pub sprt: Option<Sprt>,
}

impl Match {
    /// Has it played by a executor, so many series at once. Pairs are counted in their order, whoever finishes first, so that
    /// the score does not depend on the executor; each is `seen` with its number and the score after it.
    pub fn run(
        &self,
        executor: &dyn Executor<Range<u64>, Vec<FinishedGame>>,
        at_once: NonZero<u64>,
        stop: &AtomicBool,
        mut seen: impl FnMut(u64, &[FinishedGame], &Score) -> ControlFlow<()>,
    ) -> Result<Score, ExecutorError> {
        let length = self.series.get().saturating_mul(at_once.get());
        let job = |number: u64| Some(number * length..self.pairs.min((number + 1).saturating_mul(length)));
        let (mut score, mut number) = (Score::default(), 0);
        executor.run(self.pairs.div_ceil(length), &job, stop, &mut |games| {
            for pair in games.chunks(2) {
                score.add(pair);
                if seen(number, pair, &score).is_break() || self.is_decided(&score) {
                    return ControlFlow::Break(());
                }
                number += 1;
            }
            ControlFlow::Continue(())
        })?;
        Ok(score)
    }

    /// Plays some of its pairs, from the beginning of a series on: with names for them, records are kept. A game that is
    /// `over` is shown at once.
    pub fn play(
        &self,
        contestants: BySide<&Contestant>,
        pairs: Range<u64>,
        names: Option<&BySide<String>>,
        over: &dyn Fn(&FinishedGame),
    ) -> Vec<FinishedGame> {
        let Range { start, end } = pairs;
        let length = self.series.get();
        let series = (0..(end - start).div_ceil(length)).map(|number| start + number * length);
        let play = |first: u64| self.settings.play(contestants, first..end.min(first + length), names, over);
        series.flat_map(play).collect()
    }

    fn is_decided(&self, score: &Score) -> bool {
        let state = self.sprt.as_ref().map(|sprt| sprt.state(&PairCounts::new(score.pairs)));
        state.is_some_and(|state| state != SprtState::Continue)
    }
}
