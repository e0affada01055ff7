//! The prior: how likely each layout is before the first shot.

use seabattle_core::{Rules, Ship};
use thiserror::Error;

use crate::placements::{placement_index, ships};

/// The prior probability of layouts, before the first shot.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Prior {
    /// All legal fleets are equally likely.
    #[default]
    Uniform,
    /// The probability of a fleet is proportional to the product of the weights of its ships' placements.
    Weighted(PlacementWeights),
}

/// A weight for every placement of every ship class, such as a bot learns about its opponent.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacementWeights {
    rules: Rules,
    weights: Vec<Vec<f64>>,
}

/// Why a weight cannot be set.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
pub enum WeightError {
    /// The weight is negative, infinite or not a number.
    #[error("a weight is a finite number, 0 or more, not {weight}")]
    NotAWeight {
        /// The weight that was given.
        weight: f64,
    },
    /// The ship is not within the board.
    #[error("the ship is not on the board")]
    Outside,
}

impl PlacementWeights {
    /// Weights of 1 for every placement.
    pub fn new(rules: &Rules) -> Self {
        let weights = rules.class_ids().map(|class| vec![1.0; ships(rules, class).count()]).collect();
        Self { rules: rules.clone(), weights }
    }

    /// The weight of a ship's placement; 0 outside the board.
    pub fn get(&self, ship: &Ship) -> f64 {
        self.placement(ship).map_or(0.0, |placement| self.weights[ship.class().index()][placement])
    }

    /// Sets the weight of a ship's placement.
    pub fn set(&mut self, ship: &Ship, weight: f64) -> Result<(), WeightError> {
        if !(weight.is_finite() && weight >= 0.0) {
            return Err(WeightError::NotAWeight { weight });
        }
        let placement = self.placement(ship).ok_or(WeightError::Outside)?;
        self.weights[ship.class().index()][placement] = weight;
        Ok(())
    }

    fn placement(&self, ship: &Ship) -> Option<usize> {
        placement_index(self.rules.size(), ship)
    }
}

impl Prior {
    /// The weights, if there are any and they are for these rules.
    pub(crate) fn weights(&self, rules: &Rules) -> Option<Vec<Vec<f64>>> {
        match self {
            Self::Weighted(weights) if weights.rules == *rules => Some(weights.weights.clone()),
            Self::Weighted(_) | Self::Uniform => None,
        }
    }
}
