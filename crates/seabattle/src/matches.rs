//! `seabattle match`: plays pairs of games between two contestants.

mod report;

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_arena::{Contestant, Executor, FinishedGame, Match, PairSettings, Score, ThreadExecutor};
use seabattle_core::{BySide, Side};

use crate::cli::{MatchArgs, MatchFormat};
use crate::display_names::{self, ContestantName};
use crate::fault_reporter::FaultReporter;
use crate::limits::{self, Limits};
use crate::players::SessionLength;
use crate::remote::{Job, MatchJob, PlayerJob, Remote, RemoteExecutor};
use crate::{bot_logs, contest_bots, interrupt, players, random_seed};
use report::MatchResult;

pub(crate) fn play(args: &MatchArgs) -> anyhow::Result<()> {
    let session = SessionLength::for_series(args.series, args.pairs);
    let limits = args.limits.applied_to(&Limits::default());
    let contestant = |text: &str| players::contestant(text, &limits, session);
    let mut contestants = BySide { a: contestant(&args.a)?, b: contestant(&args.b)? };
    contest_bots::check_rules(&args.a, &args.rules)?;
    contest_bots::check_rules(&args.b, &args.rules)?;
    players::check_isolation([&contestants.a, &contestants.b])?;
    if [&contestants.a, &contestants.b].iter().any(|contestant| contestant.is_external()) {
        writeln!(io::stderr(), "External bots run {}. {}", limits.access_text(), limits::in_force()).ok();
    }
    bot_logs::attach(args.bot_log.as_deref(), 1, &mut contestants.a)?;
    bot_logs::attach(args.bot_log.as_deref(), 2, &mut contestants.b)?;
    let reporter =
        |side: Side, text: &str| FaultReporter::new(&contestants[side].name, players::check_command(text, &limits));
    let fault_reporters = BySide { a: reporter(Side::A, &args.a), b: reporter(Side::B, &args.b) };
    let seed = args.seed.map_or_else(random_seed::secret, Ok)?;
    let planned = Match {
        settings: PairSettings { rules: args.rules.clone(), seed, reveal: !args.hide, learn: args.learn },
        pairs: args.pairs,
        series: args.series,
        sprt: args.sprt,
        give_up: NonZero::new(args.give_up),
    };
    let records = args.records.as_deref().map(|folder| Records::new(folder, &contestants)).transpose()?;
    let score = run(&planned, &contestants, &fault_reporters, records, args)?;
    if score.games() == 0 && !interrupt::is_requested() {
        bail!("no pair of games was finished");
    }
    let display_names = display_names(&contestants, &score);
    let result = MatchResult {
        planned: &planned,
        names: names(&contestants),
        display_names: BySide { a: &display_names[0], b: &display_names[1] },
        score: &score,
    };
    let text = match args.format {
        MatchFormat::Text => report::text(&result),
        MatchFormat::Json => report::json(&result)?,
    };
    io::stdout().write_all(text.as_bytes())?;
    if interrupt::is_requested() {
        interrupt::exit();
    }
    if args.tolerate || (score.faults.a.is_empty() && score.faults.b.is_empty()) {
        return Ok(());
    }
    bail!("a contestant forfeited games (--tolerate ignores this)")
}

fn names(contestants: &BySide<Contestant>) -> BySide<&str> {
    BySide { a: &contestants.a.name, b: &contestants.b.name }
}

/// Returns the names to show for both contestants.
fn display_names(contestants: &BySide<Contestant>, score: &Score) -> Vec<String> {
    let name_of = |side: Side| ContestantName {
        name: &contestants[side].name,
        is_chosen: false,
        own_name: score.names[side].as_deref(),
    };
    display_names::resolve(&Side::ALL.map(name_of))
}

fn run(
    planned: &Match,
    contestants: &BySide<Contestant>,
    fault_reporters: &BySide<FaultReporter>,
    mut records: Option<Records>,
    args: &MatchArgs,
) -> anyhow::Result<Score> {
    let threads = args.threads.map_or_else(std::thread::available_parallelism, Ok)?;
    let stop = interrupt::stop_flag()?;
    let bar = progress_bar(planned.pairs);
    let mut written = Ok(());
    let sides = BySide { a: &contestants.a, b: &contestants.b };
    let on_game = |game: &FinishedGame| report_faults(game, fault_reporters, &bar);
    let record_names = records.is_some().then(|| names(contestants).map(str::to_owned));
    let play = |pairs| planned.play(sides, pairs, record_names.as_ref(), &on_game);
    let local = ThreadExecutor { count: threads, play };
    let remote = args.remote.nats.as_deref().map(|url| Remote::connect(&args.remote, url, &bar, stop)).transpose()?;
    let job = MatchJob { records: records.is_some(), ..job(planned, contestants, args) };
    let remote_executor = remote.as_ref().map(|remote| {
        let part = |part| Job::Match(MatchJob { part, ..job.clone() });
        Ok::<_, anyhow::Error>(RemoteExecutor::new(remote, serde_json::to_string(&job)?, part))
    });
    let remote_executor = remote_executor.transpose()?;
    let (executor, series_per_job): (&dyn Executor<_, _>, _) = match &remote_executor {
        None => (&local, NonZero::<u64>::MIN),
        Some(remote_executor) => {
            (remote_executor, args.remote.series_per_job(2 * args.series.get(), &[&args.a, &args.b]))
        }
    };
    let score = planned.run(executor, series_per_job, stop, |number, pair, score| {
        if remote_executor.is_some() {
            pair.iter().for_each(on_game);
        }
        bar.set_position(number + 1);
        bar.set_message(format!("{} : {}", points(score, Side::A), points(score, Side::B)));
        if let Some(records) = &mut records {
            // A match that begins again has records of false games before.
            let ready = if number == 0 { records.restart() } else { Ok(()) };
            written = ready.and_then(|()| records.write(pair));
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    bar.finish_and_clear();
    if let Some(remote) = &remote {
        remote.close();
    }
    written.context("cannot write the records")?;
    for side in Side::ALL.into_iter().filter(|&side| score.set_aside[side]) {
        let (name, played) = (&contestants[side].name, score.games() / 2);
        let faults = args.give_up;
        writeln!(
            io::stderr(),
            "{name} failed {faults} games in a row, so the match ends after {played} of {} pairs (--give-up)",
            planned.pairs
        )
        .ok();
    }
    if interrupt::is_requested() {
        writeln!(io::stderr(), "Stopped after {} of {} pairs.", score.games() / 2, planned.pairs).ok();
    }
    Ok(score)
}

/// Returns a job with all that the jobs of a match have in common.
fn job(planned: &Match, contestants: &BySide<Contestant>, args: &MatchArgs) -> MatchJob {
    let limits = args.limits.applied_to(&Limits::default());
    let player = |side: Side, text: &str| PlayerJob {
        name: contestants[side].name.clone(),
        player: text.to_owned(),
        limits: limits.clone(),
    };
    MatchJob {
        players: [player(Side::A, &args.a), player(Side::B, &args.b)],
        rules: planned.settings.rules.to_string(),
        seed: planned.settings.seed,
        reveal: planned.settings.reveal,
        learn: planned.settings.learn,
        pairs: planned.pairs,
        series: planned.series,
        records: false,
        part: 0..0,
    }
}

fn report_faults(game: &FinishedGame, fault_reporters: &BySide<FaultReporter>, bar: &ProgressBar) {
    for side in Side::ALL {
        if let Some(fault) = &game.players[side].fault {
            fault_reporters[side].report(game.players[side].name.as_deref(), fault, bar);
        }
    }
}

fn points(score: &Score, side: Side) -> f64 {
    score.wins[side] as f64 + score.draws as f64 / 2.0
}

/// Makes a progress bar, which is hidden in a pipe.
fn progress_bar(pairs: u64) -> ProgressBar {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(Some(pairs), target);
    let style = ProgressStyle::with_template("{bar:30} {human_pos} of {human_len} pairs, {msg}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar
}

/// The records of all games, appended to one file.
struct Records {
    file: File,
    /// The length of the file before the match.
    start: u64,
}

impl Records {
    fn new(folder: &Path, contestants: &BySide<Contestant>) -> anyhow::Result<Self> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let plain = |name: &str| name.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect::<String>();
        let path = folder.join(format!("{}-{}.txt", plain(&contestants.a.name), plain(&contestants.b.name)));
        let open = || {
            let file = OpenOptions::new().create(true).append(true).open(&path)?;
            let start = file.metadata()?.len();
            Ok::<_, io::Error>(Self { file, start })
        };
        open().with_context(|| format!("cannot write {}", path.display()))
    }

    /// Removes what this match has written so far.
    fn restart(&mut self) -> io::Result<()> {
        if self.file.metadata()?.len() > self.start { self.file.set_len(self.start) } else { Ok(()) }
    }

    /// Appends the records of a pair.
    fn write(&mut self, pair: &[FinishedGame]) -> io::Result<()> {
        let text: String = pair.iter().filter_map(|game| Some(format!("{}\n", game.record.as_ref()?))).collect();
        self.file.write_all(text.as_bytes())
    }
}
