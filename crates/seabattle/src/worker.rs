//! `seabattle worker`: plays what others hand out.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_queue::{ExitReason, Worker, WorkerEvent, WorkerOptions, WorkerStatus};

use crate::cli::WorkerArgs;
use crate::interrupt;
use crate::limits::{check_sandbox, in_force};
use crate::remote::{WorkerPermissions, redact_url, run_job, version};

/// Between lines in a log.
const LOG_INTERVAL: Duration = Duration::from_secs(60);

pub(crate) fn work(args: WorkerArgs) -> anyhow::Result<()> {
    let options = WorkerOptions {
        name: args.name.unwrap_or_else(default_name),
        version: version(),
        threads: args.threads.map_or_else(std::thread::available_parallelism, Ok)?,
    };
    if args.ack_wait.is_some() {
        print_line("--ack-wait of `seabattle worker` has no effect: give it to match, tournament or bench");
    }
    if !args.allow.is_empty() {
        if !args.no_sandbox {
            check_sandbox()?;
        }
        print_line(in_force());
    }
    let permissions = WorkerPermissions {
        commands: args.allow,
        see: args.see,
        no_sandbox: args.no_sandbox,
        max_memory: args.max_memory,
    };
    let (threads, address) = (options.threads, redact_url(&args.nats));
    let stop = interrupt::stop_flag()?;
    let connection = args.connection.options(&args.nats);
    let worker = Worker::new(&connection, options, move |job| run_job(job, &permissions))?;
    let introduction = format!(
        "worker {}, version {}, {threads} at a time, waits for jobs at {address}",
        worker.identity(),
        version()
    );
    let mut progress = WorkerProgress::new();
    let exit_reason = worker
        .run(stop, |event| match event {
            WorkerEvent::Connected { again: false } => print_line(&introduction),
            WorkerEvent::Connected { again: true } => progress.print(&format!("connected again: {introduction}")),
            WorkerEvent::Disconnected { reason } => {
                progress.print(&format!("NATS at {address} does not answer ({reason}): waiting until it does"));
            }
            WorkerEvent::NoJobs { reason } => progress.print(&format!(
                "NATS at {address} gives no jobs ({reason}): does it run with JetStream, and may this user take jobs?"
            )),
            WorkerEvent::Status(status) => progress.update(status),
        })
        .with_context(|| format!("--nats {address}"))?;
    progress.bar.finish_and_clear();
    // Commands of jobs that were given back must not outlive the worker.
    seabattle_arena::kill_external_bots();
    match exit_reason {
        ExitReason::Stopped => {
            print_line("stopped; the jobs in hand were given back");
            Ok(())
        }
        ExitReason::Rejected(why) => bail!("refused: {why}"),
        ExitReason::AllJobsFailed(why) => bail!("every job failed, so this worker leaves: {why}"),
    }
}

fn print_line(line: &str) {
    writeln!(io::stderr(), "seabattle: {line}").ok();
}

/// Nobody else has it.
fn default_name() -> String {
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    format!("{machine}-{}", std::process::id())
}

/// One line that changes on a terminal, a line a minute in a log.
struct WorkerProgress {
    bar: ProgressBar,
    last: Instant,
    reported_jobs: u64,
}

impl WorkerProgress {
    fn new() -> Self {
        let visible = io::stderr().is_terminal();
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Self { bar, last: Instant::now(), reported_jobs: 0 }
    }

    fn print(&self, line: &str) {
        self.bar.suspend(|| print_line(line));
    }

    fn update(&mut self, status: &WorkerStatus) {
        let WorkerStatus { busy, threads, done, failed, .. } = status;
        let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
        let line = format!("{busy} of {threads} busy, {done} jobs done{failed}");
        self.bar.set_message(line.clone());
        if self.bar.is_hidden() && self.last.elapsed() >= LOG_INTERVAL && *done > self.reported_jobs {
            (self.last, self.reported_jobs) = (Instant::now(), *done);
            writeln!(io::stderr(), "{line}").ok();
        }
    }
}
