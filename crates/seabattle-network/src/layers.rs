//! The layers of the network, forwards.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array1, Array2, ArrayView2, Axis};

use crate::convolution::{Convolution, Field, Room};
use crate::slots::SLOTS;
use crate::weights::{IMAGES, INPUTS, Matrix, Weights};

/// The logit of sinking a ship of a class that is sunk already.
const RULED_OUT: f32 = -30.0;

pub(crate) struct Layers {
    side: usize,
    fields: usize,
    head: usize,
    stem: Convolution,
    blocks: Vec<Block>,
    look: Layer,
    answer: Layer,
    aim: Layer,
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
pub(crate) struct Told {
    /// The chance of a hit.
    pub(crate) hit: Vec<f32>,
    pub(crate) aim: Vec<f32>,
}

impl Told {
    pub(crate) fn mean(&self, other: &Self) -> Self {
        let mean = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a + b) / 2.0).collect();
        Self { hit: mean(&self.hit, &other.hit), aim: mean(&self.aim, &other.aim) }
    }
}

impl Layers {
    pub(crate) fn new(weights: &Weights) -> Self {
        let block = |block: &crate::weights::Block| Block {
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
            answer: Layer::new(&weights.answer),
            aim: Layer::new(&weights.aim),
        }
    }

    pub(crate) fn look(&self, planes: &[f32], afloat: &[u8; SLOTS]) -> Told {
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
        self.tell(&field, afloat)
    }

    fn tell(&self, field: &Field, afloat: &[u8; SLOTS]) -> Told {
        let looks = over_images(&self.look.times(&field.view()).mapv(relu), 2 * self.head);
        let (answers, aim) = looks.view().split_at(Axis(1), self.head);
        let mut answers = self.answer.times(&answers);
        for slot in (0..SLOTS).filter(|&slot| afloat[slot] == 0) {
            answers.column_mut(2 + slot).fill(RULED_OUT);
        }
        Told { hit: hits(&answers), aim: self.aim.times(&aim).into_raw_vec_and_offset().0 }
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
    let means = field.sum_axis(Axis(0)) / field.nrows() as f32;
    let most = field.fold_axis(Axis(0), f32::NEG_INFINITY, |&most, &value| most.max(value));
    let images = means.axis_chunks_iter(Axis(0), fields).zip(most.axis_chunks_iter(Axis(0), fields));
    let row = images.flat_map(|(means, most)| means.into_iter().chain(most)).copied().collect();
    matrix((1, 2 * field.ncols()), row)
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
