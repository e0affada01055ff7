//! Bit-sliced counters: a number for every cell, held as bit planes, so that one operation counts on all cells at once.

use seabattle_core::{Cell, CellSet, Size};

/// A set of cells as machine words: two for 10×10, forty for the largest board.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct BitPlane<const N: usize>([u64; N]);

impl<const N: usize> BitPlane<N> {
    pub(crate) const EMPTY: Self = Self([0; N]);

    pub(crate) fn of(set: &CellSet) -> Self {
        let mut words = [0; N];
        for (word, &source) in words.iter_mut().zip(set.words()) {
            *word = source;
        }
        Self(words)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & b)
    }

    pub(crate) fn or(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a | b)
    }

    pub(crate) fn without(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a & !b)
    }

    fn xor(&self, other: &Self) -> Self {
        self.zip(other, |a, b| a ^ b)
    }

    #[inline]
    fn zip(&self, other: &Self, operation: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(|index| operation(self.0[index], other.0[index])))
    }

    /// Moves every cell to a lower number.
    #[inline]
    pub(crate) fn moved_down(&self, distance: usize) -> Self {
        let (whole_words, bit_shift) = (distance / 64, distance % 64);
        let word = |index: usize| if index < N { self.0[index] } else { 0 };
        let mut words = [0; N];
        for (index, moved) in words.iter_mut().enumerate() {
            let high = if bit_shift == 0 { 0 } else { word(index + whole_words + 1) << (64 - bit_shift) };
            *moved = word(index + whole_words) >> bit_shift | high;
        }
        Self(words)
    }

    /// Moves every cell to a higher number. The caller must mask cells that leave the board.
    #[inline]
    pub(crate) fn moved_up(&self, distance: usize) -> Self {
        let (whole_words, bit_shift) = (distance / 64, distance % 64);
        let word = |index: Option<usize>| index.map_or(0, |index| self.0[index]);
        let mut words = [0; N];
        for (index, moved) in words.iter_mut().enumerate() {
            let low = if bit_shift == 0 { 0 } else { word(index.checked_sub(whole_words + 1)) >> (64 - bit_shift) };
            *moved = word(index.checked_sub(whole_words)) << bit_shift | low;
        }
        Self(words)
    }

    /// The cells of the set, on a board of this size.
    pub(crate) fn cells(&self, size: Size) -> impl Iterator<Item = Cell> + '_ {
        self.0.iter().enumerate().flat_map(move |(index, &word)| {
            std::iter::successors((word != 0).then_some(word), |word| Some(word & (word - 1)).filter(|&word| word != 0))
                .map(move |word| size.cell(index * 64 + word.trailing_zeros() as usize))
        })
    }

    /// The number of cells.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// A counter for every cell. Plane `i` holds bit `i` of all counters.
pub(crate) struct Tally<const N: usize> {
    planes: Vec<BitPlane<N>>,
}

impl<const N: usize> Tally<N> {
    pub(crate) fn new() -> Self {
        Self { planes: Vec::with_capacity(32) }
    }

    pub(crate) fn clear(&mut self) {
        self.planes.clear();
    }

    /// Adds 2^`log2` to the counter of every cell of a set.
    #[inline]
    pub(crate) fn add(&mut self, cells: &BitPlane<N>, log2: usize) {
        let mut carry = *cells;
        let mut index = log2;
        while !carry.is_empty() {
            if index >= self.planes.len() {
                self.planes.resize(index + 1, BitPlane::EMPTY);
            }
            let sum = self.planes[index].xor(&carry);
            carry = carry.and(&self.planes[index]);
            self.planes[index] = sum;
            index += 1;
        }
    }

    /// The cells whose counter is not zero.
    pub(crate) fn nonzero(&self) -> BitPlane<N> {
        self.planes.iter().fold(BitPlane::EMPTY, |nonzero, plane| nonzero.or(plane))
    }

    /// The cells of a set with the highest counter among them.
    pub(crate) fn highest(&self, candidates: &BitPlane<N>) -> BitPlane<N> {
        self.planes.iter().rev().fold(*candidates, |best, plane| {
            let higher = best.and(plane);
            if higher.is_empty() { best } else { higher }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{BitPlane, Tally};
    use seabattle_core::{Cell, CellSet, Size};

    #[test]
    fn a_tally_counts_like_an_array() {
        let size = Size::new(10, 10).unwrap();
        let mut tally = Tally::<2>::new();
        let mut counts = [0_u32; 100];
        for step in 1..40_usize {
            let cells: Vec<Cell> = size.cells().step_by(step).collect();
            let log2 = step % 4;
            tally.add(&BitPlane::of(&CellSet::of(size, cells.iter().copied())), log2);
            cells.iter().for_each(|&cell| counts[size.index(cell)] += 1 << log2);
        }
        let candidates: Vec<Cell> = size.cells().skip(1).collect();
        let highest = tally.highest(&BitPlane::of(&CellSet::of(size, candidates.iter().copied())));
        let best = candidates.iter().map(|&cell| counts[size.index(cell)]).max();
        let expected: Vec<Cell> =
            candidates.into_iter().filter(|&cell| Some(counts[size.index(cell)]) == best).collect();
        assert_eq!(highest.cells(size).collect::<Vec<_>>(), expected);
        assert_eq!(highest.len(), expected.len());
    }

    #[test]
    fn planes_move_like_numbers() {
        let size = Size::new(50, 50).unwrap();
        let set = CellSet::of(size, size.cells().step_by(7));
        let plane = BitPlane::<40>::of(&set);
        for distance in [0, 1, 50, 64, 65, 200] {
            let moved: Vec<usize> = plane.moved_down(distance).cells(size).map(|cell| size.index(cell)).collect();
            let expected: Vec<usize> = set.iter().filter_map(|cell| size.index(cell).checked_sub(distance)).collect();
            assert_eq!(moved, expected);
            let expected: Vec<usize> =
                set.iter().map(|cell| size.index(cell) + distance).filter(|&index| index < 2500).collect();
            let up: Vec<usize> = plane
                .moved_up(distance)
                .cells(size)
                .map(|cell| size.index(cell))
                .filter(|&index| index < 2500)
                .collect();
            assert_eq!(up, expected);
        }
    }
}
