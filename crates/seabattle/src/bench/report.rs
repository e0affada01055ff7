//! What a bench found, for people and for programs.

use seabattle_arena::{Bench, BotResult, Report};
use serde::Serialize;

use crate::table::{Lean, aligned};

/// What must stand beside every number.
pub(super) struct Heading<'a> {
    pub(super) bench: &'a Bench,
    pub(super) layouts: &'a str,
}

pub(super) fn text(heading: &Heading<'_>, report: &Report) -> String {
    let paired = report.results.len() > 1;
    let reference = report.results.first().map_or("", |result| &result.name);
    let mut columns =
        ["bot", "mean", "s.e.", "median", "5 %", "95 %", "min", "max", "games/s"].map(str::to_owned).to_vec();
    let faulty = report.results.iter().any(|result| result.faults > 0);
    if faulty {
        columns.push("faults".to_owned());
    }
    if paired {
        columns.extend([format!("to {reference}"), "s.e.".to_owned()]);
    }
    let mut leans = vec![Lean::Right; columns.len()];
    leans[0] = Lean::Left;
    let mut rows = vec![columns];
    for (at, result) in report.results.iter().enumerate() {
        let mut row = columns_of(report, result);
        if faulty {
            row.push(result.faults.to_string());
        }
        if paired && at > 0 {
            row.extend([format!("{:+.3}", result.difference.mean()), format!("{:.3}", result.difference.stderr())]);
        }
        rows.push(row);
    }
    format!(
        "Shots to sink the fleet. Rules {}, {} layouts, seed {}, {} games each.\n\n{}",
        heading.bench.rules,
        heading.layouts,
        heading.bench.seed,
        report.games,
        aligned(&leans, &rows)
    )
}

fn columns_of(report: &Report, result: &BotResult) -> Vec<String> {
    let shots = &result.shots;
    vec![
        result.name.clone(),
        format!("{:.3}", shots.mean()),
        format!("{:.3}", shots.stderr()),
        format!("{}", shots.median()),
        whole(shots.percentile(5)),
        whole(shots.percentile(95)),
        whole(shots.min()),
        whole(shots.max()),
        format!("{:.0}", result.games_per_second(report.threads)),
    ]
}

#[derive(Serialize)]
struct JsonReport<'a> {
    rules: String,
    layouts: &'a str,
    seed: u64,
    games: u64,
    threads: usize,
    results: Vec<JsonResult<'a>>,
}

#[derive(Serialize)]
struct JsonResult<'a> {
    bot: &'a str,
    games: u64,
    mean: f64,
    stderr: f64,
    median: f64,
    p5: Option<usize>,
    p95: Option<usize>,
    min: Option<usize>,
    max: Option<usize>,
    histogram: std::collections::BTreeMap<usize, u64>,
    games_per_second: f64,
    faults: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<JsonDifference<'a>>,
}

#[derive(Serialize)]
struct JsonDifference<'a> {
    to: &'a str,
    mean: f64,
    stderr: f64,
}

pub(super) fn json<'a>(heading: &Heading<'a>, report: &'a Report) -> serde_json::Result<String> {
    let reference = report.results.first().map_or("", |result| result.name.as_str());
    let result = |(at, result): (usize, &'a BotResult)| JsonResult {
        bot: &result.name,
        games: result.shots.games(),
        mean: result.shots.mean(),
        stderr: result.shots.stderr(),
        median: result.shots.median(),
        p5: result.shots.percentile(5),
        p95: result.shots.percentile(95),
        min: result.shots.min(),
        max: result.shots.max(),
        histogram: result.shots.bins().collect(),
        games_per_second: result.games_per_second(report.threads),
        faults: result.faults,
        difference: (at > 0).then(|| JsonDifference {
            to: reference,
            mean: result.difference.mean(),
            stderr: result.difference.stderr(),
        }),
    };
    let json = JsonReport {
        rules: heading.bench.rules.to_string(),
        layouts: heading.layouts,
        seed: heading.bench.seed,
        games: report.games,
        threads: report.threads,
        results: report.results.iter().enumerate().map(result).collect(),
    };
    Ok(serde_json::to_string_pretty(&json)? + "\n")
}

pub(super) fn csv(heading: &Heading<'_>, report: &Report) -> String {
    let mut text = "bot,rules,layouts,seed,games,mean,stderr,median,p5,p95,min,max,games_per_second,faults,difference,difference_stderr\n".to_owned();
    for (at, result) in report.results.iter().enumerate() {
        let shots = &result.shots;
        let difference = if at == 0 {
            ",".to_owned()
        } else {
            format!("{},{}", result.difference.mean(), result.difference.stderr())
        };
        text += &format!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{:.0},{},{difference}\n",
            quoted(&result.name),
            quoted(&heading.bench.rules.to_string()),
            quoted(heading.layouts),
            heading.bench.seed,
            shots.games(),
            shots.mean(),
            shots.stderr(),
            shots.median(),
            whole(shots.percentile(5)),
            whole(shots.percentile(95)),
            whole(shots.min()),
            whole(shots.max()),
            result.games_per_second(report.threads),
            result.faults,
        );
    }
    text
}

fn whole(number: Option<usize>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

/// A field that may hold commas, as in RFC 4180.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
}
