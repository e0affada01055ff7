//! The table of a tournament: ratings, points, faults.

use std::collections::BTreeMap;

use seabattle_core::Side;

use crate::finished_game::{GameKey, GameResult};
use crate::player::FaultKind;
use crate::rating::{PairingResult, Rating, ratings};

/// The result of a tournament, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingTable {
    /// The standings: by rating, then by number.
    pub standings: Vec<Standing>,
    /// The points of contestants against each other, by their numbers.
    pub cross_table: BTreeMap<(usize, usize), CrossTableCell>,
    /// The number of games.
    pub games: u64,
}

/// One contestant's line of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// The number of the contestant.
    pub number: usize,
    /// The name of the contestant.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Elo above the mean of all contestants; `None` without games.
    pub rating: Option<f64>,
    /// The standard error of the rating.
    pub stderr: Option<f64>,
    /// The likelihood of superiority over the next in the table.
    pub los: Option<f64>,
    /// Mean shots in games won by sinking a fleet.
    pub winning_shots: Option<f64>,
    /// The number of faults of each kind.
    pub faults: BTreeMap<FaultKind, u64>,
    /// The first fault, in words.
    pub first_fault: Option<String>,
}

impl Standing {
    /// The points: one for a win, half for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }
}

/// The games of two contestants, seen from the one with the smaller number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CrossTableCell {
    /// Games won by the contestant with the smaller number.
    pub wins: u64,
    /// Games without a winner.
    pub draws: u64,
    /// Games won by the contestant with the larger number.
    pub losses: u64,
}

/// The sums of one contestant.
#[derive(Default, Clone)]
struct ContestantSums {
    wins: u64,
    draws: u64,
    losses: u64,
    winning_shots: u64,
    won_by_sinking: u64,
    faults: BTreeMap<FaultKind, u64>,
}

impl RatingTable {
    pub(super) fn new(names: &[String], results: &BTreeMap<GameKey, GameResult>) -> Self {
        let mut sums = vec![ContestantSums::default(); names.len()];
        let mut cross_table: BTreeMap<(usize, usize), CrossTableCell> = BTreeMap::new();
        for (key, result) in results {
            let crossing = cross_table.entry((key.pairing.a, key.pairing.b)).or_default();
            match result.winner {
                Some(Side::A) => crossing.wins += 1,
                Some(Side::B) => crossing.losses += 1,
                None => crossing.draws += 1,
            }
            for (side, number) in [(Side::A, key.pairing.a), (Side::B, key.pairing.b)] {
                if let Some(sums) = sums.get_mut(number) {
                    sums.add(result, side);
                }
            }
        }
        let encounter = |(&(first, second), crossing): (&(usize, usize), &CrossTableCell)| {
            let CrossTableCell { wins, draws, losses } = *crossing;
            PairingResult { first, second, wins, draws, losses }
        };
        let rated = ratings(&cross_table.iter().map(encounter).collect::<Vec<_>>());
        let standings = ranked(names, &sums, &rated);
        Self { standings, cross_table, games: results.len() as u64 }
    }
}

/// Orders contestants with a rating before those without.
fn ranked(names: &[String], sums: &[ContestantSums], rated: &[Rating<usize>]) -> Vec<Standing> {
    let unrated = (0..names.len()).filter(|number| rated.iter().all(|rating| rating.player != *number));
    let order = rated.iter().map(|rating| (rating.player, Some(rating))).chain(unrated.map(|number| (number, None)));
    let standing = |(number, rating): (usize, Option<&Rating<usize>>)| {
        let (name, sums) = (names.get(number)?, sums.get(number)?);
        Some(Standing {
            number,
            name: name.clone(),
            wins: sums.wins,
            draws: sums.draws,
            losses: sums.losses,
            rating: rating.map(|rating| rating.elo),
            stderr: rating.map(|rating| rating.stderr),
            los: rating.and_then(|rating| rating.los),
            winning_shots: (sums.won_by_sinking > 0).then(|| sums.winning_shots as f64 / sums.won_by_sinking as f64),
            faults: sums.faults.clone(),
            first_fault: None,
        })
    };
    order.filter_map(standing).collect()
}

impl ContestantSums {
    fn add(&mut self, result: &GameResult, side: Side) {
        match result.winner {
            Some(winner) if winner == side => {
                self.wins += 1;
                if result.sunk {
                    self.winning_shots += u64::from(result.shots[side]);
                    self.won_by_sinking += 1;
                }
            }
            Some(_) => self.losses += 1,
            None => self.draws += 1,
        }
        if let Some(kind) = result.faults[side] {
            *self.faults.entry(kind).or_default() += 1;
        }
    }
}
