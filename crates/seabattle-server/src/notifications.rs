//! Notifications between nodes over NATS: "room X has revision N". They may be lost, since the events are in the store.

use std::path::{Path, PathBuf};
use std::time::Duration;

use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, ServerAddr, Subscriber as NatsSubscriber};
use futures_util::{FutureExt, StreamExt};
use thiserror::Error;
use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use crate::crypto::is_id;
use crate::metrics::Metrics;
use crate::store::Revision;

const SUBJECT_PREFIX: &str = "seabattle.rooms";

/// How many notifications may wait to be sent. More are dropped; other nodes find those changes by polling.
const QUEUE_LENGTH: usize = 4096;
/// How many notifications are handled together.
const MAX_BATCH: usize = 1024;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How often the connection is tested. After two pings without an answer it is closed.
const PING_INTERVAL: Duration = Duration::from_secs(2);
const MAX_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Why notifications cannot be used.
#[derive(Debug, Error)]
pub enum NotificationError {
    /// The address names no NATS server.
    #[error(
        "{0:?} is not an address of NATS: give nats://host:4222 or tls://host:4222, with user:password@ or token@ where needed"
    )]
    Address(String),
    /// The credentials file cannot be used.
    #[error("cannot use the credentials in {path}: {source}")]
    Credentials {
        /// The credentials file.
        path: PathBuf,
        /// The error of the system.
        source: std::io::Error,
    },
    /// NATS refused the user, password or token.
    #[error(
        "NATS does not accept the credentials; give user:password@ or token@ in the address, or a file of credentials"
    )]
    LoginFailed,
    /// NATS does not answer; it may come up later.
    #[error("NATS does not answer: {0}")]
    Unreachable(String),
}

/// A connection to NATS that reconnects by itself.
pub struct Notifications {
    client: Client,
    messages: NatsSubscriber,
    /// Counts the moments at which notifications may have been lost, such as reconnects.
    gaps: watch::Receiver<u64>,
}

impl Notifications {
    /// Connects to NATS. Addresses of several servers are separated by commas.
    pub async fn connect(address: &str, credentials: Option<&Path>) -> Result<Self, NotificationError> {
        let servers = parse_servers(address)?;
        let (missed, gaps) = watch::channel(0);
        let options = login_options(&servers, credentials)
            .await?
            .name("seabattle")
            .no_echo()
            .connection_timeout(CONNECT_TIMEOUT)
            .ping_interval(PING_INTERVAL)
            .max_reconnects(None)
            .reconnect_delay_callback(|attempts| MAX_RETRY_DELAY.min(Duration::from_millis(20 * attempts as u64)))
            .event_callback(move |event| {
                match &event {
                    Event::Connected | Event::SlowConsumer(_) => {
                        missed.send_modify(|gaps| *gaps += 1);
                        tracing::info!(%event, "NATS");
                    }
                    // Every failed attempt to reconnect.
                    Event::ClientError(_) => tracing::debug!(%event, "NATS"),
                    event => tracing::warn!(%event, "NATS"),
                }
                std::future::ready(())
            });
        let client = timeout(CONNECT_TIMEOUT * 2, options.connect(servers)).await;
        let client = client
            .map_err(|_| NotificationError::Unreachable("no answer".to_owned()))?
            .map_err(|error| connect_error(&error))?;
        let messages = client.subscribe(format!("{SUBJECT_PREFIX}.*")).await;
        let messages = messages.map_err(|error| NotificationError::Unreachable(error.to_string()))?;
        // Flushed, so that the subscription exists before the first read of the store.
        let flushed = timeout(CONNECT_TIMEOUT, client.flush()).await;
        flushed
            .map_err(|_| NotificationError::Unreachable("no answer".to_owned()))?
            .map_err(|error| NotificationError::Unreachable(error.to_string()))?;
        Ok(Self { client, messages, gaps })
    }

    /// Splits the connection into a publisher and a subscriber.
    pub(crate) fn split(self, metrics: &Metrics) -> (Publisher, Subscriber) {
        let (queue, waiting) = mpsc::channel(QUEUE_LENGTH);
        tokio::spawn(publish_all(self.client.clone(), waiting, metrics.clone()));
        let publisher = Publisher { queue, client: self.client, metrics: metrics.clone() };
        (publisher, Subscriber { messages: self.messages, gaps: self.gaps })
    }
}

/// Publishes changes of this node, without waiting.
pub(crate) struct Publisher {
    queue: mpsc::Sender<Revision>,
    client: Client,
    metrics: Metrics,
}

impl Publisher {
    pub(crate) fn publish(&self, revision: Revision) {
        if self.queue.try_send(revision).is_err() {
            self.metrics.notifications_dropped.inc();
        }
    }

    pub(crate) fn is_connected(&self) -> bool {
        is_connected(&self.client)
    }
}

fn is_connected(client: &Client) -> bool {
    client.connection_state() == async_nats::connection::State::Connected
}

/// Sends queued notifications. Those that cannot be sent now are dropped: late ones are useless.
async fn publish_all(client: Client, mut waiting: mpsc::Receiver<Revision>, metrics: Metrics) {
    while let Some(revision) = waiting.recv().await {
        let published = is_connected(&client) && {
            let subject = format!("{SUBJECT_PREFIX}.{}", revision.game);
            let publishing = client.publish(subject, revision.revision.to_string().into());
            timeout(CONNECT_TIMEOUT, publishing).await.is_ok_and(|published| published.is_ok())
        };
        if published {
            metrics.notifications_published.inc()
        } else {
            metrics.notifications_dropped.inc()
        };
    }
}

/// Receives the notifications of other nodes.
pub(crate) struct Subscriber {
    messages: NatsSubscriber,
    gaps: watch::Receiver<u64>,
}

/// What the subscriber received.
pub(crate) enum Received {
    /// Rooms have new revisions.
    Revisions(Vec<Revision>),
    /// Notifications may have been lost: the store must be read.
    Resync,
    /// The connection is closed for good.
    Closed,
}

impl Subscriber {
    pub(crate) async fn next(&mut self) -> Received {
        tokio::select! {
            gap = self.gaps.changed() => if gap.is_ok() { Received::Resync } else { Received::Closed },
            first = self.messages.next() => match first {
                Some(first) => Received::Revisions(self.drain(&first)),
                None => Received::Closed,
            },
        }
    }

    /// All notifications that have arrived, so that one read of the store serves them all.
    fn drain(&mut self, first: &async_nats::Message) -> Vec<Revision> {
        let mut rooms: Vec<Revision> = parse_revision(first).into_iter().collect();
        for _ in 1..MAX_BATCH {
            let Some(Some(message)) = self.messages.next().now_or_never() else { break };
            rooms.extend(parse_revision(&message));
        }
        rooms
    }
}

/// Parses a notification. Anything else on the subject is ignored.
fn parse_revision(message: &async_nats::Message) -> Option<Revision> {
    let game = message.subject.as_str().strip_prefix(SUBJECT_PREFIX)?.strip_prefix('.').filter(|game| is_id(game))?;
    let revision = std::str::from_utf8(&message.payload).ok()?.parse().ok()?;
    Some(Revision { game: game.to_owned(), revision })
}

fn parse_servers(address: &str) -> Result<Vec<ServerAddr>, NotificationError> {
    let wrong = || NotificationError::Address(redact(address));
    let servers = address.split(',').map(|server| server.trim().parse::<ServerAddr>().map_err(|_| wrong()));
    let servers: Vec<ServerAddr> = servers.collect::<Result<_, _>>()?;
    let known = |server: &ServerAddr| {
        let place = server.clone().into_inner();
        matches!(server.scheme(), "nats" | "tls") && place.host_str().is_some_and(|host| !host.is_empty())
    };
    if servers.iter().all(known) { Ok(servers) } else { Err(wrong()) }
}

fn redact(address: &str) -> String {
    let shown = |server: &str| match (server.split_once("://"), server.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, place))) => format!("{scheme}://{place}"),
        (None, Some((_, place))) => place.to_owned(),
        _ => server.to_owned(),
    };
    address.split(',').map(shown).collect::<Vec<_>>().join(",")
}

/// The login of the addresses or the credentials file. A name with a password is a user; a name alone is a token.
async fn login_options(
    servers: &[ServerAddr],
    credentials: Option<&Path>,
) -> Result<ConnectOptions, NotificationError> {
    let mut options = ConnectOptions::new();
    let named = servers.iter().find_map(|server| Some((server.username()?, server.password())));
    options = match named {
        Some((user, Some(password))) => options.user_and_password(percent_decode(user), percent_decode(password)),
        Some((token, None)) => options.token(percent_decode(token)),
        None => options,
    };
    let Some(path) = credentials else { return Ok(options) };
    options
        .credentials_file(path)
        .await
        .map_err(|source| NotificationError::Credentials { path: path.to_owned(), source })
}

/// Decodes `%` and two digits, as URLs write characters they cannot contain.
fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut plain, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let code = text.get(at + 1..at + 3).filter(|_| byte == b'%').and_then(|code| u8::from_str_radix(code, 16).ok());
        plain.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&plain).into_owned()
}

fn connect_error(error: &async_nats::ConnectError) -> NotificationError {
    match error.kind() {
        ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation => NotificationError::LoginFailed,
        _ => NotificationError::Unreachable(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::{parse_servers, percent_decode, redact};

    #[test]
    fn addresses_are_those_of_nats() {
        assert_eq!(parse_servers("nats://a:4222, tls://user:secret@b").unwrap().len(), 2);
        assert_eq!(parse_servers("localhost").unwrap()[0].port(), 4222);
        for wrong in ["", "http://a", "ws://a", "nats://", "nats://a,,b", "postgres://a"] {
            assert!(parse_servers(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn secrets_are_read_and_never_shown() {
        assert_eq!(percent_decode("p%40ss%2Fw%zz%4"), "p@ss/w%zz%4");
        let published = parse_servers("http://user:secret@a").unwrap_err().to_string();
        assert!(!published.contains("secret") && published.contains("http://a"), "{published}");
        assert_eq!(redact("nats://t@a:1,b:2"), "nats://a:1,b:2");
    }
}
