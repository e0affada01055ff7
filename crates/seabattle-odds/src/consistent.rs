//! Every layout that fits a position, where there are few.

use seabattle_core::{ClassId, Knowledge, Ship};

use crate::places::{Bits, Place};
use crate::position::{Position, Wrecks};
use crate::prior::Prior;

/// Arrangements of sunk ships.
const MOST_WRECKS: usize = 10_000;

/// Places tried for each layout allowed: a position that needs more is too tight to list.
const TRIES_EACH: usize = 100;

/// Places that may always be tried.
const TRIES_AT_LEAST: usize = 200_000;

/// All layouts that fit a position, or some spread evenly over all.
///
/// ```
/// use seabattle_core::Knowledge;
/// use seabattle_odds::ConsistentLayouts;
///
/// let position: Knowledge = "3x3:2 B2x".parse()?;
/// assert_eq!(ConsistentLayouts::of(&position, 10).map(|layouts| layouts.len()), Some(4));
/// assert!(ConsistentLayouts::of(&position, 3).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsistentLayouts {
    ships_each: usize,
    ships: Vec<Ship>,
}

impl ConsistentLayouts {
    /// All layouts that fit; nothing if there are more than `most`, or if too many places must be tried to find them.
    pub fn of(knowledge: &Knowledge, most: usize) -> Option<Self> {
        Self::every_nth(1, knowledge, most)
    }

    /// One of every so many layouts that fit, in an order in which neighbours are alike; nothing as in [`ConsistentLayouts::of`].
    pub fn every_nth(step: usize, knowledge: &Knowledge, most: usize) -> Option<Self> {
        if knowledge.rules().size().area() <= 128 {
            List::<2>::of(&Position::new(knowledge, &Prior::Uniform), step, most)
        } else {
            List::<40>::of(&Position::new(knowledge, &Prior::Uniform), step, most)
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ships.len() / self.ships_each
    }

    /// Whether no layout fits.
    pub fn is_empty(&self) -> bool {
        self.ships.is_empty()
    }

    /// The ships of each layout, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &[Ship]> {
        self.ships.chunks_exact(self.ships_each)
    }
}

/// The layouts found so far.
struct List<'a, const N: usize> {
    position: &'a Position<'a, N>,
    /// One of so many is kept.
    step: usize,
    most: usize,
    seen: usize,
    /// Places that may still be tried.
    tries: usize,
    found: ConsistentLayouts,
}

/// Too many layouts, or too many tries.
struct TooMany;

impl<'a, const N: usize> List<'a, N> {
    fn of(position: &'a Position<'a, N>, step: usize, most: usize) -> Option<ConsistentLayouts> {
        let found = ConsistentLayouts { ships_each: position.rules.ship_count(), ships: Vec::new() };
        let tries = most.saturating_mul(TRIES_EACH).max(TRIES_AT_LEAST);
        let mut list = Self { position, step: step.max(1), most, seen: 0, tries, found };
        for wrecks in position.wrecks(MOST_WRECKS)? {
            list.explain_hits(&wrecks).ok()?;
        }
        Some(list.found)
    }

    /// Explains the first hit that no ship covers in every possible way, then the next.
    fn explain_hits(&mut self, ships: &Wrecks<N>) -> Result<(), TooMany> {
        let position = self.position;
        let uncovered = position.hits.without(&ships.cells);
        if uncovered.intersects(&ships.claim) {
            return Ok(());
        }
        let Some(hit) = uncovered.first() else {
            return self.fill_up(ships);
        };
        for class in position.rules.class_ids().filter(|&class| position.afloat(ships, class) > 0) {
            for (at, place) in position.places[class.index()].iter().enumerate() {
                self.try_one()?;
                if place.cells.get(hit) && position.may_float(ships, class, place) {
                    self.explain_hits(&ships.with(class, at, place))?;
                }
            }
        }
        Ok(())
    }

    /// Ships that nothing is known of go wherever there is room.
    fn fill_up(&mut self, ships: &Wrecks<N>) -> Result<(), TooMany> {
        let position = self.position;
        let of_class = |class: ClassId| Free {
            class,
            count: position.afloat(ships, class),
            places: self.open_places(ships, class).collect(),
        };
        let mut free: Vec<Free> = position.rules.class_ids().map(of_class).collect();
        free.retain(|free| free.count > 0);
        let mut chosen = ships.ships.clone();
        match free.split_first() {
            Some((first, rest)) => self.place(first, first.count, 0, rest, ships.claim, &mut chosen),
            None => self.add(&chosen),
        }
    }

    fn open_places(&self, ships: &Wrecks<N>, class: ClassId) -> impl Iterator<Item = usize> {
        let position = self.position;
        let open =
            move |place: &Place<N>| !place.cells.intersects(&position.hits) && position.may_float(ships, class, place);
        let places = position.places[class.index()].iter().enumerate();
        places.filter(move |(_, place)| open(place)).map(|(at, _)| at)
    }

    /// Places so many ships of a class, in rising order, then the other classes.
    fn place(
        &mut self,
        free: &Free,
        count: usize,
        from: usize,
        rest: &[Free],
        claim: Bits<N>,
        chosen: &mut Vec<(ClassId, usize)>,
    ) -> Result<(), TooMany> {
        if count == 0 {
            return match rest.split_first() {
                Some((next, rest)) => self.place(next, next.count, 0, rest, claim, chosen),
                None => self.add(chosen),
            };
        }
        for (number, &at) in free.places.iter().enumerate().skip(from) {
            self.try_one()?;
            let place = &self.position.places[free.class.index()][at];
            if !place.cells.intersects(&claim) {
                chosen.push((free.class, at));
                self.place(free, count - 1, number + 1, rest, claim.or(&place.claim), chosen)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    fn try_one(&mut self) -> Result<(), TooMany> {
        self.tries = self.tries.checked_sub(1).ok_or(TooMany)?;
        Ok(())
    }

    fn add(&mut self, chosen: &[(ClassId, usize)]) -> Result<(), TooMany> {
        if self.seen == self.most {
            return Err(TooMany);
        }
        let number = self.seen;
        self.seen += 1;
        if number % self.step != self.step / 2 {
            return Ok(());
        }
        let position = self.position;
        self.found.ships.extend(chosen.iter().map(|&(class, at)| {
            let place = &position.places[class.index()][at];
            position.rules.ship(class, place.start, place.orientation)
        }));
        Ok(())
    }
}

/// Ships of one class that nothing is known of.
struct Free {
    class: ClassId,
    count: usize,
    places: Vec<usize>,
}
