//! Ctrl-C as a wish to stop, not an order to drop everything.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

static STOP: AtomicBool = AtomicBool::new(false);

/// Turns the first Ctrl-C into a flag; the second one ends the program.
pub(crate) fn flag() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(&STOP)
}
