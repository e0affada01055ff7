//! Computer players for Battleship: one file for each bot, and a catalog that finds them by name.
//!
//! [`find`] returns a bot of the [`catalog`](fn@catalog), and [`BotInfo::make`] makes a player of it. [`learning`] and
//! [`placing`] hold parts that a bot of your own can use.
//!
//! # Write a bot
//!
//! A bot implements [`Bot`](seabattle_core::Bot). It sees only its [`View`](seabattle_core::View), and takes all random
//! numbers from its seed. This example plays one game against a bot of the catalog, with `seabattle_arena` as the referee:
//!
//! ```
//! use seabattle_arena::duel;
//! use seabattle_core::{Bot, BySide, Cell, Fleet, Rules, Seed, SeededRng, Side, View, layout};
//!
//! /// Fires next to its latest hit if it can, else at the first open cell.
//! struct Careful {
//!     rng: SeededRng,
//! }
//!
//! impl Bot for Careful {
//!     fn start(&mut self, _rules: &Rules) {}
//!
//!     fn place(&mut self, rules: &Rules) -> Fleet {
//!         layout::any(rules, &mut self.rng)
//!     }
//!
//!     fn shoot(&mut self, view: &View<'_>) -> Cell {
//!         let next_to_hits = &view.enemy().open_hits().beside() & &*view.targets();
//!         let cell = next_to_hits.first().or_else(|| view.targets().first());
//!         cell.expect("the referee asks only while a cell is open")
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let seed = Seed::new(1);
//! let sailor = seabattle_bots::find("sailor")?;
//! let mut bots: BySide<Box<dyn Bot>> =
//!     BySide { a: Box::new(Careful { rng: seed.side(Side::A).rng() }), b: sailor.make(&seed.side(Side::B)) };
//! let game = duel(&mut bots, &Rules::classic(), Side::A)?;
//! let winner = game.end().and_then(|end| end.winner);
//! println!("the winner is {winner:?}, with {} ships afloat", winner.map_or(0, |side| game.afloat(side)));
//! # Ok(())
//! # }
//! ```

mod bots;
mod catalog;
mod parts;

pub use catalog::{BotInfo, Group, UnknownBot, bots_of, catalog, default_opponent, documents, find, levels};
pub use parts::{learning, placing};

/// The fingerprint of every bot: a number that changes when the bot plays differently. Programs with equal fingerprints
/// play the same games.
pub const FINGERPRINTS: &str = include_str!("../fingerprints.txt");
