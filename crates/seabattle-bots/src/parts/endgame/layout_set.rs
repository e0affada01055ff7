//! Sets of layouts as bits.

use std::hash::{BuildHasherDefault, Hasher};

/// A set of layouts: bit `i` is layout number `i` of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct LayoutSet<const W: usize>([u64; W]);

impl<const W: usize> LayoutSet<W> {
    pub(super) const EMPTY: Self = Self([0; W]);

    pub(super) fn first(count: usize) -> Self {
        let mut layouts = Self::EMPTY;
        (0..count).for_each(|number| layouts.insert(number));
        layouts
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(super) fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub(super) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] & other.0[index]))
    }

    pub(super) fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] | other.0[index]))
    }

    pub(super) fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|index| self.0[index] & !other.0[index]))
    }

    /// The number of layouts in both sets.
    pub(super) fn common_count(&self, other: &Self) -> u32 {
        self.0.iter().zip(&other.0).map(|(a, b)| (a & b).count_ones()).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.iter().enumerate().flat_map(|(index, &word)| bits(word).map(move |bit| index * 64 + bit))
    }
}

fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        lowest
    })
}

/// A fast hasher for layout sets. Nobody can choose them to collide.
#[derive(Default)]
pub(super) struct SetHasher(u64);

pub(super) type BuildSetHasher = BuildHasherDefault<SetHasher>;

impl Hasher for SetHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            self.write_u64(word);
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write_usize(&mut self, _: usize) {}
}
