//! All ways to fill one segment of a lane.

use seabattle_core::Touching;

use super::ProfileDp;
use super::layer::{Layer, Transition, Transitions};
use super::profile::{CLOSED, FREE, OVERHANG_SHIFT, Profile, bits, nibble, nibbles, replaced};
use crate::number::Number;

/// A ship that starts at a position of a lane.
#[derive(Clone, Copy)]
pub(super) struct ShipStart {
    pub(super) group: usize,
    pub(super) candidate: usize,
    pub(super) length: u8,
    /// Whether the ship is within the lane; otherwise it crosses lanes.
    pub(super) is_aligned: bool,
    pub(super) weight: f64,
}

impl ProfileDp<'_> {
    /// Finds all transitions from a profile: all ways to fill one segment of a lane.
    pub(super) fn transitions<N: Number>(
        &self,
        profile: Profile,
        lane: usize,
        segment: (usize, usize),
        next: &mut Layer<N>,
        transitions: &mut Transitions,
    ) {
        let overhang = (profile >> OVERHANG_SHIFT) as usize;
        let profile = profile & !(15 << OVERHANG_SHIFT);
        let (start, end) = segment;
        let (mut ongoing, mut free) = (0, 0);
        for position in start..self.positions {
            match nibble(profile, position) {
                FREE => free |= 1 << position,
                CLOSED => {}
                _ => ongoing |= 1 << position,
            }
        }
        // A ship can continue from the previous segment, with water after it.
        let continued = overhang.saturating_sub(1).min(end - start);
        let fill_start = start + continued;
        let fill = SegmentFill {
            dp: self,
            profile,
            lane,
            segment,
            after_ship: overhang > 0,
            ongoing: ongoing & bits(start, end),
            // New ships need water beside ships that continue from the previous lane.
            free: free & !(ongoing << 1 | ongoing >> 1),
            occupied: ongoing & bits(start, end) | bits(start, fill_start),
            used: 0,
            left: self.radix.counts.clone(),
            weight: 1.0,
            ships: Vec::new(),
            crossing: 0,
            overhang: overhang.saturating_sub(1) - continued,
        };
        fill.start(fill_start, overhang > 0 && fill_start < end, next, transitions);
    }

    /// The profile after a filled segment.
    fn next_profile(&self, fill: &SegmentFill<'_, '_>) -> Profile {
        let (start, end) = fill.segment;
        let before = if fill.after_ship && start > 0 { 1 << (start - 1) } else { 0 };
        let near = fill.occupied | before;
        let closed = match self.problem.touching {
            Touching::Forbidden => (near | near << 1 | near >> 1) & bits(start, end),
            Touching::Corners | Touching::Allowed => fill.occupied,
        };
        let one_each = self.nibble_masks[fill.ongoing as usize];
        let ongoing_nibbles = fill.profile & (one_each * 15);
        let segment = self.nibble_masks[bits(start, end) as usize] * 15;
        let mut next = replaced(fill.profile, segment, self.nibble_masks[closed as usize]);
        next = replaced(next, one_each * 15, ongoing_nibbles - one_each);
        next = replaced(next, nibbles(fill.crossing), fill.crossing);
        let touches_before =
            start > 0 && fill.occupied >> start & 1 == 1 && self.problem.touching == Touching::Forbidden;
        if touches_before && nibble(next, start - 1) == FREE {
            next |= CLOSED << (4 * (start - 1));
        }
        let at_end = fill.occupied >> (end - 1) & 1 == 1;
        if end < self.positions && at_end {
            next |= (1 + fill.overhang as u64) << OVERHANG_SHIFT;
        }
        next
    }
}

/// A recursion over all ways to fill one segment of a lane, from its first position to its last.
struct SegmentFill<'p, 'a> {
    dp: &'p ProfileDp<'a>,
    profile: Profile,
    lane: usize,
    segment: (usize, usize),
    /// Whether the position before this segment is occupied.
    after_ship: bool,
    ongoing: u32,
    free: u32,
    occupied: u32,
    used: usize,
    left: Vec<usize>,
    weight: f64,
    ships: Vec<(u8, u16)>,
    /// The nibbles of the ships that start here and continue across lanes.
    crossing: Profile,
    /// How many positions the last ship continues after this segment.
    overhang: usize,
}

impl SegmentFill<'_, '_> {
    /// Starts after a ship that continues from the previous segment, if there is one.
    fn start<N: Number>(mut self, begin: usize, water_first: bool, next: &mut Layer<N>, transitions: &mut Transitions) {
        if !water_first {
            self.fill_from(begin, next, transitions);
        } else if self.dp.hits[self.lane] >> begin & 1 == 0 {
            self.fill_from(begin + 1, next, transitions);
        }
    }

    fn fill_from<N: Number>(&mut self, from: usize, next: &mut Layer<N>, transitions: &mut Transitions) {
        let dp = self.dp;
        if from >= self.segment.1 {
            return self.add_transition(next, transitions);
        }
        let is_open = self.ongoing >> from & 1 == 1 || dp.hits[self.lane] >> from & 1 == 0;
        if is_open {
            self.fill_from(from + 1, next, transitions);
        }
        if self.free >> from & 1 == 0 {
            return;
        }
        for start in &dp.starts[self.lane][from] {
            let span = if start.is_aligned { usize::from(start.length) } else { 1 };
            if bits(from, from + span) & !self.free == 0 && self.left[start.group] > 0 {
                self.add_ship(*start, from, span, next, transitions);
            }
        }
    }

    fn add_ship<N: Number>(
        &mut self,
        start: ShipStart,
        from: usize,
        span: usize,
        next: &mut Layer<N>,
        transitions: &mut Transitions,
    ) {
        let (used, weight, crossing) = (self.used, self.weight, self.crossing);
        let end = self.segment.1;
        let ship_end = from + span;
        let cells = bits(from, ship_end.min(end));
        self.occupied |= cells;
        self.used += self.dp.radix.strides[start.group];
        self.left[start.group] -= 1;
        self.weight *= start.weight;
        self.ships.push((start.group as u8, start.candidate as u16));
        if !start.is_aligned {
            self.crossing |= u64::from(start.length) << (4 * from);
        }
        self.overhang = ship_end.saturating_sub(end);
        // The position after the ship is water, so it cannot be a hit.
        let hit_after = ship_end < end && self.dp.hits[self.lane] >> ship_end & 1 == 1;
        if !hit_after {
            self.fill_from(ship_end + 1, next, transitions);
        }
        self.overhang = 0;
        self.ships.pop();
        self.left[start.group] += 1;
        (self.used, self.weight, self.crossing) = (used, weight, crossing);
        self.occupied &= !cells;
    }

    fn add_transition<N: Number>(&mut self, next: &mut Layer<N>, transitions: &mut Transitions) {
        let profile = self.dp.next_profile(self);
        let to = next.add(profile);
        let ships = (transitions.ships.len() as u32, self.ships.len() as u8);
        transitions.ships.extend_from_slice(&self.ships);
        transitions.list.push(Transition { to, used: self.used as u16, ships, weight: self.weight });
    }
}
