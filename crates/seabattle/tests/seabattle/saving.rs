//! `--save`: records that survive, and files that are left alone.

use std::fs;

use seabattle_core::{Record, Termination};

use crate::program::{folder, run, stderr, stdout};

const ABANDONED: &[u8] = b"random\ndone\na1\nreset\nrandom\ndone\nb2\nquit\n";

#[test]
fn every_game_is_appended() {
    let file = folder("append").join("games.txt");
    let path = file.to_str().unwrap();
    for _ in 0..2 {
        let output = run(&["play", "--seed", "1", "--save", path], ABANDONED);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    let text = fs::read_to_string(&file).unwrap();
    let records: Vec<Record> = Record::parse_all(&text).collect::<Result<_, _>>().unwrap();
    assert_eq!(records.iter().map(Record::seed).collect::<Vec<_>>(), [Some(1), Some(2), Some(1), Some(2)]);
    assert_eq!(records[0], records[2]);
    for record in records {
        assert_eq!(record.end().map(|end| end.termination), Some(Termination::Abandoned));
        assert!(record.replay().is_some());
    }
}

#[test]
fn a_file_may_begin_with_a_comment() {
    let file = folder("comment").join("games.txt");
    fs::write(&file, "; my best games\n\n").unwrap();
    let output = run(&["play", "--seed", "1", "--save", file.to_str().unwrap()], ABANDONED);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(Record::parse_all(&text).filter(Result::is_ok).count(), 2, "{text}");
}

#[test]
fn a_file_of_something_else_is_left_alone() {
    let file = folder("foreign").join("diary.txt");
    for content in [&b"Dear diary\n"[..], b"\xff\xfe\x00", b"\n\n\nDear"] {
        fs::write(&file, content).unwrap();
        let output = run(&["play", "--save", file.to_str().unwrap()], ABANDONED);
        assert!(!output.status.success());
        assert!(stderr(&output).contains("something other than game records"), "{}", stderr(&output));
        assert_eq!(fs::read(&file).unwrap(), content);
    }
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_the_game() {
    let output = run(&["play", "--save", "/nowhere/at/all.txt"], ABANDONED);
    assert!(!output.status.success());
    assert!(stderr(&output).contains("cannot save games to /nowhere/at/all.txt"));
    assert_eq!(stdout(&output), "");
}

#[test]
fn a_record_that_cannot_be_saved_is_shown() {
    let output = run(&["play", "--seed", "1", "--save", "/dev/full"], b"random\ndone\na1\nquit\n");
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let start = text.find("[Seabattle").expect("the record is shown");
    let end = text.rfind("Goodbye").unwrap();
    assert!(text.contains("Could not save to /dev/full"));
    assert!(text[start..end].parse::<Record>().is_ok(), "{}", &text[start..end]);
}
