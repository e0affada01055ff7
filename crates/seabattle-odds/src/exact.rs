//! The exact sums over all layouts that fit, on boards of at most 128 cells.

use seabattle_core::{ClassId, Touching};

use crate::Limits;
use crate::lanes;
use crate::number::{EXACT_BELOW, Exact};
use crate::position::{Position, Wrecks};
use crate::rows::{self, RowLimits, Workspace};
use crate::sea::{Candidate, Group, Sea, Tally};

/// Sums over all layouts that fit a position.
pub(crate) struct Sums {
    /// How many there are; nothing where weights make counting meaningless.
    pub(crate) layouts: Option<u128>,
    pub(crate) total: f64,
    /// For each class and place, the sum over the layouts with such a ship there.
    pub(crate) places: Vec<Vec<f64>>,
}

/// All sums, or nothing if that would take more work than allowed.
pub(crate) fn sums(position: &Position<'_, 2>, limits: &Limits, workspace: &mut Workspace<f64>) -> Option<Sums> {
    let mut sums = Sums {
        layouts: position.weights.is_none().then_some(0),
        total: 0.0,
        places: position.places.iter().map(|places| vec![0.0; places.len()]).collect(),
    };
    for wrecks in position.wrecks(limits.max_sunk_assignments)? {
        add_wrecks(position, &wrecks, limits, workspace, &mut sums)?;
    }
    Some(sums)
}

fn add_wrecks(
    position: &Position<'_, 2>,
    wrecks: &Wrecks<2>,
    limits: &Limits,
    workspace: &mut Workspace<f64>,
    sums: &mut Sums,
) -> Option<()> {
    let float = Float::new(position, wrecks);
    let weight: f64 = wrecks.ships.iter().map(|&(class, place)| position.weight(class, place)).product();
    let tally = tally(&float.sea, limits, workspace)?;
    if let Some(layouts) = &mut sums.layouts {
        let ways = if tally.greatest < EXACT_BELOW { tally.total as u128 } else { exact_total(&float.sea, limits)? };
        *layouts = layouts.checked_add(ways.checked_mul(float.orders as u128)?)?;
    }
    let factor = weight * float.orders;
    sums.total += tally.total * factor;
    for &(class, place) in &wrecks.ships {
        sums.places[class.index()][place] += tally.total * factor;
    }
    for ((group, members), weights) in float.sea.groups.iter().zip(&float.members).zip(&tally.weights) {
        for (candidate, weight) in group.candidates.iter().zip(weights) {
            for &(class, count) in members {
                let share = count as f64 / group.count as f64;
                sums.places[class.index()][candidate.place] += weight * factor * share;
            }
        }
    }
    Some(())
}

fn tally(sea: &Sea, limits: &Limits, workspace: &mut Workspace<f64>) -> Option<Tally> {
    match sea.touching {
        Touching::Allowed => lanes::tally(sea, limits.max_multiplications as f64),
        Touching::Corners | Touching::Forbidden => rows::tally(sea, row_limits(limits), workspace),
    }
}

/// A count that is too large for floating point; too large for 128 bits is too large.
fn exact_total(sea: &Sea, limits: &Limits) -> Option<u128> {
    let Exact(total) = match sea.touching {
        Touching::Allowed => lanes::total::<Exact>(sea, limits.max_multiplications as f64)?,
        Touching::Corners | Touching::Forbidden => rows::total::<Exact>(sea, row_limits(limits))?,
    };
    (total < u128::MAX).then_some(total)
}

fn row_limits(limits: &Limits) -> RowLimits {
    RowLimits { transitions: limits.max_memory_bytes / 4 / 24, values: limits.max_memory_bytes / 2 / 8 }
}

/// The ships afloat beside some wrecks, with those of one length taken together.
struct Float {
    sea: Sea,
    /// The classes of each group, with how many of each.
    members: Vec<Vec<(ClassId, usize)>>,
    /// In how many ways the ships of each group can be told apart by class.
    orders: f64,
}

impl Float {
    fn new(position: &Position<'_, 2>, wrecks: &Wrecks<2>) -> Self {
        let rules = position.rules;
        let mut float = Self {
            sea: Sea {
                size: rules.size(),
                touching: rules.touching(),
                groups: Vec::new(),
                hits: position.hits.without(&wrecks.cells).mask(),
            },
            members: Vec::new(),
            orders: 1.0,
        };
        for class in rules.class_ids() {
            let count = position.afloat(wrecks, class);
            if count > 0 {
                float.add(position, wrecks, class, count);
            }
        }
        for (group, members) in float.sea.groups.iter().zip(&float.members) {
            float.orders *=
                factorial(group.count) / members.iter().map(|&(_, count)| factorial(count)).product::<f64>();
        }
        float
    }

    fn add(&mut self, position: &Position<'_, 2>, wrecks: &Wrecks<2>, class: ClassId, count: usize) {
        let length = position.rules.class(class).length();
        let same = self.sea.groups.iter().zip(&self.members).position(|(group, members)| {
            let twin =
                |&(other, _): &(ClassId, usize)| position.foreign[other.index()] == position.foreign[class.index()];
            group.length == length && position.weights.is_none() && members.iter().all(twin)
        });
        match same {
            Some(at) => {
                self.sea.groups[at].count += count;
                self.members[at].push((class, count));
            }
            None => {
                let candidates = candidates(position, wrecks, class);
                self.sea.groups.push(Group { length, count, candidates });
                self.members.push(vec![(class, count)]);
            }
        }
    }
}

fn candidates(position: &Position<'_, 2>, wrecks: &Wrecks<2>, class: ClassId) -> Vec<Candidate> {
    let possible = position.places[class.index()]
        .iter()
        .enumerate()
        .filter(|(at, place)| position.may_float(wrecks, class, place) && position.weight(class, *at) > 0.0);
    possible
        .map(|(at, place)| Candidate {
            place: at,
            start: place.start,
            orientation: place.orientation,
            weight: position.weight(class, at),
        })
        .collect()
}

fn factorial(number: usize) -> f64 {
    (1..=number).map(|factor| factor as f64).product()
}
