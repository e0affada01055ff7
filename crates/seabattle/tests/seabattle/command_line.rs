//! The command line itself: help, flags of earlier releases, names in any case, and completions.

use std::fs;
use std::process::Command;

use crate::program::{folder, run, run_command, stderr, stdout};

fn succeeds(args: &[&str], input: &[u8]) -> (String, String) {
    let output = run(args, input);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    (stdout(&output), stderr(&output))
}

const QUICK_GAME: &[u8] = b"random\ndone\na1\nquit\n";

#[test]
fn commands_are_listed_in_groups() {
    let (help, _) = succeeds(&["--help"], b"");
    for line in
        ["Play:", "  play         Play against the computer", "Run servers:", "  help         Show the help of a"]
    {
        assert!(help.contains(&format!("\n{line}")), "{line}: {help}");
    }
    assert_eq!(succeeds(&["help"], b"").0, help);
    assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
}

#[test]
fn flags_of_play_need_no_command() {
    let expected = succeeds(&["play", "--plain", "--seed", "1"], QUICK_GAME);
    assert_eq!(succeeds(&["--plain", "--seed", "1"], QUICK_GAME), expected);
    let (game, _) = succeeds(&["--rules", "russian", "--plain"], QUICK_GAME);
    assert!(game.contains("russian"), "{game}");
    let output = run(&["--rules", "clasic"], b"");
    assert!(stderr(&output).contains("start with classic"), "{}", stderr(&output));
}

#[test]
fn analyze_is_analyse() {
    assert_eq!(succeeds(&["analyze", "--help"], b""), succeeds(&["analyse", "--help"], b""));
}

#[test]
fn levels_have_one_name_in_any_case() {
    for name in ["sailor", "SAILOR", "Sailor", "sAiLoR"] {
        let (game, _) = succeeds(&["play", "--plain", "--seed", "1", "--bot", name], QUICK_GAME);
        assert!(game.contains("Sailor"), "{name}: {game}");
        let (score, _) = succeeds(&["match", name, "RANDOM", "--pairs", "1", "--seed", "1"], b"");
        assert!(score.starts_with("match     sailor against random\n"), "{score}");
        succeeds(&["bench", name, "--games", "2"], b"");
    }
    for (former, now) in [("Calm", "recruit"), ("breeze", "sailor"), ("HURRICANE", "champion")] {
        let output = run(&["play", "--bot", former], b"");
        assert!(stderr(&output).contains(now), "{former}: {}", stderr(&output));
    }
}

#[test]
fn old_flags_work_and_say_what_replaced_them() {
    let cup = folder("old-flags").join("cup");
    let cup = cup.to_str().unwrap();
    let words = ["tournament", "random", "star", "--pairs", "1", "--seed", "1", "--out", cup];
    let (table, said) = succeeds(&[&words[..], &["--format", "knockout", "--output", "csv", "--open"]].concat(), b"");
    assert!(table.starts_with("rank,name,elo"), "{table}");
    for new in ["please use --schedule", "please use --format", "please use --no-sandbox"] {
        assert_eq!(said.matches(new).count(), 1, "{new}: {said}");
    }
    let (_, said) = succeeds(&["bench", "hunter", "--games", "1", "--without-luck"], b"");
    assert_eq!(said, "seabattle: --without-luck of `seabattle bench` was renamed: please use --low-variance\n");
    let logs = folder("old-flags-logs");
    let (_, said) = succeeds(&["match", "random", "star", "--pairs", "1", "--log", logs.to_str().unwrap()], b"");
    assert!(said.contains("please use --bot-log"), "{said}");
    let (help, _) = succeeds(&["match", "--help"], b"");
    assert!(!help.contains("--log") && !help.contains("--open"), "old flags are hidden: {help}");
}

/// Asks bash what it completes after these words.
fn completed(words: &[&str]) -> Vec<String> {
    let folder = folder(&format!("completions-{}", words.join("-").replace(['/', '='], "")));
    fs::write(folder.join("games.txt"), "").unwrap();
    let script = format!(
        "source <('{}' completions bash)\n\
         complete -p seabattle | grep -q -- '-F _seabattle_wrapper' || exit 1\n\
         compopt() {{ :; }}\n\
         COMP_WORDS=(seabattle \"$@\"); COMP_CWORD=$#\n\
         _seabattle_wrapper seabattle \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        env!("CARGO_BIN_EXE_seabattle")
    );
    let mut bash = Command::new("bash");
    bash.args(["-c", &script, "bash"]).args(words).current_dir(&folder);
    let output = run_command(&mut bash, b"");
    assert!(output.status.success(), "{}", stderr(&output));
    let mut words: Vec<String> = stdout(&output).lines().filter(|line| !line.is_empty()).map(str::to_owned).collect();
    // Bash itself shows repeated words once.
    words.dedup();
    words
}

#[test]
fn bash_completes_values() {
    assert_eq!(completed(&["play", "--bot", "sa"]), ["sailor"]);
    assert_eq!(completed(&["play", "--bot", "=", "sa"]), ["sailor"]);
    assert_eq!(completed(&["play", "--rules", ""]), ["classic", "russian", "salvo"]);
    assert_eq!(completed(&["play", "--theme", "="]), ["sea", "paper", "ansi", "mono"]);
    assert_eq!(completed(&["tournament", "--schedule", "s"]), ["swiss"]);
    assert_eq!(completed(&["match", "density", "quad"]), ["quadrant"]);
    assert_eq!(completed(&["export", "games.txt", "--theme", "d"]), ["dark"]);
    assert_eq!(completed(&["play", "--save", "ga"]), ["games.txt"]);
    assert_eq!(completed(&["play", "--seed", "1"]), ["1"], "no file names for numbers");
    assert!(completed(&["analyse", ""]).is_empty(), "files, by the default of bash");
    assert_eq!(completed(&["analyse", "--al"]), ["--all"]);
    assert_eq!(completed(&["tourn"]), ["tournament"]);
}
