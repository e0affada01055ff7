//! Two ships across the lanes: their positions are summed up lane by lane instead of taken one by one.
//!
//! Where two ships cross no lane in common, what one does to its lanes has nothing to do with the position of the other:
//! the sums over positions multiply. Where they do, the lanes in common depend on both positions, all others on one.

use super::range::Range;
use super::{Count, Crossing};
use crate::number::Number;
use crate::polynomial::{Sums, add_scaled, add_share, coefficient, convolve, convolve_onto, share_onto};

/// A ship that crosses, with the lanes that it crosses alone: a range before those in common and one after them.
struct Arm<N> {
    group: usize,
    candidate: usize,
    position: usize,
    weight: N,
    before: usize,
    after: usize,
}

/// Two ships of the fleet and the lanes at which they begin.
struct Pair<'a> {
    groups: [usize; 2],
    ships: [&'a [Crossing]; 2],
    /// Both are of one group and begin at one lane: each choice of two positions comes up once.
    alike: bool,
}

impl Pair<'_> {
    /// First and last lane (that is not crossed any more) of one of the two.
    fn span(&self, which: usize) -> (usize, usize) {
        let ship = self.ships[which][0];
        (ship.first_lane, ship.first_lane + ship.length)
    }
}

/// Polynomials of one size, one after the other.
struct Row<N> {
    size: usize,
    values: Vec<N>,
}

impl<N: Number> Row<N> {
    fn zero(size: usize, count: usize) -> Self {
        Self { size, values: vec![N::ZERO; size * count] }
    }

    /// One polynomial for each of some things.
    fn of<T>(size: usize, things: &[T], fill: impl Fn(&T, &mut [N])) -> Self {
        let mut row = Self::zero(size, things.len());
        things.iter().zip(row.values.chunks_exact_mut(size)).for_each(|(thing, room)| fill(thing, room));
        row
    }

    fn count(&self) -> usize {
        self.values.len() / self.size
    }

    /// All of them times one polynomial.
    fn times(&self, sums: &Sums, factor: &[N]) -> Self {
        let numbers: Vec<usize> = (0..self.count()).collect();
        Self::of(self.size, &numbers, |&number, product| convolve(sums, self.at(number), factor, product))
    }

    fn at(&self, number: usize) -> &[N] {
        &self.values[number * self.size..][..self.size]
    }

    fn at_mut(&mut self, number: usize) -> &mut [N] {
        &mut self.values[number * self.size..][..self.size]
    }
}

impl<N: Number> Count<'_, N> {
    /// Sums over all choices of two crossing ships.
    pub(super) fn pairs(&mut self) {
        let groups = self.crossings.len();
        let by_lane: Vec<Vec<Vec<Crossing>>> = self.crossings.iter().map(|ships| by_lane(ships, self.lanes)).collect();
        for first in 0..groups {
            for second in first..groups {
                let both = self.radix.strides[first] + self.radix.strides[second];
                if first == second && self.radix.counts[first] < 2 {
                    continue;
                }
                let rest = self.radix.full() - both;
                for (lane, ships) in by_lane[first].iter().enumerate() {
                    let from = if first == second { lane } else { 0 };
                    for (at, others) in by_lane[second].iter().enumerate().skip(from) {
                        if !ships.is_empty() && !others.is_empty() {
                            let alike = first == second && at == lane;
                            self.pair(rest, &Pair { groups: [first, second], ships: [ships, others], alike });
                        }
                    }
                }
            }
        }
    }

    /// Nothing if there is no way to fill the lanes that they leave free.
    fn pair(&mut self, rest: usize, pair: &Pair<'_>) -> Option<()> {
        self.begin_rest(rest);
        let (a, b) = (pair.span(0), pair.span(1));
        let (start, end) = (a.0.max(b.0), a.1.min(b.1));
        if start < end { self.crossing_in_common(rest, pair, start, end) } else { self.crossing_apart(rest, pair) }
    }

    /// The ships of one side with ways to fill the lanes that they cross alone.
    fn arms(&mut self, rest: usize, pair: &Pair<'_>, which: usize, start: usize, end: usize) -> Vec<Arm<N>> {
        let (first, last) = pair.span(which);
        let mut arms = Vec::with_capacity(pair.ships[which].len());
        for ship in pair.ships[which] {
            let crossed = 1 << ship.position;
            let before = self.range(rest, Range { crossed, start: first, end: start });
            let after = self.range(rest, Range { crossed, start: end, end: last });
            if let (Some(before), Some(after)) = (before, after) {
                arms.push(Arm {
                    group: pair.groups[which],
                    candidate: ship.candidate,
                    position: ship.position,
                    weight: N::weight(ship.weight),
                    before,
                    after,
                });
            }
        }
        arms
    }

    /// Lanes that no ship crosses.
    fn free(&mut self, rest: usize, start: usize, end: usize) -> Option<usize> {
        self.range(rest, Range { crossed: 0, start, end })
    }

    /// The lower and the higher ship each fill their lanes whatever the position of the other.
    fn crossing_apart(&mut self, rest_number: usize, pair: &Pair<'_>) -> Option<()> {
        let (low, high) = if pair.span(0).0 < pair.span(1).0 { (0, 1) } else { (1, 0) };
        let (low_span, high_span) = (pair.span(low), pair.span(high));
        let free = [
            self.free(rest_number, 0, low_span.0)?,
            self.free(rest_number, low_span.1, high_span.0)?,
            self.free(rest_number, high_span.1, self.lanes)?,
        ];
        let arms =
            [(low, low_span.1), (high, high_span.1)].map(|(which, end)| self.arms(rest_number, pair, which, end, end));
        let rest = self.rests[rest_number].as_mut()?;
        let size = rest.parts.len();
        let scratch = &mut self.scratch;
        scratch.values.clear();
        for (factor, &place) in free.iter().enumerate() {
            scratch.values.extend_from_slice(rest.ways_of(place));
            let Some(arms) = arms.get(factor) else { break };
            let sum = scratch.values.len();
            scratch.values.resize(sum + size, N::ZERO);
            for arm in arms {
                add_scaled(&mut scratch.values[sum..], rest.ways_of(arm.before), arm.weight);
            }
        }
        self.total += scratch.products(&rest.sums, size, 2 * arms.len() + 1, N::ONE)?;
        for (factor, place) in free.into_iter().enumerate() {
            add_share(&mut rest.shares[place * size..][..size], &scratch.shares[2 * factor * size..][..size], N::ONE);
        }
        for (factor, arms) in arms.iter().enumerate() {
            let share = &scratch.shares[(2 * factor + 1) * size..][..size];
            for arm in arms {
                let ways = coefficient(rest.sums.of(size - 1), rest.ways_of(arm.before), share);
                self.crossing_shares[arm.group][arm.candidate] += ways * arm.weight;
                add_share(&mut rest.shares[arm.before * size..][..size], share, arm.weight);
            }
        }
        Some(())
    }

    /// The ranges in common for each choice of two ships, by their numbers among the arms.
    fn common(&mut self, rest: usize, alike: bool, arms: &[Vec<Arm<N>>; 2], start: usize, end: usize) -> Vec<Common> {
        let mut common = Vec::with_capacity(arms[0].len() * arms[1].len());
        for (i, a) in arms[0].iter().enumerate() {
            for (j, b) in arms[1].iter().enumerate() {
                if a.position == b.position || alike && a.position > b.position {
                    continue;
                }
                let crossed = 1 << a.position | 1 << b.position;
                if let Some(place) = self.range(rest, Range { crossed, start, end }) {
                    common.push(Common { arms: [i, j], place });
                }
            }
        }
        common
    }

    /// Free lanes · Σ lanes of the one ship alone · lanes in common · lanes of the other alone.
    fn crossing_in_common(&mut self, rest_number: usize, pair: &Pair<'_>, start: usize, end: usize) -> Option<()> {
        let (a, b) = (pair.span(0), pair.span(1));
        let low = self.free(rest_number, 0, a.0.min(b.0))?;
        let high = self.free(rest_number, a.1.max(b.1), self.lanes)?;
        let arms = [0, 1].map(|which| self.arms(rest_number, pair, which, start, end));
        let common = self.common(rest_number, pair.alike, &arms, start, end);
        let rest = self.rests[rest_number].as_mut()?;
        let (size, sums, all_ways, shares) = (rest.parts.len(), &rest.sums, &rest.ways, &mut rest.shares);
        let ways = |place: usize| &all_ways[place * size..][..size];
        let mut free = vec![N::ZERO; size];
        convolve(sums, ways(low), ways(high), &mut free);
        let alone = [0, 1].map(|which| {
            Row::of(size, &arms[which], |arm, alone| {
                convolve(sums, ways(arm.before), ways(arm.after), alone);
                alone.iter_mut().for_each(|ways| *ways = *ways * arm.weight);
            })
        });
        let with_free = alone.each_ref().map(|row| row.times(sums, &free));
        let mut beside = alone.each_ref().map(|row| Row::zero(size, row.count()));
        for &Common { arms: [i, j], place } in &common {
            let [beside_one, beside_other] = &mut beside;
            cross(
                sums,
                &Crossed {
                    common: ways(place),
                    one: alone[0].at(i),
                    other: alone[1].at(j),
                    one_and_free: with_free[0].at(i),
                },
                [beside_one.at_mut(i), beside_other.at_mut(j), &mut shares[place * size..][..size]],
            );
        }
        let mut crossed = vec![N::ZERO; size];
        for i in 0..arms[0].len() {
            convolve_onto(sums, alone[0].at(i), beside[0].at(i), &mut crossed);
        }
        self.total += coefficient(sums.of(size - 1), &free, &crossed);
        share_onto(sums, &crossed, ways(high), &mut shares[low * size..][..size]);
        share_onto(sums, &crossed, ways(low), &mut shares[high * size..][..size]);
        for which in [0, 1] {
            let outside = beside[which].times(sums, &free);
            for (at, arm) in arms[which].iter().enumerate() {
                let sum = coefficient(sums.of(size - 1), with_free[which].at(at), beside[which].at(at));
                self.crossing_shares[arm.group][arm.candidate] += sum;
                let outside: Vec<N> = outside.at(at).iter().map(|&ways| ways * arm.weight).collect();
                share_onto(sums, &outside, ways(arm.after), &mut shares[arm.before * size..][..size]);
                share_onto(sums, &outside, ways(arm.before), &mut shares[arm.after * size..][..size]);
            }
        }
        Some(())
    }
}

/// The ways to fill what two ships cross: lanes in common, lanes of each alone, those of the one with the free lanes.
struct Crossed<'a, N> {
    common: &'a [N],
    one: &'a [N],
    other: &'a [N],
    one_and_free: &'a [N],
}

/// Adds what is beside the one, what is beside the other, and the share of the lanes in common, in one go: this is where
/// most of the time is spent.
#[inline]
fn cross<N: Number>(sums: &Sums, crossed: &Crossed<'_, N>, [beside_one, beside_other, share]: [&mut [N]; 3]) {
    let &Crossed { common, one, other, one_and_free } = crossed;
    let results = beside_one.iter_mut().zip(beside_other).zip(share.iter_mut().rev());
    for (number, ((beside_one, beside_other), share)) in results.enumerate() {
        let mut found = [N::ZERO; 3];
        for &(first, second) in sums.of(number) {
            let (first, second) = (usize::from(first), usize::from(second));
            found[0] += common[first] * other[second];
            found[1] += common[first] * one[second];
            found[2] += one_and_free[first] * other[second];
        }
        *beside_one += found[0];
        *beside_other += found[1];
        *share += found[2];
    }
}

/// One of each side and the place of the range that both cross.
struct Common {
    arms: [usize; 2],
    place: usize,
}

fn by_lane(ships: &[Crossing], lanes: usize) -> Vec<Vec<Crossing>> {
    let mut sorted = vec![Vec::new(); lanes];
    for ship in ships {
        sorted[ship.first_lane].push(*ship);
    }
    sorted
}
