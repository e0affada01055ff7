//! What all processes of an external bot may use together, and which limit a bot broke.

use std::time::Duration;

use thiserror::Error;

use crate::player::{Fault, FaultKind};

/// What all processes of an external bot may use together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceLimits {
    /// Bytes of memory. Shared memory and the temporary files of a sandbox count.
    pub memory: u64,
    /// The number of processes that run at once.
    pub processes: usize,
    /// Processor time in one game.
    pub cpu: Duration,
}

impl Default for ResourceLimits {
    fn default() -> Self {
        Self { memory: 1 << 30, processes: 64, cpu: Duration::from_secs(240) }
    }
}

impl ResourceLimits {
    /// What the system itself denies: a process that allocates more, or a file that grows beyond this.
    ///
    /// It leaves room above the limit of memory, so that the watchdog can name the fault before an allocation fails.
    pub(super) const fn hard_bytes(self) -> u64 {
        const ROOM: u64 = 128 << 20;
        self.memory.saturating_mul(2).saturating_add(ROOM)
    }
}

/// The limit that a bot broke.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub(crate) enum LimitExceeded {
    #[error("used {} MiB of memory, with shared memory and temporary files; {} MiB are allowed (--memory)", mebibytes(*used), mebibytes(*limit))]
    Memory { used: u64, limit: u64 },
    #[error("ran {count} processes at once; {limit} are allowed (--processes)")]
    Processes { count: usize, limit: usize },
    #[error("used {:.1} s of processor time in a game; {} s are allowed (--time-cpu)", used.as_secs_f64(), limit.as_secs_f64())]
    Cpu { used: Duration, limit: Duration },
    #[error("wrote a file of more than {} MiB", mebibytes(*limit))]
    File { limit: u64 },
}

const fn mebibytes(bytes: u64) -> u64 {
    bytes >> 20
}

impl LimitExceeded {
    pub(crate) fn fault(self) -> Fault {
        let kind = match self {
            Self::Memory { .. } => FaultKind::MemoryLimit,
            Self::Processes { .. } => FaultKind::ProcessLimit,
            Self::Cpu { .. } => FaultKind::CpuLimit,
            Self::File { .. } => FaultKind::FileLimit,
        };
        kind.with(self)
    }
}
