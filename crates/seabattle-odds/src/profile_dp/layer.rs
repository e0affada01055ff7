//! Layers of profiles, and the transitions between them.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::ProfileDp;
use super::profile::{Profile, ProfileHasher};
use crate::number::Number;

/// A layer: all profiles after a segment, each with a sum for every combination of ships used.
pub(super) struct Layer<N> {
    index: HashMap<Profile, u32, BuildHasherDefault<ProfileHasher>>,
    pub(super) profiles: Vec<Profile>,
    pub(super) values: Vec<N>,
    /// For each profile the range of combinations outside which its sums are zero.
    pub(super) spans: Vec<(u16, u16)>,
}

/// All transitions from one layer to the next.
#[derive(Default)]
pub(super) struct Transitions {
    pub(super) list: Vec<Transition>,
    /// For each profile the index of its first transition.
    pub(super) from: Vec<u32>,
    /// The ships that transitions add, as group and candidate.
    pub(super) ships: Vec<(u8, u16)>,
}

/// One way to fill a segment, from a profile to a profile of the next layer.
#[derive(Clone, Copy)]
pub(super) struct Transition {
    pub(super) to: u32,
    /// The combination of ships that the transition adds.
    pub(super) used: u16,
    /// The index of the first of these ships, and how many there are.
    pub(super) ships: (u32, u8),
    pub(super) weight: f64,
}

impl Transitions {
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.from.clear();
        self.ships.clear();
    }
}

impl<N: Number> Layer<N> {
    pub(super) fn empty() -> Self {
        Self { index: HashMap::default(), profiles: Vec::new(), values: Vec::new(), spans: Vec::new() }
    }

    /// The first layer: nothing is placed. `zeros` has one entry for each combination.
    pub(super) fn start(zeros: Vec<N>) -> Self {
        let mut layer = Self::empty();
        layer.add(0);
        layer.values = zeros;
        layer.values[0] = N::ONE;
        layer.spans = vec![(0, 1)];
        layer
    }

    pub(super) fn add(&mut self, profile: Profile) -> u32 {
        let new = self.profiles.len() as u32;
        let at = *self.index.entry(profile).or_insert(new);
        if at == new {
            self.profiles.push(profile);
        }
        at
    }
}

/// For each combination of added ships, the combinations used before that leave room for it, as contiguous runs.
pub(super) struct UsageRuns<'p, 'a> {
    dp: &'p ProfileDp<'a>,
    lane: usize,
    runs: Vec<Option<Vec<(u16, u16)>>>,
}

impl<'p, 'a> UsageRuns<'p, 'a> {
    pub(super) fn new(dp: &'p ProfileDp<'a>, lane: usize) -> Self {
        Self { dp, lane, runs: vec![None; dp.radix.size] }
    }

    /// The runs within a span.
    pub(super) fn runs(&mut self, added: usize, span: (u16, u16)) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (dp, lane) = (self.dp, self.lane);
        let runs = self.runs[added].get_or_insert_with(|| {
            let radix = &dp.radix;
            let fits = |used: &usize| radix.fits(*used, added) && dp.can_be_completed(lane, used + added);
            let mut runs: Vec<(u16, u16)> = Vec::new();
            for used in (0..radix.size - added).filter(fits).map(|used| used as u16) {
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
pub(super) fn add_multiple<N: Number>(target: &mut [N], source: &[N], weight: N) {
    for (target, source) in target.iter_mut().zip(source) {
        *target += *source * weight;
    }
}

/// Adds a multiple of one slice to another, and returns the dot product of what was added with a third slice.
///
/// Four independent sums keep the processor from waiting for each addition.
#[inline]
pub(super) fn add_multiple_and_dot(target: &mut [f64], source: &[f64], weight: f64, by: &[f64]) -> f64 {
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
