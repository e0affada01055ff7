//! Games of the contest: each has several sets and ends when it is decided. A win gives three points.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::num::NonZero;

use seabattle_core::{BySide, Side};

use crate::finished_game::{FinishedGame, GameKey, GameResult, Pairing};
use crate::pairs::PairSettings;
use crate::player::{FaultKind, Player};
use crate::referee::referee;

/// The outcome of a game of the contest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    Won(Side),
    Draw,
    /// Both failed in the same call, so neither gets points.
    BothFailed,
}

/// The keys of the sets of a pairing. The players take turns to fire first.
pub(crate) fn keys(pairing: Pairing, sets: NonZero<u32>) -> impl Iterator<Item = GameKey> {
    (0..sets.get()).map(move |set| GameKey { pairing, pair: u64::from(set / 2), game: (set % 2) as u8 })
}

/// The outcome after the first sets; `None` while the game is not decided.
pub(super) fn outcome<'a>(sets: NonZero<u32>, played: impl IntoIterator<Item = &'a GameResult>) -> Option<Outcome> {
    let (mut lead, mut left) = (0, i64::from(sets.get()));
    for result in played {
        if result.faults.a.is_some() || result.faults.b.is_some() {
            return Some(result.winner.map_or(Outcome::BothFailed, Outcome::Won));
        }
        lead += match result.winner {
            Some(Side::A) => 1,
            Some(Side::B) => -1,
            None => 0,
        };
        left -= 1;
        match lead {
            lead if lead > left => return Some(Outcome::Won(Side::A)),
            lead if -lead > left => return Some(Outcome::Won(Side::B)),
            _ if left == 0 => return Some(Outcome::Draw),
            _ => {}
        }
    }
    None
}

/// Whether the first sets decide a game.
pub(crate) fn is_decided<'a>(sets: NonZero<u32>, played: impl IntoIterator<Item = &'a GameResult>) -> bool {
    outcome(sets, played).is_some()
}

/// Plays the sets of a game in order until it is decided. Returns `None` if `stopped` ends it before.
pub(super) fn play(
    mut players: BySide<Box<dyn Player + '_>>,
    settings: &PairSettings,
    (pairing, sets): (Pairing, NonZero<u32>),
    stopped: impl Fn() -> bool,
) -> Option<Vec<FinishedGame>> {
    let mut played: Vec<FinishedGame> = Vec::new();
    for key in keys(pairing, sets) {
        if stopped() {
            return None;
        }
        let terms = &settings.games(key.pair)[usize::from(key.game)];
        played.push(FinishedGame::of(key, &referee(&mut players, terms)));
        if outcome(sets, played.iter().map(|entry| &entry.result)).is_some() {
            break;
        }
    }
    if let Some(last) = played.last_mut() {
        close(&mut players, last);
    }
    Some(played)
}

/// Adds a fault at the end of the game to the last set, unless the game was lost by a fault already.
fn close(
    players: &mut BySide<Box<dyn Player + '_>>,
    FinishedGame { result: last, players: info, .. }: &mut FinishedGame,
) {
    let faults = BySide::new(|side| players[side].close().err());
    if last.faults.a.is_some() || last.faults.b.is_some() {
        return;
    }
    last.faults = BySide::new(|side| faults[side].as_ref().map(|fault| fault.kind));
    for side in Side::ALL {
        info[side].fault = faults[side].as_ref().map(ToString::to_string);
    }
    match (&faults.a, &faults.b) {
        (None, None) => {}
        (a, b) => {
            last.sunk = false;
            last.winner = match (a, b) {
                (Some(_), None) => Some(Side::B),
                (None, Some(_)) => Some(Side::A),
                _ => None,
            };
        }
    }
}

/// The result of a contest, best first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContestTable {
    /// The standings: by points, then by the difference of sets, then by number.
    pub standings: Vec<ContestStanding>,
    /// The number of decided games.
    pub games: u64,
}

/// One contestant's line of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContestStanding {
    /// The number of the contestant.
    pub number: usize,
    /// The name in tables.
    pub name: String,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost. If both players fail at once, both lose.
    pub losses: u64,
    /// Sets won in all games.
    pub sets_won: u64,
    /// Sets lost in all games.
    pub sets_lost: u64,
    /// The number of faults of each kind.
    pub faults: BTreeMap<FaultKind, u64>,
    /// The first fault, in words.
    pub first_fault: Option<String>,
}

impl ContestStanding {
    fn new(number: usize, name: &str) -> Self {
        Self {
            number,
            name: name.to_owned(),
            wins: 0,
            draws: 0,
            losses: 0,
            sets_won: 0,
            sets_lost: 0,
            faults: BTreeMap::new(),
            first_fault: None,
        }
    }

    /// The points: three for a win, one for a draw.
    pub fn points(&self) -> u64 {
        3 * self.wins + self.draws
    }

    fn rank(&self) -> Reverse<(u64, i128)> {
        Reverse((self.points(), i128::from(self.sets_won) - i128::from(self.sets_lost)))
    }

    fn add_game(&mut self, outcome: Outcome, side: Side) {
        match outcome {
            Outcome::Won(winner) if winner == side => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Won(_) | Outcome::BothFailed => self.losses += 1,
        }
    }

    fn add_set(&mut self, result: &GameResult, side: Side) {
        match result.winner {
            Some(winner) if winner == side => self.sets_won += 1,
            Some(_) => self.sets_lost += 1,
            None => {}
        }
        if let Some(kind) = result.faults[side] {
            *self.faults.entry(kind).or_default() += 1;
        }
    }
}

impl ContestTable {
    pub(super) fn new(names: &[String], sets: NonZero<u32>, results: &BTreeMap<GameKey, GameResult>) -> Self {
        let mut standings: Vec<ContestStanding> =
            names.iter().enumerate().map(|(number, name)| ContestStanding::new(number, name)).collect();
        let mut games = 0;
        let firsts = results.keys().filter(|key| key.pair == 0 && key.game == 0);
        for pairing in firsts.map(|key| key.pairing) {
            let played = decided(pairing, sets, results);
            let Some(outcome) = outcome(sets, played.iter().copied()) else {
                continue;
            };
            games += 1;
            for (side, number) in [(Side::A, pairing.a), (Side::B, pairing.b)] {
                if let Some(standing) = standings.get_mut(number) {
                    standing.add_game(outcome, side);
                    played.iter().for_each(|result| standing.add_set(result, side));
                }
            }
        }
        standings.sort_by_key(ContestStanding::rank);
        Self { standings, games }
    }
}

/// The sets of a pairing up to the deciding one. Later sets in the journal belong to a game that began again.
pub(super) fn decided(
    pairing: Pairing,
    sets: NonZero<u32>,
    results: &BTreeMap<GameKey, GameResult>,
) -> Vec<&GameResult> {
    let mut played = Vec::new();
    for result in keys(pairing, sets).map_while(|key| results.get(&key)) {
        played.push(result);
        if outcome(sets, played.iter().copied()).is_some() {
            break;
        }
    }
    played
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::num::NonZero;

    use seabattle_core::{BySide, Side};

    use super::{ContestTable, Outcome, keys, outcome};
    use crate::finished_game::{GameResult, Pairing};
    use crate::player::FaultKind;

    /// `a` or `b` won a set; `A`, `B` or `X` failed in it, X both.
    fn set(letter: char) -> GameResult {
        let failed = |who: [char; 2]| who.contains(&letter).then_some(FaultKind::Crash);
        let winner = match letter {
            'a' | 'B' => Some(Side::A),
            'b' | 'A' => Some(Side::B),
            _ => None,
        };
        let faults = BySide { a: failed(['A', 'X']), b: failed(['B', 'X']) };
        GameResult { winner, faults, shots: BySide { a: 50, b: 50 }, sunk: letter.is_ascii_lowercase() }
    }

    #[test]
    fn a_game_is_decided_as_soon_as_nothing_can_change_it() {
        let cases = [
            (4, "", None),
            (4, "aa", None),
            (4, "aaa", Some(Outcome::Won(Side::A))),
            (4, "abba", Some(Outcome::Draw)),
            (4, "abb", None),
            (4, "bbab", Some(Outcome::Won(Side::B))),
            (3, "bb", Some(Outcome::Won(Side::B))),
            (1, "a", Some(Outcome::Won(Side::A))),
            (9, "aaaaA", Some(Outcome::Won(Side::B))),
            (9, "B", Some(Outcome::Won(Side::A))),
            (9, "abX", Some(Outcome::BothFailed)),
        ];
        for (sets, played, expected) in cases {
            let results: Vec<GameResult> = played.chars().map(set).collect();
            assert_eq!(outcome(NonZero::new(sets).unwrap(), &results), expected, "{played} of {sets}");
        }
    }

    #[test]
    fn three_points_for_a_win_one_for_a_draw_none_where_both_failed() {
        let sets = NonZero::new(2).unwrap();
        let played = [(0, 1, "aa"), (0, 2, "ab"), (1, 2, "X"), (0, 3, "a")];
        let results: BTreeMap<_, _> = played
            .into_iter()
            .flat_map(|(a, b, text)| keys(Pairing { round: 0, a, b }, sets).zip(text.chars().map(set)))
            .collect();
        let names = ["p", "q", "r", "s"].map(str::to_owned);
        let table = ContestTable::new(&names, sets, &results);
        let lines: Vec<_> = table
            .standings
            .iter()
            .map(|line| (line.name.as_str(), line.points(), [line.wins, line.draws, line.losses], line.faults.len()))
            .collect();
        // The game of p and s is not decided: it does not count.
        assert_eq!(
            lines,
            [("p", 4, [1, 1, 0], 0), ("r", 1, [0, 1, 1], 1), ("s", 0, [0, 0, 0], 0), ("q", 0, [0, 0, 2], 1)]
        );
        assert_eq!(table.games, 3);
    }
}
