//! The two kinds of numbers that layouts are counted with.

use std::ops::{AddAssign, Mul};

/// Floating point for weights and probabilities, 128 bits where a count outgrows the whole numbers of floating point.
pub(crate) trait Number: Copy + PartialEq + PartialOrd + AddAssign + Mul<Output = Self> {
    const ZERO: Self;
    const ONE: Self;

    /// The weight of a place; counting knows only the weight one.
    fn weight(weight: f64) -> Self;
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    fn weight(weight: f64) -> Self {
        weight
    }
}

/// A count that saturates: at the limit it is known to be wrong.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct Exact(pub(crate) u128);

impl AddAssign for Exact {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

impl Mul for Exact {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0.saturating_mul(other.0))
    }
}

impl Number for Exact {
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1);

    fn weight(_weight: f64) -> Self {
        Self::ONE
    }
}

/// Whole numbers below this are exact in floating point, and so are their sums and products as long as they stay below.
pub(crate) const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;
