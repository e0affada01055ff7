//! Trained neural networks for Battleship: a policy network that chooses shots, and a value network.
//!
//! The networks were trained elsewhere; this crate evaluates them. They are equivariant under the symmetries of the board
//! ([group convolution](https://arxiv.org/abs/1602.07576)), so one evaluation of a position is enough. Two are averaged
//! where ships of the same length differ only by name.

mod convolution;
mod embedded;
mod fleet_slots;
mod layers;
mod planes;
mod position;
mod value;
mod weights;

use seabattle_core::{Cell, Knowledge, Rules};

use embedded::EmbeddedWeights;
use fleet_slots::FleetSlots;
use layers::{HeadOutputs, PolicyLayers};
use planes::Planes;
use position::Position;
pub use value::ValueNetwork;
use weights::PolicyWeights;
pub use weights::WeightsError;

/// Policy logits per unit of hit probability, as in training.
const HIT_SHARPNESS: f32 = 50.0;

/// Logits that differ by less than this are equal. The first such cell in row order is chosen, on every machine.
const EQUAL_LOGITS: f32 = 0.01;

static TRAINED: [EmbeddedWeights<PolicyNetwork>; 3] = [
    EmbeddedWeights::new(include_bytes!("../weights/classic.bin")),
    EmbeddedWeights::new(include_bytes!("../weights/classic-apart.bin")),
    EmbeddedWeights::new(include_bytes!("../weights/russian.bin")),
];

/// The distilled networks, trained to imitate those above.
static DISTILLED: [EmbeddedWeights<PolicyNetwork>; 2] = [
    EmbeddedWeights::new(include_bytes!("../weights/classic-apart-distilled.bin")),
    EmbeddedWeights::new(include_bytes!("../weights/russian-distilled.bin")),
];

fn find(files: &'static [EmbeddedWeights<PolicyNetwork>], rules: &Rules) -> Option<&'static PolicyNetwork> {
    files.iter().filter_map(|file| file.get(PolicyNetwork::read)).find(|network| network.supports(rules))
}

/// A policy network, trained for one set of rules.
pub struct PolicyNetwork {
    fleet_slots: FleetSlots,
    planes: Planes,
    layers: PolicyLayers,
}

/// The output of a policy network: every cell that may hold a ship, in row order.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyOutput {
    cells: Vec<CellOutput>,
}

/// The output of a policy network for one cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellOutput {
    /// The cell.
    pub cell: Cell,
    /// The probability of a hit, as the network estimates it.
    pub hit: f32,
    /// What the network adds to the policy logit beyond the hit probability.
    pub logit_offset: f32,
}

impl PolicyNetwork {
    /// The network trained for these rules, if there is one. Turns and endings do not matter.
    pub fn trained_for(rules: &Rules) -> Option<&'static Self> {
        find(&TRAINED, rules)
    }

    /// The distilled network for these rules, if there is one. It takes an eighth of the time and is nearly as strong.
    pub fn distilled_for(rules: &Rules) -> Option<&'static Self> {
        find(&DISTILLED, rules)
    }

    /// Reads a file of policy weights.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let weights = PolicyWeights::read(bytes)?;
        let fleet_slots = weights.trunk.fleet_slots.clone();
        Ok(Self { layers: PolicyLayers::new(&weights), planes: Planes::new(&fleet_slots), fleet_slots })
    }

    /// Whether the network is trained for these rules.
    pub fn supports(&self, rules: &Rules) -> bool {
        self.fleet_slots.fit(rules)
    }

    /// Evaluates a position; `None` under rules that the network does not [support](PolicyNetwork::supports).
    pub fn evaluate(&self, knowledge: &Knowledge) -> Option<PolicyOutput> {
        let position = Position::of(&self.fleet_slots, knowledge)?;
        Some(PolicyOutput::new(knowledge, &position, &self.evaluate_symmetrically(&position)))
    }

    /// Evaluates a position like [`PolicyNetwork::evaluate`], but always once: half the time, a little more noise.
    pub fn evaluate_once(&self, knowledge: &Knowledge) -> Option<PolicyOutput> {
        let position = Position::of(&self.fleet_slots, knowledge)?;
        Some(PolicyOutput::new(knowledge, &position, &self.forward(&position)))
    }

    /// The mean over both ways to name two ships of the same length. They should agree, and differ only by noise.
    fn evaluate_symmetrically(&self, position: &Position) -> HeadOutputs {
        let exchanged = self.fleet_slots.interchangeable_slots().map(|slots| position.with_names_exchanged(slots));
        match exchanged.filter(|exchanged| exchanged != position) {
            Some(exchanged) => self.forward(position).mean(&self.forward(&exchanged)),
            None => self.forward(position),
        }
    }

    fn forward(&self, position: &Position) -> HeadOutputs {
        self.layers.evaluate(&self.planes.of(position), &position.afloat)
    }
}

impl PolicyOutput {
    fn new(knowledge: &Knowledge, position: &Position, outputs: &HeadOutputs) -> Self {
        let candidates =
            knowledge.rules().size().cells().enumerate().filter(|&(index, _)| position.may_hold_a_ship(index));
        let outputs = candidates.map(|(index, cell)| CellOutput {
            cell,
            hit: outputs.hit[index],
            logit_offset: outputs.logit_offset[index],
        });
        Self { cells: outputs.collect() }
    }

    /// The best cell among those allowed.
    pub fn best(&self, allowed: impl Fn(Cell) -> bool) -> Option<Cell> {
        self.best_with(allowed, |output| output.hit)
    }

    /// The best cell as in [`PolicyOutput::best`], with hit probabilities from elsewhere, such as exact odds.
    pub fn best_with(&self, allowed: impl Fn(Cell) -> bool, hit: impl Fn(&CellOutput) -> f32) -> Option<Cell> {
        let best = self.logits_with(&allowed, &hit).map(|(_, logit)| logit).fold(f32::NEG_INFINITY, f32::max);
        self.logits_with(allowed, hit).find(|&(_, logit)| logit >= best - EQUAL_LOGITS).map(|(cell, _)| cell)
    }

    /// The policy logits of the allowed cells in row order, with these hit probabilities.
    pub fn logits_with(
        &self,
        allowed: impl Fn(Cell) -> bool,
        hit: impl Fn(&CellOutput) -> f32,
    ) -> impl Iterator<Item = (Cell, f32)> {
        let cells = self.cells.iter().filter(move |output| allowed(output.cell));
        cells.map(move |output| (output.cell, HIT_SHARPNESS * hit(output) + output.logit_offset))
    }
}
