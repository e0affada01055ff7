//! Counts, for every cell, the placements of ships afloat that are still possible.

use seabattle_core::{Announce, Cell, CellSet, Orientation, Rules, SeededRng, Size, Touching, View, uniform_below};

use crate::parts::bit_planes::{BitPlane, Tally};

/// The weight of an open hit, as a power of two: each hit under a placement makes it 2^6 times as likely.
const HIT_WEIGHT_LOG2: usize = 6;

/// The most hits that add weight to a placement, so that counts stay bounded.
const MAX_COUNTED_HITS: usize = 4;

/// A question to a [`PlacementCounter`].
pub(crate) struct PlacementQuery<'a> {
    /// Cells that no placement may cover: the known misses, and other cells that the bot takes for water.
    pub(crate) water: &'a CellSet,
    /// The cells to choose from.
    pub(crate) candidates: &'a CellSet,
    /// Whether only placements over a hit count, so that cells without one are never chosen.
    pub(crate) on_hits: bool,
    pub(crate) choice: CellChoice,
}

/// How to choose a cell by its count. Ties are broken at random.
#[derive(Clone, Copy)]
pub(crate) enum CellChoice {
    /// A cell with the highest count.
    Highest,
    /// Any cell with a count.
    Any,
}

/// Counts placements with two machine words for boards of up to 128 cells, and with forty for the largest board.
pub(crate) enum PlacementCounter {
    Small(Box<PlacementCounts<2>>),
    Large(Box<PlacementCounts<40>>),
}

impl PlacementCounter {
    pub(crate) fn new(rules: &Rules) -> Self {
        if rules.size().area() <= 128 {
            Self::Small(Box::new(PlacementCounts::new(rules)))
        } else {
            Self::Large(Box::new(PlacementCounts::new(rules)))
        }
    }

    /// The cell that the query asks for, if there is one.
    pub(crate) fn best(&mut self, view: &View<'_>, query: &PlacementQuery<'_>, rng: &mut SeededRng) -> Option<Cell> {
        match self {
            Self::Small(placements) => placements.best(view, query, rng),
            Self::Large(placements) => placements.best(view, query, rng),
        }
    }
}

/// The number of placements over every cell.
pub(crate) struct PlacementCounts<const N: usize> {
    size: Size,
    tally: Tally<N>,
    lengths: Vec<ShipLength<N>>,
}

/// All ships of one length.
struct ShipLength<const N: usize> {
    cells: usize,
    /// The first cells of placements on an empty board: across, then down.
    starts: [BitPlane<N>; 2],
}

/// The knowledge that decides which placements are possible.
struct Constraints<const N: usize> {
    /// The cells that a ship may cover: across, then down.
    room: [BitPlane<N>; 2],
    hits: BitPlane<N>,
    /// The fewest open hits under a placement that counts.
    min_hits: usize,
    sinking_is_announced: bool,
}

impl<const N: usize> PlacementCounts<N> {
    fn new(rules: &Rules) -> Self {
        let size = rules.size();
        let full = CellSet::full(size);
        let mut lengths: Vec<u8> = rules.classes().iter().map(|class| class.length()).collect();
        lengths.dedup();
        let length = |length: u8| ShipLength {
            cells: usize::from(length),
            starts: Orientation::ALL.map(|orientation| BitPlane::of(&full.starts(length, orientation))),
        };
        Self { size, tally: Tally::new(), lengths: lengths.into_iter().map(length).collect() }
    }

    fn best(&mut self, view: &View<'_>, query: &PlacementQuery<'_>, rng: &mut SeededRng) -> Option<Cell> {
        let constraints = Constraints::new(view, query);
        self.tally.clear();
        for length_index in 0..self.lengths.len() {
            let ships = afloat_of_length(view, self.lengths[length_index].cells);
            if ships > 0 {
                self.count_length(length_index, ships, &constraints);
            }
        }
        let mut candidates = BitPlane::of(query.candidates);
        if query.on_hits {
            candidates = candidates.and(&self.tally.nonzero());
        }
        let best = match query.choice {
            CellChoice::Highest => self.tally.highest(&candidates),
            CellChoice::Any => candidates,
        };
        best.cells(self.size).nth(uniform_below(rng, best.len()))
    }

    /// Adds all placements of the ships of one length.
    fn count_length(&mut self, length_index: usize, ships: u16, constraints: &Constraints<N>) {
        let ShipLength { cells, starts } = &self.lengths[length_index];
        let strides = [1, usize::from(self.size.width())];
        let orientations = if *cells == 1 { 1 } else { 2 };
        for orientation in 0..orientations {
            let stride = strides[orientation];
            let room = &constraints.room[orientation];
            let open_starts = (0..*cells)
                .fold(starts[orientation], |open_starts, step| open_starts.and(&room.moved_down(step * stride)));
            if constraints.hits.is_empty() && constraints.min_hits == 0 {
                add_placements(&mut self.tally, &open_starts, *cells, stride, ships, 0);
                continue;
            }
            for (hits, placements) in constraints.split_by_hits(&open_starts, *cells, stride).into_iter().enumerate() {
                let all_hit = hits == *cells && constraints.sinking_is_announced;
                if !all_hit && hits >= constraints.min_hits {
                    add_placements(
                        &mut self.tally,
                        &placements,
                        *cells,
                        stride,
                        ships,
                        HIT_WEIGHT_LOG2 * hits.min(MAX_COUNTED_HITS),
                    );
                }
            }
        }
    }
}

/// Adds placements, given by their first cells, to the count of every cell they cover.
fn add_placements<const N: usize>(
    tally: &mut Tally<N>,
    starts: &BitPlane<N>,
    cells: usize,
    stride: usize,
    ships: u16,
    weight_log2: usize,
) {
    if starts.is_empty() {
        return;
    }
    for step in 0..cells {
        let covered = starts.moved_up(step * stride);
        for bit in (0..16).filter(|bit| ships >> bit & 1 == 1) {
            tally.add(&covered, weight_log2 + bit);
        }
    }
}

impl<const N: usize> Constraints<N> {
    fn new(view: &View<'_>, query: &PlacementQuery<'_>) -> Self {
        let enemy = view.enemy();
        let rules = view.rules();
        let sunk = enemy.sunk_cells();
        let open_hits = enemy.open_hits();
        let mut water = query.water | sunk;
        match rules.touching() {
            Touching::Allowed => {}
            Touching::Corners => water |= &sunk.beside(),
            Touching::Forbidden => water |= &sunk.grown(),
        }
        let room = BitPlane::of(&!&water);
        let mut rooms = [room, room];
        if rules.touching() != Touching::Allowed && !open_hits.is_empty() {
            rooms = room_beside_hits(&room, &open_hits, rules);
        }
        Self {
            room: rooms,
            hits: BitPlane::of(&open_hits),
            min_hits: usize::from(query.on_hits),
            sinking_is_announced: rules.announce() >= Announce::Sunk,
        }
    }

    /// The placements by the number of open hits they cover, from none to all.
    fn split_by_hits(&self, placements: &BitPlane<N>, cells: usize, stride: usize) -> Vec<BitPlane<N>> {
        let mut by_hits = vec![BitPlane::EMPTY; cells + 1];
        by_hits[0] = *placements;
        for step in 0..cells {
            let hit_here = self.hits.moved_down(step * stride);
            for hits in (0..=step).rev() {
                let one_more = by_hits[hits].and(&hit_here);
                by_hits[hits] = by_hits[hits].without(&one_more);
                by_hits[hits + 1] = by_hits[hits + 1].or(&one_more);
            }
        }
        by_hits
    }
}

/// The room for ships next to open hits, where ships may not touch. There a placement next to a hit must also cover it.
/// So none lies across above or below a hit, and none down to the left or right of it. Where corners may not touch
/// either, none is at a corner of a hit.
fn room_beside_hits<const N: usize>(room: &BitPlane<N>, hits: &CellSet, rules: &Rules) -> [BitPlane<N>; 2] {
    let beside = hits.beside();
    let in_row = CellSet::of(hits.size(), beside.iter().filter(|&cell| has_hit_in_row(hits, cell)));
    let in_column = CellSet::of(hits.size(), beside.iter().filter(|&cell| has_hit_in_column(hits, cell)));
    let corners = if rules.touching() == Touching::Forbidden {
        &hits.grown() - &(&beside | hits)
    } else {
        CellSet::empty(hits.size())
    };
    [&in_column | &corners, &in_row | &corners].map(|blocked| room.without(&BitPlane::of(&blocked)))
}

fn has_hit_in_row(hits: &CellSet, cell: Cell) -> bool {
    let neighbors = [cell.step(Orientation::Across, 1), cell.step_back(Orientation::Across, 1)];
    neighbors.into_iter().flatten().any(|cell| hits.contains(cell))
}

fn has_hit_in_column(hits: &CellSet, cell: Cell) -> bool {
    let neighbors = [cell.step(Orientation::Down, 1), cell.step_back(Orientation::Down, 1)];
    neighbors.into_iter().flatten().any(|cell| hits.contains(cell))
}

/// The most ships of a length that may be afloat.
pub(crate) fn afloat_of_length(view: &View<'_>, cells: usize) -> u16 {
    let rules = view.rules();
    let classes = rules.class_ids().filter(|&class| usize::from(rules.class(class).length()) == cells);
    classes.map(|class| *view.enemy().afloat(class).end()).sum()
}
