//! Schedules: who meets whom. The pairings of a round may depend on earlier results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::num::NonZero;
use std::str::FromStr;

use seabattle_core::Side;
use thiserror::Error;

use crate::finished_game::{GameKey, GameResult, Pairing};

/// A schedule of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Schedule {
    /// Each contestant meets each other.
    RoundRobin,
    /// The first contestant meets all others.
    Gauntlet,
    /// In each round, contestants meet others with about as many points whom they have not met before.
    Swiss {
        /// The number of rounds.
        rounds: u32,
    },
    /// The loser of a pairing is out.
    Knockout,
    /// Each contestant meets each other in one game of several sets. A decided game ends, and so does one with a fault.
    Contest {
        /// The maximum number of sets.
        sets: NonZero<u32>,
    },
}

/// The text names no schedule.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a tournament is round-robin, gauntlet, swiss, swiss:ROUNDS, knockout, contest or contest:SETS, not {text:?}")]
pub struct UnknownSchedule {
    text: String,
}

/// The default number of rounds of a Swiss tournament.
const USUAL_ROUNDS: u32 = 5;

const USUAL_SETS: NonZero<u32> = NonZero::new(10).expect("ten is not zero");

impl FromStr for Schedule {
    type Err = UnknownSchedule;

    fn from_str(text: &str) -> Result<Self, UnknownSchedule> {
        let unknown = || UnknownSchedule { text: text.chars().take(40).collect() };
        match text {
            "round-robin" => Ok(Self::RoundRobin),
            "gauntlet" => Ok(Self::Gauntlet),
            "swiss" => Ok(Self::Swiss { rounds: USUAL_ROUNDS }),
            "knockout" => Ok(Self::Knockout),
            "contest" => Ok(Self::Contest { sets: USUAL_SETS }),
            _ => {
                let (format, number) = text.split_once(':').ok_or_else(unknown)?;
                let number: NonZero<u32> = number.parse().map_err(|_| unknown())?;
                match format {
                    "swiss" if number.get() <= 1000 => Ok(Self::Swiss { rounds: number.get() }),
                    "contest" if number.get() <= 10_000 => Ok(Self::Contest { sets: number }),
                    _ => Err(unknown()),
                }
            }
        }
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::RoundRobin => f.write_str("round-robin"),
            Self::Gauntlet => f.write_str("gauntlet"),
            Self::Swiss { rounds } => write!(f, "swiss:{rounds}"),
            Self::Knockout => f.write_str("knockout"),
            Self::Contest { sets } => write!(f, "contest:{sets}"),
        }
    }
}

type Results = BTreeMap<GameKey, GameResult>;

impl Schedule {
    /// The pairings of a round after the results of all earlier rounds; none if the tournament is over.
    pub(super) fn round(self, round: u32, count: usize, results: &Results) -> Vec<Pairing> {
        match self {
            Self::RoundRobin | Self::Contest { .. } if round == 0 => {
                every(count).map(|(a, b)| Pairing { round, a, b }).collect()
            }
            Self::Gauntlet if round == 0 => (1..count).map(|b| Pairing { round, a: 0, b }).collect(),
            Self::RoundRobin | Self::Contest { .. } | Self::Gauntlet => Vec::new(),
            Self::Swiss { rounds } if round < rounds => swiss(round, count, results),
            Self::Swiss { .. } => Vec::new(),
            Self::Knockout => knockout(round, count, results),
        }
    }
}

fn every(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |a| (a + 1..count).map(move |b| (a, b)))
}

fn pairing(round: u32, one: usize, other: usize) -> Pairing {
    Pairing { round, a: one.min(other), b: one.max(other) }
}

/// The half points of each contestant before a round. A bye adds nothing.
fn points(count: usize, before: u32, results: &Results) -> Vec<u64> {
    let mut points = vec![0; count];
    let earlier = results.iter().filter(|(key, _)| key.pairing.round < before);
    for (key, result) in earlier {
        let (a, b) = match result.winner {
            Some(Side::A) => (2, 0),
            Some(Side::B) => (0, 2),
            None => (1, 1),
        };
        points[key.pairing.a] += a;
        points[key.pairing.b] += b;
    }
    points
}

/// Pairs neighbors in the table who have not met. If one is left, the last in the table without a bye gets it.
fn swiss(round: u32, count: usize, results: &Results) -> Vec<Pairing> {
    let met: BTreeSet<(usize, usize)> =
        results.keys().filter(|key| key.pairing.round < round).map(|key| (key.pairing.a, key.pairing.b)).collect();
    let meetings_of = |player: usize| met.iter().filter(|(a, b)| *a == player || *b == player).count();
    let points = points(count, round, results);
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&player| (std::cmp::Reverse(points[player]), player));
    if count % 2 == 1 {
        let rests = order.iter().rposition(|&player| meetings_of(player) == round as usize);
        order.remove(rests.unwrap_or(count - 1));
    }
    let mut pairings = Vec::new();
    while !order.is_empty() {
        let first = order.remove(0);
        let fresh = |other: &usize| !met.contains(&(first.min(*other), first.max(*other)));
        let at = order.iter().position(fresh).unwrap_or(0);
        if order.is_empty() {
            break;
        }
        pairings.push(pairing(round, first, order.remove(at)));
    }
    pairings
}

/// Pairs the strongest with the weakest. A contestant without an opponent advances.
fn knockout(round: u32, count: usize, results: &Results) -> Vec<Pairing> {
    let mut left: Vec<usize> = (0..count).collect();
    for earlier in 0..round {
        left = survivors(&left, earlier, results);
    }
    drawn(&left).map(|(one, other)| pairing(round, one, other)).collect()
}

/// Pairs the contestants that are left. The first ones get byes, so that later rounds have a power of two.
fn drawn(left: &[usize]) -> impl Iterator<Item = (usize, usize)> {
    let rests = if left.len() < 2 { left.len() } else { left.len().next_power_of_two() - left.len() };
    let playing = &left[rests..];
    let half = playing.len() / 2;
    (0..half).map(|at| (playing[at], playing[playing.len() - 1 - at]))
}

fn survivors(left: &[usize], round: u32, results: &Results) -> Vec<usize> {
    let lost: BTreeSet<usize> = drawn(left).map(|(one, other)| loser(pairing(round, one, other), results)).collect();
    left.iter().copied().filter(|player| !lost.contains(player)).collect()
}

/// The loser: fewer points, then more shots, then the larger number.
fn loser(pairing: Pairing, results: &Results) -> usize {
    let from = GameKey { pairing, pair: 0, game: 0 };
    let to = GameKey { pairing, pair: u64::MAX, game: u8::MAX };
    let (mut lead, mut shots) = (0_i64, 0_i64);
    for (_, result) in results.range(from..=to) {
        lead += match result.winner {
            Some(Side::A) => 1,
            Some(Side::B) => -1,
            None => 0,
        };
        if result.sunk {
            shots += match result.winner {
                Some(Side::A) => i64::from(result.shots.a),
                Some(Side::B) => -i64::from(result.shots.b),
                None => 0,
            };
        }
    }
    if (lead, -shots) >= (0, 0) { pairing.b } else { pairing.a }
}
