//! The layers of the network, forwards: convolutions as products of matrices.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, ArrayView2, ArrayViewMut2};

use crate::slots::SLOTS;
use crate::weights::{IMAGES, INPUTS, Matrix, Weights};

/// The logit of sinking a ship of a class that is sunk already.
const RULED_OUT: f32 = -30.0;

/// Values of all channels: one row a channel, one column a cell.
type Field = Array2<f32>;

pub(crate) struct Layers {
    side: usize,
    fields: usize,
    head: usize,
    stem: Layer,
    blocks: Vec<Block>,
    look: Layer,
    answer: Layer,
    aim: Layer,
}

struct Block {
    first: Layer,
    second: Layer,
    whole: Option<Layer>,
}

struct Layer {
    weights: Array2<f32>,
    bias: Vec<f32>,
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
            first: Layer::new(&block.first),
            second: Layer::new(&block.second),
            whole: block.whole.as_ref().map(Layer::new),
        };
        Self {
            side: weights.slots.side.into(),
            fields: weights.channels / IMAGES,
            head: weights.head,
            stem: Layer::new(&weights.stem),
            blocks: weights.blocks.iter().map(block).collect(),
            look: Layer::new(&weights.look),
            answer: Layer::new(&weights.answer),
            aim: Layer::new(&weights.aim),
        }
    }

    pub(crate) fn look(&self, planes: &[f32], afloat: &[u8; SLOTS]) -> Told {
        let area = self.side * self.side;
        let channels = IMAGES * self.fields;
        let mut windows = vec![0.0; 9 * channels.max(INPUTS) * area];
        let mut field = Field::zeros((channels, area));
        let planes = matrix((INPUTS, area), planes.to_vec());
        self.stem.convolve(&planes.view(), self.side, &mut windows, &mut field);
        let mut inner = Field::zeros((channels, area));
        for block in &self.blocks {
            let seen = field.mapv(relu);
            inner.fill(0.0);
            if let Some(whole) = &block.whole {
                add_to_rows(&mut inner, &whole.times(&pooled(&seen, self.fields).view()));
            }
            block.first.convolve(&seen.view(), self.side, &mut windows, &mut inner);
            inner.mapv_inplace(relu);
            block.second.convolve(&inner.view(), self.side, &mut windows, &mut field);
        }
        field.mapv_inplace(relu);
        self.tell(&field, afloat)
    }

    fn tell(&self, field: &Field, afloat: &[u8; SLOTS]) -> Told {
        let looks = over_images(&self.look.times(&field.view()).mapv(relu), 2 * self.head);
        let (answers, aim) = looks.view().split_at(ndarray::Axis(0), self.head);
        let mut answers = self.answer.times(&answers);
        for slot in (0..SLOTS).filter(|&slot| afloat[slot] == 0) {
            answers.row_mut(2 + slot).fill(RULED_OUT);
        }
        Told { hit: hits(&answers), aim: self.aim.times(&aim).into_raw_vec_and_offset().0 }
    }
}

impl Layer {
    fn new(layer: &Matrix) -> Self {
        Self { weights: matrix((layer.rows, layer.columns), layer.weights.clone()), bias: layer.bias.clone() }
    }

    /// A layer that looks at one cell at a time.
    fn times(&self, input: &ArrayView2<'_, f32>) -> Array2<f32> {
        let mut output = Array2::zeros((self.weights.nrows(), input.ncols()));
        general_mat_mul(1.0, &self.weights, input, 0.0, &mut output);
        self.add_bias(&mut output.view_mut());
        output
    }

    /// Adds a 3×3 convolution of the input, and the bias, to the output.
    fn convolve(&self, input: &ArrayView2<'_, f32>, side: usize, windows: &mut [f32], output: &mut Field) {
        let rows = 9 * input.nrows();
        let windows = &mut windows[..rows * input.ncols()];
        spread_windows(input, side, windows);
        if let Ok(windows) = ArrayView2::from_shape((rows, input.ncols()), &*windows) {
            general_mat_mul(1.0, &self.weights, &windows, 1.0, output);
        }
        self.add_bias(&mut output.view_mut());
    }

    fn add_bias(&self, output: &mut ArrayViewMut2<'_, f32>) {
        for (mut row, bias) in output.rows_mut().into_iter().zip(&self.bias) {
            row += *bias;
        }
    }
}

/// For every channel and place of the kernel, the value that each cell sees there; nothing beyond the edge.
fn spread_windows(input: &ArrayView2<'_, f32>, side: usize, windows: &mut [f32]) {
    let area = side * side;
    for (channel, windows) in input.rows().into_iter().zip(windows.chunks_exact_mut(9 * area)) {
        let Some(values) = channel.to_slice() else { continue };
        for (place, window) in windows.chunks_exact_mut(area).enumerate() {
            shift(values, side, place, window);
        }
    }
}

/// What each cell sees at one place of its 3×3 window.
fn shift(values: &[f32], side: usize, place: usize, window: &mut [f32]) {
    let (down, right) = (place / 3, place % 3);
    let width = side - usize::from(right != 1);
    let (to, from) = (usize::from(right == 0), usize::from(right == 2));
    window.fill(0.0);
    for row in usize::from(down == 0)..side - usize::from(down == 2) {
        let source = (row + down - 1) * side + from;
        window[row * side + to..][..width].copy_from_slice(&values[source..][..width]);
    }
}

/// A matrix of these numbers; the lengths were checked when the weights were read.
fn matrix(shape: (usize, usize), numbers: Vec<f32>) -> Array2<f32> {
    Array2::from_shape_vec(shape, numbers).unwrap_or_default()
}

/// For each image, the means of its fields over the board, then the maxima: one column.
fn pooled(field: &Field, fields: usize) -> Array2<f32> {
    let area = field.ncols() as f32;
    let mut column = Array2::zeros((2 * field.nrows(), 1));
    for (channel, values) in field.rows().into_iter().enumerate() {
        let at = channel / fields * 2 * fields + channel % fields;
        column[(at, 0)] = values.sum() / area;
        column[(at + fields, 0)] = values.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    }
    column
}

fn add_to_rows(field: &mut Field, column: &Array2<f32>) {
    for (mut row, value) in field.rows_mut().into_iter().zip(column) {
        row += *value;
    }
}

/// The mean over the eight images.
fn over_images(field: &Field, fields: usize) -> Field {
    let mut mean = Field::zeros((fields, field.ncols()));
    for (channel, values) in field.rows().into_iter().enumerate() {
        let mut row = mean.row_mut(channel % fields);
        row += &values;
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
    answers.columns().into_iter().map(hit).collect()
}

fn relu(value: f32) -> f32 {
    value.max(0.0)
}
