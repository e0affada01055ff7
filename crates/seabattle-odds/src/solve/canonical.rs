//! A canonical hash of positions: equal for positions that differ only in how their cells are numbered.
//!
//! The cells are ordered by [color refinement](https://en.wikipedia.org/wiki/Colour_refinement_algorithm), renumbered
//! in that order, and hashed.

use super::position::{MAX_AREA, Position, Remainder, cells, order_within_classes};

/// The canonical hash of a position: 128 bits.
///
/// The search treats positions with equal hashes as equal. Among a billion positions, two different ones share a hash
/// with a probability below 10⁻²⁰.
pub(super) type CanonicalHash = [u64; 2];

/// Rounds of color refinement: enough to distinguish nearly all cells that differ.
const ROUNDS: usize = 3;

/// Computes the canonical hash of a position. Mirror images usually get the same hash, but not always.
pub(super) fn canonical_hash<const N: usize>(position: &Position<N>) -> CanonicalHash {
    let order = cell_order(position);
    let mut number = [0_u8; MAX_AREA];
    for (rank, &cell) in order.iter().enumerate() {
        number[cell] = rank as u8;
    }
    let renumbered = |ship: u64| cells(ship).fold(0, |image, cell| image | 1_u64 << number[cell]);
    let mut remainders: Vec<Remainder<N>> = position.remainders.clone();
    for remainder in &mut remainders {
        remainder.ships = remainder.ships.map(renumbered);
        if N > 1 {
            order_within_classes(&position.classes, &mut remainder.ships);
        }
    }
    remainders.sort_unstable();
    let mut digest = Digest([position.afloat as u64, 0x9E37_79B9_7F4A_7C15]);
    for class in position.classes {
        digest.add(u64::from(class));
    }
    for remainder in &remainders {
        for ship in &remainder.ships[..position.afloat] {
            digest.add(*ship);
        }
        digest.add(u64::from(remainder.weight));
    }
    digest.0
}

/// The cells of a position, ordered by properties that do not depend on how they are numbered.
fn cell_order<const N: usize>(position: &Position<N>) -> Vec<usize> {
    let all = position.remainders.iter().fold(0, |all, remainder| all | remainder.occupied());
    let mut colors = [0_u64; MAX_AREA];
    for _ in 0..ROUNDS {
        colors = refine_colors(position, &colors);
    }
    let mut order: Vec<usize> = cells(all).collect();
    order.sort_unstable_by_key(|&cell| (colors[cell], cell));
    order
}

fn refine_colors<const N: usize>(position: &Position<N>, colors: &[u64; MAX_AREA]) -> [u64; MAX_AREA] {
    let mut next = colors.map(scramble);
    for remainder in &position.remainders {
        let ship_colors: [u64; N] = std::array::from_fn(|ship| {
            let sum = cells(remainder.ships[ship]).fold(0_u64, |sum, cell| sum.wrapping_add(colors[cell]));
            scramble(sum ^ u64::from(position.classes[ship]) << 56)
        });
        let color = ship_colors[..position.afloat].iter().fold(0_u64, |sum, ship| sum.wrapping_add(*ship));
        for (ship, ship_color) in ship_colors.iter().enumerate().take(position.afloat) {
            let share = scramble(color ^ ship_color.rotate_left(17)).wrapping_mul(u64::from(remainder.weight));
            for cell in cells(remainder.ships[ship]) {
                next[cell] = next[cell].wrapping_add(share);
            }
        }
    }
    next
}

fn scramble(value: u64) -> u64 {
    folded(value ^ 0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB)
}

fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

/// The state of a 128-bit hash function.
struct Digest([u64; 2]);

impl Digest {
    fn add(&mut self, value: u64) {
        let [low, high] = self.0;
        self.0 = [
            folded(low ^ value, 0x8EBC_6AF0_9C88_C6E3).wrapping_add(high),
            folded(high ^ value.rotate_left(32), 0x5899_65CC_7537_4CC3) ^ low.rotate_left(23),
        ];
    }
}

#[cfg(test)]
mod tests {
    use seabattle_core::{Fleet, Rules, layout};

    use super::{Position, canonical_hash};

    #[test]
    fn mirror_images_share_a_hash_and_others_do_not() {
        let rules: Rules = "4x4:3,2".parse().unwrap();
        let fleets: Vec<Fleet> = layout::all(&rules).collect();
        let start = Position::<2>::start(&rules, &fleets);
        let after_miss = |cell| canonical_hash(&start.fire(cell).miss.unwrap());
        let [corner, edge, middle] = [[0, 3, 12, 15], [1, 4, 11, 14], [5, 6, 9, 10]];
        for images in [corner, edge, middle] {
            assert!(images.iter().all(|&cell| after_miss(cell) == after_miss(images[0])));
        }
        assert_ne!(after_miss(corner[0]), after_miss(edge[0]));
        assert_ne!(after_miss(corner[0]), after_miss(middle[0]));
        assert_ne!(after_miss(edge[0]), after_miss(middle[0]));
    }
}
