//! Counting where ships may touch: the few ships that cross the lanes one by one, all that lie along them at once.
//!
//! Of any fleet at most half of the ships lie the rarer way. Those are enumerated, or where they are at most two summed
//! over all their positions at once; the others lie along lanes (rows, or columns), and lanes do not know of each other
//! but for which ships they use. So the ways to fill the lanes multiply, lane by lane, as polynomials in the ships used.

use seabattle_core::Orientation;

use crate::number::Number;
use crate::polynomial::{Sums, coefficient, convolve, one, scale};
use crate::sea::{MOST_NUMBERS, Radix, Sea, Tally};

use self::few::Few;
use self::filling::Filling;
use self::range::{Range, Rest};

mod few;
mod filling;
mod range;

/// Boards with longer lanes have too many ways to cross them.
const MAX_POSITIONS: usize = 16;

/// So many crossing ships are not taken one by one.
const FEW: usize = 2;

/// All sums, or nothing if that would take more multiplications than allowed.
pub(crate) fn tally(sea: &Sea, most_work: f64) -> Option<Tally> {
    let mut tally = Tally::empty(sea);
    tally.greatest = sea.most_ways();
    for orientation in Orientation::ALL {
        let mut count = Count::<f64>::new(sea, orientation, most_work)?;
        count.run();
        tally.total += count.total;
        count.collect(&mut tally);
    }
    Some(tally)
}

/// The sum of all ways alone, in another kind of number.
pub(crate) fn total<N: Number>(sea: &Sea, most_work: f64) -> Option<N> {
    let mut total = N::ZERO;
    for orientation in Orientation::ALL {
        let mut count = Count::<N>::new(sea, orientation, most_work)?;
        count.run();
        total += count.total;
    }
    Some(total)
}

/// A ship along a lane.
#[derive(Clone, Copy)]
struct Along {
    group: usize,
    candidate: usize,
    length: usize,
    weight: f64,
}

/// A ship across several lanes.
#[derive(Clone, Copy)]
struct Crossing {
    candidate: usize,
    first_lane: usize,
    length: usize,
    position: usize,
    weight: f64,
}

struct Count<'a, N> {
    sea: &'a Sea,
    lanes: usize,
    positions: usize,
    radix: Radix,
    along: Vec<Vec<Vec<Along>>>,
    crossings: Vec<Vec<Crossing>>,
    hits: Vec<u32>,
    /// Nothing if no ship lies this way.
    most_crossing_ships: Option<usize>,
    fillings: Vec<Vec<Filling<N>>>,
    /// For each lane and set of crossings, one more than the number of its filling.
    filling_of: Vec<Vec<u32>>,
    rests: Vec<Option<Rest<N>>>,
    chosen: Vec<(usize, usize)>,
    crossed: Vec<u32>,
    /// For each candidate of each group; from choosing, for crossing ships alone.
    shares: Vec<Vec<N>>,
    total: N,
    scratch: Scratch<N>,
    /// Room for the ways to fill a lane with the ships of a rest.
    lane: Vec<N>,
}

/// Room for one product, kept from one to the next.
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

    /// The product of all factors where all ships are used, and for each factor the product of the others.
    fn products(&mut self, sums: &Sums, size: usize, count: usize, weight: N) -> Option<N> {
        for room in [&mut self.before, &mut self.after, &mut self.shares] {
            room.resize((count + 1) * size, N::ZERO);
        }
        let value = |at: usize| at * size..(at + 1) * size;
        one(&mut self.before[..size], N::ONE);
        for at in 1..count {
            let (done, next) = self.before.split_at_mut(at * size);
            match at {
                1 => next[..size].copy_from_slice(&self.values[..size]),
                _ => convolve(sums, &done[value(at - 1)], &self.values[value(at - 1)], &mut next[..size]),
            }
        }
        let last = count - 1;
        let ways = coefficient(sums.of(size - 1), &self.before[value(last)], &self.values[value(last)]);
        if ways == N::ZERO {
            return None;
        }
        one(&mut self.after[value(count)], weight);
        for at in (1..count).rev() {
            let (done, next) = self.after.split_at_mut((at + 1) * size);
            if at == last {
                scale(&mut done[value(at)], &self.values[value(at)], weight);
            } else {
                convolve(sums, &self.values[value(at)], &next[..size], &mut done[value(at)]);
            }
        }
        for at in 0..count {
            let share = &mut self.shares[value(at)];
            match at {
                0 => share.copy_from_slice(&self.after[value(1)]),
                _ if at == last => scale(share, &self.before[value(at)], weight),
                _ => convolve(sums, &self.before[value(at)], &self.after[value(at + 1)], share),
            }
        }
        Some(ways * weight)
    }
}

#[derive(Clone, Copy)]
enum Factor {
    /// A range by its place.
    Range(usize),
    /// A lane and its filling.
    Lane(usize, usize),
}

impl<'a, N: Number> Count<'a, N> {
    /// Lanes along one orientation.
    fn new(sea: &'a Sea, orientation: Orientation, most_work: f64) -> Option<Self> {
        let (width, height) = (usize::from(sea.size.width()), usize::from(sea.size.height()));
        let (lanes, positions) = if orientation == Orientation::Across { (height, width) } else { (width, height) };
        let counts: Vec<usize> = sea.groups.iter().map(|group| group.count).collect();
        let radix = Radix::new(&counts);
        if positions > MAX_POSITIONS || radix.size > MOST_NUMBERS {
            return None;
        }
        let turning: usize = sea.groups.iter().filter(|group| group.length > 1).map(|group| group.count).sum();
        // Where as many ships lie one way as the other, those down count as crossing: each layout comes up once.
        let most_crossing_ships = match orientation {
            Orientation::Across => Some(turning / 2),
            Orientation::Down => turning.div_ceil(2).checked_sub(1),
        };
        let mut count = Self {
            sea,
            lanes,
            positions,
            along: vec![vec![Vec::new(); positions]; lanes],
            crossings: vec![Vec::new(); sea.groups.len()],
            hits: vec![0; lanes],
            most_crossing_ships,
            fillings: (0..lanes).map(|_| Vec::new()).collect(),
            filling_of: vec![vec![0; 1 << positions]; lanes],
            rests: (0..radix.size).map(|_| None).collect(),
            chosen: Vec::new(),
            crossed: vec![0; lanes],
            shares: sea.groups.iter().map(|group| vec![N::ZERO; group.candidates.len()]).collect(),
            total: N::ZERO,
            scratch: Scratch::new(),
            lane: Vec::new(),
            radix,
        };
        count.sort_candidates(orientation);
        (count.work() <= most_work).then_some(count)
    }

    /// About how many multiplications it takes: for every choice of crossing ships some products of polynomials.
    fn work(&self) -> f64 {
        let most = self.most_crossing_ships.unwrap_or(0);
        let mut choices = vec![0.0; most + 1];
        choices[0] = 1.0;
        for (group, ships) in self.sea.groups.iter().zip(&self.crossings) {
            for chosen in (0..=most).rev() {
                let ways = |more: usize| {
                    (0..more)
                        .map(|number| (ships.len() as f64 - number as f64).max(0.0) / (number as f64 + 1.0))
                        .product::<f64>()
                };
                choices[chosen] = (0..=chosen.min(group.count)).map(|more| choices[chosen - more] * ways(more)).sum();
            }
        }
        // Each ship that crosses leaves about half as many choices of the others.
        let product = |chosen: usize| (self.radix.size as f64 / (1_u64 << chosen) as f64).max(1.0).powf(1.6);
        choices.iter().enumerate().map(|(chosen, choices)| choices * 15.0 * product(chosen)).sum()
    }

    fn sort_candidates(&mut self, orientation: Orientation) {
        let turned = orientation == Orientation::Down;
        let place = |cell: seabattle_core::Cell| {
            let (col, row) = (usize::from(cell.col()), usize::from(cell.row()));
            if turned { (col, row) } else { (row, col) }
        };
        for (group, ships) in self.sea.groups.iter().enumerate() {
            let length = usize::from(ships.length);
            for (candidate, found) in ships.candidates.iter().enumerate() {
                let (lane, position) = place(found.start);
                if found.orientation == orientation || length == 1 {
                    self.along[lane][position].push(Along { group, candidate, length, weight: found.weight });
                } else {
                    self.crossings[group].push(Crossing {
                        candidate,
                        first_lane: lane,
                        length,
                        position,
                        weight: found.weight,
                    });
                }
            }
        }
        for cell in crate::places::cells(self.sea.size, self.sea.hits) {
            let (lane, position) = place(cell);
            self.hits[lane] |= 1 << position;
        }
    }

    /// Sums over all choices of crossing ships.
    fn run(&mut self) {
        match self.most_crossing_ships {
            Some(most) if most <= FEW && self.radix.size <= few::MOST_CHOICES => self.sum_few(most),
            Some(most) => self.choose(most, 0, 0, 0, N::ONE),
            None => {}
        }
    }

    /// Sums over all positions of at most two crossing ships.
    fn sum_few(&mut self, most: usize) {
        let Few { total, shares, .. } = Few::new(self, most);
        self.total += total;
        self.shares = shares;
    }

    /// Adds up what is chosen, then chooses one more crossing ship, in rising order.
    fn choose(&mut self, most: usize, group: usize, from: usize, used: usize, weight: N) {
        self.add_up(used, weight);
        if self.chosen.len() == most {
            return;
        }
        for next_group in group..self.sea.groups.len() {
            if !self.radix.has_room(used, next_group) {
                continue;
            }
            let first = if next_group == group { from } else { 0 };
            for at in first..self.crossings[next_group].len() {
                let ship = self.crossings[next_group][at];
                if !self.cross(&ship) {
                    continue;
                }
                self.chosen.push((next_group, ship.candidate));
                let used = used + self.radix.strides[next_group];
                self.choose(most, next_group, at + 1, used, weight * N::weight(ship.weight));
                self.chosen.pop();
                self.uncross(&ship);
            }
        }
    }

    /// Puts a ship across, unless another one crosses there.
    fn cross(&mut self, ship: &Crossing) -> bool {
        let bit = 1 << ship.position;
        let lanes = &mut self.crossed[ship.first_lane..ship.first_lane + ship.length];
        if lanes.iter().any(|crossed| crossed & bit != 0) {
            return false;
        }
        lanes.iter_mut().for_each(|crossed| *crossed |= bit);
        true
    }

    fn uncross(&mut self, ship: &Crossing) {
        let bit = 1 << ship.position;
        self.crossed[ship.first_lane..ship.first_lane + ship.length].iter_mut().for_each(|crossed| *crossed &= !bit);
    }

    /// Adds all ways to lay the rest of the ships along the lanes.
    fn add_up(&mut self, used: usize, weight: N) {
        let rest_number = self.radix.full() - used;
        self.begin_rest(rest_number);
        let mut scratch = std::mem::replace(&mut self.scratch, Scratch::new());
        if self.factors(rest_number, &mut scratch.factors) {
            self.multiply(rest_number, weight, &mut scratch);
        }
        self.scratch = scratch;
    }

    /// The lanes as factors of a product: ranges where at most one ship crosses, else single lanes.
    fn factors(&mut self, rest_number: usize, factors: &mut Vec<Factor>) -> bool {
        factors.clear();
        let mut start = 0;
        while start < self.lanes {
            let crossed = self.crossed[start];
            if crossed.count_ones() <= 1 {
                let end = (start..self.lanes).find(|&lane| self.crossed[lane] != crossed).unwrap_or(self.lanes);
                match self.range(rest_number, Range { crossed, start, end }) {
                    Some(place) => factors.push(Factor::Range(place)),
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

    fn multiply(&mut self, rest_number: usize, weight: N, scratch: &mut Scratch<N>) {
        let Some(rest) = &mut self.rests[rest_number] else { return };
        let size = rest.parts.len();
        let count = scratch.factors.len();
        scratch.values.clear();
        for factor in &scratch.factors {
            match *factor {
                Factor::Range(place) => scratch.values.extend_from_slice(rest.ways_of(place)),
                Factor::Lane(lane, filling) => {
                    let ways = &self.fillings[lane][filling].ways;
                    scratch.values.extend(rest.parts.iter().map(|&part| ways[part]));
                }
            }
        }
        if let Some(sum) = scratch.products(&rest.sums, size, count, weight) {
            self.total += sum;
            for &(group, candidate) in &self.chosen {
                self.shares[group][candidate] += sum;
            }
            for (at, factor) in scratch.factors.iter().enumerate() {
                // What the others use up decides what is left for this factor.
                let shares = scratch.shares[at * size..][..size].iter().rev();
                match *factor {
                    Factor::Range(place) => {
                        let sums = &mut rest.shares[place * size..][..size];
                        sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += *share);
                    }
                    Factor::Lane(lane, filling) => {
                        let sums = &mut self.fillings[lane][filling].share;
                        rest.parts.iter().zip(shares).for_each(|(&part, share)| sums[part] += *share);
                    }
                }
            }
        }
    }
}

impl Count<'_, f64> {
    /// Hands the shares down: from ranges to lanes, from lanes to ships.
    fn collect(&mut self, tally: &mut Tally) {
        for (group, shares) in self.shares.iter().enumerate() {
            shares.iter().enumerate().for_each(|(candidate, share)| tally.weights[group][candidate] += share);
        }
        for mut rest in std::mem::take(&mut self.rests).into_iter().flatten() {
            self.split_ranges(&mut rest);
        }
        for lane in 0..self.lanes {
            for filling in &self.fillings[lane] {
                if filling.share.iter().any(|&share| share != 0.0) {
                    let mut ships = Vec::new();
                    self.share_out(lane, filling, 0, 0, 1.0, &mut ships, tally);
                }
            }
        }
    }
}
