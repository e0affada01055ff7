//! Files of weights. Each small kernel is expanded to its eight rotations and mirror images.

use half::f16;
use thiserror::Error;

use crate::fleet_slots::{FleetSlots, SLOTS, Slot};
use crate::planes::{PAIRS, SCALARS};

/// The number of symmetries of a square board.
pub(crate) const SYMMETRIES: usize = 8;

/// The number of input planes.
pub(crate) const INPUTS: usize = SCALARS + 2 * PAIRS;

/// The number of rows of the answer head: miss, hit, and sunk for each slot.
pub(crate) const ANSWERS: usize = 2 + SLOTS;

/// The width of the hidden layer of the value head, as in training.
pub(crate) const HIDDEN: usize = 128;

const POLICY_MAGIC: &[u8] = b"seabattle network 1\n";
const VALUE_MAGIC: &[u8] = b"seabattle judge 1\n";

/// Why a file of weights cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// The file does not start as files of this version do.
    #[error("this is not a file of network weights, or one of another version")]
    UnknownFormat,
    /// The file is shorter or longer than its header says.
    #[error("the file of network weights is {bytes} bytes long, not {expected}: export it again")]
    Length {
        /// The length of the file.
        bytes: usize,
        /// The length by its header.
        expected: usize,
    },
}

/// The weights of a policy network. A matrix has a row for each output and a column for each input.
pub(crate) struct PolicyWeights {
    pub(crate) trunk: Trunk,
    pub(crate) answer: Matrix,
    pub(crate) logit_offset: Matrix,
}

/// The weights of a value network.
pub(crate) struct ValueWeights {
    pub(crate) trunk: Trunk,
    pub(crate) miss: Matrix,
    pub(crate) hidden: Matrix,
    pub(crate) value: Matrix,
}

/// The weights that policy and value networks have in common.
pub(crate) struct Trunk {
    pub(crate) fleet_slots: FleetSlots,
    pub(crate) total_channels: usize,
    pub(crate) head: usize,
    pub(crate) stem: Matrix,
    pub(crate) blocks: Vec<Block>,
    /// The features of the first head, then of the second, each for all symmetries.
    pub(crate) features: Matrix,
}

/// The weights of a residual block.
pub(crate) struct Block {
    pub(crate) first: Matrix,
    pub(crate) second: Matrix,
    /// Global pooling, in every second block: from mean and maximum over the board, without a bias.
    pub(crate) global: Option<Matrix>,
}

/// A matrix in row order, with a bias for each row.
pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) weights: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

/// A symmetry of the square as a matrix: rotation or mirror image.
type Symmetry = [i8; 4];

const SYMMETRY_MATRICES: [Symmetry; SYMMETRIES] = [
    [1, 0, 0, 1],
    [0, -1, 1, 0],
    [-1, 0, 0, -1],
    [0, 1, -1, 0],
    [1, 0, 0, -1],
    [-1, 0, 0, 1],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
];

impl PolicyWeights {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (header, mut numbers) = Header::read(bytes, POLICY_MAGIC, |header| (ANSWERS + 1) * (header.head + 1))?;
        let head = header.head;
        let trunk = numbers.trunk(header);
        Ok(Self { trunk, answer: numbers.matrix(ANSWERS, head), logit_offset: numbers.matrix(1, head) })
    }
}

impl ValueWeights {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let pooled_features = |header: &Header| 2 * header.channels + 4 * header.head;
        let (header, mut numbers) = Header::read(bytes, VALUE_MAGIC, |header| {
            header.head + 1 + HIDDEN * (pooled_features(header) + 1) + HIDDEN + 1
        })?;
        let (head, pooled_features) = (header.head, pooled_features(&header));
        let trunk = numbers.trunk(header);
        let (miss, hidden) = (numbers.matrix(1, head), numbers.matrix(HIDDEN, pooled_features));
        Ok(Self { trunk, miss, hidden, value: numbers.matrix(1, HIDDEN) })
    }
}

/// The numbers of a file in order; their count was checked against the header.
struct WeightReader<'a>(std::slice::Iter<'a, [u8; 2]>);

impl WeightReader<'_> {
    fn take(&mut self, count: usize) -> Vec<f32> {
        self.0.by_ref().take(count).map(|&pair| f16::from_le_bytes(pair).to_f32()).collect()
    }

    fn matrix(&mut self, rows: usize, columns: usize) -> Matrix {
        Matrix { rows, columns, weights: self.take(rows * columns), bias: self.take(rows) }
    }

    fn trunk(&mut self, header: Header) -> Trunk {
        let Header { fleet_slots, channels, blocks, head } = header;
        let stem = expand_stem(&self.take(channels * INPUTS * 9), &self.take(channels), channels);
        let blocks = (0..blocks).map(|block| Block {
            first: expand_kernels(&self.take(channels * channels * SYMMETRIES * 9), &self.take(channels), channels),
            second: expand_kernels(&self.take(channels * channels * SYMMETRIES * 9), &self.take(channels), channels),
            global: (block % 2 == 1)
                .then(|| expand_pointwise(&self.take(2 * channels * channels * SYMMETRIES), None, 2 * channels)),
        });
        let blocks = blocks.collect();
        let features = self.take(2 * head * channels * SYMMETRIES);
        let features = expand_pointwise(&features, Some(&self.take(2 * head)), channels);
        Trunk { fleet_slots, total_channels: SYMMETRIES * channels, head, stem, blocks, features }
    }
}

/// The header of a file: the rules and the shape of the network.
struct Header {
    fleet_slots: FleetSlots,
    channels: usize,
    blocks: usize,
    head: usize,
}

impl Header {
    /// Reads the header and checks the length. `heads` counts the numbers after those of the trunk.
    fn read<'a>(
        bytes: &'a [u8],
        magic: &[u8],
        heads: impl Fn(&Self) -> usize,
    ) -> Result<(Self, WeightReader<'a>), WeightsError> {
        let (header, body) = Self::split(bytes, magic).ok_or(WeightsError::UnknownFormat)?;
        let length = 2 * (header.trunk() + heads(&header));
        if body.len() != length {
            return Err(WeightsError::Length { bytes: bytes.len(), expected: bytes.len() - body.len() + length });
        }
        Ok((header, WeightReader(body.as_chunks::<2>().0.iter())))
    }

    fn split<'a>(bytes: &'a [u8], magic: &[u8]) -> Option<(Self, &'a [u8])> {
        let bytes = bytes.strip_prefix(magic)?;
        let (numbers, body) = bytes.split_first_chunk::<{ 5 + 2 * SLOTS }>()?;
        let [side, touching, channels, blocks, head, ships @ ..] = *numbers;
        let slots = std::array::from_fn(|slot| Slot { length: ships[2 * slot], ships: ships[2 * slot + 1] });
        let is_valid = (1..=26).contains(&side) && touching <= 1 && channels > 0 && head > 0;
        let fleet_slots = FleetSlots { side, touching: touching == 1, slots };
        let header = Self { fleet_slots, channels: channels.into(), blocks: blocks.into(), head: head.into() };
        is_valid.then_some((header, body))
    }

    /// How many numbers the trunk has.
    fn trunk(&self) -> usize {
        let Self { channels, blocks, head, .. } = *self;
        let kernels = channels * channels * SYMMETRIES * 9 + channels;
        let global = blocks / 2 * 2 * channels * channels * SYMMETRIES;
        channels * INPUTS * 9 + channels + 2 * blocks * kernels + global + 2 * head * (channels * SYMMETRIES + 1)
    }
}

fn times(g: Symmetry, h: Symmetry) -> Symmetry {
    [g[0] * h[0] + g[1] * h[2], g[0] * h[1] + g[1] * h[3], g[2] * h[0] + g[3] * h[2], g[2] * h[1] + g[3] * h[3]]
}

/// The inverse of a symmetry, which is the transpose.
fn inverse(g: Symmetry) -> Symmetry {
    [g[0], g[2], g[1], g[3]]
}

fn number(g: Symmetry) -> usize {
    SYMMETRY_MATRICES.iter().position(|&turn| turn == g).unwrap_or(0)
}

/// The index of g⁻¹h.
fn relative_index(g: usize, h: usize) -> usize {
    number(times(inverse(SYMMETRY_MATRICES[g]), SYMMETRY_MATRICES[h]))
}

/// The place of a kernel that moves to `place` under the symmetry g.
fn rotated_place(g: usize, place: usize) -> usize {
    let (row, col) = (place as i8 / 3 - 1, place as i8 % 3 - 1);
    let [a, b, c, d] = inverse(SYMMETRY_MATRICES[g]);
    ((a * row + b * col + 1) * 3 + c * row + d * col + 1) as usize
}

/// The input plane that replaces `plane` when the board is mapped by g.
fn input_plane(g: usize, plane: usize) -> usize {
    let swaps = SYMMETRY_MATRICES[g][0] == 0;
    if plane >= SCALARS && swaps { SCALARS + ((plane - SCALARS) ^ 1) } else { plane }
}

fn for_all_symmetries(bias: &[f32]) -> Vec<f32> {
    bias.repeat(SYMMETRIES)
}

fn expand_stem(small: &[f32], bias: &[f32], channels: usize) -> Matrix {
    let mut weights = Vec::with_capacity(SYMMETRIES * small.len());
    for g in 0..SYMMETRIES {
        for channel in 0..channels {
            for plane in 0..INPUTS {
                let from = (channel * INPUTS + input_plane(g, plane)) * 9;
                weights.extend((0..9).map(|place| small[from + rotated_place(g, place)]));
            }
        }
    }
    Matrix { rows: SYMMETRIES * channels, columns: INPUTS * 9, weights, bias: for_all_symmetries(bias) }
}

/// Expands a small kernel, indexed [output, input, symmetry, place].
fn expand_kernels(small: &[f32], bias: &[f32], channels: usize) -> Matrix {
    let mut weights = Vec::with_capacity(SYMMETRIES * small.len());
    for g in 0..SYMMETRIES {
        for out in 0..channels {
            for h in 0..SYMMETRIES {
                for channel in 0..channels {
                    let from = ((out * channels + channel) * SYMMETRIES + relative_index(g, h)) * 9;
                    weights.extend((0..9).map(|place| small[from + rotated_place(g, place)]));
                }
            }
        }
    }
    Matrix { rows: SYMMETRIES * channels, columns: SYMMETRIES * channels * 9, weights, bias: for_all_symmetries(bias) }
}

/// Expands a small pointwise kernel, indexed [output, input, symmetry].
fn expand_pointwise(small: &[f32], bias: Option<&[f32]>, inputs: usize) -> Matrix {
    let outputs = small.len() / (inputs * SYMMETRIES);
    let mut weights = Vec::with_capacity(SYMMETRIES * small.len());
    for g in 0..SYMMETRIES {
        for out in 0..outputs {
            for h in 0..SYMMETRIES {
                weights
                    .extend((0..inputs).map(|input| small[(out * inputs + input) * SYMMETRIES + relative_index(g, h)]));
            }
        }
    }
    let bias = bias.map_or_else(|| vec![0.0; SYMMETRIES * outputs], for_all_symmetries);
    Matrix { rows: SYMMETRIES * outputs, columns: SYMMETRIES * inputs, weights, bias }
}
