//! Counting where ships may not touch: row by row, remembering only what the next row must know.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use seabattle_core::{Orientation, Touching};

use crate::number::Number;
use crate::sea::{MOST_NUMBERS, Radix, Sea, Tally};

/// Work that is done before giving up.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowLimits {
    /// Steps from one row to the next, all rows together; each takes about 16 bytes.
    pub(crate) transitions: usize,
    /// Numbers kept, all rows together; each takes 8 bytes.
    pub(crate) values: usize,
}

/// What the rest of the board must know of what is placed: for each position four bits, 0 free, 1 closed to new ships,
/// 1 + r where a ship goes on for r more lanes. Lanes are filled part by part: positions before the current part speak of
/// the next lane, the others of this one. The highest four bits say what the part before leaves: 0 water at its end,
/// 1 + k a ship that goes on for k positions.
type Profile = u64;

const LEFT_OVER: usize = 60;

const FREE: u64 = 0;
const CLOSED: u64 = 1;
const MAX_POSITIONS: usize = 15;
const MAX_LENGTH: u8 = 15;

/// Memory that is kept from one count to the next: fetching it anew from the system would take as long as counting.
pub(crate) struct Workspace<N> {
    values: Vec<Vec<N>>,
    steps: Vec<Steps>,
}

impl<N: Number> Workspace<N> {
    pub(crate) fn new() -> Self {
        Self { values: Vec::new(), steps: Vec::new() }
    }

    /// The smallest memory that is large enough, else the largest: so none grows beyond what it is needed for.
    fn zeros(&mut self, count: usize) -> Vec<N> {
        let fit = |values: &Vec<N>| (values.capacity() < count, values.capacity().abs_diff(count));
        let best = (0..self.values.len()).min_by_key(|&at| fit(&self.values[at]));
        let mut values = best.map_or_else(Vec::new, |at| self.values.swap_remove(at));
        values.clear();
        if values.capacity() < count {
            values.reserve_exact(count + count / 4);
        }
        values.resize(count, N::ZERO);
        values
    }

    fn steps(&mut self) -> Steps {
        let mut steps = self.steps.pop().unwrap_or_default();
        steps.clear();
        steps
    }

    fn take_back(&mut self, layers: Vec<Layer<N>>, steps: Vec<Steps>) {
        self.values.extend(layers.into_iter().map(|layer| layer.values));
        self.steps.extend(steps);
    }
}

/// All sums, or nothing if the limits are too tight.
pub(crate) fn tally(sea: &Sea, limits: RowLimits, workspace: &mut Workspace<f64>) -> Option<Tally> {
    let plan = Plan::new(sea)?;
    let (layers, steps) = plan.forward(limits, workspace)?;
    let mut tally = Tally::empty(sea);
    tally.greatest = layers.iter().flat_map(|layer| &layer.values).copied().fold(0.0, f64::max);
    tally.total = plan.total(&layers);
    plan.backward(&layers, &steps, workspace, &mut tally);
    workspace.take_back(layers, steps);
    Some(tally)
}

/// The sum of all ways alone, in another kind of number.
pub(crate) fn total<N: Number>(sea: &Sea, limits: RowLimits) -> Option<N> {
    let plan = Plan::new(sea)?;
    let (layers, _) = plan.forward(limits, &mut Workspace::new())?;
    Some(plan.total(&layers))
}

/// The board as lanes of positions: its rows, or its columns where those are shorter.
struct Plan<'a> {
    sea: &'a Sea,
    lanes: usize,
    positions: usize,
    radix: Radix,
    /// Ships that may begin at each position of each lane.
    starts: Vec<Vec<Vec<Start>>>,
    hits: Vec<u32>,
    /// A one in the nibble of every position of a set.
    spread: Vec<u64>,
    /// Where the parts of a lane begin and end. Short parts have few ways to be filled, and what they leave is often the same.
    parts: Vec<(usize, usize)>,
}

#[derive(Clone, Copy)]
struct Start {
    group: usize,
    candidate: usize,
    length: u8,
    along: bool,
    weight: f64,
}

/// All profiles between two lanes, with the sums for each number of ships used.
struct Layer<N> {
    index: HashMap<Profile, u32, BuildHasherDefault<ProfileHasher>>,
    profiles: Vec<Profile>,
    values: Vec<N>,
    /// For each profile where its sums that are not zero begin and end.
    spans: Vec<(u16, u16)>,
}

/// All steps out of one layer.
#[derive(Default)]
struct Steps {
    list: Vec<Step>,
    /// The steps of each profile, by position in the list.
    from: Vec<u32>,
    /// Ships that the steps begin, as group and candidate.
    ships: Vec<(u8, u16)>,
}

#[derive(Clone, Copy)]
struct Step {
    to: u32,
    used: u16,
    ships: (u32, u8),
    weight: f64,
}

impl Steps {
    fn clear(&mut self) {
        self.list.clear();
        self.from.clear();
        self.ships.clear();
    }
}

impl<'a> Plan<'a> {
    fn new(sea: &'a Sea) -> Option<Self> {
        let (width, height) = (usize::from(sea.size.width()), usize::from(sea.size.height()));
        let turned = width > height;
        let (lanes, positions) = if turned { (width, height) } else { (height, width) };
        let counts: Vec<usize> = sea.groups.iter().map(|group| group.count).collect();
        let radix = Radix::new(&counts);
        let too_long = sea.groups.iter().any(|group| group.length > MAX_LENGTH);
        if positions > MAX_POSITIONS || radix.size > MOST_NUMBERS || too_long {
            return None;
        }
        let spread = |set: u64| (0..positions).map(|position| (set >> position & 1) << (4 * position)).sum();
        let mut plan = Self {
            sea,
            lanes,
            positions,
            radix,
            starts: vec![vec![Vec::new(); positions]; lanes],
            hits: vec![0; lanes],
            spread: (0..1_u64 << positions).map(spread).collect(),
            parts: parts(positions),
        };
        let lane_heading = if turned { Orientation::Down } else { Orientation::Across };
        for (group, ships) in sea.groups.iter().enumerate() {
            for (candidate, place) in ships.candidates.iter().enumerate() {
                let (col, row) = (usize::from(place.start.col()), usize::from(place.start.row()));
                let (lane, position) = if turned { (col, row) } else { (row, col) };
                let along = place.orientation == lane_heading || ships.length == 1;
                plan.starts[lane][position].push(Start {
                    group,
                    candidate,
                    length: ships.length,
                    along,
                    weight: place.weight,
                });
            }
        }
        for cell in crate::places::cells(sea.size, sea.hits) {
            let (col, row) = (usize::from(cell.col()), usize::from(cell.row()));
            let (lane, position) = if turned { (col, row) } else { (row, col) };
            plan.hits[lane] |= 1 << position;
        }
        Some(plan)
    }

    fn total<N: Number>(&self, layers: &[Layer<N>]) -> N {
        let mut total = N::ZERO;
        if let Some(last) = layers.last() {
            for values in last.values.chunks(self.radix.size) {
                total += values[self.radix.full()];
            }
        }
        total
    }

    fn forward<N: Number>(
        &self,
        limits: RowLimits,
        workspace: &mut Workspace<N>,
    ) -> Option<(Vec<Layer<N>>, Vec<Steps>)> {
        let size = self.radix.size;
        let mut layers = vec![Layer::start(workspace.zeros(size))];
        let mut all_steps = Vec::new();
        let (mut transitions, mut values) = (0, 0);
        for (lane, part) in self.lane_parts() {
            let layer = layers.last()?;
            let mut next = Layer::empty();
            let mut steps = workspace.steps();
            for &profile in &layer.profiles {
                steps.from.push(steps.list.len() as u32);
                self.steps(profile, lane, part, &mut next, &mut steps);
                let values_here = next.profiles.len() * size;
                if transitions + steps.list.len() > limits.transitions || values + values_here > limits.values {
                    return None;
                }
            }
            steps.from.push(steps.list.len() as u32);
            next.values = workspace.zeros(next.profiles.len() * size);
            next.spans = vec![(u16::MAX, 0); next.profiles.len()];
            self.add_up(layer, &steps, &mut Adding::new(self, lane), &mut next);
            transitions += steps.list.len();
            values += next.values.len();
            layers.push(next);
            all_steps.push(steps);
        }
        Some((layers, all_steps))
    }

    /// The sums of the next layer.
    fn add_up<N: Number>(&self, layer: &Layer<N>, steps: &Steps, adding: &mut Adding<'_, '_>, next: &mut Layer<N>) {
        let size = self.radix.size;
        for at in 0..layer.profiles.len() {
            let source = &layer.values[at * size..][..size];
            for step in &steps.list[steps.from[at] as usize..steps.from[at + 1] as usize] {
                let to = step.to as usize;
                let target = &mut next.values[to * size..][..size];
                let begun = usize::from(step.used);
                let span = &mut next.spans[to];
                for (from, end) in adding.runs(begun, layer.spans[at]) {
                    add_multiple(&mut target[from + begun..end + begun], &source[from..end], N::weight(step.weight));
                    span.0 = span.0.min((from + begun) as u16);
                    span.1 = span.1.max((end + begun) as u16);
                }
            }
        }
    }

    /// Sums over what can still follow, and with them the share of every ship.
    fn backward(&self, layers: &[Layer<f64>], all_steps: &[Steps], workspace: &mut Workspace<f64>, tally: &mut Tally) {
        let size = self.radix.size;
        let mut after = workspace.zeros(layers.last().map_or(0, |layer| layer.values.len()));
        after.iter_mut().skip(self.radix.full()).step_by(size).for_each(|value| *value = 1.0);
        let lanes: Vec<usize> = self.lane_parts().map(|(lane, _)| lane).collect();
        for ((layer, steps), lane) in layers.iter().zip(all_steps).zip(lanes).rev() {
            let mut adding = Adding::new(self, lane);
            let mut before = workspace.zeros(layer.values.len());
            for at in 0..layer.profiles.len() {
                let source = &layer.values[at * size..][..size];
                let target = &mut before[at * size..][..size];
                for step in &steps.list[steps.from[at] as usize..steps.from[at + 1] as usize] {
                    let follow = &after[step.to as usize * size..][..size];
                    let begun = usize::from(step.used);
                    let mut through = 0.0;
                    for (from, end) in adding.runs(begun, layer.spans[at]) {
                        let following = &follow[from + begun..end + begun];
                        through +=
                            add_multiple_and_weigh(&mut target[from..end], following, step.weight, &source[from..end]);
                    }
                    let (first, count) = step.ships;
                    for &(group, candidate) in &steps.ships[first as usize..][..usize::from(count)] {
                        tally.weights[usize::from(group)][usize::from(candidate)] += through;
                    }
                }
            }
            workspace.values.push(std::mem::replace(&mut after, before));
        }
    }

    /// The parts of all lanes in the order in which they are filled.
    fn lane_parts(&self) -> impl Iterator<Item = (usize, (usize, usize))> + '_ {
        (0..self.lanes).flat_map(|lane| self.parts.iter().map(move |&part| (lane, part)))
    }

    /// Whether the ships not used after so many lanes could lie in the others, each with the water right of it and below.
    fn may_be_completed(&self, lanes_done: usize, used: usize) -> bool {
        if self.sea.touching != Touching::Forbidden {
            return true;
        }
        let left = |group: usize| self.radix.counts[group] - self.radix.digit(used, group);
        let needed: usize = (0..self.radix.counts.len())
            .map(|group| left(group) * 2 * (usize::from(self.sea.groups[group].length) + 1))
            .sum();
        needed <= (self.lanes - lanes_done + 1) * (self.positions + 1)
    }

    /// All ways to fill one part of a lane.
    fn steps<N: Number>(
        &self,
        profile: Profile,
        lane: usize,
        part: (usize, usize),
        next: &mut Layer<N>,
        steps: &mut Steps,
    ) {
        let left_over = (profile >> LEFT_OVER) as usize;
        let profile = profile & !(15 << LEFT_OVER);
        let (start, end) = part;
        let (mut going_on, mut free) = (0, 0);
        for position in start..self.positions {
            match nibble(profile, position) {
                FREE => free |= 1 << position,
                CLOSED => {}
                _ => going_on |= 1 << position,
            }
        }
        // A ship that came from the part before, and the water behind it.
        let continued = left_over.saturating_sub(1).min(end - start);
        let begin = start + continued;
        let walk = Walk {
            plan: self,
            profile,
            lane,
            part,
            after_ship: left_over > 0,
            going_on: going_on & bits(start, end),
            // A ship needs water beside those that go on.
            free: free & !(going_on << 1 | going_on >> 1),
            taken: going_on & bits(start, end) | bits(start, begin),
            used: 0,
            left: self.radix.counts.clone(),
            weight: 1.0,
            begun: Vec::new(),
            crossing: 0,
            beyond: left_over.saturating_sub(1) - continued,
        };
        walk.start(begin, left_over > 0 && begin < end, next, steps);
    }

    /// What the rest of the board must know after this part.
    fn following(&self, walk: &Walk<'_, '_>) -> Profile {
        let (start, end) = walk.part;
        let before = if walk.after_ship && start > 0 { 1 << (start - 1) } else { 0 };
        let near = walk.taken | before;
        let closed = match self.sea.touching {
            Touching::Forbidden => (near | near << 1 | near >> 1) & bits(start, end),
            Touching::Corners | Touching::Allowed => walk.taken,
        };
        let one_each = self.spread[walk.going_on as usize];
        let still = walk.profile & (one_each * 15);
        let part = self.spread[bits(start, end) as usize] * 15;
        let mut next = replaced(walk.profile, part, self.spread[closed as usize]);
        next = replaced(next, one_each * 15, still - one_each);
        next = replaced(next, nibbles(walk.crossing), walk.crossing);
        let touches_before = start > 0 && walk.taken >> start & 1 == 1 && self.sea.touching == Touching::Forbidden;
        if touches_before && nibble(next, start - 1) == FREE {
            next |= CLOSED << (4 * (start - 1));
        }
        let at_end = walk.taken >> (end - 1) & 1 == 1;
        if end < self.positions && at_end {
            next |= (1 + walk.beyond as u64) << LEFT_OVER;
        }
        next
    }
}

/// The positions from one up to another.
fn bits(start: usize, end: usize) -> u32 {
    ((1 << end) - 1) & !((1 << start) - 1)
}

/// Two halves where a lane is long enough for that to pay.
fn parts(positions: usize) -> Vec<(usize, usize)> {
    let middle = positions / 2;
    if positions < 6 { vec![(0, positions)] } else { vec![(0, middle), (middle, positions)] }
}

/// All ways to fill one part of a lane, from its first position to its last.
struct Walk<'p, 'a> {
    plan: &'p Plan<'a>,
    profile: Profile,
    lane: usize,
    part: (usize, usize),
    /// Whether the position before this part is taken.
    after_ship: bool,
    going_on: u32,
    free: u32,
    taken: u32,
    used: usize,
    left: Vec<usize>,
    weight: f64,
    begun: Vec<(u8, u16)>,
    /// The profile of the ships that begin here and go on across.
    crossing: Profile,
    /// How many positions the last ship goes on behind this part.
    beyond: usize,
}

impl Walk<'_, '_> {
    /// Begins behind a ship that came from the part before, if there was one.
    fn start<N: Number>(mut self, begin: usize, water_first: bool, next: &mut Layer<N>, steps: &mut Steps) {
        if !water_first {
            self.go(begin, next, steps);
        } else if self.plan.hits[self.lane] >> begin & 1 == 0 {
            self.go(begin + 1, next, steps);
        }
    }

    fn go<N: Number>(&mut self, from: usize, next: &mut Layer<N>, steps: &mut Steps) {
        let plan = self.plan;
        if from >= self.part.1 {
            return self.finish(next, steps);
        }
        let is_open = self.going_on >> from & 1 == 1 || plan.hits[self.lane] >> from & 1 == 0;
        if is_open {
            self.go(from + 1, next, steps);
        }
        if self.free >> from & 1 == 0 {
            return;
        }
        for start in &plan.starts[self.lane][from] {
            let span = if start.along { usize::from(start.length) } else { 1 };
            if bits(from, from + span) & !self.free == 0 && self.left[start.group] > 0 {
                self.begin(*start, from, span, next, steps);
            }
        }
    }

    fn begin<N: Number>(&mut self, start: Start, from: usize, span: usize, next: &mut Layer<N>, steps: &mut Steps) {
        let (used, weight, crossing) = (self.used, self.weight, self.crossing);
        let end = self.part.1;
        let behind = from + span;
        let cells = bits(from, behind.min(end));
        self.taken |= cells;
        self.used += self.plan.radix.strides[start.group];
        self.left[start.group] -= 1;
        self.weight *= start.weight;
        self.begun.push((start.group as u8, start.candidate as u16));
        if !start.along {
            self.crossing |= u64::from(start.length) << (4 * from);
        }
        self.beyond = behind.saturating_sub(end);
        // The position behind the ship is water, and no hit may lie there.
        let hit_behind = behind < end && self.plan.hits[self.lane] >> behind & 1 == 1;
        if !hit_behind {
            self.go(behind + 1, next, steps);
        }
        self.beyond = 0;
        self.begun.pop();
        self.left[start.group] += 1;
        (self.used, self.weight, self.crossing) = (used, weight, crossing);
        self.taken &= !cells;
    }

    fn finish<N: Number>(&mut self, next: &mut Layer<N>, steps: &mut Steps) {
        let profile = self.plan.following(self);
        let to = next.add(profile);
        let ships = (steps.ships.len() as u32, self.begun.len() as u8);
        steps.ships.extend_from_slice(&self.begun);
        steps.list.push(Step { to, used: self.used as u16, ships, weight: self.weight });
    }
}

fn nibble(profile: Profile, position: usize) -> u64 {
    profile >> (4 * position) & 15
}

/// All bits of the nibbles that are not zero.
fn nibbles(profile: Profile) -> Profile {
    let ones = 0x1111_1111_1111_1111;
    let any = profile | profile >> 1 | profile >> 2 | profile >> 3;
    (any & ones) * 15
}

fn replaced(profile: Profile, mask: Profile, by: Profile) -> Profile {
    profile & !mask | by
}

impl<N: Number> Layer<N> {
    fn empty() -> Self {
        Self { index: HashMap::default(), profiles: Vec::new(), values: Vec::new(), spans: Vec::new() }
    }

    /// Nothing placed, everything free; the zeros are one for each number of ships.
    fn start(zeros: Vec<N>) -> Self {
        let mut layer = Self::empty();
        layer.add(0);
        layer.values = zeros;
        layer.values[0] = N::ONE;
        layer.spans = vec![(0, 1)];
        layer
    }

    fn add(&mut self, profile: Profile) -> u32 {
        let new = self.profiles.len() as u32;
        let at = *self.index.entry(profile).or_insert(new);
        if at == new {
            self.profiles.push(profile);
        }
        at
    }
}

/// For each number of ships begun in a lane, the numbers used before that leave room for them, as runs without a gap.
struct Adding<'p, 'a> {
    plan: &'p Plan<'a>,
    lane: usize,
    runs: Vec<Option<Vec<(u16, u16)>>>,
}

impl<'p, 'a> Adding<'p, 'a> {
    fn new(plan: &'p Plan<'a>, lane: usize) -> Self {
        Self { plan, lane, runs: vec![None; plan.radix.size] }
    }

    /// The runs inside a span.
    fn runs(&mut self, begun: usize, span: (u16, u16)) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (plan, lane) = (self.plan, self.lane);
        let runs = self.runs[begun].get_or_insert_with(|| {
            let radix = &plan.radix;
            let fits = |used: &usize| radix.fits(*used, begun) && plan.may_be_completed(lane, used + begun);
            let mut runs: Vec<(u16, u16)> = Vec::new();
            for used in (0..radix.size - begun).filter(fits).map(|used| used as u16) {
                match runs.last_mut() {
                    Some((_, end)) if *end == used => *end = used + 1,
                    _ => runs.push((used, used + 1)),
                }
            }
            runs
        });
        let clipped =
            runs.iter().map(move |&(from, end)| (usize::from(from.max(span.0)), usize::from(end.min(span.1))));
        clipped.filter(|(from, end)| from < end)
    }
}

/// Adds a multiple of one slice to another.
#[inline]
fn add_multiple<N: Number>(target: &mut [N], source: &[N], weight: N) {
    for (target, source) in target.iter_mut().zip(source) {
        *target += *source * weight;
    }
}

/// The same, and the sum of the products of what was added with a third slice, in four sums that do not wait for each other.
#[inline]
fn add_multiple_and_weigh(target: &mut [f64], source: &[f64], weight: f64, by: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let length = target.len().min(source.len()).min(by.len());
    let (target, source, by) = (&mut target[..length], &source[..length], &by[..length]);
    let mut chunks = target.chunks_exact_mut(4).zip(source.chunks_exact(4)).zip(by.chunks_exact(4));
    for ((target, source), by) in &mut chunks {
        for at in 0..4 {
            let value = source[at] * weight;
            target[at] += value;
            sums[at] += value * by[at];
        }
    }
    for at in length / 4 * 4..length {
        let value = source[at] * weight;
        target[at] += value;
        sums[0] += value * by[at];
    }
    sums[0] + sums[1] + sums[2] + sums[3]
}

/// Profiles are already spread well; one multiplication is hashing enough.
#[derive(Default)]
struct ProfileHasher(u64);

impl Hasher for ProfileHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ mixed >> 32;
    }
}
