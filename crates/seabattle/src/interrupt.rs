//! Ctrl-C as a wish to stop, not an order to drop everything.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// The exit status of what was stopped before its end, as shells know it.
pub(crate) const STATUS: i32 = 130;

static STOP: AtomicBool = AtomicBool::new(false);

/// Whether somebody wished to stop.
pub(crate) fn is_wished() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Stops the work as Ctrl-C does.
pub(crate) fn stop() {
    STOP.store(true, Ordering::Relaxed);
}

/// Turns the first Ctrl-C into a flag; the second one ends the program.
pub(crate) fn flag() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(STATUS);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(&STOP)
}
