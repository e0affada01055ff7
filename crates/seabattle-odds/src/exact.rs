//! Exact sums over all consistent layouts, on boards of at most 128 cells.

use seabattle_core::{ClassId, Touching};

use crate::Limits;
use crate::lane_enumeration;
use crate::number::{ExactCount, MAX_EXACT_INTEGER};
use crate::position::{Assignment, Position};
use crate::profile_dp::{self, ProfileLimits, Workspace};
use crate::residual::{Candidate, CandidateSums, ResidualProblem, ShipGroup};
use crate::stop::is_stopped;

/// Sums over all consistent layouts of a position.
pub(crate) struct LayoutSums {
    /// The number of consistent layouts; `None` where the prior weighs layouts.
    pub(crate) layouts: Option<u128>,
    pub(crate) total: f64,
    /// For each class and placement, the sum over the layouts with such a ship there.
    pub(crate) placements: Vec<Vec<f64>>,
}

/// Sums over all consistent layouts; `None` if that would take more work than allowed.
pub(crate) fn sums(position: &Position<'_, 2>, limits: &Limits, workspace: &mut Workspace<f64>) -> Option<LayoutSums> {
    let mut sums = LayoutSums {
        layouts: position.weights.is_none().then_some(0),
        total: 0.0,
        placements: position.placements.iter().map(|placements| vec![0.0; placements.len()]).collect(),
    };
    for assignment in position.sunk_assignments(limits.max_sunk_assignments)? {
        if is_stopped() {
            return None;
        }
        add_assignment(position, &assignment, limits, workspace, &mut sums)?;
    }
    Some(sums)
}

fn add_assignment(
    position: &Position<'_, 2>,
    assignment: &Assignment<2>,
    limits: &Limits,
    workspace: &mut Workspace<f64>,
    sums: &mut LayoutSums,
) -> Option<()> {
    let afloat = AfloatShips::new(position, assignment);
    let weight: f64 = assignment.ships.iter().map(|&(class, placement)| position.weight(class, placement)).product();
    let candidate_sums = candidate_sums(&afloat.problem, limits, workspace)?;
    if let Some(layouts) = &mut sums.layouts {
        let ways = if candidate_sums.largest_term < MAX_EXACT_INTEGER {
            candidate_sums.total as u128
        } else {
            exact_total(&afloat.problem, limits)?
        };
        *layouts = layouts.checked_add(ways.checked_mul(afloat.class_orders as u128)?)?;
    }
    let factor = weight * afloat.class_orders;
    sums.total += candidate_sums.total * factor;
    for &(class, placement) in &assignment.ships {
        sums.placements[class.index()][placement] += candidate_sums.total * factor;
    }
    for ((group, members), weights) in afloat.problem.groups.iter().zip(&afloat.members).zip(&candidate_sums.weights) {
        for (candidate, weight) in group.candidates.iter().zip(weights) {
            for &(class, count) in members {
                let share = count as f64 / group.count as f64;
                sums.placements[class.index()][candidate.placement] += weight * factor * share;
            }
        }
    }
    Some(())
}

fn candidate_sums(problem: &ResidualProblem, limits: &Limits, workspace: &mut Workspace<f64>) -> Option<CandidateSums> {
    match problem.touching {
        Touching::Allowed => lane_enumeration::candidate_sums(problem, limits.max_multiplications as f64),
        Touching::Corners | Touching::Forbidden => {
            profile_dp::candidate_sums(problem, profile_limits(limits), workspace)
        }
    }
}

/// The exact count where floating point is not exact; `None` if it does not fit into 128 bits.
fn exact_total(problem: &ResidualProblem, limits: &Limits) -> Option<u128> {
    let ExactCount(total) = match problem.touching {
        Touching::Allowed => lane_enumeration::total::<ExactCount>(problem, limits.max_multiplications as f64)?,
        Touching::Corners | Touching::Forbidden => profile_dp::total::<ExactCount>(problem, profile_limits(limits))?,
    };
    (total < u128::MAX).then_some(total)
}

fn profile_limits(limits: &Limits) -> ProfileLimits {
    ProfileLimits { max_transitions: limits.max_memory_bytes / 4 / 24, max_values: limits.max_memory_bytes / 2 / 8 }
}

/// The ships afloat next to a sunk-ship assignment, grouped as the residual problem needs them.
struct AfloatShips {
    problem: ResidualProblem,
    /// The classes of each group, with the number of ships of each.
    members: Vec<Vec<(ClassId, usize)>>,
    /// The number of ways to assign the classes to the ships of all groups.
    class_orders: f64,
}

impl AfloatShips {
    fn new(position: &Position<'_, 2>, assignment: &Assignment<2>) -> Self {
        let rules = position.rules;
        let mut afloat = Self {
            problem: ResidualProblem {
                size: rules.size(),
                touching: rules.touching(),
                groups: Vec::new(),
                hits: position.hits.without(&assignment.cells).mask(),
            },
            members: Vec::new(),
            class_orders: 1.0,
        };
        for class in rules.class_ids() {
            let count = position.afloat(assignment, class);
            if count > 0 {
                afloat.add(position, assignment, class, count);
            }
        }
        for (group, members) in afloat.problem.groups.iter().zip(&afloat.members) {
            afloat.class_orders *=
                factorial(group.count) / members.iter().map(|&(_, count)| factorial(count)).product::<f64>();
        }
        afloat
    }

    fn add(&mut self, position: &Position<'_, 2>, assignment: &Assignment<2>, class: ClassId, count: usize) {
        let length = position.rules.class(class).length();
        let existing = self.problem.groups.iter().zip(&self.members).position(|(group, members)| {
            let is_interchangeable = |&(other, _): &(ClassId, usize)| {
                position.other_class_hits[other.index()] == position.other_class_hits[class.index()]
            };
            group.length == length && position.weights.is_none() && members.iter().all(is_interchangeable)
        });
        match existing {
            Some(at) => {
                self.problem.groups[at].count += count;
                self.members[at].push((class, count));
            }
            None => {
                let candidates = candidates(position, assignment, class);
                self.problem.groups.push(ShipGroup { length, count, candidates });
                self.members.push(vec![(class, count)]);
            }
        }
    }
}

/// The possible placements of a class next to a sunk-ship assignment.
fn candidates(position: &Position<'_, 2>, assignment: &Assignment<2>, class: ClassId) -> Vec<Candidate> {
    let possible = position.placements[class.index()].iter().enumerate().filter(|(at, placement)| {
        position.may_be_afloat(assignment, class, placement) && position.weight(class, *at) > 0.0
    });
    possible
        .map(|(at, placement)| Candidate {
            placement: at,
            start: placement.start,
            orientation: placement.orientation,
            weight: position.weight(class, at),
        })
        .collect()
}

fn factorial(number: usize) -> f64 {
    (1..=number).map(|factor| factor as f64).product()
}
