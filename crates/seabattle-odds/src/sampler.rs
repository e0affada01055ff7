//! Layouts that fit a position, each as likely as any other.

use rand_core::Rng;
use seabattle_core::{ClassId, Fleet, Knowledge, Ship, uniform_below};
use thiserror::Error;

use crate::places::{Bits, Place};
use crate::position::{Position, Wrecks};
use crate::prior::Prior;

/// Ways to explain the hits that are kept.
const MOST_COVERS: usize = 200_000;

/// Draws before a layout is given up.
const MOST_DRAWS: usize = 10_000_000;

/// Draws layouts uniformly from all that fit a position.
///
/// First a way to explain all hits is drawn, as likely as it could have completions at most; then the other ships are
/// drawn freely, and all is drawn again where two conflict. So every layout that fits is equally likely.
pub struct Sampler {
    rules: seabattle_core::Rules,
    draws: Draws,
}

enum Draws {
    Small(Box<Covers<2>>),
    Large(Box<Covers<40>>),
}

/// Why there is nothing to draw from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum SamplerError {
    /// No layout fits.
    #[error("no layout fits the position")]
    Impossible,
    /// Too many ways to explain the hits.
    #[error("more than {MOST_COVERS} ways to explain the hits")]
    TooManyCovers,
    /// Layouts that fit are so rare that none came up.
    #[error("no layout fits among {MOST_DRAWS} ships drawn: the position is too tight to sample")]
    TooTight,
}

impl Sampler {
    /// Prepares to draw layouts that fit.
    pub fn new(knowledge: &Knowledge) -> Result<Self, SamplerError> {
        let rules = knowledge.rules().clone();
        let draws = if rules.size().area() <= 128 {
            Draws::Small(Box::new(Covers::new(&Position::new(knowledge, &Prior::Uniform))?))
        } else {
            Draws::Large(Box::new(Covers::new(&Position::new(knowledge, &Prior::Uniform))?))
        };
        Ok(Self { rules, draws })
    }

    /// One layout.
    pub fn draw(&mut self, rng: &mut impl Rng) -> Result<Fleet, SamplerError> {
        let mut ships = Vec::with_capacity(self.rules.ship_count());
        match &self.draws {
            Draws::Small(covers) => covers.draw(rng, &mut |class, place| ships.push(ship(&self.rules, class, place))),
            Draws::Large(covers) => covers.draw(rng, &mut |class, place| ships.push(ship(&self.rules, class, place))),
        }?;
        Fleet::of_ships(&self.rules, ships).map_err(|_| SamplerError::Impossible)
    }
}

fn ship<const N: usize>(rules: &seabattle_core::Rules, class: ClassId, place: &Place<N>) -> Ship {
    rules.ship(class, place.start, place.orientation)
}

/// All ways to explain the hits, and where the other ships may lie.
struct Covers<const N: usize> {
    covers: Vec<Cover<N>>,
    /// For each cover the sum of the weights up to it.
    sums: Vec<f64>,
    places: Vec<Vec<Place<N>>>,
    /// For each class the places without a hit.
    open: Vec<Vec<u32>>,
}

struct Cover<const N: usize> {
    ships: Vec<(ClassId, u32)>,
    claim: Bits<N>,
    /// Ships that are left to be drawn, by class.
    free: Vec<(ClassId, u16)>,
}

impl<const N: usize> Covers<N> {
    fn new(position: &Position<'_, N>) -> Result<Self, SamplerError> {
        let none = Wrecks { ships: Vec::new(), cells: Bits::EMPTY, claim: Bits::EMPTY };
        let open_place = |class: ClassId, place: &Place<N>| {
            position.may_float(&none, class, place) && !place.cells.intersects(&position.hits)
        };
        let open = position.rules.class_ids().map(|class| {
            let places = position.places[class.index()].iter().enumerate();
            places.filter(|(_, place)| open_place(class, place)).map(|(at, _)| at as u32).collect()
        });
        let mut covers =
            Self { covers: Vec::new(), sums: Vec::new(), open: open.collect(), places: position.places.clone() };
        for wrecks in position.wrecks(MOST_COVERS).ok_or(SamplerError::TooManyCovers)? {
            covers.extend(position, &wrecks)?;
        }
        covers.weigh();
        if covers.sums.last().is_none_or(|sum| *sum <= 0.0) {
            return Err(SamplerError::Impossible);
        }
        Ok(covers)
    }

    /// Explains the first hit that no ship covers in every possible way, then the next.
    fn extend(&mut self, position: &Position<'_, N>, wrecks: &Wrecks<N>) -> Result<(), SamplerError> {
        let uncovered = position.hits.without(&wrecks.cells);
        if uncovered.intersects(&wrecks.claim) {
            return Ok(());
        }
        let Some(hit) = uncovered.first() else {
            return self.add(position, wrecks);
        };
        for class in position.rules.class_ids() {
            if position.afloat(wrecks, class) == 0 {
                continue;
            }
            for (at, place) in position.places[class.index()].iter().enumerate() {
                if place.cells.get(hit) && position.may_float(wrecks, class, place) {
                    self.extend(position, &wrecks.with(class, at, place))?;
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, position: &Position<'_, N>, ships: &Wrecks<N>) -> Result<(), SamplerError> {
        let left = |class: ClassId| (class, position.afloat(ships, class) as u16);
        self.covers.push(Cover {
            ships: ships.ships.iter().map(|&(class, place)| (class, place as u32)).collect(),
            claim: ships.claim,
            free: position.rules.class_ids().map(left).filter(|(_, count)| *count > 0).collect(),
        });
        if self.covers.len() > MOST_COVERS { Err(SamplerError::TooManyCovers) } else { Ok(()) }
    }

    /// A cover weighs as many completions as there would be if no ships could conflict.
    fn weigh(&mut self) {
        let log_weight = |cover: &Cover<N>| -> f64 {
            let of_class = |&(class, count): &(ClassId, u16)| {
                let places = self.open[class.index()].len() as f64;
                (1..=count).map(|number| (places / f64::from(number)).ln()).sum::<f64>()
            };
            cover.free.iter().map(of_class).sum()
        };
        let logs: Vec<f64> = self.covers.iter().map(log_weight).collect();
        let greatest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut sum = 0.0;
        for log in logs {
            sum += if log == f64::NEG_INFINITY { 0.0 } else { (log - greatest).exp() };
            self.sums.push(sum);
        }
    }

    fn draw(&self, rng: &mut impl Rng, found: &mut dyn FnMut(ClassId, &Place<N>)) -> Result<(), SamplerError> {
        let mut chosen: Vec<(ClassId, u32)> = Vec::with_capacity(16);
        let mut draws = 0;
        while draws < MOST_DRAWS {
            let cover = self.any_cover(rng);
            chosen.clear();
            if self.complete(cover, rng, &mut chosen, &mut draws) {
                for &(class, place) in cover.ships.iter().chain(&chosen) {
                    found(class, &self.places[class.index()][place as usize]);
                }
                return Ok(());
            }
        }
        Err(SamplerError::TooTight)
    }

    fn any_cover(&self, rng: &mut impl Rng) -> &Cover<N> {
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
        cover: &Cover<N>,
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
                let place = &self.places[class.index()][at as usize];
                if place.cells.intersects(&claim) {
                    return false;
                }
                claim = claim.or(&place.claim);
                chosen.push((class, at));
            }
        }
        true
    }
}
