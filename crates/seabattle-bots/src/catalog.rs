//! Every bot by name, with what a person needs to choose one.

use seabattle_core::{Bot, Seed};
use thiserror::Error;

use crate::adjacent::Adjacent;
use crate::admiral::Admiral;
use crate::blocks::blocks;
use crate::captain::captain;
use crate::champion::Champion;
use crate::checkerboard::Checkerboard;
use crate::density::Density;
use crate::hunter::Hunter;
use crate::lattice::lattice;
use crate::quadrant::Quadrant;
use crate::random::Random;
use crate::recruit::recruit;
use crate::sailor::sailor;
use crate::star::Star;
use crate::swift_example::SwiftExample;
use crate::swift_locating::SwiftLocating;
use crate::swift_sinking::SwiftSinking;

/// One bot of the catalog.
pub struct Entry {
    /// What it is called on the command line.
    pub name: &'static str,
    /// How it plays, in one line.
    pub about: &'static str,
    /// Where the algorithm comes from.
    pub source: &'static str,
    /// The rules it was meant for; it plays all.
    pub rules: &'static str,
    /// Whether a shot takes milliseconds, not microseconds: thousands of games take minutes.
    pub thinks: bool,
    make: fn(&Seed) -> Box<dyn Bot>,
}

impl Entry {
    /// A new player for one series of games; the same seed plays the same way.
    pub fn make(&self, seed: &Seed) -> Box<dyn Bot> {
        (self.make)(seed)
    }

    /// How many games of each kind make its fingerprint.
    pub fn fingerprint_games(&self) -> u64 {
        if self.thinks { 3 } else { 50 }
    }
}

/// No bot has this name.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no bot {name:?}; {}", hint(nearest))]
pub struct UnknownBot {
    name: String,
    nearest: Vec<&'static str>,
}

const CLASSIC: &str = "classic";
const RUSSIAN: &str = "russian";

/// Names that are not even this like what was typed are no help.
const ALIKE: f64 = 0.75;

fn hint(nearest: &[&'static str]) -> String {
    match nearest {
        [] => "`seabattle bots` lists them all".to_owned(),
        _ => format!("did you mean {}?", nearest.join(" or ")),
    }
}

static CATALOG: [Entry; 17] = [
    Entry {
        name: "random",
        about: "any cell that has not been shot at",
        source: "the yardstick for all others",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(Random::new(seed)),
    },
    Entry {
        name: "adjacent",
        about: "random shots; after a hit, the cells beside it first",
        source: "planning notes for a browser game",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(Adjacent::new(seed)),
    },
    Entry {
        name: "swift-sinking",
        about: "random shots; after a hit, the cell to the east",
        source: "Swift Playgrounds, Sinking a Ship",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(SwiftSinking::new(seed)),
    },
    Entry {
        name: "swift-locating",
        about: "random shots; a hit is followed north, south, east, west",
        source: "Swift Playgrounds, Locating Ships",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(SwiftLocating::new(seed)),
    },
    Entry {
        name: "swift-example",
        about: "scans the rows in steps as long as the smallest ship afloat",
        source: "Swift Playgrounds, An Example Algorithm",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(SwiftExample::new(seed)),
    },
    Entry {
        name: "star",
        about: "every fourth diagonal; around a hit in all directions until a miss",
        source: "a solution of the Swift Playgrounds challenge",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(Star::new(seed)),
    },
    Entry {
        name: "checkerboard",
        about: "random cells of one colour; neighbours of hits depth first",
        source: "a literate Python program",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(Checkerboard::new(seed)),
    },
    Entry {
        name: "quadrant",
        about: "the four quarters in turn; then along the axis of the ship",
        source: "pseudocode of a Java player",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(Quadrant::new(seed)),
    },
    Entry {
        name: "lattice",
        about: "diagonals ever denser; a wounded ship between and beyond its hits",
        source: "a bot for the contest «Морской бой», its table",
        rules: RUSSIAN,
        thinks: false,
        make: |seed| Box::new(lattice(seed)),
    },
    Entry {
        name: "blocks",
        about: "blocks of two by two ever denser; wounded ships as lattice does",
        source: "a bot for the contest «Морской бой», its formula",
        rules: RUSSIAN,
        thinks: false,
        make: |seed| Box::new(blocks(seed)),
    },
    Entry {
        name: "density",
        about: "counts the places of every ship afloat; the cell with most of them",
        source: "the classic probability density",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(Density::new(seed)),
    },
    Entry {
        name: "recruit",
        about: "level 1: looks at one part of the board, often without thought",
        source: "made here, for people to play against",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(recruit(seed)),
    },
    Entry {
        name: "sailor",
        about: "level 2: looks for room in half the board; forgets all but the latest misses",
        source: "made here, for people to play against",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(sailor(seed)),
    },
    Entry {
        name: "captain",
        about: "level 3: sees most of the board; loses sight of old misses",
        source: "made here, for people to play against",
        rules: CLASSIC,
        thinks: false,
        make: |seed| Box::new(captain(seed)),
    },
    Entry {
        name: "hunter",
        about: "the cell most likely to hold a ship, by exact odds",
        source: "the yardstick for all that think further",
        rules: CLASSIC,
        thinks: true,
        make: |seed| Box::new(Hunter::new(seed)),
    },
    Entry {
        name: "admiral",
        about: "exact odds or a small network; the fewer layouts are left, the further it looks ahead",
        source: "measured against hunter",
        rules: CLASSIC,
        thinks: true,
        make: |seed| Box::new(Admiral::new(seed)),
    },
    Entry {
        name: "champion",
        about: "a trained network on top of exact odds; a wide search of the endgame",
        source: "trained by playing itself, see training/",
        rules: CLASSIC,
        thinks: true,
        make: |seed| Box::new(Champion::new(seed)),
    },
];

/// All bots, simplest first.
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
    nearest.retain(|entry| likeness(entry) > ALIKE);
    nearest.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
    UnknownBot { nearest: nearest.iter().take(3).map(|entry| entry.name).collect(), name: shown }
}
