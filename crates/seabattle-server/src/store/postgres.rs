//! PostgreSQL, shared by any number of nodes. One task stores the waiting events of many games with one statement.

mod connection;
mod error;
mod schema;
#[cfg(test)]
mod tests;
mod writer;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Mutex, mpsc, oneshot};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};

use super::{Append, GameStatus, Listing, Revision, StoreError, StoredEvent};
use crate::timestamp::Timestamp;

use connection::{Connection, Prepared};

/// How many appends may wait.
const QUEUE: usize = 4096;

/// A connection without an answer for this long is discarded.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

type Reply = oneshot::Sender<Result<(), StoreError>>;

#[derive(Clone)]
pub(super) struct Postgres {
    writer: mpsc::Sender<(Append, Reply)>,
    reader: Arc<Mutex<Connection>>,
}

impl Postgres {
    pub(super) async fn open(address: &str) -> Result<Self, StoreError> {
        let mut connection = Connection::new(address)?;
        schema::migrate(&connection.connect().await?).await?;
        connection.prepared().await?;
        let reader = Arc::new(Mutex::new(connection.another()));
        let (writer, queue) = mpsc::channel(QUEUE);
        tokio::spawn(writer::write(connection, queue));
        Ok(Self { writer, reader })
    }

    pub(super) async fn append(&self, append: Append) -> Result<(), StoreError> {
        let (reply, done) = oneshot::channel();
        self.writer.send((append, reply)).await.map_err(|_| StoreError::Closed)?;
        done.await.map_err(|_| StoreError::Closed)?
    }

    pub(super) async fn newer_events(&self, known: &[Revision]) -> Result<Vec<StoredEvent>, StoreError> {
        let games: Vec<&str> = known.iter().map(|known| known.game.as_str()).collect();
        let revisions: Vec<i64> = known.iter().map(|known| known.revision.cast_signed()).collect();
        let rows = self.query(|prepared| &prepared.newer, &[&games, &revisions]).await?;
        Ok(rows.iter().map(|row| StoredEvent::read(row.get(0), row.get(1), row.get(2))).collect())
    }

    pub(super) async fn probe(&self) -> Result<(), StoreError> {
        self.query(|prepared| &prepared.probe, &[]).await.map(drop)
    }

    pub(super) async fn review(&self, game: &str) -> Result<Option<String>, StoreError> {
        let rows = self.query(|prepared| &prepared.review, &[&game]).await?;
        Ok(rows.first().map(|row| row.get(0)))
    }

    pub(super) async fn add_review(&self, game: &str, review: &str) -> Result<(), StoreError> {
        self.query(|prepared| &prepared.add_review, &[&game, &review]).await.map(drop)
    }

    pub(super) async fn list(&self, status: GameStatus, most: usize) -> Result<Vec<Listing>, StoreError> {
        let rows = self.query(|prepared| &prepared.listed, &[&status.number(), &(most as i64)]).await?;
        rows.iter().map(|row| Listing::read(row.get(0), row.get(1), row.get(2))).collect()
    }

    pub(super) async fn count_unfinished(&self) -> Result<u64, StoreError> {
        let rows = self.query(|prepared| &prepared.unfinished, &[&GameStatus::Over.number()]).await?;
        Ok(rows.first().map_or(0, |row| row.get::<_, i64>(0).cast_unsigned()))
    }

    pub(super) async fn lease_overdue(
        &self,
        due: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<String>, StoreError> {
        let values: [&(dyn ToSql + Sync); 3] = [&due.0.cast_signed(), &until.0.cast_signed(), &(most as i64)];
        let rows = self.query(|prepared| &prepared.lease, &values).await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }

    pub(super) async fn postpone(
        &self,
        known: &Revision,
        updated: Timestamp,
        due: Timestamp,
    ) -> Result<(), StoreError> {
        let (revision, updated, due) = (known.revision.cast_signed(), updated.0.cast_signed(), due.0.cast_signed());
        self.query(|prepared| &prepared.postpone, &[&known.game, &revision, &updated, &due]).await.map(drop)
    }

    /// Runs a query. Queries share one connection and do not wait for each other's answers.
    async fn query(
        &self,
        statement: impl Fn(&Prepared) -> &Statement,
        values: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let prepared = self.reader.lock().await.prepared().await?;
        let query = prepared.client.query(statement(&prepared), values);
        match tokio::time::timeout(ANSWER_TIMEOUT, query).await {
            Ok(Ok(rows)) => Ok(rows),
            Ok(Err(error)) => Err(self.reader.lock().await.failed_with(&prepared, error)),
            Err(_) => Err(self.reader.lock().await.timed_out(&prepared)),
        }
    }
}
