//! Arguments of programs that run until they are stopped: the server, and workers.

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::parse_threads;
use crate::limits::{DurationArg, parse_readable_path};
use crate::remote::ConnectionArgs;

const WORKER_EXAMPLES: &str = "\
A worker takes jobs from a queue and plays them; `match`, `tournament` and `bench` put jobs there with --nats. It plays
bots of the catalog alone: a command runs only if it is allowed here, word for word. A job whose worker dies is
given to another, and after Ctrl-C the jobs in hand are given back.

Examples:
  nats-server -js &
  seabattle worker --nats nats://127.0.0.1:4222 &
  seabattle tournament density star quadrant --out games --nats nats://127.0.0.1:4222
  seabattle worker --nats tls://queue.example.org --nats-creds worker.creds --threads 8
  seabattle worker --nats nats://127.0.0.1:4222 --allow \"python3 bots/python/bot.py\"";

#[derive(Args)]
#[command(after_help = WORKER_EXAMPLES)]
pub(crate) struct WorkerArgs {
    /// Where the jobs are: one or several addresses, separated by commas
    #[arg(long, value_name = "URL")]
    pub(crate) nats: String,

    /// Jobs at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = parse_threads)]
    pub(crate) threads: Option<NonZero<usize>>,

    /// A command that the queue may have started here, exactly as it is typed there; can be given several times
    #[arg(long, value_name = "COMMAND")]
    pub(crate) allow: Vec<String>,

    /// Let allowed commands read this folder too (repeatable); otherwise they read the files that they name
    #[arg(long, value_name = "DIR", requires = "allow", conflicts_with = "no_sandbox", value_hint = clap::ValueHint::DirPath, value_parser = parse_readable_path)]
    pub(crate) see: Vec<PathBuf>,

    /// Let allowed commands reach the network and all files
    #[arg(long, requires = "allow")]
    pub(crate) no_sandbox: bool,

    /// What others call it [default: the name of the machine and the number of the process]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// A job of which nothing is heard for so long is given to another worker
    #[arg(long, value_name = "TIME", default_value = "10s")]
    pub(crate) ack_wait: DurationArg,

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}

const SERVE_EXAMPLES: &str = "\
Games survive whatever happens to the server: they are stored before anyone is told.

Examples:
  seabattle serve
  seabattle serve --addr 0.0.0.0:8080 --store /var/lib/seabattle/games.db --log-format json
  seabattle serve --store postgres://seabattle@db/seabattle --nats nats://news:4222 --forwarded";

#[derive(Args)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct ServeArgs {
    /// Where to listen
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8018")]
    pub(crate) addr: SocketAddr,

    /// Where games are kept: a file for SQLite, or postgres://user@host/database
    #[arg(long, value_name = "STORE", default_value = "seabattle.db")]
    pub(crate) store: String,

    /// Tell other nodes of the site what happens here, and hear from them: nats://host:4222 or tls://host:4222, with
    /// user:password@ or token@ before the host where needed
    #[arg(long, value_name = "URL")]
    pub(crate) nats: Option<String>,

    /// A file of credentials for NATS
    #[arg(long, value_name = "FILE", requires = "nats")]
    pub(crate) nats_creds: Option<PathBuf>,

    /// How long to wait at the start for PostgreSQL, and for NATS
    #[arg(long, value_name = "TIME", default_value = "30s")]
    pub(crate) wait: DurationArg,

    /// The server stands behind a balancer that adds the client's address to X-Forwarded-For: limits go by that
    #[arg(long)]
    pub(crate) forwarded: bool,

    /// Requests a second that one client may make in the long run
    #[arg(long, value_name = "N", default_value_t = seabattle_server::DEFAULT_RATE, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) rate: u32,

    /// How to log, to standard error
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines to read
    Text,
    /// One JSON object a line
    Json,
    /// Nothing
    Off,
}
