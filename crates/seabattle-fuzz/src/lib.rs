//! What must hold for whatever strangers send: one function for each parser and protocol, which panics where it does not.
//!
//! `cargo fuzz` searches for inputs that break them (`fuzz/` has one target for each function), and `tests/corpus.rs` tries what
//! it has found interesting so far.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a panic is how these functions tell")]

mod games;
mod lines;
mod served;
mod texts;
mod weights;

pub use games::{journal, referee, typed};
pub use lines::{conversation, orders, replies};
pub use served::{live, requests};
pub use texts::{cells, fleet, position, record, records, rules};
pub use weights::weights;

/// A function that panics on what must not be.
pub type Target = fn(&[u8]);

/// All of them by name.
pub const TARGETS: [(&str, Target); 15] = [
    ("cells", cells),
    ("conversation", conversation),
    ("fleet", fleet),
    ("journal", journal),
    ("live", live),
    ("orders", orders),
    ("position", position),
    ("record", record),
    ("records", records),
    ("referee", referee),
    ("replies", replies),
    ("requests", requests),
    ("rules", rules),
    ("typed", typed),
    ("weights", weights),
];

/// The first line, and all after it.
fn first_line(data: &[u8]) -> (&[u8], &[u8]) {
    match data.iter().position(|byte| *byte == b'\n') {
        Some(at) => (&data[..at], &data[at + 1..]),
        None => (data, &[]),
    }
}

/// Rules in the first line, and all after it as text.
fn under_rules(data: &[u8]) -> Option<(seabattle_core::Rules, &str)> {
    let (rules, rest) = first_line(data);
    Some((std::str::from_utf8(rules).ok()?.parse().ok()?, std::str::from_utf8(rest).ok()?))
}
