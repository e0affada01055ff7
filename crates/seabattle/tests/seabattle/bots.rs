//! `seabattle bots`: what it shows of each bot is true.

use std::process::Command;

use serde_json::Value;

use crate::program::{repository, run, stderr, stdout};

fn json(args: &[&str]) -> Value {
    let output = run(args, b"");
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(&stdout(&output)).unwrap()
}

fn bots() -> Vec<Value> {
    json(&["bots", "--format", "json"]).as_array().unwrap().clone()
}

#[test]
fn the_table_has_every_bot_and_fits_eighty_columns() {
    let text = stdout(&run(&["bots"], b""));
    for line in text.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let bots = bots();
    assert!(bots.len() >= 17);
    for bot in bots {
        let field = |name: &str| bot[name].as_str().unwrap().to_owned();
        let line = text.lines().find(|line| line.split(' ').next() == Some(&field("bot"))).unwrap_or_default();
        let mean = format!("{:.2} ± ", bot["shots"]["mean"].as_f64().unwrap());
        assert!(line.contains(&mean) && line.ends_with(&field("source")), "{line:?} {bot}");
        assert!(text.contains(&format!("\n    {}\n", field("about"))));
    }
}

#[test]
fn lines_of_code_are_what_the_script_counts() {
    let counted = Command::new("bash").arg(repository().join("scripts/lines-of-code")).output().unwrap();
    assert!(counted.status.success(), "{}", stderr(&counted));
    let shown: String = bots()
        .iter()
        .map(|bot| format!("{} {} {}\n", bot["bot"].as_str().unwrap(), bot["lines"]["own"], bot["lines"]["shared"]))
        .collect();
    assert_eq!(shown, stdout(&counted), "scripts/measure-bots --lines counts them anew");
}

#[test]
fn means_agree_with_other_games() {
    let measure = |args: &[&str]| json(&[&["bench", "--seed", "7", "--format", "json"], args].concat());
    let reports = [
        measure(&["--games", "400"]),
        measure(&["hunter", "admiral", "--games", "40"]),
        measure(&["champion", "--games", "8"]),
    ];
    let results: Vec<&Value> = reports.iter().flat_map(|report| report["results"].as_array().unwrap()).collect();
    let bots = bots();
    assert_eq!(results.len(), bots.len(), "all bots are measured");
    for result in results {
        let shots = &bots.iter().find(|bot| bot["bot"] == result["bot"]).unwrap()["shots"];
        let number = |value: &Value, name: &str| value[name].as_f64().unwrap();
        let error = number(shots, "stderr").hypot(number(result, "stderr"));
        let deviations = (number(shots, "mean") - number(result, "mean")) / error;
        assert!(deviations.abs() < 4.0, "{}: {shots} but {}; scripts/measure-bots", result["bot"], result["mean"]);
        assert_eq!(shots["rules"], "classic");
    }
}

#[test]
fn slow_bots_are_as_strong_as_the_report_says() {
    let report = std::fs::read_to_string(repository().join("docs/strength.md")).unwrap();
    for bot in bots().iter().filter(|bot| bot["thinks"] == true) {
        let (name, shots) = (bot["bot"].as_str().unwrap(), &bot["shots"]);
        let row = format!(
            "| {name} | {} | {:.2} ± {:.2} |",
            shots["games"],
            shots["mean"].as_f64().unwrap(),
            shots["stderr"].as_f64().unwrap()
        );
        assert!(report.contains(&row), "{row}");
    }
}

#[test]
fn pages_show_the_same_numbers() {
    for page in ["README.md", "docs/bench.md", "docs/sources.md"] {
        let text = std::fs::read_to_string(repository().join(page)).unwrap();
        let mut rows = 0;
        for bot in bots() {
            let cell = format!("| `{}` |", bot["bot"].as_str().unwrap());
            let mean = format!("{:.2}", bot["shots"]["mean"].as_f64().unwrap());
            let lines = bot["lines"]["own"].as_u64().unwrap();
            for row in text.lines().filter(|row| row.contains(&cell) && row.contains('.') && !row.contains("](../")) {
                rows += 1;
                assert!(row.contains(&format!("| {mean} ")), "{page}: {row} but {mean}");
                assert!(
                    page != "docs/sources.md" || row.contains(&format!("| {lines} |")),
                    "{page}: {row} but {lines}"
                );
            }
        }
        assert!(rows >= 4, "{page}");
    }
}
