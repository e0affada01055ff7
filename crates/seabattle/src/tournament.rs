//! `seabattle tournament`: many contestants, one folder, and no game played twice.

mod config;
mod contest_report;
mod html;
mod plan;
mod report;

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_arena::{Audience, Contestant, Journal, Stopped};

use crate::cli::{TournamentArgs, TournamentOutput};
use crate::interrupt;
use config::Config;
use plan::Plan;

/// In the folder of the games.
const PAGE: &str = "report.html";

pub(crate) fn tournament(args: &TournamentArgs) -> anyhow::Result<()> {
    let (folder, plan) = folder_and_plan(args)?;
    let contestants = plan.contestants()?;
    let (journal, stopped) = run(&plan, &folder, &contestants, args)?;
    let page = page(&plan, &journal, stopped)?;
    let kept = page.as_ref().map_or(Ok(()), |page| fs::write(folder.join(PAGE), page));
    let Summary { text, failed } = summary(&plan, &journal, args.output, page)?;
    io::stdout().write_all(text.as_bytes())?;
    kept.with_context(|| format!("cannot write {}", folder.join(PAGE).display()))?;
    if stopped == Stopped::Interrupted {
        writeln!(io::stderr(), "Stopped. Go on with:\n  seabattle tournament --resume {}", shell(&folder)).ok();
        std::process::exit(130);
    }
    if failed.is_empty() || args.tolerate {
        return Ok(());
    }
    bail!("failed in games: {} (--tolerate makes that no error)", failed.join(", "))
}

/// Where the games are kept, and what is played.
fn folder_and_plan(args: &TournamentArgs) -> anyhow::Result<(PathBuf, Plan)> {
    if let Some(folder) = &args.resume {
        let folder = std::path::absolute(folder)?;
        let plan = Plan::read(&folder)?;
        plan.go_there()?;
        return Ok((folder, plan));
    }
    let config = args.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
    let Some(folder) = args.out.as_ref().or(config.out.as_ref()) else {
        bail!("say where to keep the games: --out DIR, or --resume DIR to go on");
    };
    let plan = Plan::new(args, &config)?.begin(folder)?;
    Ok((folder.clone(), plan))
}

/// A page for browsers; a contest has none.
fn page(plan: &Plan, journal: &Journal, stopped: Stopped) -> anyhow::Result<Option<String>> {
    let tournament = plan.tournament()?;
    if tournament.contest_table(&plan.names(), journal).is_some() {
        return Ok(None);
    }
    Ok(Some(html::html(plan, &tournament.table(&plan.names(), journal), stopped)))
}

/// What is printed when a tournament stops.
struct Summary {
    text: String,
    /// The names of those who failed in a game.
    failed: Vec<String>,
}

fn summary(plan: &Plan, journal: &Journal, output: TournamentOutput, page: Option<String>) -> anyhow::Result<Summary> {
    let tournament = plan.tournament()?;
    if let Some(table) = tournament.contest_table(&plan.names(), journal) {
        let text = match output {
            TournamentOutput::Text => contest_report::text(plan, &table),
            TournamentOutput::Json => contest_report::json(plan, &table)?,
            TournamentOutput::Csv => contest_report::csv(&table),
            TournamentOutput::Html => bail!("a contest has no page; --output text, json or csv shows its table"),
        };
        let failed = table.standings.into_iter().filter(|line| !line.faults.is_empty()).map(|line| line.name);
        return Ok(Summary { text, failed: failed.collect() });
    }
    let table = tournament.table(&plan.names(), journal);
    let text = match output {
        TournamentOutput::Text => report::text(plan, &table),
        TournamentOutput::Json => report::json(plan, &table)?,
        TournamentOutput::Csv => report::csv(&table),
        TournamentOutput::Html => page.unwrap_or_default(),
    };
    let failed = table.standings.into_iter().filter(|line| !line.faults.is_empty()).map(|line| line.name);
    Ok(Summary { text, failed: failed.collect() })
}

fn run(
    plan: &Plan,
    folder: &Path,
    contestants: &[Contestant],
    args: &TournamentArgs,
) -> anyhow::Result<(Journal, Stopped)> {
    let tournament = plan.tournament()?;
    let journal = Journal::open(folder, contestants.len())?;
    let threads = args.threads.map_or_else(std::thread::available_parallelism, Ok)?;
    let stop = interrupt::flag()?;
    let progress = Progress::new();
    let ran = tournament.run(contestants, journal, threads, stop, &progress);
    progress.0.finish_and_clear();
    ran.with_context(|| format!("go on with: seabattle tournament --resume {}", shell(folder)))
}

/// A path as a shell takes it.
fn shell(path: &Path) -> String {
    let text = path.to_string_lossy();
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), |quoted| quoted.into_owned())
}

/// Shown to a person at a terminal, silent in a pipe.
struct Progress(ProgressBar);

impl Progress {
    fn new() -> Self {
        let visible = io::stderr().is_terminal();
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = ProgressStyle::with_template("{msg} {bar:30} {human_pos} of {human_len} games, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self(bar)
    }
}

impl Audience for Progress {
    fn round(&self, round: u32, games: u64, played: u64) {
        self.0.set_message(format!("round {}", round + 1));
        self.0.set_length(games);
        self.0.set_position(played);
    }

    fn game(&self) {
        self.0.inc(1);
    }
}
