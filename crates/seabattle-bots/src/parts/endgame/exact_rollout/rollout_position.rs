//! Positions of a rollout, with a Zobrist hash of what is known.

use seabattle_core::{Knowledge, Outcome, Shot};

use crate::parts::endgame::layout_set::LayoutSet;
use crate::parts::endgame::layout_table::CellMask;

/// A position of a rollout, with the layouts of the table that are consistent with it.
pub(super) struct RolloutPosition<const W: usize> {
    pub(super) knowledge: Knowledge,
    /// A Zobrist hash of the shots and answers, in whatever order they came.
    pub(super) hash: u128,
    pub(super) layouts: LayoutSet<W>,
    /// The hits since the root of the rollout.
    pub(super) hits: CellMask,
}

impl<const W: usize> RolloutPosition<W> {
    pub(super) fn new(knowledge: &Knowledge, layouts: LayoutSet<W>) -> Self {
        let size = knowledge.rules().size();
        let keys = knowledge.shots().iter().map(|shot| zobrist_key(size.index(shot.cell), shot.outcome));
        Self { knowledge: knowledge.clone(), hash: keys.fold(0, |hash, key| hash ^ key), layouts, hits: 0 }
    }

    pub(super) fn after(&self, number: u8, outcome: Outcome, layouts: &LayoutSet<W>) -> Option<Self> {
        let index = usize::from(number);
        let mut knowledge = self.knowledge.clone();
        knowledge.add(Shot { cell: knowledge.rules().size().cell(index), outcome }).ok()?;
        let hits = if outcome.is_hit() { self.hits | 1 << number } else { self.hits };
        Some(Self { knowledge, hash: self.hash ^ zobrist_key(index, outcome), layouts: *layouts, hits })
    }
}

/// The Zobrist key of a shot with its answer. Keys are combined by exclusive or.
fn zobrist_key(index: usize, outcome: Outcome) -> u128 {
    let outcome = match outcome {
        Outcome::Miss => 0,
        Outcome::Hit(class) => 1 + 2 * class.map_or(0, |class| 1 + class.index()),
        Outcome::Sunk(class) => 2 + 2 * class.map_or(0, |class| 1 + class.index()),
    };
    let shot = (index as u64) << 16 | outcome as u64;
    u128::from(splitmix64(2 * shot)) << 64 | u128::from(splitmix64(2 * shot + 1))
}

/// The finalizer of SplitMix64, which mixes the bits of a number.
pub(super) fn splitmix64(number: u64) -> u64 {
    let mut z = number.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}
