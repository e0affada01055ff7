//! Games in a terminal: typed line by line ([`plain`]), or on the whole screen ([`screen`]).

mod messages;
pub mod plain;
mod record_file;
pub mod screen;

use std::io;
use std::path::PathBuf;

use seabattle_core::{RulesMismatch, Side};
use thiserror::Error;

pub use record_file::RecordFile;

/// The person at the keyboard plays this side.
const HUMAN: Side = Side::A;
const COMPUTER: Side = Side::B;

/// Who fires first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum First {
    /// Drawn by lot.
    Random,
    /// The person.
    Me,
    /// The computer.
    Bot,
}

/// Why a sitting came to an end that nobody wished.
#[derive(Debug, Error)]
pub enum Error {
    /// The terminal, or what stands in its place, does not answer.
    #[error("cannot read from or write to this terminal")]
    Terminal(#[from] io::Error),
    /// A file that cannot be written.
    #[error("cannot save games to {}", path.display())]
    Save {
        /// Of the file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file that cannot be read.
    #[error("cannot read {}", path.display())]
    Read {
        /// Of the file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file of another kind is left alone.
    #[error("{} contains something other than game records; choose another file", path.display())]
    NotRecords {
        /// Of the file.
        path: PathBuf,
    },
    /// A defect of this program.
    #[error("internal error; your game is saved: {0}")]
    Broken(String),
    /// A bot placed a fleet for other rules.
    #[error(transparent)]
    Fleets(#[from] RulesMismatch),
}

/// What the functions of this crate give back.
pub type Result<T> = std::result::Result<T, Error>;
