//! `seabattle analyse`, `export` and `replay`: games as people and programs look at them, and files that are none.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{folder, run, stderr, stdout};

const GAME: &str = r#"[Seabattle "1"]
[Rules "5x1:2"]
[A "anna"]
[B "boris"]
[First "A"]
[Result "A"]
[Ended "sunk"]
[FleetA "2 D1 across"]
[FleetB "2 B1 across"]

1. A B1x B A1.
2. A A1. B B1.
3. A C1#2
"#;

/// A file with this in it.
fn file(name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let file = folder(&format!("games-{name}")).join("games.txt");
    fs::write(&file, text).unwrap();
    file
}

fn ask(args: &[&str]) -> String {
    let output = run(args, b"");
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

/// What is said about a file that cannot be used: quickly, and not by a panic.
fn refused(args: &[&str], input: &[u8]) -> String {
    let start = Instant::now();
    let output = run(args, input);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(start.elapsed() < Duration::from_secs(20));
    let message = stderr(&output);
    assert!(message.starts_with("seabattle: ") && message.len() < 600, "{message}");
    message
}

#[test]
fn the_tables_of_a_game_counted_by_hand() {
    let file = file("tables", GAME);
    insta::assert_snapshot!(ask(&["analyse", file.to_str().unwrap()]));
}

#[test]
fn the_same_game_for_programs() {
    let file = file("json", GAME);
    let game: Value = serde_json::from_str(&ask(&["analyse", file.to_str().unwrap(), "--format", "json"])).unwrap();
    assert_eq!((&game["rules"], &game["winner"], &game["exact"]), (&"5x1:2".into(), &"A".into(), &true.into()));
    assert_eq!((game["A"]["skill"].as_f64(), game["A"]["luck"].as_f64()), (Some(100.0), Some(0.0)));
    assert_eq!((game["B"]["skill"].as_f64(), game["B"]["luck"].as_f64()), (Some(50.0), Some(-(0.25 + 1.0 / 3.0))));
    assert_eq!(game["B"]["shots"][0]["loss"].as_f64(), Some(0.25));
    assert_eq!(game["B"]["shots"][0]["rank"], 4);
}

#[test]
fn a_game_of_many_is_chosen_by_its_number() {
    let other = GAME.replace("anna", "carla");
    let file = file("many", format!("{GAME}\n{other}"));
    let name = file.to_str().unwrap();
    let last = run(&["analyse", name], b"");
    assert!(stdout(&last).starts_with("carla against boris"));
    assert!(stderr(&last).contains("has 2 games. This is the last"));
    assert!(ask(&["analyse", name, "--game", "1"]).starts_with("anna against boris"));
    assert!(refused(&["analyse", name, "--game", "3"], b"").contains("choose one from 1 to 2"));
    let all = ask(&["analyse", name, "--all"]);
    assert_eq!(all.lines().count(), 3);
    assert_eq!(ask(&["analyse", name, "--all", "--format", "json"]).lines().count(), 2);
    let piped = run(&["analyse", "-"], GAME.as_bytes());
    assert!(stdout(&piped).starts_with("anna against boris"));
}

#[test]
fn a_replay_line_by_line() {
    let file = file("replay", GAME);
    insta::assert_snapshot!(ask(&["replay", file.to_str().unwrap(), "--plain"]));
    let boards = ask(&["replay", file.to_str().unwrap(), "--boards", "--no-odds"]);
    assert_eq!(boards.matches("anna's fleet").count(), 5);
}

#[test]
fn every_kind_of_picture_is_made() {
    let file = file("pictures", GAME);
    let (name, out) = (file.to_str().unwrap(), folder("games-out"));
    for (kind, start) in [("gif", &b"GIF89a"[..]), ("png", b"\x89PNG"), ("svg", b"<svg"), ("html", b"<!DOCTYPE html>")]
    {
        let picture = out.join(format!("game.{kind}"));
        ask(&["export", name, "-o", picture.to_str().unwrap(), "--odds", "--theme", "dark"]);
        assert!(fs::read(&picture).unwrap().starts_with(start), "{kind}");
    }
    let gif = out.join("wide.gif");
    ask(&["export", name, "-o", gif.to_str().unwrap(), "--side", "a", "--size", "333", "--speed", "5"]);
    assert_eq!(fs::read(gif).unwrap()[6..8], 333_u16.to_le_bytes());
}

#[test]
fn impossible_pictures_are_refused_before_any_work() {
    let file = file("refused", GAME);
    let name = file.to_str().unwrap();
    for (args, why) in [
        (vec!["-o", "game.mp4"], ".gif, .svg, .png or .html"),
        (vec!["-o", "game"], ".gif, .svg, .png or .html"),
        (vec!["-o", "no/such/folder/game.gif"], "there is no folder"),
        (vec!["-o", "game.gif", "--step", "3"], "--step is for pictures"),
        (vec!["-o", "game.svg", "--size", "300"], "--size is only for .gif and .png"),
        (vec!["-o", "game.png", "--step", "99"], "the game has only 5 steps"),
    ] {
        let args = [vec!["export", name], args].concat();
        assert!(refused(&args, b"").contains(why), "{args:?}");
    }
}

#[test]
fn files_that_hold_no_game_are_named_with_the_line() {
    let ten_megabytes = 10 << 20;
    let brackets = vec![b'['; ten_megabytes];
    let lines = "[[[[[[[[[[\n".repeat(ten_megabytes / 11);
    let records = "[Seabattle \"1\"]\n".repeat(ten_megabytes / 16);
    let absurd = GAME.replace("5x1:2", "50000000x50000000:2");
    let fleet = GAME.replace("5x1:2", &format!("50x50:{}", vec!["50"; 60].join(",")));
    let truncated = &GAME[..GAME.len() - 3];
    let cases: [(&str, &[u8], &str); 11] = [
        ("nothing", b"", "contains no game"),
        ("brackets", &brackets, "line 1: the text is longer than the record of any game"),
        ("lines", lines.as_bytes(), "line 1: the text is longer than the record of any game"),
        ("records", records.as_bytes(), "line 655360: the tag [Rules \"…\"] is missing"),
        ("absurd", absurd.as_bytes(), "line 2: "),
        ("fleet", fleet.as_bytes(), "line 2: "),
        ("truncated", truncated.as_bytes(), "line 13: "),
        ("wrong", &GAME.replace("B A1.", "B A1x").into_bytes(), "line 11: the answer at A1 should be A1."),
        ("foreign", b"[Event \"F/S Return Match\"]\n\n1. e4 e5\n", "line 1: a record starts with [Seabattle \"1\"]"),
        ("future", b"[Seabattle \"2\"]\n", "line 1: record version \"2\" is unknown"),
        ("bytes", b"[Seabattle \"1\"]\n\xff\xfe\n", "line 2: not UTF-8 text"),
    ];
    for (name, bytes, why) in cases {
        let file = file(name, bytes);
        for command in ["analyse", "replay"] {
            let message = refused(&[command, file.to_str().unwrap()], b"");
            assert!(message.contains(why), "{name}: {message}");
        }
    }
    assert!(refused(&["analyse", "no-such-file"], b"").contains("cannot read no-such-file"));
    let folder = folder("games-folder");
    assert!(refused(&["analyse", folder.to_str().unwrap()], b"").contains("is a folder"));
    assert!(refused(&["analyse", "-"], &brackets).contains("line 1"));
}

#[test]
fn answers_that_no_fleet_can_give_are_reported() {
    let lying = "[Seabattle \"1\"]\n[Rules \"5x1:3\"]\n[First \"A\"]\n[Result \"*\"]\n\n1. A A1x B A1.\n2. A E1x B B1.\n3. A C1.\n";
    let file = file("lying", lying);
    let message = refused(&["analyse", file.to_str().unwrap()], b"");
    assert!(message.contains("shot 3 of A cannot be analyzed: no layout fits"), "{message}");
    let picture = folder("games-lying-out").join("a.png");
    let (name, picture) = (file.to_str().unwrap(), picture.to_str().unwrap());
    assert!(refused(&["export", name, "-o", picture, "--odds"], b"").contains("try it without --odds"));
    ask(&["export", name, "-o", picture]);
    ask(&["replay", name, "--no-odds"]);
}
