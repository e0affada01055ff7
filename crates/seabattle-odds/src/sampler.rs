//! A sampler of consistent layouts, each with the same probability.

use rand_core::Rng;
use seabattle_core::{ClassId, Fleet, Knowledge, Ship, uniform_below};
use thiserror::Error;

use crate::placements::{Bits, Placement};
use crate::position::{Assignment, Position};
use crate::prior::Prior;

/// The most hit covers that are kept.
const MAX_COVERS: usize = 200_000;

/// The most ships that are drawn before a layout is given up.
const MAX_DRAWS: usize = 10_000_000;

/// A sampler that draws uniformly from all consistent layouts of a position.
///
/// It draws in two steps, by [rejection sampling](https://en.wikipedia.org/wiki/Rejection_sampling). First it draws a
/// hit cover: ships that explain all hits. The probability is proportional to an upper bound of the completions of the
/// cover. Then it draws the other ships independently, and starts again if two ships conflict.
pub struct Sampler {
    rules: seabattle_core::Rules,
    draws: SamplingMethod,
}

/// The hit covers, for small or large boards.
enum SamplingMethod {
    Small(Box<HitCovers<2>>),
    Large(Box<HitCovers<40>>),
}

/// Why no layout can be drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SamplerError {
    /// No layout is consistent with the position.
    #[error("no layout fits the position")]
    Impossible,
    /// The hits can be explained in too many ways.
    #[error("more than {MAX_COVERS} ways to explain the hits")]
    TooManyCovers,
    /// Consistent layouts are so rare that none was drawn.
    #[error("no layout fits among {MAX_DRAWS} ships drawn: the position is too tight to sample")]
    TooTight,
}

impl Sampler {
    /// Prepares to draw consistent layouts of a position.
    pub fn new(knowledge: &Knowledge) -> Result<Self, SamplerError> {
        let rules = knowledge.rules().clone();
        let draws = if rules.size().area() <= 128 {
            SamplingMethod::Small(Box::new(HitCovers::new(&Position::new(knowledge, &Prior::Uniform))?))
        } else {
            SamplingMethod::Large(Box::new(HitCovers::new(&Position::new(knowledge, &Prior::Uniform))?))
        };
        Ok(Self { rules, draws })
    }

    /// Draws one layout.
    pub fn draw(&mut self, rng: &mut impl Rng) -> Result<Fleet, SamplerError> {
        let mut ships = Vec::with_capacity(self.rules.ship_count());
        match &self.draws {
            SamplingMethod::Small(covers) => {
                covers.draw(rng, &mut |class, placement| ships.push(ship(&self.rules, class, placement)))
            }
            SamplingMethod::Large(covers) => {
                covers.draw(rng, &mut |class, placement| ships.push(ship(&self.rules, class, placement)))
            }
        }?;
        Fleet::of_ships(&self.rules, ships).map_err(|_| SamplerError::Impossible)
    }
}

fn ship<const N: usize>(rules: &seabattle_core::Rules, class: ClassId, placement: &Placement<N>) -> Ship {
    rules.ship(class, placement.start, placement.orientation)
}

/// All hit covers, and where the other ships may be.
struct HitCovers<const N: usize> {
    covers: Vec<HitCover<N>>,
    /// The running sums of the weights of the covers.
    sums: Vec<f64>,
    placements: Vec<Vec<Placement<N>>>,
    /// For each class the placements without a hit.
    open: Vec<Vec<u32>>,
}

/// Ships that explain all hits of a position.
struct HitCover<const N: usize> {
    ships: Vec<(ClassId, u32)>,
    claim: Bits<N>,
    /// The classes of the ships that are left to draw, with their counts.
    free: Vec<(ClassId, u16)>,
}

impl<const N: usize> HitCovers<N> {
    fn new(position: &Position<'_, N>) -> Result<Self, SamplerError> {
        let none = Assignment { ships: Vec::new(), cells: Bits::EMPTY, claim: Bits::EMPTY };
        let open_place = |class: ClassId, placement: &Placement<N>| {
            position.may_be_afloat(&none, class, placement) && !placement.cells.intersects(&position.hits)
        };
        let open = position.rules.class_ids().map(|class| {
            let placements = position.placements[class.index()].iter().enumerate();
            placements.filter(|(_, placement)| open_place(class, placement)).map(|(at, _)| at as u32).collect()
        });
        let mut covers = Self {
            covers: Vec::new(),
            sums: Vec::new(),
            open: open.collect(),
            placements: position.placements.clone(),
        };
        for assignment in position.sunk_assignments(MAX_COVERS).ok_or(SamplerError::TooManyCovers)? {
            covers.extend(position, &assignment)?;
        }
        covers.weigh();
        if covers.sums.last().is_none_or(|sum| *sum <= 0.0) {
            return Err(SamplerError::Impossible);
        }
        Ok(covers)
    }

    /// Assigns the first uncovered hit to a ship in every possible way, then the next hit.
    fn extend(&mut self, position: &Position<'_, N>, assignment: &Assignment<N>) -> Result<(), SamplerError> {
        let uncovered = position.hits.without(&assignment.cells);
        if uncovered.intersects(&assignment.claim) {
            return Ok(());
        }
        let Some(hit) = uncovered.first() else {
            return self.add(position, assignment);
        };
        for class in position.rules.class_ids() {
            if position.afloat(assignment, class) == 0 {
                continue;
            }
            for (at, placement) in position.placements[class.index()].iter().enumerate() {
                if placement.cells.get(hit) && position.may_be_afloat(assignment, class, placement) {
                    self.extend(position, &assignment.with(class, at, placement))?;
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, position: &Position<'_, N>, assignment: &Assignment<N>) -> Result<(), SamplerError> {
        let left = |class: ClassId| (class, position.afloat(assignment, class) as u16);
        self.covers.push(HitCover {
            ships: assignment.ships.iter().map(|&(class, placement)| (class, placement as u32)).collect(),
            claim: assignment.claim,
            free: position.rules.class_ids().map(left).filter(|(_, count)| *count > 0).collect(),
        });
        if self.covers.len() > MAX_COVERS { Err(SamplerError::TooManyCovers) } else { Ok(()) }
    }

    /// Weighs each cover by the number of its completions if no ships could conflict.
    fn weigh(&mut self) {
        let log_weight = |cover: &HitCover<N>| -> f64 {
            let of_class = |&(class, count): &(ClassId, u16)| {
                let placements = self.open[class.index()].len() as f64;
                (1..=count).map(|number| (placements / f64::from(number)).ln()).sum::<f64>()
            };
            cover.free.iter().map(of_class).sum()
        };
        let log_weights: Vec<f64> = self.covers.iter().map(log_weight).collect();
        let largest = log_weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for log in log_weights {
            sum += if log == f64::NEG_INFINITY { 0.0 } else { (log - largest).exp() };
            self.sums.push(sum);
        }
    }

    fn draw(&self, rng: &mut impl Rng, add: &mut dyn FnMut(ClassId, &Placement<N>)) -> Result<(), SamplerError> {
        let mut chosen: Vec<(ClassId, u32)> = Vec::with_capacity(16);
        let mut draws = 0;
        while draws < MAX_DRAWS {
            let cover = self.draw_cover(rng);
            chosen.clear();
            if self.complete(cover, rng, &mut chosen, &mut draws) {
                for &(class, placement) in cover.ships.iter().chain(&chosen) {
                    add(class, &self.placements[class.index()][placement as usize]);
                }
                return Ok(());
            }
        }
        Err(SamplerError::TooTight)
    }

    fn draw_cover(&self, rng: &mut impl Rng) -> &HitCover<N> {
        if self.covers.len() == 1 {
            return &self.covers[0];
        }
        let total = self.sums.last().copied().unwrap_or(0.0);
        let drawn = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * total;
        let at = self.sums.partition_point(|sum| *sum <= drawn);
        &self.covers[at.min(self.covers.len() - 1)]
    }

    fn complete(
        &self,
        cover: &HitCover<N>,
        rng: &mut impl Rng,
        chosen: &mut Vec<(ClassId, u32)>,
        draws: &mut usize,
    ) -> bool {
        let mut claim = cover.claim;
        *draws += 1;
        for &(class, count) in &cover.free {
            let open = &self.open[class.index()];
            for _ in 0..count {
                *draws += 1;
                let Some(&at) = open.get(uniform_below(rng, open.len())) else { return false };
                let placement = &self.placements[class.index()][at as usize];
                if placement.cells.intersects(&claim) {
                    return false;
                }
                claim = claim.or(&placement.claim);
                chosen.push((class, at));
            }
        }
        true
    }
}
