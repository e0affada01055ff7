//! A game as it is told: its volleys in order, and what the odds say about each.

use seabattle_core::{BySide, Cell, Knowledge, Mark, Record, Rules, Shot, Side, Size, TextBoard};
use seabattle_odds::{Analysis, AnalysisError, Odds, OddsCache, PendingVolley};

/// A record ready to be shown.
#[derive(Debug, Clone)]
pub struct Story {
    record: Record,
    scenes: Vec<Scene>,
    analysis: Option<Analysis>,
}

/// One volley.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Who fires.
    pub side: Side,
    /// With their answers.
    pub shots: Vec<Shot>,
    /// Of its first shot among all shots of the game, from 0.
    pub first: usize,
    /// The odds that this side could have known before, if they were asked for.
    pub heat: Option<Heat>,
}

/// The probability of a ship on every cell that was not shot at.
#[derive(Debug, Clone, PartialEq)]
pub struct Heat {
    cells: Vec<f32>,
    greatest: f32,
}

impl Heat {
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
    pub(crate) fn warmth(&self, size: Size, cell: Cell) -> f64 {
        if self.greatest > 0.0 { f64::from(self.probability(size, cell) / self.greatest) } else { 0.0 }
    }
}

impl Story {
    /// The shots alone.
    pub fn of(record: Record) -> Self {
        let mut first = 0;
        let scenes = record.volleys().map(|(side, shots)| {
            first += shots.len();
            Scene { side, shots: shots.to_vec(), first: first - shots.len(), heat: None }
        });
        let scenes = scenes.collect();
        Self { record, scenes, analysis: None }
    }

    /// With the odds of every shot. `watch` sees every volley as it is judged and says whether to go on.
    pub fn judged(
        record: Record,
        odds_cache: &OddsCache,
        mut watch: impl FnMut(PendingVolley<'_>) -> bool,
    ) -> Result<Self, AnalysisError> {
        let mut story = Self::of(record);
        let mut heats = Vec::with_capacity(story.scenes.len());
        let analysis = Analysis::of(story.record.rules(), story.record.volleys(), odds_cache, |moment| {
            heats.push(Heat::of(moment.known, moment.odds));
            watch(moment)
        })?;
        story.analysis = Some(analysis);
        for (scene, heat) in story.scenes.iter_mut().zip(heats) {
            scene.heat = Some(heat);
        }
        Ok(story)
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
    pub fn scenes(&self) -> &[Scene] {
        &self.scenes
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
pub(crate) struct Telling<'a> {
    story: &'a Story,
    /// Volleys told.
    pub(crate) told: usize,
    pub(crate) known: BySide<Knowledge>,
    /// The latest volley of each side.
    pub(crate) latest: BySide<Option<usize>>,
}

impl<'a> Telling<'a> {
    pub(crate) fn new(story: &'a Story) -> Self {
        let known = BySide::new(|_| Knowledge::new(story.rules()));
        Self { story, told: 0, known, latest: BySide::default() }
    }

    /// Tells the next volley, and says whether there was one.
    pub(crate) fn advance(&mut self) -> bool {
        let Some(scene) = self.story.scenes.get(self.told) else { return false };
        for &shot in &scene.shots {
            // A record was checked when it was read.
            self.known[scene.side].add(shot).ok();
        }
        self.latest[scene.side] = Some(self.told);
        self.told += 1;
        true
    }

    /// The volley told last.
    pub(crate) fn scene(&self) -> Option<&'a Scene> {
        self.story.scenes.get(self.told.checked_sub(1)?)
    }

    /// The odds before the latest volley of a side; before the first, those it begins with.
    pub(crate) fn heat(&self, side: Side) -> Option<&'a Heat> {
        let scenes = &self.story.scenes;
        let scene = match self.latest[side] {
            Some(latest) => scenes.get(latest),
            None => scenes.iter().find(|scene| scene.side == side),
        };
        scene.and_then(|scene| scene.heat.as_ref())
    }

    /// Ships that a side has sunk, by class, as far as the record knows.
    pub(crate) fn sunk(&self, side: Side) -> Vec<u16> {
        let (rules, known) = (self.story.rules(), &self.known[side]);
        let fleet = self.story.record.fleets()[side.other()];
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
        self.story.target_board(side, &self.known[side]).at(cell) == Some(Mark::Sunk)
    }
}
