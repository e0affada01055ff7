//! An index of all placements on a board, by number, by cell and by symmetry.

use std::collections::HashMap;
use std::iter::successors;
use std::ops::Range;

use seabattle_core::{
    Cell, CellSet, ClassId, Fleet, Orientation, Rules, SeededRng, Ship, Size, Symmetry, layout, uniform_below,
};

/// The most cells of a board. Each cell is a bit of one number.
pub(crate) const MAX_CELLS: usize = 128;

/// Random moves for each ship until a layout is independent of its start.
const SHUFFLE_MOVES: usize = 40;

/// Random moves for each ship in each stage of packing, which needs more of them.
const PACKING_MOVES: usize = 150;

/// Simulated annealing: the steps from weak to full packing.
const ANNEALING_STAGES: usize = 4;

/// Random probabilities are multiples of one over this.
const PROBABILITY_STEPS: usize = 1 << 30;

/// A set of cells, one bit each.
pub(crate) type CellMask = u128;

/// All placements of the ships of some rules.
pub(crate) struct PlacementIndex {
    rules: Rules,
    /// The ships by length, longest first.
    pub(crate) groups: Vec<LengthGroup>,
    pub(crate) placements: Vec<Placement>,
    /// For each cell the placements that cover it.
    pub(crate) covering: Vec<Vec<u16>>,
    /// For each cell the placements that do not cover it, but forbid another ship to.
    pub(crate) adjoining: Vec<Vec<u16>>,
    /// The group of every ship of a fleet.
    ships: Vec<usize>,
    /// The number of orbits: sets of placements that rotating or mirroring the board maps onto each other.
    orbits: usize,
}

/// All ships of one length. They share their placements.
pub(crate) struct LengthGroup {
    pub(crate) length: usize,
    pub(crate) count: usize,
    pub(crate) placements: Range<usize>,
}

pub(crate) struct Placement {
    pub(crate) group: usize,
    pub(crate) orbit: usize,
    pub(crate) cells: CellMask,
    /// Its cells, and the cells that no other ship may enter.
    pub(crate) claim: CellMask,
    /// Its cells, and all cells around them.
    pub(crate) grown: CellMask,
    /// Whether it is longer than the shortest ships of the fleet.
    pub(crate) is_long: bool,
    start: Cell,
    orientation: Orientation,
}

impl Placement {
    /// A ship of this class on this placement.
    pub(crate) fn ship(&self, rules: &Rules, class: ClassId) -> Ship {
        rules.ship(class, self.start, self.orientation)
    }

    /// The distance of its nearest cell from the border.
    pub(crate) fn depth(&self, size: Size) -> usize {
        let depth = |cell: Cell| {
            let (right, below) = (size.width() - 1 - cell.col(), size.height() - 1 - cell.row());
            cell.col().min(cell.row()).min(right).min(below)
        };
        let on_board = size.cells().filter(|&cell| self.cells >> size.index(cell) & 1 == 1);
        on_board.map(depth).min().map_or(0, usize::from)
    }
}

/// A layout as the number of the placement of every ship, longest first.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct IndexedLayout(pub(crate) Vec<u16>);

impl PlacementIndex {
    /// The index for some rules, or `None` if the board is too large.
    pub(crate) fn new(rules: &Rules) -> Option<Self> {
        if rules.size().area() > MAX_CELLS {
            return None;
        }
        let mut index = Self {
            rules: rules.clone(),
            groups: Vec::new(),
            placements: Vec::new(),
            covering: vec![Vec::new(); rules.size().area()],
            adjoining: vec![Vec::new(); rules.size().area()],
            ships: Vec::new(),
            orbits: 0,
        };
        for class in rules.class_ids() {
            let (length, count) = (usize::from(rules.class(class).length()), usize::from(rules.class(class).count()));
            match index.groups.iter_mut().find(|group| group.length == length) {
                Some(group) => group.count += count,
                None => {
                    let placements = index.add_placements(class);
                    index.groups.push(LengthGroup { length, count, placements });
                }
            }
        }
        index.ships =
            (0..index.groups.len()).flat_map(|group| std::iter::repeat_n(group, index.groups[group].count)).collect();
        Some(index)
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    pub(crate) fn orbits(&self) -> usize {
        self.orbits
    }

    /// Adds all placements of a class: across in row order, then down in row order.
    fn add_placements(&mut self, class: ClassId) -> Range<usize> {
        let first = self.placements.len();
        let mut orbits = HashMap::new();
        let orientations =
            if self.rules.class(class).length() == 1 { &Orientation::ALL[..1] } else { &Orientation::ALL[..] };
        for &orientation in orientations {
            for start in self.rules.size().cells() {
                let ship = self.rules.ship(class, start, orientation);
                if ship.is_within(self.rules.size()) {
                    let next = self.orbits + orbits.len();
                    let orbit = *orbits.entry(normal_form(&ship, &self.rules)).or_insert(next);
                    self.add_placement(&ship, orbit);
                }
            }
        }
        self.orbits += orbits.len();
        first..self.placements.len()
    }

    fn add_placement(&mut self, ship: &Ship, orbit: usize) {
        let size = self.rules.size();
        let number = self.placements.len() as u16;
        let claim = ship.claim(size, self.rules.touching());
        for cell in claim.iter() {
            let list = if ship.covers(cell) { &mut self.covering } else { &mut self.adjoining };
            list[size.index(cell)].push(number);
        }
        self.placements.push(Placement {
            group: self.groups.len(),
            orbit,
            cells: mask(&CellSet::of_ship(size, ship)),
            claim: mask(&claim),
            grown: mask(&CellSet::of_ship(size, ship).grown()),
            is_long: self.rules.classes().iter().any(|class| class.length() < ship.length()),
            start: ship.start(),
            orientation: ship.orientation(),
        });
    }

    /// Draws a layout, all about equally likely. `None` where the board is too full to find one quickly.
    pub(crate) fn draw(&self, rng: &mut SeededRng) -> Option<IndexedLayout> {
        let mut layout = self.layout(&layout::sequential(&self.rules, rng).ok()?)?;
        self.shuffle(&mut layout, rng);
        Some(layout)
    }

    /// Draws a layout whose probability is `packing` to the power of its footprint. `None` where the board is too full.
    pub(crate) fn draw_packed(&self, packing: f64, rng: &mut SeededRng) -> Option<IndexedLayout> {
        let mut layout = self.layout(&layout::sequential(&self.rules, rng).ok()?)?;
        self.anneal(&mut layout, packing, rng);
        Some(layout)
    }

    /// The layout of a fleet, as placement numbers.
    pub(crate) fn layout(&self, fleet: &Fleet) -> Option<IndexedLayout> {
        let mut placements =
            fleet.ships().iter().map(|ship| self.placement_number(ship)).collect::<Option<Vec<u16>>>()?;
        placements.sort_unstable();
        Some(IndexedLayout(placements))
    }

    /// The orbit of a ship's placement.
    pub(crate) fn orbit(&self, ship: &Ship) -> Option<usize> {
        let number = self.placement_number(ship).filter(|_| ship.is_within(self.rules.size()))?;
        Some(self.placements[usize::from(number)].orbit)
    }

    fn placement_number(&self, ship: &Ship) -> Option<u16> {
        let cells = mask(&CellSet::of_ship(self.rules.size(), ship));
        self.placements.iter().position(|placement| placement.cells == cells).map(|index| index as u16)
    }

    /// Moves ships at random until the layout is independent of its start (Markov chain Monte Carlo).
    fn shuffle(&self, layout: &mut IndexedLayout, rng: &mut SeededRng) {
        for _ in 0..SHUFFLE_MOVES * self.ships.len() {
            let (index, placement) = self.random_move(rng);
            if self.has_room(layout, index, placement) {
                layout.0[index] = placement;
            }
        }
    }

    /// Moves ships by simulated annealing: a chain at full packing from the start would get stuck.
    fn anneal(&self, layout: &mut IndexedLayout, packing: f64, rng: &mut SeededRng) {
        let roots: Vec<f64> = successors(Some(packing), |root| Some(root.sqrt())).take(ANNEALING_STAGES).collect();
        roots.iter().rev().for_each(|&root| self.run_metropolis(layout, root, rng));
    }

    /// Moves ships by the Metropolis algorithm, until layouts are as likely as their footprints make them.
    fn run_metropolis(&self, layout: &mut IndexedLayout, packing: f64, rng: &mut SeededRng) {
        let powers: Vec<f64> = successors(Some(1.0), |power| Some(power * packing)).take(MAX_CELLS + 1).collect();
        let mut footprint = self.footprint(layout);
        for _ in 0..PACKING_MOVES * self.ships.len() {
            let (index, placement) = self.random_move(rng);
            let random_probability = uniform_below(rng, PROBABILITY_STEPS) as f64 / PROBABILITY_STEPS as f64;
            if !self.has_room(layout, index, placement) {
                continue;
            }
            let old_placement = std::mem::replace(&mut layout.0[index], placement);
            let new_footprint = self.footprint(layout);
            if random_probability < powers[new_footprint.saturating_sub(footprint)] {
                footprint = new_footprint;
            } else {
                layout.0[index] = old_placement;
            }
        }
    }

    /// The footprint of a layout: the number of cells under its long ships or around them.
    fn footprint(&self, layout: &IndexedLayout) -> usize {
        let placements = layout.0.iter().map(|&placement| &self.placements[usize::from(placement)]);
        let cells = placements
            .filter(|placement| placement.is_long)
            .fold(0, |cells: CellMask, placement| cells | placement.grown);
        cells.count_ones() as usize
    }

    /// A random ship, with a random placement for it.
    fn random_move(&self, rng: &mut SeededRng) -> (usize, u16) {
        let index = uniform_below(rng, self.ships.len());
        let placements = &self.groups[self.ships[index]].placements;
        (index, (placements.start + uniform_below(rng, placements.len())) as u16)
    }

    /// Whether a ship on this placement keeps the required distance from all others.
    fn has_room(&self, layout: &IndexedLayout, index: usize, placement: u16) -> bool {
        let cells = self.placements[usize::from(placement)].cells;
        let is_clear = |(other_index, &placement): (usize, &u16)| {
            other_index == index || self.placements[usize::from(placement)].claim & cells == 0
        };
        layout.0.iter().enumerate().all(is_clear)
    }

    /// The fleet of a layout. Ships of one length are interchangeable, so they are assigned to their classes in order.
    pub(crate) fn fleet(&self, layout: &IndexedLayout) -> Option<Fleet> {
        let mut ships_left: Vec<u16> = self.rules.classes().iter().map(|class| class.count()).collect();
        let mut ships = Vec::with_capacity(layout.0.len());
        for placement in layout.0.iter().map(|&placement| &self.placements[usize::from(placement)]) {
            let length = self.groups[placement.group].length;
            let is_free =
                |id: &ClassId| ships_left[id.index()] > 0 && usize::from(self.rules.class(*id).length()) == length;
            let class = self.rules.class_ids().find(is_free)?;
            ships_left[class.index()] -= 1;
            ships.push(placement.ship(&self.rules, class));
        }
        Fleet::of_ships(&self.rules, ships).ok()
    }
}

pub(crate) fn mask(cells: &CellSet) -> CellMask {
    cells.words().iter().rev().fold(0, |mask, &word| mask << 64 | CellMask::from(word))
}

/// The smallest mask among the images of a ship under all symmetries of the board. It identifies the orbit.
fn normal_form(ship: &Ship, rules: &Rules) -> Option<CellMask> {
    let transformed = |symmetry: Symmetry| mask(&CellSet::of_ship(rules.size(), &symmetry.ship(ship, rules)));
    Symmetry::all(rules.size()).map(transformed).min()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{IndexedLayout, PlacementIndex};
    use seabattle_core::{Rules, Seed, layout};

    fn index(rules: &str) -> PlacementIndex {
        PlacementIndex::new(&rules.parse::<Rules>().unwrap()).unwrap()
    }

    #[test]
    fn symmetric_placements_share_an_orbit() {
        for (rules, orbits) in [("3x3:2", 2), ("3x2:2", 3), ("3x3:1", 3), ("classic", 80), ("russian", 80)] {
            assert_eq!(index(rules).orbits(), orbits, "{rules}");
        }
    }

    #[test]
    fn layouts_are_fleets() {
        for rules in ["classic", "russian", "5x5:3,2,2,1,touching=corners"] {
            let index = index(rules);
            let mut rng = Seed::new(3).rng();
            for _ in 0..100 {
                let layout = index.draw(&mut rng).unwrap();
                let fleet = index.fleet(&layout).unwrap();
                let mut placements = layout.0.clone();
                placements.sort_unstable();
                assert_eq!(index.layout(&fleet).unwrap().0, placements, "{rules}");
            }
        }
    }

    #[test]
    fn packed_layouts_are_drawn_in_proportion_to_their_weights() {
        let index = index("4x3:2,1,touching=forbidden");
        let packing: f64 = 0.7;
        let weight = |layout: &IndexedLayout| packing.powf(index.footprint(layout) as f64);
        let all: Vec<IndexedLayout> = layout::all(index.rules()).filter_map(|fleet| index.layout(&fleet)).collect();
        let total: f64 = all.iter().map(weight).sum();
        let mut rng = Seed::new(2).rng();
        let mut counts: HashMap<IndexedLayout, f64> = HashMap::new();
        let draws = all.len() * 200;
        for _ in 0..draws {
            *counts.entry(index.draw_packed(packing, &mut rng).unwrap()).or_default() += 1.0;
        }
        for layout in &all {
            let expected = weight(layout) / total * draws as f64;
            let deviation = (counts.get(layout).copied().unwrap_or(0.0) - expected) / expected.sqrt();
            assert!(deviation.abs() < 5.0, "{:?}: {deviation}", index.fleet(layout));
        }
    }

    #[test]
    fn packed_ships_have_a_small_footprint() {
        let index = index("russian");
        let mut rng = Seed::new(2).rng();
        let mean =
            |layouts: [IndexedLayout; 50]| layouts.iter().map(|layout| index.footprint(layout)).sum::<usize>() / 50;
        let packed = mean(std::array::from_fn(|_| index.draw_packed(0.1, &mut rng).unwrap()));
        let free = mean(std::array::from_fn(|_| index.draw(&mut rng).unwrap()));
        assert!((40..44).contains(&packed) && free > 58, "{packed} and {free}");
    }

    #[test]
    fn all_fleets_are_equally_likely() {
        let index = index("5x4:3,2,touching=corners");
        let fleets = layout::all(index.rules()).count();
        let mut rng = Seed::new(2).rng();
        let mut counts: HashMap<String, u32> = HashMap::new();
        for _ in 0..fleets * 400 {
            let layout = index.draw(&mut rng).unwrap();
            *counts.entry(index.fleet(&layout).unwrap().to_string()).or_default() += 1;
        }
        assert_eq!(counts.len(), fleets);
        assert!(counts.values().all(|count| (300..500).contains(count)), "{counts:?}");
    }
}
