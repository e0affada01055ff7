//! The layers of the networks: the forward pass.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, Axis};

use crate::convolution::{Convolution, FeatureMap, Workspace};
use crate::fleet_slots::SLOTS;
use crate::weights::{self, INPUTS, Matrix, PolicyWeights, SYMMETRIES, ValueWeights};

/// The logit of sinking a ship of a class that is already sunk.
const RULED_OUT: f32 = -30.0;

/// The layers of a policy network: hit probability and logit offset for every cell.
pub(crate) struct PolicyLayers {
    trunk: Trunk,
    answer: Layer,
    logit_offset: Layer,
}

/// The layers of a value network: the expected misses to come.
pub(crate) struct ValueLayers {
    trunk: Trunk,
    miss: Layer,
    hidden: Layer,
    value: Layer,
}

/// The layers that policy and value networks have in common: a residual network.
struct Trunk {
    side: usize,
    channels: usize,
    head: usize,
    stem: Convolution,
    blocks: Vec<Block>,
    head_features: Layer,
}

/// A residual block: two convolutions, and global pooling in every second block.
struct Block {
    first: Convolution,
    second: Convolution,
    global: Option<Layer>,
}

/// A fully connected layer, applied to each cell alone.
struct Layer {
    /// A row for each input, a column for each output.
    weights: Array2<f32>,
    bias: Array1<f32>,
}

/// The outputs of the policy heads for every cell.
pub(crate) struct HeadOutputs {
    /// The probability of a hit.
    pub(crate) hit: Vec<f32>,
    pub(crate) logit_offset: Vec<f32>,
}

impl HeadOutputs {
    pub(crate) fn mean(&self, other: &Self) -> Self {
        let mean = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a + b) / 2.0).collect();
        Self { hit: mean(&self.hit, &other.hit), logit_offset: mean(&self.logit_offset, &other.logit_offset) }
    }
}

impl PolicyLayers {
    pub(crate) fn new(weights: &PolicyWeights) -> Self {
        let [answer, logit_offset] = [&weights.answer, &weights.logit_offset].map(Layer::new);
        Self { trunk: Trunk::new(&weights.trunk), answer, logit_offset }
    }

    pub(crate) fn evaluate(&self, planes: &[f32], afloat: &[u8; SLOTS]) -> HeadOutputs {
        let head_features = self.trunk.head_features(&self.trunk.features(planes));
        let (answers, offsets) = head_features.view().split_at(Axis(1), self.trunk.head);
        let mut answers = self.answer.times(&answers);
        for slot in (0..SLOTS).filter(|&slot| afloat[slot] == 0) {
            answers.column_mut(2 + slot).fill(RULED_OUT);
        }
        HeadOutputs { hit: hits(&answers), logit_offset: self.logit_offset.times(&offsets).into_raw_vec_and_offset().0 }
    }
}

impl ValueLayers {
    pub(crate) fn new(weights: &ValueWeights) -> Self {
        let [miss, hidden, value] = [&weights.miss, &weights.hidden, &weights.value].map(Layer::new);
        Self { trunk: Trunk::new(&weights.trunk), miss, hidden, value }
    }

    /// The expected misses: the probabilities of missing each cell that may hold a ship, plus a value of the whole board.
    pub(crate) fn misses(&self, planes: &[f32], may_hold_a_ship: impl Fn(usize) -> bool) -> f32 {
        let features = self.trunk.features(planes);
        let head_features = self.trunk.head_features(&features);
        let miss = self.miss.times(&head_features.view().split_at(Axis(1), self.trunk.head).0);
        let cells = miss.iter().enumerate().filter(|&(cell, _)| may_hold_a_ship(cell));
        let hidden = self.hidden.times(&self.trunk.pooled_features(&features, &head_features).view()).mapv(relu);
        let value = self.value.times(&hidden.view());
        (cells.map(|(_, &logit)| 1.0 / (1.0 + (-logit).exp())).sum::<f32>() + value.sum()).max(0.0)
    }
}

impl Trunk {
    fn new(weights: &weights::Trunk) -> Self {
        let block = |block: &weights::Block| Block {
            first: Convolution::new(&block.first),
            second: Convolution::new(&block.second),
            global: block.global.as_ref().map(Layer::new),
        };
        Self {
            side: weights.fleet_slots.side.into(),
            channels: weights.total_channels / SYMMETRIES,
            head: weights.head,
            stem: Convolution::new(&weights.stem),
            blocks: weights.blocks.iter().map(block).collect(),
            head_features: Layer::new(&weights.features),
        }
    }

    fn features(&self, planes: &[f32]) -> FeatureMap {
        let area = self.side * self.side;
        let total_channels = SYMMETRIES * self.channels;
        let mut workspace = Workspace::default();
        let mut feature_map = FeatureMap::zeros((area, total_channels));
        let planes = matrix((INPUTS, area), planes.to_vec()).t().as_standard_layout().into_owned();
        self.stem.add(&planes, self.side, &mut workspace, &mut feature_map);
        let mut inner = FeatureMap::zeros((area, total_channels));
        for block in &self.blocks {
            let activated = feature_map.mapv(relu);
            inner.fill(0.0);
            if let Some(global) = &block.global {
                inner += &global.times(&pooled(&activated, self.channels).view());
            }
            block.first.add(&activated, self.side, &mut workspace, &mut inner);
            inner.mapv_inplace(relu);
            block.second.add(&inner, self.side, &mut workspace, &mut feature_map);
        }
        feature_map.mapv_inplace(relu);
        feature_map
    }

    fn head_features(&self, features: &FeatureMap) -> FeatureMap {
        mean_over_symmetries(&self.head_features.times(&features.view()).mapv(relu), 2 * self.head)
    }

    /// Global features of the board in one row: means and maxima of the channels, and of the head features.
    fn pooled_features(&self, features: &FeatureMap, head_features: &FeatureMap) -> FeatureMap {
        let by_symmetry = |all: Array1<f32>| matrix((SYMMETRIES, self.channels), all.to_vec());
        let channels = mean_over_symmetries(&mean(features).insert_axis(Axis(0)), self.channels);
        let parts = [
            channels.sum_axis(Axis(0)),
            maximum(&by_symmetry(maximum(features))),
            mean(head_features),
            maximum(head_features),
        ];
        let row: Vec<f32> = parts.iter().flatten().copied().collect();
        matrix((1, row.len()), row)
    }
}

impl Layer {
    fn new(layer: &Matrix) -> Self {
        let weights = matrix((layer.rows, layer.columns), layer.weights.clone());
        Self { weights: weights.reversed_axes(), bias: layer.bias.clone().into() }
    }

    fn times(&self, input: &ArrayView2<'_, f32>) -> FeatureMap {
        let mut output = FeatureMap::zeros((input.nrows(), self.weights.ncols()));
        output += &self.bias;
        general_mat_mul(1.0, input, &self.weights, 1.0, &mut output);
        output
    }
}

/// A matrix of these numbers; their count was checked when the weights were read.
fn matrix(shape: (usize, usize), numbers: Vec<f32>) -> Array2<f32> {
    Array2::from_shape_vec(shape, numbers).unwrap_or_default()
}

/// Global pooling in one row: for each symmetry the means of its channels over the board, then the maxima.
fn pooled(feature_map: &FeatureMap, channels: usize) -> FeatureMap {
    let (means, maxima) = (mean(feature_map), maximum(feature_map));
    let symmetries = means.axis_chunks_iter(Axis(0), channels).zip(maxima.axis_chunks_iter(Axis(0), channels));
    let row = symmetries.flat_map(|(means, maxima)| means.into_iter().chain(maxima)).copied().collect();
    matrix((1, 2 * feature_map.ncols()), row)
}

/// The mean of every column.
fn mean(feature_map: &FeatureMap) -> Array1<f32> {
    feature_map.sum_axis(Axis(0)) / feature_map.nrows() as f32
}

/// The maximum of every column.
fn maximum(feature_map: &FeatureMap) -> Array1<f32> {
    feature_map.fold_axis(Axis(0), f32::NEG_INFINITY, |&maximum, &value| maximum.max(value))
}

/// The mean over the eight symmetries.
fn mean_over_symmetries(feature_map: &FeatureMap, channels: usize) -> FeatureMap {
    let mut mean = FeatureMap::zeros((feature_map.nrows(), channels));
    for symmetry in feature_map.axis_chunks_iter(Axis(1), channels) {
        mean += &symmetry;
    }
    mean / SYMMETRIES as f32
}

/// The hit probability of each cell: one minus the softmax probability of a miss.
fn hits(answers: &FeatureMap) -> Vec<f32> {
    let hit = |logits: ndarray::ArrayView1<'_, f32>| {
        let maximum = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = logits.iter().map(|value| (value - maximum).exp()).sum();
        1.0 - (logits[0] - maximum).exp() / sum
    };
    answers.rows().into_iter().map(hit).collect()
}

fn relu(value: f32) -> f32 {
    value.max(0.0)
}
