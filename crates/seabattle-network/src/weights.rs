//! The file of weights, and each small kernel turned and mirrored into the eight it stands for.

use half::f16;
use thiserror::Error;

use crate::planes::{PAIRS, SCALARS};
use crate::slots::{SLOTS, Slot, Slots};

/// Turns and mirror images of a square.
pub(crate) const IMAGES: usize = 8;

/// Input planes.
pub(crate) const INPUTS: usize = SCALARS + 2 * PAIRS;

/// Rows of the answer head: miss, hit, sunk a ship of each slot.
pub(crate) const ANSWERS: usize = 2 + SLOTS;

/// Numbers between the sums over the board and a judge's value, the same as in training.
pub(crate) const HIDDEN: usize = 128;

const PLAYER: &[u8] = b"seabattle network 1\n";
const JUDGE: &[u8] = b"seabattle judge 1\n";

/// A file of weights that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WeightsError {
    /// Not made by this version's training.
    #[error("this is not a file of network weights, or one of another version")]
    Foreign,
    /// Shorter or longer than its header says.
    #[error("the file of network weights is {bytes} bytes long, not {expected}: export it again")]
    Length {
        /// Found.
        bytes: usize,
        /// By its header.
        expected: usize,
    },
}

/// Plain weights of a player: rows of outputs by columns of inputs, a 3×3 kernel row by row within an input.
pub(crate) struct PlayerWeights {
    pub(crate) trunk: Trunk,
    pub(crate) answer: Matrix,
    pub(crate) aim: Matrix,
}

/// Of a judge.
pub(crate) struct JudgeWeights {
    pub(crate) trunk: Trunk,
    pub(crate) missed: Matrix,
    pub(crate) sum_up: Matrix,
    pub(crate) value: Matrix,
}

/// What players and judges have in common.
pub(crate) struct Trunk {
    pub(crate) slots: Slots,
    pub(crate) channels: usize,
    pub(crate) head: usize,
    pub(crate) stem: Matrix,
    pub(crate) blocks: Vec<Block>,
    /// Of the answers, then of the aim, each for all images.
    pub(crate) look: Matrix,
}

pub(crate) struct Block {
    pub(crate) first: Matrix,
    pub(crate) second: Matrix,
    /// From mean and maximum over the board, where the block has it; its bias is zero.
    pub(crate) whole: Option<Matrix>,
}

pub(crate) struct Matrix {
    pub(crate) rows: usize,
    pub(crate) columns: usize,
    pub(crate) weights: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

/// A turn or mirror image: a matrix of whole numbers.
type Image = [i8; 4];

const TURNS: [Image; IMAGES] = [
    [1, 0, 0, 1],
    [0, -1, 1, 0],
    [-1, 0, 0, -1],
    [0, 1, -1, 0],
    [1, 0, 0, -1],
    [-1, 0, 0, 1],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
];

impl PlayerWeights {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let (header, mut numbers) = Header::read(bytes, PLAYER, |header| (ANSWERS + 1) * (header.head + 1))?;
        let head = header.head;
        let trunk = numbers.trunk(header);
        Ok(Self { trunk, answer: numbers.plain(ANSWERS, head), aim: numbers.plain(1, head) })
    }
}

impl JudgeWeights {
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, WeightsError> {
        let summed = |header: &Header| 2 * header.fields + 4 * header.head;
        let (header, mut numbers) =
            Header::read(bytes, JUDGE, |header| header.head + 1 + HIDDEN * (summed(header) + 1) + HIDDEN + 1)?;
        let (head, summed) = (header.head, summed(&header));
        let trunk = numbers.trunk(header);
        let (missed, sum_up) = (numbers.plain(1, head), numbers.plain(HIDDEN, summed));
        Ok(Self { trunk, missed, sum_up, value: numbers.plain(1, HIDDEN) })
    }
}

/// The numbers of a file one after the other; there are as many as its header asks for.
struct Numbers<'a>(std::slice::Iter<'a, [u8; 2]>);

impl Numbers<'_> {
    fn take(&mut self, count: usize) -> Vec<f32> {
        self.0.by_ref().take(count).map(|&pair| f16::from_le_bytes(pair).to_f32()).collect()
    }

    fn plain(&mut self, rows: usize, columns: usize) -> Matrix {
        Matrix { rows, columns, weights: self.take(rows * columns), bias: self.take(rows) }
    }

    fn trunk(&mut self, header: Header) -> Trunk {
        let Header { slots, fields, blocks, head } = header;
        let stem = turned_stem(&self.take(fields * INPUTS * 9), &self.take(fields), fields);
        let blocks = (0..blocks).map(|block| Block {
            first: turned_kernels(&self.take(fields * fields * IMAGES * 9), &self.take(fields), fields),
            second: turned_kernels(&self.take(fields * fields * IMAGES * 9), &self.take(fields), fields),
            whole: (block % 2 == 1).then(|| turned_points(&self.take(2 * fields * fields * IMAGES), None, 2 * fields)),
        });
        let blocks = blocks.collect();
        let look = self.take(2 * head * fields * IMAGES);
        let look = turned_points(&look, Some(&self.take(2 * head)), fields);
        Trunk { slots, channels: IMAGES * fields, head, stem, blocks, look }
    }
}

struct Header {
    slots: Slots,
    fields: usize,
    blocks: usize,
    head: usize,
}

impl Header {
    /// A file that begins so, and has so many numbers after those of the trunk.
    fn read<'a>(
        bytes: &'a [u8],
        magic: &[u8],
        heads: impl Fn(&Self) -> usize,
    ) -> Result<(Self, Numbers<'a>), WeightsError> {
        let (header, body) = Self::split(bytes, magic).ok_or(WeightsError::Foreign)?;
        let length = 2 * (header.trunk() + heads(&header));
        if body.len() != length {
            return Err(WeightsError::Length { bytes: bytes.len(), expected: bytes.len() - body.len() + length });
        }
        Ok((header, Numbers(body.as_chunks::<2>().0.iter())))
    }

    fn split<'a>(bytes: &'a [u8], magic: &[u8]) -> Option<(Self, &'a [u8])> {
        let bytes = bytes.strip_prefix(magic)?;
        let (numbers, body) = bytes.split_first_chunk::<{ 5 + 2 * SLOTS }>()?;
        let [side, touching, fields, blocks, head, ships @ ..] = *numbers;
        let slots = std::array::from_fn(|slot| Slot { length: ships[2 * slot], ships: ships[2 * slot + 1] });
        let sound = (1..=26).contains(&side) && touching <= 1 && fields > 0 && head > 0;
        let slots = Slots { side, touching: touching == 1, slots };
        let header = Self { slots, fields: fields.into(), blocks: blocks.into(), head: head.into() };
        sound.then_some((header, body))
    }

    /// Numbers of the trunk.
    fn trunk(&self) -> usize {
        let Self { fields, blocks, head, .. } = *self;
        let kernels = fields * fields * IMAGES * 9 + fields;
        let whole = blocks / 2 * 2 * fields * fields * IMAGES;
        fields * INPUTS * 9 + fields + 2 * blocks * kernels + whole + 2 * head * (fields * IMAGES + 1)
    }
}

fn times(g: Image, h: Image) -> Image {
    [g[0] * h[0] + g[1] * h[2], g[0] * h[1] + g[1] * h[3], g[2] * h[0] + g[3] * h[2], g[2] * h[1] + g[3] * h[3]]
}

/// The transpose: turns and mirror images keep lengths.
fn inverse(g: Image) -> Image {
    [g[0], g[2], g[1], g[3]]
}

fn number(g: Image) -> usize {
    TURNS.iter().position(|&turn| turn == g).unwrap_or(0)
}

/// The number of g⁻¹h.
fn seen_from(g: usize, h: usize) -> usize {
    number(times(inverse(TURNS[g]), TURNS[h]))
}

/// Where a place of the kernel comes from when the kernel is turned by g.
fn kernel_place(g: usize, place: usize) -> usize {
    let (row, col) = (place as i8 / 3 - 1, place as i8 % 3 - 1);
    let [a, b, c, d] = inverse(TURNS[g]);
    ((a * row + b * col + 1) * 3 + c * row + d * col + 1) as usize
}

/// Which input plane stands for a plane when the board is turned by g.
fn input_plane(g: usize, plane: usize) -> usize {
    let swaps = TURNS[g][0] == 0;
    if plane >= SCALARS && swaps { SCALARS + ((plane - SCALARS) ^ 1) } else { plane }
}

fn for_all_images(bias: &[f32]) -> Vec<f32> {
    bias.repeat(IMAGES)
}

fn turned_stem(small: &[f32], bias: &[f32], fields: usize) -> Matrix {
    let mut weights = Vec::with_capacity(IMAGES * small.len());
    for g in 0..IMAGES {
        for field in 0..fields {
            for plane in 0..INPUTS {
                let from = (field * INPUTS + input_plane(g, plane)) * 9;
                weights.extend((0..9).map(|place| small[from + kernel_place(g, place)]));
            }
        }
    }
    Matrix { rows: IMAGES * fields, columns: INPUTS * 9, weights, bias: for_all_images(bias) }
}

/// `small` is [out, in, image, place].
fn turned_kernels(small: &[f32], bias: &[f32], fields: usize) -> Matrix {
    let mut weights = Vec::with_capacity(IMAGES * small.len());
    for g in 0..IMAGES {
        for out in 0..fields {
            for h in 0..IMAGES {
                for field in 0..fields {
                    let from = ((out * fields + field) * IMAGES + seen_from(g, h)) * 9;
                    weights.extend((0..9).map(|place| small[from + kernel_place(g, place)]));
                }
            }
        }
    }
    Matrix { rows: IMAGES * fields, columns: IMAGES * fields * 9, weights, bias: for_all_images(bias) }
}

/// `small` is [out, in, image], with so many inputs of each image.
fn turned_points(small: &[f32], bias: Option<&[f32]>, inputs: usize) -> Matrix {
    let outputs = small.len() / (inputs * IMAGES);
    let mut weights = Vec::with_capacity(IMAGES * small.len());
    for g in 0..IMAGES {
        for out in 0..outputs {
            for h in 0..IMAGES {
                weights.extend((0..inputs).map(|field| small[(out * inputs + field) * IMAGES + seen_from(g, h)]));
            }
        }
    }
    let bias = bias.map_or_else(|| vec![0.0; IMAGES * outputs], for_all_images);
    Matrix { rows: IMAGES * outputs, columns: IMAGES * inputs, weights, bias }
}
