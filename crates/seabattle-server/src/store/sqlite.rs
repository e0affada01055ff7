//! SQLite in one file. One thread writes, and commits the waiting events of many games together.

mod file;

use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use rusqlite::{Connection, ErrorCode, OptionalExtension, params};
use tokio::sync::oneshot;

use super::{Append, GameStatus, Listing, Revision, StoreError, StoredEvent};
use crate::timestamp::Timestamp;

use file::{FileIdentity, FileLock};

const VERSION: i64 = STEPS.len() as i64;

/// The migrations. Each runs once and is never edited.
pub(super) const STEPS: [&str; 3] = [
    "CREATE TABLE games (
         id TEXT PRIMARY KEY,
         shelf INTEGER NOT NULL,
         created INTEGER NOT NULL,
         updated INTEGER NOT NULL,
         listing TEXT NOT NULL
     ) WITHOUT ROWID;
     CREATE INDEX games_by_shelf ON games (shelf, created DESC);
     CREATE TABLE events (
         game TEXT NOT NULL REFERENCES games (id),
         number INTEGER NOT NULL,
         body TEXT NOT NULL,
         PRIMARY KEY (game, number)
     ) WITHOUT ROWID;",
    // When the server has to act. 0 means that it must find out.
    "ALTER TABLE games ADD COLUMN due INTEGER;
     UPDATE games SET due = 0 WHERE shelf <> 2;
     CREATE INDEX games_due ON games (due) WHERE due IS NOT NULL;",
    // The reviews of finished games, as JSON.
    "CREATE TABLE reviews (game TEXT PRIMARY KEY REFERENCES games (id), body TEXT NOT NULL) WITHOUT ROWID;",
];

/// How many appends are committed together at most.
const MAX_BATCH: usize = 512;

/// How many appends may wait.
const QUEUE: usize = 4096;

type Reply = oneshot::Sender<Result<(), StoreError>>;

/// What the writing thread does.
enum Job {
    Append(Box<Append>, Reply),
    /// Proves that something can be written.
    Probe(Reply),
    /// Completes the file. The thread ends.
    Close(Reply),
}

#[derive(Clone)]
pub(crate) struct Sqlite {
    writer: mpsc::SyncSender<Job>,
    /// `None` once the store is closed.
    reader: Arc<Mutex<Option<Connection>>>,
    lock: Arc<Mutex<Option<FileLock>>>,
}

impl Sqlite {
    pub(crate) fn open(path: &str) -> Result<Self, StoreError> {
        let lock = FileLock::new(path)?;
        file::create_private(path)?;
        let mut writing = connect(path)?;
        let identity = FileIdentity::of(path)?;
        migrate(&mut writing)?;
        let reader = Arc::new(Mutex::new(Some(connect(path)?)));
        let (writer, queue) = mpsc::sync_channel(QUEUE);
        thread::spawn(move || write(writing, &identity, &queue));
        Ok(Self { writer, reader, lock: Arc::new(Mutex::new(Some(lock))) })
    }

    pub(crate) async fn append(&self, append: Append) -> Result<(), StoreError> {
        self.run(|reply| Job::Append(Box::new(append), reply)).await
    }

    pub(crate) async fn probe(&self) -> Result<(), StoreError> {
        self.run(Job::Probe).await
    }

    pub(crate) async fn close(&self) -> Result<(), StoreError> {
        let reader = Arc::clone(&self.reader);
        let close_reader = move || drop(reader.lock().unwrap_or_else(PoisonError::into_inner).take());
        tokio::task::spawn_blocking(close_reader).await.ok();
        let closed = self.run(Job::Close).await;
        drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner).take());
        closed
    }

    /// Gives a job to the writing thread, and waits for it.
    async fn run(&self, job: impl FnOnce(Reply) -> Job) -> Result<(), StoreError> {
        let (reply, done) = oneshot::channel();
        let writer = self.writer.clone();
        match writer.try_send(job(reply)) {
            Ok(()) => {}
            Err(mpsc::TrySendError::Disconnected(_)) => return Err(StoreError::Closed),
            Err(mpsc::TrySendError::Full(waiting)) => {
                let sent = tokio::task::spawn_blocking(move || writer.send(waiting).is_ok()).await;
                if !sent.unwrap_or(false) {
                    return Err(StoreError::Closed);
                }
            }
        }
        done.await.map_err(|_| StoreError::Closed)?
    }

    pub(crate) async fn newer_events(&self, known: &[Revision]) -> Result<Vec<StoredEvent>, StoreError> {
        let known = known.to_vec();
        self.read(move |connection| {
            let newer = known.iter().map(|known| newer_events_of(connection, known));
            Ok(newer.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
        })
        .await
    }

    pub(crate) async fn review(&self, game: &str) -> Result<Option<String>, StoreError> {
        let game = game.to_owned();
        self.read(move |connection| {
            let mut query = connection.prepare_cached("SELECT body FROM reviews WHERE game = ?1")?;
            Ok(query.query_row([game], |row| row.get(0)).optional()?)
        })
        .await
    }

    pub(crate) async fn add_review(&self, game: &str, review: &str) -> Result<(), StoreError> {
        let values = [game.to_owned(), review.to_owned()];
        self.read(move |connection| {
            let insert = "INSERT INTO reviews (game, body) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            connection.prepare_cached(insert)?.execute(values)?;
            Ok(())
        })
        .await
    }

    pub(crate) async fn list(&self, status: GameStatus, most: usize) -> Result<Vec<Listing>, StoreError> {
        self.read(move |connection| {
            let mut query = connection.prepare_cached(
                "SELECT id, created, listing FROM games WHERE shelf = ?1 ORDER BY created DESC LIMIT ?2",
            )?;
            let rows = query.query_map(params![status.number(), most as i64], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(2)?))
            })?;
            rows.map(|row| row.map_err(StoreError::from).and_then(|row| Listing::read(&row.0, row.1, &row.2))).collect()
        })
        .await
    }

    pub(crate) async fn count_unfinished(&self) -> Result<u64, StoreError> {
        self.read(|connection| {
            let count = "SELECT count(*) FROM games WHERE shelf <> ?1";
            let count: i64 = connection.query_row(count, [GameStatus::Over.number()], |row| row.get(0))?;
            Ok(count.cast_unsigned())
        })
        .await
    }

    pub(crate) async fn lease_overdue(
        &self,
        due: Timestamp,
        until: Timestamp,
        most: usize,
    ) -> Result<Vec<String>, StoreError> {
        self.read(move |connection| {
            let mut lease = connection.prepare_cached(
                "UPDATE games SET due = ?2 WHERE id IN (SELECT id FROM games WHERE due <= ?1 ORDER BY due LIMIT ?3)
                 RETURNING id",
            )?;
            let values = params![due.0.cast_signed(), until.0.cast_signed(), most as i64];
            let games = lease.query_map(values, |row| row.get(0))?;
            Ok(games.collect::<Result<_, _>>()?)
        })
        .await
    }

    pub(crate) async fn postpone(
        &self,
        known: &Revision,
        updated: Timestamp,
        due: Timestamp,
    ) -> Result<(), StoreError> {
        let game = known.game.clone();
        self.read(move |connection| {
            let mut postpone = connection.prepare_cached("UPDATE games SET due = ?3 WHERE id = ?1 AND updated = ?2")?;
            postpone.execute(params![game, updated.0.cast_signed(), due.0.cast_signed()])?;
            Ok(())
        })
        .await
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let reader = Arc::clone(&self.reader);
        let done = tokio::task::spawn_blocking(move || {
            let reader = reader.lock().unwrap_or_else(PoisonError::into_inner);
            read(reader.as_ref().ok_or(StoreError::Closed)?)
        });
        done.await.map_err(|_| StoreError::Closed)?
    }
}

fn connect(path: &str) -> Result<Connection, StoreError> {
    let connection = Connection::open(path)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    Ok(connection)
}

fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    let found: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if !(0..=VERSION).contains(&found) {
        return Err(StoreError::Version { found, oldest: found, known: VERSION });
    }
    if found == VERSION {
        return Ok(());
    }
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(step)?;
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    Ok(transaction.commit()?)
}

fn newer_events_of(connection: &Connection, known: &Revision) -> Result<Vec<StoredEvent>, StoreError> {
    let Revision { game, revision } = known;
    let mut query = connection
        .prepare_cached("SELECT number, body FROM events WHERE game = ?1 AND number >= ?2 ORDER BY number")?;
    let rows = query.query_map(params![game, revision.cast_signed()], |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?))
    })?;
    rows.map(|row| row.map(|(number, body)| StoredEvent::read(game.clone(), number, &body)).map_err(StoreError::from))
        .collect()
}

/// Writes batches until the store is closed or dropped.
fn write(mut connection: Connection, identity: &FileIdentity, queue: &mpsc::Receiver<Job>) {
    while let Ok(first) = queue.recv() {
        let (mut appends, mut probes, mut closing) = (Vec::new(), Vec::new(), None);
        for job in std::iter::once(first).chain(queue.try_iter().take(MAX_BATCH - 1)) {
            match job {
                Job::Append(append, reply) => appends.push((*append, reply)),
                Job::Probe(reply) => probes.push(reply),
                Job::Close(reply) => closing = Some(reply),
            }
        }
        if identity.is_unchanged() {
            write_batch(&mut connection, appends);
            probes.into_iter().for_each(|reply| drop(reply.send(probe(&connection))));
        } else {
            let replies = appends.into_iter().map(|(_, reply)| reply).chain(probes);
            replies.for_each(|reply| drop(reply.send(Err(identity.moved()))));
        }
        if let Some(reply) = closing {
            let complete = checkpoint(&connection);
            // The last connection removes the empty log.
            drop(connection);
            reply.send(complete).ok();
            return;
        }
    }
}

/// Writes the version that the file has.
fn probe(connection: &Connection) -> Result<(), StoreError> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(connection.pragma_update(None, "user_version", version)?)
}

/// Moves the log into the file, so that the file alone is complete.
fn checkpoint(connection: &Connection) -> Result<(), StoreError> {
    Ok(connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))?)
}

/// Stores a batch in one transaction. If that fails, stores each append alone, so that one bad append harms no other.
fn write_batch(connection: &mut Connection, batch: Vec<(Append, Reply)>) {
    let (appends, replies): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
    if appends.len() > 1 && insert(connection, &appends).is_ok() {
        replies.into_iter().for_each(|reply| drop(reply.send(Ok(()))));
        return;
    }
    for (append, reply) in appends.iter().zip(replies) {
        // The receiver may be gone; the outcome is in the store.
        reply.send(insert(connection, std::slice::from_ref(append))).ok();
    }
}

fn insert(connection: &mut Connection, appends: &[Append]) -> Result<(), StoreError> {
    let transaction = connection.transaction()?;
    for append in appends {
        insert_one(&transaction, append)?;
    }
    Ok(transaction.commit()?)
}

fn insert_one(transaction: &Connection, append: &Append) -> Result<(), StoreError> {
    let Append { game, number: from, events, status, listing, due } = append;
    let updated = events.last().map_or(listing.created, |event| event.at);
    transaction
        .prepare_cached(
            "INSERT INTO games (id, shelf, created, updated, listing, due) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
             ON CONFLICT (id) DO UPDATE SET shelf = ?2, updated = ?4, listing = ?5, due = ?6",
        )?
        .execute(params![
            game,
            status.number(),
            listing.created.0.cast_signed(),
            updated.0.cast_signed(),
            listing.text(),
            due.map(|due| due.0.cast_signed()),
        ])?;
    let mut insert = transaction.prepare_cached("INSERT INTO events (game, number, body) VALUES (?1, ?2, ?3)")?;
    for (number, event) in (*from..).zip(events) {
        let body = serde_json::to_string(event).map_err(|_| StoreError::Unreadable { game: game.clone() })?;
        insert.execute(params![game, number as i64, body]).map_err(|error| match error.sqlite_error_code() {
            Some(ErrorCode::ConstraintViolation) => StoreError::Conflict { game: game.clone() },
            _ => error.into(),
        })?;
    }
    Ok(())
}
