//! Checks whether results from other machines are possible: the right games, with numbers that some game could have.
//!
//! A possible result can still be false. Only playing the game again shows that.

mod bench;

use std::num::NonZero;
use std::ops::Range;

use seabattle_core::{BySide, Ending, Record, Rules, Side, Turn};
use thiserror::Error;

use crate::finished_game::{FinishedGame, GameKey, GameResult, Pairing};
use crate::matches::Match;
use crate::pairs::MATCH_PAIRING;
use crate::tournament::{Schedule, Tournament, TournamentTask, contest_keys, is_contest_decided};

/// Why no game can have this result.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct ImpossibleResult(String);

type CheckResult = Result<(), ImpossibleResult>;

/// An error with this text, unless the condition holds.
fn ensure(condition: bool, reason: impl FnOnce() -> String) -> CheckResult {
    if condition { Ok(()) } else { Err(ImpossibleResult(reason())) }
}

impl Match {
    /// Checks the games of a range of pairs: each game once, in order, and each with a possible result.
    ///
    /// If `names` are given, each game that began must have a record under these names that agrees with its result.
    pub fn check(&self, pairs: Range<u64>, games: &[FinishedGame], names: Option<&BySide<String>>) -> CheckResult {
        check_keys(pair_keys(MATCH_PAIRING, pairs), games)?;
        games.iter().try_for_each(|game| check_game(&self.settings.rules, game, names))
    }
}

impl Tournament {
    /// Checks the games of a task: each game once, in order, and each with a possible result.
    pub fn check(&self, task: &TournamentTask, games: &[FinishedGame]) -> CheckResult {
        match self.format {
            Schedule::Contest { sets } => check_sets(task.pairing, sets, games)?,
            _ => check_keys(pair_keys(task.pairing, task.pairs.clone()), games)?,
        }
        games.iter().try_for_each(|game| check_game(&self.rules, game, None))
    }
}

fn pair_keys(pairing: Pairing, pairs: Range<u64>) -> impl Iterator<Item = GameKey> {
    pairs.flat_map(move |pair| [0, 1].map(|game| GameKey { pairing, pair, game }))
}

fn check_keys(expected: impl Iterator<Item = GameKey>, games: &[FinishedGame]) -> CheckResult {
    let same = expected.eq(games.iter().map(|game| game.key));
    ensure(same, || format!("its {} games are not the games of the job", games.len()))
}

/// A game of the contest ends with the set that decides it.
fn check_sets(pairing: Pairing, sets: NonZero<u32>, games: &[FinishedGame]) -> CheckResult {
    check_keys(contest_keys(pairing, sets).take(games.len()), games)?;
    let decided = |count: usize| is_contest_decided(sets, games[..count].iter().map(|game| &game.result));
    let (last, all) = (games.len().saturating_sub(1), games.len());
    ensure(decided(all) && !decided(last), || format!("{all} sets of {sets} do not end with the deciding one"))
}

fn check_game(rules: &Rules, game: &FinishedGame, names: Option<&BySide<String>>) -> CheckResult {
    let FinishedGame { key, result, players, record, .. } = game;
    let place = |reason: String| ImpossibleResult(format!("pair {}, game {}: {reason}", key.pair + 1, key.game + 1));
    let first = if key.game == 0 { Side::A } else { Side::B };
    check_result(rules, first, result).map_err(place)?;
    for side in Side::ALL {
        if result.faults[side].is_some() != players[side].fault.is_some() {
            return Err(place("a fault without its cause".to_owned()));
        }
    }
    match (names, record) {
        (None, None) => Ok(()),
        (None, Some(_)) => Err(place("a record that was not requested".to_owned())),
        // A game that ended before the first shot has none.
        (Some(_), None) if result.faults.a.is_some() || result.faults.b.is_some() => Ok(()),
        (Some(_), None) => Err(place("no record".to_owned())),
        (Some(names), Some(text)) => check_record(rules, first, result, names, text).map_err(place),
    }
}

fn check_record(
    rules: &Rules,
    first: Side,
    result: &GameResult,
    names: &BySide<String>,
    text: &str,
) -> Result<(), String> {
    let record: Record = text.parse().map_err(|error| format!("a record that cannot be read: {error}"))?;
    let is_printed = record.to_string() == text && record.more_tags().is_empty();
    let shots =
        |side: Side| record.turns().iter().filter(|turn| turn.0 == side).map(|turn| turn.1.len()).sum::<usize>();
    let same_shots = Side::ALL.into_iter().all(|side| usize::from(result.shots[side]) == shots(side));
    let is_sound = result.faults.a.is_none() && result.faults.b.is_none();
    let same_end = !is_sound || record.end().is_some_and(|end| end.winner == result.winner);
    // Names in records have a bounded length.
    let shortened = |name: &str| name.chars().take(Record::MAX_NAME).collect::<String>();
    let same_names = Side::ALL.into_iter().all(|side| record.names()[side] == shortened(&names[side]));
    let same_game = *record.rules() == *rules && record.first() == first && !record.is_solo();
    if is_printed && same_shots && same_end && same_names && same_game {
        Ok(())
    } else {
        Err("a record of another game".to_owned())
    }
}

fn check_result(rules: &Rules, first: Side, result: &GameResult) -> Result<(), String> {
    let GameResult { winner, faults, shots, sunk } = result;
    let cells = rules.size().cells().count();
    if Side::ALL.into_iter().any(|side| usize::from(shots[side]) > cells) {
        return Err(format!("{} and {} shots on {cells} cells", shots.a, shots.b));
    }
    let by_fault = match (faults.a, faults.b) {
        (None, None) => return check_sunk(rules, first, *winner, *shots, *sunk),
        (Some(_), None) => Some(Side::B),
        (None, Some(_)) => Some(Side::A),
        (Some(_), Some(_)) => None,
    };
    if *winner == by_fault { Ok(()) } else { Err("the winner does not follow from the faults".to_owned()) }
}

/// Checks a game that ended because a fleet was sunk.
fn check_sunk(rules: &Rules, first: Side, winner: Option<Side>, shots: BySide<u16>, sunk: bool) -> Result<(), String> {
    if !sunk {
        return Err("it ended without a fault and without a sunk fleet".to_owned());
    }
    if winner.is_none() && rules.ending() == Ending::AtOnce {
        return Err("a draw, which these rules do not have".to_owned());
    }
    let (cells, fleet) = (rules.size().cells().count(), rules.fleet_cells());
    for side in Side::ALL {
        let count = usize::from(shots[side]);
        let has_sunk = winner.is_none_or(|winner| winner == side);
        if has_sunk && count < fleet {
            return Err(format!("a fleet of {fleet} cells sunk by {count} shots"));
        }
        if !has_sunk && count >= cells {
            return Err(format!("{count} shots that left a ship afloat on {cells} cells"));
        }
    }
    if is_turn_count_possible(rules, first, winner, shots) {
        Ok(())
    } else {
        Err(format!("{} and {} shots do not fit the order of turns", shots.a, shots.b))
    }
}

/// Whether both sides had as many turns as the rules give them, where turns can be counted from shots.
fn is_turn_count_possible(rules: &Rules, first: Side, winner: Option<Side>, shots: BySide<u16>) -> bool {
    let count = |side: Side| usize::from(shots[side]);
    let ends_at_once = rules.ending() == Ending::AtOnce;
    match (rules.turn(), winner) {
        (Turn::SalvoOfShipsAfloat, _) => true,
        (Turn::AgainOnHit, None) => shots.a == shots.b,
        (Turn::AgainOnHit, Some(winner)) => {
            // Every turn ends with a miss, but for the one that sinks the fleet.
            let misses = count(winner) - rules.fleet_cells();
            let enemy_turns = if ends_at_once && winner == first { misses } else { misses + 1 };
            let enemy = count(winner.other());
            (enemy_turns..enemy_turns + rules.fleet_cells()).contains(&enemy)
        }
        (Turn::Alternate | Turn::Salvo(_), _) => {
            let volley = if let Turn::Salvo(shots) = rules.turn() { usize::from(shots) } else { 1 };
            let turns = |side: Side| count(side).div_ceil(volley);
            let lead = if ends_at_once && winner == Some(first) { 1 } else { 0 };
            turns(first) == turns(first.other()) + lead
        }
    }
}
