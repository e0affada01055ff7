//! The standard normal distribution.

/// 95% of all cases are within this many standard errors of the mean.
pub(super) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// Beyond this the distribution function is 0 or 1 to the last digit of a float.
const FAR: f64 = 9.0;

/// The distribution function, by [Marsaglia's series](https://doi.org/10.18637/jss.v011.i04).
///
/// All terms have the same sign, so its error is below 1e-14.
pub(super) fn cdf(x: f64) -> f64 {
    if x.abs() > FAR {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut odd) = (0.0, x, 1.0);
    while sum + term != sum {
        sum += term;
        odd += 2.0;
        term *= x * x / odd;
    }
    let density = (-x * x / 2.0).exp() / std::f64::consts::TAU.sqrt();
    (0.5 + sum * density).clamp(0.0, 1.0)
}

/// The probability that the true difference is above 0 when `difference` was measured.
pub(super) fn superiority(difference: f64, stderr: f64) -> f64 {
    if difference == 0.0 { 0.5 } else { cdf(difference / stderr) }
}

#[cfg(test)]
mod tests {
    use super::{TWO_SIDED_95, cdf, superiority};

    #[test]
    fn values_of_the_tables() {
        let table = [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013_1),
            (1.0, 0.841_344_746_068_542_9),
            (2.0, 0.977_249_868_051_820_8),
            (3.0, 0.998_650_101_968_369_9),
            (5.0, 0.999_999_713_348_428_1),
            (-6.0, 9.865_876_450_376_98e-10),
            (TWO_SIDED_95, 0.975),
        ];
        for (x, expected) in table {
            assert!((cdf(x) - expected).abs() < 1e-14, "{x}: {}", cdf(x));
            assert!((cdf(-x) + cdf(x) - 1.0).abs() < 1e-14, "{x}");
        }
    }

    #[test]
    fn it_rises_from_0_to_1() {
        let values: Vec<f64> = (-1_000..=1_000).map(|x| cdf(f64::from(x) / 100.0)).collect();
        assert!(values.windows(2).all(|pair| pair[0] <= pair[1] + 1e-14));
        assert_eq!((cdf(f64::NEG_INFINITY), cdf(-10.0), cdf(10.0), cdf(f64::INFINITY)), (0.0, 0.0, 1.0, 1.0));
    }

    #[test]
    fn without_error_superiority_is_certain() {
        assert_eq!((superiority(-1.0, 0.0), superiority(0.0, 0.0), superiority(1.0, 0.0)), (0.0, 0.5, 1.0));
    }
}
