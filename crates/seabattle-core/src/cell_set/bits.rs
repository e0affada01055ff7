//! The machine words under a cell set: two for boards up to 128 cells, more only for larger ones.

use std::ops::Range;

const WORD: usize = 64;

/// A fixed number of bits. Two values that meet in an operation have the same capacity.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Bits {
    Inline([u64; 2]),
    Heap(Box<[u64]>),
}

use Bits::{Heap, Inline};

impl Bits {
    pub(super) fn zeros(capacity: usize) -> Self {
        if capacity <= 128 { Inline([0; 2]) } else { Heap(vec![0; capacity.div_ceil(WORD)].into()) }
    }

    /// Bits of which the lowest `capacity` are set.
    pub(super) fn ones(capacity: usize) -> Self {
        if capacity <= 128 {
            return inline(low_bits(capacity));
        }
        let mut words: Box<[u64]> = vec![u64::MAX; capacity.div_ceil(WORD)].into();
        let spare = words.len() * WORD - capacity;
        if let Some(last) = words.last_mut() {
            *last >>= spare;
        }
        Heap(words)
    }

    /// The cells of a rectangle on a board of this width, numbered row by row; all within the capacity.
    #[inline]
    pub(super) fn rectangle(width: usize, capacity: usize, cols: Range<usize>, rows: Range<usize>) -> Self {
        if capacity <= 128 {
            let row = low_bits(cols.len());
            let each_row = FIRST_COLUMN[width] & low_bits(rows.len() * width);
            return inline(row.wrapping_mul(each_row) << (rows.start * width + cols.start));
        }
        let mut bits = Self::zeros(capacity);
        for row in rows {
            cols.clone().for_each(|col| bits.set(row * width + col));
        }
        bits
    }

    #[inline]
    pub(super) fn get(&self, index: usize) -> bool {
        match self {
            Inline(words) => words[index / WORD % 2] >> (index % WORD) & 1 == 1,
            Heap(words) => words[index / WORD] >> (index % WORD) & 1 == 1,
        }
    }

    #[inline]
    pub(super) fn set(&mut self, index: usize) {
        match self {
            Inline(words) => words[index / WORD % 2] |= 1 << (index % WORD),
            Heap(words) => words[index / WORD] |= 1 << (index % WORD),
        }
    }

    #[inline]
    pub(super) fn clear(&mut self, index: usize) {
        match self {
            Inline(words) => words[index / WORD % 2] &= !(1 << (index % WORD)),
            Heap(words) => words[index / WORD] &= !(1 << (index % WORD)),
        }
    }

    #[inline]
    pub(super) fn words(&self) -> &[u64] {
        match self {
            Inline(words) => words,
            Heap(words) => words,
        }
    }

    #[inline]
    pub(super) fn count(&self) -> usize {
        match self {
            Inline([low, high]) => (low.count_ones() + high.count_ones()) as usize,
            Heap(words) => words.iter().map(|word| word.count_ones() as usize).sum(),
        }
    }

    #[inline]
    pub(super) fn is_zero(&self) -> bool {
        match self {
            Inline([low, high]) => low | high == 0,
            Heap(words) => words.iter().all(|&word| word == 0),
        }
    }

    /// The position of the set bit that has exactly `rank` set bits below it.
    #[inline]
    pub(super) fn select(&self, mut rank: usize) -> Option<usize> {
        match self {
            Inline([low, high]) => {
                let below = low.count_ones() as usize;
                let upper = rank >= below;
                let (word, rank, base) = if upper { (*high, rank - below, WORD) } else { (*low, rank, 0) };
                (rank < word.count_ones() as usize).then(|| base + select_in_word(word, rank))
            }
            Heap(words) => {
                for (at, &word) in words.iter().enumerate() {
                    let here = word.count_ones() as usize;
                    if rank < here {
                        return Some(at * WORD + select_in_word(word, rank));
                    }
                    rank -= here;
                }
                None
            }
        }
    }

    /// The lowest set bit at or above a position.
    pub(super) fn next_from(&self, index: usize) -> Option<usize> {
        match self {
            Inline(words) => {
                let rest = if index < 128 { wide(*words) >> index } else { 0 };
                (rest != 0).then(|| index + rest.trailing_zeros() as usize)
            }
            Heap(words) => {
                let mut at = index / WORD;
                let mut word = words.get(at)? & (u64::MAX << (index % WORD));
                while word == 0 {
                    at += 1;
                    word = *words.get(at)?;
                }
                Some(at * WORD + word.trailing_zeros() as usize)
            }
        }
    }

    /// Combines two sets word by word. Sets of different capacities combine to nothing.
    pub(super) fn combine(&self, other: &Self, op: WordOp) -> Self {
        match (self, other) {
            (Inline(a), Inline(b)) => Inline([op.word(a[0], b[0]), op.word(a[1], b[1])]),
            (Heap(a), Heap(b)) => Heap(a.iter().zip(b).map(|(a, b)| op.word(*a, *b)).collect()),
            (Inline(_), Heap(_)) | (Heap(_), Inline(_)) => Inline([0; 2]),
        }
    }

    #[inline]
    pub(super) fn intersects(&self, other: &Self) -> bool {
        match (self, other) {
            (Inline(a), Inline(b)) => (a[0] & b[0]) | (a[1] & b[1]) != 0,
            (Heap(a), Heap(b)) => a.iter().zip(b).any(|(a, b)| a & b != 0),
            (Inline(_), Heap(_)) | (Heap(_), Inline(_)) => false,
        }
    }

    /// Moves every bit to a lower position; bits below 0 are lost.
    pub(super) fn moved_down(&self, by: usize) -> Self {
        match self {
            Inline(words) => inline(if by < 128 { wide(*words) >> by } else { 0 }),
            Heap(words) => {
                let (skip, bits) = (by / WORD, by % WORD);
                let word = |at: usize| words.get(at).copied().unwrap_or(0);
                let moved = (0..words.len()).map(|at| {
                    let low = word(at + skip) >> bits;
                    let high = if bits == 0 { 0 } else { word(at + skip + 1) << (WORD - bits) };
                    low | high
                });
                Heap(moved.collect())
            }
        }
    }

    /// Moves every bit to a higher position; the caller masks off what leaves the board.
    pub(super) fn moved_up(&self, by: usize) -> Self {
        match self {
            Inline(words) => inline(if by < 128 { wide(*words) << by } else { 0 }),
            Heap(words) => {
                let (skip, bits) = (by / WORD, by % WORD);
                let word = |at: Option<usize>| at.map_or(0, |at| words[at]);
                let moved = (0..words.len()).map(|at| {
                    let high = word(at.checked_sub(skip)) << bits;
                    let low = word(at.checked_sub(skip + 1));
                    if bits == 0 { high } else { high | low >> (WORD - bits) }
                });
                Heap(moved.collect())
            }
        }
    }
}

/// An operation on two words.
#[derive(Clone, Copy)]
pub(super) enum WordOp {
    And,
    Or,
    AndNot,
}

impl WordOp {
    fn word(self, a: u64, b: u64) -> u64 {
        match self {
            Self::And => a & b,
            Self::Or => a | b,
            Self::AndNot => a & !b,
        }
    }
}

const fn wide(words: [u64; 2]) -> u128 {
    words[0] as u128 | (words[1] as u128) << WORD
}

const fn inline(wide: u128) -> Bits {
    Inline([wide as u64, (wide >> WORD) as u64])
}

const fn low_bits(count: usize) -> u128 {
    if count == 0 { 0 } else { u128::MAX >> (128 - count) }
}

/// For each width, a bit at every multiple of it. Multiplied by a row, it repeats the row over the whole board.
static FIRST_COLUMN: [u128; 129] = {
    let mut table = [0; 129];
    let mut width = 1;
    while width <= 128 {
        let mut index = 0;
        while index < 128 {
            table[width] |= 1 << index;
            index += width;
        }
        width += 1;
    }
    table
};

/// The position of a set bit by its rank, by Vigna's broadword selection. It has no branch that could be mispredicted.
#[inline]
fn select_in_word(word: u64, rank: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let bytes = (nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    let sums = bytes.wrapping_mul(ONES);
    let whole_bytes = (((rank as u64 * ONES) | HIGHS) - sums) & HIGHS;
    let shift = whole_bytes.count_ones() as usize * 8;
    let before = (sums << 8 >> shift & 0xff) as usize;
    shift + usize::from(SELECT_IN_BYTE[rank - before][(word >> shift & 0xff) as usize])
}

/// For every byte, the position of the set bit with this many set bits below it.
static SELECT_IN_BYTE: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut rank) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[rank][byte] = bit as u8;
                rank += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::{Bits, WordOp};

    /// Capacities on both sides of the border between the two representations.
    const CAPACITIES: [usize; 8] = [1, 63, 64, 65, 100, 128, 129, 2500];

    fn every_third(capacity: usize) -> Bits {
        let mut bits = Bits::zeros(capacity);
        (0..capacity).step_by(3).for_each(|index| bits.set(index));
        bits
    }

    fn positions(bits: &Bits) -> Vec<usize> {
        std::iter::successors(bits.next_from(0), |&last| bits.next_from(last + 1)).collect()
    }

    #[test]
    fn select_and_next_agree() {
        for capacity in CAPACITIES {
            let bits = every_third(capacity);
            let selected: Vec<_> = (0..bits.count()).map_while(|rank| bits.select(rank)).collect();
            assert_eq!(selected, positions(&bits));
            assert_eq!(bits.select(bits.count()), None);
        }
    }

    #[test]
    fn moving_adds_to_positions() {
        for capacity in CAPACITIES {
            let board = Bits::ones(capacity);
            let bits = every_third(capacity);
            for by in [0, 1, 7, 63, 64, 65, 130] {
                let up = bits.moved_up(by).combine(&board, WordOp::And);
                let expected: Vec<_> = positions(&bits).iter().map(|at| at + by).collect();
                let expected: Vec<_> = expected.into_iter().filter(|&at| at < capacity).collect();
                assert_eq!(positions(&up), expected, "{capacity} up {by}");
                let down = bits.moved_down(by);
                let expected: Vec<_> = positions(&bits).iter().filter_map(|at| at.checked_sub(by)).collect();
                assert_eq!(positions(&down), expected, "{capacity} down {by}");
            }
        }
    }

    #[test]
    fn a_full_board_has_no_stray_bits() {
        for capacity in CAPACITIES {
            assert_eq!(Bits::ones(capacity).count(), capacity);
        }
    }
}
