//! `seabattle bench`: measures bots on the same layouts.

mod layout_source;
mod plot;
mod records;
mod report;

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_arena::{Bench, BenchReport, LayoutGenerator, Layouts, Series, SoloGame, fingerprint};
use seabattle_bots::{BotInfo, catalog};

use crate::cli::{BenchArgs, BenchFormat};
use crate::remote::{BenchJob, Job, Remote, RemoteArgs, RemoteExecutor, contenders};
use crate::{interrupt, variance_reduction};
use records::Records;
use report::ReportHeader;

const DEFAULT_GAMES: u64 = 10_000;
/// Fewer games are as precise with variance reduction.
const DEFAULT_GAMES_LOW_VARIANCE: u64 = 200;

pub(crate) fn bench(args: BenchArgs) -> anyhow::Result<()> {
    if args.fingerprint {
        return print_fingerprints(&select_bots(args.bots, |_| true));
    }
    let bots = select_bots(args.bots, |entry| !entry.is_slow);
    let layouts = match args.placer {
        Some(entry) => Layouts::Placed(LayoutGenerator::new(|seed| entry.make(seed))),
        None => layout_source::read(&args.layouts, &args.rules)?,
    };
    let default_games = match &layouts {
        Layouts::Given(fleets) => (fleets.len() as u64).saturating_sub(args.skip),
        Layouts::Uniform if args.low_variance => DEFAULT_GAMES_LOW_VARIANCE,
        Layouts::Uniform | Layouts::Sequential | Layouts::Placed(_) => DEFAULT_GAMES,
    };
    if !args.skip.is_multiple_of(args.series.get()) {
        bail!("--skip {} is not a whole number of series of {} games", args.skip, args.series);
    }
    let games = args.games.unwrap_or(default_games);
    if games == 0 {
        bail!("--skip {} skips all layouts of {}: choose a number of games with --games", args.skip, args.layouts);
    }
    let correction = args.low_variance.then(|| variance_reduction::correction_for(&args.rules)).transpose()?;
    let bench = Bench {
        rules: args.rules,
        layouts,
        seed: args.seed,
        games: args.skip.saturating_add(games),
        series: Series { length: args.series, cycle: args.cycle },
        correction,
    };
    let planned = PlannedBench { bench: &bench, skip: args.skip };
    let plot = args.plot.as_deref().map(plot::PlotFile::new).transpose()?;
    let threads = args.threads.map_or_else(std::thread::available_parallelism, Ok)?;
    let origin = origin(&args.layouts, args.placer);
    let plan = args.records.as_deref().map(|folder| records::RecordingPlan {
        folder,
        bots: &bots,
        origin: &origin,
        seed: args.seed,
        first: args.skip,
        games,
    });
    let records = plan.map(|plan| Records::create(&plan)).transpose()?;
    let outcome = match &args.remote.nats {
        None => run(planned, &bots, threads, records.as_ref()),
        Some(url) => run_remotely(planned, &bots, &args.remote, url, args.placer),
    };
    let records_result = records.map_or(Ok(()), |records| records.finish(outcome.is_ok()));
    if outcome.is_err() {
        records_result?;
        return outcome.map(drop);
    }
    let report = outcome?;
    let header = ReportHeader {
        bench: &bench,
        skip: args.skip,
        layouts: &args.layouts,
        placer: args.placer.map(|entry| entry.name),
    };
    let text = match args.format {
        BenchFormat::Text => report::text(&header, &report),
        BenchFormat::Json => report::json(&header, &report)?,
        BenchFormat::Csv => report::csv(&header, &report),
    };
    io::stdout().write_all(text.as_bytes())?;
    if let Some(target) = plot {
        target.write(&plot::chart(&header, &report).draw())?;
    }
    records_result?;
    fail_on_faults(&report)
}

/// A bench without the games that are skipped at its start.
#[derive(Clone, Copy)]
struct PlannedBench<'a> {
    bench: &'a Bench,
    /// The games to skip, in whole series.
    skip: u64,
}

impl PlannedBench<'_> {
    fn games(self) -> u64 {
        self.bench.games - self.skip
    }

    fn skipped_series(self) -> u64 {
        self.skip / self.bench.series.length
    }
}

fn select_bots(named: Vec<&'static BotInfo>, wanted: impl Fn(&BotInfo) -> bool) -> Vec<&'static BotInfo> {
    if named.is_empty() { catalog().iter().filter(|entry| wanted(entry)).collect() } else { named }
}

/// Returns where the fleets come from, as records name it.
fn origin(layouts: &str, placer: Option<&BotInfo>) -> String {
    match (placer, layouts) {
        (Some(placer), _) => format!("fleet of {}", placer.name),
        (None, "uniform" | "sequential") => format!("{layouts} layout"),
        (None, _) => "layout from a file".to_owned(),
    }
}

fn run(
    planned: PlannedBench<'_>,
    bots: &[&'static BotInfo],
    threads: NonZero<usize>,
    records: Option<&Records<'_>>,
) -> anyhow::Result<BenchReport> {
    let bar = progress_bar(planned.games());
    let stop = interrupt::stop_flag()?;
    let progress = |games| bar.inc(games);
    let observe = |game: SoloGame<'_>| records.into_iter().for_each(|records| records.add(game));
    let report =
        planned.bench.run_after(planned.skipped_series(), &contenders(bots), threads, &observe, &progress, stop)?;
    bar.finish_and_clear();
    note_interruption(planned, report)
}

/// Lets workers play the bench.
fn run_remotely(
    planned: PlannedBench<'_>,
    bots: &[&'static BotInfo],
    args: &RemoteArgs,
    url: &str,
    placer: Option<&'static BotInfo>,
) -> anyhow::Result<BenchReport> {
    let bench = planned.bench;
    let job = BenchJob {
        bots: bots.iter().map(|entry| entry.name.to_owned()).collect(),
        rules: bench.rules.to_string(),
        layouts: layout_source::to_job(&bench.layouts, placer)?,
        seed: bench.seed,
        games: bench.games,
        series: bench.series.length,
        cycle: bench.series.cycle,
        without_luck: bench.correction.is_some(),
        part: 0..0,
    };
    let (bar, stop) = (progress_bar(planned.games()), interrupt::stop_flag()?);
    let remote = Remote::connect(args, url, &bar, stop)?;
    let part = |part| Job::Bench(BenchJob { part, ..job.clone() });
    let executor = RemoteExecutor::new(&remote, serde_json::to_string(&job)?, part);
    let names: Vec<&str> = job.bots.iter().map(String::as_str).collect();
    let games = bench.series.length.get().saturating_mul(bots.len() as u64);
    let series_per_job = args.series_per_job(games, &names);
    let report = bench.run_by(
        planned.skipped_series(),
        &executor,
        &contenders(bots),
        series_per_job,
        &|games| bar.set_position(games),
        stop,
    );
    bar.finish_and_clear();
    remote.close();
    note_interruption(planned, report?)
}

fn note_interruption(planned: PlannedBench<'_>, report: BenchReport) -> anyhow::Result<BenchReport> {
    if interrupt::is_requested() {
        writeln!(io::stderr(), "Stopped after {} of {} games.", report.games, planned.games()).ok();
    }
    if report.games == 0 {
        bail!("no game was finished");
    }
    Ok(report)
}

/// Makes a progress bar, which is hidden in a pipe.
fn progress_bar(games: u64) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(games), target);
    let style = ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} games, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn fail_on_faults(report: &BenchReport) -> anyhow::Result<()> {
    let faulty: Vec<String> = report
        .results
        .iter()
        .filter_map(|result| {
            let (game, fault) = result.first_fault.as_ref()?;
            Some(format!("{} forfeited {} games, the first was game {game}: {fault}", result.name, result.faults))
        })
        .collect();
    if faulty.is_empty() { Ok(()) } else { bail!(faulty.join("\n")) }
}

fn print_fingerprints(bots: &[&BotInfo]) -> anyhow::Result<()> {
    for entry in bots {
        let number = fingerprint(&|seed| entry.make(seed), entry.fingerprint_games())
            .with_context(|| format!("{} failed", entry.name))?;
        writeln!(io::stdout(), "{:<16}{number:016x}", entry.name)?;
    }
    Ok(())
}
