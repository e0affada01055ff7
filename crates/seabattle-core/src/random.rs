//! Seeds, the random streams derived from them, and uniform draws from a stream.

use chacha20::{ChaCha8Rng, ChaCha20Rng};
use rand_core::{Rng, SeedableRng};

use crate::Side;

/// A random seed. The same seed repeats the same game.
///
/// Every use has a stream of its own, derived by a one-way function. The seed of one side
/// does not reveal that of the other.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

/// The random generator behind every stream. Its definition never changes.
pub type SeededRng = ChaCha8Rng;

/// Numbers below this fit into a signed 32-bit integer, which every language has.
const EXTERNAL_SEEDS: usize = 1 << 31;

/// The purpose of a derived seed. All seeded results depend on these numbers, so they never change.
#[derive(Clone, Copy)]
enum Purpose {
    Game = 1,
    SideA = 2,
    SideB = 3,
    First = 4,
    Layout = 5,
    ExternalSeed = 6,
}

impl Seed {
    /// The seed made from a number.
    pub fn new(number: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_le_bytes());
        Self(key)
    }

    /// The seed of one game of a match or bench.
    pub fn game(&self, index: u64) -> Self {
        self.derive(Purpose::Game, index)
    }

    /// The seed of the player of one side.
    pub fn side(&self, side: Side) -> Self {
        match side {
            Side::A => self.derive(Purpose::SideA, 0),
            Side::B => self.derive(Purpose::SideB, 0),
        }
    }

    /// The seed that decides which side begins.
    pub fn first(&self) -> Self {
        self.derive(Purpose::First, 0)
    }

    /// The seed of a random layout.
    pub fn layout(&self) -> Self {
        self.derive(Purpose::Layout, 0)
    }

    /// The number that an external program receives as its seed: small enough for any language.
    ///
    /// Nothing else is derived from it, so it reveals nothing about this seed or any other.
    pub fn external_seed(&self) -> u64 {
        uniform_below(&mut self.derive(Purpose::ExternalSeed, 0).rng(), EXTERNAL_SEEDS) as u64
    }

    /// The random generator of this seed.
    pub fn rng(&self) -> SeededRng {
        ChaCha8Rng::from_seed(self.0)
    }

    fn derive(&self, purpose: Purpose, index: u64) -> Self {
        let mut generator = ChaCha20Rng::from_seed(self.0);
        generator.set_stream(index);
        generator.set_block_pos(purpose as u64);
        let mut key = [0; 32];
        generator.fill_bytes(&mut key);
        Self(key)
    }
}

/// Hides the seed, which must not end up in a log.
impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(…)")
    }
}

/// Draws a number below `bound` uniformly; 0 when `bound` is 0.
///
/// This is Lemire's multiplication with rejection. It is kept here because seeded results must not change
/// when a library changes its own method.
#[inline]
pub fn uniform_below(rng: &mut impl Rng, bound: usize) -> usize {
    let Ok(bound) = u32::try_from(bound) else {
        return uniform_below_wide(rng, bound as u64) as usize;
    };
    let mut wide = u64::from(rng.next_u32()) * u64::from(bound);
    if (wide as u32) < bound {
        let unfair = bound.wrapping_neg() % bound.max(1);
        while (wide as u32) < unfair {
            wide = u64::from(rng.next_u32()) * u64::from(bound);
        }
    }
    (wide >> 32) as usize
}

/// Draws a number below a bound of more than 32 bits.
fn uniform_below_wide(rng: &mut impl Rng, bound: u64) -> u64 {
    let unfair = bound.wrapping_neg() % bound;
    loop {
        let wide = u128::from(rng.next_u64()) * u128::from(bound);
        if wide as u64 >= unfair {
            return (wide >> 64) as u64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Seed, uniform_below};
    use crate::Side;
    use rand_core::Rng;

    #[test]
    fn streams_have_a_stable_definition() {
        let mut draws = Seed::new(1).rng();
        assert_eq!([draws.next_u32(), draws.next_u32()], STREAM_OF_SEED_1);
        let mut derived = Seed::new(1).game(7).side(Side::B).rng();
        assert_eq!([derived.next_u32(), derived.next_u32()], STREAM_OF_GAME_7_SIDE_B);
    }

    const STREAM_OF_SEED_1: [u32; 2] = [2_699_648_719, 1_638_484_553];
    const STREAM_OF_GAME_7_SIDE_B: [u32; 2] = [4_191_640_939, 1_442_577_019];

    #[test]
    fn derived_streams_differ() {
        let seed = Seed::new(1);
        let derived = [
            seed.clone(),
            seed.game(0),
            seed.game(1),
            seed.side(Side::A),
            seed.side(Side::B),
            seed.first(),
            seed.layout(),
        ];
        for (at, one) in derived.iter().enumerate() {
            assert!(derived[..at].iter().all(|other| other != one));
        }
    }

    #[test]
    fn draws_below_a_bound_are_even() {
        let mut rng = Seed::new(3).rng();
        for bound in [1_usize, 2, 3, 10, 97] {
            let mut counts = vec![0_u32; bound];
            for _ in 0..1000 * bound {
                counts[uniform_below(&mut rng, bound)] += 1;
            }
            assert!(counts.iter().all(|&count| (800..1200).contains(&count)), "{bound}: {counts:?}");
        }
        assert_eq!(uniform_below(&mut rng, 0), 0);
        let wide: Vec<usize> = (0..100).map(|_| uniform_below(&mut rng, 1 << 40)).collect();
        assert!(wide.iter().all(|&draw| draw < 1 << 40) && wide.iter().any(|&draw| draw > 1 << 39));
    }
}
