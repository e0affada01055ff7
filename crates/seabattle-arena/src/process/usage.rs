//! What the processes of a bot use, read from `/proc`.
//!
//! A bot is a tree of processes. A process stays in the tree when its parent ends, because the tree remembers it.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal};

/// What all processes of a bot use together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Usage {
    /// Bytes of memory, with shared memory and temporary files of the sandbox.
    pub(super) memory: u64,
    /// How many processes there are.
    pub(super) processes: usize,
    /// Processor time of these and of their ended children.
    pub(super) cpu: Duration,
}

/// Whether this system lists what processes use.
pub(super) fn is_measurable() -> bool {
    let this = std::process::id().cast_signed();
    Stat::read(this).is_some() && fs::exists(format!("/proc/{this}/task/{this}/children")).unwrap_or(false)
}

/// The processes of one bot.
#[derive(Debug)]
pub(super) struct ProcessTree {
    /// Every known process with the time of its start, which tells it from a later process of the same number.
    members: HashMap<i32, u64>,
    /// Where a sandbox has folders in memory; `None` outside a sandbox.
    temporary_folders: Option<[&'static str; 2]>,
}

impl ProcessTree {
    pub(super) fn new(root: i32, is_sandboxed: bool) -> Self {
        let started = Stat::read(root).map_or(0, |stat| stat.started);
        Self {
            members: HashMap::from([(root, started)]),
            temporary_folders: is_sandboxed.then_some(["tmp", "dev/shm"]),
        }
    }

    /// Finds new processes, forgets ended ones, and adds up what all of them use. The precise sum of memory takes long,
    /// so it is made only if the quick one, in which shared pages count for each process, is above the limit.
    pub(super) fn measure(&mut self, memory_limit: u64) -> Usage {
        let stats = self.refresh();
        let pids: Vec<i32> = stats.iter().map(|&(pid, _)| pid).collect();
        let files = self.temporary_bytes(&pids) + unnamed_bytes(&pids);
        let mut memory = pids.iter().map(|&pid| MemoryUse::quick(pid)).sum::<MemoryUse>().with_files(files);
        if memory > memory_limit {
            memory = pids.iter().map(|&pid| MemoryUse::precise(pid)).sum::<MemoryUse>().with_files(files);
        }
        let ticks: u64 = stats.iter().map(|(_, stat)| stat.ticks).sum();
        let cpu = Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64);
        Usage { memory, processes: pids.len(), cpu }
    }

    /// Kills all processes, and those that they start meanwhile.
    pub(super) fn kill(&mut self) {
        const MOST_ROUNDS: usize = 100;
        for _ in 0..MOST_ROUNDS {
            let stats = self.refresh();
            let mut alive = stats.iter().filter(|(_, stat)| !stat.is_zombie).peekable();
            if alive.peek().is_none() {
                return;
            }
            for pid in alive.filter_map(|&(pid, _)| Pid::from_raw(pid)) {
                let _ = rustix::process::kill_process(pid, Signal::KILL);
            }
            thread::sleep(Duration::from_millis(1));
        }
    }

    pub(super) fn has(&self, pid: Pid) -> bool {
        self.members.contains_key(&pid.as_raw_nonzero().get())
    }

    /// Adds a process that has lost its parent.
    pub(super) fn adopt(&mut self, pid: Pid) {
        let pid = pid.as_raw_nonzero().get();
        if let Some(stat) = Stat::read(pid) {
            self.members.insert(pid, stat.started);
        }
    }

    /// Every known process with the time of its start.
    pub(super) const fn members(&self) -> &HashMap<i32, u64> {
        &self.members
    }

    /// The processes that still run, with those that they started.
    fn refresh(&mut self) -> Vec<(i32, Stat)> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut open: Vec<(i32, Option<u64>)> = self.members.iter().map(|(&pid, &start)| (pid, Some(start))).collect();
        while let Some((pid, known_start)) = open.pop() {
            let Some(stat) = Stat::read(pid).filter(|stat| known_start.is_none_or(|start| start == stat.started))
            else {
                continue;
            };
            if seen.insert(pid) {
                found.push((pid, stat));
                open.extend(children(pid).into_iter().map(|child| (child, None)));
            }
        }
        self.members = found.iter().map(|&(pid, stat)| (pid, stat.started)).collect();
        found
    }

    /// Bytes in the folders that a sandbox keeps in memory.
    fn temporary_bytes(&self, pids: &[i32]) -> u64 {
        let Some(folders) = self.temporary_folders else {
            return 0;
        };
        // A process of the sandbox sees other folders than the arena; the newest process is one.
        let inside = pids.iter().max().filter(|&&pid| {
            let device = |path: &str| fs::metadata(path).map(|file| file.dev()).ok();
            device(&format!("/proc/{pid}/root/tmp")).is_some_and(|inside| Some(inside) != device("/tmp"))
        });
        let Some(pid) = inside else {
            return 0;
        };
        let used = |folder: &str| {
            let usage = rustix::fs::statvfs(format!("/proc/{pid}/root/{folder}")).ok()?;
            Some((usage.f_blocks - usage.f_bfree) * usage.f_frsize)
        };
        folders.into_iter().filter_map(used).sum()
    }
}

/// The children of all threads of a process.
fn children(pid: i32) -> Vec<i32> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    let lists = threads.flatten().filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|pid| pid.parse().ok()).collect::<Vec<i32>>()).collect()
}

/// What `/proc/PID/stat` says of a process.
#[derive(Debug, Clone, Copy)]
struct Stat {
    is_zombie: bool,
    /// Processor time of the process and of its ended children.
    ticks: u64,
    /// When it started.
    started: u64,
}

impl Stat {
    fn read(pid: i32) -> Option<Self> {
        Self::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The name of the program may hold blanks and brackets, so fields are counted after its last bracket.
    fn parse(text: &str) -> Option<Self> {
        const TICKS: std::ops::RangeInclusive<usize> = 11..=14;
        const STARTED: usize = 19;
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |field: usize| fields.get(field)?.parse::<u64>().ok();
        Some(Self {
            is_zombie: *fields.first()? == "Z",
            ticks: TICKS.filter_map(number).sum(),
            started: number(STARTED)?,
        })
    }
}

/// Bytes of memory of processes.
#[derive(Debug, Clone, Copy, Default)]
struct MemoryUse {
    private: u64,
    shared: u64,
}

impl std::iter::Sum for MemoryUse {
    fn sum<I: Iterator<Item = Self>>(uses: I) -> Self {
        let add = |sum: Self, one: Self| Self { private: sum.private + one.private, shared: sum.shared + one.shared };
        uses.fold(Self::default(), add)
    }
}

impl MemoryUse {
    /// Shared pages count for each process that has them.
    fn quick(pid: i32) -> Self {
        let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
        let private = kibibytes(&status, "RssAnon:") + kibibytes(&status, "VmSwap:");
        Self { private, shared: kibibytes(&status, "RssShmem:") }
    }

    /// Each process has its part of shared pages.
    fn precise(pid: i32) -> Self {
        let Ok(pages) = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")) else {
            return Self::quick(pid);
        };
        let private = kibibytes(&pages, "Pss_Anon:") + kibibytes(&pages, "SwapPss:");
        Self { private, shared: kibibytes(&pages, "Pss_Shmem:") }
    }

    /// Mapped pages of files in memory count as shared pages and in their files, so the larger of both counts.
    fn with_files(self, files: u64) -> u64 {
        self.private + self.shared.max(files)
    }
}

/// The number of a line such as `RssAnon:  1234 kB`, in bytes.
fn kibibytes(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    number.unwrap_or(0) << 10
}

/// Bytes of the open files in memory that have no name, such as those of `memfd_create`.
fn unnamed_bytes(pids: &[i32]) -> u64 {
    let folders = pids.iter().filter_map(|pid| fs::read_dir(format!("/proc/{pid}/fd")).ok());
    let is_unnamed =
        |file: &PathBuf| fs::read_link(file).is_ok_and(|target| target.to_string_lossy().starts_with("/memfd:"));
    let files = folders.flat_map(|folder| folder.flatten().map(|entry| entry.path())).filter(is_unnamed);
    // One file may be open several times.
    let sizes: HashMap<u64, u64> =
        files.filter_map(|file| fs::metadata(file).ok()).map(|file| (file.ino(), file.blocks() * 512)).collect();
    sizes.values().sum()
}

#[cfg(test)]
mod tests {
    use super::Stat;

    #[test]
    fn a_program_may_have_brackets_and_blanks_in_its_name() {
        let stat = Stat::parse("7 (a) S (b) Z 1 2 3 4 5 6 7 8 9 10 100 20 3 4 15 16 17 18 990 20 21 22");
        let stat = stat.unwrap();
        assert_eq!((stat.is_zombie, stat.ticks, stat.started), (true, 127, 990));
        assert!(Stat::parse("7 (a").is_none());
    }
}
