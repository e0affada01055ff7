//! Openings are remembered: the first positions of games are the slowest to count and come up again and again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use seabattle_core::{Cell, Knowledge, Outcome, Rules, Ship, Shot, Symmetry};

use crate::odds::{Limits, Odds, OddsError};
use crate::places::{place_number, ships};
use crate::prior::Prior;
use crate::rows::Workspace;

/// Odds of positions with few shots, remembered up to turning and mirroring the board.
///
/// It may be shared by threads. Positions with more shots, or with a sunk ship, are counted anew each time, but the
/// memory for counting is kept: for whoever asks often this is the fast way to ask.
pub struct OddsCache {
    most_shots: usize,
    most_positions: usize,
    limits: Limits,
    positions: Mutex<HashMap<Key, Arc<Odds>>>,
    /// One for each thread that has counted at the same time as others.
    workspaces: Mutex<Vec<Workspace<f64>>>,
}

/// Rules and shots, whatever their order.
type Key = (Rules, Vec<(u16, Outcome)>);

impl Default for OddsCache {
    fn default() -> Self {
        Self::new(6, 20_000, Limits::default())
    }
}

impl OddsCache {
    /// A cache for callers that asks in every position of a game.
    pub fn for_every_position() -> Self {
        Self::new(6, 20_000, Limits::for_every_position())
    }

    /// An empty cache for positions with at most so many shots, and at most so many positions.
    pub fn new(most_shots: usize, most_positions: usize, limits: Limits) -> Self {
        Self {
            most_shots,
            most_positions,
            limits,
            positions: Mutex::new(HashMap::new()),
            workspaces: Mutex::new(Vec::new()),
        }
    }

    /// The odds of a position with all legal fleets alike.
    pub fn odds(&self, knowledge: &Knowledge) -> Result<Arc<Odds>, OddsError> {
        let opening = knowledge.shots().len() <= self.most_shots && knowledge.sinkings().is_empty();
        if !opening {
            return self.count(knowledge).map(Arc::new);
        }
        let (key, turn) = normal_form(knowledge);
        let known = self.lock().get(&key).cloned();
        let normal = match known {
            Some(odds) => odds,
            None => {
                let odds = Arc::new(self.count(&turned(knowledge, turn))?);
                let mut positions = self.lock();
                if positions.len() < self.most_positions {
                    positions.insert(key, Arc::clone(&odds));
                }
                odds
            }
        };
        Ok(if turn == Symmetry::default() { normal } else { Arc::new(normal.turned_back(knowledge, turn)) })
    }

    fn count(&self, knowledge: &Knowledge) -> Result<Odds, OddsError> {
        let workspaces = || self.workspaces.lock().unwrap_or_else(PoisonError::into_inner);
        let mut workspace = workspaces().pop().unwrap_or_else(Workspace::new);
        let odds = Odds::in_workspace(knowledge, &Prior::Uniform, &self.limits, &mut workspace);
        workspaces().push(workspace);
        odds
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<Key, Arc<Odds>>> {
        self.positions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The smallest of the keys of all turned positions, and how to turn the position to get it.
fn normal_form(knowledge: &Knowledge) -> (Key, Symmetry) {
    let size = knowledge.rules().size();
    let key = |turn: Symmetry| {
        let place = |shot: &Shot| (size.index(turn.cell(shot.cell, size)) as u16, shot.outcome);
        let mut shots: Vec<(u16, Outcome)> = knowledge.shots().iter().map(place).collect();
        shots.sort_unstable();
        (shots, turn)
    };
    let smallest = Symmetry::all(size).map(key).min_by(|a, b| a.0.cmp(&b.0));
    let (shots, turn) = smallest.unwrap_or_default();
    ((knowledge.rules().clone(), shots), turn)
}

fn turned(knowledge: &Knowledge, turn: Symmetry) -> Knowledge {
    let size = knowledge.rules().size();
    let mut other = Knowledge::new(knowledge.rules());
    for shot in knowledge.shots() {
        // A turned position is as possible as the position itself.
        let _ = other.add(Shot { cell: turn.cell(shot.cell, size), ..*shot });
    }
    other
}

impl Odds {
    /// The odds of a position from those of the turned position.
    fn turned_back(&self, knowledge: &Knowledge, turn: Symmetry) -> Self {
        let rules = knowledge.rules();
        let size = rules.size();
        let places = rules.class_ids().map(|class| {
            let there = |ship: Ship| place_number(size, &turn.ship(&ship, rules));
            let probability = |place: Option<usize>| place.map_or(0.0, |place| self.place_probability(class, place));
            ships(rules, class).map(there).map(probability).collect()
        });
        let errors = |cell: Cell| self.stderr(turn.cell(cell, size));
        let errors = (!self.is_exact()).then(|| size.cells().map(errors).collect());
        Self::from_parts(knowledge, places.collect(), self.layouts(), errors)
    }
}
