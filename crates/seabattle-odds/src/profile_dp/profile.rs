//! The profile of a partly filled board, packed into a word.

use std::hash::Hasher;

/// What the rest of the board must know about the ships placed so far.
///
/// Four bits for each position: 0 for a free one, 1 for one closed to new ships, 1 + r under a ship that continues for r
/// more lanes. Positions before the current segment describe the next lane, the others the current one. The highest four
/// bits describe the end of the previous segment: 0 for water, 1 + k for a ship that continues for k positions.
pub(super) type Profile = u64;

/// The lowest of the bits that describe the end of the previous segment.
pub(super) const OVERHANG_SHIFT: usize = 60;

/// A position where a new ship may be.
pub(super) const FREE: u64 = 0;

/// A position where no new ship may be.
pub(super) const CLOSED: u64 = 1;

/// The positions from `start` up to `end`, as a bit set.
pub(super) fn bits(start: usize, end: usize) -> u32 {
    ((1 << end) - 1) & !((1 << start) - 1)
}

/// The four bits of a position.
pub(super) fn nibble(profile: Profile, position: usize) -> u64 {
    profile >> (4 * position) & 15
}

/// A mask of all nibbles that are not zero.
pub(super) fn nibbles(profile: Profile) -> Profile {
    let ones = 0x1111_1111_1111_1111;
    let any = profile | profile >> 1 | profile >> 2 | profile >> 3;
    (any & ones) * 15
}

/// A profile with the bits of a mask replaced.
pub(super) fn replaced(profile: Profile, mask: Profile, by: Profile) -> Profile {
    profile & !mask | by
}

/// A hasher for profiles: one multiplication mixes them enough.
#[derive(Default)]
pub(super) struct ProfileHasher(u64);

impl Hasher for ProfileHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
