//! Every bot by name, with what a person needs to choose one.

use seabattle_core::{Bot, Seed};
use thiserror::Error;

use crate::adjacent::Adjacent;
use crate::random::Random;

/// One bot of the catalog.
pub struct Entry {
    /// What it is called on the command line.
    pub name: &'static str,
    /// How it plays, in one line.
    pub about: &'static str,
    make: fn(&Seed) -> Box<dyn Bot>,
}

impl Entry {
    /// A new player for one series of games; the same seed plays the same way.
    pub fn make(&self, seed: &Seed) -> Box<dyn Bot> {
        (self.make)(seed)
    }
}

/// No bot has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no bot {name:?}; did you mean {}?", nearest.join(" or "))]
pub struct UnknownBot {
    name: String,
    nearest: Vec<&'static str>,
}

static CATALOG: [Entry; 2] = [
    Entry { name: "random", about: "any cell that has not been shot at", make: |seed| Box::new(Random::new(seed)) },
    Entry {
        name: "adjacent",
        about: "random shots; after a hit, the cells beside it first",
        make: |seed| Box::new(Adjacent::new(seed)),
    },
];

/// All bots, weakest first.
pub fn catalog() -> &'static [Entry] {
    &CATALOG
}

/// The bot of this name.
pub fn find(name: &str) -> Result<&'static Entry, UnknownBot> {
    CATALOG.iter().find(|entry| entry.name == name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> UnknownBot {
    let shown: String = name.chars().take(40).collect();
    let likeness = |entry: &Entry| strsim::jaro_winkler(&shown.to_lowercase(), entry.name);
    let mut nearest: Vec<&Entry> = CATALOG.iter().collect();
    nearest.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    UnknownBot { nearest: nearest.iter().take(3).map(|entry| entry.name).collect(), name: shown }
}
