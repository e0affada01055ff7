//! What the games of two contestants add up to.

use std::collections::BTreeMap;

use seabattle_core::{BySide, HowEnded, Side};

use crate::pairs::Pair;
use crate::player::FaultKind;
use crate::referee::Played;

/// The score of a match.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won by each.
    pub wins: BySide<u64>,
    /// Games nobody won.
    pub draws: u64,
    /// Pairs by the half points of side A, from 0 to 4.
    pub pairs: [u64; 5],
    /// How often each failed, by kind.
    pub faults: BySide<BTreeMap<FaultKind, u64>>,
    /// The first fault of each, in words.
    pub first_faults: BySide<Option<String>>,
    /// What each calls itself, if it has said so.
    pub names: BySide<Option<String>>,
    /// Shots in the games that each won by sinking a fleet, and how many games those were.
    pub winning_shots: BySide<(u64, u64)>,
}

impl Score {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins.a + self.wins.b + self.draws
    }

    /// Takes a pair into account.
    pub fn add(&mut self, pair: &Pair) {
        let half_points: usize = pair.iter().map(half_points).sum();
        self.pairs[half_points.min(4)] += 1;
        pair.iter().for_each(|played| self.add_game(played));
    }

    fn add_game(&mut self, played: &Played) {
        match played.winner {
            Some(side) => self.wins[side] += 1,
            None => self.draws += 1,
        }
        for side in Side::ALL {
            if self.names[side].is_none() {
                self.names[side].clone_from(&played.names[side]);
            }
            if let Some(fault) = &played.faults[side] {
                *self.faults[side].entry(fault.kind).or_default() += 1;
                self.first_faults[side].get_or_insert_with(|| fault.to_string());
            }
        }
        let (Some(side), Some(game)) = (played.winner, &played.game) else {
            return;
        };
        if game.end().is_some_and(|end| end.how == HowEnded::Sunk) {
            let (shots, games) = &mut self.winning_shots[side];
            *shots += game.knowledge(side).shots().len() as u64;
            *games += 1;
        }
    }

    /// Mean shots of a side in the games that it won by sinking a fleet.
    pub fn mean_winning_shots(&self, side: Side) -> Option<f64> {
        let (shots, games) = self.winning_shots[side];
        (games > 0).then(|| shots as f64 / games as f64)
    }
}

fn half_points(played: &Played) -> usize {
    match played.winner {
        Some(Side::A) => 2,
        None => 1,
        Some(Side::B) => 0,
    }
}
