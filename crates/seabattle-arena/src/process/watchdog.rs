//! The watchdog: one thread that measures all running bots, and kills those that use more than they may.

use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::Pid;

use super::guardian;
use super::limits::{LimitExceeded, ResourceLimits};
use super::reaper;
use super::usage::ProcessTree;

/// How often bots are measured.
const INTERVAL: Duration = Duration::from_millis(100);

static WATCHED: LazyLock<Watched> = LazyLock::new(|| {
    thread::spawn(watch_all);
    Watched::default()
});

/// All bots that run.
#[derive(Default)]
struct Watched {
    bots: Mutex<Vec<Arc<Mutex<Bot>>>>,
    /// Signals a new bot.
    added: Condvar,
}

struct Bot {
    tree: ProcessTree,
    /// What its processes have in their environment; `None` in the sandbox, which loses no process.
    mark: Option<String>,
    limits: ResourceLimits,
    /// Processor time at the start of the game.
    cpu_before: Duration,
    /// Processor time at the last measurement.
    cpu: Duration,
    exceeded: Option<LimitExceeded>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch_all() {
    loop {
        let bots: Vec<Arc<Mutex<Bot>>> = {
            let bots = lock(&WATCHED.bots);
            let bots = WATCHED.added.wait_while(bots, |bots| bots.is_empty()).unwrap_or_else(PoisonError::into_inner);
            bots.clone()
        };
        reaper::for_each_orphan(|pid| is_of_any(&bots, pid));
        for bot in bots {
            lock(&bot).check();
            let members = lock(&bot).tree.members().clone();
            guardian::remember(&members);
        }
        thread::sleep(INTERVAL);
    }
}

/// Whether a process without a parent belongs to one of these bots, which then keeps it.
fn is_of_any(bots: &[Arc<Mutex<Bot>>], pid: Pid) -> bool {
    let environment = std::fs::read(format!("/proc/{}/environ", pid.as_raw_nonzero())).unwrap_or_default();
    let environment = String::from_utf8_lossy(&environment).into_owned();
    bots.iter().any(|bot| {
        let mut bot = lock(bot);
        let has_mark = bot.mark.as_ref().is_some_and(|mark| environment.contains(mark.as_str()));
        if has_mark {
            bot.tree.adopt(pid);
        }
        has_mark || bot.tree.has(pid)
    })
}

impl Bot {
    fn check(&mut self) {
        if self.exceeded.is_some() {
            return;
        }
        let usage = self.tree.measure(self.limits.memory);
        self.cpu = self.cpu.max(usage.cpu);
        let cpu = self.cpu.saturating_sub(self.cpu_before);
        let ResourceLimits { memory, processes, cpu: cpu_limit } = self.limits;
        self.exceeded = if usage.memory > memory {
            Some(LimitExceeded::Memory { used: usage.memory, limit: memory })
        } else if usage.processes > processes {
            Some(LimitExceeded::Processes { count: usage.processes, limit: processes })
        } else if cpu > cpu_limit {
            Some(LimitExceeded::Cpu { used: cpu, limit: cpu_limit })
        } else {
            None
        };
        if self.exceeded.is_some() {
            self.tree.kill();
        }
    }
}

/// A bot under the watchdog, until this is dropped.
pub(super) struct Watch(Arc<Mutex<Bot>>);

impl Watch {
    pub(super) fn new(root: i32, limits: ResourceLimits, mark: Option<String>) -> Self {
        let tree = ProcessTree::new(root, mark.is_none());
        let bot = Bot { tree, mark, limits, cpu_before: Duration::ZERO, cpu: Duration::ZERO, exceeded: None };
        let bot = Arc::new(Mutex::new(bot));
        lock(&WATCHED.bots).push(Arc::clone(&bot));
        WATCHED.added.notify_one();
        Self(bot)
    }

    /// A new game begins, with its own processor time.
    pub(super) fn begin_game(&self) {
        let mut bot = lock(&self.0);
        bot.cpu_before = bot.cpu;
    }

    /// The limit that the bot broke, if it did.
    pub(super) fn exceeded(&self) -> Option<LimitExceeded> {
        lock(&self.0).exceeded
    }

    /// Ends the watch, and kills all processes of the bot that are known, wherever they went.
    pub(super) fn end(&self) {
        lock(&WATCHED.bots).retain(|bot| !Arc::ptr_eq(bot, &self.0));
        lock(&self.0).tree.kill();
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.end();
    }
}

/// Whether a process without a parent belongs to a bot under the watchdog.
pub(super) fn is_watched(pid: Pid) -> bool {
    let bots = lock(&WATCHED.bots).clone();
    is_of_any(&bots, pid)
}

/// Kills all processes of all bots.
pub(super) fn kill_all() {
    for bot in lock(&WATCHED.bots).iter() {
        lock(bot).tree.kill();
    }
}
