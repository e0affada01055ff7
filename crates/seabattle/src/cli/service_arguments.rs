//! The arguments of the commands that run until they are stopped.

use std::net::SocketAddr;
use std::num::NonZero;
use std::path::PathBuf;

use clap::{Args, ValueEnum, ValueHint};

use super::bot_arguments::parse_threads;
use super::help;
use crate::limits::{DurationArg, parse_memory, parse_readable_path};
use crate::remote::{ConnectionArgs, DEFAULT_MAX_MEMORY};

#[derive(Args)]
#[command(after_help = help::WORKER)]
pub(crate) struct WorkerArgs {
    /// NATS server that has the jobs; separate several addresses by commas
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) nats: String,

    /// Jobs played at the same time [default: number of cores]
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_threads)]
    pub(crate) threads: Option<NonZero<usize>>,

    /// Let the queue start this command, exactly as it is typed there (repeatable)
    #[arg(long, value_name = "COMMAND", value_hint = ValueHint::CommandString)]
    pub(crate) allow: Vec<String>,

    /// Let allowed commands read this folder too (repeatable). By default they can read only files they name
    #[arg(long, value_name = "DIR", requires = "allow", conflicts_with = "no_sandbox", value_hint = clap::ValueHint::DirPath, value_parser = parse_readable_path)]
    pub(crate) see: Vec<PathBuf>,

    /// Let allowed commands use the network and read all files
    #[arg(long, requires = "allow")]
    pub(crate) no_sandbox: bool,

    /// The most memory that a job may give an allowed command, in MiB
    #[arg(long, value_name = "MIB", value_hint = ValueHint::Other, default_value_t = DEFAULT_MAX_MEMORY, value_parser = parse_memory)]
    pub(crate) max_memory: u64,

    /// Name shown in reports [default: host name and process id]
    #[arg(long, value_name = "NAME", value_hint = ValueHint::Other, value_parser = parse_name)]
    pub(crate) name: Option<String>,

    /// Without effect: now an option of `match`, `tournament` and `bench`
    #[arg(long, value_name = "TIME", value_hint = ValueHint::Other, hide = true)]
    pub(crate) ack_wait: Option<DurationArg>,

    #[command(flatten)]
    pub(crate) connection: ConnectionArgs,
}

/// The name of a worker, on one line.
fn parse_name(text: &str) -> Result<String, String> {
    let is_name = (1..=64).contains(&text.chars().count()) && !text.chars().any(char::is_control);
    if is_name { Ok(text.to_owned()) } else { Err("a name has 1 to 64 letters".to_owned()) }
}

#[derive(Args)]
#[command(after_help = help::SERVE)]
pub(crate) struct ServeArgs {
    /// Address to listen at
    #[arg(long, value_name = "ADDRESS", value_hint = ValueHint::Other, default_value = "127.0.0.1:8018")]
    pub(crate) addr: SocketAddr,

    /// Where to store games: an SQLite file, or postgres://user@host/database
    #[arg(long, value_name = "STORE", value_hint = ValueHint::FilePath, default_value = "seabattle.db")]
    pub(crate) store: String,

    /// Exchange news with other nodes of the site through this server: nats://host:4222 or tls://host:4222.
    /// Put user:password@ or token@ before the host if needed
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub(crate) nats: Option<String>,

    /// NATS credentials file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "nats")]
    pub(crate) nats_creds: Option<PathBuf>,

    /// How long to wait for PostgreSQL and NATS at the start
    #[arg(long, value_name = "TIME", value_hint = ValueHint::Other, default_value = "30s")]
    pub(crate) wait: DurationArg,

    /// Take the client's address from X-Forwarded-For; only for a server behind a proxy that sets it
    #[arg(long)]
    pub(crate) forwarded: bool,

    /// Requests per second that one client may make on average
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = seabattle_server::DEFAULT_RATE, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) rate: u32,

    /// Format of the log on standard error
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    pub(crate) log_format: LogFormat,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// Lines for people
    Text,
    /// One JSON object per line
    Json,
    /// No log
    Off,
}
