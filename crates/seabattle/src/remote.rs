//! Work for other machines: what is handed out over NATS, who does it, and how it is shown.

mod executor;
mod job;
mod worker_monitor;

use std::num::NonZero;

use anyhow::Context;
use clap::Args;
use indicatif::ProgressBar;
use seabattle_queue::{ConnectionOptions, Coordinator, RunId, Version};
use sha2::{Digest, Sha256};

use crate::limits::DurationArg;

pub(crate) use executor::RemoteExecutor;
pub(crate) use job::{BenchJob, Job, LayoutJob, MatchJob, PlayerJob, TaskJob, WorkerPermissions, contenders, run_job};
pub(crate) use worker_monitor::WorkerMonitor;

/// Games of a job where bots take microseconds, and where they think.
const QUICK_JOB_GAMES: u64 = 1000;
const SLOW_JOB_GAMES: u64 = 20;

/// Where NATS is.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Many machines")]
pub(crate) struct ConnectionArgs {
    /// NATS credentials file; a user and a password can also be part of the address
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath, requires = "nats")]
    pub(crate) nats_creds: Option<std::path::PathBuf>,

    /// How long to wait for NATS at the start, and when it is away later [default: 30s]
    #[arg(long, value_name = "TIME", value_hint = clap::ValueHint::Other, requires = "nats")]
    pub(crate) nats_wait: Option<DurationArg>,
}

impl ConnectionArgs {
    pub(crate) fn options(&self, url: &str) -> ConnectionOptions {
        let timeout = self.nats_wait.map_or(std::time::Duration::from_secs(30), |time| time.0);
        ConnectionOptions { url: url.to_owned(), credentials: self.nats_creds.clone(), timeout }
    }
}

/// Whether others shall do the work.
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

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}

impl RemoteArgs {
    /// The series of a job, of so many games each.
    pub(crate) fn series_per_job(&self, games: u64, players: &[&str]) -> NonZero<u64> {
        let is_quick = |name: &&str| seabattle_bots::find(name).is_ok_and(|entry| !entry.is_slow);
        let default_games = if players.iter().all(is_quick) { QUICK_JOB_GAMES } else { SLOW_JOB_GAMES };
        let series = self.job.unwrap_or(default_games) / games.max(1);
        NonZero::new(series).unwrap_or(NonZero::<u64>::MIN)
    }
}

/// Which programs can work together: those that play the same games.
pub(crate) fn version() -> Version {
    Version::new(&format!("{}-{}", env!("CARGO_PKG_VERSION"), digest(seabattle_bots::FINGERPRINTS.as_bytes())))
}

/// The same for the same work, whoever hands it out.
fn run_id(what: &str) -> RunId {
    RunId::new(&digest(format!("{} {what}", version()).as_bytes()))
}

fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// A connection to others, and what is shown of them.
pub(crate) struct Remote {
    coordinator: Coordinator,
    pub(crate) monitor: WorkerMonitor,
}

impl Remote {
    /// Waits for NATS.
    pub(crate) fn connect(args: &RemoteArgs, url: &str, bar: &ProgressBar) -> anyhow::Result<Self> {
        let options = args.connection.options(url);
        let coordinator =
            Coordinator::connect(&options, version()).with_context(|| format!("--nats {}", redact_url(url)))?;
        Ok(Self { coordinator, monitor: WorkerMonitor::new(bar) })
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
    use super::{redact_url, run_id};

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
