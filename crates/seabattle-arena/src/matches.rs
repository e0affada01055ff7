//! A match: pairs of games between two contestants, on threads, until enough is known.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use seabattle_core::BySide;

use crate::contestant::Contestant;
use crate::crew::{Go, work};
use crate::pairs::{Pair, Pairing};
use crate::rating::{PairCounts, Sprt, SprtState};
use crate::referee::Played;
use crate::score::Score;

/// What is to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// How pairs are played.
    pub pairing: Pairing,
    /// The most pairs.
    pub pairs: u64,
    /// Pairs in a row between the same two players; both are new in the next series.
    pub series: NonZero<u64>,
    /// When to stop before all pairs are played.
    pub sprt: Option<Sprt>,
}

impl Match {
    /// Plays it. Pairs are counted in their order, whoever finishes first, so that the score does not depend on threads;
    /// each is `seen` with its number and the score after it. A game that is `over` is shown at once, by whoever played it.
    pub fn run(
        &self,
        contestants: BySide<&Contestant>,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        over: &(dyn Fn(&Played) + Sync),
        mut seen: impl FnMut(u64, &Pair, &Score) -> Go,
    ) -> Score {
        let length = self.series.get();
        let series = |number: u64| {
            let start = number * length;
            self.pairing.play(contestants, start..self.pairs.min(start + length), over)
        };
        let (mut score, mut number) = (Score::default(), 0);
        work(self.pairs.div_ceil(length), threads, stop, series, |pairs| {
            for pair in &pairs {
                score.add(pair);
                if seen(number, pair, &score) == Go::Stop || self.is_decided(&score) {
                    return Go::Stop;
                }
                number += 1;
            }
            Go::On
        });
        score
    }

    fn is_decided(&self, score: &Score) -> bool {
        let state = self.sprt.as_ref().map(|sprt| sprt.state(&PairCounts::new(score.pairs)));
        state.is_some_and(|state| state != SprtState::Continue)
    }
}
