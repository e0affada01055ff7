//! The analysis of a whole game: every shot of both sides against its odds, and where the game turned.

use seabattle_core::{BySide, Knowledge, Rules, Shot, Side};
use thiserror::Error;

use crate::odds::{Odds, OddsError};
use crate::odds_cache::OddsCache;
use crate::review::{Review, ReviewError, Reviewer, ShotReview};
use crate::stop::is_stopped;

/// At most this many swings are reported: more would bury those that mattered.
const MAX_SWINGS: usize = 5;

/// Hits by which a shot must have moved the balance to be reported.
const MIN_SWING: f64 = 0.5;

/// The analysis of a game: each shot of both sides is compared with the odds that its side could have known.
///
/// ```
/// use seabattle_core::Record;
/// use seabattle_odds::{Analysis, OddsCache};
///
/// let text = r#"[Seabattle "1"]
/// [Rules "3x1:2"]
/// [First "A"]
/// [Result "B"]
/// [Ended "sunk"]
///
/// 1. A A1. B B1x
/// 2. A C1x B C1#2
/// "#;
/// let record: Record = text.parse()?;
/// let analysis = Analysis::of(record.rules(), record.volleys(), &OddsCache::default(), |_| true)?;
/// let chosen: Vec<f64> = analysis.shots().map(|shot| shot.review.chosen).collect();
/// assert_eq!(chosen, [0.5, 1.0, 1.0, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    reviews: BySide<Review>,
    /// The side that fired each shot, and the shot's index among those of that side.
    order: Vec<(Side, usize)>,
    exact: bool,
    turning_points: Vec<TurningPoint>,
}

/// A volley that is about to be analyzed, as the observer of [`Analysis::of`] sees it.
#[derive(Debug, Clone, Copy)]
pub struct PendingVolley<'a> {
    /// The side that fires.
    pub side: Side,
    /// What that side knows of the other's board before the volley.
    pub known: &'a Knowledge,
    /// The odds that follow from this knowledge.
    pub odds: &'a Odds,
    /// The shots of the volley with their answers.
    pub volley: &'a [Shot],
}

/// One shot of an [`Analysis`], in the order of play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnalyzedShot<'a> {
    /// The shot's number among all shots of the game, counted from 1.
    pub number: usize,
    /// The side that fired.
    pub side: Side,
    /// The shot's number among the shots of its side, counted from 1.
    pub number_of_side: usize,
    /// The shot, its odds and those of the best cell.
    pub review: &'a ShotReview,
}

/// A shot at which the game turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurningPoint {
    /// The shot's number among all shots of the game, counted from 1.
    pub number: usize,
    /// What made the shot a turning point.
    pub reason: TurningReason,
}

/// What made a shot a turning point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TurningReason {
    /// The side that fired was ahead in hits from this shot to the end.
    Lead,
    /// Luck moved the balance by this many hits: above 0 for an unlikely hit, below 0 for a likely shot that missed.
    Luck(f64),
    /// A better cell would have been worth this many hits more.
    Choice(f64),
}

/// Why a game cannot be analyzed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnalysisError {
    /// A position has no odds. A record without fleets can contain answers that no fleet gives.
    #[error("shot {number} of {side} cannot be analyzed: {reason}")]
    Shot {
        /// The side that was to fire.
        side: Side,
        /// The shot's number among the shots of its side, counted from 1.
        number: usize,
        /// What is wrong with the position or the shot.
        reason: ReviewError,
    },
    /// The observer asked to stop, or a [`StopFlag`](crate::StopFlag) was set.
    #[error("stopped before the end")]
    Stopped,
}

impl Analysis {
    /// Analyzes volleys in the order of play.
    ///
    /// Before each volley `observe` sees it with the odds, and returns whether to continue.
    pub fn of<'a>(
        rules: &Rules,
        volleys: impl IntoIterator<Item = (Side, &'a [Shot])>,
        odds_cache: &OddsCache,
        mut observe: impl FnMut(PendingVolley<'_>) -> bool,
    ) -> Result<Self, AnalysisError> {
        let mut reviewers = BySide::new(|_| Reviewer::new(rules));
        let mut order = Vec::new();
        let mut exact = true;
        for (side, volley) in volleys {
            let reviewer = &mut reviewers[side];
            let fired = reviewer.review.shots().len();
            let failed = |reason| match reason {
                ReviewError::Odds(OddsError::Stopped) => AnalysisError::Stopped,
                reason => AnalysisError::Shot { side, number: fired + 1, reason },
            };
            let odds = reviewer.odds(odds_cache).map_err(failed)?;
            if !observe(PendingVolley { side, known: &reviewer.known, odds: &odds, volley }) || is_stopped() {
                return Err(AnalysisError::Stopped);
            }
            reviewer.add(&odds, volley).map_err(failed)?;
            exact &= odds.is_exact();
            order.extend((0..volley.len()).map(|shot| (side, fired + shot)));
        }
        let reviews = reviewers.map(|reviewer| reviewer.review);
        let mut analysis = Self { reviews, order, exact, turning_points: Vec::new() };
        analysis.turning_points = turning_points(&analysis);
        Ok(analysis)
    }

    /// The review of each side: how well it has shot.
    pub fn reviews(&self) -> BySide<&Review> {
        self.reviews.as_ref()
    }

    /// Every shot of the game in the order of play.
    pub fn shots(&self) -> impl ExactSizeIterator<Item = AnalyzedShot<'_>> + Clone {
        let shot = |(index, &(side, own_index)): (usize, &(Side, usize))| AnalyzedShot {
            number: index + 1,
            side,
            number_of_side: own_index + 1,
            review: &self.reviews[side].shots()[own_index],
        };
        self.order.iter().enumerate().map(shot)
    }

    /// Whether all odds of the game were counted exactly; otherwise some are estimates.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// The shots at which the game turned, in the order of play.
    ///
    /// These are the last change of the lead, and the shots that moved the balance of hits most.
    pub fn turning_points(&self) -> &[TurningPoint] {
        &self.turning_points
    }
}

fn turning_points(analysis: &Analysis) -> Vec<TurningPoint> {
    let lead = final_lead(analysis).map(|number| TurningPoint { number, reason: TurningReason::Lead });
    let is_not_lead = |point: &TurningPoint| lead.is_none_or(|lead| lead.number != point.number);
    let mut swings: Vec<TurningPoint> = analysis.shots().filter_map(swing).filter(is_not_lead).collect();
    // The sort is stable: of equal swings the earlier comes first.
    swings.sort_by(|a, b| b.reason.size().total_cmp(&a.reason.size()));
    swings.truncate(MAX_SWINGS);
    let mut points: Vec<TurningPoint> = lead.into_iter().chain(swings).collect();
    points.sort_by_key(|point| point.number);
    points
}

impl TurningReason {
    fn size(self) -> f64 {
        match self {
            Self::Lead => f64::INFINITY,
            Self::Luck(hits) | Self::Choice(hits) => hits.abs(),
        }
    }
}

/// The luck or the choice of a shot as a turning point, whichever moved the balance more.
fn swing(shot: AnalyzedShot<'_>) -> Option<TurningPoint> {
    let (luck, loss) = (shot.review.luck(), shot.review.loss());
    let reason = if loss > luck.abs() { TurningReason::Choice(loss) } else { TurningReason::Luck(luck) };
    (reason.size() >= MIN_SWING).then_some(TurningPoint { number: shot.number, reason })
}

/// The shot with which the side that has more hits at the end took the lead for the last time.
fn final_lead(analysis: &Analysis) -> Option<usize> {
    // A solo game has no lead.
    if analysis.reviews().map(|review| review.shots().is_empty()) != BySide::default() {
        return None;
    }
    let hits = analysis.reviews().map(Review::hits);
    let leader = Side::ALL.into_iter().find(|&side| hits[side] > hits[side.other()])?;
    let (mut lead, mut lead_taken_at) = (0_i64, None);
    for shot in analysis.shots().filter(|shot| shot.review.shot.outcome.is_hit()) {
        lead += if shot.side == leader { 1 } else { -1 };
        if lead == 1 && shot.side == leader {
            lead_taken_at = Some(shot.number);
        }
    }
    lead_taken_at
}

#[cfg(test)]
mod tests {
    use seabattle_core::{BySide, Record, Side};

    use super::{Analysis, AnalysisError, TurningPoint, TurningReason};
    use crate::{OddsCache, OddsError, ReviewError};

    fn analysis(rules: &str, tags: &str, rounds: &str) -> Result<Analysis, AnalysisError> {
        let text = format!("[Seabattle \"1\"]\n[Rules \"{rules}\"]\n[First \"A\"]\n{tags}\n{rounds}\n");
        let record: Record = text.parse().unwrap();
        Analysis::of(record.rules(), record.volleys(), &OddsCache::default(), |_| true)
    }

    const WON_BY_A: &str = "[Result \"A\"]\n[Ended \"sunk\"]\n";

    /// 5x1 with a ship of 2 has four layouts, AB BC CD DE: at first the cells have 1/4, 2/4, 2/4, 2/4, 1/4.
    #[test]
    fn both_sides_of_a_game_counted_by_hand() {
        // A: B1 1/2 of 1/2, hit; then A1 or C1, 1/2 each; A1 misses; C1 1 of 1.
        // B: A1 1/4 of 1/2, missed, leaves BC CD DE: 1/3, 2/3, 2/3, 1/3; B1 1/3 of 2/3, missed, leaves CD DE.
        let game = analysis("5x1:2", WON_BY_A, "1. A B1x B A1.\n2. A A1. B B1.\n3. A C1#2").unwrap();
        let odds = |side: Side| {
            let shots = game.reviews()[side].shots().iter();
            shots.map(|shot| (shot.chosen, shot.best, shot.rank, shot.loss())).collect::<Vec<_>>()
        };
        assert_eq!(odds(Side::A), [(0.5, 0.5, 1, 0.0), (0.5, 0.5, 1, 0.0), (1.0, 1.0, 1, 0.0)]);
        assert_eq!(odds(Side::B), [(0.25, 0.5, 4, 0.25), (1.0 / 3.0, 2.0 / 3.0, 3, 1.0 / 3.0)]);
        let reviews = game.reviews();
        assert_eq!(
            reviews.map(|review| review.skill().unwrap()),
            BySide { a: 100.0, b: 100.0 * (7.0 / 12.0) / (7.0 / 6.0) }
        );
        let luck = reviews.map(|review| review.luck());
        assert_eq!(luck, BySide { a: 0.0, b: -(0.25 + 1.0 / 3.0) });
        assert_eq!(reviews.a.luck_in_deviations(), 0.0);
        // Variances 3/16 and 2/9.
        assert_eq!(reviews.b.deviation(), (0.25_f64 * 0.75 + (1.0 / 3.0) * (1.0 - 1.0 / 3.0)).sqrt());
        assert_eq!(reviews.b.luck_in_deviations(), luck.b / reviews.b.deviation());
        let order: Vec<(usize, Side, usize)> =
            game.shots().map(|shot| (shot.number, shot.side, shot.number_of_side)).collect();
        assert_eq!(order, [(1, Side::A, 1), (2, Side::B, 1), (3, Side::A, 2), (4, Side::B, 2), (5, Side::A, 3)]);
        assert!(game.is_exact());
    }

    #[test]
    fn a_game_turns_where_the_winner_gets_ahead_for_good() {
        let game = analysis("5x1:2", WON_BY_A, "1. A C1. B A1x\n2. A A1x B C1.\n3. A B1#2").unwrap();
        // A was level with B's hit after its first shot, and ahead after its second; C1 missed at 1/2, A1 hit at 1/2.
        let lead = game.turning_points().iter().find(|point| point.reason == TurningReason::Lead).unwrap();
        assert_eq!(lead.number, 5);
    }

    #[test]
    fn a_certain_hit_left_alone_is_a_turning_point() {
        // After B1x A1. the ship is B1 C1; D1 has no ship, E1 neither.
        let game = analysis("5x1:2", "[Result \"*\"]\n", "1. A B1x B A1.\n2. A A1. B B1.\n3. A E1.").unwrap();
        let choice = TurningPoint { number: 5, reason: TurningReason::Choice(1.0) };
        assert!(game.turning_points().contains(&choice), "{:?}", game.turning_points());
        assert_eq!(game.turning_points().iter().filter(|point| point.number == 5).count(), 1);
    }

    #[test]
    fn a_draw_has_no_lead() {
        let tags = "[Result \"*\"]\n";
        let game = analysis("5x1:2", tags, "1. A A1. B A1.").unwrap();
        assert!(game.turning_points().iter().all(|point| point.reason != TurningReason::Lead));
    }

    #[test]
    fn answers_that_no_fleet_can_give_are_named() {
        // No ship of three has both ends hit, which only the odds can tell.
        let failed = analysis("5x1:3", "[Result \"*\"]\n", "1. A A1x B A1.\n2. A E1x B B1.\n3. A C1.").unwrap_err();
        let AnalysisError::Shot { side: Side::A, number: 3, reason: ReviewError::Odds(OddsError::Impossible { .. }) } =
            failed
        else {
            panic!("{failed:?}")
        };
    }

    #[test]
    fn the_observer_can_stop() {
        let record: Record =
            "[Seabattle \"1\"]\n[Rules \"5x1:2\"]\n[First \"A\"]\n[Result \"*\"]\n\n1. A A1. B A1.\n".parse().unwrap();
        let mut observed = 0;
        let stopped = Analysis::of(record.rules(), record.volleys(), &OddsCache::default(), |pending| {
            observed += pending.volley.len();
            pending.side == Side::A
        });
        assert_eq!((stopped, observed), (Err(AnalysisError::Stopped), 2));
    }
}
