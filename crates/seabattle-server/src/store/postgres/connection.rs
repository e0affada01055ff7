//! A connection to PostgreSQL that reconnects when it was lost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::time::timeout;
use tokio_postgres::{Config, NoTls};

use super::{ANSWER_TIMEOUT, Client, Statement, StoreError, schema, writer};

/// How long to wait after a failed connect before the next. Requests meanwhile fail at once.
const RETRY_PAUSE: Duration = Duration::from_millis(200);

/// `OFFSET 0` forces one index scan for each game. Without it PostgreSQL may read all events of all games.
const NEWER: &str = "SELECT known.game, newer.number, newer.body
    FROM unnest($1::text[], $2::bigint[]) AS known (game, revision)
    CROSS JOIN LATERAL (
        SELECT number, body FROM events WHERE game = known.game AND number >= known.revision ORDER BY number OFFSET 0
    ) AS newer";
const LISTED: &str = "SELECT id, created, listing FROM games WHERE shelf = $1 ORDER BY created DESC LIMIT $2";
const UNFINISHED: &str = "SELECT count(*) FROM games WHERE shelf <> $1";
/// `SKIP LOCKED` gives each game to one node.
const LEASE: &str = "UPDATE games SET due = $2 WHERE id = ANY (ARRAY (
        SELECT id FROM games WHERE due <= $1 ORDER BY due LIMIT $3 FOR UPDATE SKIP LOCKED
    )) RETURNING id";
const POSTPONE: &str = "UPDATE games SET due = $4 WHERE id = $1 AND revision <= $2 AND updated = $3";

/// Writes a row with the values that it has.
const PROBE: &str =
    "UPDATE seabattle_version SET version = version WHERE version = (SELECT max(version) FROM seabattle_version)";
const REVIEW: &str = "SELECT body FROM reviews WHERE game = $1";
const ADD_REVIEW: &str = "INSERT INTO reviews (game, body) VALUES ($1, $2) ON CONFLICT DO NOTHING";

pub(super) struct Connection {
    config: Config,
    open: Option<Arc<Prepared>>,
    failed: Option<(Instant, String)>,
}

/// An open connection with its prepared statements.
pub(super) struct Prepared {
    pub(super) client: Client,
    pub(super) add: Statement,
    pub(super) newer: Statement,
    pub(super) listed: Statement,
    pub(super) unfinished: Statement,
    pub(super) lease: Statement,
    pub(super) postpone: Statement,
    pub(super) probe: Statement,
    pub(super) review: Statement,
    pub(super) add_review: Statement,
}

impl Connection {
    pub(super) fn new(address: &str) -> Result<Self, StoreError> {
        let mut config: Config = address.parse()?;
        config.connect_timeout(ANSWER_TIMEOUT).application_name("seabattle");
        Ok(Self { config, open: None, failed: None })
    }

    /// Another connection to the same database, not yet open.
    pub(super) fn another(&self) -> Self {
        Self { config: self.config.clone(), open: None, failed: None }
    }

    pub(super) async fn connect(&self) -> Result<Client, StoreError> {
        let connecting = timeout(ANSWER_TIMEOUT, self.config.connect(NoTls)).await;
        let (client, connection) = connecting.map_err(|_| timeout_error())??;
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::warn!(%error, "the connection to PostgreSQL is lost");
            }
        });
        Ok(client)
    }

    pub(super) async fn prepared(&mut self) -> Result<Arc<Prepared>, StoreError> {
        if let Some(prepared) = self.open.as_ref().filter(|prepared| !prepared.client.is_closed()) {
            return Ok(Arc::clone(prepared));
        }
        if let Some((at, why)) = &self.failed
            && at.elapsed() < RETRY_PAUSE
        {
            return Err(StoreError::Unreachable(why.clone()));
        }
        let result = timeout(ANSWER_TIMEOUT, self.prepare()).await.unwrap_or_else(|_| Err(timeout_error()));
        match result {
            Ok(prepared) => {
                let prepared = Arc::new(prepared);
                (self.open, self.failed) = (Some(Arc::clone(&prepared)), None);
                Ok(prepared)
            }
            Err(error) => {
                (self.open, self.failed) = (None, Some((Instant::now(), error.to_string())));
                Err(error)
            }
        }
    }

    /// Connects and prepares the statements. Newer nodes may have migrated the tables, so each connection checks their
    /// version.
    async fn prepare(&self) -> Result<Prepared, StoreError> {
        let client = self.connect().await?;
        schema::check(&client).await?;
        Ok(Prepared {
            add: client.prepare(writer::ADD).await?,
            newer: client.prepare(NEWER).await?,
            listed: client.prepare(LISTED).await?,
            unfinished: client.prepare(UNFINISHED).await?,
            lease: client.prepare(LEASE).await?,
            postpone: client.prepare(POSTPONE).await?,
            probe: client.prepare(PROBE).await?,
            review: client.prepare(REVIEW).await?,
            add_review: client.prepare(ADD_REVIEW).await?,
            client,
        })
    }

    /// Discards the connection unless the error came from the database itself.
    pub(super) fn failed_with(&mut self, prepared: &Arc<Prepared>, error: tokio_postgres::Error) -> StoreError {
        if error.as_db_error().is_none() {
            self.discard(prepared);
        }
        error.into()
    }

    pub(super) fn timed_out(&mut self, prepared: &Arc<Prepared>) -> StoreError {
        self.discard(prepared);
        timeout_error()
    }

    /// Discards the connection, unless another task has replaced it already.
    fn discard(&mut self, prepared: &Arc<Prepared>) {
        if self.open.as_ref().is_some_and(|open| Arc::ptr_eq(open, prepared)) {
            self.open = None;
        }
    }
}

fn timeout_error() -> StoreError {
    StoreError::Unreachable(format!("no answer within {} s", ANSWER_TIMEOUT.as_secs()))
}
