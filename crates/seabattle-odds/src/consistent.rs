//! The list of all consistent layouts of a position, where there are few.

use seabattle_core::{ClassId, Knowledge, Ship};

use crate::placements::{Bits, Placement};
use crate::position::{Assignment, Position};
use crate::prior::Prior;

/// The most sunk-ship assignments of a position that is listed.
const MAX_SUNK_ASSIGNMENTS: usize = 10_000;

/// How many placements are tried for each layout allowed: a position that needs more is too crowded to list.
const TRIES_PER_LAYOUT: usize = 100;

/// How many placements may always be tried.
const MIN_TRIES: usize = 200_000;

/// All consistent layouts of a position, or an evenly spread sample of them.
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
    ships_per_layout: usize,
    ships: Vec<Ship>,
}

impl ConsistentLayouts {
    /// Lists all consistent layouts.
    ///
    /// Returns `None` if there are more than `max_layouts`, or if too many placements must be tried to find them.
    pub fn of(knowledge: &Knowledge, max_layouts: usize) -> Option<Self> {
        Self::every_nth(1, knowledge, max_layouts)
    }

    /// Lists one of every `step` consistent layouts, in an order in which neighbors are similar.
    ///
    /// Returns `None` under the same conditions as [`ConsistentLayouts::of`].
    pub fn every_nth(step: usize, knowledge: &Knowledge, max_layouts: usize) -> Option<Self> {
        if knowledge.rules().size().area() <= 128 {
            LayoutSearch::<2>::of(&Position::new(knowledge, &Prior::Uniform), step, max_layouts)
        } else {
            LayoutSearch::<40>::of(&Position::new(knowledge, &Prior::Uniform), step, max_layouts)
        }
    }

    /// How many layouts are listed.
    pub fn len(&self) -> usize {
        self.ships.len() / self.ships_per_layout
    }

    /// Whether no layout is listed.
    pub fn is_empty(&self) -> bool {
        self.ships.is_empty()
    }

    /// The ships of each layout, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = &[Ship]> {
        self.ships.chunks_exact(self.ships_per_layout)
    }
}

/// The search for layouts, with those found so far.
struct LayoutSearch<'a, const N: usize> {
    position: &'a Position<'a, N>,
    /// One of this many layouts is kept.
    step: usize,
    max_layouts: usize,
    layouts_seen: usize,
    /// How many more placements may be tried.
    tries: usize,
    layouts: ConsistentLayouts,
}

/// There are too many layouts, or too many placements were tried.
struct LimitReached;

impl<'a, const N: usize> LayoutSearch<'a, N> {
    fn of(position: &'a Position<'a, N>, step: usize, max_layouts: usize) -> Option<ConsistentLayouts> {
        let layouts = ConsistentLayouts { ships_per_layout: position.rules.ship_count(), ships: Vec::new() };
        let tries = max_layouts.saturating_mul(TRIES_PER_LAYOUT).max(MIN_TRIES);
        let mut search = Self { position, step: step.max(1), max_layouts, layouts_seen: 0, tries, layouts };
        for assignment in position.sunk_assignments(MAX_SUNK_ASSIGNMENTS)? {
            search.explain_hits(&assignment).ok()?;
        }
        Some(search.layouts)
    }

    /// Assigns the first uncovered hit to a ship in every possible way, then the next hit.
    fn explain_hits(&mut self, assignment: &Assignment<N>) -> Result<(), LimitReached> {
        let position = self.position;
        let uncovered = position.hits.without(&assignment.cells);
        if uncovered.intersects(&assignment.claim) {
            return Ok(());
        }
        let Some(hit) = uncovered.first() else {
            return self.add_free_ships(assignment);
        };
        for class in position.rules.class_ids().filter(|&class| position.afloat(assignment, class) > 0) {
            for (at, placement) in position.placements[class.index()].iter().enumerate() {
                self.count_try()?;
                if placement.cells.get(hit) && position.may_be_afloat(assignment, class, placement) {
                    self.explain_hits(&assignment.with(class, at, placement))?;
                }
            }
        }
        Ok(())
    }

    /// Adds the ships that no hit belongs to, wherever there is room.
    fn add_free_ships(&mut self, assignment: &Assignment<N>) -> Result<(), LimitReached> {
        let position = self.position;
        let of_class = |class: ClassId| FreeShips {
            class,
            count: position.afloat(assignment, class),
            placements: self.open_placements(assignment, class).collect(),
        };
        let mut free: Vec<FreeShips> = position.rules.class_ids().map(of_class).collect();
        free.retain(|free| free.count > 0);
        let mut chosen = assignment.ships.clone();
        match free.split_first() {
            Some((first, rest)) => self.add_of_class(first, first.count, 0, rest, assignment.claim, &mut chosen),
            None => self.add(&chosen),
        }
    }

    fn open_placements(&self, assignment: &Assignment<N>, class: ClassId) -> impl Iterator<Item = usize> {
        let position = self.position;
        let open = move |placement: &Placement<N>| {
            !placement.cells.intersects(&position.hits) && position.may_be_afloat(assignment, class, placement)
        };
        let placements = position.placements[class.index()].iter().enumerate();
        placements.filter(move |(_, placement)| open(placement)).map(|(at, _)| at)
    }

    /// Adds this many ships of a class, in ascending order of their placements, then the other classes.
    fn add_of_class(
        &mut self,
        free: &FreeShips,
        count: usize,
        from: usize,
        rest: &[FreeShips],
        claim: Bits<N>,
        chosen: &mut Vec<(ClassId, usize)>,
    ) -> Result<(), LimitReached> {
        if count == 0 {
            return match rest.split_first() {
                Some((next, rest)) => self.add_of_class(next, next.count, 0, rest, claim, chosen),
                None => self.add(chosen),
            };
        }
        for (number, &at) in free.placements.iter().enumerate().skip(from) {
            self.count_try()?;
            let placement = &self.position.placements[free.class.index()][at];
            if !placement.cells.intersects(&claim) {
                chosen.push((free.class, at));
                self.add_of_class(free, count - 1, number + 1, rest, claim.or(&placement.claim), chosen)?;
                chosen.pop();
            }
        }
        Ok(())
    }

    fn count_try(&mut self) -> Result<(), LimitReached> {
        self.tries = self.tries.checked_sub(1).ok_or(LimitReached)?;
        Ok(())
    }

    fn add(&mut self, chosen: &[(ClassId, usize)]) -> Result<(), LimitReached> {
        if self.layouts_seen == self.max_layouts {
            return Err(LimitReached);
        }
        let number = self.layouts_seen;
        self.layouts_seen += 1;
        if number % self.step != self.step / 2 {
            return Ok(());
        }
        let position = self.position;
        self.layouts.ships.extend(chosen.iter().map(|&(class, at)| {
            let placement = &position.placements[class.index()][at];
            position.rules.ship(class, placement.start, placement.orientation)
        }));
        Ok(())
    }
}

/// The ships of one class that no hit belongs to.
struct FreeShips {
    class: ClassId,
    count: usize,
    placements: Vec<usize>,
}
