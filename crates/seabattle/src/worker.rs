//! `seabattle worker`: plays what others hand out.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use seabattle_queue::{ExitReason, Worker, WorkerOptions, WorkerStatus};

use crate::cli::WorkerArgs;
use crate::interrupt;
use crate::remote::{Allowed, do_job, public, version};

/// Between lines in a log.
const BETWEEN_LINES: Duration = Duration::from_secs(60);

pub(crate) fn work(args: WorkerArgs) -> anyhow::Result<()> {
    let options = WorkerOptions {
        name: args.name.unwrap_or_else(own_name),
        version: version(),
        threads: args.threads.map_or_else(std::thread::available_parallelism, Ok)?,
        ack_timeout: args.ack_wait.0,
    };
    let allowed = Allowed { commands: args.allow, open: args.no_sandbox };
    let (name, threads, address) = (options.name.clone(), options.threads, public(&args.nats));
    let stop = interrupt::flag()?;
    let worker = Worker::connect(&args.connection.options(&args.nats), options, move |job| do_job(job, &allowed))
        .with_context(|| format!("--nats {address}"))?;
    writeln!(io::stderr(), "Worker {name}, version {}, {threads} at a time, waits for jobs at {address}.", version())
        .ok();
    let mut view = View::new();
    let left = worker.run(stop, |status| view.show(status))?;
    view.bar.finish_and_clear();
    match left {
        ExitReason::Stopped => {
            writeln!(io::stderr(), "Stopped; the jobs in hand were given back.").ok();
            Ok(())
        }
        ExitReason::Rejected(why) => bail!("refused: {why}"),
        ExitReason::AllJobsFailed(why) => bail!("every job failed, so this worker leaves: {why}"),
    }
}

/// Nobody else has it.
fn own_name() -> String {
    let machine = rustix::system::uname().nodename().to_string_lossy().into_owned();
    format!("{machine}-{}", std::process::id())
}

/// One line that changes on a terminal, a line a minute in a log.
struct View {
    bar: ProgressBar,
    last: Instant,
    told: u64,
}

impl View {
    fn new() -> Self {
        let visible = io::stderr().is_terminal();
        let target = if visible { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        bar.set_style(ProgressStyle::with_template("{msg}").unwrap_or_else(|_| ProgressStyle::default_spinner()));
        Self { bar, last: Instant::now(), told: 0 }
    }

    fn show(&mut self, status: &WorkerStatus) {
        let WorkerStatus { busy, threads, done, failed, .. } = status;
        let failed = if *failed > 0 { format!(", {failed} failed") } else { String::new() };
        let line = format!("{busy} of {threads} busy, {done} jobs done{failed}");
        self.bar.set_message(line.clone());
        if self.bar.is_hidden() && self.last.elapsed() >= BETWEEN_LINES && *done > self.told {
            (self.last, self.told) = (Instant::now(), *done);
            writeln!(io::stderr(), "{line}").ok();
        }
    }
}
