//! What is known of positions met before, within a limit on memory.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use super::SolveError;
use super::name::Name;

/// Misses of a position: exactly, or at least.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    pub(super) misses: u32,
    pub(super) exact: bool,
}

/// Known positions by name.
pub(super) struct Memo {
    known: HashMap<Name, Known, BuildHasherDefault<FirstWord>>,
    max_bytes: usize,
}

/// Bytes of an entry with its share of the table: it doubles when seven eighths are full, and both halves live then.
const ENTRY_BYTES: usize = size_of::<(Name, Known)>() + 1;

impl Memo {
    pub(super) fn new(max_bytes: usize) -> Self {
        Self { known: HashMap::default(), max_bytes }
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    pub(super) fn get(&self, name: &Name) -> Option<Known> {
        self.known.get(name).copied()
    }

    pub(super) fn put(&mut self, name: Name, known: Known) -> Result<(), SolveError> {
        if self.known.len() == self.known.capacity() && self.bytes_when_grown() > self.max_bytes {
            return Err(SolveError::OutOfMemory { max_memory_bytes: self.max_bytes, positions: self.known.len() });
        }
        self.known.insert(name, known);
        Ok(())
    }

    fn bytes_when_grown(&self) -> usize {
        let places = self.known.capacity() / 7 * 8;
        places.saturating_add(2 * places.max(4)).saturating_mul(ENTRY_BYTES)
    }
}

/// Bytes while a memo grows until it can hold so many positions.
pub(super) fn bytes_for(positions: usize) -> usize {
    let places = positions.saturating_mul(8).div_ceil(7).checked_next_power_of_two();
    places.map_or(usize::MAX, |places| (places + places / 2).saturating_mul(ENTRY_BYTES))
}

/// Names are scrambled already.
#[derive(Default)]
pub(super) struct FirstWord(u64);

impl Hasher for FirstWord {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for (place, byte) in bytes.iter().enumerate() {
            self.0 ^= u64::from(*byte) << (place % 8 * 8);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 ^= word;
    }

    fn write_usize(&mut self, _: usize) {}
}
