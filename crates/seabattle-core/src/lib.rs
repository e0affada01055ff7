//! The words and the rules of Battleship.
//!
//! Every front end drives the same [`Game`]; every player sees it through a [`View`]; all
//! variants are one value, [`Rules`]. Nothing here reads a clock or a file, owns a random
//! generator or starts a thread.
//!
//! ```
//! use seabattle_core::{BySide, Game, Rules, Seed, Side, layout};
//!
//! let rules: Rules = "classic".parse()?;
//! let mut rng = Seed::new(1).stream();
//! let fleets = BySide {
//!     a: layout::uniform(&rules, &mut rng)?,
//!     b: layout::uniform(&rules, &mut rng)?,
//! };
//! let mut game = Game::new(fleets, Side::A)?;
//! while let Some(side) = game.mover() {
//!     let target = game.view(side).targets().first().expect("a target is left");
//!     game.fire(side, &[target])?;
//! }
//! println!("{:?}", game.end());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod arrangement;
mod bot;
mod cell;
mod cell_set;
mod draw;
mod fleet;
mod game;
mod knowledge;
pub mod layout;
mod random;
mod record;
mod rules;
mod ship;
mod shot;
mod side;
mod size;
mod solo;
mod symmetry;
mod view;

pub use arrangement::Arrangement;
pub use bot::Bot;
pub use cell::{Cell, Heading, ParseCellError, ParseHeadingError, column_letters};
pub use cell_set::{CellSet, PictureError};
pub use draw::{Board, Glyphs, Mark};
pub use fleet::{Fleet, FleetError, ParseFleetError, ParsePlacementError, Placement, Reason, Refusal, Shape};
pub use game::{End, FireError, Game, HowEnded, MixedRules, Stop};
pub use knowledge::{Knowledge, ParsePositionError, ShotError, Sinking};
pub use random::{Seed, Stream, below};
pub use record::{Record, RecordError, RecordFault};
pub use rules::{Announce, ClassId, Ending, ParseRulesError, Rules, RulesDraft, RulesError, ShipClass, Touching, Turn};
pub use ship::Ship;
pub use shot::{Outcome, ParseShotError, Shot};
pub use side::{BySide, Side};
pub use size::Size;
pub use solo::Solo;
pub use symmetry::Symmetry;
pub use view::{Own, View};

#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;
