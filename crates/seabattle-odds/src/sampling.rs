//! Odds by sampling, where counting would take too long: layouts built ship by ship, weighted so that all count alike.

use rand_core::Rng;
use seabattle_core::{
    Announce, Cell, CellSet, ClassId, Knowledge, Orientation, Outcome, Rules, Seed, SeededRng, Ship, Touching,
    uniform_below,
};

use crate::Limits;
use crate::places::{place_number, ships};
use crate::prior::Prior;

/// Fewer tell nothing.
const LEAST_SAMPLES: usize = 20;

/// What the samples say.
pub(crate) struct Estimate {
    pub(crate) layouts: f64,
    /// For each class and place, the probability of such a ship there.
    pub(crate) places: Vec<Vec<f64>>,
    /// The standard error for each cell.
    pub(crate) errors: Vec<f64>,
}

/// An estimate from samples with a fixed seed; nothing if no sample fits.
pub(crate) fn estimate(knowledge: &Knowledge, prior: &Prior, limits: &Limits) -> Option<Estimate> {
    let rules = knowledge.rules();
    let weights = prior.weights(rules);
    let mut rng = Seed::new(0).rng();
    let mut sums = Sums::new(rules);
    let work_each = rules.ship_count().max(1) * rules.size().area();
    let samples = limits.max_samples.min(limits.max_sampled_cells / work_each).max(LEAST_SAMPLES);
    for _ in 0..samples {
        if let Some((ships, log_weight)) = draw(knowledge, weights.as_ref(), &mut rng) {
            sums.add(rules, &ships, log_weight);
        }
    }
    sums.estimate(samples)
}

/// One layout that fits, with the logarithm of its weight; nothing if it got stuck.
fn draw(knowledge: &Knowledge, weights: Option<&Vec<Vec<f64>>>, rng: &mut SeededRng) -> Option<(Vec<Ship>, f64)> {
    let rules = knowledge.rules();
    let mut build = Build {
        knowledge,
        rules,
        misses: knowledge.misses(),
        left: rules.classes().iter().map(|class| class.count()).collect(),
        claim: CellSet::empty(rules.size()),
        uncovered: knowledge.hits().clone(),
        ships: Vec::with_capacity(rules.ship_count()),
        log_weight: 0.0,
    };
    build.raise_wrecks(rng)?;
    build.cover_hits(rng)?;
    build.fill_up(rng)?;
    if let Some(weights) = weights {
        for ship in &build.ships {
            build.log_weight += weights[ship.class().index()][place_number(rules.size(), ship)?].ln();
        }
    }
    build.log_weight.is_finite().then_some((build.ships, build.log_weight))
}

struct Build<'a> {
    knowledge: &'a Knowledge,
    rules: &'a Rules,
    misses: CellSet,
    left: Vec<u16>,
    claim: CellSet,
    uncovered: CellSet,
    ships: Vec<Ship>,
    log_weight: f64,
}

impl Build<'_> {
    /// Sunk ships first: each lies across its last shot, in the hits so far.
    fn raise_wrecks(&mut self, rng: &mut SeededRng) -> Option<()> {
        let mut hits = CellSet::empty(self.rules.size());
        for shot in self.knowledge.shots() {
            if shot.outcome.is_hit() {
                hits.insert(shot.cell);
            }
            if let Outcome::Sunk(announced) = shot.outcome {
                let fits = |build: &Self, ship: &Ship| {
                    announced.is_none_or(|class| class == ship.class())
                        && ship.cells().all(|cell| hits.contains(cell))
                        && build.tolerates(ship)
                };
                let choices: Vec<Ship> = self.through(shot.cell).filter(|ship| fits(self, ship)).collect();
                self.choose(&choices, rng)?;
            }
        }
        Some(())
    }

    /// Then ships afloat, each across the first hit that has none yet.
    fn cover_hits(&mut self, rng: &mut SeededRng) -> Option<()> {
        while let Some(hit) = self.uncovered.first() {
            let choices: Vec<Ship> =
                self.through(hit).filter(|ship| self.may_float(ship) && self.tolerates(ship)).collect();
            self.choose(&choices, rng)?;
        }
        Some(())
    }

    /// Last the ships that nothing is known of; the order of those of one class does not matter.
    fn fill_up(&mut self, rng: &mut SeededRng) -> Option<()> {
        for class in self.rules.class_ids() {
            let length = self.rules.class(class).length();
            for remaining in (1..=self.left[class.index()]).rev() {
                let free = &!&self.misses - &self.claim;
                let across = free.starts(length, Orientation::Across);
                let down =
                    if length == 1 { CellSet::empty(free.size()) } else { free.starts(length, Orientation::Down) };
                let (count, more) = (across.len(), down.len());
                if count + more == 0 {
                    return None;
                }
                self.log_weight += ((count + more) as f64 / f64::from(remaining)).ln();
                let drawn = uniform_below(rng, count + more);
                let ship = match drawn.checked_sub(count) {
                    None => self.rules.ship(class, across.nth(drawn)?, Orientation::Across),
                    Some(rank) => self.rules.ship(class, down.nth(rank)?, Orientation::Down),
                };
                self.put(ship);
            }
        }
        Some(())
    }

    fn choose(&mut self, choices: &[Ship], rng: &mut impl Rng) -> Option<()> {
        let ship = *choices.get(uniform_below(rng, choices.len()))?;
        self.log_weight += (choices.len() as f64).ln();
        self.put(ship);
        Some(())
    }

    fn put(&mut self, ship: Ship) {
        let size = self.rules.size();
        self.left[ship.class().index()] = self.left[ship.class().index()].saturating_sub(1);
        self.claim |= &ship.claim(size, self.rules.touching());
        self.uncovered = &self.uncovered - &CellSet::of_ship(size, &ship);
        self.ships.push(ship);
    }

    /// All ships of classes not used up that lie across a cell.
    fn through(&self, cell: Cell) -> impl Iterator<Item = Ship> + '_ {
        let classes = self.rules.class_ids().filter(|class| self.left[class.index()] > 0);
        classes.flat_map(move |class| lines_through(self.rules, class, cell))
    }

    /// Whether a ship leaves the others room: apart from them, and no open hit in the water it needs.
    fn tolerates(&self, ship: &Ship) -> bool {
        let size = self.rules.size();
        let own = CellSet::of_ship(size, ship);
        let fits = ship.lies_on(size) && !own.intersects(&self.claim) && self.labels_allow(ship);
        let touching = self.rules.touching();
        fits && (touching == Touching::Allowed || !(&ship.claim(size, touching) - &own).intersects(&self.uncovered))
    }

    fn may_float(&self, ship: &Ship) -> bool {
        let hits = self.knowledge.hits();
        let all_hit = self.rules.announce() >= Announce::Sunk && ship.cells().all(|cell| hits.contains(cell));
        !all_hit && !ship.cells().any(|cell| self.misses.contains(cell))
    }

    /// Where hits name their ship, no other class may cover them.
    fn labels_allow(&self, ship: &Ship) -> bool {
        self.rules.announce() != Announce::Named
            || self.knowledge.shots().iter().filter(|shot| ship.covers(shot.cell)).all(|shot| match shot.outcome {
                Outcome::Hit(class) | Outcome::Sunk(class) => class == Some(ship.class()),
                Outcome::Miss => true,
            })
    }
}

fn lines_through(rules: &Rules, class: ClassId, cell: Cell) -> impl Iterator<Item = Ship> + '_ {
    let length = rules.class(class).length();
    let headings = if length == 1 { &Orientation::ALL[..1] } else { &Orientation::ALL[..] };
    headings.iter().flat_map(move |&orientation| {
        (0..length).filter_map(move |back| Some(rules.ship(class, cell.step_back(orientation, back)?, orientation)))
    })
}

/// Weighted sums over the samples.
struct Sums {
    scale: Option<f64>,
    weight: f64,
    squares: f64,
    places: Vec<Vec<f64>>,
    cell_weights: Vec<f64>,
    cell_squares: Vec<f64>,
}

impl Sums {
    fn new(rules: &Rules) -> Self {
        let area = rules.size().area();
        Self {
            scale: None,
            weight: 0.0,
            squares: 0.0,
            places: rules.class_ids().map(|class| vec![0.0; ships(rules, class).count()]).collect(),
            cell_weights: vec![0.0; area],
            cell_squares: vec![0.0; area],
        }
    }

    fn add(&mut self, rules: &Rules, ships: &[Ship], log_weight: f64) {
        let weight = (log_weight - *self.scale.get_or_insert(log_weight)).exp();
        self.weight += weight;
        self.squares += weight * weight;
        for ship in ships {
            if let Some(place) = place_number(rules.size(), ship) {
                self.places[ship.class().index()][place] += weight;
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
        let places =
            self.places.iter().map(|class| class.iter().map(|weight| weight / self.weight).collect()).collect();
        Some(Estimate { layouts, places, errors })
    }
}
