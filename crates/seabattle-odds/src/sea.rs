//! The problem that is left once sunk ships are placed: ships afloat, where each may lie, and hits they must cover.

use seabattle_core::{Cell, Orientation, Size, Touching};

use crate::places::Mask;

/// Ships afloat in waters that are partly known.
#[derive(Debug, Clone)]
pub(crate) struct Sea {
    pub(crate) size: Size,
    pub(crate) touching: Touching,
    /// Ships that may stand for each other.
    pub(crate) groups: Vec<Group>,
    /// Hits that some ship afloat must cover.
    pub(crate) hits: Mask,
}

impl Sea {
    /// No sum over ways can be greater: all choices of places, whether ships conflict or not.
    pub(crate) fn most_ways(&self) -> f64 {
        let of_group = |group: &Group| -> f64 {
            let places = group.candidates.len() as f64;
            (0..group.count).map(|number| (places - number as f64).max(0.0) / (number as f64 + 1.0)).product()
        };
        self.groups.iter().map(of_group).product()
    }
}

/// Ships of one length with the same possible places.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub(crate) length: u8,
    pub(crate) count: usize,
    pub(crate) candidates: Vec<Candidate>,
}

/// A place where a ship of a group may lie.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    /// Its number among all places of that length.
    pub(crate) place: usize,
    pub(crate) start: Cell,
    pub(crate) orientation: Orientation,
    pub(crate) weight: f64,
}

/// How all ways to place the ships add up.
#[derive(Debug, Clone)]
pub(crate) struct Tally {
    /// Sum over all ways.
    pub(crate) total: f64,
    /// The greatest number that came up; while it stays small all sums of whole numbers are exact.
    pub(crate) greatest: f64,
    /// For each candidate of each group, the sum over the ways that use it.
    pub(crate) weights: Vec<Vec<f64>>,
}

impl Tally {
    pub(crate) fn empty(sea: &Sea) -> Self {
        let weights = sea.groups.iter().map(|group| vec![0.0; group.candidates.len()]).collect();
        Self { total: 0.0, greatest: 0.0, weights }
    }
}

/// Counts of ships per group as one number: mixed radix, so that adding counts is adding numbers.
#[derive(Debug, Clone)]
pub(crate) struct Radix {
    pub(crate) strides: Vec<usize>,
    pub(crate) counts: Vec<usize>,
    /// How many numbers there are.
    pub(crate) size: usize,
    /// For each number and group whether one more ship of the group can be added.
    room: Vec<bool>,
}

/// Counting with more numbers than this would be too slow.
pub(crate) const MOST_NUMBERS: usize = 4096;

impl Radix {
    pub(crate) fn new(counts: &[usize]) -> Self {
        let mut size: usize = 1;
        let mut strides = vec![0; counts.len()];
        // The shortest ships, often the most, vary fastest: sums over them are sums over neighbours in memory.
        for (stride, count) in strides.iter_mut().zip(counts).rev() {
            *stride = size;
            size = size.saturating_mul(count + 1);
        }
        let mut radix = Self { strides, counts: counts.to_vec(), size, room: Vec::new() };
        if size <= MOST_NUMBERS {
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

    /// Whether one more ship of a group can be added.
    #[inline]
    pub(crate) fn has_room(&self, number: usize, group: usize) -> bool {
        self.room[number * self.counts.len() + group]
    }

    /// Whether two numbers can be added without carrying.
    pub(crate) fn fits(&self, a: usize, b: usize) -> bool {
        (0..self.counts.len()).all(|group| self.digit(a, group) + self.digit(b, group) <= self.counts[group])
    }

    /// The number that stands for all ships.
    pub(crate) fn full(&self) -> usize {
        self.size - 1
    }
}
