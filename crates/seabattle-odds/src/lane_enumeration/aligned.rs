//! The ways to fill a range of neighboring lanes that the same ship crosses, or none.

use super::LaneCount;
use crate::number::Number;
use crate::polynomial::{ProductTerms, convolve, convolve_back};

/// The aligned ships that are left for one combination of crossing ships.
pub(super) struct AlignedFleet<N> {
    /// The combinations that are part of the fleet, in ascending order; the last is all of it.
    pub(super) subfleets: Vec<usize>,
    /// Which pairs of subfleets add up to which subfleet.
    pub(super) terms: ProductTerms,
    /// For each range of lanes its index below plus one; 0 until the range is needed.
    index_of: Vec<u32>,
    /// The ranges computed so far, shorter before longer ones, with the ways to fill each and the shares of each.
    ranges: Vec<Range>,
    pub(super) ways: Vec<N>,
    pub(super) shares: Vec<N>,
}

impl<N: Number> AlignedFleet<N> {
    pub(super) fn ways_of(&self, index: usize) -> &[N] {
        &self.ways[index * self.subfleets.len()..][..self.subfleets.len()]
    }
}

/// Neighboring lanes without a crossing, or all crossed at the same position.
#[derive(Clone, Copy)]
pub(super) struct Range {
    pub(super) crossed: u32,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Range {
    fn code(self, lanes: usize) -> usize {
        let crossing_code = if self.crossed == 0 { 0 } else { 1 + self.crossed.trailing_zeros() as usize };
        (crossing_code * (lanes + 1) + self.start) * (lanes + 1) + self.end
    }
}

impl<N: Number> LaneCount<'_, N> {
    pub(super) fn prepare_fleet(&mut self, fleet_number: usize) {
        if self.fleets[fleet_number].is_none() {
            self.fleets[fleet_number] = Some(self.fleet(fleet_number));
        }
    }

    fn fleet(&self, fleet_number: usize) -> AlignedFleet<N> {
        let within = |number: &usize| {
            (0..self.radix.counts.len())
                .all(|group| self.radix.digit(*number, group) <= self.radix.digit(fleet_number, group))
        };
        let subfleets: Vec<usize> = (0..self.radix.size).filter(within).collect();
        let terms = ProductTerms::new(&self.radix, &subfleets);
        let index_of = vec![0; (1 + self.positions) * (self.lanes + 1) * (self.lanes + 1)];
        AlignedFleet { subfleets, terms, index_of, ranges: Vec::new(), ways: Vec::new(), shares: Vec::new() }
    }

    /// The index of a range, if there is a way to fill it.
    pub(super) fn range(&mut self, fleet_number: usize, range: Range) -> Option<usize> {
        let code = range.code(self.lanes);
        let known = self.fleets[fleet_number].as_ref()?.index_of[code];
        let index = if known > 0 { known as usize - 1 } else { self.compute_range(fleet_number, range)? };
        let fleet = self.fleets[fleet_number].as_ref()?;
        fleet.ways_of(index).iter().any(|ways| *ways != N::ZERO).then_some(index)
    }

    /// Multiplies the ways to fill all lanes of a range but the last by the ways to fill the last.
    fn compute_range(&mut self, fleet_number: usize, range: Range) -> Option<usize> {
        let index = if range.start == range.end {
            let fleet = self.fleets[fleet_number].as_mut()?;
            fleet.ways.push(N::ONE);
            fleet.ranges.len()
        } else {
            let shorter = Range { end: range.end - 1, ..range };
            self.range(fleet_number, shorter);
            let filling = self.filling(range.end - 1, range.crossed);
            let fleet = self.fleets[fleet_number].as_mut()?;
            let shorter_index = (fleet.index_of[shorter.code(self.lanes)] as usize).checked_sub(1)?;
            let (size, index) = (fleet.subfleets.len(), fleet.ranges.len());
            fleet.ways.resize((index + 1) * size, N::ZERO);
            let (shorter_ways, product) = fleet.ways.split_at_mut(index * size);
            let lane = select(&mut self.lane, &fleet.subfleets, &self.fillings[range.end - 1][filling].ways);
            convolve(&fleet.terms, &shorter_ways[shorter_index * size..][..size], lane, product);
            index
        };
        let fleet = self.fleets[fleet_number].as_mut()?;
        fleet.ways.resize((index + 1) * fleet.subfleets.len(), N::ZERO);
        fleet.shares.resize(fleet.ways.len(), N::ZERO);
        fleet.ranges.push(range);
        fleet.index_of[range.code(self.lanes)] = index as u32 + 1;
        Some(index)
    }
}

/// The entries of some combinations, gathered from a table of all.
fn select<'a, N: Number>(buffer: &'a mut Vec<N>, subfleets: &[usize], all: &[N]) -> &'a [N] {
    buffer.clear();
    buffer.extend(subfleets.iter().map(|&subfleet| all[subfleet]));
    buffer
}

impl LaneCount<'_, f64> {
    /// Passes the shares of every range back to the range without its last lane, and to that lane.
    pub(super) fn backpropagate_ranges(&mut self, fleet: &mut AlignedFleet<f64>) {
        let size = fleet.subfleets.len();
        let mut lane_share = vec![0.0; size];
        for (index, &range) in fleet.ranges.iter().enumerate().rev() {
            let (shorter_shares, shares) = fleet.shares.split_at_mut(index * size);
            let shares = &shares[..size];
            if range.start == range.end || shares.iter().all(|&share| share == 0.0) {
                continue;
            }
            let shorter = Range { end: range.end - 1, ..range }.code(self.lanes);
            let Some(shorter_index) = (fleet.index_of[shorter] as usize).checked_sub(1) else { continue };
            let filling = self.filling(range.end - 1, range.crossed);
            let filling = &mut self.fillings[range.end - 1][filling];
            let lane = select(&mut self.lane, &fleet.subfleets, &filling.ways);
            let ways = &fleet.ways[shorter_index * size..][..size];
            lane_share.fill(0.0);
            convolve_back(
                &fleet.terms,
                (ways, lane),
                shares,
                &mut shorter_shares[shorter_index * size..][..size],
                &mut lane_share,
            );
            fleet.subfleets.iter().zip(&lane_share).for_each(|(&subfleet, share)| filling.share[subfleet] += share);
        }
    }
}
