//! Sums over all positions at once agree with the enumeration of crossing ships.

use seabattle_core::{Cell, Orientation, Seed, SeededRng, Size, Touching, uniform_below};

use crate::lane_enumeration::{LaneCount, MAX_CROSSING_AT_ONCE};
use crate::number::ExactCount;
use crate::placements::Mask;
use crate::residual::{Candidate, CandidateSums, ResidualProblem, ShipGroup};

/// Ships that may be at random placements, with whole weights, so that all sums are exact.
fn random_problem(
    rng: &mut SeededRng,
    (width, height): (u8, u8),
    ships: &[(u8, usize)],
    weighted: bool,
) -> ResidualProblem {
    let size = Size::new(width, height).unwrap();
    let closed_share = 1 + uniform_below(rng, 4);
    let mut groups = Vec::new();
    for &(length, count) in ships {
        let mut candidates = Vec::new();
        for (placement, (cell, orientation)) in placements(size, length).enumerate() {
            let weight = if weighted { 1 + uniform_below(rng, 3) } else { 1 };
            if uniform_below(rng, 10) >= closed_share {
                candidates.push(Candidate { placement, start: cell, orientation, weight: weight as f64 });
            }
        }
        groups.push(ShipGroup { length, count, candidates });
    }
    let mut hits = Mask::default();
    for _ in 0..uniform_below(rng, 3) {
        hits |= 1 << uniform_below(rng, size.area());
    }
    ResidualProblem { size, touching: Touching::Allowed, groups, hits }
}

fn placements(size: Size, length: u8) -> impl Iterator<Item = (Cell, Orientation)> {
    let orientations = Orientation::ALL.into_iter().take(usize::from(length.min(2)));
    let fits = move |(cell, orientation): &(Cell, Orientation)| match orientation {
        Orientation::Across => cell.col() + length <= size.width(),
        Orientation::Down => cell.row() + length <= size.height(),
    };
    size.cells().flat_map(move |cell| orientations.clone().map(move |orientation| (cell, orientation))).filter(fits)
}

fn check(problem: &ResidualProblem) {
    for orientation in Orientation::ALL {
        for max_crossing in 0..=MAX_CROSSING_AT_ONCE {
            let new = || LaneCount::<f64>::new(problem, orientation, f64::INFINITY).unwrap();
            let [mut at_once, mut one_by_one] = [new(), new()];
            at_once.sum_at_once(max_crossing);
            one_by_one.enumerate(max_crossing, 0, 0, 0, 1.0);
            assert_eq!(at_once.total, one_by_one.total, "{orientation:?}, {max_crossing} across, {problem:?}");
            let mut exact = LaneCount::<ExactCount>::new(problem, orientation, f64::INFINITY).unwrap();
            exact.sum_at_once(max_crossing);
            if problem.groups.iter().all(|group| group.candidates.iter().all(|candidate| candidate.weight == 1.0)) {
                assert_eq!(exact.total.0 as f64, at_once.total);
            }
            let [mut found, mut expected] = [CandidateSums::empty(problem), CandidateSums::empty(problem)];
            at_once.distribute(&mut found);
            one_by_one.distribute(&mut expected);
            assert_eq!(found.weights, expected.weights, "{orientation:?}, {max_crossing} across, {problem:?}");
        }
    }
}

#[test]
fn positions_at_once_count_as_one_by_one() {
    let fleets: [&[(u8, usize)]; 8] = [
        &[(5, 1), (4, 1), (3, 2), (2, 1)],
        &[(4, 1), (3, 2)],
        &[(3, 3), (1, 2)],
        &[(3, 1), (3, 1), (2, 1)],
        &[(2, 4)],
        &[(2, 1), (1, 1)],
        &[(1, 3)],
        &[(6, 2)],
    ];
    let mut rng = Seed::new(1).rng();
    for size in [(10, 10), (7, 5), (5, 7), (4, 4), (3, 8), (1, 6), (6, 1), (8, 3)] {
        for fleet in fleets {
            for weighted in [false, true] {
                check(&random_problem(&mut rng, size, fleet, weighted));
            }
        }
    }
}
