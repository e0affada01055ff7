//! How few misses a position can possibly cost.

use seabattle_core::Announce;

use super::position::{Choose, MAX_AREA, Position, Rest, SHARES, cells};

/// Layouts, by the cells they cover, and how many each stands for.
type Layouts = [(u64, u32)];

/// How many layouts are unfinished, under any strategy, when 0, 1, 2, ... misses have been made: each costs one more.
type Unfinished = [u32; MAX_AREA];

/// Misses, summed over the layouts of the position, that no strategy can go below.
pub(super) fn fewest_misses<const N: usize>(position: &Position<N>) -> u32 {
    let mut layouts: Vec<(u64, u32)> = position.rests.iter().map(|rest| (rest.occupied(), rest.weight)).collect();
    let mut unfinished = [0; MAX_AREA];
    if position.afloat < 2 {
        add_unfinished(&mut unfinished, &layouts, 1);
        return unfinished.iter().sum();
    }
    merge_equal(&mut layouts);
    add_unfinished(&mut unfinished, &layouts, announced_ways(position));
    // Where sinkings are not named, all ships are of one class, long and short.
    let choices: &[Choose] = match position.announce {
        Announce::Sunk => &[Choose::MostCells, Choose::FewestCells],
        Announce::Hit | Announce::Which | Announce::Named => &[Choose::MostCells],
    };
    for class in 0..=position.classes[position.afloat - 1] {
        for &choose in choices {
            let other = unfinished_if_revealed(&position.hiding(class, choose), position.afloat - 1);
            unfinished = std::array::from_fn(|misses| unfinished[misses].max(other[misses]));
        }
    }
    unfinished.iter().sum()
}

/// The sum over problems with one hidden ship each: knowing where the others lie cannot do harm.
fn unfinished_if_revealed<const N: usize>(rests: &[Rest<N>], revealed: usize) -> Unfinished {
    let mut sum = [0; MAX_AREA];
    let mut layouts = Vec::with_capacity(rests.len());
    for hidden in rests.chunk_by(|a, b| a.ships[..revealed] == b.ships[..revealed]) {
        layouts.clear();
        layouts.extend(hidden.iter().map(|rest| (rest.ships[revealed], rest.weight)));
        add_unfinished(&mut sum, &layouts, 1);
    }
    sum.map(|unfinished| unfinished.div_ceil(SHARES))
}

/// What follows from the number of leaves and of layouts on each cell.
///
/// The strategy is a tree. Two layouts that cover different cells end at different leaves, and the leaves with at
/// most `t` misses on `r` hits are at most `C(r + t, t)`, times the ways in which the hits can be announced.
/// Before its first hit a strategy shoots at a fixed row of cells: the layouts first hit by the `i`-th cell are
/// no more than cover it, and have `t - i` misses left. Where hits are announced in one way, certain cells drop out.
fn add_unfinished(sum: &mut Unfinished, layouts: &Layouts, ways: u64) {
    let [(first, _), _, ..] = layouts else {
        return;
    };
    let certain = if ways == 1 { layouts.iter().fold(u64::MAX, |all, (cells, _)| all & cells) } else { 0 };
    let hits = u64::from((first & !certain).count_ones());
    let largest = Largest::of(layouts);
    let (by_cell, covered) = most_covered_first(layouts, !certain);
    let by_cell = &by_cell[..covered];
    let mut whole = Leaves::new(ways, hits);
    let mut after_hit = Leaves::new(ways, hits.saturating_sub(1));
    let mut after_hit_within = [0; MAX_AREA];
    for misses in 0..MAX_AREA {
        after_hit_within[misses] = largest.first(after_hit.next());
        let left = after_hit_within[..=misses].iter().rev();
        let by_first_hit: u32 = by_cell.iter().zip(left).map(|(count, most)| *count.min(most)).sum();
        let finished = largest.first(whole.next()).min(by_first_hit);
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

/// How many layouts cover each of some cells, most first, and how many cells are covered at all.
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

/// Weights of layouts, largest first, as running sums from 0.
struct Largest(Vec<u32>);

impl Largest {
    fn of(layouts: &Layouts) -> Self {
        let mut sums = Vec::with_capacity(layouts.len() + 1);
        sums.push(0);
        sums.extend(layouts.iter().map(|(_, weight)| *weight));
        sums[1..].sort_unstable_by(|a, b| b.cmp(a));
        for place in 1..sums.len() {
            sums[place] += sums[place - 1];
        }
        Self(sums)
    }

    fn first(&self, layouts: u64) -> u32 {
        let last = self.0.len() - 1;
        self.0[usize::try_from(layouts).map_or(last, |layouts| layouts.min(last))]
    }

    fn total(&self) -> u32 {
        self.0[self.0.len() - 1]
    }
}

/// `ways * C(hits + t, t)` for t = 0, 1, 2, ...
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

/// The most ways in which the hits that sink the rest can be announced, misses aside.
fn announced_ways<const N: usize>(position: &Position<N>) -> u64 {
    let ships = position.afloat as u64;
    let hits = u64::from(position.cells_left());
    let moments = choose(hits - 1, ships - 1);
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

fn choose(from: u64, count: u64) -> u64 {
    (1..=count).fold(1, |product: u64, taken| product.saturating_mul(from + 1 - taken) / taken)
}
