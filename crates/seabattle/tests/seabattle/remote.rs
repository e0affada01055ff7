//! Work on many machines: the same tables, whoever dies.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use seabattle_core::{Seed, uniform_below};

use crate::program::{command, folder, run, stderr, stdout};
use crate::queue_nats::Nats;

/// Nothing here takes longer, unless it hangs.
const PATIENCE: Duration = Duration::from_secs(60);

fn spawn(args: &[&str]) -> Child {
    command(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// A worker that ends with its test.
struct Worker(Child);

impl Worker {
    fn start(nats: &Nats, options: &[&str]) -> Self {
        let url = nats.options().url;
        let args = [&["worker", "--nats", &url, "--threads", "1", "--ack-wait", "1s"], options].concat();
        let mut command = command(&args);
        Self(quiet(&mut command).spawn().unwrap())
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.0), signal).unwrap();
    }

    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

fn quiet(command: &mut Command) -> &mut Command {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null())
}

fn start_workers(nats: &Nats, count: usize) -> Vec<Worker> {
    (0..count).map(|_| Worker::start(nats, &[])).collect()
}

/// The same command here and there.
fn is_the_same(nats: &Nats, args: &[&str], there: &[&str]) {
    let url = nats.options().url;
    let here = run(args, b"");
    let remote = run(&[args, &["--nats", &url], there].concat(), b"");
    assert!(remote.status.success(), "{}", stderr(&remote));
    assert_eq!(stdout(&here), stdout(&remote), "{args:?}");
}

#[test]
fn tables_are_the_same_as_on_one_machine() {
    let nats = Nats::start();
    let _workers = start_workers(&nats, 2);
    is_the_same(&nats, &["match", "star", "density", "--pairs", "60", "--seed", "1"], &["--job", "7"]);
    is_the_same(
        &nats,
        &["match", "star", "quadrant", "--pairs", "400", "--seed", "1", "--sprt", "0,40", "--format", "json"],
        &[],
    );
    is_the_same(
        &nats,
        &["match", "random", "blocks", "--rules", "russian", "--pairs", "30", "--seed", "1", "--learn"],
        &["--job", "1"],
    );
    let folder = folder("remote-same");
    let fields = |bench: &[&str]| {
        let table = stdout(&run(bench, b""));
        // How fast it was is no part of what was found.
        table
            .lines()
            .map(|line| {
                line.split(',').enumerate().filter(|(at, _)| *at != 12).map(|(_, field)| field.to_owned()).collect()
            })
            .collect::<Vec<Vec<_>>>()
    };
    let bench = ["bench", "star", "random", "--skip", "60", "--games", "700", "--series", "3", "--format", "csv"];
    let url = nats.options().url;
    assert_eq!(fields(&bench), fields(&[&bench[..], &["--nats", &url, "--job", "50"]].concat()));
    let fair = "bench density --games 4 --low-variance --format csv";
    let fair: Vec<&str> = fair.split(' ').collect();
    assert_eq!(fields(&fair), fields(&[&fair[..], &["--nats", &url, "--job", "2"]].concat()));
    for (number, schedule) in ["swiss:2", "knockout", "contest:4", "gauntlet"].into_iter().enumerate() {
        let [here, there] = ["here", "there"].map(|side| folder.join(format!("{side}{number}")));
        let args = |out: &Path| {
            let out = out.to_string_lossy().into_owned();
            [
                "tournament",
                "blocks",
                "adjacent",
                "random",
                "lattice",
                "--pairs",
                "12",
                "--seed",
                "1",
                "--schedule",
                schedule,
                "--out",
                &out,
            ]
            .map(str::to_owned)
        };
        let local = command(&args(&here).each_ref().map(String::as_str)).output().unwrap();
        let mut remote = command(&args(&there).each_ref().map(String::as_str));
        let remote = remote.args(["--nats", &url, "--job", "8"]).output().unwrap();
        assert!(remote.status.success(), "{}", stderr(&remote));
        assert_eq!(stdout(&local), stdout(&remote), "{schedule}");
    }
}

#[test]
fn records_are_the_same_too() {
    let nats = Nats::start();
    let _workers = start_workers(&nats, 2);
    let folder = folder("remote-records");
    let url = nats.options().url;
    let records = |side: &str, more: &[&str]| {
        let folder = folder.join(side);
        let path = folder.to_string_lossy();
        let output = run(
            &[&["match", "star", "random", "--pairs", "15", "--seed", "1", "--records", &path], more].concat(),
            b"",
        );
        assert!(output.status.success(), "{}", stderr(&output));
        fs::read_to_string(folder.join("star-random.txt")).unwrap()
    };
    assert_eq!(records("here", &[]), records("there", &["--nats", &url, "--job", "4"]));
}

#[test]
fn a_command_runs_only_where_it_is_allowed() {
    let nats = Nats::start();
    let bot = crate::program::repository().join("bots/python/bot.py");
    let bot = format!("python3 {}", bot.display());
    let url = nats.options().url;
    let args = ["match", &bot, "random", "--pairs", "2", "--seed", "1", "--no-sandbox", "--nats", &url];
    let refused = spawn(&["worker", "--nats", &url, "--threads", "1", "--name", "careful"]);
    let mut wanted = spawn(&args);
    let refused = refused.wait_with_output().unwrap();
    assert!(!refused.status.success());
    let message = stderr(&refused);
    assert!(message.contains("plays bots of the catalog alone") && message.contains("--allow"), "{message}");
    let _allowed = Worker::start(&nats, &["--allow", &bot, "--no-sandbox"]);
    assert!(wanted.wait().unwrap().success());
    let output = wanted.wait_with_output().unwrap();
    assert!(stderr(&output).contains("worker careful failed in"), "{}", stderr(&output));
    assert!(stdout(&output).contains("games     4 in 2 pairs"), "{}", stdout(&output));
}

#[test]
fn nobody_there_is_told_with_the_next_step() {
    let mut nats = Nats::start();
    nats.kill();
    let url = nats.options().url.replace("nats://", "nats://me:secret@");
    let output = run(&["match", "star", "random", "--nats", &url, "--nats-wait", "300ms"], b"");
    let message = stderr(&output);
    assert!(!output.status.success() && message.contains("no answer from NATS"), "{message}");
    assert!(!message.contains("secret"), "{message}");
    let output = run(&["worker", "--nats", &url, "--nats-wait", "300ms"], b"");
    assert!(!output.status.success() && stderr(&output).contains("no answer from NATS"), "{}", stderr(&output));
}

/// A tournament of which everything may die.
struct Trial {
    nats: Nats,
    workers: Vec<Worker>,
    folder: String,
    coordinator: Child,
}

impl Trial {
    fn begin(folder: &Path, bots: &[&str]) -> Self {
        let nats = Nats::start();
        let workers = start_workers(&nats, 3);
        let (folder, url) = (folder.to_string_lossy().into_owned(), nats.options().url);
        let coordinator = spawn(&[bots, &["--out", &folder, "--nats", &url, "--job", "20"]].concat());
        Self { nats, workers, folder, coordinator }
    }

    fn games(&self) -> usize {
        let text = fs::read_to_string(Path::new(&self.folder).join("games.jsonl")).unwrap_or_default();
        text.lines().count()
    }

    /// Waits until so many games are played; whether that happened before the end.
    fn reaches(&mut self, games: usize) -> bool {
        let until = Instant::now() + PATIENCE;
        while self.games() < games {
            if self.coordinator.try_wait().unwrap().is_some() {
                return false;
            }
            assert!(Instant::now() < until, "nothing goes on after {} games", self.games());
            sleep(Duration::from_millis(5));
        }
        true
    }

    fn kill_coordinator(&mut self) {
        self.coordinator.kill().unwrap();
        self.coordinator.wait().unwrap();
        let url = self.nats.options().url;
        self.coordinator = spawn(&["tournament", "--resume", &self.folder, "--nats", &url, "--job", "20"]);
    }

    fn kill_worker(&mut self, number: usize) {
        self.workers[number].kill();
        self.workers[number] = Worker::start(&self.nats, &[]);
    }

    fn restart_nats(&mut self) {
        self.nats.kill();
        self.nats.start_again();
    }
}

#[test]
fn whoever_dies_the_table_is_the_same() {
    const GAMES: usize = 6 * 2 * 600;
    let folder = folder("remote-faults");
    let bots = ["tournament", "star", "density", "quadrant", "adjacent", "--pairs", "600", "--seed", "1"];
    let here = folder.join("here").to_string_lossy().into_owned();
    let expected = stdout(&run(&[&bots[..], &["--out", &here]].concat(), b""));
    let mut trial = Trial::begin(&folder.join("there"), &bots);
    let moment = std::process::id();
    let mut chance = Seed::new(u64::from(moment)).rng();
    let mut injected = 0;
    for fault in (0..12).map(|number| number % 4) {
        let games = trial.games() + uniform_below(&mut chance, GAMES / 14);
        if !trial.reaches(games) {
            break;
        }
        injected += 1;
        let number = uniform_below(&mut chance, 3);
        match fault {
            0 => trial.kill_worker(number),
            1 => trial.kill_coordinator(),
            2 => trial.restart_nats(),
            _ => {
                // Longer than anybody waits for a sign of life: its job goes to another, and it comes back with its own result.
                trial.workers[number].signal(Signal::STOP);
                let stopped = Instant::now();
                let more = trial.games() + 200;
                trial.reaches(more);
                while stopped.elapsed() < Duration::from_millis(1300) {
                    sleep(Duration::from_millis(10));
                }
                trial.workers[number].signal(Signal::CONT);
            }
        }
    }
    assert!(injected >= 4, "seed {moment}: it was over too soon for {injected} faults");
    let Trial { nats: _nats, workers: _workers, folder, coordinator } = trial;
    let output = coordinator.wait_with_output().unwrap();
    assert!(output.status.success(), "seed {moment}: {}", stderr(&output));
    assert_eq!(stdout(&output), expected, "seed {moment}");
    let journal = fs::read_to_string(Path::new(&folder).join("games.jsonl")).unwrap();
    let keys: BTreeSet<&str> = journal.lines().map(|line| line.split("\"winner\"").next().unwrap()).collect();
    assert_eq!((journal.lines().count(), keys.len()), (GAMES, GAMES), "seed {moment}: nothing lost, nothing twice");
}
