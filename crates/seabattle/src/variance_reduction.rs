//! AIVAT-style variance reduction: the luck of a game, to be subtracted from its result.
//!
//! The luck of a shot is the change in expected misses minus the mean of that change over all possible answers.
//! The value network estimates the expected misses, exact odds give the probabilities of the answers.
//! The correction has mean zero for any player and any network. A better network removes more of the luck.

use std::sync::OnceLock;

use anyhow::Context;
use seabattle_arena::AivatCorrection;
use seabattle_core::{Knowledge, Outcome, Rules, Shot};
use seabattle_network::ValueNetwork;
use seabattle_odds::{Limits, OddsCache};

/// Caches the odds of openings, which repeat often. It needs at most 120 MB.
static ODDS_CACHE: OnceLock<OddsCache> = OnceLock::new();
const CACHED_SHOTS: usize = 12;
const CACHED_POSITIONS: usize = 10_000;

const SUPPORTED_RULES: &str = "classic, classic,touching=forbidden and russian";

/// Returns the AIVAT correction for these rules, or an error if no value network was trained for them.
pub(crate) fn correction_for(rules: &Rules) -> anyhow::Result<AivatCorrection> {
    let value_network = ValueNetwork::trained_for(rules).with_context(|| {
        format!("--low-variance needs a value network. None was trained for {rules}, only for {SUPPORTED_RULES}")
    })?;
    let odds_cache = ODDS_CACHE.get_or_init(|| OddsCache::new(CACHED_SHOTS, CACHED_POSITIONS, Limits::default()));
    Ok(AivatCorrection::new(|game| game_luck(value_network, odds_cache, game)))
}

fn game_luck(value_network: &ValueNetwork, odds_cache: &OddsCache, game: &Knowledge) -> f64 {
    let mut before = Knowledge::new(game.rules());
    let mut luck = 0.0;
    for &shot in game.shots() {
        luck += shot_luck(value_network, odds_cache, &before, shot).unwrap_or(0.0);
        if before.add(shot).is_err() {
            break;
        }
    }
    luck
}

/// Returns the luck of one shot; `None` if the odds are estimates, so that its luck is not subtracted.
fn shot_luck(value_network: &ValueNetwork, odds_cache: &OddsCache, before: &Knowledge, shot: Shot) -> Option<f64> {
    let odds = odds_cache.odds(before).ok().filter(|odds| odds.is_exact())?;
    let answers = odds.answers(shot.cell);
    if answers.len() < 2 {
        return Some(0.0);
    }
    let value_after = |outcome: Outcome| {
        let mut after = before.clone();
        after.add(Shot { outcome, ..shot }).ok()?;
        Some(value_network.expected_misses(&after)? + f64::from(u8::from(outcome == Outcome::Miss)))
    };
    let observed = |outcome: Outcome| f64::from(u8::from(outcome == shot.outcome));
    answers.into_iter().map(|(outcome, chance)| Some(value_after(outcome)? * (observed(outcome) - chance))).sum()
}

#[cfg(test)]
mod tests {
    use super::{game_luck, shot_luck};
    use seabattle_core::{Knowledge, Rules, Shot};
    use seabattle_network::ValueNetwork;
    use seabattle_odds::{Odds, OddsCache};

    fn position(text: &str) -> Knowledge {
        text.parse().unwrap()
    }

    #[test]
    fn luck_has_mean_zero() {
        let rules: Rules = "classic,touching=forbidden".parse().unwrap();
        let (value_network, odds_cache) = (ValueNetwork::trained_for(&rules).unwrap(), OddsCache::default());
        for (text, cell) in [("", "E5"), ("E5x", "E6"), ("E5x E6x", "E7"), ("A1. C3x C4x C5#cruiser H8x", "H7")] {
            let before = position(&format!("{rules} {text}"));
            let cell = cell.parse().unwrap();
            let answers = Odds::of(&before).unwrap().answers(cell);
            assert!(answers.len() > 1);
            let luck = |outcome| shot_luck(value_network, &odds_cache, &before, Shot { cell, outcome }).unwrap();
            let mean: f64 = answers.iter().map(|&(outcome, chance)| chance * luck(outcome)).sum();
            assert!(mean.abs() < 1e-9, "{text} {cell}: {mean}");
            let best = answers.iter().map(|&(outcome, _)| luck(outcome)).fold(f64::NEG_INFINITY, f64::max);
            assert!(best > 0.2, "{text} {cell}: {best}");
        }
    }

    #[test]
    fn early_hits_are_good_luck_and_misses_bad_luck() {
        let rules = "classic,touching=forbidden";
        let value_network = ValueNetwork::trained_for(&rules.parse().unwrap()).unwrap();
        let luck =
            |shots: &str| game_luck(value_network, &OddsCache::default(), &position(&format!("{rules} {shots}")));
        assert!(luck("E5x E6x E7x E8x E9#carrier") < -2.0);
        assert!(luck("E5. F6. D4. G7.") > 0.3);
        assert_eq!(luck(""), 0.0);
    }
}
