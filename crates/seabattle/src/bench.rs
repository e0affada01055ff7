//! `seabattle bench`: bots alone against the same layouts.

mod layouts;
mod plot;
mod report;

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_arena::{Bench, Contender, Layouts, Placer, Report, Series, fingerprint};
use seabattle_bots::{Entry, catalog};

use crate::cli::{BenchArgs, Format};
use crate::interrupt;
use report::Heading;

const DEFAULT_GAMES: u64 = 10_000;

pub(crate) fn bench(args: BenchArgs) -> anyhow::Result<()> {
    if args.fingerprint {
        return print_fingerprints(&named_or(args.bots, |_| true));
    }
    let bots = named_or(args.bots, |entry| !entry.thinks);
    let layouts = match args.placer {
        Some(entry) => Layouts::Placed(Placer::new(|seed| entry.make(seed))),
        None => layouts::read(&args.layouts, &args.rules)?,
    };
    let given = match &layouts {
        Layouts::Given(fleets) => fleets.len() as u64,
        Layouts::Uniform | Layouts::Sequential | Layouts::Placed(_) => DEFAULT_GAMES,
    };
    let bench = Bench {
        rules: args.rules,
        layouts,
        seed: args.seed,
        games: args.games.unwrap_or(given),
        series: Series { length: args.series, cycle: args.cycle },
    };
    let plot = args.plot.as_deref().map(plot::Target::new).transpose()?;
    let threads = args.threads.map_or_else(std::thread::available_parallelism, Ok)?;
    let report = run(&bench, &bots, threads)?;
    let heading = Heading { bench: &bench, layouts: &args.layouts, placer: args.placer.map(|entry| entry.name) };
    let text = match args.format {
        Format::Text => report::text(&heading, &report),
        Format::Json => report::json(&heading, &report)?,
        Format::Csv => report::csv(&heading, &report),
    };
    io::stdout().write_all(text.as_bytes())?;
    if let Some(target) = plot {
        target.write(&plot::chart(&heading, &report).draw())?;
    }
    fail_on_faults(&report)
}

fn named_or(named: Vec<&'static Entry>, wanted: impl Fn(&Entry) -> bool) -> Vec<&'static Entry> {
    if named.is_empty() { catalog().iter().filter(|entry| wanted(entry)).collect() } else { named }
}

fn run(bench: &Bench, bots: &[&'static Entry], threads: NonZero<usize>) -> anyhow::Result<Report> {
    let contender = |entry: &&'static Entry| {
        let entry = *entry;
        Contender { name: entry.name.to_owned(), make: Box::new(|seed| entry.make(seed)) }
    };
    let contenders: Vec<Contender<'_>> = bots.iter().map(contender).collect();
    let bar = progress_bar(bench.games);
    let stop = interrupt::flag()?;
    let report = bench.run(&contenders, threads, &|games| bar.inc(games), stop)?;
    bar.finish_and_clear();
    if stop.load(Ordering::Relaxed) {
        writeln!(io::stderr(), "Stopped after {} of {} games.", report.games, bench.games).ok();
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

fn print_fingerprints(bots: &[&Entry]) -> anyhow::Result<()> {
    for entry in bots {
        let number = fingerprint(&|seed| entry.make(seed), entry.fingerprint_games())
            .with_context(|| format!("{} failed", entry.name))?;
        writeln!(io::stdout(), "{:<16}{number:016x}", entry.name)?;
    }
    Ok(())
}
