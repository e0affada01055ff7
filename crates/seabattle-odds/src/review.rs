//! How well a side has shot: the odds of the cells it chose beside those of the best.

use std::sync::Arc;

use seabattle_core::{Cell, Knowledge, Rules, Shot, ShotError};
use thiserror::Error;

use crate::book::Book;
use crate::odds::{Odds, OddsError};

/// Probabilities closer than this are the same number, rounded on another way.
const SAME: f64 = 1e-12;

/// All shots of one side, judged by the odds that it could have known.
///
/// ```
/// use seabattle_core::{Knowledge, Shot};
/// use seabattle_odds::{Book, Review};
///
/// let game: Knowledge = "3x1:2 A1. B1x C1#2".parse()?;
/// let review = Review::of(game.rules(), game.shots().chunks(1), &Book::default(), || true).expect("odds");
/// assert_eq!(review.skill(), Some(100.0 * 2.5 / 3.0));
/// assert_eq!(review.luck(), -0.5);
/// # Ok::<(), seabattle_core::ParsePositionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Review {
    shots: Vec<Judged>,
}

/// One shot and what was known of it before it was fired.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The shot with its answer.
    pub shot: Shot,
    /// The probability that the cell chosen held a ship.
    pub chosen: f64,
    /// The probability of the best cell; in a salvo, of the best one left for this shot.
    pub best: f64,
    /// The best cell.
    pub best_cell: Cell,
    /// How many cells were likelier than the one chosen, plus one.
    pub rank: usize,
}

impl Judged {
    /// Hits given away by the choice: 0 for the best cell.
    pub fn loss(&self) -> f64 {
        self.best - self.chosen
    }

    /// Hits beyond those expected of the cell chosen: what chance did.
    pub fn luck(&self) -> f64 {
        f64::from(u8::from(self.shot.outcome.is_hit())) - self.chosen
    }
}

/// Why a shot cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JudgeError {
    /// The position before it has no odds.
    #[error(transparent)]
    Odds(#[from] OddsError),
    /// It cannot follow the ones before it.
    #[error(transparent)]
    Shot(#[from] ShotError),
}

/// Judges the volleys of one side as they come, each by what was known before it.
pub(crate) struct Judge {
    pub(crate) known: Knowledge,
    pub(crate) review: Review,
}

impl Judge {
    pub(crate) fn new(rules: &Rules) -> Self {
        Self { known: Knowledge::new(rules), review: Review::default() }
    }

    /// The odds before the next volley.
    pub(crate) fn odds(&self, book: &Book) -> Result<Arc<Odds>, JudgeError> {
        Ok(book.odds(&self.known)?)
    }

    pub(crate) fn volley(&mut self, odds: &Odds, volley: &[Shot]) -> Result<(), JudgeError> {
        judge(odds, &self.known, volley, &mut self.review.shots);
        volley.iter().try_for_each(|&shot| self.known.add(shot)).map_err(JudgeError::Shot)
    }
}

impl Review {
    /// Judges volleys, each by what was known before it; `None` if a position has no odds, or when it is not wanted any more.
    pub fn of<'a>(
        rules: &Rules,
        volleys: impl IntoIterator<Item = &'a [Shot]>,
        book: &Book,
        wanted: impl Fn() -> bool,
    ) -> Option<Self> {
        let mut judge = Judge::new(rules);
        for volley in volleys {
            if !wanted() {
                return None;
            }
            let odds = judge.odds(book).ok()?;
            judge.volley(&odds, volley).ok()?;
        }
        Some(judge.review)
    }

    /// Every shot, oldest first.
    pub fn shots(&self) -> &[Judged] {
        &self.shots
    }

    /// The hits expected of the cells chosen as a share of the hits expected of the best, in percent. Nothing before
    /// the first shot.
    pub fn skill(&self) -> Option<f64> {
        let best = self.best();
        (best > 0.0).then(|| 100.0 * self.expected() / best)
    }

    /// Hits beyond those expected of the cells chosen.
    pub fn luck(&self) -> f64 {
        self.hits() as f64 - self.expected()
    }

    /// [`Review::luck`] in standard deviations; 0 where nothing was left to luck.
    pub fn luck_in_deviations(&self) -> f64 {
        let deviation = self.deviation();
        if deviation > 3e-5 { self.luck() / deviation } else { 0.0 }
    }

    /// Shots that hit.
    pub fn hits(&self) -> usize {
        self.shots.iter().filter(|judged| judged.shot.outcome.is_hit()).count()
    }

    /// Hits expected of the cells chosen.
    pub fn expected(&self) -> f64 {
        self.shots.iter().map(|judged| judged.chosen).sum()
    }

    /// Hits expected of the best cells.
    pub fn best(&self) -> f64 {
        self.shots.iter().map(|judged| judged.best).sum()
    }

    /// The standard deviation of the hits around those expected.
    pub fn deviation(&self) -> f64 {
        self.shots.iter().map(|judged| judged.chosen * (1.0 - judged.chosen)).sum::<f64>().max(0.0).sqrt()
    }
}

fn judge(odds: &Odds, knowledge: &Knowledge, volley: &[Shot], judged: &mut Vec<Judged>) {
    let mut ranked: Vec<(Cell, f64)> = knowledge.open().iter().map(|cell| (cell, odds.probability(cell))).collect();
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    // The likeliest of the shots is held to the likeliest cell, and so on: the order within a salvo does not matter.
    let mut order: Vec<usize> = (0..volley.len()).collect();
    order.sort_by(|&a, &b| odds.probability(volley[b].cell).total_cmp(&odds.probability(volley[a].cell)));
    let from = judged.len();
    judged.extend(volley.iter().map(|&shot| {
        let chosen = odds.probability(shot.cell);
        let rank = 1 + ranked.iter().take_while(|(_, probability)| *probability > chosen + SAME).count();
        Judged { shot, chosen, best: chosen, best_cell: shot.cell, rank }
    }));
    for (place, &number) in order.iter().enumerate() {
        if let Some(&(cell, probability)) = ranked.get(place) {
            let judged = &mut judged[from + number];
            if probability > judged.chosen + SAME {
                (judged.best, judged.best_cell) = (probability, cell);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use seabattle_core::Knowledge;

    use super::Review;
    use crate::Book;

    fn review(position: &str, volley: usize) -> Review {
        let game: Knowledge = position.parse().unwrap();
        Review::of(game.rules(), game.shots().chunks(volley), &Book::default(), || true).unwrap()
    }

    #[test]
    fn skill_and_luck_of_a_game_counted_by_hand() {
        // One ship of two on four cells: three layouts. A1 has 1/3, B1 was best with 2/3. After the miss B1 1/2, C1 1.
        let review = review("4x1:2 A1. B1. C1x D1#2", 1);
        let odds: Vec<(f64, f64)> = review.shots().iter().map(|judged| (judged.chosen, judged.best)).collect();
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
        let chosen: Vec<f64> = review.shots().iter().map(|judged| judged.chosen).collect();
        assert_eq!(chosen, [1.0 / 3.0, 2.0 / 3.0, 1.0, 1.0]);
        let best: Vec<f64> = review.shots().iter().map(|judged| judged.best).collect();
        assert_eq!(best, [2.0 / 3.0, 2.0 / 3.0, 1.0, 1.0]);
    }

    #[test]
    fn nobody_is_skilled_before_the_first_shot() {
        assert_eq!(review("3x1:2", 1).skill(), None);
    }
}
