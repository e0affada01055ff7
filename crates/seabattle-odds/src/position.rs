//! A position taken apart: where each ship may lie, what was sunk when, and which hits are still to be explained.

use seabattle_core::{Announce, ClassId, Knowledge, Outcome, Rules};

use crate::places::{Bits, Place, places};
use crate::prior::Prior;

/// What the answers say, ship by ship.
pub(crate) struct Position<'a, const N: usize> {
    pub(crate) rules: &'a Rules,
    pub(crate) places: Vec<Vec<Place<N>>>,
    /// For each class and place its weight, where the prior is not uniform.
    pub(crate) weights: Option<Vec<Vec<f64>>>,
    pub(crate) misses: Bits<N>,
    pub(crate) hits: Bits<N>,
    /// For each class, hits that are known to belong to another one.
    pub(crate) foreign: Vec<Bits<N>>,
    pub(crate) sinkings: Vec<Sinking<N>>,
    /// Whether a ship that is hit all over would have been announced.
    pub(crate) sinking_is_announced: bool,
}

/// A ship that was announced as sunk.
pub(crate) struct Sinking<const N: usize> {
    pub(crate) cell: usize,
    pub(crate) class: Option<ClassId>,
    /// All hits up to that shot: the ship lies wholly inside.
    pub(crate) hits: Bits<N>,
}

/// Sunk ships in one arrangement that explains their announcements.
#[derive(Clone)]
pub(crate) struct Wrecks<const N: usize> {
    pub(crate) ships: Vec<(ClassId, usize)>,
    pub(crate) cells: Bits<N>,
    pub(crate) claim: Bits<N>,
}

impl<const N: usize> Wrecks<N> {
    /// The same ships and one more.
    pub(crate) fn with(&self, class: ClassId, at: usize, place: &Place<N>) -> Self {
        let mut ships = self.ships.clone();
        ships.push((class, at));
        Self { ships, cells: self.cells.or(&place.cells), claim: self.claim.or(&place.claim) }
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
            places: rules.class_ids().map(|class| places(rules, class)).collect(),
            weights: prior.weights(rules),
            misses: Bits::of(&knowledge.misses()),
            hits,
            foreign: labelled.iter().map(|own| any.without(own)).collect(),
            sinkings,
            sinking_is_announced: rules.announce() >= Announce::Sunk,
        }
    }

    pub(crate) fn weight(&self, class: ClassId, place: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[class.index()][place])
    }

    /// All arrangements of the sunk ships, or nothing if there are more than allowed.
    pub(crate) fn wrecks(&self, most: usize) -> Option<Vec<Wrecks<N>>> {
        let mut found = vec![Wrecks { ships: Vec::new(), cells: Bits::EMPTY, claim: Bits::EMPTY }];
        for sinking in &self.sinkings {
            let mut longer = Vec::new();
            for wrecks in &found {
                for (class, place) in self.sunk_by(sinking) {
                    longer.extend(self.with_wreck(wrecks, class, place));
                }
                if longer.len() > most {
                    return None;
                }
            }
            found = longer;
        }
        found.retain(|wrecks| !self.hits.without(&wrecks.cells).intersects(&wrecks.claim));
        Some(found)
    }

    /// The ships that a shot may have sunk: across its cell, inside the hits so far.
    fn sunk_by(&self, sinking: &Sinking<N>) -> Vec<(ClassId, usize)> {
        let classes = self.rules.class_ids().filter(|&class| sinking.class.is_none_or(|announced| announced == class));
        let through = |class: ClassId| {
            self.places[class.index()].iter().enumerate().filter_map(move |(at, place)| {
                let fits = place.cells.get(sinking.cell)
                    && place.cells.is_subset(&sinking.hits)
                    && !place.cells.intersects(&self.foreign[class.index()]);
                fits.then_some((class, at))
            })
        };
        classes.flat_map(through).collect()
    }

    fn with_wreck(&self, wrecks: &Wrecks<N>, class: ClassId, at: usize) -> Option<Wrecks<N>> {
        let place = &self.places[class.index()][at];
        let sunk = wrecks.ships.iter().filter(|(sunk, _)| *sunk == class).count();
        let possible = sunk < usize::from(self.rules.class(class).count()) && !place.cells.intersects(&wrecks.claim);
        possible.then(|| wrecks.with(class, at, place))
    }

    /// How many ships of a class are afloat beside these wrecks.
    pub(crate) fn afloat(&self, wrecks: &Wrecks<N>, class: ClassId) -> usize {
        let sunk = wrecks.ships.iter().filter(|(sunk, _)| *sunk == class).count();
        usize::from(self.rules.class(class).count()) - sunk
    }

    /// Whether a ship afloat may lie there beside these wrecks, as far as it alone is concerned.
    pub(crate) fn may_float(&self, wrecks: &Wrecks<N>, class: ClassId, place: &Place<N>) -> bool {
        let all_hit = self.sinking_is_announced && place.cells.is_subset(&self.hits);
        !all_hit
            && !place.cells.intersects(&self.misses)
            && !place.cells.intersects(&wrecks.claim)
            && !place.cells.intersects(&self.foreign[class.index()])
    }
}
