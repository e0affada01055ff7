//! The score of a match: sums over its games.

use std::collections::BTreeMap;

use seabattle_core::{BySide, Side};

use crate::finished_game::FinishedGame;
use crate::player::FaultKind;

/// The score of a match between contestants A and B.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Score {
    /// How many games each contestant won.
    pub wins: BySide<u64>,
    /// How many games were drawn.
    pub draws: u64,
    /// How many pairs gave A 0, 1, 2, 3 and 4 half points.
    pub pairs: [u64; 5],
    /// How many faults of each kind each contestant had.
    pub faults: BySide<BTreeMap<FaultKind, u64>>,
    /// The first fault of each contestant, in words.
    pub first_faults: BySide<Option<String>>,
    /// The name that each contestant gave itself, if any.
    pub names: BySide<Option<String>>,
    /// For each contestant, the shots in games it won by sinking the fleet, and the number of these games.
    pub winning_shots: BySide<(u64, u64)>,
    /// Whether each contestant failed so often in a row that the match ended.
    pub set_aside: BySide<bool>,
}

impl Score {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins.a + self.wins.b + self.draws
    }

    /// Adds the two games of a pair.
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

    /// The mean shots of a contestant in the games it won by sinking the fleet.
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
