//! The catalog of all bots, with the name, title, group and description of each.

use seabattle_core::{Bot, Seed};
use thiserror::Error;

use crate::bots::adjacent::Adjacent;
use crate::bots::admiral::Admiral;
use crate::bots::blocks::blocks;
use crate::bots::captain::captain;
use crate::bots::champion::Champion;
use crate::bots::checkerboard::Checkerboard;
use crate::bots::density::Density;
use crate::bots::hunter::Hunter;
use crate::bots::lattice::lattice;
use crate::bots::quadrant::Quadrant;
use crate::bots::random::Random;
use crate::bots::recruit::recruit;
use crate::bots::sailor::sailor;
use crate::bots::star::Star;
use crate::bots::swift_example::SwiftExample;
use crate::bots::swift_locating::SwiftLocating;
use crate::bots::swift_sinking::SwiftSinking;

/// The purpose of a bot in the catalog.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Group {
    /// One of the five opponents for people; see [`levels`].
    Level,
    /// An algorithm from one of the five source documents; see [`documents`].
    Document,
    /// A reference point to measure other bots against.
    Baseline,
}

/// One bot of the catalog: its descriptions, and a way to make a player.
pub struct BotInfo {
    /// The bot's id on the command line, in records and in the API: lower case, words joined by hyphens.
    pub name: &'static str,
    /// The bot's name on screens.
    pub title: &'static str,
    /// The purpose of the bot.
    pub group: Group,
    /// How the bot plays: one sentence of at most 70 characters.
    pub about: &'static str,
    /// The origin of the algorithm; for a bot of a document, which document.
    pub source: &'static str,
    /// The rules the bot was written for. It plays all other rules too.
    pub rules: &'static str,
    /// Whether a shot takes milliseconds instead of microseconds, so that thousands of games take minutes.
    pub is_slow: bool,
    make: fn(&Seed) -> Box<dyn Bot>,
}

impl BotInfo {
    /// Makes a player for one series of games. The same seed always plays the same way.
    pub fn make(&self, seed: &Seed) -> Box<dyn Bot> {
        (self.make)(seed)
    }

    /// The number of games of each kind that its fingerprint covers.
    pub fn fingerprint_games(&self) -> u64 {
        if self.is_slow { 3 } else { 50 }
    }
}

/// The error of [`find`]: no bot has this name. Its message suggests similar names.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("there is no bot {name:?}; {}", hint(nearest))]
pub struct UnknownBot {
    name: String,
    nearest: Vec<&'static str>,
}

const CLASSIC: &str = "classic";
const RUSSIAN: &str = "russian";

/// The least Jaro-Winkler similarity of a name that is suggested.
const MIN_SIMILARITY: f64 = 0.75;

fn hint(nearest: &[&'static str]) -> String {
    match nearest {
        [] => "`seabattle bots` lists them all".to_owned(),
        _ => format!("did you mean {}?", nearest.join(" or ")),
    }
}

static CATALOG: [BotInfo; 17] = [
    BotInfo {
        name: "random",
        title: "Random",
        group: Group::Baseline,
        about: "Fires at any open cell, without a plan.",
        source: "baseline for all bots",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(Random::new(seed)),
    },
    BotInfo {
        name: "adjacent",
        title: "Adjacent",
        group: Group::Document,
        about: "Fires at random; after a hit, at the cells next to it.",
        source: "planning notes for a browser game",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(Adjacent::new(seed)),
    },
    BotInfo {
        name: "swift-sinking",
        title: "Swift Sinking",
        group: Group::Document,
        about: "Fires at random; after a hit, tries only the cell to the right.",
        source: "Swift challenge, Sinking a Ship",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(SwiftSinking::new(seed)),
    },
    BotInfo {
        name: "swift-locating",
        title: "Swift Locating",
        group: Group::Document,
        about: "Fires at random; follows a hit up, down, right and left.",
        source: "Swift challenge, Locating Ships",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(SwiftLocating::new(seed)),
    },
    BotInfo {
        name: "swift-example",
        title: "Swift Example",
        group: Group::Document,
        about: "Scans the rows in steps as long as the smallest ship afloat.",
        source: "Swift challenge, Example Algorithm",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(SwiftExample::new(seed)),
    },
    BotInfo {
        name: "star",
        title: "Star",
        group: Group::Document,
        about: "Scans every fourth diagonal; follows a hit in all four directions.",
        source: "Swift challenge, My Solution",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(Star::new(seed)),
    },
    BotInfo {
        name: "checkerboard",
        title: "Checkerboard",
        group: Group::Document,
        about: "Fires at one color of the checkerboard, then around every hit.",
        source: "literate Python program",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(Checkerboard::new(seed)),
    },
    BotInfo {
        name: "quadrant",
        title: "Quadrant",
        group: Group::Document,
        about: "Searches the four quarters in turn; follows a hit along the ship.",
        source: "pseudocode of a Java AI",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(Quadrant::new(seed)),
    },
    BotInfo {
        name: "lattice",
        title: "Lattice",
        group: Group::Document,
        about: "Searches diagonals that get denser; finishes every ship it hits.",
        source: "bot for a Морской бой contest, table",
        rules: RUSSIAN,
        is_slow: false,
        make: |seed| Box::new(lattice(seed)),
    },
    BotInfo {
        name: "blocks",
        title: "Blocks",
        group: Group::Document,
        about: "Searches 2×2 blocks that get denser; finishes every ship it hits.",
        source: "bot for a Морской бой contest, formula",
        rules: RUSSIAN,
        is_slow: false,
        make: |seed| Box::new(blocks(seed)),
    },
    BotInfo {
        name: "density",
        title: "Density",
        group: Group::Baseline,
        about: "Fires at the cell where most ship placements are still possible.",
        source: "classic probability density",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(Density::new(seed)),
    },
    BotInfo {
        name: "recruit",
        title: "Recruit",
        group: Group::Level,
        about: "Searches one part of the board and often fires without thinking.",
        source: "made for people to play against",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(recruit(seed)),
    },
    BotInfo {
        name: "sailor",
        title: "Sailor",
        group: Group::Level,
        about: "Searches half the board and remembers only its latest misses.",
        source: "made for people to play against",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(sailor(seed)),
    },
    BotInfo {
        name: "captain",
        title: "Captain",
        group: Group::Level,
        about: "Searches most of the board and forgets old misses.",
        source: "made for people to play against",
        rules: CLASSIC,
        is_slow: false,
        make: |seed| Box::new(captain(seed)),
    },
    BotInfo {
        name: "hunter",
        title: "Hunter",
        group: Group::Baseline,
        about: "Fires at the cell most likely to hold a ship, by exact odds.",
        source: "baseline for stronger bots",
        rules: CLASSIC,
        is_slow: true,
        make: |seed| Box::new(Hunter::new(seed)),
    },
    BotInfo {
        name: "admiral",
        title: "Admiral",
        group: Group::Level,
        about: "Knows the odds of every cell and plans the last shots ahead.",
        source: "exact odds and endgame search",
        rules: CLASSIC,
        is_slow: true,
        make: |seed| Box::new(Admiral::new(seed)),
    },
    BotInfo {
        name: "champion",
        title: "Champion",
        group: Group::Level,
        about: "Uses a trained network and learns how you place your ships.",
        source: "network trained by self-play",
        rules: CLASSIC,
        is_slow: true,
        make: |seed| Box::new(Champion::new(seed)),
    },
];

/// All bots, from the simplest to the strongest.
pub fn catalog() -> &'static [BotInfo] {
    &CATALOG
}

/// The bots of one group, from the simplest to the strongest.
pub fn bots_of(group: Group) -> impl Iterator<Item = &'static BotInfo> {
    CATALOG.iter().filter(move |entry| entry.group == group)
}

/// The five opponents for people, weakest first: Recruit, Sailor, Captain, Admiral, Champion.
pub fn levels() -> impl Iterator<Item = &'static BotInfo> {
    bots_of(Group::Level)
}

/// The nine bots of the source documents, simplest first.
pub fn documents() -> impl Iterator<Item = &'static BotInfo> {
    bots_of(Group::Document)
}

/// The opponent for a person who chose none: Sailor, the second of the levels.
pub fn default_opponent() -> &'static BotInfo {
    levels().nth(1).unwrap_or(&CATALOG[0])
}

/// Finds a bot by its name or title, in any case: `sailor`, `Sailor`, `swift-example` and `Swift Example` all work.
pub fn find(name: &str) -> Result<&'static BotInfo, UnknownBot> {
    let is_match = |entry: &&BotInfo| entry.name.eq_ignore_ascii_case(name) || entry.title.eq_ignore_ascii_case(name);
    CATALOG.iter().find(is_match).ok_or_else(|| unknown_bot(name))
}

/// The names that the terminal used for the levels in an earlier release, each with the name of today.
const FORMER_TITLES: [(&str, &str); 5] =
    [("calm", "recruit"), ("breeze", "sailor"), ("gale", "captain"), ("storm", "admiral"), ("hurricane", "champion")];

fn unknown_bot(name: &str) -> UnknownBot {
    let shown: String = name.chars().take(40).collect();
    if let Some((_, now)) = FORMER_TITLES.iter().find(|(former, _)| former.eq_ignore_ascii_case(name)) {
        return UnknownBot { nearest: vec![now], name: shown };
    }
    let similarity = |entry: &BotInfo| strsim::jaro_winkler(&shown.to_lowercase(), entry.name);
    let mut nearest: Vec<&BotInfo> = CATALOG.iter().collect();
    nearest.retain(|entry| similarity(entry) > MIN_SIMILARITY);
    nearest.sort_by(|a, b| similarity(b).total_cmp(&similarity(a)));
    UnknownBot { nearest: nearest.iter().take(3).map(|entry| entry.name).collect(), name: shown }
}
