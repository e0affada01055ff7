//! Polynomials in the ships used: one coefficient for each combination of ships. A product adds combinations up.

use crate::number::Number;
use crate::residual::MixedRadix;

/// The terms of a product: which pairs of combinations add up to which combination.
pub(crate) struct ProductTerms {
    pairs: Vec<(u16, u16)>,
    /// The index of the first pair of each sum.
    starts: Vec<u32>,
}

impl ProductTerms {
    pub(crate) fn new(radix: &MixedRadix, combinations: &[usize]) -> Self {
        let mut terms = Self { pairs: Vec::new(), starts: vec![0] };
        for &sum in combinations {
            for (a, &first) in combinations.iter().enumerate().take_while(|(_, first)| **first <= sum) {
                if let Ok(b) = combinations.binary_search(&(sum - first))
                    && radix.fits(first, sum - first)
                {
                    terms.pairs.push((a as u16, b as u16));
                }
            }
            terms.starts.push(terms.pairs.len() as u32);
        }
        terms
    }

    pub(crate) fn of(&self, sum: usize) -> &[(u16, u16)] {
        &self.pairs[self.starts[sum] as usize..self.starts[sum + 1] as usize]
    }
}

/// Multiplies two polynomials.
#[inline]
pub(crate) fn convolve<N: Number>(terms: &ProductTerms, a: &[N], b: &[N], product: &mut [N]) {
    for (sum, value) in product.iter_mut().enumerate() {
        *value = coefficient(terms.of(sum), a, b);
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

/// Adds to the shares of two factors what the shares of their product pass back to each.
pub(crate) fn convolve_back<N: Number>(
    terms: &ProductTerms,
    (a, b): (&[N], &[N]),
    shares: &[N],
    of_a: &mut [N],
    of_b: &mut [N],
) {
    for (sum, &share) in shares.iter().enumerate() {
        for &(first, second) in terms.of(sum) {
            let (first, second) = (usize::from(first), usize::from(second));
            of_a[first] += share * b[second];
            of_b[second] += share * a[first];
        }
    }
}

/// Sets a polynomial to a constant.
pub(crate) fn set_constant<N: Number>(polynomial: &mut [N], number: N) {
    polynomial.fill(N::ZERO);
    polynomial[0] = number;
}

pub(crate) fn scale<N: Number>(product: &mut [N], polynomial: &[N], number: N) {
    product.iter_mut().zip(polynomial).for_each(|(product, value)| *product = *value * number);
}
