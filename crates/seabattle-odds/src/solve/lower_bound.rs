//! A lower bound of the misses that a position costs under any strategy.
//!
//! A strategy is a [decision tree](https://en.wikipedia.org/wiki/Decision_tree_model), and few misses leave it few leaves.

use seabattle_core::Announce;

use super::position::{MAX_AREA, Position, Remainder, SHARES, ShipChoice, cells};

/// Layouts as the cells that they cover, each with the number of layouts that it stands for.
type Layouts = [(u64, u32)];

/// For 0, 1, 2, … misses, how many layouts no strategy can have finished by then. Each costs one more miss.
type Unfinished = [u32; MAX_AREA];

/// A lower bound of the misses of any strategy, summed over the layouts of the position.
pub(super) fn misses_lower_bound<const N: usize>(position: &Position<N>) -> u32 {
    let mut layouts: Vec<(u64, u32)> =
        position.remainders.iter().map(|remainder| (remainder.occupied(), remainder.weight)).collect();
    let mut unfinished = [0; MAX_AREA];
    if position.afloat < 2 {
        add_unfinished(&mut unfinished, &layouts, 1);
        return unfinished.iter().sum();
    }
    merge_equal(&mut layouts);
    add_unfinished(&mut unfinished, &layouts, announced_ways(position));
    // Where answers do not name the sunk class, all ships count as one class, long and short.
    let hidden: &[ShipChoice] = match position.announce {
        Announce::Sunk => &[ShipChoice::MostCells, ShipChoice::FewestCells],
        Announce::Hit | Announce::Which | Announce::Named => &[ShipChoice::MostCells],
    };
    for class in 0..=position.classes[position.afloat - 1] {
        for &choice in hidden {
            let other = unfinished_if_revealed(&position.hiding(class, choice), position.afloat - 1);
            unfinished = std::array::from_fn(|misses| unfinished[misses].max(other[misses]));
        }
    }
    unfinished.iter().sum()
}

/// A bound for a shooter who knows all ships but one: more knowledge never costs misses.
fn unfinished_if_revealed<const N: usize>(remainders: &[Remainder<N>], revealed: usize) -> Unfinished {
    let mut sum = [0; MAX_AREA];
    let mut layouts = Vec::with_capacity(remainders.len());
    for hidden in remainders.chunk_by(|a, b| a.ships[..revealed] == b.ships[..revealed]) {
        layouts.clear();
        layouts.extend(hidden.iter().map(|remainder| (remainder.ships[revealed], remainder.weight)));
        add_unfinished(&mut sum, &layouts, 1);
    }
    sum.map(|unfinished| unfinished.div_ceil(SHARES))
}

/// Adds the bound that follows from the number of leaves of a strategy and from the layouts that cover each cell.
///
/// A strategy is a tree. Two layouts that cover different cells end at different leaves. A strategy has at most
/// `C(r + t, t)` leaves with at most `t` misses on `r` hits, times the ways in which the hits can be announced.
/// Before its first hit a strategy fires at a fixed sequence of cells. The layouts first hit by the `i`-th cell are
/// at most those that cover it, and they have `t - i` misses left. Where hits can be announced in one way only,
/// certain cells are left out.
fn add_unfinished(sum: &mut Unfinished, layouts: &Layouts, ways: u64) {
    let [(first, _), _, ..] = layouts else {
        return;
    };
    let certain = if ways == 1 { layouts.iter().fold(u64::MAX, |all, (cells, _)| all & cells) } else { 0 };
    let hits = u64::from((first & !certain).count_ones());
    let largest = LargestWeights::of(layouts);
    let (by_cell, covered) = most_covered_first(layouts, !certain);
    let by_cell = &by_cell[..covered];
    let mut whole = Leaves::new(ways, hits);
    let mut after_hit = Leaves::new(ways, hits.saturating_sub(1));
    let mut after_hit_within = [0; MAX_AREA];
    for misses in 0..MAX_AREA {
        after_hit_within[misses] = largest.sum_of(after_hit.next());
        let left = after_hit_within[..=misses].iter().rev();
        let by_first_hit: u32 = by_cell.iter().zip(left).map(|(count, most)| *count.min(most)).sum();
        let finished = largest.sum_of(whole.next()).min(by_first_hit);
        if finished >= largest.total() {
            return;
        }
        sum[misses] += largest.total() - finished;
    }
}

fn merge_equal(layouts: &mut Vec<(u64, u32)>) {
    layouts.sort_unstable();
    layouts.dedup_by(|later, earlier| {
        let equal = later.0 == earlier.0;
        if equal {
            earlier.1 += later.1;
        }
        equal
    });
}

/// How many layouts cover each of these cells, in descending order, and how many cells are covered at all.
fn most_covered_first(layouts: &Layouts, among: u64) -> ([u32; MAX_AREA], usize) {
    let mut by_cell = [0; MAX_AREA];
    let mut all = 0;
    for (layout, weight) in layouts {
        all |= layout & among;
        for cell in cells(layout & among) {
            by_cell[cell] += weight;
        }
    }
    let mut covered = 0;
    for cell in cells(all) {
        by_cell[covered] = by_cell[cell];
        covered += 1;
    }
    by_cell[..covered].sort_unstable_by(|a, b| b.cmp(a));
    (by_cell, covered)
}

/// Running sums of the weights of layouts, largest weights first, starting at 0.
struct LargestWeights(Vec<u32>);

impl LargestWeights {
    fn of(layouts: &Layouts) -> Self {
        let mut sums = Vec::with_capacity(layouts.len() + 1);
        sums.push(0);
        sums.extend(layouts.iter().map(|(_, weight)| *weight));
        sums[1..].sort_unstable_by(|a, b| b.cmp(a));
        for index in 1..sums.len() {
            sums[index] += sums[index - 1];
        }
        Self(sums)
    }

    /// The weight of this many layouts together, at most.
    fn sum_of(&self, layouts: u64) -> u32 {
        let last = self.0.len() - 1;
        self.0[usize::try_from(layouts).map_or(last, |layouts| layouts.min(last))]
    }

    fn total(&self) -> u32 {
        self.0[self.0.len() - 1]
    }
}

/// The most leaves with at most t misses, `ways * C(hits + t, t)`, for t = 0, 1, 2, …
struct Leaves {
    ways: u64,
    hits: u64,
    paths: u64,
    t: u64,
}

impl Leaves {
    fn new(ways: u64, hits: u64) -> Self {
        Self { ways, hits, paths: 1, t: 0 }
    }

    fn next(&mut self) -> u64 {
        let leaves = self.ways.saturating_mul(self.paths);
        self.t += 1;
        self.paths = self.paths.saturating_mul(self.hits + self.t) / self.t;
        leaves
    }
}

/// The most ways in which the answers to the remaining hits can read, not counting misses.
fn announced_ways<const N: usize>(position: &Position<N>) -> u64 {
    let ships = position.afloat as u64;
    let hits = u64::from(position.cells_left());
    let moments = binomial(hits - 1, ships - 1);
    match position.announce {
        Announce::Hit => 1,
        Announce::Sunk => moments,
        Announce::Which => moments.saturating_mul((1..=ships).product()),
        Announce::Named => {
            let names = u64::from(position.classes[position.afloat - 1]) + 1;
            names.saturating_pow(hits as u32).saturating_mul(moments)
        }
    }
}

/// The binomial coefficient, saturating.
fn binomial(from: u64, count: u64) -> u64 {
    (1..=count).fold(1, |product: u64, factor| product.saturating_mul(from + 1 - factor) / factor)
}
