//! Ctrl-C as a wish to stop, not an order to drop everything.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// The exit status of what was stopped before its end, as shells know it.
const STATUS: i32 = 130;

const CANNOT_LISTEN: &str = "cannot listen for Ctrl-C";

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
            exit();
        }
    })
    .context(CANNOT_LISTEN)?;
    Ok(&STOP)
}

/// Makes the first Ctrl-C end the program, and external bots with it.
pub(crate) fn exit_at_once() -> anyhow::Result<()> {
    ctrlc::set_handler(|| exit()).context(CANNOT_LISTEN)
}

/// Exits as a program that was stopped; external bots leave nothing behind.
pub(crate) fn exit() -> ! {
    seabattle_arena::kill_external_bots();
    std::process::exit(STATUS)
}
