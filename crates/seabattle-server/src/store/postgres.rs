//! PostgreSQL: one task writes, and stores what many games have waiting with one commit.

use std::sync::Arc;

use futures_util::future::try_join_all;
use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, NoTls, Statement};

use super::{Addition, Listing, Shelf, StoreError};
use crate::clock::Millis;
use crate::event::Event;

const VERSION: i64 = 1;

/// Two servers that start at once must not both create the tables.
const MIGRATION_LOCK: i64 = 0x5EA_BA77;

const SCHEMA: &str = "
CREATE TABLE seabattle_version (version BIGINT NOT NULL);
CREATE TABLE games (
    id TEXT PRIMARY KEY,
    shelf SMALLINT NOT NULL,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    listing TEXT NOT NULL
);
CREATE INDEX games_by_shelf ON games (shelf, created DESC);
CREATE TABLE events (
    game TEXT NOT NULL REFERENCES games (id),
    number BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (game, number)
);
INSERT INTO seabattle_version VALUES (1);
";

const KEEP_GAME: &str = "INSERT INTO games (id, shelf, created, updated, listing) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (id) DO UPDATE SET shelf = $2, updated = $4, listing = $5";
const ADD_EVENT: &str = "INSERT INTO events (game, number, body) VALUES ($1, $2, $3)";

/// Games whose events wait are stored together, but not more than so many.
const MOST_AT_ONCE: usize = 256;

/// Additions that may wait.
const QUEUE: usize = 4096;

type Answer = oneshot::Sender<Result<(), StoreError>>;

#[derive(Clone)]
pub(super) struct Postgres {
    writer: mpsc::Sender<(Addition, Answer)>,
    reader: Arc<Mutex<Line>>,
}

/// A connection that is made anew when it was lost.
struct Line {
    address: String,
    open: Option<Ready>,
}

struct Ready {
    client: Client,
    keep_game: Statement,
    add_event: Statement,
}

impl Postgres {
    pub(super) async fn open(address: &str) -> Result<Self, StoreError> {
        let mut line = Line { address: address.to_owned(), open: None };
        migrate(&connect(address).await?).await?;
        line.ready().await?;
        let (writer, queue) = mpsc::channel(QUEUE);
        tokio::spawn(write(line, queue));
        let reader = Arc::new(Mutex::new(Line { address: address.to_owned(), open: None }));
        Ok(Self { writer, reader })
    }

    pub(super) async fn add(&self, addition: Addition) -> Result<(), StoreError> {
        let (answer, done) = oneshot::channel();
        self.writer.send((addition, answer)).await.map_err(|_| StoreError::Closed)?;
        done.await.map_err(|_| StoreError::Closed)?
    }

    pub(super) async fn events(&self, game: &str) -> Result<Vec<Event>, StoreError> {
        let rows = self.query("SELECT body FROM events WHERE game = $1 ORDER BY number", &[&game]).await?;
        let unreadable = |_| StoreError::Unreadable { game: game.to_owned() };
        rows.iter().map(|row| serde_json::from_str(row.get(0)).map_err(unreadable)).collect()
    }

    pub(super) async fn listed(&self, shelf: Shelf, most: usize) -> Result<Vec<Listing>, StoreError> {
        let query = "SELECT id, created, listing FROM games WHERE shelf = $1 ORDER BY created DESC LIMIT $2";
        let rows = self.query(query, &[&shelf.number(), &(most as i64)]).await?;
        rows.iter().map(|row| Listing::read(row.get(0), row.get(1), row.get(2))).collect()
    }

    pub(super) async fn unfinished(&self) -> Result<Vec<(String, Millis)>, StoreError> {
        let rows = self.query("SELECT id, updated FROM games WHERE shelf <> $1", &[&Shelf::Over.number()]).await?;
        Ok(rows.iter().map(|row| (row.get(0), Millis(row.get::<_, i64>(1).cast_unsigned()))).collect())
    }

    async fn query(
        &self,
        query: &str,
        values: &[&(dyn tokio_postgres::types::ToSql + Sync)],
    ) -> Result<Vec<tokio_postgres::Row>, StoreError> {
        let mut line = self.reader.lock().await;
        let found = line.ready().await?.client.query(query, values).await;
        found.map_err(|error| line.lost(error))
    }
}

impl Line {
    async fn ready(&mut self) -> Result<&mut Ready, StoreError> {
        if self.open.as_ref().is_none_or(|ready| ready.client.is_closed()) {
            let client = connect(&self.address).await?;
            let (keep_game, add_event) = (client.prepare(KEEP_GAME).await?, client.prepare(ADD_EVENT).await?);
            self.open = Some(Ready { client, keep_game, add_event });
        }
        self.open.as_mut().ok_or(StoreError::Closed)
    }

    /// A connection that has failed is not trusted any more.
    fn lost(&mut self, error: tokio_postgres::Error) -> StoreError {
        if error.as_db_error().is_none() {
            self.open = None;
        }
        error.into()
    }
}

async fn connect(address: &str) -> Result<Client, StoreError> {
    let (client, connection) = tokio_postgres::connect(address, NoTls).await?;
    tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!(%error, "the connection to PostgreSQL is lost");
        }
    });
    Ok(client)
}

async fn migrate(client: &Client) -> Result<(), StoreError> {
    client.execute("SELECT pg_advisory_lock($1)", &[&MIGRATION_LOCK]).await?;
    let there = client.query_one("SELECT to_regclass('seabattle_version') IS NOT NULL", &[]).await?;
    if !there.get::<_, bool>(0) {
        client.batch_execute(&format!("BEGIN;{SCHEMA}COMMIT;")).await?;
    }
    let found: i64 = client.query_one("SELECT max(version) FROM seabattle_version", &[]).await?.get(0);
    client.execute("SELECT pg_advisory_unlock($1)", &[&MIGRATION_LOCK]).await?;
    if found == VERSION { Ok(()) } else { Err(StoreError::Version { found, known: VERSION }) }
}

/// Writes until nobody can ask any more.
async fn write(mut line: Line, mut queue: mpsc::Receiver<(Addition, Answer)>) {
    let mut batch = Vec::new();
    while queue.recv_many(&mut batch, MOST_AT_ONCE).await > 0 {
        write_together(&mut line, std::mem::take(&mut batch)).await;
    }
}

/// All in one transaction; if one fails, each for itself, so that nobody suffers for another.
async fn write_together(line: &mut Line, batch: Vec<(Addition, Answer)>) {
    let (additions, answers): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
    if additions.len() > 1 && insert(line, &additions).await.is_ok() {
        answers.into_iter().for_each(|answer| drop(answer.send(Ok(()))));
        return;
    }
    for (addition, answer) in additions.iter().zip(answers) {
        // Whoever has stopped waiting will read the store.
        answer.send(insert(line, std::slice::from_ref(addition)).await).ok();
    }
}

async fn insert(line: &mut Line, additions: &[Addition]) -> Result<(), StoreError> {
    let ready = line.ready().await?;
    let inserted = insert_all(ready, additions).await;
    inserted.map_err(|error| match (error.code(), additions) {
        (Some(&SqlState::UNIQUE_VIOLATION), [one]) => StoreError::Conflict { game: one.game.clone() },
        _ => line.lost(error),
    })
}

/// Statements are sent without waiting for the answers of those before.
async fn insert_all(ready: &mut Ready, additions: &[Addition]) -> Result<(), tokio_postgres::Error> {
    let Ready { client, keep_game, add_event } = ready;
    let change = client.transaction().await?;
    let insert_one = async |addition: &Addition| {
        let Addition { game, number, events, shelf, listing } = addition;
        let updated = events.last().map_or(listing.created, |event| event.at);
        let (created, updated) = (listing.created.0.cast_signed(), updated.0.cast_signed());
        change.execute(keep_game, &[game, &shelf.number(), &created, &updated, &listing.text()]).await?;
        for (number, event) in (number.cast_signed()..).zip(events) {
            let body = serde_json::to_string(event).unwrap_or_default();
            change.execute(add_event, &[game, &number, &body]).await?;
        }
        Ok::<_, tokio_postgres::Error>(())
    };
    try_join_all(additions.iter().map(insert_one)).await?;
    change.commit().await
}
