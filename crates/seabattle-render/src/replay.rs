//! A game as it is told: its volleys in order, and what the odds say about each.

use seabattle_core::{BySide, Cell, Knowledge, Mark, Record, Rules, Shot, Side, Size, TextBoard};
use seabattle_odds::{Analysis, AnalysisError, Odds, OddsCache, PendingVolley};

/// A record ready to be shown.
#[derive(Debug, Clone)]
pub struct Replay {
    record: Record,
    steps: Vec<Step>,
    analysis: Option<Analysis>,
}

/// One volley.
#[derive(Debug, Clone)]
pub struct Step {
    /// Who fires.
    pub side: Side,
    /// With their answers.
    pub shots: Vec<Shot>,
    /// Of its first shot among all shots of the game, from 0.
    pub first_shot: usize,
    /// The odds that this side could have known before, if they were asked for.
    pub odds: Option<CellOdds>,
}

/// The probability of a ship on every cell that was not shot at.
#[derive(Debug, Clone, PartialEq)]
pub struct CellOdds {
    cells: Vec<f32>,
    greatest: f32,
}

impl CellOdds {
    /// Of a position.
    pub fn of(known: &Knowledge, odds: &Odds) -> Self {
        let size = known.rules().size();
        let mut cells = vec![0.0; size.area()];
        for cell in known.open().iter() {
            cells[size.index(cell)] = odds.probability(cell) as f32;
        }
        let greatest = cells.iter().copied().fold(0.0, f32::max);
        Self { cells, greatest }
    }

    /// Of a cell on a board of this size.
    pub fn probability(&self, size: Size, cell: Cell) -> f32 {
        self.cells.get(size.index(cell)).copied().unwrap_or(0.0)
    }

    /// Row by row.
    pub fn probabilities(&self) -> &[f32] {
        &self.cells
    }

    /// Compared with the likeliest cell, from 0 to 1.
    pub(crate) fn relative(&self, size: Size, cell: Cell) -> f64 {
        if self.greatest > 0.0 { f64::from(self.probability(size, cell) / self.greatest) } else { 0.0 }
    }
}

impl Replay {
    /// The shots alone.
    pub fn new(record: Record) -> Self {
        let mut first = 0;
        let steps = record.volleys().map(|(side, shots)| {
            first += shots.len();
            Step { side, shots: shots.to_vec(), first_shot: first - shots.len(), odds: None }
        });
        let steps = steps.collect();
        Self { record, steps, analysis: None }
    }

    /// With the odds of every shot. `watch` sees every volley as it is judged and says whether to go on.
    pub fn with_odds(
        record: Record,
        odds_cache: &OddsCache,
        mut observe: impl FnMut(PendingVolley<'_>) -> bool,
    ) -> Result<Self, AnalysisError> {
        let mut replay = Self::new(record);
        let mut odds = Vec::with_capacity(replay.steps.len());
        let analysis = Analysis::of(replay.record.rules(), replay.record.volleys(), odds_cache, |moment| {
            odds.push(CellOdds::of(moment.known, moment.odds));
            observe(moment)
        })?;
        replay.analysis = Some(analysis);
        for (step, step_odds) in replay.steps.iter_mut().zip(odds) {
            step.odds = Some(step_odds);
        }
        Ok(replay)
    }

    /// What was recorded.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Rules {
        self.record.rules()
    }

    /// Volley by volley.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// How well both sides shot, if that was asked for.
    pub fn analysis(&self) -> Option<&Analysis> {
        self.analysis.as_ref()
    }

    /// The board that a side fires at, as far as that side and the record know it.
    pub(crate) fn target_board(&self, side: Side, known: &Knowledge) -> TextBoard {
        match self.record.fleets()[side.other()] {
            Some(fleet) => TextBoard::of_fleet(fleet, known),
            None => TextBoard::of_enemy(known),
        }
    }
}

/// How far a story has been told.
pub(crate) struct Cursor<'a> {
    replay: &'a Replay,
    /// Volleys told.
    pub(crate) position: usize,
    pub(crate) knowledge: BySide<Knowledge>,
    /// The latest volley of each side.
    pub(crate) latest: BySide<Option<usize>>,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(replay: &'a Replay) -> Self {
        let knowledge = BySide::new(|_| Knowledge::new(replay.rules()));
        Self { replay, position: 0, knowledge, latest: BySide::default() }
    }

    /// Tells the next volley, and says whether there was one.
    pub(crate) fn advance(&mut self) -> bool {
        let Some(step) = self.replay.steps.get(self.position) else { return false };
        for &shot in &step.shots {
            // A record was checked when it was read.
            self.knowledge[step.side].add(shot).ok();
        }
        self.latest[step.side] = Some(self.position);
        self.position += 1;
        true
    }

    /// The volley told last.
    pub(crate) fn step(&self) -> Option<&'a Step> {
        self.replay.steps.get(self.position.checked_sub(1)?)
    }

    /// The odds before the latest volley of a side; before the first, those it begins with.
    pub(crate) fn odds(&self, side: Side) -> Option<&'a CellOdds> {
        let steps = &self.replay.steps;
        let step = match self.latest[side] {
            Some(latest) => steps.get(latest),
            None => steps.iter().find(|step| step.side == side),
        };
        step.and_then(|step| step.odds.as_ref())
    }

    /// Ships that a side has sunk, by class, as far as the record knows.
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
