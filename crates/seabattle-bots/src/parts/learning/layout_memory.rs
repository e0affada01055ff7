//! A memory of the layouts that an opponent has used, and of how likely it is to use one again.

use seabattle_core::{Cell, CellSet, Fleet, Knowledge, Orientation, Rules, Ship, Shot, Sinking, Symmetry, View};

use crate::parts::shot_cursor::ShotCursor;

/// The most remembered layouts. The one seen longest ago is forgotten first.
const MAX_LAYOUTS: usize = 24;

/// The prior of a repeated layout, as pseudo-counts of a Beta distribution: repetitions, then other games.
const REPEAT_PRIOR: (f64, f64) = (0.15, 1.0);

/// The prior of a rotated or mirrored layout, as pseudo-counts of a Beta distribution.
const TURNED_PRIOR: (f64, f64) = (0.03, 1.0);

/// The least prior probability of a new layout.
const MIN_NEW_LAYOUT: f64 = 0.02;

/// The least probability of a hit for a shot from memory, while hunting.
const MIN_HUNT_PROBABILITY: f64 = 0.3;

/// The least probability of a hit for a shot from memory, while there are open hits.
const MIN_TARGET_PROBABILITY: f64 = 0.6;

/// The assumed hit rate near an open hit, if the layout is new.
const TARGET_HIT_RATE: f64 = 0.5;

/// The assumed hit rate while hunting, relative to a random shot, if the layout is new.
const HUNT_HIT_FACTOR: f64 = 1.25;

#[derive(Default)]
pub(super) struct LayoutMemory {
    layouts: Vec<RememberedLayout>,
    /// The games in which the opponent could repeat a layout.
    games: f64,
    /// The games in which it did.
    repeated: f64,
    /// The games in which it rotated or mirrored a layout.
    turned: f64,
    game: CurrentGame,
}

/// A layout with its images under all symmetries of the board, itself first.
struct RememberedLayout {
    fleets: Vec<Fleet>,
    uses: f64,
}

/// The evidence of the current game for each remembered layout.
#[derive(Default)]
struct CurrentGame {
    cursor: ShotCursor,
    /// For every layout and image, whether it is consistent with all answers.
    consistent: Vec<Vec<bool>>,
    hits: Option<CellSet>,
    /// The likelihood of the answers so far, if the layout is new.
    new_layout_likelihood: f64,
    is_hunting: bool,
}

impl LayoutMemory {
    /// Starts a new game.
    pub(super) fn start(&mut self) {
        let consistent = self.layouts.iter().map(|layout| vec![true; layout.fleets.len()]).collect();
        self.game = CurrentGame { consistent, new_layout_likelihood: 1.0, is_hunting: true, ..CurrentGame::default() };
    }

    /// The likeliest cell of the remembered layouts, if a hit there is likely enough.
    pub(super) fn shot(&mut self, view: &View<'_>) -> Option<Cell> {
        if self.layouts.is_empty() {
            return None;
        }
        for &shot in self.game.cursor.new_shots(view) {
            self.update(shot, view.rules());
        }
        self.game.is_hunting = view.enemy().open_hits().is_empty();
        let weighted_layouts = self.weighted_layouts();
        let new_layout_weight = (1.0 - self.repeat_probability()).max(MIN_NEW_LAYOUT) * self.game.new_layout_likelihood;
        let total = new_layout_weight + weighted_layouts.iter().map(|(_, weight)| weight).sum::<f64>();
        let hit_probability = |cell: Cell| -> f64 {
            weighted_layouts
                .iter()
                .filter(|(fleet, _)| fleet.occupied().contains(cell))
                .map(|(_, weight)| weight / total)
                .sum()
        };
        let remembered: CellSet =
            weighted_layouts.iter().fold(CellSet::empty(view.rules().size()), |mut cells, (fleet, _)| {
                cells |= fleet.occupied();
                cells
            });
        let targets = remembered.iter().filter(|&cell| view.is_target(cell)).map(|cell| (cell, hit_probability(cell)));
        let (cell, probability) = targets.max_by(|a, b| a.1.total_cmp(&b.1))?;
        let threshold = if self.game.is_hunting { MIN_HUNT_PROBABILITY } else { MIN_TARGET_PROBABILITY };
        (probability >= threshold).then_some(cell)
    }

    /// Learns the layout of one game.
    pub(super) fn add(&mut self, fleet: &Fleet) {
        let known_index = self.layouts.iter().position(|layout| layout.fleets[0] == *fleet);
        let is_turned = known_index.is_none() && self.layouts.iter().any(|layout| layout.fleets.contains(fleet));
        if !self.layouts.is_empty() {
            self.games += 1.0;
        }
        self.turned += f64::from(u8::from(is_turned));
        match known_index {
            Some(index) => {
                self.repeated += 1.0;
                let mut layout = self.layouts.remove(index);
                layout.uses += 1.0;
                self.layouts.insert(0, layout);
            }
            None => {
                self.layouts.truncate(MAX_LAYOUTS - 1);
                self.layouts.insert(0, RememberedLayout { fleets: symmetric_fleets(fleet), uses: 1.0 });
            }
        }
        self.start();
    }

    /// The probability that the opponent repeats a layout, unchanged or rotated.
    fn repeat_probability(&self) -> f64 {
        self.posterior_mean(self.repeated, REPEAT_PRIOR) + self.posterior_mean(self.turned, TURNED_PRIOR)
    }

    fn posterior_mean(&self, times: f64, prior: (f64, f64)) -> f64 {
        (times + prior.0) / (self.games + prior.1 + prior.0)
    }

    /// Every consistent layout with its prior probability.
    fn weighted_layouts(&self) -> Vec<(&Fleet, f64)> {
        let all_uses: f64 = self.layouts.iter().map(|layout| layout.uses).sum();
        let [repeat_share, turned_share] =
            [self.posterior_mean(self.repeated, REPEAT_PRIOR), self.posterior_mean(self.turned, TURNED_PRIOR)];
        let mut weighted_layouts = Vec::new();
        for (layout, consistent) in self.layouts.iter().zip(&self.game.consistent) {
            let turns = (layout.fleets.len() - 1).max(1) as f64;
            for (index, fleet) in layout.fleets.iter().enumerate().filter(|(index, _)| consistent[*index]) {
                let share = if index == 0 { repeat_share } else { turned_share / turns };
                weighted_layouts.push((fleet, share * layout.uses / all_uses));
            }
        }
        weighted_layouts
    }

    fn update(&mut self, shot: Shot, rules: &Rules) {
        let game = &mut self.game;
        let hits = game.hits.get_or_insert_with(|| CellSet::empty(rules.size()));
        for (layout, consistent) in self.layouts.iter().zip(&mut game.consistent) {
            for (fleet, is_consistent) in layout.fleets.iter().zip(consistent) {
                *is_consistent &= fleet.answer(shot.cell, hits) == shot.outcome;
            }
        }
        let ship_share = rules.fleet_cells() as f64 / rules.size().area() as f64;
        let hit_probability = if game.is_hunting { (ship_share * HUNT_HIT_FACTOR).min(0.5) } else { TARGET_HIT_RATE };
        game.new_layout_likelihood *= if shot.outcome.is_hit() { hit_probability } else { 1.0 - hit_probability };
        if shot.outcome.is_hit() {
            hits.insert(shot.cell);
        }
    }
}

fn symmetric_fleets(fleet: &Fleet) -> Vec<Fleet> {
    let rules = fleet.rules();
    let transformed = |symmetry: Symmetry| {
        let ships = fleet.ships().iter().map(|ship| symmetry.ship(ship, rules)).collect();
        Fleet::of_ships(rules, ships).ok()
    };
    let mut fleets: Vec<Fleet> = Vec::new();
    for fleet in Symmetry::all(rules.size()).filter_map(transformed) {
        if !fleets.contains(&fleet) {
            fleets.push(fleet);
        }
    }
    fleets
}

/// The fleet that was sunk, if the announcements show where each ship was.
pub(super) fn sunk_fleet(enemy: &Knowledge) -> Option<Fleet> {
    if !enemy.is_fleet_sunk() {
        return None;
    }
    let rules = enemy.rules();
    let ship = |sinking: &Sinking| -> Option<Ship> {
        let (class, cells) = (sinking.class?, sinking.cells.as_ref()?);
        let first = cells.first()?;
        let mut candidates = Orientation::ALL.into_iter().map(|orientation| rules.ship(class, first, orientation));
        candidates.find(|ship| CellSet::of(rules.size(), ship.cells()) == *cells)
    };
    let ships = enemy.sinkings().iter().map(ship).collect::<Option<Vec<Ship>>>()?;
    Fleet::of_ships(rules, ships).ok()
}

#[cfg(test)]
mod tests {
    use super::{LayoutMemory, sunk_fleet};
    use seabattle_core::{Cell, Fleet, Rules, Seed, Solo, layout};

    const FLEET: &str =
        "carrier A1 across, battleship C4 down, cruiser H2 down, submarine F9 across, destroyer J6 down";

    fn classic(text: &str) -> Fleet {
        Fleet::parse(&Rules::classic(), text).unwrap()
    }

    /// Shots until the fleet is sunk, and how many of them came from memory. The other shots go row by row.
    fn play(memory: &mut LayoutMemory, fleet: &Fleet) -> (usize, usize) {
        let mut game = Solo::new(fleet.clone());
        let mut remembered = 0;
        memory.start();
        while !game.is_over() {
            let remembered_cell = memory.shot(&game.view());
            remembered += usize::from(remembered_cell.is_some());
            let cell = remembered_cell.or_else(|| game.view().targets().first()).unwrap();
            game.fire(&[cell]).unwrap();
        }
        memory.add(fleet);
        (game.knowledge().shots().len(), remembered)
    }

    #[test]
    fn a_repeated_layout_is_shot_from_memory() {
        let mut memory = LayoutMemory::default();
        let shots: Vec<usize> = (0..4).map(|_| play(&mut memory, &classic(FLEET)).0).collect();
        assert!(shots[0] > 80 && shots[1] < 30, "{shots:?}");
        assert_eq!(shots[2..], [17, 17]);
    }

    #[test]
    fn three_alternating_layouts_are_distinguished() {
        let mut rng = Seed::new(8).rng();
        let fleets: Vec<Fleet> = (0..3).map(|_| layout::any(&Rules::classic(), &mut rng)).collect();
        let mut memory = LayoutMemory::default();
        let shots: Vec<usize> = (0..12).map(|game| play(&mut memory, &fleets[game % 3]).0).collect();
        assert!(shots[6..].iter().all(|&shots| shots < 26), "{shots:?}");
    }

    #[test]
    fn a_turned_layout_is_recognized() {
        let mut memory = LayoutMemory::default();
        let fleet = classic(FLEET);
        let turned = super::symmetric_fleets(&fleet);
        let shots: Vec<usize> = turned.iter().map(|fleet| play(&mut memory, fleet).0).collect();
        assert_eq!(turned.len(), 8);
        assert!(shots[4..].iter().all(|&shots| shots < 30), "{shots:?}");
    }

    #[test]
    fn new_layouts_are_not_shot_from_memory() {
        let mut rng = Seed::new(9).rng();
        let mut memory = LayoutMemory::default();
        let games: Vec<(usize, usize)> =
            (0..200).map(|_| play(&mut memory, &layout::any(&Rules::classic(), &mut rng))).collect();
        let remembered: usize = games.iter().map(|(_, remembered)| remembered).sum();
        assert!(remembered < 100, "{remembered}");
        assert!(memory.layouts.len() <= super::MAX_LAYOUTS);
    }

    #[test]
    fn the_ships_of_a_sunk_fleet_are_located() {
        let fleet = classic(FLEET);
        let mut game = Solo::new(fleet.clone());
        assert_eq!(sunk_fleet(game.knowledge()), None);
        let cells: Vec<Cell> = fleet.occupied().iter().collect();
        cells.iter().for_each(|&cell| assert!(game.fire(&[cell]).is_ok()));
        assert_eq!(sunk_fleet(game.knowledge()), Some(fleet));
    }
}
