//! Which products are needed where: two ships across leave fewer for the lanes.

use super::lots::{Terms, all_pairs};
use crate::sea::{Radix, Sea};

/// Products of ways with ways, and of what others contribute with ways.
pub(super) struct Both {
    pub(super) ways: Terms,
    pub(super) others: Terms,
}

pub(super) struct Products {
    pub(super) all: Terms,
    /// Where at least one ship crosses so many lanes, or at least two do.
    pub(super) beside_one: Vec<Both>,
    pub(super) beside_two: Vec<Both>,
    /// Two ships that cross lanes in common, by how many: neither or one of them within the other.
    pub(super) staggered: Vec<Trio>,
    pub(super) nested: Vec<Trio>,
}

/// Products for two ships that cross so many lanes in common.
pub(super) struct Trio {
    /// Lanes in common · lanes of the one.
    pub(super) beside_other: Terms,
    /// Lanes in common · lanes of the other.
    pub(super) beside_one: Terms,
    /// Lanes of the one · lanes of the other.
    pub(super) beside_common: Terms,
}

impl Trio {
    /// Whether the fleet has two such ships.
    pub(super) fn is_possible(&self) -> bool {
        !self.beside_common.is_empty()
    }

    /// By whether a number of ships may be of the one, and of the other.
    fn new(all: &[[u16; 3]], full: usize, one: impl Fn(usize) -> bool, other: impl Fn(usize) -> bool) -> Self {
        Self {
            beside_other: Terms::new(all, |_, second, sum| one(second) && other(full - sum)),
            beside_one: Terms::new(all, |_, second, sum| other(second) && one(full - sum)),
            beside_common: Terms::new(all, |first, second, _| one(first) && other(second)),
        }
    }
}

impl Products {
    pub(super) fn new(sea: &Sea, radix: &Radix, most_in_common: usize) -> Self {
        let all = &all_pairs(radix);
        let full = radix.full();
        let lengths: Vec<usize> = sea.groups.iter().map(|group| usize::from(group.length)).collect();
        let at_least = &|number: usize, length: usize| -> usize {
            (0..lengths.len()).filter(|&group| lengths[group] >= length).map(|group| radix.digit(number, group)).sum()
        };
        let beside = |ships: usize| {
            let crossing = move |length: usize| {
                let enough: Vec<bool> =
                    (0..radix.size).map(|number| at_least(number, length.max(2)) >= ships).collect();
                Both {
                    ways: Terms::new(all, |_, _, sum| enough[full - sum]),
                    others: Terms::new(all, |first, _, _| enough[first]),
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
            beside_one: beside(1),
            beside_two: beside(2),
            staggered: (0..=most_in_common)
                .map(|common| {
                    let longer = has(common + 1);
                    Trio::new(all, full, |number| longer[number], |number| longer[number])
                })
                .collect(),
            nested: (0..=most_in_common)
                .map(|common| {
                    let (outer, inner) = (has(common), is_one(common));
                    Trio::new(all, full, |number| outer[number], |number| inner[number])
                })
                .collect(),
            all: Terms::new(all, |_, _, _| true),
        }
    }
}

/// Products for one ship at a position and all lower positions of the other.
pub(super) struct Turn<'t> {
    pub(super) beside_higher: &'t Terms,
    pub(super) beside_lower: &'t Terms,
    pub(super) beside_common: &'t Terms,
    /// Whether the higher is the first factor of what is beside the lanes in common.
    pub(super) higher_first: bool,
}

/// How two ships that cross lanes in common lie to each other.
#[derive(Clone, Copy)]
pub(super) enum Lie {
    Staggered,
    OuterHigher,
    InnerHigher,
}

impl Products {
    pub(super) fn turn(&self, lie: Lie, common: usize) -> Turn<'_> {
        let Trio { beside_other, beside_one, beside_common } = match lie {
            Lie::Staggered => &self.staggered[common],
            Lie::OuterHigher | Lie::InnerHigher => &self.nested[common],
        };
        let higher_first = !matches!(lie, Lie::InnerHigher);
        let (beside_higher, beside_lower) =
            if higher_first { (beside_one, beside_other) } else { (beside_other, beside_one) };
        Turn { beside_higher, beside_lower, beside_common, higher_first }
    }
}
