//! Seeds, the streams derived from them, and fair draws from a stream.

use chacha20::{ChaCha8Rng, ChaCha20Rng};
use rand_core::{Rng, SeedableRng};

use crate::Side;

/// Where all chance of a game comes from: the number it was made from repeats the game.
///
/// Every use has a stream of its own, derived one way: who holds the seed of one side
/// cannot compute that of the other.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([u8; 32]);

/// The generator behind every stream, with a definition that does not change.
pub type SeededRng = ChaCha8Rng;

/// Numbers below this fit into a 32-bit integer with a sign, as small languages have.
const TOLD_SEEDS: usize = 1 << 31;

/// What a derived seed is for; the numbers are part of the definition of every seeded result.
#[derive(Clone, Copy)]
enum Purpose {
    Game = 1,
    SideA = 2,
    SideB = 3,
    First = 4,
    Layout = 5,
    Told = 6,
}

impl Seed {
    /// The seed with this number.
    pub fn new(number: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_le_bytes());
        Self(key)
    }

    /// The seed of one game of many.
    pub fn game(&self, index: u64) -> Self {
        self.derive(Purpose::Game, index)
    }

    /// The seed of the player on one side.
    pub fn side(&self, side: Side) -> Self {
        match side {
            Side::A => self.derive(Purpose::SideA, 0),
            Side::B => self.derive(Purpose::SideB, 0),
        }
    }

    /// The seed that decides who begins.
    pub fn first(&self) -> Self {
        self.derive(Purpose::First, 0)
    }

    /// The seed of a layout that no player chose.
    pub fn layout(&self) -> Self {
        self.derive(Purpose::Layout, 0)
    }

    /// The number that a program on the other end of a protocol is told: small enough for any language.
    ///
    /// Nothing else is derived from it, so it says nothing about this seed or any other.
    pub fn told(&self) -> u64 {
        uniform_below(&mut self.derive(Purpose::Told, 0).rng(), TOLD_SEEDS) as u64
    }

    /// The stream of random numbers of this seed.
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

/// A secret that must not end up in a log.
impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(…)")
    }
}

/// A number below `bound`, each as likely as any other; 0 when `bound` is 0.
///
/// Lemire's multiplication with rejection. Kept here because seeded results must not change
/// when a library improves its own.
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

/// The same for bounds that no board reaches.
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
