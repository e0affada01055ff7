//! Contestants that fail game after game are set aside: they lose the other games of the pairing without being started.

use std::collections::BTreeMap;
use std::num::NonZero;

use seabattle_core::{BySide, Side};

use crate::finished_game::{GameKey, GameResult, Pairing};
use crate::player::FaultKind;

/// The faults in a row of two contestants, over the games of a pairing in their order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FaultStreaks {
    /// The number of faults in a row that sets a contestant aside; `None` for never.
    limit: Option<NonZero<u64>>,
    faults: BySide<u64>,
    set_aside: BySide<bool>,
}

impl FaultStreaks {
    pub(crate) fn new(limit: Option<NonZero<u64>>) -> Self {
        Self { limit, faults: BySide { a: 0, b: 0 }, set_aside: BySide { a: false, b: false } }
    }

    /// The result that counts for the next game, of which this is the result if it was played.
    pub(crate) fn count(&mut self, result: GameResult) -> GameResult {
        if self.any_set_aside() {
            return forfeit(self.set_aside);
        }
        for side in Side::ALL {
            self.faults[side] = if result.faults[side].is_some() { self.faults[side] + 1 } else { 0 };
            self.set_aside[side] = self.limit.is_some_and(|limit| self.faults[side] >= limit.get());
        }
        result
    }

    pub(crate) const fn any_set_aside(&self) -> bool {
        self.set_aside.a || self.set_aside.b
    }

    pub(crate) const fn set_aside(&self) -> BySide<bool> {
        self.set_aside
    }
}

/// The result of a game in which these contestants are set aside.
fn forfeit(set_aside: BySide<bool>) -> GameResult {
    let winner = match set_aside {
        BySide { a: true, b: true } => None,
        BySide { a: true, .. } => Some(Side::B),
        BySide { .. } => Some(Side::A),
    };
    let faults = set_aside.map(|is_set_aside| is_set_aside.then_some(FaultKind::SetAside));
    GameResult { winner, faults, shots: BySide { a: 0, b: 0 }, sunk: false }
}

/// The results that count, whichever games were played before it was known that a contestant is set aside.
pub(crate) fn counted(
    results: &BTreeMap<GameKey, GameResult>,
    limit: Option<NonZero<u64>>,
) -> BTreeMap<GameKey, GameResult> {
    let mut current: Option<(Pairing, FaultStreaks)> = None;
    let count = |(&key, &result): (&GameKey, &GameResult)| {
        let (_, streaks) = match &mut current {
            Some(same) if same.0 == key.pairing => same,
            other => other.insert((key.pairing, FaultStreaks::new(limit))),
        };
        (key, streaks.count(result))
    };
    results.iter().map(count).collect()
}

/// The result of a game that need not be played, because all games right before it set a contestant aside.
pub(crate) fn forfeited(
    key: GameKey,
    results: &BTreeMap<GameKey, GameResult>,
    limit: Option<NonZero<u64>>,
) -> Option<GameResult> {
    let limit = limit?;
    let number = 2 * key.pair + u64::from(key.game);
    let first = number.checked_sub(limit.get())?;
    let mut streaks = FaultStreaks::new(Some(limit));
    for number in first..number {
        let before = GameKey { pairing: key.pairing, pair: number / 2, game: (number % 2) as u8 };
        streaks.count(*results.get(&before)?);
    }
    streaks.any_set_aside().then(|| forfeit(streaks.set_aside))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::num::NonZero;

    use seabattle_core::{BySide, Side};

    use super::{counted, forfeited};
    use crate::finished_game::{GameKey, GameResult, Pairing};
    use crate::player::FaultKind;

    const LIMIT: Option<NonZero<u64>> = NonZero::new(3);

    fn key(number: u64) -> GameKey {
        GameKey { pairing: Pairing { round: 0, a: 0, b: 1 }, pair: number / 2, game: (number % 2) as u8 }
    }

    /// Games in their order: `a` and `b` failed, `x` both did, `.` neither.
    fn results(games: &str) -> BTreeMap<GameKey, GameResult> {
        let result = |game: char| {
            let failed = |name: char| (game == name || game == 'x').then_some(FaultKind::Crash);
            let faults = BySide { a: failed('a'), b: failed('b') };
            GameResult { winner: Some(Side::A), faults, shots: BySide { a: 9, b: 9 }, sunk: game == '.' }
        };
        (0..).zip(games.chars()).map(|(number, game)| (key(number), result(game))).collect()
    }

    /// Who is set aside in each game that counts.
    fn aside(games: &str) -> String {
        let is_aside = |result: &GameResult, side: Side| result.faults[side] == Some(FaultKind::SetAside);
        let sign = |result: &GameResult| match (is_aside(result, Side::A), is_aside(result, Side::B), result.winner) {
            (true, true, None) => 'X',
            (true, false, Some(Side::B)) => 'A',
            (false, true, Some(Side::A)) => 'B',
            _ => '.',
        };
        counted(&results(games), LIMIT).values().map(sign).collect()
    }

    #[test]
    fn faults_in_a_row_lose_the_rest_of_the_pairing() {
        assert_eq!(aside("aa.aab.aaa...a"), "..........AAAA");
        assert_eq!(aside("bbb.."), "...BB");
        assert_eq!(aside("xxx."), "...X");
        assert_eq!(aside("axxx."), "...AA", "only the contestant whose faults suffice");
        assert_eq!(aside("ababab"), "......");
        assert_eq!(counted(&results("aaaaa"), None), results("aaaaa"));
    }

    #[test]
    fn a_game_is_forfeited_only_if_all_games_right_before_it_are_known() {
        let mut played = results("aaa");
        assert!(forfeited(key(2), &played, LIMIT).is_none());
        let forfeit = forfeited(key(3), &played, LIMIT).unwrap();
        assert_eq!((forfeit.winner, forfeit.faults.a), (Some(Side::B), Some(FaultKind::SetAside)));
        assert!(forfeited(key(4), &played, LIMIT).is_none(), "game 3 is missing");
        played.insert(key(3), forfeit);
        assert!(forfeited(key(4), &played, LIMIT).is_some());
        assert!(forfeited(key(4), &played, None).is_none());
    }
}
