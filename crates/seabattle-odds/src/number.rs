//! The two kinds of numbers for counting layouts.

use std::ops::{AddAssign, Mul};

/// A number to count with: floating point for weights and probabilities, 128-bit integers for large counts.
pub(crate) trait Number: Copy + PartialEq + PartialOrd + AddAssign + Mul<Output = Self> {
    const ZERO: Self;
    const ONE: Self;

    /// The weight of a placement; for integer counts every weight is one.
    fn weight(weight: f64) -> Self;
}

impl Number for f64 {
    const ZERO: Self = 0.0;
    const ONE: Self = 1.0;

    fn weight(weight: f64) -> Self {
        weight
    }
}

/// An exact count that saturates at the largest integer, which then means "too large".
#[derive(Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct ExactCount(pub(crate) u128);

impl AddAssign for ExactCount {
    fn add_assign(&mut self, other: Self) {
        self.0 = self.0.saturating_add(other.0);
    }
}

impl Mul for ExactCount {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self(self.0.saturating_mul(other.0))
    }
}

impl Number for ExactCount {
    const ZERO: Self = Self(0);
    const ONE: Self = Self(1);

    fn weight(_weight: f64) -> Self {
        Self::ONE
    }
}

/// Integers below 2⁵³ are exact in floating point, and so are sums and products that stay below it.
pub(crate) const MAX_EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;
