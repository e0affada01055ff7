//! `seabattle tournament` from a file: what it plays, what it keeps, what it refuses.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::program::{folder, run, stderr, stdout};

const CUP: &str = r#"
schedule = "gauntlet"
rules = "6x6:3,2,2"
seed = 5
pairs = 6
series = 2
learn = true

[limits]
time-shot = "300ms"
memory = 64

[[bot]]
player = "star"

[[bot]]
player = "random"
name = "<script>alert('x')</script> & \"Co\""

[[bot]]
player = "random"

[[bot]]
player = "random"
"#;

fn tournament(args: &[&str]) -> String {
    let output = run(&[&["tournament"], args].concat(), b"");
    assert!(output.status.success(), "{}", stderr(&output));
    let messages = stderr(&output);
    let is_expected = |line: &str| {
        let starts = ["This tournament starts:", "  ", "Limits hold for "];
        line.contains(" forfeited a game: ") || starts.iter().any(|start| line.starts_with(start))
    };
    assert!(
        messages.lines().all(is_expected),
        "silent in a pipe, but for faults, and commands with their limits: {messages}"
    );
    stdout(&output)
}

/// A file with this text, and where the games shall go.
fn written(name: &str, text: &str) -> (PathBuf, PathBuf) {
    let folder = folder(name);
    let file = folder.join("cup.toml");
    fs::write(&file, text).unwrap();
    (file, folder.join("games"))
}

fn plan(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("tournament.json")).unwrap()).unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_file_says_what_is_played() {
    let (file, out) = written("tournament-file", CUP);
    let table = tournament(&["--config", text(&file), "--out", text(&out)]);
    assert!(table.starts_with("gauntlet under 6x6:3,2,2, 6 pairs per pairing, seed 5: 36 games\n"), "{table}");
    for name in [" star ", " <script>alert('x')</script> & \"Co\" ", " random ", " random 2 "] {
        assert!(table.contains(name), "{name}: {table}");
    }
    let plan = plan(&out);
    assert_eq!((&plan["series"], &plan["learn"], &plan["hide"]), (&2.into(), &true.into(), &false.into()));
    assert_eq!((&plan["limits"]["time_shot"]["nanos"], &plan["limits"]["memory"]), (&300_000_000.into(), &64.into()));
}

#[test]
fn what_was_cut_off_is_played_again_with_the_same_table() {
    let (file, out) = written("tournament-resume", CUP);
    let whole = tournament(&["--config", text(&file), "--out", text(&out)]);
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert_eq!(tournament(&["--resume", text(&out)]), whole, "nothing is left to play");
    let journal = out.join("games.jsonl");
    let games = fs::read(&journal).unwrap();
    fs::write(&journal, &games[..games.len() / 2]).unwrap();
    fs::remove_file(out.join("report.html")).unwrap();
    assert_eq!(tournament(&["--resume", text(&out)]), whole);
    assert_eq!(fs::read_to_string(out.join("report.html")).unwrap(), page);
    assert_eq!(tournament(&["--resume", text(&out), "--format", "html"]), page);
}

#[test]
fn the_command_line_wins_and_adds_bots() {
    let (file, out) = written("tournament-wins", &format!("out = 'nowhere'\n{CUP}"));
    let given = ["--pairs", "1", "--schedule", "round-robin", "--learn=false", "--hide", "--time-shot", "2s"];
    let table = tournament(&[&given[..], &["--config", text(&file), "--out", text(&out), "lattice"]].concat());
    assert!(table.starts_with("round-robin under 6x6:3,2,2, 1 pairs per pairing, seed 5: 20 games\n"), "{table}");
    assert!(table.contains(" lattice "), "{table}");
    let plan = plan(&out);
    assert_eq!((&plan["learn"], &plan["hide"]), (&false.into(), &true.into()));
    assert_eq!((&plan["limits"]["time_shot"]["secs"], &plan["limits"]["memory"]), (&2.into(), &64.into()));
}

#[test]
fn own_names_arguments_and_limits_are_kept() {
    let program = env!("CARGO_BIN_EXE_seabattle");
    let bots = format!(
        "pairs = 1\nrules = '6x6:3,2,2'\n[limits]\nmargin = '3s'\n\
         [[bot]]\nplayer = 'random'\n\
         [[bot]]\nplayer = '''\"{program}\"'''\narguments = ['bot', 'star']\nname = 'Stella'\n\
         time-start = '20s'\nmemory = 700\n\
         [[bot]]\nplayer = 'sleep'\narguments = ['60']\nname = 'Sleeper'\ntime-start = '50ms'\nmargin = '1ms'\n"
    );
    let (file, out) = written("tournament-own", &bots);
    let first = tournament(&["--config", text(&file), "--out", text(&out), "--tolerate", "--format", "json"]);
    let report: Value = serde_json::from_str(&first).unwrap();
    let faults = |name: &str| {
        let standings = report["standings"].as_array().unwrap();
        standings.iter().find(|line| line["name"] == name).unwrap()["faults"].as_object().unwrap().clone()
    };
    assert!(faults("Stella").is_empty(), "{first}");
    assert_eq!(faults("Sleeper")["start-timeout"], 4, "long before the limits of all: {first}");
    let players = &plan(&out)["players"];
    assert!(players[0].get("limits").is_none());
    let own = &players[1]["limits"];
    assert_eq!((&own["time_start"]["secs"], &own["memory"]), (&20.into(), &700.into()));
    assert_eq!((&own["margin"]["secs"], &own["time_place"]["secs"]), (&3.into(), &5.into()), "those of all, the usual");
    assert!(players[1]["player"].as_str().unwrap().ends_with(" bot star"), "{players}");
    fs::write(out.join("games.jsonl"), "").unwrap();
    assert_eq!(tournament(&["--resume", text(&out), "--tolerate", "--format", "json"]), first);
}

#[test]
fn the_page_escapes_names_and_needs_nothing_else() {
    let (file, out) = written("tournament-page", CUP);
    let page = tournament(&["--config", text(&file), "--out", text(&out), "--format", "html"]);
    assert_eq!(page, fs::read_to_string(out.join("report.html")).unwrap());
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    assert!(page.contains("<bdi>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;Co&quot;</bdi>"));
    assert!(!page.contains("<script"), "not in tables, titles or the picture");
    for outside in [" src=", " href=", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
    for fact in ["<dd>6x6:3,2,2</dd>", "<dd>gauntlet</dd>", "<dd>6</dd>", "<dd>5</dd>", "<dd>36</dd>"] {
        assert!(page.contains(fact), "{fact}");
    }
    assert_eq!(page.matches("style=\"--shade:").count(), 6, "three meetings, seen from both sides");
    for tag in ["table", "tr", "td", "th", "div", "svg", "figure", "main"] {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
}

#[test]
fn mistakes_in_the_file_are_named() {
    let check = |name: &str, file: &str, reason: &str| {
        let (file, out) = written(name, file);
        let output = run(&["tournament", "--config", text(&file), "--out", text(&out)], b"");
        assert!(!output.status.success());
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
        assert!(stderr(&output).contains("cup.toml"), "{}", stderr(&output));
        assert!(!out.exists(), "nothing has begun");
    };
    check("tournament-key", "pears = 3", "there is no key \"pears\"; did you mean \"pairs\"?");
    check("tournament-bot-key", "[[bot]]\nplayr = 'star'", "no key \"playr\"; did you mean \"player\"?");
    check("tournament-limit-key", "[limits]\ntime-shoot = '1s'", "did you mean \"time-shot\"?");
    check("tournament-syntax", "pairs = = 3", "line 1");
}

#[test]
fn a_file_that_says_too_little_is_refused() {
    let (file, out) = written("tournament-few", "[[bot]]\nplayer = 'star'\n");
    let check = |args: &[&str], reason: &str| {
        let output = run(&[&["tournament"], args].concat(), b"");
        assert!(!output.status.success());
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    };
    check(&["--config", text(&file), "--out", text(&out)], "at least two contestants");
    check(&["--config", text(&file), "random"], "--out DIR");
    check(&["--config", text(&out)], "cannot read");
    check(&["--config", text(&file), "--resume", text(&out)], "cannot be used with");
}
