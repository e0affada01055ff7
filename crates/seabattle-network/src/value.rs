//! The value network: how many misses are to come.

use seabattle_core::{Knowledge, Rules};

use crate::WeightsError;
use crate::embedded::EmbeddedWeights;
use crate::fleet_slots::FleetSlots;
use crate::layers;
use crate::planes::Planes;
use crate::position::Position;
use crate::weights::ValueWeights;

static TRAINED: [EmbeddedWeights<ValueNetwork>; 3] = [
    EmbeddedWeights::new(include_bytes!("../weights/classic-value.bin")),
    EmbeddedWeights::new(include_bytes!("../weights/classic-apart-value.bin")),
    EmbeddedWeights::new(include_bytes!("../weights/russian-value.bin")),
];

/// A value network: it was trained beside the [policy network](crate::PolicyNetwork) to predict its misses.
pub struct ValueNetwork {
    fleet_slots: FleetSlots,
    planes: Planes,
    layers: layers::ValueLayers,
}

impl ValueNetwork {
    /// The value network trained for these rules, if there is one. Turns and endings do not matter.
    pub fn trained_for(rules: &Rules) -> Option<&'static Self> {
        TRAINED.iter().filter_map(|file| file.get(Self::read)).find(|network| network.fleet_slots.fit(rules))
    }

    /// Reads a file of value weights.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let weights = ValueWeights::read(bytes)?;
        let fleet_slots = weights.trunk.fleet_slots.clone();
        Ok(Self { layers: layers::ValueLayers::new(&weights), planes: Planes::new(&fleet_slots), fleet_slots })
    }

    /// The expected misses to come, 0 when the fleet is sunk; `None` under other rules.
    pub fn expected_misses(&self, knowledge: &Knowledge) -> Option<f64> {
        let position = Position::of(&self.fleet_slots, knowledge)?;
        if knowledge.is_fleet_sunk() {
            return Some(0.0);
        }
        let misses = self.layers.misses(&self.planes.of(&position), |cell| position.may_hold_a_ship(cell));
        Some(misses.into())
    }
}
