//! An opening cache: choices in early positions, shared by all players of a bot, since the same positions recur.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use seabattle_core::{Cell, Knowledge, Rules, Shot};

/// The most shots of a cached position. Later positions rarely recur.
const MAX_SHOTS: usize = 20;

/// The most cached positions: about fifty megabytes.
const MAX_POSITIONS: usize = 300_000;

/// The cells chosen in positions with few shots. A choice must depend on the position only.
#[derive(Default)]
pub(crate) struct OpeningCache {
    chosen: Mutex<HashMap<Rules, HashMap<Vec<Shot>, Cell>>>,
}

impl OpeningCache {
    /// Returns the cached choice for a position, or calls `choose` and caches its result.
    pub(crate) fn choose(&self, knowledge: &Knowledge, choose: impl FnOnce() -> Option<Cell>) -> Option<Cell> {
        if knowledge.shots().len() > MAX_SHOTS {
            return choose();
        }
        if let Some(cell) = self.cached(knowledge) {
            return Some(cell);
        }
        let cell = choose()?;
        let mut chosen = self.lock();
        if chosen.values().map(HashMap::len).sum::<usize>() < MAX_POSITIONS {
            let positions = chosen.entry(knowledge.rules().clone()).or_default();
            positions.insert(knowledge.shots().to_vec(), cell);
        }
        Some(cell)
    }

    fn cached(&self, knowledge: &Knowledge) -> Option<Cell> {
        self.lock().get(knowledge.rules())?.get(knowledge.shots()).copied()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Rules, HashMap<Vec<Shot>, Cell>>> {
        self.chosen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use seabattle_core::{Cell, Knowledge};

    use super::OpeningCache;

    #[test]
    fn a_choice_is_made_once_for_each_position() {
        let cache = OpeningCache::default();
        let check = |position: &str, choice: Option<Cell>, expected: Option<Cell>| {
            let knowledge: Knowledge = position.parse().unwrap();
            assert_eq!(cache.choose(&knowledge, || choice), expected, "{position}");
        };
        let [first, second] = [Cell::new(0, 0), Cell::new(1, 0)];
        check("3x3:2", None, None);
        check("3x3:2", Some(first), Some(first));
        check("3x3:2", Some(second), Some(first));
        check("3x3:2 C3.", Some(second), Some(second));
        check("3x3:2,announce=hit", Some(second), Some(second));
    }
}
