//! The residual problem, left once sunk ships are assigned: ships afloat, their possible placements, and hits to cover.

use seabattle_core::{Cell, Orientation, Size, Touching};

use crate::placements::Mask;

/// The ships afloat, with the placements and hits that one sunk-ship assignment leaves.
#[derive(Debug, Clone)]
pub(crate) struct ResidualProblem {
    pub(crate) size: Size,
    pub(crate) touching: Touching,
    /// The ships afloat, interchangeable ones together.
    pub(crate) groups: Vec<ShipGroup>,
    /// Hits that some ship afloat must cover.
    pub(crate) hits: Mask,
}

impl ResidualProblem {
    /// An upper bound of the number of ways: all choices of placements, whether ships conflict or not.
    pub(crate) fn max_ways(&self) -> f64 {
        let of_group = |group: &ShipGroup| -> f64 {
            let placements = group.candidates.len() as f64;
            (0..group.count).map(|number| (placements - number as f64).max(0.0) / (number as f64 + 1.0)).product()
        };
        self.groups.iter().map(of_group).product()
    }
}

/// Interchangeable ships: of one length, with the same possible placements.
#[derive(Debug, Clone)]
pub(crate) struct ShipGroup {
    pub(crate) length: u8,
    pub(crate) count: usize,
    pub(crate) candidates: Vec<Candidate>,
}

/// A possible placement of the ships of a group.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// The index among all placements of this length.
    pub(crate) placement: usize,
    pub(crate) start: Cell,
    pub(crate) orientation: Orientation,
    pub(crate) weight: f64,
}

/// Sums over all ways to place the ships, in total and for each candidate.
#[derive(Debug, Clone)]
pub(crate) struct CandidateSums {
    /// The sum over all ways.
    pub(crate) total: f64,
    /// The largest number that occurred. As long as it is small, all sums of integers are exact.
    pub(crate) largest_term: f64,
    /// For each candidate of each group, the sum over the ways that use it.
    pub(crate) weights: Vec<Vec<f64>>,
}

impl CandidateSums {
    pub(crate) fn empty(problem: &ResidualProblem) -> Self {
        let weights = problem.groups.iter().map(|group| vec![0.0; group.candidates.len()]).collect();
        Self { total: 0.0, largest_term: 0.0, weights }
    }
}

/// Combinations of ships, a count for each group, coded as one number in
/// [mixed radix](https://en.wikipedia.org/wiki/Mixed_radix). Adding counts is adding numbers.
#[derive(Debug, Clone)]
pub(crate) struct MixedRadix {
    pub(crate) strides: Vec<usize>,
    pub(crate) counts: Vec<usize>,
    /// How many combinations there are.
    pub(crate) size: usize,
    /// For each combination and group whether one more ship of the group can be added.
    room: Vec<bool>,
}

/// The most combinations: counting with more would be too slow.
pub(crate) const MAX_COMBINATIONS: usize = 4096;

impl MixedRadix {
    pub(crate) fn new(counts: &[usize]) -> Self {
        let mut size: usize = 1;
        let mut strides = vec![0; counts.len()];
        // The shortest ships, often the most numerous, vary fastest, so that sums over them are contiguous in memory.
        for (stride, count) in strides.iter_mut().zip(counts).rev() {
            *stride = size;
            size = size.saturating_mul(count + 1);
        }
        let mut radix = Self { strides, counts: counts.to_vec(), size, room: Vec::new() };
        if size <= MAX_COMBINATIONS {
            let groups = 0..counts.len();
            let room = |number: usize| groups.clone().map(move |group| (number, group));
            radix.room =
                (0..size).flat_map(room).map(|(number, group)| radix.digit(number, group) < counts[group]).collect();
        }
        radix
    }

    pub(crate) fn digit(&self, number: usize, group: usize) -> usize {
        number / self.strides[group] % (self.counts[group] + 1)
    }

    /// Whether one more ship of a group can be added to a combination.
    #[inline]
    pub(crate) fn has_room(&self, number: usize, group: usize) -> bool {
        self.room[number * self.counts.len() + group]
    }

    /// Whether two combinations can be added, without more ships of a group than there are.
    pub(crate) fn fits(&self, a: usize, b: usize) -> bool {
        (0..self.counts.len()).all(|group| self.digit(a, group) + self.digit(b, group) <= self.counts[group])
    }

    /// The combination of all ships.
    pub(crate) fn full(&self) -> usize {
        self.size - 1
    }
}
