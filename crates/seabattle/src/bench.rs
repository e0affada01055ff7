//! `seabattle bench`: bots alone against the same layouts.

mod layouts;
mod plot;
mod records;
mod report;

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_arena::{Bench, LayoutGenerator, Layouts, Report, Series, SoloGame, fingerprint};
use seabattle_bots::{BotInfo, catalog};

use crate::cli::{BenchArgs, Format};
use crate::remote::{BenchJob, Job, Remote, RemoteArgs, RemoteExecutor, contenders};
use crate::{interrupt, luck};
use records::Records;
use report::Heading;

const DEFAULT_GAMES: u64 = 10_000;
/// They tell as much.
const DEFAULT_GAMES_WITHOUT_LUCK: u64 = 200;

pub(crate) fn bench(args: BenchArgs) -> anyhow::Result<()> {
    if args.fingerprint {
        return print_fingerprints(&named_or(args.bots, |_| true));
    }
    let bots = named_or(args.bots, |entry| !entry.is_slow);
    let layouts = match args.placer {
        Some(entry) => Layouts::Placed(LayoutGenerator::new(|seed| entry.make(seed))),
        None => layouts::read(&args.layouts, &args.rules)?,
    };
    let given = match &layouts {
        Layouts::Given(fleets) => (fleets.len() as u64).saturating_sub(args.skip),
        Layouts::Uniform if args.low_variance => DEFAULT_GAMES_WITHOUT_LUCK,
        Layouts::Uniform | Layouts::Sequential | Layouts::Placed(_) => DEFAULT_GAMES,
    };
    if !args.skip.is_multiple_of(args.series.get()) {
        bail!("{} games are not whole series of {}: --skip leaves whole series out", args.skip, args.series);
    }
    let games = args.games.unwrap_or(given);
    if games == 0 {
        bail!("--skip {} leaves none of the layouts in {}: say with --games how many to play", args.skip, args.layouts);
    }
    let correction = args.low_variance.then(|| luck::under(&args.rules)).transpose()?;
    let bench = Bench {
        rules: args.rules,
        layouts,
        seed: args.seed,
        games: args.skip.saturating_add(games),
        series: Series { length: args.series, cycle: args.cycle },
        correction,
    };
    let piece = Piece { bench: &bench, skip: args.skip };
    let plot = args.plot.as_deref().map(plot::Target::new).transpose()?;
    let threads = args.threads.map_or_else(std::thread::available_parallelism, Ok)?;
    let origin = origin(&args.layouts, args.placer);
    let plan = args.records.as_deref().map(|folder| records::Plan {
        folder,
        bots: &bots,
        origin: &origin,
        seed: args.seed,
        first: args.skip,
        games,
    });
    let records = plan.map(|plan| Records::create(&plan)).transpose()?;
    let played = match &args.remote.nats {
        None => run(piece, &bots, threads, records.as_ref()),
        Some(url) => run_remotely(piece, &bots, &args.remote, url, args.placer),
    };
    let recorded = records.map_or(Ok(()), |records| records.finish(played.is_ok()));
    if played.is_err() {
        recorded?;
        return played.map(drop);
    }
    let report = played?;
    let heading =
        Heading { bench: &bench, skip: args.skip, layouts: &args.layouts, placer: args.placer.map(|entry| entry.name) };
    let text = match args.format {
        Format::Text => report::text(&heading, &report),
        Format::Json => report::json(&heading, &report)?,
        Format::Csv => report::csv(&heading, &report),
    };
    io::stdout().write_all(text.as_bytes())?;
    if let Some(target) = plot {
        target.write(&plot::chart(&heading, &report).draw())?;
    }
    recorded?;
    fail_on_faults(&report)
}

/// What is played of a bench: all but some games at the beginning.
#[derive(Clone, Copy)]
struct Piece<'a> {
    bench: &'a Bench,
    /// Whole series.
    skip: u64,
}

impl Piece<'_> {
    fn games(self) -> u64 {
        self.bench.games - self.skip
    }

    fn skipped_series(self) -> u64 {
        self.skip / self.bench.series.length
    }
}

fn named_or(named: Vec<&'static BotInfo>, wanted: impl Fn(&BotInfo) -> bool) -> Vec<&'static BotInfo> {
    if named.is_empty() { catalog().iter().filter(|entry| wanted(entry)).collect() } else { named }
}

/// The origin of the fleets, as records name it.
fn origin(layouts: &str, placer: Option<&BotInfo>) -> String {
    match (placer, layouts) {
        (Some(placer), _) => format!("fleet of {}", placer.name),
        (None, "uniform" | "sequential") => format!("{layouts} layout"),
        (None, _) => "layout from a file".to_owned(),
    }
}

fn run(
    piece: Piece<'_>,
    bots: &[&'static BotInfo],
    threads: NonZero<usize>,
    records: Option<&Records<'_>>,
) -> anyhow::Result<Report> {
    let bar = progress_bar(piece.games());
    let stop = interrupt::flag()?;
    let progress = |games| bar.inc(games);
    let observe = |game: SoloGame<'_>| records.into_iter().for_each(|records| records.take(game));
    let report =
        piece.bench.run_after(piece.skipped_series(), &contenders(bots), threads, &observe, &progress, stop)?;
    bar.finish_and_clear();
    whole_or_stopped(piece, report)
}

/// Others play.
fn run_remotely(
    piece: Piece<'_>,
    bots: &[&'static BotInfo],
    args: &RemoteArgs,
    url: &str,
    placer: Option<&'static BotInfo>,
) -> anyhow::Result<Report> {
    let bench = piece.bench;
    let job = BenchJob {
        bots: bots.iter().map(|entry| entry.name.to_owned()).collect(),
        rules: bench.rules.to_string(),
        layouts: layouts::travelling(&bench.layouts, placer)?,
        seed: bench.seed,
        games: bench.games,
        series: bench.series.length,
        cycle: bench.series.cycle,
        without_luck: bench.correction.is_some(),
        part: 0..0,
    };
    let (bar, stop) = (progress_bar(piece.games()), interrupt::flag()?);
    let remote = Remote::connect(args, url, &bar)?;
    let part = |part| Job::Bench(BenchJob { part, ..job.clone() });
    let executor = RemoteExecutor::new(&remote, serde_json::to_string(&job)?, part);
    let names: Vec<&str> = job.bots.iter().map(String::as_str).collect();
    let games = bench.series.length.get().saturating_mul(bots.len() as u64);
    let at_once = args.series_at_once(games, &names);
    let report = bench.run_by(
        piece.skipped_series(),
        &executor,
        &contenders(bots),
        at_once,
        &|games| bar.set_position(games),
        stop,
    );
    bar.finish_and_clear();
    remote.show.close();
    whole_or_stopped(piece, report?)
}

fn whole_or_stopped(piece: Piece<'_>, report: Report) -> anyhow::Result<Report> {
    if interrupt::is_wished() {
        writeln!(io::stderr(), "Stopped after {} of {} games.", report.games, piece.games()).ok();
    }
    if report.games == 0 {
        bail!("no game was finished");
    }
    Ok(report)
}

/// Shown to a person at a terminal, silent in a pipe.
fn progress_bar(games: u64) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(games), target);
    let style = ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} games, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

fn fail_on_faults(report: &Report) -> anyhow::Result<()> {
    let faulty: Vec<String> = report
        .results
        .iter()
        .filter_map(|result| {
            let (game, fault) = result.first_fault.as_ref()?;
            Some(format!("{} failed in {} games, first in game {game}: {fault}", result.name, result.faults))
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
