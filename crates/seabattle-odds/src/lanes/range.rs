//! The ways to fill neighbouring lanes that are crossed alike.

use super::Count;
use crate::number::Number;
use crate::polynomial::{Sums, convolve, convolve_back};

/// The ships along the lanes for one choice of crossing ships.
pub(super) struct Rest<N> {
    /// Numbers of ships that are part of the rest, smallest first; the last is all of it.
    pub(super) parts: Vec<usize>,
    /// Which parts add up to which.
    pub(super) sums: Sums,
    /// For each range of lanes one more than its place below; 0 until it is asked for.
    places: Vec<u32>,
    /// The ranges that were asked for, shorter ones before longer ones, with the ways to fill each and the share of each.
    ranges: Vec<Range>,
    pub(super) ways: Vec<N>,
    pub(super) shares: Vec<N>,
}

impl<N: Number> Rest<N> {
    pub(super) fn ways_of(&self, place: usize) -> &[N] {
        &self.ways[place * self.parts.len()..][..self.parts.len()]
    }
}

/// Neighbouring lanes without a crossing, or all of them crossed at the same position.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) crossed: u32,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Range {
    fn number(self, lanes: usize) -> usize {
        let crossing = if self.crossed == 0 { 0 } else { 1 + self.crossed.trailing_zeros() as usize };
        (crossing * (lanes + 1) + self.start) * (lanes + 1) + self.end
    }
}

impl<N: Number> Count<'_, N> {
    pub(super) fn begin_rest(&mut self, rest_number: usize) {
        if self.rests[rest_number].is_none() {
            self.rests[rest_number] = Some(self.rest(rest_number));
        }
    }

    fn rest(&self, rest_number: usize) -> Rest<N> {
        let within = |number: &usize| {
            (0..self.radix.counts.len())
                .all(|group| self.radix.digit(*number, group) <= self.radix.digit(rest_number, group))
        };
        let parts: Vec<usize> = (0..self.radix.size).filter(within).collect();
        let sums = Sums::new(&self.radix, &parts);
        let places = vec![0; (1 + self.positions) * (self.lanes + 1) * (self.lanes + 1)];
        Rest { parts, sums, places, ranges: Vec::new(), ways: Vec::new(), shares: Vec::new() }
    }

    /// The place of a range, if there are ways to fill it.
    pub(super) fn range(&mut self, rest_number: usize, range: Range) -> Option<usize> {
        let number = range.number(self.lanes);
        let known = self.rests[rest_number].as_ref()?.places[number];
        let place = if known > 0 { known as usize - 1 } else { self.new_range(rest_number, range)? };
        let rest = self.rests[rest_number].as_ref()?;
        rest.ways_of(place).iter().any(|ways| *ways != N::ZERO).then_some(place)
    }

    /// Multiplies the ways to fill a range with one lane fewer by those to fill its last lane.
    fn new_range(&mut self, rest_number: usize, range: Range) -> Option<usize> {
        let place = if range.start == range.end {
            let rest = self.rests[rest_number].as_mut()?;
            rest.ways.push(N::ONE);
            rest.ranges.len()
        } else {
            let shorter = Range { end: range.end - 1, ..range };
            self.range(rest_number, shorter);
            let filling = self.filling(range.end - 1, range.crossed);
            let rest = self.rests[rest_number].as_mut()?;
            let before = (rest.places[shorter.number(self.lanes)] as usize).checked_sub(1)?;
            let (size, place) = (rest.parts.len(), rest.ranges.len());
            rest.ways.resize((place + 1) * size, N::ZERO);
            let (known, product) = rest.ways.split_at_mut(place * size);
            let lane = gather(&mut self.lane, &rest.parts, &self.fillings[range.end - 1][filling].ways);
            convolve(&rest.sums, &known[before * size..][..size], lane, product);
            place
        };
        let rest = self.rests[rest_number].as_mut()?;
        rest.ways.resize((place + 1) * rest.parts.len(), N::ZERO);
        rest.shares.resize(rest.ways.len(), N::ZERO);
        rest.ranges.push(range);
        rest.places[range.number(self.lanes)] = place as u32 + 1;
        Some(place)
    }
}

/// What some numbers of ships have of all.
fn gather<'a, N: Number>(room: &'a mut Vec<N>, parts: &[usize], all: &[N]) -> &'a [N] {
    room.clear();
    room.extend(parts.iter().map(|&part| all[part]));
    room
}

impl Count<'_, f64> {
    /// Hands the share of every range on to the range with one lane fewer and to its last lane.
    pub(super) fn split_ranges(&mut self, rest: &mut Rest<f64>) {
        let size = rest.parts.len();
        let mut lane_share = vec![0.0; size];
        for (place, &range) in rest.ranges.iter().enumerate().rev() {
            let (shorter_shares, shares) = rest.shares.split_at_mut(place * size);
            let shares = &shares[..size];
            if range.start == range.end || shares.iter().all(|&share| share == 0.0) {
                continue;
            }
            let shorter = Range { end: range.end - 1, ..range }.number(self.lanes);
            let Some(before) = (rest.places[shorter] as usize).checked_sub(1) else { continue };
            let filling = self.filling(range.end - 1, range.crossed);
            let filling = &mut self.fillings[range.end - 1][filling];
            let lane = gather(&mut self.lane, &rest.parts, &filling.ways);
            let ways = &rest.ways[before * size..][..size];
            lane_share.fill(0.0);
            convolve_back(
                &rest.sums,
                (ways, lane),
                shares,
                &mut shorter_shares[before * size..][..size],
                &mut lane_share,
            );
            rest.parts.iter().zip(&lane_share).for_each(|(&part, share)| filling.share[part] += share);
        }
    }
}
