//! Polynomials in the ships used, for four positions at a time: processors multiply neighbours in memory at once.

use crate::number::Number;
use crate::sea::Radix;

pub(super) const WIDTH: usize = 4;

/// One number for each of four positions.
pub(super) type Lot<N> = [N; WIDTH];

/// Polynomials of one size, one after the other.
pub(super) struct Table<N> {
    size: usize,
    values: Vec<Lot<N>>,
}

impl<N: Number> Table<N> {
    pub(super) fn new(size: usize, count: usize) -> Self {
        Self { size, values: vec![[N::ZERO; WIDTH]; size * count] }
    }

    pub(super) fn at(&self, number: usize) -> &[Lot<N>] {
        &self.values[number * self.size..][..self.size]
    }

    pub(super) fn at_mut(&mut self, number: usize) -> &mut [Lot<N>] {
        &mut self.values[number * self.size..][..self.size]
    }

    /// One to read and a later one to change.
    pub(super) fn at_and_later(&mut self, number: usize, later: usize) -> (&[Lot<N>], &mut [Lot<N>]) {
        let (known, next) = self.values.split_at_mut(later * self.size);
        (&known[number * self.size..][..self.size], &mut next[..self.size])
    }

    /// One to change and a later one to read.
    pub(super) fn at_and_earlier(&mut self, later: usize, number: usize) -> (&[Lot<N>], &mut [Lot<N>]) {
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

/// All pairs of numbers of ships that can be added, with their sums, smallest first.
pub(super) fn all_pairs(radix: &Radix) -> Vec<[u16; 3]> {
    let below = |sum: usize| (0..=sum).map(move |first| (first, sum - first));
    let fitting = |sum: usize| {
        let pairs = below(sum).filter(|&(first, second)| radix.fits(first, second));
        pairs.map(move |(first, second)| [first, second, sum].map(|number| number as u16))
    };
    (0..radix.size).flat_map(fitting).collect()
}

/// Which numbers of ships add up to which, as far as a product needs them.
pub(super) struct Terms {
    /// Each sum with the place where its pairs end.
    sums: Vec<(u16, u32)>,
    pairs: Vec<(u16, u16)>,
}

impl Terms {
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
    pub(super) fn add<N: Number>(&self, a: &[Lot<N>], b: &[Lot<N>], product: &mut [Lot<N>]) {
        let mut begin = 0;
        for &(sum, end) in &self.sums {
            let mut found = [N::ZERO; WIDTH];
            for &(first, second) in &self.pairs[begin..end as usize] {
                add_product(&mut found, &a[usize::from(first)], &b[usize::from(second)]);
            }
            add_lot(&mut product[usize::from(sum)], &found);
            begin = end as usize;
        }
    }
}

#[inline(always)]
pub(super) fn add_product<N: Number>(sum: &mut Lot<N>, a: &Lot<N>, b: &Lot<N>) {
    for ((sum, a), b) in sum.iter_mut().zip(a).zip(b) {
        *sum += *a * *b;
    }
}

#[inline(always)]
fn add_lot<N: Number>(sum: &mut Lot<N>, more: &Lot<N>) {
    for (sum, more) in sum.iter_mut().zip(more) {
        *sum += *more;
    }
}

pub(super) fn add<N: Number>(sum: &mut [Lot<N>], more: &[Lot<N>]) {
    sum.iter_mut().zip(more).for_each(|(sum, more)| add_lot(sum, more));
}

/// What one of the four has, for all four.
pub(super) fn spread<N: Number>(from: &[Lot<N>], slot: usize, room: &mut [Lot<N>]) {
    room.iter_mut().zip(from).for_each(|(room, lot)| *room = [lot[slot]; WIDTH]);
}

pub(super) fn sum<N: Number>(lot: &Lot<N>) -> N {
    let mut sum = N::ZERO;
    lot.iter().for_each(|&number| sum += number);
    sum
}

/// Adds what all four have to one of four.
pub(super) fn fold<N: Number>(from: &[Lot<N>], onto: &mut [Lot<N>], slot: usize) {
    onto.iter_mut().zip(from).for_each(|(onto, lot)| onto[slot] += sum(lot));
}

/// Adds a polynomial with one ship of a group more in use.
pub(super) fn add_moved<N: Number>(radix: &Radix, group: usize, weight: &Lot<N>, from: &[Lot<N>], onto: &mut [Lot<N>]) {
    let stride = radix.strides[group];
    for (number, lot) in from.iter().enumerate().filter(|(number, _)| radix.has_room(*number, group)) {
        add_product(&mut onto[number + stride], lot, weight);
    }
}

/// The product of ways, one ship of a group and what all others contribute, where all ships are used.
pub(super) fn dot<N: Number>(
    radix: &Radix,
    group: usize,
    weight: &Lot<N>,
    ways: &[Lot<N>],
    others: &[Lot<N>],
) -> Lot<N> {
    let rest = radix.full() - radix.strides[group];
    let mut found = [N::ZERO; WIDTH];
    for (number, lot) in ways.iter().enumerate().filter(|(number, _)| radix.has_room(*number, group)) {
        add_product(&mut found, lot, &others[rest - number]);
    }
    let mut weighed = [N::ZERO; WIDTH];
    add_product(&mut weighed, &found, weight);
    weighed
}

pub(super) fn is_zero<N: Number>(polynomial: &[Lot<N>]) -> bool {
    polynomial.iter().all(|lot| *lot == [N::ZERO; WIDTH])
}
