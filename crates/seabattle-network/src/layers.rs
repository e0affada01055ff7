//! The layers of the network, forwards.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, Axis};

use crate::convolution::{Convolution, Field, Room};
use crate::slots::SLOTS;
use crate::weights::{self, IMAGES, INPUTS, JudgeWeights, Matrix, PlayerWeights};

/// The logit of sinking a ship of a class that is sunk already.
const RULED_OUT: f32 = -30.0;

/// Says of every cell how likely a hit is, and what else speaks for a shot there.
pub(crate) struct Player {
    trunk: Trunk,
    answer: Layer,
    aim: Layer,
}

/// Says how many misses are to come.
pub(crate) struct Judge {
    trunk: Trunk,
    missed: Layer,
    sum_up: Layer,
    value: Layer,
}

struct Trunk {
    side: usize,
    fields: usize,
    head: usize,
    stem: Convolution,
    blocks: Vec<Block>,
    look: Layer,
}

struct Block {
    first: Convolution,
    second: Convolution,
    whole: Option<Layer>,
}

/// Looks at one cell at a time.
struct Layer {
    /// One row an input, one column an output.
    weights: Array2<f32>,
    bias: Array1<f32>,
}

/// What the heads say of every cell.
pub(crate) struct HeadOutputs {
    /// The chance of a hit.
    pub(crate) hit: Vec<f32>,
    pub(crate) aim: Vec<f32>,
}

impl HeadOutputs {
    pub(crate) fn mean(&self, other: &Self) -> Self {
        let mean = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a + b) / 2.0).collect();
        Self { hit: mean(&self.hit, &other.hit), aim: mean(&self.aim, &other.aim) }
    }
}

impl Player {
    pub(crate) fn new(weights: &PlayerWeights) -> Self {
        let [answer, aim] = [&weights.answer, &weights.aim].map(Layer::new);
        Self { trunk: Trunk::new(&weights.trunk), answer, aim }
    }

    pub(crate) fn evaluate(&self, planes: &[f32], afloat: &[u8; SLOTS]) -> HeadOutputs {
        let looks = self.trunk.looks(&self.trunk.seen(planes));
        let (answers, aim) = looks.view().split_at(Axis(1), self.trunk.head);
        let mut answers = self.answer.times(&answers);
        for slot in (0..SLOTS).filter(|&slot| afloat[slot] == 0) {
            answers.column_mut(2 + slot).fill(RULED_OUT);
        }
        HeadOutputs { hit: hits(&answers), aim: self.aim.times(&aim).into_raw_vec_and_offset().0 }
    }
}

impl Judge {
    pub(crate) fn new(weights: &JudgeWeights) -> Self {
        let [missed, sum_up, value] = [&weights.missed, &weights.sum_up, &weights.value].map(Layer::new);
        Self { trunk: Trunk::new(&weights.trunk), missed, sum_up, value }
    }

    /// Cells that will be missed, among those where a ship may be, and what it adds to them when it looks at the whole board.
    pub(crate) fn misses(&self, planes: &[f32], may_hold_a_ship: impl Fn(usize) -> bool) -> f32 {
        let seen = self.trunk.seen(planes);
        let looks = self.trunk.looks(&seen);
        let missed = self.missed.times(&looks.view().split_at(Axis(1), self.trunk.head).0);
        let cells = missed.iter().enumerate().filter(|&(cell, _)| may_hold_a_ship(cell));
        let sum_up = self.sum_up.times(&self.trunk.summed(&seen, &looks).view()).mapv(relu);
        let value = self.value.times(&sum_up.view());
        (cells.map(|(_, &logit)| 1.0 / (1.0 + (-logit).exp())).sum::<f32>() + value.sum()).max(0.0)
    }
}

impl Trunk {
    fn new(weights: &weights::Trunk) -> Self {
        let block = |block: &weights::Block| Block {
            first: Convolution::new(&block.first),
            second: Convolution::new(&block.second),
            whole: block.whole.as_ref().map(Layer::new),
        };
        Self {
            side: weights.slots.side.into(),
            fields: weights.channels / IMAGES,
            head: weights.head,
            stem: Convolution::new(&weights.stem),
            blocks: weights.blocks.iter().map(block).collect(),
            look: Layer::new(&weights.look),
        }
    }

    fn seen(&self, planes: &[f32]) -> Field {
        let area = self.side * self.side;
        let channels = IMAGES * self.fields;
        let mut room = Room::default();
        let mut field = Field::zeros((area, channels));
        let planes = matrix((INPUTS, area), planes.to_vec()).t().as_standard_layout().into_owned();
        self.stem.add(&planes, self.side, &mut room, &mut field);
        let mut inner = Field::zeros((area, channels));
        for block in &self.blocks {
            let seen = field.mapv(relu);
            inner.fill(0.0);
            if let Some(whole) = &block.whole {
                inner += &whole.times(&pooled(&seen, self.fields).view());
            }
            block.first.add(&seen, self.side, &mut room, &mut inner);
            inner.mapv_inplace(relu);
            block.second.add(&inner, self.side, &mut room, &mut field);
        }
        field.mapv_inplace(relu);
        field
    }

    fn looks(&self, seen: &Field) -> Field {
        over_images(&self.look.times(&seen.view()).mapv(relu), 2 * self.head)
    }

    /// Means of the fields over board and images, then maxima, and the same of the looks: one row.
    fn summed(&self, seen: &Field, looks: &Field) -> Field {
        let images = |all: Array1<f32>| matrix((IMAGES, self.fields), all.to_vec());
        let fields = over_images(&mean(seen).insert_axis(Axis(0)), self.fields);
        let parts = [fields.sum_axis(Axis(0)), most(&images(most(seen))), mean(looks), most(looks)];
        let row: Vec<f32> = parts.iter().flatten().copied().collect();
        matrix((1, row.len()), row)
    }
}

impl Layer {
    fn new(layer: &Matrix) -> Self {
        let weights = matrix((layer.rows, layer.columns), layer.weights.clone());
        Self { weights: weights.reversed_axes(), bias: layer.bias.clone().into() }
    }

    fn times(&self, input: &ArrayView2<'_, f32>) -> Field {
        let mut output = Field::zeros((input.nrows(), self.weights.ncols()));
        output += &self.bias;
        general_mat_mul(1.0, input, &self.weights, 1.0, &mut output);
        output
    }
}

/// A matrix of these numbers; the lengths were checked when the weights were read.
fn matrix(shape: (usize, usize), numbers: Vec<f32>) -> Array2<f32> {
    Array2::from_shape_vec(shape, numbers).unwrap_or_default()
}

/// For each image, the means of its fields over the board, then the maxima: one row.
fn pooled(field: &Field, fields: usize) -> Field {
    let (means, most) = (mean(field), most(field));
    let images = means.axis_chunks_iter(Axis(0), fields).zip(most.axis_chunks_iter(Axis(0), fields));
    let row = images.flat_map(|(means, most)| means.into_iter().chain(most)).copied().collect();
    matrix((1, 2 * field.ncols()), row)
}

/// The mean of every column.
fn mean(field: &Field) -> Array1<f32> {
    field.sum_axis(Axis(0)) / field.nrows() as f32
}

/// The maximum of every column.
fn most(field: &Field) -> Array1<f32> {
    field.fold_axis(Axis(0), f32::NEG_INFINITY, |&most, &value| most.max(value))
}

/// The mean over the eight images.
fn over_images(field: &Field, fields: usize) -> Field {
    let mut mean = Field::zeros((field.nrows(), fields));
    for image in field.axis_chunks_iter(Axis(1), fields) {
        mean += &image;
    }
    mean / IMAGES as f32
}

/// One minus the share of a miss among the answers.
fn hits(answers: &Field) -> Vec<f32> {
    let hit = |told: ndarray::ArrayView1<'_, f32>| {
        let most = told.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = told.iter().map(|value| (value - most).exp()).sum();
        1.0 - (told[0] - most).exp() / sum
    };
    answers.rows().into_iter().map(hit).collect()
}

fn relu(value: f32) -> f32 {
    value.max(0.0)
}
