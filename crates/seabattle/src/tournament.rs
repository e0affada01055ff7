//! `seabattle tournament`: ranks many contestants. Its folder keeps every finished game.

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
use seabattle_arena::{ContestTable, Journal, Pairing, PlayerInfo, RatingTable, StopReason, TournamentObserver};
use seabattle_core::BySide;

use crate::cli::{TournamentArgs, TournamentFormat};
use crate::fault_reporter::FaultReporter;
use crate::remote::{Job, Remote, RemoteExecutor, redact_url};
use crate::{bot_logs, interrupt, limits, players};
use config::Config;
use plan::Plan;

/// The name of the page in the folder of the games.
const PAGE: &str = "report.html";

pub(crate) fn tournament(args: &TournamentArgs) -> anyhow::Result<()> {
    let (folder, plan) = folder_and_plan(args)?;
    let journal = Journal::open(&folder, plan.names().len())?;
    warn_of_skipped(&journal);
    let (journal, stop_reason) = run(&plan, &folder, journal, args)?;
    let standings = Standings::new(&plan, &journal)?;
    let page = standings.page(&plan, stop_reason);
    let saved = fs::write(folder.join(PAGE), &page);
    let text = standings.text(&plan, args.format, page)?;
    io::stdout().write_all(text.as_bytes())?;
    // A finished tournament can be shown from a folder that is read-only.
    if journal.has_grown() {
        saved.with_context(|| format!("cannot write {}", folder.join(PAGE).display()))?;
    }
    if stop_reason == StopReason::Interrupted {
        writeln!(
            io::stderr(),
            "Stopped. Continue with:\n  seabattle tournament --resume {}",
            players::quoted(&folder.to_string_lossy())
        )
        .ok();
        interrupt::exit();
    }
    let faulty_contestants = standings.faulty_contestants();
    if faulty_contestants.is_empty() || args.tolerate {
        return Ok(());
    }
    bail!("forfeited games: {} (--tolerate ignores this)", faulty_contestants.join(", "))
}

/// Returns the folder of the games and the plan.
fn folder_and_plan(args: &TournamentArgs) -> anyhow::Result<(PathBuf, Plan)> {
    if let Some(folder) = &args.resume {
        let folder = std::path::absolute(folder)?;
        let plan = Plan::read(&folder)?;
        return Ok((folder, plan));
    }
    let config = args.config.as_deref().map(Config::read).transpose()?.unwrap_or_default();
    let Some(folder) = args.out.as_ref().or(config.out.as_ref()) else {
        bail!("choose a folder for the games with --out DIR, or continue a tournament with --resume DIR");
    };
    let plan = Plan::new(args, &config)?.create(folder)?;
    Ok((folder.clone(), plan))
}

fn warn_of_skipped(journal: &Journal) {
    let (lines, file) = (journal.skipped(), Journal::FILE);
    if lines > 0 {
        let warning = "they are skipped, and their games are played again";
        writeln!(io::stderr(), "seabattle: unreadable lines in {file}: {lines}; {warning}").ok();
    }
}

/// The standings, by rating or by contest points.
enum Standings {
    Rated(RatingTable),
    Contest(ContestTable),
}

impl Standings {
    fn new(plan: &Plan, journal: &Journal) -> anyhow::Result<Self> {
        let (tournament, names) = (plan.tournament()?, plan.display_names(journal));
        let contest = tournament.contest_table(&names, journal);
        Ok(contest.map_or_else(|| Self::Rated(tournament.table(&names, journal)), Self::Contest))
    }

    /// Renders the standings as a web page.
    fn page(&self, plan: &Plan, stop_reason: StopReason) -> String {
        match self {
            Self::Rated(table) => html::rating_page(plan, table, stop_reason),
            Self::Contest(table) => html::contest_page(plan, table, stop_reason),
        }
    }

    fn text(&self, plan: &Plan, output: TournamentFormat, page: String) -> anyhow::Result<String> {
        Ok(match (self, output) {
            (_, TournamentFormat::Html) => page,
            (Self::Rated(table), TournamentFormat::Text) => report::text(plan, table),
            (Self::Rated(table), TournamentFormat::Json) => report::json(plan, table)?,
            (Self::Rated(table), TournamentFormat::Csv) => report::csv(table),
            (Self::Contest(table), TournamentFormat::Text) => contest_report::text(plan, table),
            (Self::Contest(table), TournamentFormat::Json) => contest_report::json(plan, table)?,
            (Self::Contest(table), TournamentFormat::Csv) => contest_report::csv(table),
        })
    }

    /// Returns the names of contestants that forfeited a game.
    fn faulty_contestants(self) -> Vec<String> {
        let names: Vec<(String, bool)> = match self {
            Self::Rated(table) => table.standings.into_iter().map(|line| (line.name, line.faults.is_empty())).collect(),
            Self::Contest(table) => {
                table.standings.into_iter().map(|line| (line.name, line.faults.is_empty())).collect()
            }
        };
        names.into_iter().filter(|(_, is_sound)| !is_sound).map(|(name, _)| name).collect()
    }
}

/// Plays the games that are left. A finished tournament needs none of its contestants.
fn run(plan: &Plan, folder: &Path, journal: Journal, args: &TournamentArgs) -> anyhow::Result<(Journal, StopReason)> {
    let tournament = plan.tournament()?;
    if tournament.is_over(plan.names().len(), &journal) {
        return Ok((journal, StopReason::Finished));
    }
    let logs = args.bot_log.as_deref().map(std::path::absolute).transpose()?;
    plan.enter_start_folder()?;
    if let Some(url) = &args.remote.nats {
        return run_remotely(plan, (folder, journal), args, url);
    }
    if args.resume.is_some() || args.config.is_some() {
        announce_commands(plan);
    }
    let mut contestants = plan.contestants()?;
    players::check_isolation(&contestants)?;
    for (number, contestant) in contestants.iter_mut().enumerate() {
        bot_logs::attach(logs.as_deref(), number + 1, contestant)?;
    }
    let threads = args.threads.map_or_else(std::thread::available_parallelism, Ok)?;
    let stop = interrupt::stop_flag()?;
    let progress = Progress::new(plan.fault_reporters());
    let ran = tournament.run(&contestants, journal, threads, stop, &progress);
    progress.bar.finish_and_clear();
    ran.with_context(|| {
        format!("continue with: seabattle tournament --resume {}", players::quoted(&folder.to_string_lossy()))
    })
}

/// Prints the commands that a file or folder from someone else starts, before they start.
fn announce_commands(plan: &Plan) {
    let commands = plan.commands();
    if !commands.is_empty() {
        let limits = limits::in_force();
        writeln!(io::stderr(), "This tournament starts:\n  {}\n{limits}", commands.join("\n  ")).ok();
    }
}

/// Lets workers play the games that are left.
fn run_remotely(
    plan: &Plan,
    (folder, journal): (&Path, Journal),
    args: &TournamentArgs,
    url: &str,
) -> anyhow::Result<(Journal, StopReason)> {
    let (tournament, stop) = (plan.tournament()?, interrupt::stop_flag()?);
    let progress = Progress::new(plan.fault_reporters());
    let remote = Remote::connect(&args.remote, url, &progress.bar, stop)?;
    let executor = RemoteExecutor::new(&remote, serde_json::to_string(plan)?, |task| Job::Task(plan.job(&task)));
    let ran =
        tournament.run_by(&executor, plan.series_per_job(&args.remote), plan.names().len(), journal, stop, &progress);
    progress.bar.finish_and_clear();
    remote.close();
    ran.with_context(|| {
        format!(
            "continue with: seabattle tournament --nats {} --resume {}",
            redact_url(url),
            players::quoted(&folder.to_string_lossy())
        )
    })
}

/// The progress of a tournament: a bar on a terminal, and faults everywhere.
struct Progress {
    bar: ProgressBar,
    fault_reporters: Vec<FaultReporter>,
}

impl Progress {
    fn new(fault_reporters: Vec<FaultReporter>) -> Self {
        let visible = io::stderr().is_terminal();
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        let style = ProgressStyle::with_template("{msg} {bar:30} {human_pos} of {human_len} games, {eta} left");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        Self { bar, fault_reporters }
    }

    fn report_fault(&self, number: usize, player: &PlayerInfo) {
        if let (Some(reporter), Some(fault)) = (self.fault_reporters.get(number), &player.fault) {
            reporter.report(player.name.as_deref(), fault, &self.bar);
        }
    }
}

impl TournamentObserver for Progress {
    fn round(&self, round: u32, games: u64, played: u64) {
        self.bar.set_message(format!("round {}", round + 1));
        self.bar.set_length(games);
        self.bar.set_position(played);
    }

    fn game(&self, pairing: Pairing, players: &BySide<PlayerInfo>) {
        self.report_fault(pairing.a, &players.a);
        self.report_fault(pairing.b, &players.b);
        self.bar.inc(1);
    }
}
