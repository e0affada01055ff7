//! Stores the waiting events of many games with one statement, so that a node that dies in the middle holds no lock.

use std::collections::HashSet;
use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::time::timeout;

use super::connection::{Connection, Prepared};
use super::{ANSWER_TIMEOUT, Append, Reply, StoreError};

/// How many appends are stored together at most.
const MAX_BATCH: usize = 256;

/// Stores events unless their numbers are taken, and returns the games whose events were stored. All nodes write games in
/// the same order, so that no two wait for each other.
pub(super) const ADD: &str = "WITH wanted AS (
        SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::smallint[], $6::bigint[], $7::bigint[],
            $8::text[], $9::bigint[]) AS w (game, number, body, revision, shelf, created, updated, listing, due)
    ), first AS (
        INSERT INTO events (game, number, body) SELECT game, number, body FROM wanted ORDER BY game
        ON CONFLICT DO NOTHING RETURNING game
    ), listed AS (
        INSERT INTO games (id, shelf, created, updated, listing, revision, due)
        SELECT game, shelf, created, updated, listing, revision, due FROM wanted JOIN first USING (game) ORDER BY game
        ON CONFLICT (id) DO UPDATE SET shelf = excluded.shelf, updated = excluded.updated, listing = excluded.listing,
            revision = excluded.revision, due = excluded.due
    ), more AS (
        INSERT INTO events (game, number, body) SELECT game, number, body
        FROM unnest($10::text[], $11::bigint[], $12::text[]) AS m (game, number, body) JOIN first USING (game)
    ) SELECT game FROM first";

/// Writes batches until the store is dropped.
pub(super) async fn write(mut connection: Connection, mut queue: mpsc::Receiver<(Append, Reply)>) {
    let mut batch = Vec::new();
    while queue.recv_many(&mut batch, MAX_BATCH).await > 0 {
        write_batch(&mut connection, std::mem::take(&mut batch)).await;
    }
}

/// Stores a batch. If the statement fails, stores each append alone, so that one bad append harms no other.
async fn write_batch(connection: &mut Connection, batch: Vec<(Append, Reply)>) {
    let (appends, reply_senders): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
    match insert(connection, &appends).await {
        Err(StoreError::Postgres(error)) if appends.len() > 1 => {
            tracing::warn!(%error, "the batch failed; storing one by one");
            for (append, sender) in appends.iter().zip(reply_senders) {
                let stored = insert(connection, std::slice::from_ref(append)).await;
                send_reply(sender, &append.game, &stored);
            }
        }
        stored => {
            let pairs = appends.iter().zip(reply_senders);
            pairs.for_each(|(append, sender)| send_reply(sender, &append.game, &stored));
        }
    }
}

/// Sends the outcome of an append. The receiver may be gone; the outcome is in the store.
fn send_reply(sender: Reply, game: &str, stored: &Result<HashSet<String>, StoreError>) {
    let reply = match stored {
        Ok(stored) if stored.contains(game) => Ok(()),
        Ok(_) => Err(StoreError::Conflict { game: game.to_owned() }),
        Err(error) => Err(StoreError::Unreachable(error.to_string())),
    };
    sender.send(reply).ok();
}

/// Stores appends. Returns the games whose events were stored; the others had a conflict.
async fn insert(connection: &mut Connection, appends: &[Append]) -> Result<HashSet<String>, StoreError> {
    let prepared = connection.prepared().await?;
    let rows = AppendColumns::of(appends)?;
    match timeout(ANSWER_TIMEOUT, rows.insert(&prepared)).await {
        Ok(Ok(stored)) => Ok(stored),
        Ok(Err(error)) => Err(connection.failed_with(&prepared, error)),
        Err(_) => Err(connection.timed_out(&prepared)),
    }
}

/// Appends as columns.
#[derive(Default)]
struct AppendColumns<'a> {
    game: Vec<&'a str>,
    number: Vec<i64>,
    body: Vec<String>,
    revision: Vec<i64>,
    status: Vec<i16>,
    created: Vec<i64>,
    updated: Vec<i64>,
    listing: Vec<String>,
    due: Vec<Option<i64>>,
    /// Events after the first of each append.
    more: (Vec<&'a str>, Vec<i64>, Vec<String>),
}

impl<'a> AppendColumns<'a> {
    fn of(appends: &'a [Append]) -> Result<Self, StoreError> {
        let mut rows = Self::default();
        for append in appends {
            rows.push(append)?;
        }
        Ok(rows)
    }

    fn push(&mut self, append: &'a Append) -> Result<(), StoreError> {
        let Append { game, number: from, events, status, listing, due } = append;
        let unreadable = |_| StoreError::Unreadable { game: game.clone() };
        let bodies: Vec<String> =
            events.iter().map(serde_json::to_string).collect::<Result<_, _>>().map_err(unreadable)?;
        let mut numbered = (from.cast_signed()..).zip(bodies);
        let Some((number, body)) = numbered.next() else { return Ok(()) };
        self.number.push(number);
        self.body.push(body);
        for (number, body) in numbered {
            self.more.0.push(game);
            self.more.1.push(number);
            self.more.2.push(body);
        }
        self.game.push(game);
        self.revision.push((from + events.len() as u64).cast_signed());
        self.status.push(status.number());
        self.created.push(listing.created.0.cast_signed());
        self.updated.push(events.last().map_or(listing.created, |event| event.at).0.cast_signed());
        self.listing.push(listing.text());
        self.due.push(due.map(|due| due.0.cast_signed()));
        Ok(())
    }

    async fn insert(&self, prepared: &Arc<Prepared>) -> Result<HashSet<String>, tokio_postgres::Error> {
        let (games, numbers, bodies) = &self.more;
        let rows = prepared
            .client
            .query(
                &prepared.add,
                &[
                    &self.game,
                    &self.number,
                    &self.body,
                    &self.revision,
                    &self.status,
                    &self.created,
                    &self.updated,
                    &self.listing,
                    &self.due,
                    games,
                    numbers,
                    bodies,
                ],
            )
            .await?;
        Ok(rows.iter().map(|row| row.get(0)).collect())
    }
}
