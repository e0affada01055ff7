//! The guardian: a small process that outlives the arena and then kills the bots that ran outside a sandbox.
//!
//! It reads the processes of bots from a pipe. The pipe ends with the arena, however the arena ends.

use std::collections::HashMap;
use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::reaper;

/// Kills every process it knows, unless a later one has its number, and all processes with the arena's mark.
const SCRIPT: &str = r#"
trap '' HUP INT TERM
mark=$1
known=
while read -r pid start; do
  [ "$pid" != stop ] || exit 0
  known="$known $pid:$start"
done
for process in $known; do
  stat=$(cat "/proc/${process%:*}/stat" 2>/dev/null) || continue
  set -- ${stat##*) }
  [ "${20}" != "${process#*:}" ] || kill -9 "${process%:*}"
done
for round in 1 2 3; do
  for file in $(grep -lsa "$mark" /proc/[0-9]*/environ); do
    file=${file#/proc/}
    kill -9 "${file%/environ}"
  done
done
"#;

/// The environment variable that marks the processes of a bot outside a sandbox.
pub(super) const MARK_NAME: &str = "SEABATTLE_ARENA";

/// What all marks of this arena begin with: the number of its process and the time, which no other arena has.
static ARENA_MARK: LazyLock<String> = LazyLock::new(|| {
    let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    format!("{}-{}-", std::process::id(), time.as_nanos())
});

static GUARDIAN: Mutex<Option<Guardian>> = Mutex::new(None);

struct Guardian {
    pipe: ChildStdin,
    known: HashMap<i32, u64>,
}

fn guardian() -> MutexGuard<'static, Option<Guardian>> {
    GUARDIAN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The mark of a new bot outside a sandbox. The first use starts the guardian.
pub(super) fn new_mark() -> io::Result<String> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let mut guardian = guardian();
    if guardian.is_none() {
        *guardian = Some(Guardian::start()?);
    }
    // The last sign keeps bot 1 apart from bot 10.
    Ok(format!("{}{}.", *ARENA_MARK, NUMBER.fetch_add(1, Ordering::Relaxed)))
}

/// Tells the guardian of these processes, if there is one.
pub(super) fn remember(processes: &HashMap<i32, u64>) {
    let mut guardian = guardian();
    let Some(current) = guardian.as_mut() else {
        return;
    };
    // What a guardian knows only grows, so it is replaced from time to time.
    const MOST_KNOWN: usize = 1000;
    if current.known.len() > MOST_KNOWN
        && let Ok(next) = Guardian::start()
    {
        let _ = current.pipe.write_all(b"stop\n");
        *current = next;
    }
    for (&pid, &start) in processes {
        if current.known.insert(pid, start) != Some(start) {
            let _ = current.pipe.write_all(format!("{pid} {start}\n").as_bytes());
        }
    }
}

impl Guardian {
    fn start() -> io::Result<Self> {
        let mut command = Command::new("sh");
        // The mark is no part of the guardian's own environment, or it would kill itself.
        command.args(["-c", SCRIPT, "sh", &format!("{MARK_NAME}={}", *ARENA_MARK)]).env_remove(MARK_NAME);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).process_group(0);
        let pipe = reaper::spawn(&mut command)?.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        Ok(Self { pipe, known: HashMap::new() })
    }
}
