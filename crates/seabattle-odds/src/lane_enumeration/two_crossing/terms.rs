//! The sets of terms that the products need: two crossing ships leave fewer ships for the lanes.

use super::batch::{SparseTerms, addable_pairs};
use crate::residual::{MixedRadix, ResidualProblem};

/// Terms of the forward pass, ways · ways, and of the backward pass, adjoints · ways.
pub(super) struct ForwardAndBackward {
    pub(super) ways: SparseTerms,
    pub(super) adjoints: SparseTerms,
}

/// The terms of all products.
pub(super) struct TermSets {
    pub(super) all: SparseTerms,
    /// By length: terms where at least one ship crosses this many lanes, or at least two ships do.
    pub(super) with_one_crossing: Vec<ForwardAndBackward>,
    pub(super) with_two_crossing: Vec<ForwardAndBackward>,
    /// By the length of the overlap: terms for two ships of which neither contains the other, or one does.
    pub(super) staggered: Vec<OverlapTerms>,
    pub(super) nested: Vec<OverlapTerms>,
}

/// Terms for two ships whose overlap has a given length.
pub(super) struct OverlapTerms {
    /// Overlap · lanes of the one ship.
    pub(super) for_other: SparseTerms,
    /// Overlap · lanes of the other ship.
    pub(super) for_one: SparseTerms,
    /// Lanes of the one ship · lanes of the other.
    pub(super) for_overlap: SparseTerms,
}

impl OverlapTerms {
    /// Whether the fleet has two such ships.
    pub(super) fn is_possible(&self) -> bool {
        !self.for_overlap.is_empty()
    }

    /// `one` and `other` say which combinations may contain the one ship, and the other.
    fn new(all: &[[u16; 3]], full: usize, one: impl Fn(usize) -> bool, other: impl Fn(usize) -> bool) -> Self {
        Self {
            for_other: SparseTerms::new(all, |_, second, sum| one(second) && other(full - sum)),
            for_one: SparseTerms::new(all, |_, second, sum| other(second) && one(full - sum)),
            for_overlap: SparseTerms::new(all, |first, second, _| one(first) && other(second)),
        }
    }
}

impl TermSets {
    pub(super) fn new(problem: &ResidualProblem, radix: &MixedRadix, most_in_common: usize) -> Self {
        let all = &addable_pairs(radix);
        let full = radix.full();
        let lengths: Vec<usize> = problem.groups.iter().map(|group| usize::from(group.length)).collect();
        let at_least = &|number: usize, length: usize| -> usize {
            (0..lengths.len()).filter(|&group| lengths[group] >= length).map(|group| radix.digit(number, group)).sum()
        };
        let beside = |ships: usize| {
            let crossing = move |length: usize| {
                let enough: Vec<bool> =
                    (0..radix.size).map(|number| at_least(number, length.max(2)) >= ships).collect();
                ForwardAndBackward {
                    ways: SparseTerms::new(all, |_, _, sum| enough[full - sum]),
                    adjoints: SparseTerms::new(all, |first, _, _| enough[first]),
                }
            };
            (0..=most_in_common).map(crossing).collect()
        };
        let has = |length: usize| -> Vec<bool> { (0..radix.size).map(|number| at_least(number, length) > 0).collect() };
        let is_one = |length: usize| -> Vec<bool> {
            let is = |number: usize| {
                (0..lengths.len()).any(|group| lengths[group] == length && radix.strides[group] == number)
            };
            (0..radix.size).map(is).collect()
        };
        Self {
            with_one_crossing: beside(1),
            with_two_crossing: beside(2),
            staggered: (0..=most_in_common)
                .map(|overlap| {
                    let longer = has(overlap + 1);
                    OverlapTerms::new(all, full, |number| longer[number], |number| longer[number])
                })
                .collect(),
            nested: (0..=most_in_common)
                .map(|overlap| {
                    let (outer, inner) = (has(overlap), is_one(overlap));
                    OverlapTerms::new(all, full, |number| outer[number], |number| inner[number])
                })
                .collect(),
            all: SparseTerms::new(all, |_, _, _| true),
        }
    }
}

/// The terms for one ship at a position and all lower positions of the other.
pub(super) struct OrderedOverlapTerms<'t> {
    pub(super) for_higher: &'t SparseTerms,
    pub(super) for_lower: &'t SparseTerms,
    pub(super) for_overlap: &'t SparseTerms,
    /// Whether the higher ship is the first factor of the adjoints of the overlap.
    pub(super) higher_first: bool,
}

/// How two overlapping ships are arranged.
#[derive(Clone, Copy)]
pub(super) enum OverlapKind {
    Staggered,
    OuterHigher,
    InnerHigher,
}

impl TermSets {
    pub(super) fn ordered_terms(&self, kind: OverlapKind, overlap: usize) -> OrderedOverlapTerms<'_> {
        let OverlapTerms { for_other, for_one, for_overlap } = match kind {
            OverlapKind::Staggered => &self.staggered[overlap],
            OverlapKind::OuterHigher | OverlapKind::InnerHigher => &self.nested[overlap],
        };
        let higher_first = !matches!(kind, OverlapKind::InnerHigher);
        let (for_higher, for_lower) = if higher_first { (for_one, for_other) } else { (for_other, for_one) };
        OrderedOverlapTerms { for_higher, for_lower, for_overlap, higher_first }
    }
}
