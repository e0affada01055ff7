//! A whole game judged: every shot of both sides in the order of play, and where the game turned.

use seabattle_core::{BySide, Knowledge, Rules, Shot, Side};
use thiserror::Error;

use crate::book::Book;
use crate::odds::Odds;
use crate::review::{Judge, JudgeError, Judged, Review};

/// More would bury the ones that mattered.
const MOST_SWINGS: usize = 5;

/// Hits by which a shot must have moved the balance to be worth a line.
const LEAST_SWING: f64 = 0.5;

/// Both sides of a game, each shot judged by the odds that its side could have known.
///
/// ```
/// use seabattle_core::Record;
/// use seabattle_odds::{Analysis, Book};
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
/// let analysis = Analysis::of(record.rules(), record.volleys(), &Book::default(), |_| true)?;
/// let chosen: Vec<f64> = analysis.steps().map(|step| step.judged.chosen).collect();
/// assert_eq!(chosen, [0.5, 1.0, 1.0, 0.5]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    reviews: BySide<Review>,
    /// Who fired, and which of that side's shots it was.
    order: Vec<(Side, usize)>,
    exact: bool,
    turning_points: Vec<TurningPoint>,
}

/// A volley about to be fired.
#[derive(Debug, Clone, Copy)]
pub struct Moment<'a> {
    /// Who fires.
    pub side: Side,
    /// What that side knows.
    pub known: &'a Knowledge,
    /// The odds that follow from it.
    pub odds: &'a Odds,
    /// The shots, with the answers that are still to come.
    pub volley: &'a [Shot],
}

/// One shot in the order of play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step<'a> {
    /// Of all shots of the game, from 1.
    pub number: usize,
    /// Who fired.
    pub side: Side,
    /// Of all shots of this side, from 1.
    pub turn: usize,
    /// The shot, its odds and the best ones.
    pub judged: &'a Judged,
}

/// A shot at which the game turned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TurningPoint {
    /// Of all shots of the game, from 1.
    pub number: usize,
    /// What happened there.
    pub why: Why,
}

/// What made a shot a turning point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Why {
    /// The side that fired was ahead in hits from here to the end.
    Lead,
    /// Chance moved the balance by so many hits: above 0 for an unlikely hit, below for a likely shot that missed.
    Luck(f64),
    /// A better cell would have been worth so many hits more.
    Choice(f64),
}

/// Why a game cannot be judged.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AnalysisError {
    /// A position has no odds: without fleets in it, a record may tell answers that no fleet can give.
    #[error("shot {number} of {side} cannot be judged: {why}")]
    Shot {
        /// Who was to fire.
        side: Side,
        /// Of all shots of this side, from 1.
        number: usize,
        /// What is wrong.
        why: JudgeError,
    },
    /// Whoever watched has seen enough.
    #[error("stopped before the end")]
    Stopped,
}

impl Analysis {
    /// Judges volleys in the order of play. `watch` sees every volley before its answers and says whether to go on.
    pub fn of<'a>(
        rules: &Rules,
        volleys: impl IntoIterator<Item = (Side, &'a [Shot])>,
        book: &Book,
        mut watch: impl FnMut(Moment<'_>) -> bool,
    ) -> Result<Self, AnalysisError> {
        let mut judges = BySide::new(|_| Judge::new(rules));
        let mut order = Vec::new();
        let mut exact = true;
        for (side, volley) in volleys {
            let judge = &mut judges[side];
            let fired = judge.review.shots().len();
            let failed = |why| AnalysisError::Shot { side, number: fired + 1, why };
            let odds = judge.odds(book).map_err(failed)?;
            if !watch(Moment { side, known: &judge.known, odds: &odds, volley }) {
                return Err(AnalysisError::Stopped);
            }
            judge.volley(&odds, volley).map_err(failed)?;
            exact &= odds.is_exact();
            order.extend((0..volley.len()).map(|shot| (side, fired + shot)));
        }
        let mut analysis = Self { reviews: judges.map(|judge| judge.review), order, exact, turning_points: Vec::new() };
        analysis.turning_points = turning_points(&analysis);
        Ok(analysis)
    }

    /// How well each side has shot.
    pub fn reviews(&self) -> BySide<&Review> {
        self.reviews.as_ref()
    }

    /// Every shot of the game in the order of play.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = Step<'_>> + Clone {
        let step = |(at, &(side, turn)): (usize, &(Side, usize))| Step {
            number: at + 1,
            side,
            turn: turn + 1,
            judged: &self.reviews[side].shots()[turn],
        };
        self.order.iter().enumerate().map(step)
    }

    /// Whether all odds were counted; otherwise some are estimates.
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// Where the game turned, in the order of play: the last change of the lead, and the shots that moved the balance
    /// of hits by most.
    pub fn turning_points(&self) -> &[TurningPoint] {
        &self.turning_points
    }
}

fn turning_points(analysis: &Analysis) -> Vec<TurningPoint> {
    let lead = lead_for_good(analysis).map(|number| TurningPoint { number, why: Why::Lead });
    let alone = |point: &TurningPoint| lead.is_none_or(|lead| lead.number != point.number);
    let mut swings: Vec<TurningPoint> = analysis.steps().filter_map(swing).filter(alone).collect();
    // The order of play decides between equals.
    swings.sort_by(|a, b| b.why.size().total_cmp(&a.why.size()));
    swings.truncate(MOST_SWINGS);
    let mut points: Vec<TurningPoint> = lead.into_iter().chain(swings).collect();
    points.sort_by_key(|point| point.number);
    points
}

impl Why {
    fn size(self) -> f64 {
        match self {
            Self::Lead => f64::INFINITY,
            Self::Luck(hits) | Self::Choice(hits) => hits.abs(),
        }
    }
}

/// By how much chance or choice moved the balance, whichever did more.
fn swing(step: Step<'_>) -> Option<TurningPoint> {
    let (luck, loss) = (step.judged.luck(), step.judged.loss());
    let why = if loss > luck.abs() { Why::Choice(loss) } else { Why::Luck(luck) };
    (why.size() >= LEAST_SWING).then_some(TurningPoint { number: step.number, why })
}

/// The shot with which the side that has more hits at the end got ahead for the last time.
fn lead_for_good(analysis: &Analysis) -> Option<usize> {
    // A solo game has no lead.
    if analysis.reviews().map(|review| review.shots().is_empty()) != BySide::default() {
        return None;
    }
    let hits = analysis.reviews().map(Review::hits);
    let ahead = Side::ALL.into_iter().find(|&side| hits[side] > hits[side.other()])?;
    let (mut lead, mut taken) = (0_i64, None);
    for step in analysis.steps().filter(|step| step.judged.shot.outcome.is_hit()) {
        lead += if step.side == ahead { 1 } else { -1 };
        if lead == 1 && step.side == ahead {
            taken = Some(step.number);
        }
    }
    taken
}

#[cfg(test)]
mod tests {
    use seabattle_core::{BySide, Record, Side};

    use super::{Analysis, AnalysisError, TurningPoint, Why};
    use crate::{Book, JudgeError, OddsError};

    fn analysis(rules: &str, tags: &str, rounds: &str) -> Result<Analysis, AnalysisError> {
        let text = format!("[Seabattle \"1\"]\n[Rules \"{rules}\"]\n[First \"A\"]\n{tags}\n{rounds}\n");
        let record: Record = text.parse().unwrap();
        Analysis::of(record.rules(), record.volleys(), &Book::default(), |_| true)
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
            shots.map(|judged| (judged.chosen, judged.best, judged.rank, judged.loss())).collect::<Vec<_>>()
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
        let order: Vec<(usize, Side, usize)> = game.steps().map(|step| (step.number, step.side, step.turn)).collect();
        assert_eq!(order, [(1, Side::A, 1), (2, Side::B, 1), (3, Side::A, 2), (4, Side::B, 2), (5, Side::A, 3)]);
        assert!(game.is_exact());
    }

    #[test]
    fn a_game_turns_where_the_winner_gets_ahead_for_good() {
        let game = analysis("5x1:2", WON_BY_A, "1. A C1. B A1x\n2. A A1x B C1.\n3. A B1#2").unwrap();
        // A was level with B's hit after its first shot, and ahead after its second; C1 missed at 1/2, A1 hit at 1/2.
        let lead = game.turning_points().iter().find(|point| point.why == Why::Lead).unwrap();
        assert_eq!(lead.number, 5);
    }

    #[test]
    fn a_certain_hit_left_alone_is_a_turning_point() {
        // After B1x A1. the ship is B1 C1; D1 has no ship, E1 neither.
        let game = analysis("5x1:2", "[Result \"*\"]\n", "1. A B1x B A1.\n2. A A1. B B1.\n3. A E1.").unwrap();
        let choice = TurningPoint { number: 5, why: Why::Choice(1.0) };
        assert!(game.turning_points().contains(&choice), "{:?}", game.turning_points());
        assert_eq!(game.turning_points().iter().filter(|point| point.number == 5).count(), 1);
    }

    #[test]
    fn a_draw_has_no_lead() {
        let tags = "[Result \"*\"]\n";
        let game = analysis("5x1:2", tags, "1. A A1. B A1.").unwrap();
        assert!(game.turning_points().iter().all(|point| point.why != Why::Lead));
    }

    #[test]
    fn answers_that_no_fleet_can_give_are_named() {
        // No ship of three has both ends hit, which only the odds can tell.
        let failed = analysis("5x1:3", "[Result \"*\"]\n", "1. A A1x B A1.\n2. A E1x B B1.\n3. A C1.").unwrap_err();
        let AnalysisError::Shot { side: Side::A, number: 3, why: JudgeError::Odds(OddsError::Impossible { .. }) } =
            failed
        else {
            panic!("{failed:?}")
        };
    }

    #[test]
    fn whoever_watches_may_stop() {
        let record: Record =
            "[Seabattle \"1\"]\n[Rules \"5x1:2\"]\n[First \"A\"]\n[Result \"*\"]\n\n1. A A1. B A1.\n".parse().unwrap();
        let mut seen = 0;
        let stopped = Analysis::of(record.rules(), record.volleys(), &Book::default(), |moment| {
            seen += moment.volley.len();
            moment.side == Side::A
        });
        assert_eq!((stopped, seen), (Err(AnalysisError::Stopped), 2));
    }
}
