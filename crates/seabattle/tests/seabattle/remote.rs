//! Work on many machines: the same tables, whoever dies.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::num::NonZero;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use seabattle_arena::{Contestant, ContestantKind, Pairing, Tournament, TournamentTask};
use seabattle_core::{BySide, Seed, uniform_below};
use seabattle_queue::{Version, WorkerOptions};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

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
        let args = [&["worker", "--nats", &url, "--threads", "1"], options].concat();
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
    let remote = run(&[args, &["--nats", &url, "--ack-wait", "1s"], there].concat(), b"");
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
}

/// The next line of a worker's log that contains this.
fn wait_for_line(log: &mut impl BufRead, part: &str) -> String {
    let lines = log.lines().map_while(Result::ok);
    lines.take(100).find(|line| line.contains(part)).unwrap_or_else(|| panic!("no line with {part:?}"))
}

#[test]
fn a_worker_waits_for_nats_and_obeys_the_first_sigterm() {
    let mut nats = Nats::start();
    nats.kill();
    let url = nats.options().url.replace("nats://", "nats://me:secret@");
    let args = ["worker", "--nats", &url, "--nats-wait", "300ms", "--name", "early"];
    let mut child = spawn(&args);
    let mut log = BufReader::new(child.stderr.take().unwrap());
    let worker = Worker(child);
    let waiting = wait_for_line(&mut log, "does not answer");
    assert!(waiting.contains("waiting until it does") && !waiting.contains("secret"), "{waiting}");
    nats.start_again();
    let again = wait_for_line(&mut log, "connected again");
    assert!(again.contains("worker early ("), "{again}");
    nats.kill();
    wait_for_line(&mut log, "does not answer");
    let asked = Instant::now();
    worker.signal(Signal::TERM);
    wait_for_line(&mut log, "stopped");
    let mut worker = worker;
    assert!(worker.0.wait().unwrap().success());
    assert!(asked.elapsed() < Duration::from_secs(5), "{:?}", asked.elapsed());
}

/// A worker of this version that answers jobs as it likes.
struct Liar {
    /// As journals name it.
    id: String,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Liar {
    fn start(nats: &Nats, answer: impl Fn(&Value) -> Option<String> + Send + Sync + 'static) -> Self {
        let digest: String = Sha256::digest(seabattle_bots::FINGERPRINTS.as_bytes())[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let version = Version::new(&format!("{}-{digest}", env!("CARGO_PKG_VERSION")));
        let options = WorkerOptions { name: "liar".to_owned(), version, threads: NonZero::<usize>::MIN };
        let handler = move |job: &[u8]| {
            let job = serde_json::from_slice(job).map_err(|error| error.to_string())?;
            answer(&job).map(String::into_bytes).ok_or_else(|| "no answer".to_owned())
        };
        let worker = seabattle_queue::Worker::new(&nats.options(), options, handler).unwrap();
        let (id, stop) = (worker.identity().short_id().to_owned(), Arc::new(AtomicBool::new(false)));
        let flag = Arc::clone(&stop);
        let thread = std::thread::spawn(move || drop(worker.run(&flag, |_| {}).unwrap()));
        Self { id, stop, thread: Some(thread) }
    }

    /// Waits until a coordinator has rejected it.
    fn wait_until_rejected(mut self) {
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Drop for Liar {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().map(JoinHandle::join);
    }
}

/// Possible games in which the first player wins all.
fn first_wins_all(job: &Value) -> Option<String> {
    let job = job.get("match").or_else(|| job.get("task"))?;
    let [from, to] = ["start", "end"].map(|end| job["part"][end].as_u64().unwrap());
    let (round, numbers) = (job["round"].as_u64().unwrap_or(0), &job["numbers"]);
    let [a, b] = [0, 1].map(|place| numbers[place].as_u64().unwrap_or(place as u64));
    let game = |(pair, game): (u64, u64)| {
        let shots = if game == 0 { [40, 39] } else { [40, 40] };
        json!({
            "round": round, "a": a, "b": b, "pair": pair, "game": game,
            "winner": "a", "shots": shots, "sunk": true, "faults": [null, null],
        })
        .to_string()
            + "\n"
    };
    Some((from..to).flat_map(|pair| [(pair, 0), (pair, 1)]).map(game).collect())
}

#[test]
fn a_worker_that_lets_random_beat_champion_is_named() {
    let nats = Nats::start();
    let args = ["match", "random", "champion", "--pairs", "4", "--seed", "1"];
    let url = nats.options().url;
    let liar = Liar::start(&nats, first_wins_all);
    let remote = spawn(&[&args[..], &["--nats", &url, "--job", "2"]].concat());
    liar.wait_until_rejected();
    let _workers = start_workers(&nats, 1);
    let remote = remote.wait_with_output().unwrap();
    let message = stderr(&remote);
    assert!(remote.status.success(), "{message}");
    assert!(message.contains("worker liar (") && message.contains("is not believed"), "{message}");
    assert!(message.contains("the first wins after 40 and 39 shots; here"), "{message}");
    assert!(message.contains("games were played again here, all the same"), "{message}");
    assert_eq!(stdout(&remote), stdout(&run(&args, b"")), "random wins nothing");
}

/// The games of a task of a tournament, as an honest worker plays them.
fn honest_games(task: &Value) -> Option<String> {
    let number = |value: &Value| value.as_u64().unwrap();
    let tournament = Tournament {
        format: task["format"].as_str()?.parse().ok()?,
        rules: task["rules"].as_str()?.parse().ok()?,
        seed: number(&task["seed"]),
        pairs: number(&task["pairs"]),
        series: NonZero::new(number(&task["series"]))?,
        reveal: task["reveal"].as_bool()?,
        learn: task["learn"].as_bool()?,
        give_up: None,
    };
    let contestant = |place: usize| {
        let entry = seabattle_bots::find(task["players"][place]["player"].as_str().unwrap()).unwrap();
        Contestant { name: String::new(), kind: ContestantKind::BuiltIn(Box::new(|seed| entry.make(seed))) }
    };
    let [a, b] = [0, 1].map(|place| number(&task["numbers"][place]) as usize);
    let pairing = Pairing { round: number(&task["round"]) as u32, a, b };
    let task_of = TournamentTask { pairing, pairs: number(&task["part"]["start"])..number(&task["part"]["end"]) };
    let (first, second) = (contestant(0), contestant(1));
    let sides = BySide { a: &first, b: &second };
    let games = tournament.play(&task_of, sides, number(&task["contestants"]) as usize);
    Some(games.iter().map(|game| game.line() + "\n").collect())
}

#[test]
fn lies_that_were_counted_are_taken_back_from_a_tournament() {
    let nats = Nats::start();
    let folder = folder("remote-liar");
    let bots = ["tournament", "random", "density", "blocks", "star", "--pairs", "60", "--seed", "1"];
    let schedule = ["--schedule", "swiss:3"];
    let [here, there] = ["here", "there"].map(|side| folder.join(side).to_string_lossy().into_owned());
    let expected = stdout(&run(&[&bots[..], &schedule, &["--out", &here]].concat(), b""));
    // Honest in the first round: what it has played counts by then.
    let liar = Liar::start(&nats, |job| {
        if job["task"]["round"].as_u64()? == 0 { honest_games(&job["task"]) } else { first_wins_all(job) }
    });
    let url = nats.options().url;
    let more = ["--out", &there, "--nats", &url, "--job", "4", "--verify", "50%"];
    let remote = spawn(&[&bots[..], &schedule, &more].concat());
    let id = liar.id.clone();
    liar.wait_until_rejected();
    let _workers = start_workers(&nats, 2);
    let remote = remote.wait_with_output().unwrap();
    assert!(stderr(&remote).contains("worker liar ("), "{}", stderr(&remote));
    assert_eq!(stdout(&remote), expected);
    let journal = fs::read_to_string(Path::new(&there).join("games.jsonl")).unwrap();
    assert!(journal.contains("\"worker\":") && !journal.contains(&id), "its honest games are played again too");
}

/// The options of a tournament on many machines whose jobs are quickly given to others.
fn on(url: &str) -> [&str; 6] {
    ["--nats", url, "--job", "20", "--ack-wait", "1s"]
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
        let coordinator = spawn(&[bots, &["--out", &folder], &on(&url)].concat());
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
        self.coordinator = spawn(&[&["tournament", "--resume", &self.folder][..], &on(&url)].concat());
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
