//! Ctrl-C as a request to stop after the current work.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

/// The exit status of an interrupted program, as in shells.
const EXIT_STATUS: i32 = 130;

const CANNOT_LISTEN: &str = "cannot listen for Ctrl-C";

static STOP_REQUESTED: AtomicBool = AtomicBool::new(false);

/// Whether a stop was requested.
pub(crate) fn is_requested() -> bool {
    STOP_REQUESTED.load(Ordering::Relaxed)
}

/// Requests a stop, as Ctrl-C does.
pub(crate) fn request() {
    STOP_REQUESTED.store(true, Ordering::Relaxed);
}

/// Returns a flag that the first Ctrl-C sets. The second one ends the program.
pub(crate) fn stop_flag() -> anyhow::Result<&'static AtomicBool> {
    ctrlc::set_handler(|| {
        if STOP_REQUESTED.swap(true, Ordering::Relaxed) {
            exit();
        }
    })
    .context(CANNOT_LISTEN)?;
    Ok(&STOP_REQUESTED)
}

/// Makes the first Ctrl-C end the program, and external bots with it.
pub(crate) fn exit_on_ctrl_c() -> anyhow::Result<()> {
    ctrlc::set_handler(|| exit()).context(CANNOT_LISTEN)
}

/// Exits as an interrupted program, after killing external bots.
pub(crate) fn exit() -> ! {
    // Whoever waits for a bot must know that it did not end by itself.
    request();
    seabattle_arena::kill_external_bots();
    std::process::exit(EXIT_STATUS)
}
