//! What the author of a bot sees: faults with their reasons and next steps, names, logs.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{command, folder, repository, run, stderr, stdout};

fn seabattle(words: &[&str]) -> Output {
    run(words, b"")
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn broken(file: &str) -> String {
    format!("python3 {}", repository().join("crates/seabattle-arena/tests/broken").join(file).display())
}

fn example() -> String {
    format!("python3 {}", repository().join("bots/python/bot.py").display())
}

fn inside(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

/// Lines about failures; one word about a missing sandbox is none.
fn fault_lines(output: &Output) -> Vec<String> {
    stderr(output).lines().filter(|line| line.contains(" forfeited a game: ")).map(str::to_owned).collect()
}

#[test]
fn the_first_fault_of_a_match_is_reported_once_with_the_next_step() {
    let bot = broken("crash_at_start.py");
    let output =
        seabattle(&["match", &bot, "random", "--pairs", "4", "--seed", "1", "--series", "1", "--time-start", "20s"]);
    assert!(!output.status.success());
    let lines = fault_lines(&output);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with(&format!("seabattle: {bot} forfeited a game: crash: ")), "{lines:?}");
    assert!(lines[0].contains("ended with exit status: 3"), "{lines:?}");
    assert!(lines[0].ends_with(&format!("; check it alone with: seabattle check --time-start 20s {bot}")), "{lines:?}");
    assert!(stdout(&output).contains("0 won, 8 lost"), "the match goes on: {}", stdout(&output));
}

#[test]
fn the_first_fault_of_a_tournament_is_reported_and_stored() {
    let (folder, bot) = (folder("first-fault"), broken("crash_mid_game.py"));
    let cup = inside(&folder, "cup");
    let words = ["tournament", "random", &bot, "star", "--pairs", "2", "--seed", "1", "--tolerate", "--out", &cup];
    let output = seabattle(&words);
    assert!(output.status.success(), "{}", stderr(&output));
    let lines = fault_lines(&output);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].contains(" crash: ended with ") && lines[0].ends_with(&format!("seabattle check {bot}")),
        "{lines:?}"
    );
    let table = stdout(&output);
    let causes = table.split("First faults:\n").nth(1).unwrap();
    assert!(causes.starts_with(&format!("  {bot}: crash: ended with ")), "{table}");
    assert_eq!(causes.lines().count(), 1, "{table}");
    let alone = inside(&folder, "alone");
    let words = [&words[..words.len() - 1], &[&alone, "--threads", "1"]].concat();
    assert_eq!(stdout(&seabattle(&words)), table, "on any number of threads");
    let report = json(&seabattle(&["tournament", "--resume", &cup, "--format", "json", "--tolerate"]));
    for line in report["standings"].as_array().unwrap() {
        let cause = line["first_fault"].as_str();
        assert_eq!(cause.is_some_and(|cause| cause.starts_with("crash: ")), line["name"] == bot, "{report}");
    }
    let page = fs::read_to_string(folder.join("cup/report.html")).unwrap();
    assert!(page.contains("<h2>First faults</h2>") && page.contains("crash: ended with"), "{page}");
}

#[test]
fn a_match_shows_what_bots_call_themselves() {
    let bot = example();
    let words = ["match", &bot, "random", "--pairs", "2", "--seed", "1"];
    let shown = stdout(&seabattle(&words));
    assert!(shown.starts_with("match     Python example against random\n"), "{shown}");
    let report = json(&seabattle(&[&words[..], &["--format", "json"]].concat()));
    assert_eq!((&report["a"], &report["b"]), (&bot.clone().into(), &"random".into()));
    assert_eq!((&report["shown_as"]["a"], &report["shown_as"]["b"]), (&"Python example".into(), &"random".into()));
    let other = format!("{bot} again");
    let twins = stdout(&seabattle(&["match", &bot, &other, "--pairs", "1", "--seed", "1"]));
    assert!(twins.starts_with(&format!("match     {bot} against {other}\n")), "{twins}");
}

#[test]
fn a_tournament_shows_what_bots_call_themselves() {
    let (folder, bot) = (folder("own-names"), example());
    let file = inside(&folder, "cup.toml");
    fs::write(&file, format!("rules = '6x6:3,2'\npairs = 2\n[[bot]]\nplayer = '{bot}'\nname = 'Mine'\n")).unwrap();
    let external_bot = format!("{} bot quadrant", env!("CARGO_BIN_EXE_seabattle"));
    let cup = |threads: &str, output: &str| {
        let out = inside(&folder, &format!("{threads}-{output}"));
        let words = [
            "tournament",
            "star",
            &external_bot,
            "--config",
            &file,
            "--seed",
            "1",
            "--threads",
            threads,
            "--out",
            &out,
        ];
        let ran = seabattle(&[&words[..], &["--format", output]].concat());
        assert!(ran.status.success(), "{}", stderr(&ran));
        assert_eq!(stdout(&seabattle(&["tournament", "--resume", &out, "--format", output])), stdout(&ran));
        stdout(&ran)
    };
    let table = cup("1", "text");
    for name in [" Mine ", " star ", " quadrant "] {
        assert!(table.contains(name), "{name}: {table}");
    }
    assert!(!table.contains("Python example") && !table.contains("bot quadrant"), "{table}");
    assert_eq!(cup("3", "text"), table);
    let report = cup("3", "json");
    assert_eq!(cup("1", "json"), report);
    let report: Value = serde_json::from_str(&report).unwrap();
    let lines = report["standings"].as_array().unwrap();
    let shown = lines.iter().find(|line| line["name"] == external_bot).unwrap();
    assert_eq!(shown["shown_as"], "quadrant", "{report}");
}

#[test]
fn logs_are_kept_in_a_folder() {
    let folder = folder("logs");
    let bot = inside(&folder, "bot.py");
    let source = fs::read_to_string(repository().join("bots/python/bot.py")).unwrap();
    fs::write(&bot, source.replace("    try:\n", "    print('heard', command, file=sys.stderr)\n    try:\n")).unwrap();
    let bot = format!("python3 {bot}");
    let logs = |words: &[&str]| {
        let logs = folder.join("kept").join(words[0]);
        let output = seabattle(&[words, &["--bot-log", logs.to_str().unwrap()]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        let files: Vec<_> = fs::read_dir(&logs).unwrap().map(|file| file.unwrap().path()).collect();
        assert_eq!(files.len(), 1, "bots of the catalog have no log: {files:?}");
        fs::read_to_string(&files[0]).unwrap()
    };
    let log = logs(&["match", "random", &bot, "--pairs", "2", "--seed", "1", "--series", "1"]);
    for line in ["1| heard seabattle", "1| heard quit", "2| heard seabattle", "2| heard quit"] {
        assert_eq!(log.lines().filter(|heard| *heard == line).count(), 1, "{line}");
    }
    let log = logs(&["tournament", &bot, "star", "--pairs", "1", "--seed", "1", "--out", &inside(&folder, "cup")]);
    assert!(log.contains("1| heard place\n"), "{log}");
    let checked = folder.join("checked");
    let words = [&["check", "--bot-log", checked.to_str().unwrap()][..], &bot.split(' ').collect::<Vec<_>>()].concat();
    assert!(seabattle(&words).status.success());
    let file = fs::read_dir(&checked).unwrap().next().unwrap().unwrap();
    assert!(fs::read_to_string(file.path()).unwrap().ends_with("1| heard quit\n"));
}

#[test]
fn a_finished_tournament_is_shown_from_anywhere() {
    let folder = folder("finished");
    fs::create_dir(folder.join("begun")).unwrap();
    fs::copy(repository().join("bots/python/bot.py"), folder.join("begun/bot.py")).unwrap();
    let words = ["tournament", "star", "python3 bot.py", "--pairs", "2", "--seed", "1", "--out", "cup"];
    let expected = command(&words).current_dir(folder.join("begun")).output().unwrap();
    assert!(expected.status.success(), "{}", stderr(&expected));
    let cup = folder.join("moved");
    fs::rename(folder.join("begun/cup"), &cup).unwrap();
    fs::remove_dir_all(folder.join("begun")).unwrap();
    // Nobody can write a file where a folder is, nor, unless he may do everything, into what is for reading alone.
    fs::remove_file(cup.join("report.html")).unwrap();
    fs::create_dir(cup.join("report.html")).unwrap();
    let allow = |mode: u32| fs::set_permissions(&cup, fs::Permissions::from_mode(mode)).unwrap();
    fs::set_permissions(cup.join("games.jsonl"), fs::Permissions::from_mode(0o444)).unwrap();
    allow(0o555);
    let shown = seabattle(&["tournament", "--resume", cup.to_str().unwrap()]);
    allow(0o755);
    assert!(shown.status.success(), "{}", stderr(&shown));
    assert_eq!(stdout(&shown), stdout(&expected));
}

#[test]
fn unreadable_lines_of_the_journal_are_reported() {
    let folder = folder("skipped");
    let cup = inside(&folder, "cup");
    let table = stdout(&seabattle(&["tournament", "star", "random", "--pairs", "3", "--seed", "1", "--out", &cup]));
    let journal = folder.join("cup/games.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let corrupt: Vec<&str> = text.lines().enumerate().map(|(at, line)| if at < 2 { "spoilt" } else { line }).collect();
    fs::write(&journal, corrupt.join("\n") + "\n").unwrap();
    let resumed = seabattle(&["tournament", "--resume", &cup]);
    assert_eq!(stdout(&resumed), table);
    assert!(stderr(&resumed).contains("unreadable lines in games.jsonl: 2; "), "{}", stderr(&resumed));
    assert!(stderr(&resumed).trim_end().ends_with("are played again"), "{}", stderr(&resumed));
}

#[test]
fn a_match_that_is_stopped_says_so_with_its_status() {
    let folder = folder("match-ctrl-c");
    let words =
        ["match", "star", "random", "--pairs", "100000000", "--seed", "1", "--records", folder.to_str().unwrap()];
    let child = command(&words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let record = folder.join("star-random.txt");
    while fs::metadata(&record).map_or(0, |file| file.len()) == 0 && Instant::now() < deadline {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("match     star against random\n"), "{}", stdout(&output));
    assert!(stderr(&output).contains("Stopped after "), "{}", stderr(&output));
}

#[test]
fn a_check_ends_with_a_command_to_paste() {
    let folder = folder("paste");
    fs::copy(repository().join("bots/python/bot.py"), folder.join("my bot.py")).unwrap();
    let words = ["check", "--time-shot", "20s", "python3", "my bot.py"];
    let output = command(&words).current_dir(&folder).output().unwrap();
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    let shown = stdout(&output);
    let next = shown.lines().last().unwrap().trim();
    assert!(next.starts_with("seabattle match ") && next.ends_with(" hunter --pairs 100 --time-shot 20s"), "{next}");
    let script = next.replacen("seabattle", env!("CARGO_BIN_EXE_seabattle"), 1).replace("--pairs 100", "--pairs 1");
    let pasted = Command::new("bash").args(["-c", &script]).current_dir(&folder).output().unwrap();
    assert!(pasted.status.success(), "{script}: {}", stderr(&pasted));
}

#[test]
fn a_check_takes_modules_of_the_contest() {
    let module = format!("tavt:{}", repository().join("bots/contest/lattice.py").display());
    let output = seabattle(&["check", &module]);
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    let next = format!("  seabattle match {module} lattice --rules russian --pairs 100\n");
    assert!(stdout(&output).ends_with(&next), "{}", stdout(&output));
    let output = seabattle(&["check", "tavt:no/such.py"]);
    assert!(!output.status.success() && stderr(&output).contains("there is no such file"), "{}", stderr(&output));
}

#[test]
fn a_bot_that_needs_the_working_folder_is_told_of_no_sandbox() {
    let folder = folder("module");
    fs::copy(repository().join("bots/python/bot.py"), folder.join("bot.py")).unwrap();
    let check = |words: &[&str]| command(&[&["check"], words].concat()).current_dir(&folder).output().unwrap();
    let locked = check(&["python3", "-m", "bot"]);
    if !stderr(&locked).contains("bubblewrap") {
        assert!(stdout(&locked).contains("or --no-sandbox if it needs"), "{}", stdout(&locked));
        assert!(stdout(&locked).contains("No module named bot"), "{}", stdout(&locked));
    }
    let open = check(&["--no-sandbox", "python3", "-m", "bot"]);
    assert!(stdout(&open).trim_end().ends_with("hunter --pairs 100 --no-sandbox"), "{}", stdout(&open));
}
