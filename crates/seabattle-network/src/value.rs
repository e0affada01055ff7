//! A judge of positions: how many misses are to come if a player goes on as the trained one would.

use seabattle_core::{Knowledge, Rules};

use crate::WeightsError;
use crate::layers;
use crate::planes::Planes;
use crate::position::Position;
use crate::slots::Slots;
use crate::trained::Trained;
use crate::weights::JudgeWeights;

static TRAINED: [Trained<ValueNetwork>; 3] = [
    Trained::new(include_bytes!("../weights/classic-judge.bin")),
    Trained::new(include_bytes!("../weights/classic-apart-judge.bin")),
    Trained::new(include_bytes!("../weights/russian-judge.bin")),
];

/// A network that learnt beside the [trained player](crate::PolicyNetwork::trained_for) what it will miss.
pub struct ValueNetwork {
    slots: Slots,
    planes: Planes,
    layers: layers::Judge,
}

impl ValueNetwork {
    /// The judge for these rules, if there is one. Whose turn comes when does not matter to it.
    pub fn trained_for(rules: &Rules) -> Option<&'static Self> {
        TRAINED.iter().filter_map(|file| file.get(Self::read)).find(|judge| judge.slots.fit(rules))
    }

    /// Reads a file of weights.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let weights = JudgeWeights::read(bytes)?;
        let slots = weights.trunk.slots.clone();
        Ok(Self { layers: layers::Judge::new(&weights), planes: Planes::new(&slots), slots })
    }

    /// Misses to come, as the judge sees it: none when the fleet is sunk; `None` under other rules.
    pub fn expected_misses(&self, knowledge: &Knowledge) -> Option<f64> {
        let position = Position::of(&self.slots, knowledge)?;
        if knowledge.is_fleet_sunk() {
            return Some(0.0);
        }
        let misses = self.layers.misses(&self.planes.of(&position), |cell| position.may_hold_a_ship(cell));
        Some(misses.into())
    }
}
