//! Modules of the contest, from the command line.

use crate::program::{folder, repository, run, stderr, stdout};

fn module(path: &str) -> String {
    format!("tavt:{}", repository().join(path).display())
}

#[test]
fn a_module_plays_a_match() {
    let module = module("bots/contest/lattice.py");
    let output = run(&["match", &module, "random", "--rules", "russian", "--pairs", "2", "--seed", "1"], b"");
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).starts_with("match     lattice.py against random\n"), "{}", stdout(&output));
}

#[test]
fn a_module_that_is_not_there_is_refused_before_anything_is_played() {
    let output = run(&["match", "tavt:no/such.py", "random"], b"");
    assert!(!output.status.success() && stderr(&output).contains("there is no such file"), "{}", stderr(&output));
}

#[test]
fn a_contest_shows_points_and_goes_on() {
    let folder = folder("contest").join("games");
    let folder = folder.to_str().unwrap();
    let module = module("bots/contest/lattice.py");
    let contest = ["tournament", &module, "random", "recruit", "--schedule", "contest", "--sets", "3", "--seed", "1"];
    let played = run(&[&contest[..], &["--out", folder]].concat(), b"");
    assert!(played.status.success(), "{}", stderr(&played));
    assert!(stdout(&played).starts_with("contest:3 under russian, seed 1: 3 games\n"), "{}", stdout(&played));
    assert!(stdout(&played).contains("points"), "{}", stdout(&played));
    let again = run(&["tournament", "--resume", folder], b"");
    assert_eq!(stdout(&again), stdout(&played));
    let json = stdout(&run(&["tournament", "--resume", folder, "--format", "json"], b""));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let points: u64 = json["standings"].as_array().unwrap().iter().map(|line| line["points"].as_u64().unwrap()).sum();
    assert_eq!(points, 9, "three games of an odd number of sets");
    let page = stdout(&run(&["tournament", "--resume", folder, "--format", "html"], b""));
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"), "{page}");
    assert!(page.contains("<dd>contest:3</dd>") && page.contains("<bdi>lattice.py</bdi>"), "{page}");
    assert_eq!(page, std::fs::read_to_string(format!("{folder}/report.html")).unwrap());
    let csv = stdout(&run(&["tournament", "--resume", folder, "--format", "csv"], b""));
    assert_eq!(csv.lines().count(), 4, "{csv}");
}

#[test]
fn a_contest_is_russian_and_sets_are_those_of_a_contest() {
    let refused = |args: &[&str], why: &str| {
        let folder = folder("contest-refused").join("games");
        let start = ["tournament", "random", "star", "--out", folder.to_str().unwrap()];
        let output = run(&[&start[..], args].concat(), b"");
        assert!(!output.status.success() && stderr(&output).contains(why), "{args:?}: {}", stderr(&output));
    };
    refused(&["--schedule", "contest", "--rules", "classic"], "russian rules");
    refused(&["--sets", "3"], "--schedule contest");
    refused(&["--schedule", "contest:0"], "contest:SETS");
}
