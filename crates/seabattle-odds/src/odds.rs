//! The odds of a position: exact where they can be counted in time, sampled elsewhere.

use seabattle_core::{Announce, Cell, CellSet, ClassId, Knowledge, Outcome, Rules, Ship};
use thiserror::Error;

use crate::exact::{self, LayoutSums};
use crate::importance_sampling;
use crate::placements::ships;
use crate::position::Position;
use crate::prior::Prior;
use crate::profile_dp::Workspace;
use crate::stop::is_stopped;

/// How much work and memory exact counting may take before the odds are sampled instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most sunk-ship assignments: ways to say which hits belong to which sunk ship.
    pub max_sunk_assignments: usize,
    /// The most multiplications where ships may touch; 1,000 million take about four seconds.
    pub max_multiplications: u64,
    /// The most bytes of memory where ships may not touch.
    pub max_memory_bytes: usize,
    /// The most layouts to draw when the odds are sampled.
    pub max_samples: usize,
    /// The most cells to look at in all drawn layouts together: large and crowded boards get fewer samples.
    pub max_sampled_cells: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_sunk_assignments: 10_000,
            max_multiplications: 1_000_000_000,
            max_memory_bytes: 512 << 20,
            max_samples: 20_000,
            max_sampled_cells: 400_000_000,
        }
    }
}

impl Limits {
    /// Limits for callers that ask in every position of a game: a whole game on the largest boards takes a minute.
    pub fn for_every_position() -> Self {
        Self { max_multiplications: 100_000_000, max_sampled_cells: 5_000_000, ..Self::default() }
    }
}

/// The odds of a position: the probability of a ship on every cell, given all answers so far.
///
/// ```
/// use seabattle_core::Knowledge;
/// use seabattle_odds::Odds;
///
/// let position: Knowledge = "classic".parse()?;
/// let odds = Odds::of(&position)?;
/// assert_eq!(odds.layouts(), 30_093_975_536);
/// assert!(odds.is_exact());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Odds {
    rules: Rules,
    hits: CellSet,
    layouts: u128,
    exact: bool,
    /// For each class and placement, the probability of such a ship there.
    placements: Vec<Vec<f64>>,
    /// For each class and cell, the probability of such a ship there.
    classes: Vec<Vec<f64>>,
    cells: Vec<f64>,
    errors: Option<Vec<f64>>,
}

/// Why a position has no odds.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OddsError {
    /// A shot contradicts the ones before it.
    #[error("no layout fits: shot {number}, {shot}, contradicts the shots before it")]
    Impossible {
        /// The number of that shot, counted from 1.
        number: usize,
        /// The shot with its answer, as text.
        shot: String,
    },
    /// The prior gives every consistent layout the weight 0.
    #[error("no layout that fits has a weight above 0")]
    NoWeight,
    /// The position is too large to count, and no drawn layout is consistent.
    #[error("too large to count, and none of {samples} random layouts fits; the position may be impossible")]
    NothingFound {
        /// How many layouts were drawn.
        samples: usize,
    },
    /// A [`StopFlag`](crate::StopFlag) was set before the odds were known.
    #[error("stopped before the odds were known")]
    Stopped,
}

impl Odds {
    /// Computes the odds with all legal fleets equally likely, within the default limits.
    pub fn of(knowledge: &Knowledge) -> Result<Self, OddsError> {
        Self::with(knowledge, &Prior::Uniform, &Limits::default())
    }

    /// Computes the odds under a prior and within limits.
    pub fn with(knowledge: &Knowledge, prior: &Prior, limits: &Limits) -> Result<Self, OddsError> {
        Self::in_workspace(knowledge, prior, limits, &mut Workspace::new())
    }

    pub(crate) fn in_workspace(
        knowledge: &Knowledge,
        prior: &Prior,
        limits: &Limits,
        workspace: &mut Workspace<f64>,
    ) -> Result<Self, OddsError> {
        let odds = match exact_sums(knowledge, prior, limits, workspace) {
            _ if is_stopped() => Err(OddsError::Stopped),
            Some(sums) if sums.total > 0.0 => Ok(Self::from_sums(knowledge, sums)),
            Some(_) => Err(first_impossible(knowledge, limits)),
            None => importance_sampling::estimate(knowledge, prior, limits)
                .map(|estimate| Self::from_estimate(knowledge, estimate))
                .ok_or(OddsError::NothingFound { samples: limits.max_samples }),
        };
        // What was stopped is incomplete, whatever it looks like.
        if is_stopped() { Err(OddsError::Stopped) } else { odds }
    }

    /// The number of consistent layouts, ships of one class interchangeable; an estimate if the odds are not exact.
    pub fn layouts(&self) -> u128 {
        self.layouts
    }

    /// Whether all odds are exact; if not, they are estimates with the errors of [`Odds::stderr`].
    pub fn is_exact(&self) -> bool {
        self.exact
    }

    /// The probability of a ship on a cell: 1 on a hit, 0 outside the board.
    pub fn probability(&self, cell: Cell) -> f64 {
        self.at(&self.cells, cell)
    }

    /// The probability of a ship of this class on a cell.
    pub fn class_probability(&self, class: ClassId, cell: Cell) -> f64 {
        self.at(&self.classes[class.index()], cell)
    }

    /// The standard error of [`Odds::probability`] for a cell; 0 if the odds are exact.
    pub fn stderr(&self, cell: Cell) -> f64 {
        self.errors.as_ref().map_or(0.0, |errors| self.at(errors, cell))
    }

    /// Every answer that a shot at a cell can get, with its probability, likeliest first.
    pub fn answers(&self, cell: Cell) -> Vec<(Outcome, f64)> {
        let mut answers = vec![(Outcome::Miss, (1.0 - self.probability(cell)).max(0.0))];
        for class in self.rules.class_ids() {
            let sunk = self.sunk_probability(class, cell);
            let hit = (self.class_probability(class, cell) - sunk).max(0.0);
            self.add_answer(&mut answers, class, false, hit);
            self.add_answer(&mut answers, class, true, sunk);
        }
        answers.retain(|(_, probability)| *probability > 0.0);
        answers.sort_by(|a, b| b.1.total_cmp(&a.1));
        answers
    }

    /// The bytes of all tables.
    pub(crate) fn bytes(&self) -> usize {
        let tables = self.placements.iter().chain(&self.classes).chain([&self.cells]).chain(&self.errors);
        size_of::<Self>() + tables.map(|table| size_of::<Vec<f64>>() + size_of_val(table.as_slice())).sum::<usize>()
    }

    /// The rules of the position.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    fn at(&self, values: &[f64], cell: Cell) -> f64 {
        if self.rules.size().contains(cell) { values[self.rules.size().index(cell)] } else { 0.0 }
    }

    /// The probability that a shot at a cell sinks a ship of this class.
    fn sunk_probability(&self, class: ClassId, cell: Cell) -> f64 {
        let finishes =
            |ship: &Ship| ship.covers(cell) && ship.cells().all(|part| part == cell || self.hits.contains(part));
        let through = ships(&self.rules, class).zip(&self.placements[class.index()]);
        through
            .filter(|(ship, probability)| **probability > 0.0 && finishes(ship))
            .map(|(_, probability)| probability)
            .sum()
    }

    /// Adds the probability of an answer, reduced to what the rules announce.
    fn add_answer(&self, answers: &mut Vec<(Outcome, f64)>, class: ClassId, sunk: bool, probability: f64) {
        let announce = self.rules.announce();
        let outcome = if sunk && announce >= Announce::Sunk {
            Outcome::Sunk((announce >= Announce::Which).then_some(class))
        } else {
            Outcome::Hit((announce == Announce::Named).then_some(class))
        };
        match answers.iter_mut().find(|(known, _)| *known == outcome) {
            Some((_, sum)) => *sum += probability,
            None => answers.push((outcome, probability)),
        }
    }

    fn from_sums(knowledge: &Knowledge, sums: LayoutSums) -> Self {
        let total = sums.total;
        let placements =
            sums.placements.into_iter().map(|class| class.into_iter().map(|sum| sum / total).collect()).collect();
        let layouts = sums.layouts.unwrap_or(total as u128);
        Self::from_parts(knowledge, placements, layouts, None)
    }

    fn from_estimate(knowledge: &Knowledge, estimate: importance_sampling::Estimate) -> Self {
        Self::from_parts(knowledge, estimate.placements, estimate.layouts as u128, Some(estimate.errors))
    }

    pub(crate) fn placement_probability(&self, class: ClassId, placement: usize) -> f64 {
        self.placements[class.index()].get(placement).copied().unwrap_or(0.0)
    }

    /// Derives all odds from the probability of each placement; with errors they are an estimate.
    pub(crate) fn from_parts(
        knowledge: &Knowledge,
        placements: Vec<Vec<f64>>,
        layouts: u128,
        errors: Option<Vec<f64>>,
    ) -> Self {
        let rules = knowledge.rules().clone();
        let size = rules.size();
        let mut classes = vec![vec![0.0; size.area()]; rules.classes().len()];
        for class in rules.class_ids() {
            for (ship, probability) in ships(&rules, class).zip(&placements[class.index()]) {
                if *probability > 0.0 {
                    ship.cells().for_each(|cell| classes[class.index()][size.index(cell)] += probability);
                }
            }
        }
        let cells =
            (0..size.area()).map(|cell| classes.iter().map(|class| class[cell]).sum::<f64>().min(1.0)).collect();
        Self {
            rules,
            hits: knowledge.hits().clone(),
            layouts,
            exact: errors.is_none(),
            placements,
            classes,
            cells,
            errors,
        }
    }
}

fn exact_sums(
    knowledge: &Knowledge,
    prior: &Prior,
    limits: &Limits,
    workspace: &mut Workspace<f64>,
) -> Option<LayoutSums> {
    if knowledge.rules().size().area() > 128 {
        return None;
    }
    exact::sums(&Position::<2>::new(knowledge, prior), limits, workspace)
}

/// The first shot after which no layout is consistent, found by bisection: later positions stay impossible.
fn first_impossible(knowledge: &Knowledge, limits: &Limits) -> OddsError {
    let shots = knowledge.shots();
    let rules = knowledge.rules();
    let possible = |count: usize| {
        let mut earlier = Knowledge::new(rules);
        let all = shots[..count].iter().all(|&shot| earlier.add(shot).is_ok());
        all && exact_sums(&earlier, &Prior::Uniform, limits, &mut Workspace::new()).is_some_and(|sums| sums.total > 0.0)
    };
    if possible(shots.len()) {
        return OddsError::NoWeight;
    }
    let (mut good, mut bad) = (0, shots.len());
    while bad - good > 1 {
        let middle = (good + bad) / 2;
        if possible(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    let shot = shots.get(bad - 1).map_or_else(String::new, |shot| shot.to_text(rules));
    OddsError::Impossible { number: bad, shot }
}
