//! SIMD batches: polynomials in the ships used, for four positions at once.
//!
//! The inner loops go over the four numbers of a batch, so that compilers turn them into vector instructions.

use crate::number::Number;
use crate::residual::MixedRadix;

pub(super) const WIDTH: usize = 4;

/// A batch: one number for each of four positions.
pub(super) type Batch<N> = [N; WIDTH];

/// A table of polynomials of equal size.
pub(super) struct BatchTable<N> {
    size: usize,
    values: Vec<Batch<N>>,
}

impl<N: Number> BatchTable<N> {
    pub(super) fn new(size: usize, count: usize) -> Self {
        Self { size, values: vec![[N::ZERO; WIDTH]; size * count] }
    }

    pub(super) fn at(&self, number: usize) -> &[Batch<N>] {
        &self.values[number * self.size..][..self.size]
    }

    pub(super) fn at_mut(&mut self, number: usize) -> &mut [Batch<N>] {
        &mut self.values[number * self.size..][..self.size]
    }

    /// One polynomial to read and a later one to write.
    pub(super) fn at_and_later(&mut self, number: usize, later: usize) -> (&[Batch<N>], &mut [Batch<N>]) {
        let (known, next) = self.values.split_at_mut(later * self.size);
        (&known[number * self.size..][..self.size], &mut next[..self.size])
    }

    /// One polynomial to read and an earlier one to write.
    pub(super) fn at_and_earlier(&mut self, later: usize, number: usize) -> (&[Batch<N>], &mut [Batch<N>]) {
        let (earlier, known) = self.values.split_at_mut(later * self.size);
        (&known[..self.size], &mut earlier[number * self.size..][..self.size])
    }

    pub(super) fn clear_at(&mut self, number: usize) {
        self.at_mut(number).fill([N::ZERO; WIDTH]);
    }

    pub(super) fn clear(&mut self) {
        self.values.fill([N::ZERO; WIDTH]);
    }
}

/// All pairs of combinations that can be added, with their sums, smallest sums first.
pub(super) fn addable_pairs(radix: &MixedRadix) -> Vec<[u16; 3]> {
    let pairs_of = |sum: usize| (0..=sum).map(move |first| (first, sum - first));
    let addable = |sum: usize| {
        let pairs = pairs_of(sum).filter(|&(first, second)| radix.fits(first, second));
        pairs.map(move |(first, second)| [first, second, sum].map(|number| number as u16))
    };
    (0..radix.size).flat_map(addable).collect()
}

/// The terms of a product of two polynomials: which pairs of combinations add up to which, as far as they are needed.
pub(super) struct SparseTerms {
    /// Each sum with the index after its last pair.
    sums: Vec<(u16, u32)>,
    pairs: Vec<(u16, u16)>,
}

impl SparseTerms {
    pub(super) fn new(all: &[[u16; 3]], keep: impl Fn(usize, usize, usize) -> bool) -> Self {
        let mut terms = Self { sums: Vec::new(), pairs: Vec::with_capacity(all.len()) };
        for &[first, second, sum] in all {
            if keep(usize::from(first), usize::from(second), usize::from(sum)) {
                terms.pairs.push((first, second));
                let end = terms.pairs.len() as u32;
                match terms.sums.last_mut() {
                    Some(last) if last.0 == sum => last.1 = end,
                    _ => terms.sums.push((sum, end)),
                }
            }
        }
        terms
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// Adds the product of two polynomials.
    pub(super) fn add<N: Number>(&self, a: &[Batch<N>], b: &[Batch<N>], product: &mut [Batch<N>]) {
        let mut begin = 0;
        for &(sum, end) in &self.sums {
            let mut found = [N::ZERO; WIDTH];
            for &(first, second) in &self.pairs[begin..end as usize] {
                add_product(&mut found, &a[usize::from(first)], &b[usize::from(second)]);
            }
            add_batch(&mut product[usize::from(sum)], &found);
            begin = end as usize;
        }
    }
}

#[inline(always)]
pub(super) fn add_product<N: Number>(sum: &mut Batch<N>, a: &Batch<N>, b: &Batch<N>) {
    for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
        *sum += *a * *b;
    }
}

#[inline(always)]
fn add_batch<N: Number>(sum: &mut Batch<N>, more: &Batch<N>) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += *more;
    }
}

pub(super) fn add<N: Number>(sum: &mut [Batch<N>], more: &[Batch<N>]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| add_batch(sum, more));
}

/// Copies the number at one offset of each batch to all four.
pub(super) fn broadcast<N: Number>(from: &[Batch<N>], offset: usize, buffer: &mut [Batch<N>]) {
    buffer.iter_mut().zip(from).for_each(|(buffer, batch)| *buffer = [batch[offset]; WIDTH]);
}

pub(super) fn sum<N: Number>(batch: &Batch<N>) -> N {
    let mut sum = N::ZERO;
    batch.iter().for_each(|&number| sum += number);
    sum
}

/// Adds the four numbers of each batch to the number at one offset.
pub(super) fn reduce_into<N: Number>(from: &[Batch<N>], onto: &mut [Batch<N>], offset: usize) {
    onto.iter_mut().zip(from).for_each(|(onto, batch)| onto[offset] += sum(batch));
}

/// Adds a polynomial multiplied by one ship of a group.
pub(super) fn add_shifted<N: Number>(
    radix: &MixedRadix,
    group: usize,
    weight: &Batch<N>,
    from: &[Batch<N>],
    onto: &mut [Batch<N>],
) {
    let stride = radix.strides[group];
    for (number, batch) in from.iter().enumerate().filter(|(number, _)| radix.has_room(*number, group)) {
        add_product(&mut onto[number + stride], batch, weight);
    }
}

/// The coefficient of ways · one ship of a group · adjoints at which all ships are used.
pub(super) fn dot<N: Number>(
    radix: &MixedRadix,
    group: usize,
    weight: &Batch<N>,
    ways: &[Batch<N>],
    adjoints: &[Batch<N>],
) -> Batch<N> {
    let rest = radix.full() - radix.strides[group];
    let mut found = [N::ZERO; WIDTH];
    for (number, batch) in ways.iter().enumerate().filter(|(number, _)| radix.has_room(*number, group)) {
        add_product(&mut found, batch, &adjoints[rest - number]);
    }
    let mut weighted = [N::ZERO; WIDTH];
    add_product(&mut weighted, &found, weight);
    weighted
}

pub(super) fn is_zero<N: Number>(polynomial: &[Batch<N>]) -> bool {
    polynomial.iter().all(|batch| *batch == [N::ZERO; WIDTH])
}
