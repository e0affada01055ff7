//! Seeds from the operating system, for whoever does not choose one.

use anyhow::Context;

const NO_RANDOMNESS: &str = "the system gives no random numbers; choose one with --seed N";

/// A seed short enough to be typed again, for a game of one person.
pub(crate) fn short() -> anyhow::Result<u64> {
    getrandom::u32().map(u64::from).context(NO_RANDOMNESS)
}

/// A seed that nobody can guess or try out: bots that know it would know each other's fleets.
pub(crate) fn secret() -> anyhow::Result<u64> {
    getrandom::u64().context(NO_RANDOMNESS)
}
