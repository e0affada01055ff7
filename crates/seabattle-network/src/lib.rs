//! A trained network: what has been announced goes in, where to aim comes out.
//!
//! It was trained on whole games on a graphics processor; here it is only asked. It treats a board and its mirror
//! images alike by construction, so one look at a position is enough, or two where like ships differ in their names.

mod convolution;
mod layers;
mod planes;
mod position;
mod slots;
mod trained;
mod value;
mod weights;

use seabattle_core::{Cell, Knowledge, Rules};

use layers::{HeadOutputs, Player};
use planes::Planes;
use position::Position;
use slots::Slots;
use trained::Trained;
pub use value::ValueNetwork;
use weights::PlayerWeights;
pub use weights::WeightsError;

/// Logits per unit of hit probability, the same as in training.
const HIT_SHARPNESS: f32 = 50.0;

/// Logits that differ by less are equal: the first cell in row order is taken, on every machine.
const TIE: f32 = 0.01;

static TRAINED: [Trained<PolicyNetwork>; 3] = [
    Trained::new(include_bytes!("../weights/classic.bin")),
    Trained::new(include_bytes!("../weights/classic-apart.bin")),
    Trained::new(include_bytes!("../weights/russian.bin")),
];

/// Small ones that learnt from those above.
static LIGHT: [Trained<PolicyNetwork>; 2] = [
    Trained::new(include_bytes!("../weights/classic-apart-light.bin")),
    Trained::new(include_bytes!("../weights/russian-light.bin")),
];

fn find(files: &'static [Trained<PolicyNetwork>], rules: &Rules) -> Option<&'static PolicyNetwork> {
    files.iter().filter_map(|file| file.get(PolicyNetwork::read)).find(|network| network.plays(rules))
}

/// A trained network for one set of rules.
pub struct PolicyNetwork {
    slots: Slots,
    planes: Planes,
    player: Player,
}

/// What the network makes of a position: cells worth a thought, in row order.
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyOutput {
    cells: Vec<CellOutput>,
}

/// What the network makes of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CellOutput {
    /// Where.
    pub cell: Cell,
    /// The chance of a hit, as the network sees it.
    pub hit: f32,
    /// What speaks for a shot beyond the chance of a hit.
    pub aim: f32,
}

impl PolicyNetwork {
    /// The network trained for these rules, if there is one. Whose turn comes when does not matter to it.
    pub fn trained_for(rules: &Rules) -> Option<&'static Self> {
        find(&TRAINED, rules)
    }

    /// A network for these rules that takes an eighth of the time and is nearly as strong, if there is one.
    pub fn distilled_for(rules: &Rules) -> Option<&'static Self> {
        find(&LIGHT, rules)
    }

    /// Reads a file of weights.
    pub fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let weights = PlayerWeights::read(bytes)?;
        let slots = weights.trunk.slots.clone();
        Ok(Self { player: Player::new(&weights), planes: Planes::new(&slots), slots })
    }

    /// Whether the network was trained for such rules.
    pub fn plays(&self, rules: &Rules) -> bool {
        self.slots.fit(rules)
    }

    /// Looks at a position under rules that the network [plays](PolicyNetwork::plays); `None` under others.
    pub fn evaluate(&self, knowledge: &Knowledge) -> Option<PolicyOutput> {
        let position = Position::of(&self.slots, knowledge)?;
        Some(PolicyOutput::new(knowledge, &position, &self.evaluate_symmetrically(&position)))
    }

    /// As [`PolicyNetwork::evaluate`], but never twice: half the time, for a little more noise.
    pub fn evaluate_once(&self, knowledge: &Knowledge) -> Option<PolicyOutput> {
        let position = Position::of(&self.slots, knowledge)?;
        Some(PolicyOutput::new(knowledge, &position, &self.forward(&position)))
    }

    /// The mean of what it says whichever of two like ships has which name: it should be the same, but for noise.
    fn evaluate_symmetrically(&self, position: &Position) -> HeadOutputs {
        let renamed = self.slots.twins().map(|twins| position.renamed(twins)).filter(|renamed| renamed != position);
        match renamed {
            Some(renamed) => self.forward(position).mean(&self.forward(&renamed)),
            None => self.forward(position),
        }
    }

    fn forward(&self, position: &Position) -> HeadOutputs {
        self.player.evaluate(&self.planes.of(position), &position.afloat)
    }
}

impl PolicyOutput {
    fn new(knowledge: &Knowledge, position: &Position, told: &HeadOutputs) -> Self {
        let worth = knowledge.rules().size().cells().enumerate().filter(|&(index, _)| position.may_hold_a_ship(index));
        let seen = worth.map(|(index, cell)| CellOutput { cell, hit: told.hit[index], aim: told.aim[index] });
        Self { cells: seen.collect() }
    }

    /// The cell to shoot at, among those allowed.
    pub fn best(&self, allowed: impl Fn(Cell) -> bool) -> Option<Cell> {
        self.best_with(allowed, |seen| seen.hit)
    }

    /// As [`PolicyOutput::best`], for someone who knows the chance of a hit better.
    pub fn best_with(&self, allowed: impl Fn(Cell) -> bool, hit: impl Fn(&CellOutput) -> f32) -> Option<Cell> {
        let most = self.logits_with(&allowed, &hit).map(|(_, wish)| wish).fold(f32::NEG_INFINITY, f32::max);
        self.logits_with(allowed, hit).find(|&(_, wish)| wish >= most - TIE).map(|(cell, _)| cell)
    }

    /// How much the network would like to shoot at each of the cells allowed, in row order: logits of its policy.
    pub fn logits_with(
        &self,
        allowed: impl Fn(Cell) -> bool,
        hit: impl Fn(&CellOutput) -> f32,
    ) -> impl Iterator<Item = (Cell, f32)> {
        let cells = self.cells.iter().filter(move |seen| allowed(seen.cell));
        cells.map(move |seen| (seen.cell, HIT_SHARPNESS * hit(seen) + seen.aim))
    }
}
