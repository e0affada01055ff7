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
/// Threads can share it. Its size in bytes is bounded: positions that were not needed for long make room for new ones.
/// Positions with more shots, or with a sunk ship, are counted again each time. Even these are
/// counted faster through a cache, because it keeps the memory that counting needs.
pub struct OddsCache {
    max_shots: usize,
    limits: Limits,
    positions: Mutex<Generations>,
    /// One workspace for each thread that has counted at the same time as others.
    workspaces: Mutex<Vec<Workspace<f64>>>,
}

/// The rules, and the shots in sorted order.
type Key = (Rules, Vec<(u16, Outcome)>);

/// The most bytes that a cache keeps, unless the caller sets another bound.
const MAX_BYTES: usize = 256 << 20;

/// The positions of a cache in two generations. When the newer one is half of the cache, the older one is dropped.
struct Generations {
    newer: HashMap<Key, Arc<Odds>>,
    older: HashMap<Key, Arc<Odds>>,
    newer_bytes: usize,
    older_bytes: usize,
    max_positions: usize,
    max_bytes: usize,
}

impl Generations {
    fn get(&mut self, key: &Key) -> Option<Arc<Odds>> {
        if let Some(odds) = self.newer.get(key) {
            return Some(Arc::clone(odds));
        }
        let odds = self.older.get(key).cloned()?;
        self.insert(key.clone(), Arc::clone(&odds));
        Some(odds)
    }

    fn insert(&mut self, key: Key, odds: Arc<Odds>) {
        let bytes = bytes_of(&key, &odds);
        if bytes > self.max_bytes / 2 || self.max_positions == 0 {
            return;
        }
        if self.newer_bytes + bytes > self.max_bytes / 2 || 2 * self.newer.len() >= self.max_positions {
            self.older = std::mem::take(&mut self.newer);
            self.older_bytes = std::mem::take(&mut self.newer_bytes);
        }
        if self.newer.insert(key, odds).is_none() {
            self.newer_bytes += bytes;
        }
    }
}

/// An estimate of the bytes of one entry. Its rules may be a copy that nobody else uses.
fn bytes_of((rules, shots): &Key, odds: &Odds) -> usize {
    let rules_bytes = 256 + 64 * rules.ship_count() + 64 * rules.classes().len();
    rules_bytes + size_of_val(shots.as_slice()) + odds.bytes()
}

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
            limits,
            positions: Mutex::new(Generations {
                newer: HashMap::new(),
                older: HashMap::new(),
                newer_bytes: 0,
                older_bytes: 0,
                max_positions,
                max_bytes: MAX_BYTES,
            }),
            workspaces: Mutex::new(Vec::new()),
        }
    }

    /// The same cache, with another bound of its size than 256 MiB.
    #[must_use]
    pub fn with_max_bytes(self, max_bytes: usize) -> Self {
        self.lock().max_bytes = max_bytes;
        self
    }

    /// The size of the cached odds in bytes, estimated.
    pub fn bytes(&self) -> usize {
        let positions = self.lock();
        positions.newer_bytes + positions.older_bytes
    }

    /// The odds of a position with all legal fleets equally likely.
    pub fn odds(&self, knowledge: &Knowledge) -> Result<Arc<Odds>, OddsError> {
        let opening = knowledge.shots().len() <= self.max_shots && knowledge.sinkings().is_empty();
        if !opening {
            return self.count(knowledge).map(Arc::new);
        }
        let (key, symmetry) = normal_form(knowledge);
        let cached = self.lock().get(&key);
        let normal = match cached {
            Some(odds) => odds,
            None => {
                let odds = Arc::new(self.count(&mapped(knowledge, symmetry))?);
                self.lock().insert(key, Arc::clone(&odds));
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

    fn lock(&self) -> std::sync::MutexGuard<'_, Generations> {
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
