//! Ships summed over all positions at once count as those taken one by one.

use seabattle_core::{Cell, Orientation, Seed, SeededRng, Size, Touching, uniform_below};

use crate::lanes::{Count, FEW};
use crate::number::Exact;
use crate::places::Mask;
use crate::sea::{Candidate, Group, Sea, Tally};

/// Ships that may lie at some places, with whole weights: all sums are exact.
fn any_sea(rng: &mut SeededRng, (width, height): (u8, u8), ships: &[(u8, usize)], weighed: bool) -> Sea {
    let size = Size::new(width, height).unwrap();
    let closed = 1 + uniform_below(rng, 4);
    let mut groups = Vec::new();
    for &(length, count) in ships {
        let mut candidates = Vec::new();
        for (place, (cell, orientation)) in places(size, length).enumerate() {
            let weight = if weighed { 1 + uniform_below(rng, 3) } else { 1 };
            if uniform_below(rng, 10) >= closed {
                candidates.push(Candidate { place, start: cell, orientation, weight: weight as f64 });
            }
        }
        groups.push(Group { length, count, candidates });
    }
    let mut hits = Mask::default();
    for _ in 0..uniform_below(rng, 3) {
        hits |= 1 << uniform_below(rng, size.area());
    }
    Sea { size, touching: Touching::Allowed, groups, hits }
}

fn places(size: Size, length: u8) -> impl Iterator<Item = (Cell, Orientation)> {
    let headings = Orientation::ALL.into_iter().take(usize::from(length.min(2)));
    let lies = move |(cell, orientation): &(Cell, Orientation)| match orientation {
        Orientation::Across => cell.col() + length <= size.width(),
        Orientation::Down => cell.row() + length <= size.height(),
    };
    size.cells().flat_map(move |cell| headings.clone().map(move |orientation| (cell, orientation))).filter(lies)
}

fn check(sea: &Sea) {
    for orientation in Orientation::ALL {
        for most in 0..=FEW {
            let new = || Count::<f64>::new(sea, orientation, f64::INFINITY).unwrap();
            let [mut at_once, mut one_by_one] = [new(), new()];
            at_once.sum_few(most);
            one_by_one.choose(most, 0, 0, 0, 1.0);
            assert_eq!(at_once.total, one_by_one.total, "{orientation:?}, {most} across, {sea:?}");
            let mut exact = Count::<Exact>::new(sea, orientation, f64::INFINITY).unwrap();
            exact.sum_few(most);
            if sea.groups.iter().all(|group| group.candidates.iter().all(|candidate| candidate.weight == 1.0)) {
                assert_eq!(exact.total.0 as f64, at_once.total);
            }
            let [mut found, mut expected] = [Tally::empty(sea), Tally::empty(sea)];
            at_once.collect(&mut found);
            one_by_one.collect(&mut expected);
            assert_eq!(found.weights, expected.weights, "{orientation:?}, {most} across, {sea:?}");
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
            for weighed in [false, true] {
                check(&any_sea(&mut rng, size, fleet, weighed));
            }
        }
    }
}
