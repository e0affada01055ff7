//! Games on other machines: jobs that go out over NATS, workers that play them, and how far they are believed.

mod bounds;
mod executor;
mod job;
mod verifier;
mod worker_monitor;

use std::num::NonZero;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::Context;
use clap::Args;
use indicatif::ProgressBar;
use seabattle_queue::{
    ConnectionOptions, Coordinator, CoordinatorOptions, QueueError, RunId, Verification, Verifier, Version,
};
use sha2::{Digest, Sha256};

use crate::interrupt;
use crate::limits::DurationArg;

pub(crate) use executor::RemoteExecutor;
pub(crate) use job::{
    BenchJob, DEFAULT_MAX_MEMORY, Job, LayoutJob, MatchJob, PlayerJob, TaskJob, WorkerPermissions, contenders, run_job,
};
use verifier::JobVerifier;
pub(crate) use worker_monitor::WorkerMonitor;

/// Games of a job if its bots take microseconds, and if one of them thinks.
const QUICK_JOB_GAMES: u64 = 1000;
const SLOW_JOB_GAMES: u64 = 20;

const DEFAULT_ACK_WAIT: Duration = Duration::from_secs(10);

/// Where NATS is.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Many machines")]
pub(crate) struct ConnectionArgs {
    /// NATS credentials file; a user and a password can also be part of the address
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, requires = "nats")]
    pub(crate) nats_creds: Option<std::path::PathBuf>,

    /// How long to wait for NATS at the start, and when it is away later; a worker only reports the outage [default: 30s]
    #[arg(long, value_name = "TIME", value_hint = clap::ValueHint::Other, requires = "nats")]
    pub(crate) nats_wait: Option<DurationArg>,
}

impl ConnectionArgs {
    pub(crate) fn options(&self, url: &str) -> ConnectionOptions {
        let timeout = self.nats_wait.map_or(Duration::from_secs(30), |time| time.0);
        ConnectionOptions { url: url.to_owned(), credentials: self.nats_creds.clone(), timeout }
    }
}

/// How other machines play.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Many machines")]
pub(crate) struct RemoteArgs {
    /// Let workers (`seabattle worker`) play, connected through NATS at this address, such as nats://host:4222.
    /// The results are the same
    #[arg(long, value_name = "URL", value_hint = clap::ValueHint::Url)]
    pub(crate) nats: Option<String>,

    /// Approximate number of games in a job [default: 1000, or 20 if a bot is slow]
    #[arg(long, value_name = "N", value_hint = clap::ValueHint::Other, requires = "nats", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    pub(crate) job: Option<u64>,

    /// Share of the jobs to play again here; the first of each worker always is [default: 5%]
    #[arg(long, value_name = "SHARE", value_hint = clap::ValueHint::Other, requires = "nats")]
    pub(crate) verify: Option<Share>,

    /// Reassign a job after this long without a heartbeat [default: 10s]
    #[arg(long, value_name = "TIME", value_hint = clap::ValueHint::Other, requires = "nats")]
    pub(crate) ack_wait: Option<DurationArg>,

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}

impl RemoteArgs {
    /// How many series of this many games a job has.
    pub(crate) fn series_per_job(&self, games: u64, players: &[&str]) -> NonZero<u64> {
        let is_quick = |name: &&str| seabattle_bots::find(name).is_ok_and(|entry| !entry.is_slow);
        let default_games = if players.iter().all(is_quick) { QUICK_JOB_GAMES } else { SLOW_JOB_GAMES };
        let series = self.job.unwrap_or(default_games) / games.max(1);
        NonZero::new(series).unwrap_or(NonZero::<u64>::MIN)
    }
}

/// A share as `5%` or `0.05`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Share(f64);

impl Default for Share {
    fn default() -> Self {
        Self(0.05)
    }
}

impl FromStr for Share {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
        let share = number.trim().parse::<f64>().ok().map(|number| number / unit);
        share.filter(|share| (0.0..=1.0).contains(share)).map(Self).ok_or("a share is 0% to 100%, such as 5%")
    }
}

/// The version of this program. Programs of one version play the same games.
pub(crate) fn version() -> Version {
    Version::new(&format!("{}-{}", env!("CARGO_PKG_VERSION"), digest(seabattle_bots::FINGERPRINTS.as_bytes())))
}

/// The name of a run: the same for the same work, whichever coordinator hands it out.
fn run_id(what: &str) -> RunId {
    RunId::new(&digest(format!("{} {what}", version()).as_bytes()))
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// A connection to workers, what is shown of them, and what is believed.
pub(crate) struct Remote {
    coordinator: Coordinator,
    monitor: WorkerMonitor,
    verifier: Arc<JobVerifier>,
}

impl Remote {
    /// Waits for NATS, until `stop` is set.
    pub(crate) fn connect(args: &RemoteArgs, url: &str, bar: &ProgressBar, stop: &AtomicBool) -> anyhow::Result<Self> {
        let verifier = Arc::<JobVerifier>::default();
        let verification = Verification {
            verifier: Arc::clone(&verifier) as Arc<dyn Verifier>,
            share: args.verify.unwrap_or_default().0,
            threads: std::thread::available_parallelism()?,
        };
        let options = CoordinatorOptions {
            version: version(),
            ack_timeout: args.ack_wait.map_or(DEFAULT_ACK_WAIT, |time| time.0),
            verification: Some(verification),
        };
        let coordinator = match Coordinator::connect(&args.connection.options(url), options, stop) {
            Err(QueueError::Stopped) => interrupt::exit(),
            connected => connected.with_context(|| format!("--nats {}", redact_url(url)))?,
        };
        Ok(Self { coordinator, monitor: WorkerMonitor::new(bar), verifier })
    }

    /// Ends the view of the workers, and reports failures and what was verified.
    pub(crate) fn close(&self) {
        self.monitor.close();
        self.verifier.report();
    }
}

/// An address without its secrets.
pub(crate) fn redact_url(url: &str) -> String {
    let address = |part: &str| match (part.split_once("://"), part.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.to_owned(),
        _ => part.to_owned(),
    };
    url.split(',').map(|part| address(part.trim())).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::{Share, redact_url, run_id};

    #[test]
    fn a_share_is_typed_in_percent() {
        for (text, share) in [("5%", 0.05), ("0.25", 0.25), ("0%", 0.0), ("100%", 1.0), ("12.5 %", 0.125)] {
            assert_eq!(text.parse(), Ok(Share(share)), "{text}");
        }
        for text in ["", "%", "5", "101%", "-1%", "NaN%", "all"] {
            assert!(text.parse::<Share>().is_err(), "{text}");
        }
    }

    #[test]
    fn secrets_are_not_shown() {
        assert_eq!(redact_url("nats://me:secret@host:4222, tls://token@other"), "nats://host:4222,tls://other");
        assert_eq!(redact_url("me:secret@host"), "host");
        assert_eq!(redact_url("nats://host:4222"), "nats://host:4222");
    }

    #[test]
    fn the_same_work_has_the_same_name() {
        assert_eq!(run_id("a"), run_id("a"));
        assert_ne!(run_id("a"), run_id("b"));
    }
}
