//! A position taken apart: where each ship may be, which ships were sunk when, and which hits are unexplained.

use seabattle_core::{Announce, ClassId, Knowledge, Outcome, Rules};

use crate::placements::{Bits, Placement, placements};
use crate::prior::Prior;
use crate::stop::is_stopped;

/// What the answers of a position say about each ship.
pub(crate) struct Position<'a, const N: usize> {
    pub(crate) rules: &'a Rules,
    pub(crate) placements: Vec<Vec<Placement<N>>>,
    /// For each class and placement its weight; `None` where the prior is uniform.
    pub(crate) weights: Option<Vec<Vec<f64>>>,
    pub(crate) misses: Bits<N>,
    pub(crate) hits: Bits<N>,
    /// For each class the hits that are known to belong to another class.
    pub(crate) other_class_hits: Vec<Bits<N>>,
    pub(crate) sinkings: Vec<Sinking<N>>,
    /// Whether the rules announce sinkings, so that a ship with all cells hit is known to be sunk.
    pub(crate) sinking_is_announced: bool,
}

/// The sinking of a ship, as it was announced.
pub(crate) struct Sinking<const N: usize> {
    pub(crate) cell: usize,
    pub(crate) class: Option<ClassId>,
    /// All hits up to that shot: the ship is within them.
    pub(crate) hits: Bits<N>,
}

/// Ships assigned to hits. A sunk-ship assignment explains every announced sinking; ships afloat can be added to it.
#[derive(Clone)]
pub(crate) struct Assignment<const N: usize> {
    pub(crate) ships: Vec<(ClassId, usize)>,
    pub(crate) cells: Bits<N>,
    pub(crate) claim: Bits<N>,
}

impl<const N: usize> Assignment<N> {
    /// The same assignment with one more ship.
    pub(crate) fn with(&self, class: ClassId, at: usize, placement: &Placement<N>) -> Self {
        let mut ships = self.ships.clone();
        ships.push((class, at));
        Self { ships, cells: self.cells.or(&placement.cells), claim: self.claim.or(&placement.claim) }
    }
}

impl<'a, const N: usize> Position<'a, N> {
    pub(crate) fn new(knowledge: &'a Knowledge, prior: &Prior) -> Self {
        let rules = knowledge.rules();
        let size = rules.size();
        let mut labelled = vec![Bits::EMPTY; rules.classes().len()];
        let mut hits = Bits::EMPTY;
        let mut sinkings = Vec::new();
        for shot in knowledge.shots().iter().filter(|shot| shot.outcome.is_hit()) {
            let cell = size.index(shot.cell);
            hits.set(cell);
            if let Outcome::Hit(Some(class)) | Outcome::Sunk(Some(class)) = shot.outcome {
                labelled[class.index()].set(cell);
            }
            if let Outcome::Sunk(class) = shot.outcome {
                sinkings.push(Sinking { cell, class, hits });
            }
        }
        let any = labelled.iter().fold(Bits::EMPTY, |all, own| all.or(own));
        Self {
            rules,
            placements: rules.class_ids().map(|class| placements(rules, class)).collect(),
            weights: prior.weights(rules),
            misses: Bits::of(&knowledge.misses()),
            hits,
            other_class_hits: labelled.iter().map(|own| any.without(own)).collect(),
            sinkings,
            sinking_is_announced: rules.announce() >= Announce::Sunk,
        }
    }

    pub(crate) fn weight(&self, class: ClassId, placement: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[class.index()][placement])
    }

    /// All sunk-ship assignments; `None` if there are more than `max`, or if the count was stopped.
    pub(crate) fn sunk_assignments(&self, max: usize) -> Option<Vec<Assignment<N>>> {
        let mut assignments = vec![Assignment { ships: Vec::new(), cells: Bits::EMPTY, claim: Bits::EMPTY }];
        for sinking in &self.sinkings {
            let mut extended = Vec::new();
            for assignment in &assignments {
                for (class, placement) in self.ships_sunk_by(sinking) {
                    extended.extend(self.with_sunk_ship(assignment, class, placement));
                }
                if extended.len() > max || is_stopped() {
                    return None;
                }
            }
            assignments = extended;
        }
        assignments.retain(|assignment| !self.hits.without(&assignment.cells).intersects(&assignment.claim));
        Some(assignments)
    }

    /// The ships that a shot can have sunk: they cover its cell, and all their cells were hit by then.
    fn ships_sunk_by(&self, sinking: &Sinking<N>) -> Vec<(ClassId, usize)> {
        let classes = self.rules.class_ids().filter(|&class| sinking.class.is_none_or(|announced| announced == class));
        let through = |class: ClassId| {
            self.placements[class.index()].iter().enumerate().filter_map(move |(at, placement)| {
                let fits = placement.cells.get(sinking.cell)
                    && placement.cells.is_subset(&sinking.hits)
                    && !placement.cells.intersects(&self.other_class_hits[class.index()]);
                fits.then_some((class, at))
            })
        };
        classes.flat_map(through).collect()
    }

    fn with_sunk_ship(&self, assignment: &Assignment<N>, class: ClassId, at: usize) -> Option<Assignment<N>> {
        let placement = &self.placements[class.index()][at];
        let sunk = assignment.ships.iter().filter(|(sunk, _)| *sunk == class).count();
        let possible =
            sunk < usize::from(self.rules.class(class).count()) && !placement.cells.intersects(&assignment.claim);
        possible.then(|| assignment.with(class, at, placement))
    }

    /// How many ships of a class an assignment leaves afloat.
    pub(crate) fn afloat(&self, assignment: &Assignment<N>, class: ClassId) -> usize {
        let sunk = assignment.ships.iter().filter(|(sunk, _)| *sunk == class).count();
        usize::from(self.rules.class(class).count()) - sunk
    }

    /// Whether a ship afloat can be here beside an assignment, regardless of other ships afloat.
    pub(crate) fn may_be_afloat(&self, assignment: &Assignment<N>, class: ClassId, placement: &Placement<N>) -> bool {
        let all_hit = self.sinking_is_announced && placement.cells.is_subset(&self.hits);
        !all_hit
            && !placement.cells.intersects(&self.misses)
            && !placement.cells.intersects(&assignment.claim)
            && !placement.cells.intersects(&self.other_class_hits[class.index()])
    }
}
