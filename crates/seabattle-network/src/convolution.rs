//! 3×3 convolutions by [Winograd's minimal filtering algorithm](https://arxiv.org/abs/1509.09308).
//!
//! Tiles of 2×2 cells become sixteen small matrix products: less than half of the multiplications.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, Array3, Axis};

use crate::weights::Matrix;

/// A feature map: one row for each cell, one column for each channel of each symmetry.
pub(crate) type FeatureMap = Array2<f32>;

/// Cells along a side of a tile.
const TILE: usize = 2;
/// Cells along a side of the input patch of a tile.
const PATCH: usize = TILE + 2;
const POINTS: usize = PATCH * PATCH;

/// A 3×3 convolution whose kernels are transformed in advance.
pub(crate) struct Convolution {
    /// For each point of the transform a matrix, with a row for each input and a column for each output.
    kernels: Array3<f32>,
    bias: Vec<f32>,
}

/// Buffers of a convolution, reused by the next.
#[derive(Default)]
pub(crate) struct Workspace {
    /// The input with a border of zeros.
    framed: Vec<f32>,
    /// The transformed input: tiles × points × inputs.
    transformed: Array3<f32>,
    /// The products: tiles × points × outputs.
    products: Array3<f32>,
}

impl Convolution {
    /// Transforms the 3×3 kernels of a layer.
    pub(crate) fn new(layer: &Matrix) -> Self {
        let (outputs, inputs) = (layer.rows, layer.columns / 9);
        let mut kernels = Array3::zeros((POINTS, inputs, outputs));
        for (number, kernel) in layer.weights.as_chunks::<9>().0.iter().enumerate() {
            for (point, value) in points_of(kernel).into_iter().enumerate() {
                kernels[(point, number % inputs, number / inputs)] = value;
            }
        }
        Self { kernels, bias: layer.bias.clone() }
    }

    /// Adds the convolution of the input, and the bias, to the output.
    pub(crate) fn add(&self, input: &FeatureMap, side: usize, workspace: &mut Workspace, output: &mut FeatureMap) {
        let tiles = side.div_ceil(TILE);
        let (_, inputs, outputs) = self.kernels.dim();
        workspace.prepare(input, side, (tiles, inputs, outputs));
        transform_inputs(&workspace.framed, tiles, &mut workspace.transformed);
        for point in 0..POINTS {
            let (transformed, kernel) =
                (workspace.transformed.index_axis(Axis(1), point), self.kernels.index_axis(Axis(0), point));
            general_mat_mul(1.0, &transformed, &kernel, 0.0, &mut workspace.products.index_axis_mut(Axis(1), point));
        }
        self.add_outputs(&workspace.products, side, output);
    }

    /// Transforms the products back to cells and adds them to the output.
    fn add_outputs(&self, products: &Array3<f32>, side: usize, output: &mut FeatureMap) {
        let (tiles, total_channels) = (side.div_ceil(TILE), self.bias.len());
        let (Some(products), Some(output)) = (products.as_slice(), output.as_slice_mut()) else { return };
        let mut half = vec![0.0; TILE * PATCH * total_channels];
        let mut cells = vec![0.0; TILE * total_channels];
        for (tile, points) in products.chunks_exact(POINTS * total_channels).enumerate() {
            let (top, left) = (tile / tiles * TILE, tile % tiles * TILE);
            gather(points, &mut half);
            for (row, half) in (top..side).zip(half.chunks_exact(PATCH * total_channels)) {
                gather(half, &mut cells);
                let output_row = output[(row * side + left) * total_channels..(row + 1) * side * total_channels]
                    .chunks_exact_mut(total_channels);
                for (output_cell, cell) in output_row.zip(cells.chunks_exact(total_channels)) {
                    for ((output, value), bias) in output_cell.iter_mut().zip(cell).zip(&self.bias) {
                        *output += value + bias;
                    }
                }
            }
        }
    }
}

impl Workspace {
    fn prepare(&mut self, input: &FeatureMap, side: usize, (tiles, inputs, outputs): (usize, usize, usize)) {
        let framed_side = TILE * tiles + 2;
        self.framed.clear();
        self.framed.resize(framed_side * framed_side * inputs, 0.0);
        for (row, values) in input.as_slice().unwrap_or_default().chunks_exact(side * inputs).enumerate() {
            self.framed[((row + 1) * framed_side + 1) * inputs..][..values.len()].copy_from_slice(values);
        }
        for (workspace, total_channels) in [(&mut self.transformed, inputs), (&mut self.products, outputs)] {
            let shape = (tiles * tiles, POINTS, total_channels);
            if workspace.dim() != shape {
                *workspace = Array3::zeros(shape);
            }
        }
    }
}

/// Transforms the input patch of each tile.
fn transform_inputs(framed: &[f32], tiles: usize, transformed: &mut Array3<f32>) {
    let total_channels = transformed.dim().2;
    let framed_side = TILE * tiles + 2;
    let mut cells = vec![0.0; POINTS * total_channels];
    let mut half = vec![0.0; POINTS * total_channels];
    for (tile, points) in
        transformed.as_slice_mut().unwrap_or_default().chunks_exact_mut(POINTS * total_channels).enumerate()
    {
        let (top, left) = (tile / tiles * TILE, tile % tiles * TILE);
        for (row, cells) in cells.chunks_exact_mut(PATCH * total_channels).enumerate() {
            cells.copy_from_slice(
                &framed[((top + row) * framed_side + left) * total_channels..][..PATCH * total_channels],
            );
        }
        spread(&cells, &mut half);
        for (half, points) in
            half.chunks_exact(PATCH * total_channels).zip(points.chunks_exact_mut(PATCH * total_channels))
        {
            spread(half, points);
        }
    }
}

/// The transform of a kernel.
fn points_of(kernel: &[f32; 9]) -> [f32; POINTS] {
    let spread = |[a, b, c]: [f32; 3]| [a, (a + b + c) / 2.0, (a - b + c) / 2.0, c];
    let columns: [_; 3] =
        std::array::from_fn(|column| spread([kernel[column], kernel[3 + column], kernel[6 + column]]));
    let rows: [_; PATCH] = std::array::from_fn(|row| spread(columns.map(|column| column[row])));
    std::array::from_fn(|point| rows[point / PATCH][point % PATCH])
}

/// The input transform of one dimension: four lines of a patch to four lines of points.
fn spread(from: &[f32], to: &mut [f32]) {
    let length = from.len() / PATCH;
    let [a, b, c, d] = std::array::from_fn(|line| &from[line * length..][..length]);
    for (line, to) in to.chunks_exact_mut(length).enumerate() {
        let (first, sign, second) = [(a, -1.0, c), (b, 1.0, c), (c, -1.0, b), (b, -1.0, d)][line];
        for ((to, first), second) in to.iter_mut().zip(first).zip(second) {
            *to = first + sign * second;
        }
    }
}

/// The output transform of one dimension: four lines of points to two lines of a tile.
fn gather(from: &[f32], to: &mut [f32]) {
    let length = from.len() / PATCH;
    let [a, b, c, d] = std::array::from_fn(|line| &from[line * length..][..length]);
    let (first, second) = to.split_at_mut(length);
    for at in 0..length {
        first[at] = a[at] + b[at] + c[at];
        second[at] = b[at] - c[at] - d[at];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Small pseudo-random numbers.
    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mixed = |at: u32| (at.wrapping_mul(2_654_435_761) ^ seed).wrapping_mul(2_246_822_519) >> 16;
        (0..count as u32).map(|at| mixed(at) as f32 / 32768.0 - 1.0).collect()
    }

    /// The convolution by its definition, cell by cell.
    fn direct_convolution(layer: &Matrix, input: &FeatureMap, side: usize, output: &mut FeatureMap) {
        let inside = |at: usize, step: usize| (at + step).checked_sub(1).filter(|&at| at < side);
        for cell in 0..side * side {
            for out in 0..layer.rows {
                let kernels = layer.weights[out * layer.columns..][..layer.columns].as_chunks::<9>().0;
                let mut sum = layer.bias[out];
                for (channel, kernel) in kernels.iter().enumerate() {
                    for (place, weight) in kernel.iter().enumerate() {
                        let transformed = inside(cell / side, place / 3).zip(inside(cell % side, place % 3));
                        sum += transformed.map_or(0.0, |(row, col)| weight * input[(row * side + col, channel)]);
                    }
                }
                output[(cell, out)] += sum;
            }
        }
    }

    #[test]
    fn tiled_and_direct_convolutions_agree() {
        let (inputs, outputs) = (5, 7);
        let weights = numbers(outputs * inputs * 9, 1);
        let layer = Matrix { rows: outputs, columns: inputs * 9, weights, bias: numbers(outputs, 2) };
        let convolution = Convolution::new(&layer);
        let mut workspace = Workspace::default();
        for side in [10, 7, 2, 1, 9] {
            let feature_map = |total_channels, seed| {
                FeatureMap::from_shape_vec((side * side, total_channels), numbers(side * side * total_channels, seed))
            };
            let input = feature_map(inputs, 3).unwrap();
            let mut tiled = feature_map(outputs, 4).unwrap();
            let mut plain = tiled.clone();
            convolution.add(&input, side, &mut workspace, &mut tiled);
            direct_convolution(&layer, &input, side, &mut plain);
            let worst = tiled.iter().zip(&plain).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < 1e-4, "side {side}: {worst}");
            assert!(plain.iter().any(|value| value.abs() > 1.0), "side {side}: no output is large enough to compare");
        }
    }
}
