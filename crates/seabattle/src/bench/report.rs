//! The results of a bench as text, JSON and CSV.

use seabattle_arena::{Bench, BenchReport, BotResult, Histogram, ReducedMean};
use serde::Serialize;

use crate::table::{Align, align_columns};

/// The facts that belong to every result.
pub(super) struct ReportHeader<'a> {
    pub(super) bench: &'a Bench,
    /// The number of skipped games.
    pub(super) skip: u64,
    pub(super) layouts: &'a str,
    pub(super) placer: Option<&'a str>,
}

impl ReportHeader<'_> {
    /// Describes where the layouts come from.
    pub(super) fn layouts(&self) -> String {
        let source = match self.placer {
            Some(bot) => format!("layouts placed by {bot}"),
            None => format!("{} layouts", self.layouts),
        };
        match self.bench.series.cycle {
            Some(cycle) => format!("{source}, {cycle} in turn"),
            None => source,
        }
    }

    /// Describes how many games were played, and which.
    pub(super) fn games(&self, report: &BenchReport) -> String {
        match self.skip {
            0 => format!("{} games each", report.games),
            skip => format!("{} games each after the first {skip}", report.games),
        }
    }

    fn is_series(&self) -> bool {
        self.bench.series.length.get() > 1
    }
}

pub(super) fn text(header: &ReportHeader<'_>, report: &BenchReport) -> String {
    let paired = report.results.len() > 1;
    let reference = report.results.first().map_or("", |result| &result.name);
    let mut columns =
        ["bot", "mean", "s.e.", "median", "5%", "95%", "min", "max", "games/s"].map(str::to_owned).to_vec();
    let faulty = report.results.iter().any(|result| result.faults > 0);
    if faulty {
        columns.push("faults".to_owned());
    }
    if paired {
        columns.extend([format!("to {reference}"), "s.e.".to_owned()]);
    }
    let mut rows = vec![columns];
    for (at, result) in report.results.iter().enumerate() {
        let mut row = table_row(report, result);
        if faulty {
            row.push(result.faults.to_string());
        }
        if paired && at > 0 {
            row.extend([format!("{:+.3}", result.difference.mean()), format!("{:.3}", result.difference.stderr())]);
        }
        rows.push(row);
    }
    let series = if header.is_series() { series_text(header, report) } else { String::new() };
    let low_variance =
        if header.bench.correction.is_some() { low_variance_text(report, reference) } else { String::new() };
    format!(
        "Shots to sink the fleet. Rules {}, {}, seed {}, {}.\n\n{}{low_variance}{series}",
        header.bench.rules,
        header.layouts(),
        header.bench.seed,
        header.games(report),
        table(&rows)
    )
}

/// Renders rows with a name and its numbers.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let alignments: Vec<Align> = (0..columns).map(|at| if at == 0 { Align::Left } else { Align::Right }).collect();
    align_columns(&alignments, rows)
}

/// Renders the means with variance reduction, and how many plain games would be as precise.
fn low_variance_text(report: &BenchReport, reference: &str) -> String {
    let mut columns = ["bot", "mean", "s.e.", "equal to games"].map(str::to_owned).to_vec();
    if report.results.len() > 1 {
        columns.extend([format!("to {reference}"), "s.e.".to_owned()]);
    }
    let mut rows = vec![columns];
    for result in &report.results {
        let mut row = vec![result.name.clone()];
        if let Some(reduced) = result.reduced_mean() {
            let games = (result.mean.stderr() / reduced.stderr).powi(2) * result.mean.games() as f64;
            let games = if games.is_finite() { format!("{games:.0}") } else { "-".to_owned() };
            row.extend([format!("{:.3}", reduced.mean), format!("{:.4}", reduced.stderr), games]);
        }
        if let Some(difference) = result.reduced_difference() {
            row.extend([format!("{:+.3}", difference.mean), format!("{:.4}", difference.stderr)]);
        }
        rows.push(row);
    }
    format!("\nWith variance reduction:\n\n{}", table(&rows))
}

/// Renders the means by number in the series: the first games, the last, and all from the third on.
fn series_text(header: &ReportHeader<'_>, report: &BenchReport) -> String {
    let length = header.bench.series.length.get() as usize;
    let mut numbers: Vec<usize> = (1..=length.min(5)).collect();
    if length > 5 {
        numbers.push(length);
    }
    let mut columns = vec!["bot".to_owned()];
    columns.extend(numbers.iter().flat_map(|number| [format!("game {number}"), "s.e.".to_owned()]));
    if length > 2 {
        columns.extend(["from 3 on", "s.e."].map(str::to_owned));
    }
    let mut rows = vec![columns];
    for result in &report.results {
        let mut row = vec![result.name.clone()];
        let games = numbers.iter().filter_map(|number| result.by_game.get(number - 1));
        row.extend(games.flat_map(|shots| [format!("{:.3}", shots.mean()), format!("{:.3}", shots.stderr())]));
        if length > 2 {
            let from_third = &result.from_third;
            row.extend([format!("{:.3}", from_third.mean()), format!("{:.3}", from_third.stderr())]);
        }
        rows.push(row);
    }
    format!("\nSeries of {length} games, by number in the series:\n\n{}", table(&rows))
}

fn table_row(report: &BenchReport, result: &BotResult) -> Vec<String> {
    let shots = &result.shots;
    vec![
        result.name.clone(),
        format!("{:.3}", result.mean.mean()),
        format!("{:.3}", result.mean.stderr()),
        format!("{}", shots.median()),
        or_dash(shots.percentile(5)),
        or_dash(shots.percentile(95)),
        or_dash(shots.min()),
        or_dash(shots.max()),
        format!("{:.0}", result.games_per_second(report.threads)),
    ]
}

#[derive(Serialize)]
struct JsonReport<'a> {
    rules: String,
    layouts: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    placer: Option<&'a str>,
    series: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycle: Option<u64>,
    seed: u64,
    #[serde(skip_serializing_if = "is_zero")]
    skip: u64,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    without_luck: Option<JsonLowVariance<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<JsonSeries>,
}

#[derive(Serialize)]
struct JsonLowVariance<'a> {
    mean: f64,
    stderr: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<JsonDifference<'a>>,
}

impl<'a> JsonLowVariance<'a> {
    fn new(result: &BotResult, reference: &'a str) -> Option<Self> {
        let ReducedMean { mean, stderr } = result.reduced_mean()?;
        let difference = result.reduced_difference().map(|ReducedMean { mean, stderr }| JsonDifference {
            to: reference,
            mean,
            stderr,
        });
        Some(Self { mean, stderr, difference })
    }
}

/// Means by number in the series.
#[derive(Serialize)]
struct JsonSeries {
    games: Vec<JsonMean>,
    from_third: JsonMean,
}

#[derive(Serialize)]
struct JsonMean {
    games: u64,
    mean: f64,
    stderr: f64,
}

impl JsonSeries {
    fn new(result: &BotResult) -> Self {
        let mean = |shots: &Histogram| JsonMean { games: shots.games(), mean: shots.mean(), stderr: shots.stderr() };
        let from_third = &result.from_third;
        Self {
            games: result.by_game.iter().map(mean).collect(),
            from_third: JsonMean { games: from_third.games(), mean: from_third.mean(), stderr: from_third.stderr() },
        }
    }
}

#[derive(Serialize)]
struct JsonDifference<'a> {
    to: &'a str,
    mean: f64,
    stderr: f64,
}

pub(super) fn json<'a>(header: &ReportHeader<'a>, report: &'a BenchReport) -> serde_json::Result<String> {
    let reference = report.results.first().map_or("", |result| result.name.as_str());
    let result = |(at, result): (usize, &'a BotResult)| JsonResult {
        bot: &result.name,
        games: result.shots.games(),
        mean: result.mean.mean(),
        stderr: result.mean.stderr(),
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
        without_luck: JsonLowVariance::new(result, reference),
        series: header.is_series().then(|| JsonSeries::new(result)),
    };
    let json = JsonReport {
        rules: header.bench.rules.to_string(),
        layouts: if header.placer.is_some() { "placed" } else { header.layouts },
        placer: header.placer,
        series: header.bench.series.length.get(),
        cycle: header.bench.series.cycle.map(u64::from),
        seed: header.bench.seed,
        skip: header.skip,
        games: report.games,
        threads: report.threads,
        results: report.results.iter().enumerate().map(result).collect(),
    };
    Ok(serde_json::to_string_pretty(&json)? + "\n")
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

pub(super) fn csv(header: &ReportHeader<'_>, report: &BenchReport) -> String {
    let mut text = "bot,rules,layouts,seed,games,mean,stderr,median,p5,p95,min,max,games_per_second,faults,difference,difference_stderr,series,from_third,from_third_stderr,skip,without_luck,without_luck_stderr,difference_without_luck,difference_without_luck_stderr\n".to_owned();
    for (at, result) in report.results.iter().enumerate() {
        let shots = &result.shots;
        let difference = if at == 0 {
            ",".to_owned()
        } else {
            format!("{},{}", result.difference.mean(), result.difference.stderr())
        };
        let from_third = match &result.from_third {
            from_third if from_third.games() > 0 => format!("{},{}", from_third.mean(), from_third.stderr()),
            _ => ",".to_owned(),
        };
        text += &format!(
            "{},{},{},{},{},{},{},{},{},{},{},{},{:.0},{},{difference},{},{},{},{},{}\n",
            csv_field(&result.name),
            csv_field(&header.bench.rules.to_string()),
            csv_field(&header.placer.map_or_else(|| header.layouts.to_owned(), |bot| format!("placed by {bot}"))),
            header.bench.seed,
            shots.games(),
            result.mean.mean(),
            result.mean.stderr(),
            shots.median(),
            or_dash(shots.percentile(5)),
            or_dash(shots.percentile(95)),
            or_dash(shots.min()),
            or_dash(shots.max()),
            result.games_per_second(report.threads),
            result.faults,
            header.bench.series.length,
            from_third,
            header.skip,
            csv_mean(result.reduced_mean()),
            csv_mean(result.reduced_difference()),
        );
    }
    text
}

fn csv_mean(reduced: Option<ReducedMean>) -> String {
    reduced.map_or_else(|| ",".to_owned(), |reduced| format!("{},{}", reduced.mean, reduced.stderr))
}

fn or_dash(number: Option<usize>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| number.to_string())
}

/// Quotes a CSV field as in RFC 4180.
fn csv_field(field: &str) -> String {
    if field.contains([',', '"', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.to_owned() }
}
