//! `seabattle odds`, `count` and `solve`, as people and programs use them.

use serde_json::Value;

use crate::program::{command, run, run_command, stderr, stdout};

fn ask(args: &[&str]) -> String {
    let output = run(args, b"");
    assert!(output.status.success(), "{}", stderr(&output));
    stdout(&output)
}

#[test]
fn the_heat_map_looks_like_this() {
    insta::assert_snapshot!(ask(&["odds", "--rules", "6x6:3,2,2", "--shots", "C3x D3. B5."]));
}

#[test]
fn json_has_what_programs_need() {
    let odds: Value =
        serde_json::from_str(&ask(&["odds", "--rules", "3x3:2", "--shots", "B2. A1x", "--format", "json"])).unwrap();
    assert_eq!((&odds["rules"], &odds["shots"]), (&"3x3:2".into(), &"B2. A1x".into()));
    assert_eq!((&odds["layouts"], &odds["exact"]), (&"2".into(), &true.into()));
    assert_eq!(odds["probabilities"].as_object().unwrap().len(), 9);
    assert_eq!((odds["probabilities"]["A1"].as_f64(), odds["probabilities"]["B1"].as_f64()), (Some(1.0), Some(0.5)));
    let large: Value = serde_json::from_str(&ask(&["odds", "--rules", "20x20:5,4", "--format", "json"])).unwrap();
    assert_eq!(large["exact"], false);
    assert!(large["stderr"]["J10"].as_f64().unwrap() > 0.0);
    assert!(large["layouts"].as_str().unwrap().parse::<u128>().unwrap() > 100_000);
}

#[test]
fn the_picture_is_svg() {
    let svg = ask(&["odds", "--rules", "4x4:3,2", "--shots", "B2x", "--format", "svg"]);
    assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("layouts fit"));
}

#[test]
fn colors_only_where_the_output_supports_them() {
    let colored = run_command(command(&["odds", "--rules", "4x4:2"]).env("CLICOLOR_FORCE", "1"), b"");
    assert!(colored.stdout.contains(&0x1b));
    assert!(!ask(&["odds", "--rules", "4x4:2"]).contains('\x1b'));
}

#[test]
fn impossible_requests_are_explained() {
    let check = |args: &[&str], reason: &str| {
        let output = run(args, b"");
        assert!(!output.status.success());
        assert!(stderr(&output).contains(reason), "{args:?}: {}", stderr(&output));
    };
    check(&["odds", "--shots", "E5"], "shot 1");
    check(&["odds", "--shots", "E5. E5."], "shot 2: E5 has been shot at before");
    check(&["odds", "--rules", "5x5:3,2", "--shots", "A1x E5x A5x"], "no layout fits: shot 3, A5x");
    check(&["count", "50x50:5,4,3"], "too many fleets to count exactly");
    check(&["solve", "classic"], "too large to solve");
    check(&["solve", "5x5:3,2,2,1"], "raise the limit on layouts (--layouts)");
    check(&["solve", "4x4:3,2", "--positions", "0"], "raise the limit on positions (--positions)");
    check(&["solve", "4x4:3,2", "--memory", "0"], "raise the limit on memory (--memory)");
}

#[test]
fn fleets_are_counted_both_ways() {
    let text = ask(&["count", "classic"]);
    assert!(text.contains("30,093,975,536") && text.contains("15,046,987,768"), "{text}");
    let text = ask(&["count", "6x6:3,2,2"]);
    assert!(text.contains("113,648") && text.contains("56,824"), "{text}");
}

#[test]
fn small_boards_are_solved() {
    let solved: Value = serde_json::from_str(&ask(&["solve", "4x4:2", "--format", "json"])).unwrap();
    assert_eq!((&solved["rules"], &solved["layouts"]), (&"4x4:2".into(), &"24".into()));
    assert!((solved["expected_shots"].as_f64().unwrap() - 73.0 / 12.0).abs() < 1e-9);
    assert!(solved["first_shot"].is_string());
    let best = solved["expected_shots"].as_f64().unwrap();
    for (name, shots) in solved["bots"].as_object().unwrap() {
        assert!(shots.as_f64().unwrap() > best - 0.03, "{name}: {shots}");
    }
    assert!(ask(&["solve", "3x3:2"]).contains("4.500000"));
}
