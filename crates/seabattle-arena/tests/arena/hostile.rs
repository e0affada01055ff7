//! Hostile programs, in the sandbox and outside: each ends as it must, the match goes on, and nothing is left behind.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use seabattle_arena::{Access, BotCommand, FaultKind, ResourceLimits, TimeLimits};

use crate::external::{broken, score_of_pairs};
use crate::sandbox::is_left_out;

const LIMITS: ResourceLimits = ResourceLimits { memory: 256 << 20, processes: 16, cpu: Duration::from_secs(60) };

/// A line of `hostile.py --list`.
struct Behaviour {
    name: String,
    /// The faults of which one must end each game; none if the bot plays on.
    expected: Vec<FaultKind>,
    needs_sandbox: bool,
    is_slow: bool,
}

impl Behaviour {
    fn all() -> Vec<Self> {
        let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken/hostile.py");
        let list = Command::new("python3").arg(program).arg("--list").output().unwrap();
        assert!(list.status.success(), "{}", String::from_utf8_lossy(&list.stderr));
        String::from_utf8(list.stdout).unwrap().lines().map(Self::read).collect()
    }

    fn read(line: &str) -> Self {
        let words: Vec<&str> = line.split(' ').collect();
        let kind = |name| *FaultKind::ALL.iter().find(|kind| kind.name() == name).unwrap();
        let expected = words[1].split('/').filter(|&name| name != "plays").map(kind).collect();
        let has = |mark| words[2..].contains(&mark);
        Self { name: words[0].to_owned(), expected, needs_sandbox: has("sandbox"), is_slow: has("slow") }
    }

    /// How a match against it ends, if not as it must.
    fn failure(&self, access: &Access) -> Option<String> {
        let command = BotCommand {
            access: access.clone(),
            limits: LIMITS,
            ..broken("hostile.py", &[&self.name, place_of(access)])
        };
        let (patient, short) = (Duration::from_secs(60), Duration::from_secs(1));
        let time = if self.is_slow { short } else { patient };
        let limits = TimeLimits { start: time, place: time, shot: time, game: patient, ..TimeLimits::default() };
        let score = score_of_pairs(1, command, limits);
        let faults: Vec<FaultKind> = score.faults.a.keys().copied().collect();
        let left = self.left_behind(access);
        let is_expected = match faults[..] {
            [] => self.expected.is_empty(),
            [kind] => self.expected.contains(&kind),
            _ => false,
        };
        let is_right = is_expected && score.faults.b.is_empty() && score.games() == 2;
        (!is_right || !left.is_empty()).then(|| {
            let what = score.first_faults.a.unwrap_or_default();
            format!("{} {access:?}: expected {:?}, got {faults:?} {what:.200}; left {left:?}", self.name, self.expected)
        })
    }

    /// The processes that still run.
    fn left_behind(&self, access: &Access) -> Vec<String> {
        let processes = fs::read_dir("/proc").unwrap().flatten().filter_map(|process| {
            let words = fs::read_to_string(process.path().join("cmdline")).ok()?;
            Some((process.file_name().to_string_lossy().into_owned(), words))
        });
        let mine = format!("hostile.py\0{}\0{}\0", self.name, place_of(access));
        processes.filter(|(_, words)| words.ends_with(&mine)).map(|(pid, _)| pid).collect()
    }
}

/// The word that tells the processes of both tests apart.
const fn place_of(access: &Access) -> &'static str {
    if access.is_sandboxed() { "inside" } else { "outside" }
}

/// Plays every behaviour with this access, some at once.
fn survives(access: &Access) {
    let behaviours = Behaviour::all();
    assert!(behaviours.len() >= 77, "{}", behaviours.len());
    let due: Vec<&Behaviour> =
        behaviours.iter().filter(|behaviour| access.is_sandboxed() || !behaviour.needs_sandbox).collect();
    let failures: Vec<String> = std::thread::scope(|scope| {
        let parts: Vec<_> = due.chunks(due.len().div_ceil(4)).collect();
        let play = |part: &[&Behaviour]| part.iter().filter_map(|one| one.failure(access)).collect::<Vec<_>>();
        let threads: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || play(part))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), due.len(), failures.join("\n"));
}

#[test]
fn hostile_programs_in_the_sandbox_end_as_they_must() {
    if !is_left_out() {
        let see = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")];
        survives(&Access::Sandbox { see });
    }
}

#[test]
fn hostile_programs_without_a_sandbox_end_as_they_must() {
    survives(&Access::Everything);
}
