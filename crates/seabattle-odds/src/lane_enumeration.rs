//! Lane enumeration: counting layouts where ships may touch.
//!
//! Lanes are the rows of the board, or its columns. In any layout at most half of the ships have the rarer orientation.
//! These are taken as the ships that cross the lanes, and they are enumerated; if they are at most two, all their
//! positions are summed at once. The other ships are aligned: each is within one lane.
//!
//! Given the crossing ships, lanes depend on each other only through the ships that they use. So the numbers of ways to
//! fill the lanes are multiplied as polynomials in the ships used, like
//! [generating functions](https://en.wikipedia.org/wiki/Generating_function).

use seabattle_core::Orientation;

use crate::number::Number;
use crate::polynomial::{ProductTerms, coefficient, convolve, scale, set_constant};
use crate::residual::{CandidateSums, MAX_COMBINATIONS, MixedRadix, ResidualProblem};
use crate::stop::is_stopped;

use self::aligned::{AlignedFleet, Range};
use self::filling::Filling;
use self::two_crossing::TwoCrossing;

mod aligned;
mod filling;
mod two_crossing;

/// The most positions of a lane: longer lanes can be crossed in too many ways.
const MAX_POSITIONS: usize = 16;

/// Up to this many crossing ships are summed over all their positions at once, instead of enumerated.
const MAX_CROSSING_AT_ONCE: usize = 2;

/// Sums over all ways to place the ships; `None` if that would take more multiplications than allowed.
pub(crate) fn candidate_sums(problem: &ResidualProblem, max_multiplications: f64) -> Option<CandidateSums> {
    let mut candidate_sums = CandidateSums::empty(problem);
    candidate_sums.largest_term = problem.max_ways();
    for orientation in Orientation::ALL {
        let mut count = LaneCount::<f64>::new(problem, orientation, max_multiplications)?;
        count.run();
        candidate_sums.total += count.total;
        count.distribute(&mut candidate_sums);
    }
    Some(candidate_sums)
}

/// The number of ways to place the ships, in any kind of number.
pub(crate) fn total<N: Number>(problem: &ResidualProblem, max_multiplications: f64) -> Option<N> {
    let mut total = N::ZERO;
    for orientation in Orientation::ALL {
        let mut count = LaneCount::<N>::new(problem, orientation, max_multiplications)?;
        count.run();
        total += count.total;
    }
    Some(total)
}

/// A placement of a ship within a lane.
#[derive(Clone, Copy)]
struct AlignedShip {
    group: usize,
    candidate: usize,
    length: usize,
    weight: f64,
}

/// A placement of a ship across several lanes.
#[derive(Clone, Copy)]
struct CrossingShip {
    candidate: usize,
    first_lane: usize,
    length: usize,
    position: usize,
    weight: f64,
}

/// The count for one choice of lanes: rows or columns.
struct LaneCount<'a, N> {
    problem: &'a ResidualProblem,
    lanes: usize,
    positions: usize,
    radix: MixedRadix,
    aligned_ships: Vec<Vec<Vec<AlignedShip>>>,
    crossing_ships: Vec<Vec<CrossingShip>>,
    hits: Vec<u32>,
    /// `None` if no layout has its ships this way.
    max_crossing_ships: Option<usize>,
    fillings: Vec<Vec<Filling<N>>>,
    /// For each lane and set of crossings the index of its filling plus one; 0 until it is needed.
    filling_of: Vec<Vec<u32>>,
    fleets: Vec<Option<AlignedFleet<N>>>,
    chosen: Vec<(usize, usize)>,
    crossed: Vec<u32>,
    /// For each candidate of each group its sum so far; enumeration fills in crossing ships only.
    shares: Vec<Vec<N>>,
    total: N,
    scratch: Scratch<N>,
    /// A buffer for the ways to fill a lane with the ships of a fleet.
    lane: Vec<N>,
}

/// Buffers for one product, reused for the next.
struct Scratch<N> {
    factors: Vec<Factor>,
    values: Vec<N>,
    before: Vec<N>,
    after: Vec<N>,
    shares: Vec<N>,
}

impl<N: Number> Scratch<N> {
    fn new() -> Self {
        Self { factors: Vec::new(), values: Vec::new(), before: Vec::new(), after: Vec::new(), shares: Vec::new() }
    }

    /// The coefficient of the product of all factors where all ships are used.
    ///
    /// Also computes for each factor the product of all others, into `shares`.
    fn products(&mut self, terms: &ProductTerms, size: usize, count: usize, weight: N) -> Option<N> {
        for buffer in [&mut self.before, &mut self.after, &mut self.shares] {
            buffer.resize((count + 1) * size, N::ZERO);
        }
        let value = |at: usize| at * size..(at + 1) * size;
        set_constant(&mut self.before[..size], N::ONE);
        for at in 1..count {
            let (done, next) = self.before.split_at_mut(at * size);
            match at {
                1 => next[..size].copy_from_slice(&self.values[..size]),
                _ => convolve(terms, &done[value(at - 1)], &self.values[value(at - 1)], &mut next[..size]),
            }
        }
        let last = count - 1;
        let ways = coefficient(terms.of(size - 1), &self.before[value(last)], &self.values[value(last)]);
        if ways == N::ZERO {
            return None;
        }
        set_constant(&mut self.after[value(count)], weight);
        for at in (1..count).rev() {
            let (done, next) = self.after.split_at_mut((at + 1) * size);
            if at == last {
                scale(&mut done[value(at)], &self.values[value(at)], weight);
            } else {
                convolve(terms, &self.values[value(at)], &next[..size], &mut done[value(at)]);
            }
        }
        for at in 0..count {
            let share = &mut self.shares[value(at)];
            match at {
                0 => share.copy_from_slice(&self.after[value(1)]),
                _ if at == last => scale(share, &self.before[value(at)], weight),
                _ => convolve(terms, &self.before[value(at)], &self.after[value(at + 1)], share),
            }
        }
        Some(ways * weight)
    }
}

/// A factor of the product over all lanes.
#[derive(Clone, Copy)]
enum Factor {
    /// A range of lanes, by its index.
    Range(usize),
    /// A single lane, and the index of its filling.
    Lane(usize, usize),
}

impl<'a, N: Number> LaneCount<'a, N> {
    /// Prepares a count with lanes in this orientation; `None` if it would take too much work.
    fn new(problem: &'a ResidualProblem, orientation: Orientation, max_multiplications: f64) -> Option<Self> {
        let (width, height) = (usize::from(problem.size.width()), usize::from(problem.size.height()));
        let (lanes, positions) = if orientation == Orientation::Across { (height, width) } else { (width, height) };
        let counts: Vec<usize> = problem.groups.iter().map(|group| group.count).collect();
        let radix = MixedRadix::new(&counts);
        if positions > MAX_POSITIONS || radix.size > MAX_COMBINATIONS {
            return None;
        }
        let turnable: usize = problem.groups.iter().filter(|group| group.length > 1).map(|group| group.count).sum();
        // In a tie of both orientations the ships down count as crossing, so each layout is counted once.
        let max_crossing_ships = match orientation {
            Orientation::Across => Some(turnable / 2),
            Orientation::Down => turnable.div_ceil(2).checked_sub(1),
        };
        let mut count = Self {
            problem,
            lanes,
            positions,
            aligned_ships: vec![vec![Vec::new(); positions]; lanes],
            crossing_ships: vec![Vec::new(); problem.groups.len()],
            hits: vec![0; lanes],
            max_crossing_ships,
            fillings: (0..lanes).map(|_| Vec::new()).collect(),
            filling_of: vec![vec![0; 1 << positions]; lanes],
            fleets: (0..radix.size).map(|_| None).collect(),
            chosen: Vec::new(),
            crossed: vec![0; lanes],
            shares: problem.groups.iter().map(|group| vec![N::ZERO; group.candidates.len()]).collect(),
            total: N::ZERO,
            scratch: Scratch::new(),
            lane: Vec::new(),
            radix,
        };
        count.sort_ships(orientation);
        (count.estimated_multiplications() <= max_multiplications).then_some(count)
    }

    /// The estimated number of multiplications: every choice of crossing ships takes a few products of polynomials.
    fn estimated_multiplications(&self) -> f64 {
        let max_crossing = self.max_crossing_ships.unwrap_or(0);
        let mut choices = vec![0.0; max_crossing + 1];
        choices[0] = 1.0;
        for (group, ships) in self.problem.groups.iter().zip(&self.crossing_ships) {
            for chosen in (0..=max_crossing).rev() {
                let ways = |more: usize| {
                    (0..more)
                        .map(|number| (ships.len() as f64 - number as f64).max(0.0) / (number as f64 + 1.0))
                        .product::<f64>()
                };
                choices[chosen] = (0..=chosen.min(group.count)).map(|more| choices[chosen - more] * ways(more)).sum();
            }
        }
        // Each crossing ship about halves the combinations of the others.
        let product = |chosen: usize| (self.radix.size as f64 / (1_u64 << chosen) as f64).max(1.0).powf(1.6);
        choices.iter().enumerate().map(|(chosen, choices)| choices * 15.0 * product(chosen)).sum()
    }

    fn sort_ships(&mut self, orientation: Orientation) {
        let turned = orientation == Orientation::Down;
        let lane_and_position = |cell: seabattle_core::Cell| {
            let (col, row) = (usize::from(cell.col()), usize::from(cell.row()));
            if turned { (col, row) } else { (row, col) }
        };
        for (group, ships) in self.problem.groups.iter().enumerate() {
            let length = usize::from(ships.length);
            for (candidate, candidate_placement) in ships.candidates.iter().enumerate() {
                let (lane, position) = lane_and_position(candidate_placement.start);
                if candidate_placement.orientation == orientation || length == 1 {
                    self.aligned_ships[lane][position].push(AlignedShip {
                        group,
                        candidate,
                        length,
                        weight: candidate_placement.weight,
                    });
                } else {
                    self.crossing_ships[group].push(CrossingShip {
                        candidate,
                        first_lane: lane,
                        length,
                        position,
                        weight: candidate_placement.weight,
                    });
                }
            }
        }
        for cell in crate::placements::cells(self.problem.size, self.problem.hits) {
            let (lane, position) = lane_and_position(cell);
            self.hits[lane] |= 1 << position;
        }
    }

    /// Sums over all choices of crossing ships.
    fn run(&mut self) {
        match self.max_crossing_ships {
            Some(max_crossing)
                if max_crossing <= MAX_CROSSING_AT_ONCE && self.radix.size <= two_crossing::MAX_TABLE_SIZE =>
            {
                self.sum_at_once(max_crossing);
            }
            Some(max_crossing) => self.enumerate(max_crossing, 0, 0, 0, N::ONE),
            None => {}
        }
    }

    /// Sums over all positions of at most two crossing ships at once.
    fn sum_at_once(&mut self, max_crossing: usize) {
        let TwoCrossing { total, shares, .. } = TwoCrossing::new(self, max_crossing);
        self.total += total;
        self.shares = shares;
    }

    /// Adds the ways to complete the chosen crossing ships, then tries each further crossing ship in ascending order.
    fn enumerate(&mut self, max_crossing: usize, group: usize, from: usize, used: usize, weight: N) {
        self.add_fillings(used, weight);
        if self.chosen.len() == max_crossing || is_stopped() {
            return;
        }
        for next_group in group..self.problem.groups.len() {
            if !self.radix.has_room(used, next_group) {
                continue;
            }
            let first = if next_group == group { from } else { 0 };
            for at in first..self.crossing_ships[next_group].len() {
                let ship = self.crossing_ships[next_group][at];
                if !self.cross(&ship) {
                    continue;
                }
                self.chosen.push((next_group, ship.candidate));
                let used = used + self.radix.strides[next_group];
                self.enumerate(max_crossing, next_group, at + 1, used, weight * N::weight(ship.weight));
                self.chosen.pop();
                self.uncross(&ship);
            }
        }
    }

    /// Places a crossing ship, unless another one crosses there.
    fn cross(&mut self, ship: &CrossingShip) -> bool {
        let bit = 1 << ship.position;
        let lanes = &mut self.crossed[ship.first_lane..ship.first_lane + ship.length];
        if lanes.iter().any(|crossed| crossed & bit != 0) {
            return false;
        }
        lanes.iter_mut().for_each(|crossed| *crossed |= bit);
        true
    }

    fn uncross(&mut self, ship: &CrossingShip) {
        let bit = 1 << ship.position;
        self.crossed[ship.first_lane..ship.first_lane + ship.length].iter_mut().for_each(|crossed| *crossed &= !bit);
    }

    /// Adds all ways to place the remaining ships within the lanes.
    fn add_fillings(&mut self, used: usize, weight: N) {
        let fleet_number = self.radix.full() - used;
        self.prepare_fleet(fleet_number);
        let mut scratch = std::mem::replace(&mut self.scratch, Scratch::new());
        if self.factors(fleet_number, &mut scratch.factors) {
            self.multiply(fleet_number, weight, &mut scratch);
        }
        self.scratch = scratch;
    }

    /// The lanes as factors of a product: ranges of lanes that at most one ship crosses, and single lanes.
    fn factors(&mut self, fleet_number: usize, factors: &mut Vec<Factor>) -> bool {
        factors.clear();
        let mut start = 0;
        while start < self.lanes {
            let crossed = self.crossed[start];
            if crossed.count_ones() <= 1 {
                let end = (start..self.lanes).find(|&lane| self.crossed[lane] != crossed).unwrap_or(self.lanes);
                match self.range(fleet_number, Range { crossed, start, end }) {
                    Some(index) => factors.push(Factor::Range(index)),
                    None => return false,
                }
                start = end;
            } else {
                let filling = self.filling(start, crossed);
                if !self.fillings[start][filling].possible {
                    return false;
                }
                factors.push(Factor::Lane(start, filling));
                start += 1;
            }
        }
        true
    }

    fn multiply(&mut self, fleet_number: usize, weight: N, scratch: &mut Scratch<N>) {
        let Some(fleet) = &mut self.fleets[fleet_number] else { return };
        let size = fleet.subfleets.len();
        let count = scratch.factors.len();
        scratch.values.clear();
        for factor in &scratch.factors {
            match *factor {
                Factor::Range(index) => scratch.values.extend_from_slice(fleet.ways_of(index)),
                Factor::Lane(lane, filling) => {
                    let ways = &self.fillings[lane][filling].ways;
                    scratch.values.extend(fleet.subfleets.iter().map(|&subfleet| ways[subfleet]));
                }
            }
        }
        if let Some(sum) = scratch.products(&fleet.terms, size, count, weight) {
            self.total += sum;
            for &(group, candidate) in &self.chosen {
                self.shares[group][candidate] += sum;
            }
            for (at, factor) in scratch.factors.iter().enumerate() {
                // The ships that the other factors use determine those left for this factor.
                let shares = scratch.shares[at * size..][..size].iter().rev();
                match *factor {
                    Factor::Range(index) => {
                        let sums = &mut fleet.shares[index * size..][..size];
                        sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += *share);
                    }
                    Factor::Lane(lane, filling) => {
                        let sums = &mut self.fillings[lane][filling].share;
                        fleet.subfleets.iter().zip(shares).for_each(|(&subfleet, share)| sums[subfleet] += *share);
                    }
                }
            }
        }
    }
}

impl LaneCount<'_, f64> {
    /// Distributes the shares: from ranges to lanes, and from lanes to ships.
    fn distribute(&mut self, candidate_sums: &mut CandidateSums) {
        for (group, shares) in self.shares.iter().enumerate() {
            shares.iter().enumerate().for_each(|(candidate, share)| candidate_sums.weights[group][candidate] += share);
        }
        for mut fleet in std::mem::take(&mut self.fleets).into_iter().flatten() {
            self.backpropagate_ranges(&mut fleet);
        }
        for lane in 0..self.lanes {
            for filling in &self.fillings[lane] {
                if filling.share.iter().any(|&share| share != 0.0) {
                    let mut ships = Vec::new();
                    self.distribute_filling(lane, filling, 0, 0, 1.0, &mut ships, candidate_sums);
                }
            }
        }
    }
}
