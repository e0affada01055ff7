//! A cache of odds: the first positions of games are the slowest to count and recur most often.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use seabattle_core::{Cell, Knowledge, Outcome, Rules, Ship, Shot, Symmetry};

use crate::odds::{Limits, Odds, OddsError};
use crate::placements::{placement_index, ships};
use crate::prior::Prior;
use crate::profile_dp::Workspace;

/// A cache of the odds of openings, equal up to rotating and mirroring the board.
///
/// Threads can share it. Positions with more shots, or with a sunk ship, are counted again each time. Even these are
/// counted faster through a cache, because it keeps the memory that counting needs.
pub struct OddsCache {
    max_shots: usize,
    max_positions: usize,
    limits: Limits,
    positions: Mutex<HashMap<Key, Arc<Odds>>>,
    /// One workspace for each thread that has counted at the same time as others.
    workspaces: Mutex<Vec<Workspace<f64>>>,
}

/// The rules, and the shots in sorted order.
type Key = (Rules, Vec<(u16, Outcome)>);

impl Default for OddsCache {
    fn default() -> Self {
        Self::new(6, 20_000, Limits::default())
    }
}

impl OddsCache {
    /// An empty cache for callers that ask in every position of a game.
    pub fn for_every_position() -> Self {
        Self::new(6, 20_000, Limits::for_every_position())
    }

    /// An empty cache for positions with at most `max_shots` shots, which keeps at most `max_positions` of them.
    pub fn new(max_shots: usize, max_positions: usize, limits: Limits) -> Self {
        Self {
            max_shots,
            max_positions,
            limits,
            positions: Mutex::new(HashMap::new()),
            workspaces: Mutex::new(Vec::new()),
        }
    }

    /// The odds of a position with all legal fleets equally likely.
    pub fn odds(&self, knowledge: &Knowledge) -> Result<Arc<Odds>, OddsError> {
        let opening = knowledge.shots().len() <= self.max_shots && knowledge.sinkings().is_empty();
        if !opening {
            return self.count(knowledge).map(Arc::new);
        }
        let (key, symmetry) = normal_form(knowledge);
        let cached = self.lock().get(&key).cloned();
        let normal = match cached {
            Some(odds) => odds,
            None => {
                let odds = Arc::new(self.count(&mapped(knowledge, symmetry))?);
                let mut positions = self.lock();
                if positions.len() < self.max_positions {
                    positions.insert(key, Arc::clone(&odds));
                }
                odds
            }
        };
        Ok(if symmetry == Symmetry::default() { normal } else { Arc::new(normal.mapped_back(knowledge, symmetry)) })
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

/// The smallest key of all symmetric positions, and the symmetry that maps the position to it.
fn normal_form(knowledge: &Knowledge) -> (Key, Symmetry) {
    let size = knowledge.rules().size();
    let key = |symmetry: Symmetry| {
        let mapped_shot = |shot: &Shot| (size.index(symmetry.cell(shot.cell, size)) as u16, shot.outcome);
        let mut shots: Vec<(u16, Outcome)> = knowledge.shots().iter().map(mapped_shot).collect();
        shots.sort_unstable();
        (shots, symmetry)
    };
    let smallest = Symmetry::all(size).map(key).min_by(|a, b| a.0.cmp(&b.0));
    let (shots, symmetry) = smallest.unwrap_or_default();
    ((knowledge.rules().clone(), shots), symmetry)
}

fn mapped(knowledge: &Knowledge, symmetry: Symmetry) -> Knowledge {
    let size = knowledge.rules().size();
    let mut other = Knowledge::new(knowledge.rules());
    for shot in knowledge.shots() {
        // A symmetric position is as consistent as the position itself.
        let _ = other.add(Shot { cell: symmetry.cell(shot.cell, size), ..*shot });
    }
    other
}

impl Odds {
    /// The odds of a position, mapped back from those of a symmetric position.
    fn mapped_back(&self, knowledge: &Knowledge, symmetry: Symmetry) -> Self {
        let rules = knowledge.rules();
        let size = rules.size();
        let placements = rules.class_ids().map(|class| {
            let mapped_index = |ship: Ship| placement_index(size, &symmetry.ship(&ship, rules));
            let probability = |placement: Option<usize>| {
                placement.map_or(0.0, |placement| self.placement_probability(class, placement))
            };
            ships(rules, class).map(mapped_index).map(probability).collect()
        });
        let errors = |cell: Cell| self.stderr(symmetry.cell(cell, size));
        let errors = (!self.is_exact()).then(|| size.cells().map(errors).collect());
        Self::from_parts(knowledge, placements.collect(), self.layouts(), errors)
    }
}
