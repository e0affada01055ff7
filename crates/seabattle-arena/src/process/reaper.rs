//! The process reaper: it kills the processes that external bots leave behind.
//!
//! A bot's child can leave the bot's process group, but it still has a parent. The arena is a
//! [child subreaper](https://man7.org/linux/man-pages/man2/PR_SET_CHILD_SUBREAPER.2const.html), so orphans of bots become
//! its own children. A child that the arena did not start was left behind by a bot.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::process::{Child, Command};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, WaitOptions};

static STARTED: LazyLock<Mutex<HashSet<i32>>> = LazyLock::new(|| {
    // If this fails, orphans go to init and the reaper finds none.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    Mutex::default()
});

fn started() -> MutexGuard<'static, HashSet<i32>> {
    STARTED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program and registers it before the reaper can see it.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    let mut started = started();
    let child = command.spawn()?;
    started.insert(child.id().cast_signed());
    Ok(child)
}

/// Unregisters a program that has ended, and kills the processes without a parent that this function does not know.
pub(super) fn reap(child: &Child, is_known: impl Fn(Pid) -> bool) {
    let mut started = started();
    started.remove(&child.id().cast_signed());
    // The children of a killed orphan become orphans themselves.
    const MOST_GENERATIONS: usize = 1000;
    for _ in 0..MOST_GENERATIONS {
        let left: Vec<Pid> = orphans(&started).into_iter().filter(|&pid| !is_known(pid)).collect();
        if left.is_empty() {
            return;
        }
        left.into_iter().for_each(end);
    }
}

/// Shows all processes without a parent to this function, and kills those that it does not know.
pub(super) fn for_each_orphan(is_known: impl Fn(Pid) -> bool) {
    let started = started();
    orphans(&started).into_iter().filter(|&pid| !is_known(pid)).for_each(end);
}

/// Processes that bots left behind.
fn orphans(started: &HashSet<i32>) -> Vec<Pid> {
    let left = children().into_iter().filter(|pid| !started.contains(&pid.as_raw_nonzero().get()));
    let has_ended = |pid: Pid| matches!(rustix::process::waitpid(Some(pid), WaitOptions::NOHANG), Ok(Some(_)));
    left.filter(|&pid| is_foreign(pid) && !has_ended(pid)).collect()
}

fn end(pid: Pid) {
    let _ = rustix::process::kill_process(pid, Signal::KILL);
    let _ = rustix::process::waitpid(Some(pid), WaitOptions::empty());
}

/// Ends all programs that run, each with its group.
pub(super) fn kill_all() {
    for group in started().iter().filter_map(|&pid| Pid::from_raw(pid)) {
        let _ = rustix::process::kill_process_group(group, Signal::KILL);
    }
}

/// The children of all threads of this process, where the system lists them.
fn children() -> Vec<Pid> {
    let Ok(threads) = fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let lists = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    let pids: Vec<i32> =
        lists.flat_map(|list| list.split_whitespace().flat_map(str::parse).collect::<Vec<_>>()).collect();
    pids.into_iter().filter_map(Pid::from_raw).collect()
}

/// Whether a process is in another process group than the arena. Other children of this program are not the reaper's.
fn is_foreign(pid: Pid) -> bool {
    let ours = rustix::process::getpgid(None);
    rustix::process::getpgid(Some(pid)).is_ok_and(|group| Ok(group) != ours)
}
