//! `seabattle worker`: plays what others hand out.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_queue::{ExitReason, Worker, WorkerOptions, WorkerStatus};

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
        ack_timeout: args.ack_wait.0,
    };
    if !args.allow.is_empty() {
        if !args.no_sandbox {
            check_sandbox()?;
        }
        writeln!(io::stderr(), "{}", in_force()).ok();
    }
    let permissions = WorkerPermissions { commands: args.allow, see: args.see, no_sandbox: args.no_sandbox };
    let (name, threads, address) = (options.name.clone(), options.threads, redact_url(&args.nats));
    let stop = interrupt::stop_flag()?;
    let worker = Worker::connect(&args.connection.options(&args.nats), options, move |job| run_job(job, &permissions))
        .with_context(|| format!("--nats {address}"))?;
    writeln!(io::stderr(), "Worker {name}, version {}, {threads} at a time, waits for jobs at {address}.", version())
        .ok();
    let mut progress = WorkerProgress::new();
    let exit_reason = worker.run(stop, |status| progress.update(status))?;
    progress.bar.finish_and_clear();
    match exit_reason {
        ExitReason::Stopped => {
            writeln!(io::stderr(), "Stopped; the jobs in hand were given back.").ok();
            Ok(())
        }
        ExitReason::Rejected(why) => bail!("refused: {why}"),
        ExitReason::AllJobsFailed(why) => bail!("every job failed, so this worker leaves: {why}"),
    }
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
