//! Linear equations with a symmetric positive definite matrix, by [Cholesky decomposition](https://en.wikipedia.org/wiki/Cholesky_decomposition).

/// A smaller share of the diagonal is a rounding error.
const ROUNDING: f64 = 1e-15;

/// A Cholesky factor: the lower triangle whose product with its transpose is the matrix.
pub(super) struct Cholesky {
    rows: Vec<Vec<f64>>,
}

impl Cholesky {
    /// Decomposes a matrix. Only its lower triangle is read.
    pub(super) fn new(matrix: &[Vec<f64>]) -> Self {
        let mut rows: Vec<Vec<f64>> = Vec::with_capacity(matrix.len());
        for (at, given) in matrix.iter().enumerate() {
            let mut row = Vec::with_capacity(at + 1);
            for (other, &value) in rows.iter().zip(given) {
                row.push((value - dot(&row, other)) / other[row.len()]);
            }
            row.push((given[at] - dot(&row, &row)).max(ROUNDING * given[at]).sqrt());
            rows.push(row);
        }
        Self { rows }
    }

    /// Solves the equation whose right side is `target`.
    pub(super) fn solve(&self, target: &[f64]) -> Vec<f64> {
        let mut solution: Vec<f64> = Vec::with_capacity(target.len());
        for (at, (row, target)) in self.rows.iter().zip(target).enumerate() {
            solution.push((target - dot(row, &solution)) / row[at]);
        }
        for (at, row) in self.rows.iter().enumerate().rev() {
            solution[at] /= row[at];
            let found = solution[at];
            solution.iter_mut().zip(&row[..at]).for_each(|(value, factor)| *value -= factor * found);
        }
        solution
    }
}

/// The dot product over the length of the shorter slice.
fn dot(left: &[f64], right: &[f64]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

#[cfg(test)]
mod tests {
    use super::{Cholesky, dot};

    #[test]
    fn the_solution_solves() {
        let matrix = [vec![4.0, 2.0, -1.0], vec![2.0, 5.0, 0.5], vec![-1.0, 0.5, 3.0]];
        let target = [1.0, -2.0, 7.0];
        let solution = Cholesky::new(&matrix).solve(&target);
        for (row, target) in matrix.iter().zip(target) {
            assert!((dot(row, &solution) - target).abs() < 1e-12);
        }
    }

    #[test]
    fn a_matrix_without_inverse_gives_numbers_all_the_same() {
        let matrix = [vec![1.0, -1.0], vec![-1.0, 1.0]];
        assert!(Cholesky::new(&matrix).solve(&[1.0, 1.0]).iter().all(|value| value.is_finite()));
    }
}
