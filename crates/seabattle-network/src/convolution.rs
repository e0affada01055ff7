//! 3×3 convolutions by Winograd's way: sixteen small products of matrices for tiles of four cells, less than half the work.

use ndarray::linalg::general_mat_mul;
use ndarray::{Array2, Array3, Axis};

use crate::weights::Matrix;

/// Values of all channels: one row a cell, one column a channel.
pub(crate) type Field = Array2<f32>;

/// Cells on a side of a tile.
const TILE: usize = 2;
/// Cells on a side of what a tile's convolution sees.
const SEEN: usize = TILE + 2;
const POINTS: usize = SEEN * SEEN;

pub(crate) struct Convolution {
    /// At each point one row an input, one column an output.
    kernels: Array3<f32>,
    bias: Vec<f32>,
}

/// Where convolutions work; the next one uses it again.
#[derive(Default)]
pub(crate) struct Room {
    /// The input with an edge of nothing around it.
    framed: Vec<f32>,
    /// Tiles by points by inputs.
    seen: Array3<f32>,
    /// Tiles by points by outputs.
    made: Array3<f32>,
}

impl Convolution {
    /// From 3×3 kernels row by row within an input.
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
    pub(crate) fn add(&self, input: &Field, side: usize, room: &mut Room, output: &mut Field) {
        let tiles = side.div_ceil(TILE);
        let (_, inputs, outputs) = self.kernels.dim();
        room.prepare(input, side, (tiles, inputs, outputs));
        see(&room.framed, tiles, &mut room.seen);
        for point in 0..POINTS {
            let (seen, kernel) = (room.seen.index_axis(Axis(1), point), self.kernels.index_axis(Axis(0), point));
            general_mat_mul(1.0, &seen, &kernel, 0.0, &mut room.made.index_axis_mut(Axis(1), point));
        }
        self.tell(&room.made, side, output);
    }

    /// From points to cells.
    fn tell(&self, made: &Array3<f32>, side: usize, output: &mut Field) {
        let (tiles, channels) = (side.div_ceil(TILE), self.bias.len());
        let (Some(made), Some(output)) = (made.as_slice(), output.as_slice_mut()) else { return };
        let mut half = vec![0.0; TILE * SEEN * channels];
        let mut cells = vec![0.0; TILE * channels];
        for (tile, points) in made.chunks_exact(POINTS * channels).enumerate() {
            let (top, left) = (tile / tiles * TILE, tile % tiles * TILE);
            gather(points, &mut half);
            for (row, half) in (top..side).zip(half.chunks_exact(SEEN * channels)) {
                gather(half, &mut cells);
                let there =
                    output[(row * side + left) * channels..(row + 1) * side * channels].chunks_exact_mut(channels);
                for (there, cell) in there.zip(cells.chunks_exact(channels)) {
                    for ((there, value), bias) in there.iter_mut().zip(cell).zip(&self.bias) {
                        *there += value + bias;
                    }
                }
            }
        }
    }
}

impl Room {
    fn prepare(&mut self, input: &Field, side: usize, (tiles, inputs, outputs): (usize, usize, usize)) {
        let framed_side = TILE * tiles + 2;
        self.framed.clear();
        self.framed.resize(framed_side * framed_side * inputs, 0.0);
        for (row, values) in input.as_slice().unwrap_or_default().chunks_exact(side * inputs).enumerate() {
            self.framed[((row + 1) * framed_side + 1) * inputs..][..values.len()].copy_from_slice(values);
        }
        for (room, channels) in [(&mut self.seen, inputs), (&mut self.made, outputs)] {
            let shape = (tiles * tiles, POINTS, channels);
            if room.dim() != shape {
                *room = Array3::zeros(shape);
            }
        }
    }
}

/// From the cells that each tile sees to points.
fn see(framed: &[f32], tiles: usize, seen: &mut Array3<f32>) {
    let channels = seen.dim().2;
    let framed_side = TILE * tiles + 2;
    let mut cells = vec![0.0; POINTS * channels];
    let mut half = vec![0.0; POINTS * channels];
    for (tile, points) in seen.as_slice_mut().unwrap_or_default().chunks_exact_mut(POINTS * channels).enumerate() {
        let (top, left) = (tile / tiles * TILE, tile % tiles * TILE);
        for (row, cells) in cells.chunks_exact_mut(SEEN * channels).enumerate() {
            cells.copy_from_slice(&framed[((top + row) * framed_side + left) * channels..][..SEEN * channels]);
        }
        spread(&cells, &mut half);
        for (half, points) in half.chunks_exact(SEEN * channels).zip(points.chunks_exact_mut(SEEN * channels)) {
            spread(half, points);
        }
    }
}

/// A kernel at all points.
fn points_of(kernel: &[f32; 9]) -> [f32; POINTS] {
    let spread = |[a, b, c]: [f32; 3]| [a, (a + b + c) / 2.0, (a - b + c) / 2.0, c];
    let columns: [_; 3] =
        std::array::from_fn(|column| spread([kernel[column], kernel[3 + column], kernel[6 + column]]));
    let rows: [_; SEEN] = std::array::from_fn(|row| spread(columns.map(|column| column[row])));
    std::array::from_fn(|point| rows[point / SEEN][point % SEEN])
}

/// Four lines of what a tile sees, one after the other, to four of points.
fn spread(from: &[f32], to: &mut [f32]) {
    let length = from.len() / SEEN;
    let [a, b, c, d] = std::array::from_fn(|line| &from[line * length..][..length]);
    for (line, to) in to.chunks_exact_mut(length).enumerate() {
        let (first, sign, second) = [(a, -1.0, c), (b, 1.0, c), (c, -1.0, b), (b, -1.0, d)][line];
        for ((to, first), second) in to.iter_mut().zip(first).zip(second) {
            *to = first + sign * second;
        }
    }
}

/// Four lines of points to two of a tile.
fn gather(from: &[f32], to: &mut [f32]) {
    let length = from.len() / SEEN;
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

    /// Small numbers without a pattern.
    fn numbers(count: usize, seed: u32) -> Vec<f32> {
        let mixed = |at: u32| (at.wrapping_mul(2_654_435_761) ^ seed).wrapping_mul(2_246_822_519) >> 16;
        (0..count as u32).map(|at| mixed(at) as f32 / 32768.0 - 1.0).collect()
    }

    /// Cell by cell, as convolutions are defined.
    fn plainly(layer: &Matrix, input: &Field, side: usize, output: &mut Field) {
        let inside = |at: usize, step: usize| (at + step).checked_sub(1).filter(|&at| at < side);
        for cell in 0..side * side {
            for out in 0..layer.rows {
                let kernels = layer.weights[out * layer.columns..][..layer.columns].as_chunks::<9>().0;
                let mut sum = layer.bias[out];
                for (channel, kernel) in kernels.iter().enumerate() {
                    for (place, weight) in kernel.iter().enumerate() {
                        let seen = inside(cell / side, place / 3).zip(inside(cell % side, place % 3));
                        sum += seen.map_or(0.0, |(row, col)| weight * input[(row * side + col, channel)]);
                    }
                }
                output[(cell, out)] += sum;
            }
        }
    }

    #[test]
    fn tiles_make_what_cells_alone_would() {
        let (inputs, outputs) = (5, 7);
        let weights = numbers(outputs * inputs * 9, 1);
        let layer = Matrix { rows: outputs, columns: inputs * 9, weights, bias: numbers(outputs, 2) };
        let convolution = Convolution::new(&layer);
        let mut room = Room::default();
        for side in [10, 7, 2, 1, 9] {
            let field =
                |channels, seed| Field::from_shape_vec((side * side, channels), numbers(side * side * channels, seed));
            let input = field(inputs, 3).unwrap();
            let mut tiled = field(outputs, 4).unwrap();
            let mut plain = tiled.clone();
            convolution.add(&input, side, &mut room, &mut tiled);
            plainly(&layer, &input, side, &mut plain);
            let worst = tiled.iter().zip(&plain).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(worst < 1e-4, "side {side}: {worst}");
            assert!(plain.iter().any(|value| value.abs() > 1.0), "side {side}: nothing to tell apart");
        }
    }
}
