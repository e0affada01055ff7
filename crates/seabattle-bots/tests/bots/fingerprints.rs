//! Play changes only on purpose: every change shows in the committed fingerprints.

use seabattle_arena::fingerprint;
use seabattle_bots::catalog;

/// After an intended change run `cargo run --release -- bench --fingerprint > crates/seabattle-bots/fingerprints.txt`.
#[test]
fn every_bot_plays_as_its_committed_fingerprint_says() {
    let committed = seabattle_bots::FINGERPRINTS;
    let line = |entry: &seabattle_bots::BotInfo| {
        let number = fingerprint(&|seed| entry.make(seed), entry.fingerprint_games()).unwrap();
        format!("{:<16}{number:016x}\n", entry.name)
    };
    let measured: String = catalog().iter().map(line).collect();
    assert_eq!(measured, committed);
}
