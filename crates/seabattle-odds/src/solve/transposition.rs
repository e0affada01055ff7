//! The [transposition table](https://www.chessprogramming.org/Transposition_Table) of the solver, bounded in memory.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::SolveError;
use super::canonical::CanonicalHash;

/// What is known of the misses that a position costs: the exact number, or a lower bound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bound {
    pub(super) misses: u32,
    pub(super) exact: bool,
}

/// Bounds of the positions searched so far, by canonical hash.
pub(super) struct TranspositionTable {
    entries: HashMap<CanonicalHash, Bound, BuildHasherDefault<IdentityHasher>>,
    max_bytes: usize,
}

/// Bytes of an entry in the hash table. A table doubles when seven eighths are full, and both halves live meanwhile.
const ENTRY_BYTES: usize = size_of::<(CanonicalHash, Bound)>() + 1;

impl TranspositionTable {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self { entries: HashMap::default(), max_bytes }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn get(&self, hash: &CanonicalHash) -> Option<Bound> {
        self.entries.get(hash).copied()
    }

    pub(super) fn put(&mut self, hash: CanonicalHash, bound: Bound) -> Result<(), SolveError> {
        if self.entries.len() == self.entries.capacity() && self.bytes_when_grown() > self.max_bytes {
            return Err(SolveError::OutOfMemory { max_memory_bytes: self.max_bytes, positions: self.entries.len() });
        }
        self.entries.insert(hash, bound);
        Ok(())
    }

    fn bytes_when_grown(&self) -> usize {
        let slots = self.entries.capacity() / 7 * 8;
        slots.saturating_add(2 * slots.max(4)).saturating_mul(ENTRY_BYTES)
    }
}

/// Peak bytes while a table grows until it can hold this many positions.
pub(super) fn bytes_for(positions: usize) -> usize {
    let slots = positions.saturating_mul(8).div_ceil(7).checked_next_power_of_two();
    slots.map_or(usize::MAX, |slots| (slots + slots / 2).saturating_mul(ENTRY_BYTES))
}

/// A hasher that takes the first word as it is: canonical hashes are mixed already.
#[derive(Default)]
pub(super) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for (index, byte) in bytes.iter().enumerate() {
            self.0 ^= u64::from(*byte) << (index % 8 * 8);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 ^= word;
    }

    fn write_usize(&mut self, _: usize) {}
}
