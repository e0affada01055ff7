//! `seabattle bench`, as people and programs use them.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use seabattle_core::Record;
use serde_json::Value;

use crate::program::{command, folder, run, stderr, stdout};

fn bench(args: &[&str]) -> String {
    let output = run(&[&["bench"], args].concat(), b"");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "", "silent in a pipe");
    stdout(&output)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&bench(&[args, &["--format", "json"]].concat())).unwrap()
}

/// Everything that must not depend on the machine.
fn without_speed(mut report: Value) -> Value {
    report["threads"].take();
    for result in report["results"].as_array_mut().unwrap() {
        result["games_per_second"].take();
    }
    report
}

#[test]
fn the_table_looks_like_this() {
    let table = bench(&["random", "star", "density", "--games", "300", "--seed", "3"]);
    let without_speed: Vec<String> = table
        .lines()
        .map(|line| {
            let mut words: Vec<&str> = line.split_whitespace().collect();
            if words.len() > 8 && words[0] != "Shots" && words[0] != "bot" {
                words[8] = "SPEED";
            }
            words.join(" ")
        })
        .collect();
    insta::assert_snapshot!(without_speed.join("\n"));
}

#[test]
fn json_has_what_programs_need() {
    let report =
        json(&["random", "quadrant", "--games", "200", "--rules", "classic,touching=forbidden", "--seed", "9"]);
    assert_eq!(report["rules"], "classic,touching=forbidden");
    assert_eq!((&report["layouts"], &report["seed"], &report["games"]), (&"uniform".into(), &9.into(), &200.into()));
    for result in report["results"].as_array().unwrap() {
        let histogram = result["histogram"].as_object().unwrap();
        let games: u64 = histogram.values().map(|count| count.as_u64().unwrap()).sum();
        let shots: f64 =
            histogram.iter().map(|(shots, count)| shots.parse::<f64>().unwrap() * count.as_f64().unwrap()).sum();
        assert_eq!(games, 200);
        assert!((shots / 200.0 - result["mean"].as_f64().unwrap()).abs() < 1e-9);
        assert!(result["games_per_second"].as_f64().unwrap() > 0.0);
        for field in ["bot", "stderr", "median", "min", "max"] {
            assert!(!result[field].is_null(), "{field}");
        }
    }
    let difference = &report["results"][1]["difference"];
    let means = [0, 1].map(|at| report["results"][at]["mean"].as_f64().unwrap());
    assert_eq!(difference["to"], "random");
    assert!((difference["mean"].as_f64().unwrap() - (means[1] - means[0])).abs() < 1e-9);
}

#[test]
fn threads_do_not_change_the_result() {
    let with = |threads: &str| without_speed(json(&["star", "density", "--games", "700", "--threads", threads]));
    assert_eq!(with("1"), with("2"));
    assert_eq!(with("1"), with("5"));
}

#[test]
fn a_long_bench_can_be_split() {
    let shots = |skip: &str, games: &str| {
        let report = json(&["star", "--series", "2", "--skip", skip, "--games", games]);
        let result = &report["results"][0];
        (report["skip"].as_u64(), result["mean"].as_f64().unwrap() * result["games"].as_f64().unwrap())
    };
    let (whole, first, second) = (shots("0", "100"), shots("0", "40"), shots("40", "60"));
    assert_eq!((whole.0, second.0), (None, Some(40)));
    assert!((first.1 + second.1 - whole.1).abs() < 1e-6, "{whole:?} {first:?} {second:?}");
    let text = bench(&["star", "--skip", "40", "--games", "60"]);
    assert!(text.contains("60 games each after the first 40."), "{text}");
}

#[test]
fn low_variance_reduces_the_error() {
    let classic = ["hunter", "density", "--games", "4", "--low-variance"];
    let report_with = |threads: &str| without_speed(json(&[&classic[..], &["--threads", threads]].concat()));
    let report = report_with("1");
    assert_eq!(report, report_with("2"));
    let plain = without_speed(json(&classic[..classic.len() - 1]));
    for (at, result) in report["results"].as_array().unwrap().iter().enumerate() {
        let (reduced, plain) = (&result["without_luck"], &plain["results"][at]);
        assert_eq!(result["mean"], plain["mean"], "the games are the same");
        assert!(plain["without_luck"].is_null());
        let number = |value: &Value| value.as_f64().unwrap();
        assert!(number(&reduced["stderr"]) < number(&result["stderr"]) / 3.0, "{result}");
        assert!((42.0..55.0).contains(&number(&reduced["mean"])), "{result}");
        assert_eq!(reduced["difference"]["to"].as_str(), (at > 0).then_some("hunter"));
    }
    let short = ["density", "--games", "2", "--low-variance"];
    let text = bench(&short);
    assert!(text.contains("\nWith variance reduction:\n\nbot"), "{text}");
    let csv = bench(&[&short[..], &["--format", "csv"]].concat());
    let last: Vec<&str> = csv.lines().last().unwrap().rsplit(',').collect();
    assert!(last[2..4].iter().all(|number| number.parse::<f64>().is_ok()), "{csv}");
}

#[test]
fn csv_has_a_line_for_each_bot() {
    let text = bench(&["random", "lattice", "--games", "50", "--rules", "russian,announce=which", "--format", "csv"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("bot,rules,layouts,seed,games,mean,stderr"));
    assert!(lines[2].starts_with("lattice,\"russian,announce=which\",uniform,1,50,"), "{}", lines[2]);
}

#[test]
fn layouts_come_from_a_file() {
    let file = folder("layouts").join("fleets.txt");
    fs::write(&file, "; two layouts\n3 A1 across, 2 A4 across\n\n3 D1 down, 2 A1 down\n").unwrap();
    let path = file.to_str().unwrap();
    let report = json(&["random", "--rules", "4x4:3,2", "--layouts", path]);
    assert_eq!(report["games"], 2);
    let report = json(&["random", "--rules", "4x4:3,2", "--layouts", path, "--games", "7"]);
    assert_eq!(report["games"], 7);
    let report = json(&["random", "--rules", "4x4:3,2", "--layouts", path, "--skip", "1"]);
    assert_eq!(report["games"], 1);
    let output = run(&["bench", "random", "--rules", "4x4:3,2", "--layouts", path, "--skip", "2"], b"");
    assert!(stderr(&output).contains("skips all layouts of"), "{}", stderr(&output));
    fs::write(&file, "3 A1 across, 2 A4 across\n3 A1 across, 2 A1 down\n").unwrap();
    let output = run(&["bench", "random", "--rules", "4x4:3,2", "--layouts", path], b"");
    assert!(stderr(&output).contains("line 2: 2: A1 is taken by the 3"), "{}", stderr(&output));
    fs::write(&file, "\n").unwrap();
    let output = run(&["bench", "random", "--layouts", path], b"");
    assert!(stderr(&output).contains("contains no layout"));
}

#[test]
fn series_are_counted_by_game() {
    let series = ["random", "star", "--games", "60", "--series", "6", "--cycle", "2", "--seed", "4"];
    let report = json(&series);
    assert_eq!((&report["series"], &report["cycle"], &report["games"]), (&6.into(), &2.into(), &60.into()));
    let result = &report["results"][1];
    let games = result["series"]["games"].as_array().unwrap();
    assert_eq!((games.len(), &games[5]["games"]), (6, &10.into()));
    assert_eq!(result["series"]["from_third"]["games"], 40);
    let mean: f64 = games.iter().map(|game| game["mean"].as_f64().unwrap()).sum::<f64>() / 6.0;
    assert!((mean - result["mean"].as_f64().unwrap()).abs() < 1e-9);
    let text = bench(&series);
    assert!(text.contains("uniform layouts, 2 in turn, seed 4, 60 games each"), "{text}");
    assert!(text.contains("Series of 6 games, by number in the series:"), "{text}");
    let heading = text.lines().rfind(|line| line.starts_with("bot")).unwrap();
    let words = heading.split("  ").map(str::trim).filter(|word| !word.is_empty() && *word != "s.e.");
    let expected = ["bot", "game 1", "game 2", "game 3", "game 4", "game 5", "game 6", "from 3 on"];
    assert_eq!(words.collect::<Vec<_>>(), expected);
    assert!(!bench(&["random", "--games", "10"]).contains("Series"));
}

#[test]
fn a_bot_may_place_the_layouts() {
    let placed =
        |threads: &str| json(&["star", "--games", "90", "--series", "3", "--placer", "density", "--threads", threads]);
    let report = placed("1");
    assert_eq!((&report["layouts"], &report["placer"]), (&"placed".into(), &"density".into()));
    assert_eq!(without_speed(report), without_speed(placed("3")));
    let text = bench(&["star", "--games", "10", "--placer", "density"]);
    assert!(text.contains("layouts placed by density, seed 1"), "{text}");
    let csv = bench(&["star", "--games", "10", "--placer", "density", "--format", "csv"]);
    assert!(csv.lines().all(|line| line.split(',').count() == 24), "{csv}");
}

#[test]
fn plots_are_written_as_the_name_says() {
    let folder = folder("plots");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let games = ["random", "star", "--games", "100", "--plot"];
    bench(&[&games[..], &[&path("bots.svg")]].concat());
    bench(&[&games[..], &[&path("bots.PNG")]].concat());
    let svg = fs::read_to_string(path("bots.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("aria-label=\"star\""));
    assert!(fs::read(path("bots.PNG")).unwrap().starts_with(b"\x89PNG"));
    let output = run(&["bench", "random", "--plot", &path("bots.gif")], b"");
    assert!(!output.status.success() && stderr(&output).contains(".svg or .png"), "{}", stderr(&output));
    let output = run(&["bench", "random", "--games", "10", "--plot", "/nowhere/a.svg"], b"");
    assert!(!output.status.success() && stderr(&output).contains("cannot write /nowhere/a.svg"));
}

#[test]
fn bad_arguments_say_what_to_do() {
    let check = |args: &[&str], reason: &str| {
        let output = run(&[&["bench"], args].concat(), b"");
        assert!(!output.status.success());
        assert!(stderr(&output).contains(reason), "{args:?}: {}", stderr(&output));
    };
    check(&["desnity"], "did you mean density");
    check(&["random", "--games", "0"], "1..=1000000000");
    check(&["random", "--series", "0"], "1 to 10000 games");
    check(&["random", "--series", "3", "--skip", "4"], "not a whole number of series of 3 games");
    check(&["random", "--placer", "desnity"], "did you mean density");
    check(&["random", "--placer", "density", "--layouts", "uniform"], "cannot be used with");
    check(&["random", "--placer", "density", "--cycle", "2"], "cannot be used with");
    check(&["random", "--low-variance", "--rules", "4x4:3,2"], "None was trained for 4x4:3,2");
    check(&["random", "--low-variance", "--placer", "density"], "cannot be used with");
    check(&["random", "--low-variance", "--cycle", "2"], "cannot be used with");
    check(&["random", "--threads", "0"], "1 to 1024");
    check(&["random", "--threads", "18446744073709551615"], "1 to 1024");
    check(&["quux"], "`seabattle bots` lists them all");
    check(&["random", "--layouts", "unifrom"], "--layouts is uniform, sequential or a file");
    let full = ["7"; 12].join(",");
    check(&["random", "--rules", &format!("10x10:{full}")], "too full for uniform layouts");
}

#[test]
fn ctrl_c_reports_what_there_is() {
    let mut child = command(&["bench", "random", "star", "--games", "1000000000", "--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = child.id();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !(catches_interrupts(pid) && processor_ticks(pid) > 30) {
        assert!(Instant::now() < deadline && child.try_wait().unwrap().is_none(), "it must be working");
        std::thread::yield_now();
    }
    assert!(std::process::Command::new("kill").args(["-INT", &pid.to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stderr(&output).contains("of 1000000000 games"), "{}", stderr(&output));
    assert!(stdout(&output).contains("\nstar "), "{}", stdout(&output));
}

fn catches_interrupts(pid: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0");
    u64::from_str_radix(caught.trim(), 16).unwrap_or(0) & 2 != 0
}

/// Time spent in the program itself, in hundredths of a second.
fn processor_ticks(pid: u32) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default();
    fields.split_whitespace().nth(11).and_then(|ticks| ticks.parse().ok()).unwrap_or(0)
}

#[test]
fn fingerprints_are_one_line_for_each_bot() {
    let fingerprints = bench(&["star", "random", "--fingerprint"]);
    assert_eq!(fingerprints.lines().count(), 2);
    assert!(fingerprints.starts_with("star            "));
}

#[test]
fn games_are_kept_as_records_that_other_commands_read() {
    let folder = folder("bench-records").join("solo");
    let path = folder.to_str().unwrap();
    let games = ["star", "quadrant", "--games", "7", "--skip", "3", "--records", path];
    let report = json(&[&games[..], &["--threads", "3"]].concat());
    let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["quadrant.txt", "star.txt"], "nothing else is left");
    let file = folder.join("star.txt");
    let text = fs::read_to_string(&file).unwrap();
    let records: Vec<Record> = Record::parse_all(&text).collect::<Result<_, _>>().unwrap();
    assert_eq!(records.len(), 7);
    let shots: usize = records.iter().map(|record| record.volleys().count()).sum();
    assert!((shots as f64 / 7.0 - report["results"][0]["mean"].as_f64().unwrap()).abs() < 1e-9);
    assert!(records.iter().all(|record| record.is_solo() && record.names().b == "uniform layout"));
    let one = folder.join("one");
    bench(&["star", "--games", "1", "--skip", "5", "--records", one.to_str().unwrap()]);
    let third = fs::read_to_string(one.join("star.txt")).unwrap();
    assert_eq!(third.parse::<Record>().unwrap(), records[2], "threads do not change the order");
    let star = file.to_str().unwrap();
    let read = |args: &[&str]| {
        let output = run(args, b"");
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
        stdout(&output)
    };
    let replay = read(&["replay", star, "--game", "3", "--plain"]);
    assert!(replay.starts_with("star alone, classic.\n1. star fires: D1 "), "{replay}");
    assert!(replay.contains("\nstar sank the fleet in ") && !replay.contains("uniform layout:"), "{replay}");
    let analysis = read(&["analyse", star, "--game", "3"]);
    assert!(analysis.starts_with("star alone, classic\n") && !analysis.contains("uniform"), "{analysis}");
    assert!(!analysis.contains("ahead from here"), "{analysis}");
    for name in ["game.svg", "game.gif", "game.html"] {
        let picture = folder.join(name);
        read(&["export", star, "--game", "3", "-o", picture.to_str().unwrap()]);
        assert!(fs::metadata(picture).unwrap().len() > 1000);
    }
    let still = fs::read_to_string(folder.join("game.svg")).unwrap();
    assert!(still.contains("star alone") && still.matches(" fires\"").count() == 1, "one board");
}

#[test]
fn records_that_cannot_be_kept_are_refused_at_once() {
    let folder = folder("bench-no-records");
    fs::write(folder.join("star.txt"), "mine").unwrap();
    let path = folder.to_str().unwrap();
    let refused = |args: &[&str], reason: &str| {
        let output = run(&[&["bench", "star"], args].concat(), b"");
        assert!(!output.status.success() && stderr(&output).contains(reason), "{args:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "");
    };
    refused(&["--records", path, "--games", "3"], "star.txt already exists: choose another folder");
    refused(&["--records", "/dev/null/x", "--games", "3"], "cannot make the folder /dev/null/x");
    refused(&["--records", path, "--games", "10001"], "at most 10000 games of each bot, not 10001");
    refused(&["--records", path, "--nats", "nats://127.0.0.1:1"], "cannot be used with");
    assert_eq!(fs::read_to_string(folder.join("star.txt")).unwrap(), "mine");
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
}
