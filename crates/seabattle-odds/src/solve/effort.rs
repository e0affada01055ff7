//! The effort that a search will take, extrapolated from its growth from stage to stage.

use super::transposition::bytes_for;
use super::{Limits, SolveError};

/// The effort of a search, spent or forecast.
#[derive(Debug, Clone, Copy)]
pub(super) struct Effort {
    /// How many positions are searched.
    pub(super) positions: f64,
    /// How many positions the transposition table holds.
    pub(super) table_entries: f64,
}

impl Effort {
    pub(super) fn new(positions: u64, table_entries: usize) -> Self {
        Self { positions: (positions as f64).max(1.0), table_entries: (table_entries as f64).max(1.0) }
    }

    /// Returns an error if the effort exceeds the limits.
    pub(super) fn check(self, limits: Limits) -> Result<(), SolveError> {
        let Limits { max_positions, max_memory_bytes, .. } = limits;
        if self.positions > max_positions as f64 {
            return Err(SolveError::TooManyPositions { positions: self.positions as u64, max_positions });
        }
        let bytes = bytes_for(self.table_entries as usize);
        if bytes > max_memory_bytes {
            return Err(SolveError::TooMuchMemory { bytes, max_memory_bytes });
        }
        Ok(())
    }
}

/// The effort up to the end of each stage so far.
pub(super) struct EffortPerStage(Vec<Effort>);

impl EffortPerStage {
    /// The growth before the first stage.
    pub(super) fn new() -> Self {
        Self(vec![Effort::new(0, 0)])
    }

    pub(super) fn add(&mut self, effort: Effort) {
        self.0.push(effort);
    }

    /// The effort after this many more stages, extrapolated from the mean growth of the last two or three stages.
    ///
    /// Of the two means the smaller is taken: growth is uneven and usually slows down.
    pub(super) fn after(&self, stages: usize) -> Effort {
        let last = self.0[self.0.len() - 1];
        let factor = self.mean_of_last(2).min(self.mean_of_last(3)).powf(stages as f64);
        Effort { positions: last.positions * factor, table_entries: last.table_entries * factor }
    }

    /// The factor by which each of the last stages has multiplied the positions, as a geometric mean.
    fn mean_of_last(&self, stages: usize) -> f64 {
        let recent = &self.0[self.0.len().saturating_sub(stages + 1)..];
        let [first, .., last] = recent else {
            return f64::INFINITY;
        };
        (last.positions / first.positions).powf(1.0 / (recent.len() - 1) as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::{Effort, EffortPerStage};

    fn forecast(taken: &[f64], stages: usize) -> f64 {
        let mut growth = EffortPerStage::new();
        for &positions in taken {
            growth.add(Effort { positions, table_entries: positions / 10.0 });
        }
        let effort = growth.after(stages);
        assert!((effort.table_entries * 10.0 - effort.positions).abs() < 1e-6 * effort.positions);
        effort.positions
    }

    #[test]
    fn the_next_stages_grow_as_the_last_ones_did() {
        let close = |a: f64, b: f64| assert!((a / b - 1.0).abs() < 1e-9, "{a} {b}");
        close(forecast(&[10.0, 20.0, 40.0, 80.0], 2), 320.0);
        close(forecast(&[10.0, 10.0, 10.0, 80.0], 1), 160.0);
        close(forecast(&[10.0, 80.0, 80.0, 160.0], 2), 320.0);
        close(forecast(&[10.0], 1), 100.0);
    }

    #[test]
    fn no_forecast_without_a_finished_stage() {
        assert_eq!(EffortPerStage::new().after(1).positions, f64::INFINITY);
    }
}
