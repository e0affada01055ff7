//! How well a side has shot: the odds of the cells it chose, compared with the best available.

use std::sync::Arc;

use seabattle_core::{Cell, Knowledge, Rules, Shot, ShotError};
use thiserror::Error;

use crate::odds::{Odds, OddsError};
use crate::odds_cache::OddsCache;

/// Probabilities closer than this are equal: sums in another order round differently.
const TOLERANCE: f64 = 1e-12;

/// The review of all shots of one side, each compared with the odds that the side could have known.
///
/// ```
/// use seabattle_core::{Knowledge, Shot};
/// use seabattle_odds::{OddsCache, Review};
///
/// let game: Knowledge = "3x1:2 A1. B1x C1#2".parse()?;
/// let review = Review::of(game.rules(), game.shots().chunks(1), &OddsCache::default(), || true).expect("odds");
/// assert_eq!(review.skill(), Some(100.0 * 2.5 / 3.0));
/// assert_eq!(review.luck(), -0.5);
/// # Ok::<(), seabattle_core::ParsePositionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Review {
    shots: Vec<ShotReview>,
}

/// The review of one shot by the odds before it was fired.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShotReview {
    /// The shot with its answer.
    pub shot: Shot,
    /// The probability of a ship on the chosen cell.
    pub chosen: f64,
    /// The probability of a ship on the best cell; in a salvo, on the best cell left for this shot.
    pub best: f64,
    /// The best cell.
    pub best_cell: Cell,
    /// The rank of the chosen cell: one more than the number of likelier cells.
    pub rank: usize,
}

impl ShotReview {
    /// The expected hits that the choice gave away: 0 for the best cell.
    pub fn loss(&self) -> f64 {
        self.best - self.chosen
    }

    /// The luck of the answer: the hit, 0 or 1, less its probability.
    pub fn luck(&self) -> f64 {
        f64::from(u8::from(self.shot.outcome.is_hit())) - self.chosen
    }
}

/// Why a shot cannot be reviewed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReviewError {
    /// The position before the shot has no odds.
    #[error(transparent)]
    Odds(#[from] OddsError),
    /// The shot cannot follow the ones before it.
    #[error(transparent)]
    Shot(#[from] ShotError),
}

/// Reviews the volleys of one side one after the other, each by what was known before it.
pub(crate) struct Reviewer {
    pub(crate) known: Knowledge,
    pub(crate) review: Review,
}

impl Reviewer {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { known: Knowledge::new(rules), review: Review::default() }
    }

    /// The odds before the next volley.
    pub(crate) fn odds(&self, odds_cache: &OddsCache) -> Result<Arc<Odds>, ReviewError> {
        Ok(odds_cache.odds(&self.known)?)
    }

    /// Reviews the next volley by the odds before it, then learns its answers.
    pub(crate) fn add(&mut self, odds: &Odds, volley: &[Shot]) -> Result<(), ReviewError> {
        review_volley(odds, &self.known, volley, &mut self.review.shots);
        volley.iter().try_for_each(|&shot| self.known.add(shot)).map_err(ReviewError::Shot)
    }
}

impl Review {
    /// Reviews volleys, each by what was known before it.
    ///
    /// Returns `None` if a position has no odds, or as soon as `is_wanted` returns false.
    pub fn of<'a>(
        rules: &Rules,
        volleys: impl IntoIterator<Item = &'a [Shot]>,
        odds_cache: &OddsCache,
        is_wanted: impl Fn() -> bool,
    ) -> Option<Self> {
        let mut reviewer = Reviewer::new(rules);
        for volley in volleys {
            if !is_wanted() {
                return None;
            }
            let odds = reviewer.odds(odds_cache).ok()?;
            reviewer.add(&odds, volley).ok()?;
        }
        Some(reviewer.review)
    }

    /// The reviews of all shots, oldest first.
    pub fn shots(&self) -> &[ShotReview] {
        &self.shots
    }

    /// The skill in percent: the hits expected of the chosen cells as a share of those expected of the best cells.
    ///
    /// `None` before the first shot.
    pub fn skill(&self) -> Option<f64> {
        let best = self.best();
        (best > 0.0).then(|| 100.0 * self.expected() / best)
    }

    /// The luck of all answers: the hits beyond those expected of the chosen cells.
    pub fn luck(&self) -> f64 {
        self.hits() as f64 - self.expected()
    }

    /// [`Review::luck`] in standard deviations; 0 where every answer was certain.
    pub fn luck_in_deviations(&self) -> f64 {
        let deviation = self.deviation();
        if deviation > 3e-5 { self.luck() / deviation } else { 0.0 }
    }

    /// How many shots hit.
    pub fn hits(&self) -> usize {
        self.shots.iter().filter(|review| review.shot.outcome.is_hit()).count()
    }

    /// The hits expected of the chosen cells.
    pub fn expected(&self) -> f64 {
        // An empty `sum` would be -0.0.
        self.shots.iter().fold(0.0, |sum, review| sum + review.chosen)
    }

    /// The hits expected of the best cells.
    pub fn best(&self) -> f64 {
        self.shots.iter().fold(0.0, |sum, review| sum + review.best)
    }

    /// The standard deviation of the hits around those expected of the chosen cells.
    pub fn deviation(&self) -> f64 {
        self.shots.iter().map(|review| review.chosen * (1.0 - review.chosen)).sum::<f64>().max(0.0).sqrt()
    }
}

fn review_volley(odds: &Odds, knowledge: &Knowledge, volley: &[Shot], reviews: &mut Vec<ShotReview>) {
    let mut ranked: Vec<(Cell, f64)> = knowledge.open().iter().map(|cell| (cell, odds.probability(cell))).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    // The likeliest shot is compared with the likeliest cell, and so on: the order within a salvo does not matter.
    let mut order: Vec<usize> = (0..volley.len()).collect();
    order.sort_by(|&a, &b| odds.probability(volley[b].cell).total_cmp(&odds.probability(volley[a].cell)));
    let first = reviews.len();
    reviews.extend(volley.iter().map(|&shot| {
        let chosen = odds.probability(shot.cell);
        let rank = 1 + ranked.iter().take_while(|(_, probability)| *probability > chosen + TOLERANCE).count();
        ShotReview { shot, chosen, best: chosen, best_cell: shot.cell, rank }
    }));
    for (rank, &index) in order.iter().enumerate() {
        if let Some(&(cell, probability)) = ranked.get(rank) {
            let review = &mut reviews[first + index];
            if probability > review.chosen + TOLERANCE {
                (review.best, review.best_cell) = (probability, cell);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use seabattle_core::Knowledge;

    use super::Review;
    use crate::OddsCache;

    fn review(position: &str, volley: usize) -> Review {
        let game: Knowledge = position.parse().unwrap();
        Review::of(game.rules(), game.shots().chunks(volley), &OddsCache::default(), || true).unwrap()
    }

    #[test]
    fn skill_and_luck_of_a_game_counted_by_hand() {
        // One ship of two on four cells: three layouts. A1 has 1/3, B1 was best with 2/3. After the miss B1 1/2, C1 1.
        let review = review("4x1:2 A1. B1. C1x D1#2", 1);
        let odds: Vec<(f64, f64)> = review.shots().iter().map(|shot| (shot.chosen, shot.best)).collect();
        assert_eq!(odds, [(1.0 / 3.0, 2.0 / 3.0), (0.5, 1.0), (1.0, 1.0), (1.0, 1.0)]);
        assert!((review.skill().unwrap() - 100.0 * (17.0 / 6.0) / (11.0 / 3.0)).abs() < 1e-12);
        assert!((review.luck() - (2.0 - 17.0 / 6.0)).abs() < 1e-12);
        let variance: f64 = 2.0 / 9.0 + 0.25;
        assert!((review.luck_in_deviations() - (2.0 - 17.0 / 6.0) / variance.sqrt()).abs() < 1e-12);
        assert_eq!(review.shots()[0].rank, 3);
        assert_eq!(review.shots()[0].best_cell.to_string(), "B1");
    }

    #[test]
    fn the_shots_of_a_salvo_are_judged_by_what_was_known_before_it() {
        let review = review("4x1:2 A1. B1. C1x D1#2", 2);
        let chosen: Vec<f64> = review.shots().iter().map(|shot| shot.chosen).collect();
        assert_eq!(chosen, [1.0 / 3.0, 2.0 / 3.0, 1.0, 1.0]);
        let best: Vec<f64> = review.shots().iter().map(|shot| shot.best).collect();
        assert_eq!(best, [2.0 / 3.0, 2.0 / 3.0, 1.0, 1.0]);
    }

    #[test]
    fn nobody_is_skilled_before_the_first_shot() {
        assert_eq!(review("3x1:2", 1).skill(), None);
    }
}
