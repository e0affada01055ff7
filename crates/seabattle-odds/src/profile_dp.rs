//! [Broken-profile dynamic programming](https://cp-algorithms.com/dynamic_programming/profile-dynamics.html): counting
//! layouts where ships may not touch.
//!
//! The board is filled lane by lane, and each lane in segments. A profile is what the rest of the board must know about
//! the ships placed so far. Layouts with equal profiles, and with the same ships used, are counted together.

use seabattle_core::{Orientation, Touching};

use crate::number::Number;
use crate::residual::{CandidateSums, MAX_COMBINATIONS, MixedRadix, ResidualProblem};
use crate::stop::is_stopped;

use self::layer::{Layer, Transitions, UsageRuns, add_multiple, add_multiple_and_dot};
use self::segment::ShipStart;
pub(crate) use self::workspace::Workspace;

mod layer;
mod profile;
mod segment;
mod workspace;

/// The most positions of a lane, so that a profile fits into a word.
const MAX_POSITIONS: usize = 15;

/// The longest ship, so that the rest of a ship fits into four bits.
const MAX_LENGTH: u8 = 15;

/// How much work and memory counting may take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ProfileLimits {
    /// The most transitions from profile to profile in all segments together; each takes about 16 bytes.
    pub(crate) max_transitions: usize,
    /// The most numbers in all layers together; each takes 8 bytes.
    pub(crate) max_values: usize,
}

/// Sums over all ways to place the ships; `None` if that would exceed the limits.
pub(crate) fn candidate_sums(
    problem: &ResidualProblem,
    limits: ProfileLimits,
    workspace: &mut Workspace<f64>,
) -> Option<CandidateSums> {
    let dp = ProfileDp::new(problem)?;
    let (layers, transitions) = dp.forward(limits, workspace)?;
    let mut candidate_sums = CandidateSums::empty(problem);
    candidate_sums.largest_term = layers.iter().flat_map(|layer| &layer.values).copied().fold(0.0, f64::max);
    candidate_sums.total = dp.total(&layers);
    dp.backward(&layers, &transitions, workspace, &mut candidate_sums);
    workspace.recycle(layers, transitions);
    Some(candidate_sums)
}

/// The number of ways to place the ships, in any kind of number.
pub(crate) fn total<N: Number>(problem: &ResidualProblem, limits: ProfileLimits) -> Option<N> {
    let dp = ProfileDp::new(problem)?;
    let (layers, _) = dp.forward(limits, &mut Workspace::new())?;
    Some(dp.total(&layers))
}

/// The problem as lanes of positions: the rows of the board, or its columns if they are shorter.
struct ProfileDp<'a> {
    problem: &'a ResidualProblem,
    lanes: usize,
    positions: usize,
    radix: MixedRadix,
    /// The ships that can start at each position of each lane.
    starts: Vec<Vec<Vec<ShipStart>>>,
    hits: Vec<u32>,
    /// For each set of positions, a 1 in the nibble of each.
    nibble_masks: Vec<u64>,
    /// The start and end of each segment of a lane. Short segments have few fillings, and these often lead to equal profiles.
    segments: Vec<(usize, usize)>,
}

impl<'a> ProfileDp<'a> {
    fn new(problem: &'a ResidualProblem) -> Option<Self> {
        let (width, height) = (usize::from(problem.size.width()), usize::from(problem.size.height()));
        let is_transposed = width > height;
        let (lanes, positions) = if is_transposed { (width, height) } else { (height, width) };
        let counts: Vec<usize> = problem.groups.iter().map(|group| group.count).collect();
        let radix = MixedRadix::new(&counts);
        let too_long = problem.groups.iter().any(|group| group.length > MAX_LENGTH);
        if positions > MAX_POSITIONS || radix.size > MAX_COMBINATIONS || too_long {
            return None;
        }
        let nibble_mask = |set: u64| (0..positions).map(|position| (set >> position & 1) << (4 * position)).sum();
        let mut dp = Self {
            problem,
            lanes,
            positions,
            radix,
            starts: vec![vec![Vec::new(); positions]; lanes],
            hits: vec![0; lanes],
            nibble_masks: (0..1_u64 << positions).map(nibble_mask).collect(),
            segments: segments(positions),
        };
        let lane_orientation = if is_transposed { Orientation::Down } else { Orientation::Across };
        for (group, ships) in problem.groups.iter().enumerate() {
            for (candidate, placement) in ships.candidates.iter().enumerate() {
                let (col, row) = (usize::from(placement.start.col()), usize::from(placement.start.row()));
                let (lane, position) = if is_transposed { (col, row) } else { (row, col) };
                let is_aligned = placement.orientation == lane_orientation || ships.length == 1;
                dp.starts[lane][position].push(ShipStart {
                    group,
                    candidate,
                    length: ships.length,
                    is_aligned,
                    weight: placement.weight,
                });
            }
        }
        for cell in crate::placements::cells(problem.size, problem.hits) {
            let (col, row) = (usize::from(cell.col()), usize::from(cell.row()));
            let (lane, position) = if is_transposed { (col, row) } else { (row, col) };
            dp.hits[lane] |= 1 << position;
        }
        Some(dp)
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
        limits: ProfileLimits,
        workspace: &mut Workspace<N>,
    ) -> Option<(Vec<Layer<N>>, Vec<Transitions>)> {
        let size = self.radix.size;
        let mut layers = vec![Layer::start(workspace.zeros(size))];
        let mut all_transitions = Vec::new();
        let (mut transition_count, mut value_count) = (0, 0);
        for (lane, segment) in self.lane_segments() {
            let layer = layers.last()?;
            let mut next = Layer::empty();
            let mut transitions = workspace.transitions();
            for &profile in &layer.profiles {
                transitions.from.push(transitions.list.len() as u32);
                self.transitions(profile, lane, segment, &mut next, &mut transitions);
                let next_values = next.profiles.len() * size;
                if transition_count + transitions.list.len() > limits.max_transitions
                    || value_count + next_values > limits.max_values
                    || is_stopped()
                {
                    return None;
                }
            }
            transitions.from.push(transitions.list.len() as u32);
            next.values = workspace.zeros(next.profiles.len() * size);
            next.spans = vec![(u16::MAX, 0); next.profiles.len()];
            self.add_up(layer, &transitions, &mut UsageRuns::new(self, lane), &mut next);
            transition_count += transitions.list.len();
            value_count += next.values.len();
            layers.push(next);
            all_transitions.push(transitions);
        }
        Some((layers, all_transitions))
    }

    /// Adds the sums of a layer to those of the next, along all transitions.
    fn add_up<N: Number>(
        &self,
        layer: &Layer<N>,
        transitions: &Transitions,
        usage_runs: &mut UsageRuns<'_, '_>,
        next: &mut Layer<N>,
    ) {
        let size = self.radix.size;
        for at in 0..layer.profiles.len() {
            if is_stopped() {
                return;
            }
            let source = &layer.values[at * size..][..size];
            for transition in &transitions.list[transitions.from[at] as usize..transitions.from[at + 1] as usize] {
                let to = transition.to as usize;
                let target = &mut next.values[to * size..][..size];
                let added = usize::from(transition.used);
                let span = &mut next.spans[to];
                for (from, end) in usage_runs.runs(added, layer.spans[at]) {
                    add_multiple(
                        &mut target[from + added..end + added],
                        &source[from..end],
                        N::weight(transition.weight),
                    );
                    span.0 = span.0.min((from + added) as u16);
                    span.1 = span.1.max((end + added) as u16);
                }
            }
        }
    }

    /// The backward pass: sums over the continuations of each profile, and from them the sum of every ship.
    fn backward(
        &self,
        layers: &[Layer<f64>],
        all_transitions: &[Transitions],
        workspace: &mut Workspace<f64>,
        candidate_sums: &mut CandidateSums,
    ) {
        let size = self.radix.size;
        let mut after = workspace.zeros(layers.last().map_or(0, |layer| layer.values.len()));
        after.iter_mut().skip(self.radix.full()).step_by(size).for_each(|value| *value = 1.0);
        let lanes: Vec<usize> = self.lane_segments().map(|(lane, _)| lane).collect();
        for ((layer, transitions), lane) in layers.iter().zip(all_transitions).zip(lanes).rev() {
            let mut usage_runs = UsageRuns::new(self, lane);
            let mut before = workspace.zeros(layer.values.len());
            for at in 0..layer.profiles.len() {
                if is_stopped() {
                    break;
                }
                let source = &layer.values[at * size..][..size];
                let target = &mut before[at * size..][..size];
                for transition in &transitions.list[transitions.from[at] as usize..transitions.from[at + 1] as usize] {
                    let continuations = &after[transition.to as usize * size..][..size];
                    let added = usize::from(transition.used);
                    let mut sum = 0.0;
                    for (from, end) in usage_runs.runs(added, layer.spans[at]) {
                        let continuation = &continuations[from + added..end + added];
                        sum += add_multiple_and_dot(
                            &mut target[from..end],
                            continuation,
                            transition.weight,
                            &source[from..end],
                        );
                    }
                    let (first, count) = transition.ships;
                    for &(group, candidate) in &transitions.ships[first as usize..][..usize::from(count)] {
                        candidate_sums.weights[usize::from(group)][usize::from(candidate)] += sum;
                    }
                }
            }
            workspace.recycle_values(std::mem::replace(&mut after, before));
        }
    }

    /// The segments of all lanes in the order of filling.
    fn lane_segments(&self) -> impl Iterator<Item = (usize, (usize, usize))> + '_ {
        (0..self.lanes).flat_map(|lane| self.segments.iter().map(move |&segment| (lane, segment)))
    }

    /// Whether the area of the remaining lanes suffices for the unused ships, each with the water to its right and below.
    fn can_be_completed(&self, lanes_done: usize, used: usize) -> bool {
        if self.problem.touching != Touching::Forbidden {
            return true;
        }
        let left = |group: usize| self.radix.counts[group] - self.radix.digit(used, group);
        let needed: usize = (0..self.radix.counts.len())
            .map(|group| left(group) * 2 * (usize::from(self.problem.groups[group].length) + 1))
            .sum();
        needed <= (self.lanes - lanes_done + 1) * (self.positions + 1)
    }
}

/// Splits a lane into two segments if it is long enough to benefit.
fn segments(positions: usize) -> Vec<(usize, usize)> {
    let middle = positions / 2;
    if positions < 6 { vec![(0, positions)] } else { vec![(0, middle), (middle, positions)] }
}
