//! One name for positions that differ only in how their cells are numbered.

use super::position::{MAX_AREA, Position, Rest, cells, order_within_classes};

/// 128 bits of a position whose cells were renumbered by their part in it.
///
/// Positions of one name are taken for equal: among a billion of them the chance that two differ is below 10⁻²⁰.
pub(super) type Name = [u64; 2];

/// Enough to tell apart nearly all cells that play different parts; more would only cost time.
const ROUNDS: usize = 3;

/// The name of a position. Positions that are images of each other mostly get the same name, not always.
pub(super) fn name<const N: usize>(position: &Position<N>) -> Name {
    let order = cell_order(position);
    let mut number = [0_u8; MAX_AREA];
    for (place, &cell) in order.iter().enumerate() {
        number[cell] = place as u8;
    }
    let moved = |ship: u64| cells(ship).fold(0, |image, cell| image | 1_u64 << number[cell]);
    let mut rests: Vec<Rest<N>> = position.rests.clone();
    for rest in &mut rests {
        rest.ships = rest.ships.map(moved);
        if N > 1 {
            order_within_classes(&position.classes, &mut rest.ships);
        }
    }
    rests.sort_unstable();
    let mut digest = Digest([position.afloat as u64, 0x9E37_79B9_7F4A_7C15]);
    for class in position.classes {
        digest.add(u64::from(class));
    }
    for rest in &rests {
        for ship in &rest.ships[..position.afloat] {
            digest.add(*ship);
        }
        digest.add(u64::from(rest.weight));
    }
    digest.0
}

/// The cells of a position, ordered by what can be said of each without its number.
fn cell_order<const N: usize>(position: &Position<N>) -> Vec<usize> {
    let all = position.rests.iter().fold(0, |all, rest| all | rest.occupied());
    let mut colours = [0_u64; MAX_AREA];
    for _ in 0..ROUNDS {
        colours = refined(position, &colours);
    }
    let mut order: Vec<usize> = cells(all).collect();
    order.sort_unstable_by_key(|&cell| (colours[cell], cell));
    order
}

fn refined<const N: usize>(position: &Position<N>, colours: &[u64; MAX_AREA]) -> [u64; MAX_AREA] {
    let mut next = colours.map(scramble);
    for rest in &position.rests {
        let ship_colours: [u64; N] = std::array::from_fn(|ship| {
            let sum = cells(rest.ships[ship]).fold(0_u64, |sum, cell| sum.wrapping_add(colours[cell]));
            scramble(sum ^ u64::from(position.classes[ship]) << 56)
        });
        let colour = ship_colours[..position.afloat].iter().fold(0_u64, |sum, ship| sum.wrapping_add(*ship));
        for (ship, ship_colour) in ship_colours.iter().enumerate().take(position.afloat) {
            let share = scramble(colour ^ ship_colour.rotate_left(17)).wrapping_mul(u64::from(rest.weight));
            for cell in cells(rest.ships[ship]) {
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

    use super::{Position, name};

    #[test]
    fn mirror_images_share_a_name_and_others_do_not() {
        let rules: Rules = "4x4:3,2".parse().unwrap();
        let fleets: Vec<Fleet> = layout::all(&rules).collect();
        let start = Position::<2>::start(&rules, &fleets);
        let after_miss = |cell| name(&start.fire(cell).miss.unwrap());
        let [corner, edge, middle] = [[0, 3, 12, 15], [1, 4, 11, 14], [5, 6, 9, 10]];
        for images in [corner, edge, middle] {
            assert!(images.iter().all(|&cell| after_miss(cell) == after_miss(images[0])));
        }
        assert_ne!(after_miss(corner[0]), after_miss(edge[0]));
        assert_ne!(after_miss(corner[0]), after_miss(middle[0]));
        assert_ne!(after_miss(edge[0]), after_miss(middle[0]));
    }
}
