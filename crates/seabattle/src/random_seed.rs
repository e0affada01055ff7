//! Random seeds from the operating system.

use anyhow::Context;

const NO_RANDOMNESS: &str = "the system has no random numbers; choose a seed with --seed N";

/// Returns a seed that is short enough to type, for a game of one person.
pub(crate) fn short() -> anyhow::Result<u64> {
    getrandom::u32().map(u64::from).context(NO_RANDOMNESS)
}

/// Returns a seed that nobody can guess. A bot that knows the seed would know the other's fleet.
pub(crate) fn secret() -> anyhow::Result<u64> {
    getrandom::u64().context(NO_RANDOMNESS)
}
