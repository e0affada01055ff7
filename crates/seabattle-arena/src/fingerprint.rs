//! Fingerprints of bots: a hash of their shots and fleets. A bot that plays differently gets another one.

use seabattle_core::layout::LayoutError;
use seabattle_core::{Bot, Cell, ParseRulesError, Rules, Seed, Side, layout};
use thiserror::Error;

use crate::{IllegalShot, solo};

/// The rules of the games in a fingerprint. Together they use every option; the first two are the most common.
const RULES: [&str; 6] = [
    "classic",
    "russian",
    "salvo",
    "classic,touching=forbidden,announce=sunk",
    "8x8:4,3,2,2,touching=corners,announce=hit",
    "13x11:5,4,3,2,1,announce=named,turn=salvo:3",
];

/// Why a bot has no fingerprint.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FingerprintError {
    /// The bot fired an illegal shot.
    #[error(transparent)]
    Shot(#[from] IllegalShot),
    /// The fixed rules cannot be parsed.
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
    /// The fixed rules have no layout.
    #[error(transparent)]
    Layout(#[from] LayoutError),
}

/// The fingerprint of a bot: a hash of all its shots, in order, and of the fleets it places.
///
/// It covers `games` fixed layouts of each of several rules.
pub fn fingerprint(make: &dyn Fn(&Seed) -> Box<dyn Bot>, games: u64) -> Result<u64, FingerprintError> {
    let mut hash = Fnv::new();
    for rules in RULES {
        let rules: Rules = rules.parse()?;
        for game in 0..games {
            let seed = Seed::new(1).game(game);
            let fleet = layout::sequential(&rules, &mut seed.layout().rng())?;
            let mut bot = make(&seed.side(Side::A));
            let played = solo(bot.as_mut(), fleet)?;
            played.knowledge().shots().iter().for_each(|shot| hash.add(shot.cell));
            bot.place(&rules).ships().iter().flat_map(|ship| ship.cells()).for_each(|cell| hash.add(cell));
        }
    }
    Ok(hash.0)
}

/// The [FNV-1a](http://www.isthe.com/chongo/tech/comp/fnv/) hash. Its definition is fixed, so fingerprints stay comparable.
struct Fnv(u64);

impl Fnv {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, cell: Cell) {
        for byte in [cell.col(), cell.row()] {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
