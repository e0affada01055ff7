//! Matches and tournaments as bot authors meet them: real programs in other languages, real kills.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use seabattle_arena::{Access, BotCommand, BuiltInPlayer, ExternalPlayer, Player, ResourceLimits, TimeLimits};
use seabattle_core::{Rules, Seed, Solo, layout};

use crate::program::{command, folder, repository, run, stderr, stdout};

fn seabattle(arguments: &[&str]) -> Output {
    run(arguments, b"")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn example(path: &str) -> String {
    inside(&repository().join("bots"), path)
}

fn inside(folder: &Path, name: &str) -> String {
    folder.join(name).to_string_lossy().into_owned()
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Walks an example through the check; where its language is not installed there is nothing to try.
fn passes_the_check(words: &[&str]) {
    if !is_installed(words[0]) && !words[0].contains('/') {
        return;
    }
    let limits = ["check", "--time-start", "30s", "--time-place", "30s", "--time-shot", "10s"];
    let output = seabattle(&[&limits[..], words].concat());
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    assert_eq!(stdout(&output).matches("ok ").count(), 9, "{}", stdout(&output));
}

#[test]
fn the_python_example_passes_the_check() {
    passes_the_check(&["python3", &example("python/bot.py")]);
}

#[test]
fn the_javascript_example_passes_the_check() {
    passes_the_check(&["node", &example("javascript/bot.js")]);
}

#[test]
fn the_bash_example_passes_the_check() {
    passes_the_check(&["bash", &example("bash/bot.sh")]);
}

#[test]
fn the_c_example_passes_the_check() {
    if !is_installed("cc") {
        return;
    }
    let folder = folder("c-example");
    let program = inside(&folder, "bot");
    let built = Command::new("cc").args(["-O2", "-o", &program, &example("c/bot.c")]).status().unwrap();
    assert!(built.success());
    passes_the_check(&[&program]);
}

#[test]
fn examples_stay_short() {
    for path in ["python/bot.py", "javascript/bot.js", "bash/bot.sh", "c/bot.c"] {
        let lines = fs::read_to_string(example(path)).unwrap().lines().count();
        assert!(lines < 80, "{path}: {lines} lines");
    }
}

#[test]
fn bots_of_the_catalog_pass_the_check_as_external_bots() {
    for bot in ["random", "density", "captain", "lattice"] {
        passes_the_check(&[env!("CARGO_BIN_EXE_seabattle"), "bot", bot]);
    }
}

#[test]
fn an_external_bot_plays_as_the_built_in_one_with_the_seed_it_is_told() {
    let game = |mut player: Box<dyn Player + '_>, seed: &Seed| {
        player.start(&Rules::classic(), seed).unwrap();
        let enemy = layout::sequential(&Rules::classic(), &mut Seed::new(3).rng()).unwrap();
        let fleet = player.place(&Rules::classic()).unwrap();
        let mut game = Solo::new(enemy);
        while !game.is_over() {
            let shots = player.shoot(&game.view(), 1).unwrap();
            let answers = game.fire(&shots).unwrap().to_vec();
            player.answered(&answers, &Rules::classic()).unwrap();
        }
        (fleet.to_string(), game.knowledge().to_string())
    };
    let limits = TimeLimits::default();
    for name in ["star", "quadrant", "random"] {
        let words = [env!("CARGO_BIN_EXE_seabattle"), "bot", name].map(str::to_owned).to_vec();
        let command = BotCommand::new(words, ResourceLimits::default(), Access::Everything);
        let make = |seed: &Seed| seabattle_bots::find(name).unwrap().make(seed);
        let seed = Seed::new(11);
        let external = game(Box::new(ExternalPlayer::new(command, limits)), &seed);
        let built_in = game(Box::new(BuiltInPlayer::new(&make, false)), &Seed::new(seed.external_seed()));
        assert_eq!(external, built_in, "{name}");
    }
}

#[test]
fn a_match_without_a_seed_has_a_secret_one_which_repeats_it() {
    let play = |more: &[&str]| {
        json(&seabattle(&[&["match", "density", "random", "--pairs", "5", "--format", "json"][..], more].concat()))
    };
    let first = play(&[]);
    let seed = first["seed"].as_u64().unwrap();
    assert_ne!(play(&[])["seed"], seed);
    assert_eq!(play(&["--seed", &seed.to_string()]), first);
}

#[test]
fn json_of_a_match_has_what_programs_need() {
    let output = seabattle(&[
        "match", "density", "star", "--pairs", "2000", "--seed", "1", "--sprt", "0,50", "--format", "json",
    ]);
    assert!(output.status.success());
    let value = json(&output);
    for key in
        ["a", "b", "rules", "seed", "games", "wins", "losses", "draws", "elo", "elo_error", "los", "pairs", "faults"]
    {
        assert!(value.get(key).is_some(), "{key}: {value}");
    }
    assert_eq!(value["sprt"]["state"], "H1 accepted", "{value}");
    assert!(value["games"].as_u64().unwrap() < 400, "it stops as soon as it may: {value}");
}

#[test]
fn unknown_contestants_are_refused_before_the_match() {
    let refused = |player: &str, expected: &str| {
        let output = seabattle(&["match", player, "random"]);
        assert!(!output.status.success() && output.stdout.is_empty(), "{player}: {output:?}");
        assert!(stderr(&output).contains(expected), "{player}: {}", stderr(&output));
    };
    refused("densty", "there is no bot \"densty\"; did you mean density?");
    refused("./no-such-bot", "there is no program ./no-such-bot");
    refused("no-such-interpreter bot.x", "there is no program no-such-interpreter");
    refused("python3 'bot.py", "is a quotation mark missing?");
}

const CUP: [&str; 8] = ["density", "star", "quadrant", "random", "--pairs", "150", "--seed", "1"];

fn cup(folder: &str) -> Vec<String> {
    let words = ["tournament"].into_iter().chain(CUP).chain(["--format", "json", "--out", folder]);
    words.map(str::to_owned).collect()
}

/// Kills a tournament after this many games, and returns whether it still ran.
fn kill_after(games: usize, arguments: &[String], folder: &str) -> bool {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let mut child = command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let journal = Path::new(folder).join("games.jsonl");
    let written = || fs::read(&journal).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count());
    let deadline = Instant::now() + Duration::from_secs(60);
    while written() < games && child.try_wait().unwrap().is_none() && Instant::now() < deadline {
        std::thread::yield_now();
    }
    let ran = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    child.wait().unwrap();
    ran
}

#[test]
fn a_tournament_survives_being_killed_again_and_again() {
    let folder = folder("killed");
    let whole = inside(&folder, "whole");
    let arguments = cup(&whole);
    let expected = seabattle(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(expected.status.success(), "{}", stderr(&expected));
    let mut kills = 0;
    for (number, games) in [1, 57, 400, 911, 1500].into_iter().enumerate() {
        let killed = inside(&folder, &format!("killed-{number}"));
        kills += usize::from(kill_after(games, &cup(&killed), &killed));
        let resume: Vec<String> = ["tournament", "--resume", &killed].map(str::to_owned).to_vec();
        kills += usize::from(kill_after(games + 100, &resume, &killed));
        let resumed = seabattle(&["tournament", "--resume", &killed, "--format", "json"]);
        assert_eq!(stdout(&resumed), stdout(&expected), "killed after {games} games");
    }
    assert!(kills > 0, "every tournament ended before it could be killed");
}

#[test]
fn a_torn_last_line_is_played_again() {
    let folder = folder("torn");
    let cup_folder = inside(&folder, "cup");
    let run = |arguments: &[&str]| stdout(&seabattle(arguments));
    let expected =
        run(&["tournament", "star", "random", "--pairs", "5", "--seed", "1", "--format", "json", "--out", &cup_folder]);
    let journal = Path::new(&cup_folder).join("games.jsonl");
    let bytes = fs::read(&journal).unwrap();
    fs::write(&journal, &bytes[..bytes.len() - 20]).unwrap();
    assert_eq!(run(&["tournament", "--resume", &cup_folder, "--format", "json"]), expected);
    assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 10);
}

#[test]
fn a_tournament_goes_on_from_any_folder() {
    let folder = folder("elsewhere");
    fs::copy(example("python/bot.py"), folder.join("bot.py")).unwrap();
    fs::create_dir(folder.join("deeper")).unwrap();
    let here = |words: &[&str], place: &Path| command(words).current_dir(place).output().unwrap();
    let begin =
        ["tournament", "star", "python3 ../bot.py", "--pairs", "3", "--seed", "1", "--out", "cup", "--format", "json"];
    let expected = here(&begin, &folder.join("deeper"));
    assert!(expected.status.success(), "{}", stderr(&expected));
    let journal = folder.join("deeper/cup/games.jsonl");
    let lines: String = fs::read_to_string(&journal).unwrap().lines().take(2).map(|line| format!("{line}\n")).collect();
    fs::write(&journal, lines).unwrap();
    let resumed = here(&["tournament", "--resume", "deeper/cup", "--format", "json"], &folder);
    assert_eq!(stdout(&resumed), stdout(&expected), "{}", stderr(&resumed));
}

#[test]
fn threads_change_nothing_in_a_tournament() {
    let folder = folder("threads");
    for format in ["round-robin", "swiss:3", "knockout", "gauntlet"] {
        let table = |threads: &str| {
            let out = inside(&folder, &format!("{format}-{threads}"));
            let words = [
                "star",
                "random",
                "density",
                "quadrant",
                "adjacent",
                "--pairs",
                "6",
                "--seed",
                "1",
                "--threads",
                threads,
            ];
            let output = seabattle(
                &[&["tournament"][..], &words, &["--schedule", format, "--out", &out, "--format", "json"]].concat(),
            );
            assert!(output.status.success(), "{format}: {}", stderr(&output));
            stdout(&output)
        };
        assert_eq!(table("1"), table("3"), "{format}");
    }
}

#[test]
fn a_folder_holds_one_tournament() {
    let folder = folder("twice");
    let out = inside(&folder, "cup");
    assert!(
        seabattle(&["tournament", "star", "random", "--pairs", "1", "--seed", "1", "--out", &out]).status.success()
    );
    let again = seabattle(&["tournament", "star", "random", "--pairs", "1", "--seed", "1", "--out", &out]);
    assert!(!again.status.success());
    assert!(stderr(&again).contains("--resume"), "{}", stderr(&again));
    for option in
        [["--pairs", "9"], ["--seed", "9"], ["--rules", "russian"], ["--schedule", "swiss"], ["--series", "3"]]
    {
        let other = seabattle(&[&["tournament", "--resume", &out][..], &option].concat());
        assert!(!other.status.success() && stderr(&other).contains("cannot be used with"), "{option:?}: {other:?}");
    }
    let nothing = seabattle(&["tournament", "--resume", &inside(&folder, "nothing")]);
    assert!(stderr(&nothing).contains("there is no tournament in"), "{}", stderr(&nothing));
}

#[test]
fn ctrl_c_says_how_to_continue() {
    let folder = folder("ctrl-c");
    let out = inside(&folder, "cup");
    let words = ["tournament", "density", "star", "--pairs", "1000000", "--seed", "1", "--out", &out];
    let child = command(&words).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    let journal = Path::new(&out).join("games.jsonl");
    while fs::metadata(&journal).map_or(0, |file| file.len()) == 0 && Instant::now() < deadline {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(stderr(&output).contains(&format!("seabattle tournament --resume {out}")), "{}", stderr(&output));
    assert!(stdout(&output).contains("density"), "the table so far: {}", stdout(&output));
}
