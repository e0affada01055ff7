//! Odds estimated by [importance sampling](https://en.wikipedia.org/wiki/Importance_sampling), where counting takes too long.
//!
//! Layouts are built ship by ship. A layout weighs the inverse of the probability with which it was built.

use rand_core::Rng;
use seabattle_core::{
    Announce, Cell, CellSet, ClassId, Knowledge, Orientation, Outcome, Rules, Seed, SeededRng, Ship, Touching,
    uniform_below,
};

use crate::Limits;
use crate::placements::{placement_index, ships};
use crate::prior::Prior;
use crate::stop::is_stopped;

/// The fewest samples of an estimate.
const MIN_SAMPLES: usize = 20;

/// Estimates from samples.
pub(crate) struct Estimate {
    pub(crate) layouts: f64,
    /// For each class and placement, the probability of such a ship there.
    pub(crate) placements: Vec<Vec<f64>>,
    /// The standard error for each cell.
    pub(crate) errors: Vec<f64>,
}

/// Estimates the odds from samples with a fixed seed; `None` if no sample is consistent.
pub(crate) fn estimate(knowledge: &Knowledge, prior: &Prior, limits: &Limits) -> Option<Estimate> {
    let rules = knowledge.rules();
    let weights = prior.weights(rules);
    let mut rng = Seed::new(0).rng();
    let mut sums = WeightedSums::new(rules);
    let cells_per_sample = rules.ship_count().max(1) * rules.size().area();
    let samples = limits.max_samples.min(limits.max_sampled_cells / cells_per_sample).max(MIN_SAMPLES);
    for _ in 0..samples {
        if is_stopped() {
            return None;
        }
        if let Some((ships, log_weight)) = draw(knowledge, weights.as_ref(), &mut rng) {
            sums.add(rules, &ships, log_weight);
        }
    }
    sums.estimate(samples)
}

/// Builds one consistent layout, with the logarithm of its weight; `None` if it reaches a dead end.
fn draw(knowledge: &Knowledge, weights: Option<&Vec<Vec<f64>>>, rng: &mut SeededRng) -> Option<(Vec<Ship>, f64)> {
    let rules = knowledge.rules();
    let mut builder = LayoutBuilder {
        knowledge,
        rules,
        misses: knowledge.misses(),
        left: rules.classes().iter().map(|class| class.count()).collect(),
        claim: CellSet::empty(rules.size()),
        uncovered: knowledge.hits().clone(),
        ships: Vec::with_capacity(rules.ship_count()),
        log_weight: 0.0,
    };
    builder.place_sunk_ships(rng)?;
    builder.cover_hits(rng)?;
    builder.place_free_ships(rng)?;
    if let Some(weights) = weights {
        for ship in &builder.ships {
            builder.log_weight += weights[ship.class().index()][placement_index(rules.size(), ship)?].ln();
        }
    }
    builder.log_weight.is_finite().then_some((builder.ships, builder.log_weight))
}

/// A layout that is being built, with the logarithm of its weight.
struct LayoutBuilder<'a> {
    knowledge: &'a Knowledge,
    rules: &'a Rules,
    misses: CellSet,
    left: Vec<u16>,
    claim: CellSet,
    uncovered: CellSet,
    ships: Vec<Ship>,
    log_weight: f64,
}

impl LayoutBuilder<'_> {
    /// Places the sunk ships: each covers the shot that sank it, within the hits up to then.
    fn place_sunk_ships(&mut self, rng: &mut SeededRng) -> Option<()> {
        let mut hits = CellSet::empty(self.rules.size());
        for shot in self.knowledge.shots() {
            if shot.outcome.is_hit() {
                hits.insert(shot.cell);
            }
            if let Outcome::Sunk(announced) = shot.outcome {
                let fits = |builder: &Self, ship: &Ship| {
                    announced.is_none_or(|class| class == ship.class())
                        && ship.cells().all(|cell| hits.contains(cell))
                        && builder.has_room_for(ship)
                };
                let choices: Vec<Ship> = self.through(shot.cell).filter(|ship| fits(self, ship)).collect();
                self.place_one_of(&choices, rng)?;
            }
        }
        Some(())
    }

    /// Places ships afloat on the open hits, each time on the first hit that no ship covers.
    fn cover_hits(&mut self, rng: &mut SeededRng) -> Option<()> {
        while let Some(hit) = self.uncovered.first() {
            let choices: Vec<Ship> =
                self.through(hit).filter(|ship| self.may_be_afloat(ship) && self.has_room_for(ship)).collect();
            self.place_one_of(&choices, rng)?;
        }
        Some(())
    }

    /// Places the remaining ships anywhere. The order of ships of one class does not matter.
    fn place_free_ships(&mut self, rng: &mut SeededRng) -> Option<()> {
        for class in self.rules.class_ids() {
            let length = self.rules.class(class).length();
            for remaining in (1..=self.left[class.index()]).rev() {
                let free = &!&self.misses - &self.claim;
                let across = free.starts(length, Orientation::Across);
                let down =
                    if length == 1 { CellSet::empty(free.size()) } else { free.starts(length, Orientation::Down) };
                let (across_count, down_count) = (across.len(), down.len());
                if across_count + down_count == 0 {
                    return None;
                }
                self.log_weight += ((across_count + down_count) as f64 / f64::from(remaining)).ln();
                let drawn = uniform_below(rng, across_count + down_count);
                let ship = match drawn.checked_sub(across_count) {
                    None => self.rules.ship(class, across.nth(drawn)?, Orientation::Across),
                    Some(rank) => self.rules.ship(class, down.nth(rank)?, Orientation::Down),
                };
                self.place(ship);
            }
        }
        Some(())
    }

    fn place_one_of(&mut self, choices: &[Ship], rng: &mut impl Rng) -> Option<()> {
        let ship = *choices.get(uniform_below(rng, choices.len()))?;
        self.log_weight += (choices.len() as f64).ln();
        self.place(ship);
        Some(())
    }

    fn place(&mut self, ship: Ship) {
        let size = self.rules.size();
        self.left[ship.class().index()] = self.left[ship.class().index()].saturating_sub(1);
        self.claim |= &ship.claim(size, self.rules.touching());
        self.uncovered = &self.uncovered - &CellSet::of_ship(size, &ship);
        self.ships.push(ship);
    }

    /// All placements across a cell of ships that are left.
    fn through(&self, cell: Cell) -> impl Iterator<Item = Ship> + '_ {
        let classes = self.rules.class_ids().filter(|class| self.left[class.index()] > 0);
        classes.flat_map(move |class| ships_through(self.rules, class, cell))
    }

    /// Whether a ship conflicts with no other ship, and no open hit is in the water that it needs.
    fn has_room_for(&self, ship: &Ship) -> bool {
        let size = self.rules.size();
        let own = CellSet::of_ship(size, ship);
        let fits = ship.is_within(size) && !own.intersects(&self.claim) && self.is_named_consistently(ship);
        let touching = self.rules.touching();
        fits && (touching == Touching::Allowed || !(&ship.claim(size, touching) - &own).intersects(&self.uncovered))
    }

    fn may_be_afloat(&self, ship: &Ship) -> bool {
        let hits = self.knowledge.hits();
        let all_hit = self.rules.announce() >= Announce::Sunk && ship.cells().all(|cell| hits.contains(cell));
        !all_hit && !ship.cells().any(|cell| self.misses.contains(cell))
    }

    /// Whether no hit under the ship is named as another class.
    fn is_named_consistently(&self, ship: &Ship) -> bool {
        self.rules.announce() != Announce::Named
            || self.knowledge.shots().iter().filter(|shot| ship.covers(shot.cell)).all(|shot| match shot.outcome {
                Outcome::Hit(class) | Outcome::Sunk(class) => class == Some(ship.class()),
                Outcome::Miss => true,
            })
    }
}

fn ships_through(rules: &Rules, class: ClassId, cell: Cell) -> impl Iterator<Item = Ship> + '_ {
    let length = rules.class(class).length();
    let orientations = if length == 1 { &Orientation::ALL[..1] } else { &Orientation::ALL[..] };
    orientations.iter().flat_map(move |&orientation| {
        (0..length).filter_map(move |back| Some(rules.ship(class, cell.step_back(orientation, back)?, orientation)))
    })
}

/// Weighted sums over the samples.
struct WeightedSums {
    scale: Option<f64>,
    weight: f64,
    squares: f64,
    placements: Vec<Vec<f64>>,
    cell_weights: Vec<f64>,
    cell_squares: Vec<f64>,
}

impl WeightedSums {
    fn new(rules: &Rules) -> Self {
        let area = rules.size().area();
        Self {
            scale: None,
            weight: 0.0,
            squares: 0.0,
            placements: rules.class_ids().map(|class| vec![0.0; ships(rules, class).count()]).collect(),
            cell_weights: vec![0.0; area],
            cell_squares: vec![0.0; area],
        }
    }

    fn add(&mut self, rules: &Rules, ships: &[Ship], log_weight: f64) {
        let weight = (log_weight - *self.scale.get_or_insert(log_weight)).exp();
        self.weight += weight;
        self.squares += weight * weight;
        for ship in ships {
            if let Some(placement) = placement_index(rules.size(), ship) {
                self.placements[ship.class().index()][placement] += weight;
            }
            for cell in ship.cells() {
                self.cell_weights[rules.size().index(cell)] += weight;
                self.cell_squares[rules.size().index(cell)] += weight * weight;
            }
        }
    }

    fn estimate(self, samples: usize) -> Option<Estimate> {
        let layouts = self.scale?.exp() * self.weight / samples as f64;
        let error = |(weight, squares): (&f64, &f64)| {
            let share = weight / self.weight;
            let spread = squares * (1.0 - 2.0 * share) + share * share * self.squares;
            spread.max(0.0).sqrt() / self.weight
        };
        let errors = self.cell_weights.iter().zip(&self.cell_squares).map(error).collect();
        let placements =
            self.placements.iter().map(|class| class.iter().map(|weight| weight / self.weight).collect()).collect();
        Some(Estimate { layouts, placements, errors })
    }
}
