//! What makes some layouts likelier than others before they are tried.

use super::chart::{MOST_CELLS, Mask, Place};

/// How much likelier each of its traits makes a layout: a factor for every time it comes up.
#[derive(Debug, Clone, PartialEq)]
pub struct Pull {
    /// For each cell under a ship or around one.
    pub near: f64,
    /// The same, without the shortest ships.
    pub near_long: f64,
    /// For a ship on a place of each kind.
    pub kinds: Vec<f64>,
}

/// A pull ready for use: powers for every number of cells.
pub(super) struct Powers<'a> {
    near: Vec<f64>,
    near_long: Vec<f64>,
    kinds: &'a [f64],
}

impl Pull {
    pub(super) fn powers(&self) -> Powers<'_> {
        let powers =
            |factor: f64| std::iter::successors(Some(1.0), |power| Some(power * factor)).take(MOST_CELLS + 1).collect();
        Powers { near: powers(self.near), near_long: powers(self.near_long), kinds: &self.kinds }
    }
}

impl Powers<'_> {
    /// How much a layout weighs, but for the kinds of its places.
    pub(super) fn of_all<'a>(&self, places: impl Iterator<Item = &'a Place>) -> f64 {
        let (mut near, mut near_long): (Mask, Mask) = (0, 0);
        for place in places {
            near |= place.grown;
            near_long |= if place.is_long { place.grown } else { 0 };
        }
        self.near[near.count_ones() as usize] * self.near_long[near_long.count_ones() as usize]
    }

    pub(super) fn of_kind(&self, place: &Place) -> f64 {
        self.kinds.get(place.kind).copied().unwrap_or(1.0)
    }
}
