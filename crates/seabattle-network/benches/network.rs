//! The time of one evaluation of a position.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot be set up must stop")]

use seabattle_core::{Knowledge, Rules};
use seabattle_network::PolicyNetwork;

fn main() {
    divan::main();
}

#[divan::bench]
fn evaluate(bencher: divan::Bencher<'_, '_>) {
    let rules = Rules::classic();
    let network = PolicyNetwork::trained_for(&rules).unwrap();
    let knowledge = Knowledge::parse(&rules, "E5. F6x F7x G3. C8. B2.").unwrap();
    bencher.bench_local(|| network.evaluate(&knowledge));
}
