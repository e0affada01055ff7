//! The rules of Battleship, as a library.
//!
//! Every front end drives the same [`Game`], and every player sees it through a [`View`]. All
//! variants are values of one type, [`Rules`]. Nothing here reads a clock or a file, owns a random
//! generator or starts a thread.
//!
//! ```
//! use seabattle_core::{BySide, Game, Rules, Seed, Side, layout};
//!
//! let rules: Rules = "classic".parse()?;
//! let mut rng = Seed::new(1).rng();
//! let fleets = BySide {
//!     a: layout::uniform(&rules, &mut rng)?,
//!     b: layout::uniform(&rules, &mut rng)?,
//! };
//! let mut game = Game::new(fleets, Side::A)?;
//! while let Some(side) = game.side_to_move() {
//!     let target = game.view(side).targets().first().expect("a target is left");
//!     game.fire(side, &[target])?;
//! }
//! println!("{:?}", game.end());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bot;
mod cell;
mod cell_set;
mod fleet;
mod fleet_builder;
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
mod text_board;
mod view;

pub use bot::Bot;
pub use cell::{Cell, Orientation, ParseCellError, ParseOrientationError, column_letters};
pub use cell_set::{CellSet, ParseCellSetError};
pub use fleet::{Fleet, FleetError, ParseFleetError, ParsePlacementError, Placement, Shape, Violation, ViolationKind};
pub use fleet_builder::FleetBuilder;
pub use game::{End, FireError, Game, RulesMismatch, Stop, Termination};
pub use knowledge::{Knowledge, ParsePositionError, ShotError, Sinking};
pub use random::{Seed, SeededRng, uniform_below};
pub use record::{Record, RecordError, RecordFault};
pub use rules::{Announce, ClassId, Ending, ParseRulesError, Rules, RulesDraft, RulesError, ShipClass, Touching, Turn};
pub use ship::Ship;
pub use shot::{Outcome, ParseShotError, Shot};
pub use side::{BySide, Side};
pub use size::Size;
pub use solo::Solo;
pub use symmetry::Symmetry;
pub use text_board::{Glyphs, Mark, TextBoard};
pub use view::{OwnBoard, View};

#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
struct LibraryPage;
