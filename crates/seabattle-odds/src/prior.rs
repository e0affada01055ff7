//! What is believed before the first shot.

use seabattle_core::{Rules, Ship};
use thiserror::Error;

use crate::places::{place_number, ships};

/// How likely each layout is before the first shot.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Prior {
    /// All legal fleets alike.
    #[default]
    Uniform,
    /// A fleet is as likely as the product of the weights of its ships' places.
    Weighted(PlacementWeights),
}

/// A weight for every place of every ship class, as learnt about an opponent.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacementWeights {
    rules: Rules,
    weights: Vec<Vec<f64>>,
}

/// A weight that is none.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum WeightError {
    /// Negative, infinite or not a number.
    #[error("a weight is a finite number, 0 or more, not {weight}")]
    NotAWeight {
        /// As given.
        weight: f64,
    },
    /// The ship does not lie on the board.
    #[error("the ship does not lie on the board")]
    Outside,
}

impl PlacementWeights {
    /// Every place weighs 1.
    pub fn new(rules: &Rules) -> Self {
        let weights = rules.class_ids().map(|class| vec![1.0; ships(rules, class).count()]).collect();
        Self { rules: rules.clone(), weights }
    }

    /// The weight of a ship's place; 0 outside the board.
    pub fn get(&self, ship: &Ship) -> f64 {
        self.place(ship).map_or(0.0, |place| self.weights[ship.class().index()][place])
    }

    /// Gives a ship's place another weight.
    pub fn set(&mut self, ship: &Ship, weight: f64) -> Result<(), WeightError> {
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(WeightError::NotAWeight { weight });
        }
        let place = self.place(ship).ok_or(WeightError::Outside)?;
        self.weights[ship.class().index()][place] = weight;
        Ok(())
    }

    fn place(&self, ship: &Ship) -> Option<usize> {
        place_number(self.rules.size(), ship)
    }
}

impl Prior {
    /// The weights, where they say anything about these rules.
    pub(crate) fn weights(&self, rules: &Rules) -> Option<Vec<Vec<f64>>> {
        match self {
            Self::Weighted(weights) if weights.rules == *rules => Some(weights.weights.clone()),
            Self::Weighted(_) | Self::Uniform => None,
        }
    }
}
