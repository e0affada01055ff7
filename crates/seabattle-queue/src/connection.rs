//! The way to NATS, and the two streams there.

use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{self, AckPolicy, PullConsumer};
use async_nats::jetstream::context::{ContextBuilder, CreateStreamErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::{Client, ConnectOptions};
use thiserror::Error;
use tokio::time::{Instant, sleep, timeout};

use crate::subjects::{
    JOBS_STREAM, JOBS_SUBJECT, RESULTS_STREAM, RESULTS_SUBJECT, Version, consumer_name, jobs_filter,
};

/// Results that nobody fetches are kept so long.
const MAX_AGE: Duration = Duration::from_secs(14 * 24 * 3600);
const RETRY_INTERVAL: Duration = Duration::from_millis(250);
const MAX_TRIES: u32 = 4;

/// Where NATS is, and how long to wait for it.
#[derive(Debug, Clone)]
pub struct ConnectionOptions {
    /// One or several addresses with commas between them, with user and password or token if there are any.
    pub url: String,
    /// A file of credentials, as NATS makes them.
    pub credentials: Option<PathBuf>,
    /// How long to wait for it, at the beginning and whenever it is gone.
    pub timeout: Duration,
}

/// Why the work cannot go on, and what to do.
#[derive(Debug, Error)]
pub enum QueueError {
    /// NATS does not answer.
    #[error("no answer from NATS for {} s ({reason}); what is done so far is safe: start it, then give the same command again", timeout.as_secs_f32())]
    Unreachable {
        /// What was tried last.
        reason: String,
        /// How long.
        timeout: Duration,
    },
    /// It lets nobody in with this.
    #[error("cannot log in to NATS: {0}; name user and password in the address, or a file with --nats-creds")]
    LoginFailed(String),
    /// The file of credentials cannot be read.
    #[error("{path}: {error}", path = path.display())]
    Credentials {
        /// Of the file.
        path: PathBuf,
        /// What the system says.
        error: std::io::Error,
    },
    /// It is there, but does not do what is needed.
    #[error("NATS cannot keep jobs: {0}; it must run with JetStream (nats-server -js)")]
    JetStream(String),
    /// A job that nobody could do.
    #[error("job {number} cannot be done: {reason} (last tried by {worker})")]
    JobFailed {
        /// Which.
        number: u64,
        /// Why not.
        reason: String,
        /// Who tried last.
        worker: String,
    },
    /// No runtime, no threads.
    #[error("cannot begin: {0}")]
    Io(#[from] std::io::Error),
}

impl ConnectionOptions {
    /// Waits for NATS.
    pub(crate) async fn connect(&self, name: &str) -> Result<Client, QueueError> {
        let addresses: Vec<String> = self.url.split(',').map(|part| part.trim().to_owned()).collect();
        let until = Instant::now() + self.timeout;
        loop {
            let options = self.options(name).await?;
            let reason = match timeout(self.timeout, options.connect(&addresses)).await {
                Ok(Ok(client)) => return Ok(client),
                Ok(Err(error)) => match error.kind() {
                    async_nats::ConnectErrorKind::Authentication
                    | async_nats::ConnectErrorKind::AuthorizationViolation => {
                        return Err(QueueError::LoginFailed(error.to_string()));
                    }
                    _ => error.to_string(),
                },
                Err(_) => "it takes too long".to_owned(),
            };
            if Instant::now() >= until {
                return Err(QueueError::Unreachable { reason, timeout: self.timeout });
            }
            sleep(RETRY_INTERVAL).await;
        }
    }

    async fn options(&self, name: &str) -> Result<ConnectOptions, QueueError> {
        // It goes on trying for ever; whoever waits for it decides how long.
        let options = ConnectOptions::new().name(name).request_timeout(Some(Duration::from_secs(5)));
        match &self.credentials {
            None => Ok(options),
            Some(path) => options
                .credentials_file(path)
                .await
                .map_err(|error| QueueError::Credentials { path: path.clone(), error }),
        }
    }
}

/// Whether the connection stands.
pub(crate) fn is_connected(client: &Client) -> bool {
    client.connection_state() == State::Connected
}

/// How often the connection was made.
pub(crate) fn connection_count(client: &Client) -> u64 {
    client.statistics().connects.load(Ordering::Relaxed)
}

/// How streams are asked. Who waits long for what was lost with a connection waits in vain.
pub(crate) fn jetstream_context(client: &Client) -> Context {
    ContextBuilder::new().timeout(Duration::from_secs(5)).ack_timeout(Duration::from_secs(2)).build(client.clone())
}

/// Both streams, made if they are not there.
pub(crate) struct Streams {
    pub(crate) context: Context,
    pub(crate) jobs: Stream,
    pub(crate) results: Stream,
}

impl Streams {
    pub(crate) async fn open(client: &Client) -> Result<Self, QueueError> {
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
            // The subject is the number of the job: what comes twice is there once.
            max_messages_per_subject: 1,
            max_age: MAX_AGE,
            ..Config::default()
        };
        let jobs = open_stream(&context, jobs).await?;
        let results = open_stream(&context, results).await?;
        Ok(Self { context, jobs, results })
    }

    /// What all workers of a version take jobs from.
    pub(crate) async fn open_worker_consumer(
        &self,
        version: &Version,
        ack_timeout: Duration,
    ) -> Result<PullConsumer, QueueError> {
        let config = consumer::pull::Config {
            durable_name: Some(consumer_name(version)),
            filter_subject: jobs_filter(version),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ack_timeout,
            max_ack_pending: 100_000,
            max_waiting: 10_000,
            ..consumer::pull::Config::default()
        };
        self.jobs.create_consumer(config).await.map_err(|error| QueueError::JetStream(error.to_string()))
    }
}

/// A stream, made if it is not there. Of those who make it at the same moment the server refuses all but one; who was
/// refused finds it there a moment later.
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
