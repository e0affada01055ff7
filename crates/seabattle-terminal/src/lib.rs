//! Battleship in a terminal: typed line by line ([`plain`]), or full screen ([`screen`]).

mod messages;
pub mod plain;
mod record_file;
pub mod screen;

use std::io;
use std::path::PathBuf;

use seabattle_core::{RulesMismatch, Side};
use thiserror::Error;

pub use record_file::RecordFile;

/// The side of the player.
const HUMAN: Side = Side::A;
const COMPUTER: Side = Side::B;

/// Who fires first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// Chosen at random.
    Random,
    /// The player.
    Me,
    /// The computer.
    Bot,
}

/// Why the game ended unexpectedly.
#[derive(Debug, Error)]
pub enum Error {
    /// The terminal or pipe cannot be read or written.
    #[error("cannot read from or write to this terminal")]
    Terminal(#[from] io::Error),
    /// The records file cannot be written.
    #[error("cannot save games to {}", path.display())]
    Save {
        /// Path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The records file cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// The records file contains something else.
    #[error("{} contains something other than game records; choose another file", path.display())]
    NotRecords {
        /// Path of the file.
        path: PathBuf,
    },
    /// A defect of this program.
    #[error("internal error; your game is {}: {text}", saved_or_lost(.is_saved))]
    Broken {
        /// The message of the panic.
        text: String,
        /// Whether the unfinished game is on disk.
        is_saved: bool,
    },
    /// The two fleets have different rules.
    #[error(transparent)]
    Fleets(#[from] RulesMismatch),
}

fn saved_or_lost(is_saved: &bool) -> &'static str {
    if *is_saved { "saved" } else { "lost" }
}

/// The result of a function of this crate.
pub type Result<T> = std::result::Result<T, Error>;
