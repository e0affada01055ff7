//! What the games of two contestants add up to.

use std::collections::BTreeMap;

use seabattle_core::{BySide, Side};

use crate::finished_game::FinishedGame;
use crate::player::FaultKind;

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

    /// Takes the two games of a pair into account.
    pub fn add(&mut self, pair: &[FinishedGame]) {
        let half_points: usize = pair.iter().map(half_points).sum();
        self.pairs[half_points.min(4)] += 1;
        pair.iter().for_each(|game| self.add_game(game));
    }

    fn add_game(&mut self, FinishedGame { result, players, .. }: &FinishedGame) {
        match result.winner {
            Some(side) => self.wins[side] += 1,
            None => self.draws += 1,
        }
        for side in Side::ALL {
            if self.names[side].is_none() {
                self.names[side].clone_from(&players[side].name);
            }
            if let Some(kind) = result.faults[side] {
                *self.faults[side].entry(kind).or_default() += 1;
            }
            if self.first_faults[side].is_none() {
                self.first_faults[side].clone_from(&players[side].fault);
            }
        }
        if let Some(side) = result.winner.filter(|_| result.sunk) {
            let (shots, games) = &mut self.winning_shots[side];
            *shots += u64::from(result.shots[side]);
            *games += 1;
        }
    }

    /// Mean shots of a side in the games that it won by sinking a fleet.
    pub fn mean_winning_shots(&self, side: Side) -> Option<f64> {
        let (shots, games) = self.winning_shots[side];
        (games > 0).then(|| shots as f64 / games as f64)
    }
}

fn half_points(game: &FinishedGame) -> usize {
    match game.result.winner {
        Some(Side::A) => 2,
        None => 1,
        Some(Side::B) => 0,
    }
}
