//! Limits of a whole bot: greedy programs end in their named faults, in the sandbox and outside, and leave nothing behind.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use seabattle_arena::{Access, BotCommand, ExternalPlayer, Fault, FaultKind, ResourceLimits, TimeLimits};

use crate::external::runs;
use crate::sandbox::is_left_out;

const LIMITS: ResourceLimits = ResourceLimits { memory: 128 << 20, processes: 20, cpu: Duration::from_secs(2) };

/// Starts a Python program that runs these lines before it is ready.
fn start(lines: &str, access: Access, limits: ResourceLimits) -> Result<(), Fault> {
    let program = format!(
        "import ctypes, mmap, os, signal, subprocess, sys, time\n\
         def fill(file, mebibytes):\n    for _ in range(mebibytes): file.write(bytes(1 << 20))\n\
         input()\n{lines}\n\
         print('ready', flush=True)\nwhile input() != 'quit': pass\n"
    );
    let words = ["python3", "-c", &program].map(str::to_owned).to_vec();
    let times = TimeLimits { start: Duration::from_secs(60), ..TimeLimits::default() };
    ExternalPlayer::new(BotCommand::new(words, limits, access), times).greet()
}

/// Every program that uses too much ends in this fault, wherever it runs.
fn exceeds(lines: &str, access: &[Access], expected: FaultKind, words: &str) {
    for access in access {
        let fault = start(lines, access.clone(), LIMITS).expect_err(lines);
        assert_eq!(fault.kind, expected, "{access:?} {lines}: {fault}");
        assert!(fault.detail.contains(words), "{fault}");
    }
}

fn everywhere() -> Vec<Access> {
    let sandbox = (!is_left_out()).then(Access::own_files);
    sandbox.into_iter().chain([Access::Everything]).collect()
}

fn in_the_sandbox() -> Vec<Access> {
    everywhere().into_iter().filter(Access::is_sandboxed).collect()
}

#[test]
fn memory_counts_for_all_processes_together() {
    let memory = |lines: &str, access: &[Access]| {
        exceeds(lines, access, FaultKind::MemoryLimit, "128 MiB are allowed (--memory)");
    };
    memory("x = bytearray(b'x') * (200 << 20)\ntime.sleep(60)", &everywhere());
    // Four processes, each of which would be allowed alone.
    memory("[os.fork() for _ in range(2)]\nx = bytearray(b'x') * (50 << 20)\ntime.sleep(60)", &everywhere());
    // Shared memory without a name, with a name, and in a file that is never mapped.
    memory("x = mmap.mmap(-1, 200 << 20)\nfill(x, 200)\ntime.sleep(60)", &everywhere());
    memory("x = os.fdopen(os.memfd_create('x'), 'wb')\nfill(x, 200)\ntime.sleep(60)", &everywhere());
    memory("x = open('/dev/shm/x', 'wb')\nfill(x, 200)\ntime.sleep(60)", &in_the_sandbox());
    memory("x = open('/tmp/x', 'wb')\nfill(x, 200)\ntime.sleep(60)", &in_the_sandbox());
}

#[test]
fn memory_that_processes_share_counts_once() {
    let lines = "x = bytearray(b'x') * (60 << 20)\n[os.fork() for _ in range(2)] and time.sleep(1)";
    let limits = ResourceLimits { cpu: Duration::from_secs(60), ..LIMITS };
    for access in everywhere() {
        assert_eq!(start(lines, access, limits), Ok(()));
    }
}

#[test]
fn processes_are_counted() {
    let lines = "for _ in range(400): subprocess.Popen(['sleep', '60'])\ntime.sleep(60)";
    exceeds(lines, &everywhere(), FaultKind::ProcessLimit, "20 are allowed (--processes)");
    // Each in a session of its own, with a parent that has ended.
    let lines = "for _ in range(400): subprocess.run('setsid sleep 60 >/dev/null 2>&1 &', shell=True)\ntime.sleep(60)";
    exceeds(lines, &everywhere(), FaultKind::ProcessLimit, "20 are allowed (--processes)");
}

#[test]
fn processor_time_counts_for_all_processes_together() {
    exceeds("while True: pass", &everywhere(), FaultKind::CpuLimit, "2 s are allowed (--time-cpu)");
    // Children that have ended count too.
    let lines = "while True: subprocess.run([sys.executable, '-c', 'sum(range(10**7))'])";
    exceeds(lines, &everywhere(), FaultKind::CpuLimit, "2 s are allowed (--time-cpu)");
}

#[test]
fn no_folder_of_the_sandbox_can_be_filled_without_limit() {
    let lines = "for folder in ['/', '/dev', os.getcwd(), '/usr']:\n    \
                     try:\n        open(folder + '/x', 'wb')\n        print('wrote to', folder)\n    \
                     except OSError: pass";
    for access in in_the_sandbox() {
        assert_eq!(start(lines, access, LIMITS), Ok(()));
    }
}

#[test]
fn a_file_has_a_greatest_size() {
    let file = std::env::temp_dir().join(format!("seabattle-large-{}", std::process::id()));
    let lines = format!(
        "signal.signal(signal.SIGXFSZ, signal.SIG_DFL)\nx = open({:?}, 'wb')\nfill(x, 1 << 20)",
        file.to_string_lossy()
    );
    let fault = start(&lines, Access::Everything, LIMITS).unwrap_err();
    fs::remove_file(&file).unwrap();
    assert_eq!((fault.kind, fault.detail.as_str()), (FaultKind::FileLimit, "wrote a file of more than 384 MiB"));
}

#[test]
fn whoever_exceeds_a_limit_leaves_nothing_behind() {
    for access in everywhere() {
        let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("greedy");
        let _ = fs::remove_file(&file);
        let lines = format!(
            "child = subprocess.Popen(['setsid', 'sh', '-c', 'trap \"\" TERM HUP; sleep 1000 & sleep 1000'])\n\
             os.path.isdir({0:?}) and open({1:?}, 'w').write(str(child.pid))\n\
             while True: pass",
            file.parent().unwrap().to_string_lossy(),
            file.to_string_lossy()
        );
        assert_eq!(start(&lines, access, LIMITS).unwrap_err().kind, FaultKind::CpuLimit);
        // In the sandbox neither the folder nor the numbers are those of the machine.
        let pid = fs::read_to_string(&file).ok();
        assert!(pid.as_deref().is_none_or(|pid| !runs(pid)), "{pid:?} is left behind");
    }
}
