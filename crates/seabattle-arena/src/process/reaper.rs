//! Which processes are ours: what strangers leave behind when they end is found and ended too.
//!
//! A process that leaves its group still has to have a parent. The arena asks the system to be handed the orphans of its
//! descendants, so whoever is its child without having been started by it was left behind by a stranger.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::process::{Child, Command};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitOptions};

static STARTED: LazyLock<Mutex<HashSet<i32>>> = LazyLock::new(|| {
    // Without it orphans go to the system: nothing is found then, and nothing else changes.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    Mutex::default()
});

fn started() -> MutexGuard<'static, HashSet<i32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program that is known from its first moment.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut started = started();
    let child = command.spawn()?;
    started.insert(child.id().cast_signed());
    Ok(child)
}

/// A program has ended: so must all that it has left behind.
pub(super) fn forget(child: &Child) {
    let mut started = started();
    started.remove(&child.id().cast_signed());
    for pid in children().into_iter().filter(|pid| !started.contains(&pid.as_raw_nonzero().get())) {
        if is_stranger(pid) {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
            let _ = rustix::process::waitpid(Some(pid), WaitOptions::empty());
        }
    }
}

/// Ends all programs that run, each with its group.
pub(super) fn kill_all() {
    for group in started().iter().filter_map(|&pid| Pid::from_raw(pid)) {
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
}

/// Children of every thread of this process, where the system tells.
fn children() -> Vec<Pid> {
    let Ok(threads) = fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let lists = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let pids: Vec<i32> =
        lists.flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<_>>()).collect();
    pids.into_iter().filter_map(Pid::from_raw).collect()
}

/// Whether a process leads another group or session than we do: what else this program has started is not ours to end.
fn is_stranger(pid: Pid) -> bool {
    let ours = rustix::process::getpgid(None);
    rustix::process::getpgid(Some(pid)).is_ok_and(|group| Ok(group) != ours)
}
