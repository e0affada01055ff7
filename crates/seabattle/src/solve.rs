//! `seabattle solve`: finds the best possible play on a small board and compares the bots with it.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use seabattle_arena::{Bench, Contender, Layouts, Series};
use seabattle_bots::catalog;
use seabattle_core::{Rules, layout};
use seabattle_odds::solve::{Limits, Solution, SolveError};
use serde::Serialize;

use crate::cli::{SolveArgs, SolveFormat};
use crate::interrupt;
use crate::table::{Align, align_columns};

/// The minimum number of games of each bot. Every layout is played equally often.
const MIN_GAMES: u64 = 50_000;

#[derive(Serialize)]
struct SolveReport {
    rules: String,
    layouts: String,
    expected_shots: f64,
    first_shot: String,
    greedy_shots: f64,
    bots: BTreeMap<String, f64>,
}

pub(crate) fn solve(args: &SolveArgs) -> anyhow::Result<()> {
    let stop = interrupt::stop_flag()?;
    let limits = Limits {
        max_layouts: args.layouts,
        max_memory_bytes: args.memory.saturating_mul(1 << 20),
        max_positions: args.positions.saturating_mul(1_000_000),
    };
    if io::stderr().is_terminal() {
        writeln!(io::stderr(), "Searching. Ctrl-C stops it.").ok();
    }
    let solution = seabattle_odds::solve::solve(&args.rules, limits, stop)
        .map_err(|error| anyhow!("cannot solve {}: {error}{}", args.rules, limit_option(&error)))?;
    let report = SolveReport {
        rules: args.rules.to_string(),
        layouts: solution.layouts.to_string(),
        expected_shots: solution.expected_shots(),
        first_shot: solution.first_shot.to_string(),
        greedy_shots: solution.greedy_expected_shots(),
        bots: bot_means(&args.rules)?,
    };
    let text = match args.format {
        SolveFormat::Text => text(&report, &solution),
        SolveFormat::Json => serde_json::to_string_pretty(&report)? + "\n",
    };
    Ok(io::stdout().write_all(text.as_bytes())?)
}

/// Names the option that raises the limit in an error.
fn limit_option(error: &SolveError) -> &'static str {
    match error {
        SolveError::TooManyLayouts { .. } => " (--layouts)",
        SolveError::TooManyPositions { .. } | SolveError::OutOfPositions { .. } => " (--positions)",
        SolveError::TooMuchMemory { .. } | SolveError::OutOfMemory { .. } => " (--memory)",
        SolveError::TooLarge { .. } | SolveError::TooManyShips { .. } | SolveError::Stopped => "",
    }
}

/// Measures the mean shots of every bot over all layouts.
fn bot_means(rules: &Rules) -> anyhow::Result<BTreeMap<String, f64>> {
    let fleets: Vec<_> = layout::all(rules).collect();
    let games = MIN_GAMES.next_multiple_of((fleets.len() as u64).max(1));
    let bench = Bench {
        rules: rules.clone(),
        layouts: Layouts::Given(fleets),
        seed: 1,
        games,
        series: Series::default(),
        correction: None,
    };
    let contender = |entry: &'static seabattle_bots::BotInfo| Contender {
        name: entry.name.to_owned(),
        make: Box::new(|seed| entry.make(seed)),
    };
    let contenders: Vec<Contender<'_>> = catalog().iter().map(contender).collect();
    let threads = std::thread::available_parallelism()?;
    let report = bench.run(&contenders, threads, &|_| {}, &AtomicBool::new(false))?;
    Ok(report.results.into_iter().map(|result| (result.name.clone(), result.shots.mean())).collect())
}

fn text(report: &SolveReport, solution: &Solution) -> String {
    let excess = |shots: f64| format!("{:+.2}%", 100.0 * (shots / report.expected_shots - 1.0));
    let mut rows = vec![["player", "shots", "above the best"].map(str::to_owned).to_vec()];
    rows.push(vec!["best possible".to_owned(), format!("{:.6}", report.expected_shots), String::new()]);
    rows.push(vec!["likeliest cell".to_owned(), format!("{:.6}", report.greedy_shots), excess(report.greedy_shots)]);
    let mut bots: Vec<(&String, &f64)> = report.bots.iter().collect();
    bots.sort_by(|a, b| a.1.total_cmp(b.1));
    rows.extend(bots.into_iter().map(|(name, shots)| vec![name.clone(), format!("{shots:.3}"), excess(*shots)]));
    format!(
        "Mean shots to sink the fleet of {} over all {} layouts. The best first shot is {}.\n\
         The best play needs {} shots for all {} layouts together. Bots played {MIN_GAMES} games or more, seed 1.\n\n{}",
        report.rules,
        report.layouts,
        report.first_shot,
        solution.total_shots,
        solution.layouts,
        align_columns(&[Align::Left, Align::Right, Align::Right], &rows)
    )
}
