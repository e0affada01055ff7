//! Polynomials in the ships used: a number for each choice of ships, multiplied where choices add up.

use crate::number::Number;
use crate::sea::Radix;

/// Which numbers of ships add up to which, by sum.
pub(crate) struct Sums {
    pairs: Vec<(u16, u16)>,
    /// Where the pairs of each sum begin.
    begins: Vec<u32>,
}

impl Sums {
    pub(crate) fn new(radix: &Radix, parts: &[usize]) -> Self {
        let mut sums = Self { pairs: Vec::new(), begins: vec![0] };
        for &sum in parts {
            for (a, &first) in parts.iter().enumerate().take_while(|(_, first)| **first <= sum) {
                if let Ok(b) = parts.binary_search(&(sum - first))
                    && radix.fits(first, sum - first)
                {
                    sums.pairs.push((a as u16, b as u16));
                }
            }
            sums.begins.push(sums.pairs.len() as u32);
        }
        sums
    }

    pub(crate) fn of(&self, sum: usize) -> &[(u16, u16)] {
        &self.pairs[self.begins[sum] as usize..self.begins[sum + 1] as usize]
    }
}

/// The product of two polynomials in the ships used.
#[inline]
pub(crate) fn convolve<N: Number>(sums: &Sums, a: &[N], b: &[N], product: &mut [N]) {
    for (sum, value) in product.iter_mut().enumerate() {
        *value = coefficient(sums.of(sum), a, b);
    }
}

#[inline]
pub(crate) fn coefficient<N: Number>(pairs: &[(u16, u16)], a: &[N], b: &[N]) -> N {
    let mut total = N::ZERO;
    for &(first, second) in pairs {
        total += a[usize::from(first)] * b[usize::from(second)];
    }
    total
}

/// Adds to the shares of two factors what the share of their product hands on to each.
pub(crate) fn convolve_back<N: Number>(
    sums: &Sums,
    (a, b): (&[N], &[N]),
    shares: &[N],
    of_a: &mut [N],
    of_b: &mut [N],
) {
    for (sum, &share) in shares.iter().enumerate() {
        for &(first, second) in sums.of(sum) {
            let (first, second) = (usize::from(first), usize::from(second));
            of_a[first] += share * b[second];
            of_b[second] += share * a[first];
        }
    }
}

/// The polynomial that is a number.
pub(crate) fn one<N: Number>(polynomial: &mut [N], number: N) {
    polynomial.fill(N::ZERO);
    polynomial[0] = number;
}

pub(crate) fn scale<N: Number>(product: &mut [N], polynomial: &[N], number: N) {
    product.iter_mut().zip(polynomial).for_each(|(product, value)| *product = *value * number);
}
