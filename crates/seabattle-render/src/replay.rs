//! Recorded games volley by volley, with the odds before each.

use seabattle_core::{BySide, Cell, Knowledge, Mark, Record, Rules, Shot, Side, Size, TextBoard};
use seabattle_odds::{Analysis, AnalysisError, Odds, OddsCache, PendingVolley};

/// A recorded game, divided into steps, perhaps with an analysis.
#[derive(Debug, Clone)]
pub struct Replay {
    record: Record,
    steps: Vec<Step>,
    analysis: Option<Analysis>,
}

/// A step of a replay: one volley.
#[derive(Debug, Clone)]
pub struct Step {
    /// The side that fires.
    pub side: Side,
    /// The shots with their answers.
    pub shots: Vec<Shot>,
    /// The index of its first shot among all shots of the game.
    pub first_shot: usize,
    /// The odds that this side could know before the volley, if the replay has an analysis.
    pub odds: Option<CellOdds>,
}

/// The probability of a ship on every cell that was not fired at.
#[derive(Debug, Clone, PartialEq)]
pub struct CellOdds {
    cells: Vec<f32>,
    greatest: f32,
}

impl CellOdds {
    /// Makes the cell odds of a position.
    pub fn of(known: &Knowledge, odds: &Odds) -> Self {
        let size = known.rules().size();
        let mut cells = vec![0.0; size.area()];
        for cell in known.open().iter() {
            cells[size.index(cell)] = odds.probability(cell) as f32;
        }
        let greatest = cells.iter().copied().fold(0.0, f32::max);
        Self { cells, greatest }
    }

    /// The probability of a ship on a cell.
    pub fn probability(&self, size: Size, cell: Cell) -> f32 {
        self.cells.get(size.index(cell)).copied().unwrap_or(0.0)
    }

    /// All probabilities, row by row.
    pub fn probabilities(&self) -> &[f32] {
        &self.cells
    }

    /// The probability relative to the likeliest cell, from 0 to 1.
    pub(crate) fn relative(&self, size: Size, cell: Cell) -> f64 {
        if self.greatest > 0.0 { f64::from(self.probability(size, cell) / self.greatest) } else { 0.0 }
    }
}

impl Replay {
    /// Makes a replay without odds.
    pub fn new(record: Record) -> Self {
        let mut first = 0;
        let steps = record.volleys().map(|(side, shots)| {
            first += shots.len();
            Step { side, shots: shots.to_vec(), first_shot: first - shots.len(), odds: None }
        });
        let steps = steps.collect();
        Self { record, steps, analysis: None }
    }

    /// Makes a replay with the odds of every shot. `observe` is called before each volley and says whether to continue.
    pub fn with_odds(
        record: Record,
        odds_cache: &OddsCache,
        mut observe: impl FnMut(PendingVolley<'_>) -> bool,
    ) -> Result<Self, AnalysisError> {
        let mut replay = Self::new(record);
        let mut odds = Vec::with_capacity(replay.steps.len());
        let analysis = Analysis::of(replay.record.rules(), replay.record.volleys(), odds_cache, |pending| {
            odds.push(CellOdds::of(pending.known, pending.odds));
            observe(pending)
        })?;
        replay.analysis = Some(analysis);
        for (step, step_odds) in replay.steps.iter_mut().zip(odds) {
            step.odds = Some(step_odds);
        }
        Ok(replay)
    }

    /// The record of the game.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        self.record.rules()
    }

    /// The steps, one for each volley.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The analysis, if the replay was made with odds.
    pub fn analysis(&self) -> Option<&Analysis> {
        self.analysis.as_ref()
    }

    /// The board that a side fires at. It shows the fleet if the record has it.
    pub(crate) fn target_board(&self, side: Side, known: &Knowledge) -> TextBoard {
        match self.record.fleets()[side.other()] {
            Some(fleet) => TextBoard::of_fleet(fleet, known),
            None => TextBoard::of_enemy(known),
        }
    }
}

/// A position in a replay, with what each side knows there.
pub(crate) struct Cursor<'a> {
    replay: &'a Replay,
    /// The number of steps before the cursor.
    pub(crate) position: usize,
    pub(crate) knowledge: BySide<Knowledge>,
    /// The index of the latest step of each side.
    pub(crate) latest: BySide<Option<usize>>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(replay: &'a Replay) -> Self {
        let knowledge = BySide::new(|_| Knowledge::new(replay.rules()));
        Self { replay, position: 0, knowledge, latest: BySide::default() }
    }

    /// Moves to the next step. Returns `false` at the end.
    pub(crate) fn advance(&mut self) -> bool {
        let Some(step) = self.replay.steps.get(self.position) else { return false };
        for &shot in &step.shots {
            // This cannot fail: the record was validated when it was read.
            self.knowledge[step.side].add(shot).ok();
        }
        self.latest[step.side] = Some(self.position);
        self.position += 1;
        true
    }

    /// The step before the cursor.
    pub(crate) fn step(&self) -> Option<&'a Step> {
        self.replay.steps.get(self.position.checked_sub(1)?)
    }

    /// The odds before the latest volley of a side, or those before its first.
    pub(crate) fn odds(&self, side: Side) -> Option<&'a CellOdds> {
        let steps = &self.replay.steps;
        let step = match self.latest[side] {
            Some(latest) => steps.get(latest),
            None => steps.iter().find(|step| step.side == side),
        };
        step.and_then(|step| step.odds.as_ref())
    }

    /// How many ships of each class a side has sunk, as far as the record shows.
    pub(crate) fn sunk(&self, side: Side) -> Vec<u16> {
        let (rules, known) = (self.replay.rules(), &self.knowledge[side]);
        let fleet = self.replay.record.fleets()[side.other()];
        let count = |class| match fleet {
            Some(fleet) => {
                let afloat = fleet.afloat(known.hits()).filter(|ship| ship.class() == class).count();
                rules.class(class).count() - afloat as u16
            }
            None => rules.class(class).count() - *known.afloat(class).end(),
        };
        rules.class_ids().map(count).collect()
    }

    pub(crate) fn is_sunk(&self, side: Side, cell: Cell) -> bool {
        self.replay.target_board(side, &self.knowledge[side]).at(cell) == Some(Mark::Sunk)
    }
}
