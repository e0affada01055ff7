//! The connection to NATS, and the two JetStream streams.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{self, AckPolicy, PullConsumer};
use async_nats::jetstream::context::{ContextBuilder, CreateStreamErrorKind};
use async_nats::jetstream::stream::{Config, ConsumerErrorKind, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::{Client, ConnectOptions, ServerAddr};
use thiserror::Error;
use tokio::time::{Instant, sleep, timeout};

use crate::coordinator::CoordinatorOptions;
use crate::identity::WorkerIdentity;
use crate::subjects::{
    JOBS_STREAM, JOBS_SUBJECT, RESULTS_STREAM, RESULTS_SUBJECT, Version, consumer_name, jobs_filter,
};

/// Jobs and results that nobody fetches are deleted after this time.
const MAX_AGE: Duration = Duration::from_secs(14 * 24 * 3600);
const RETRY_INTERVAL: Duration = Duration::from_millis(250);
const MAX_TRIES: u32 = 4;
/// A connection is lost after three pings without an answer, so this many fit into the timeout.
const PINGS_PER_TIMEOUT: u32 = 4;
const PING_INTERVALS: std::ops::RangeInclusive<Duration> = Duration::from_millis(50)..=Duration::from_secs(30);

/// How to connect to NATS.
#[derive(Debug, Clone)]
pub struct ConnectionOptions {
    /// One address, or several separated by commas. Each may contain a user and password, or a token.
    pub url: String,
    /// A NATS credentials file.
    pub credentials: Option<PathBuf>,
    /// How long to wait for NATS, at the start and after a lost connection.
    pub timeout: Duration,
}

/// Which side of the queue a program is on. Each may have its own NATS user with its own permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Coordinator,
    Worker,
}

impl Role {
    /// The prefix of the subjects on which NATS answers. Different ones keep a worker from reading other answers.
    fn inbox_prefix(self) -> &'static str {
        match self {
            Self::Coordinator => "_INBOX.coordinator",
            Self::Worker => "_INBOX.worker",
        }
    }
}

/// Why a coordinator or a worker had to stop.
#[derive(Debug, Error)]
pub enum QueueError {
    /// NATS did not answer within the timeout.
    #[error("no answer from NATS for {} s ({reason}); what is done so far is safe: start it, then give the same command again", timeout.as_secs_f32())]
    Unreachable {
        /// The last error.
        reason: String,
        /// How long the program waited.
        timeout: Duration,
    },
    /// NATS refused the user, password or token.
    #[error("cannot log in to NATS: {0}; name user and password in the address, or a file with --nats-creds")]
    LoginFailed(String),
    /// An address is none. The message does not show it, because it may contain a password.
    #[error("the address is not like nats://user:password@host:4222")]
    InvalidAddress,
    /// The credentials file cannot be read.
    #[error("{path}: {error}", path = path.display())]
    Credentials {
        /// The credentials file.
        path: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// NATS answers, but JetStream cannot be used.
    #[error("NATS cannot keep jobs: {0}; it must run with JetStream (nats-server -js)")]
    JetStream(String),
    /// A job failed too often.
    #[error("job {number} cannot be done: {reason} (last tried by {worker})")]
    JobFailed {
        /// The number of the job.
        number: u64,
        /// The error of the last attempt.
        reason: String,
        /// The worker that tried last.
        worker: String,
    },
    /// A result was false. Nothing of this worker counts, and it gets no further jobs.
    #[error("worker {worker} has delivered a false result: {reason}")]
    FalseResult {
        /// The worker.
        worker: WorkerIdentity,
        /// What is wrong with the result.
        reason: String,
    },
    /// The stop flag was set before the program was connected.
    #[error("stopped before NATS answered")]
    Stopped,
    /// The async runtime could not be started.
    #[error("cannot start: {0}")]
    Io(#[from] std::io::Error),
}

impl ConnectionOptions {
    /// Connects under a client name, and retries until the timeout.
    pub(crate) async fn connect(&self, name: &str, role: Role) -> Result<Client, QueueError> {
        let until = Instant::now() + self.timeout;
        loop {
            match self.try_to_connect(name, role).await {
                Err(QueueError::Unreachable { .. }) if Instant::now() < until => sleep(RETRY_INTERVAL).await,
                connected => return connected,
            }
        }
    }

    /// Connects under a client name. [`QueueError::Unreachable`] means that another try may succeed.
    pub(crate) async fn try_to_connect(&self, name: &str, role: Role) -> Result<Client, QueueError> {
        let servers = self.servers()?;
        let options = self.options(name, role, &servers).await?;
        let reason = match timeout(self.timeout, options.connect(&servers)).await {
            Ok(Ok(client)) => return Ok(client),
            Ok(Err(error)) => match error.kind() {
                async_nats::ConnectErrorKind::Authentication | async_nats::ConnectErrorKind::AuthorizationViolation => {
                    return Err(QueueError::LoginFailed(error.to_string()));
                }
                _ => error.to_string(),
            },
            Err(_) => "it takes too long".to_owned(),
        };
        Err(QueueError::Unreachable { reason, timeout: self.timeout })
    }

    fn servers(&self) -> Result<Vec<ServerAddr>, QueueError> {
        let server = |address: &str| address.trim().parse().map_err(|_| QueueError::InvalidAddress);
        self.url.split(',').map(server).collect()
    }

    async fn options(&self, name: &str, role: Role, servers: &[ServerAddr]) -> Result<ConnectOptions, QueueError> {
        // The client reconnects for ever; the callers here decide how long to wait.
        let options = ConnectOptions::new()
            .name(name)
            .request_timeout(Some(Duration::from_secs(5)))
            .custom_inbox_prefix(role.inbox_prefix())
            .ping_interval((self.timeout / PINGS_PER_TIMEOUT).clamp(*PING_INTERVALS.start(), *PING_INTERVALS.end()));
        // The client ignores the user and the password in an address.
        let login = servers.iter().find_map(|server| Some((server.username()?, server.password())));
        let options = match login {
            Some((user, Some(password))) => options.user_and_password(percent_decode(user), percent_decode(password)),
            Some((token, None)) => options.token(percent_decode(token)),
            None => options,
        };
        match &self.credentials {
            None => Ok(options),
            Some(path) => options
                .credentials_file(path)
                .await
                .map_err(|error| QueueError::Credentials { path: path.clone(), error }),
        }
    }
}

/// The text with every `%41` replaced by its character: addresses keep special characters in this form.
fn percent_decode(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, after @ ..] = rest {
        let code = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether the client is connected now.
pub(crate) fn is_connected(client: &Client) -> bool {
    client.connection_state() == State::Connected
}

/// How often the client has connected. A change means that messages may have been lost.
pub(crate) fn connection_count(client: &Client) -> u64 {
    client.statistics().connects.load(Ordering::Relaxed)
}

/// A JetStream context with short timeouts: an answer that was lost with a connection never comes.
pub(crate) fn jetstream_context(client: &Client) -> Context {
    ContextBuilder::new().timeout(Duration::from_secs(5)).ack_timeout(Duration::from_secs(2)).build(client.clone())
}

/// The streams of jobs and results.
pub(crate) struct Streams {
    pub(crate) context: Context,
    pub(crate) jobs: Stream,
    pub(crate) results: Stream,
}

impl Streams {
    /// Opens both streams and the consumer from which workers take jobs. Creates what does not exist.
    ///
    /// Only a coordinator does that, so workers need no permission to create anything.
    pub(crate) async fn open(client: &Client, options: &CoordinatorOptions) -> Result<Self, QueueError> {
        let context = jetstream_context(client);
        let jobs = Config {
            name: JOBS_STREAM.to_owned(),
            subjects: vec![JOBS_SUBJECT.to_owned()],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_age: MAX_AGE,
            ..Config::default()
        };
        let results = Config {
            name: RESULTS_STREAM.to_owned(),
            subjects: vec![RESULTS_SUBJECT.to_owned()],
            // The subject names the job, so a duplicate result replaces the first.
            max_messages_per_subject: 1,
            max_age: MAX_AGE,
            ..Config::default()
        };
        let jobs = open_stream(&context, jobs).await?;
        let results = open_stream(&context, results).await?;
        let consumer = consumer::pull::Config {
            durable_name: Some(consumer_name(&options.version)),
            filter_subject: jobs_filter(&options.version),
            ack_policy: AckPolicy::Explicit,
            ack_wait: options.ack_timeout,
            max_ack_pending: 100_000,
            max_waiting: 10_000,
            ..consumer::pull::Config::default()
        };
        jobs.create_consumer(consumer).await.map_err(|error| QueueError::JetStream(error.to_string()))?;
        Ok(Self { context, jobs, results })
    }
}

/// The consumer from which all workers of a version take jobs; `None` while no coordinator has created it.
pub(crate) async fn worker_consumer(context: &Context, version: &Version) -> Result<Option<PullConsumer>, String> {
    match context.get_consumer_from_stream(consumer_name(version), JOBS_STREAM).await {
        Ok(consumer) => Ok(Some(consumer)),
        Err(error) => match error.kind() {
            ConsumerErrorKind::JetStream(error) if error.code() == 404 => Ok(None),
            _ => Err(error.to_string()),
        },
    }
}

/// Opens a stream, and creates it if it does not exist. When several programs create it at once, the server refuses all but
/// one. The others retry and find it.
async fn open_stream(context: &Context, config: Config) -> Result<Stream, QueueError> {
    let mut tries = 1;
    loop {
        let error = match context.get_or_create_stream(config.clone()).await {
            Ok(stream) => return Ok(stream),
            Err(error) => error,
        };
        if tries == MAX_TRIES || !matches!(error.kind(), CreateStreamErrorKind::JetStream(_)) {
            return Err(QueueError::JetStream(error.to_string()));
        }
        tries += 1;
        sleep(RETRY_INTERVAL).await;
    }
}

#[cfg(test)]
mod tests {
    use super::percent_decode;

    #[test]
    fn special_characters_in_an_address_are_decoded() {
        for (text, decoded) in [("a%40b", "a@b"), ("%3a", ":"), ("100%", "100%"), ("%zz%4", "%zz%4"), ("", "")] {
            assert_eq!(percent_decode(text), decoded);
        }
    }
}
