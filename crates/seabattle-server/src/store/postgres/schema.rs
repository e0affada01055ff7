//! The tables, and migrations that older nodes survive.
//!
//! A migration only adds: tables, columns with defaults, indexes, triggers. It removes nothing and gives nothing a new
//! meaning. So the statements of every version from `OLDEST` on work after it. A migration that removes something, or an
//! event that older nodes cannot read, raises `OLDEST`. It comes only when no such node runs any more.

use super::{Client, StoreError};

/// The newest migration that this program knows.
const VERSION: i64 = STEPS.len() as i64;

/// The oldest version whose statements work after this program's migrations.
const OLDEST: i64 = 1;

/// The advisory lock that keeps two nodes from migrating at once.
const LOCK: i64 = 0x5EA_BA77;

/// The migrations. Each runs once and is never edited.
pub(super) const STEPS: [&str; 3] = [
    "CREATE TABLE seabattle_version (version BIGINT NOT NULL);
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
     INSERT INTO seabattle_version VALUES (1);",
    // When some node has to act. Nodes of version 1 do not set it; then it is 0, and some node finds out.
    "ALTER TABLE seabattle_version ADD COLUMN oldest BIGINT NOT NULL DEFAULT 1;
     ALTER TABLE games ADD COLUMN revision BIGINT NOT NULL DEFAULT 0, ADD COLUMN due BIGINT;
     ALTER TABLE games ALTER COLUMN due SET DEFAULT 0;
     UPDATE games SET due = 0 WHERE shelf <> 2;
     CREATE INDEX games_due ON games (due) WHERE due IS NOT NULL;
     CREATE FUNCTION seabattle_look_again() RETURNS trigger LANGUAGE plpgsql AS
         'BEGIN NEW.due := CASE WHEN NEW.shelf = 2 THEN NULL ELSE 0 END; RETURN NEW; END';
     CREATE TRIGGER games_look_again BEFORE UPDATE OF listing ON games FOR EACH ROW
         WHEN (NEW.revision = OLD.revision) EXECUTE FUNCTION seabattle_look_again();
     INSERT INTO seabattle_version (version, oldest) VALUES (2, 1);",
    // The reviews of finished games, as JSON.
    "CREATE TABLE reviews (game TEXT PRIMARY KEY REFERENCES games (id), body TEXT NOT NULL);
     INSERT INTO seabattle_version (version, oldest) VALUES (3, 1);",
];

/// Migrates the tables to this program's version, unless they are newer.
pub(super) async fn migrate(client: &Client) -> Result<(), StoreError> {
    // A migration that waits long for a lock blocks all others behind it.
    client.batch_execute("SET lock_timeout = '4s'; SET statement_timeout = '10min'").await?;
    client.execute("SELECT pg_advisory_lock($1)", &[&LOCK]).await?;
    let found = version(client).await?.map_or(0, |(version, _)| version);
    for step in STEPS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        client.batch_execute(&format!("BEGIN;{step}COMMIT;")).await?;
    }
    client.execute("SELECT pg_advisory_unlock($1)", &[&LOCK]).await?;
    check(client).await
}

/// Whether this program may use the tables.
pub(super) async fn check(client: &Client) -> Result<(), StoreError> {
    match version(client).await? {
        Some((found, oldest)) if found >= VERSION && oldest <= VERSION => Ok(()),
        Some((found, oldest)) => Err(StoreError::Version { found, oldest, known: VERSION }),
        None => Err(StoreError::Version { found: 0, oldest: OLDEST, known: VERSION }),
    }
}

/// The newest migration done, and the oldest version that may use the tables.
async fn version(client: &Client) -> Result<Option<(i64, i64)>, StoreError> {
    let columns = "SELECT attname FROM pg_attribute WHERE attrelid = to_regclass('seabattle_version') AND attnum > 0";
    let columns = client.query(columns, &[]).await?;
    let oldest = if columns.iter().any(|row| row.get::<_, &str>(0) == "oldest") { "oldest" } else { "1::bigint" };
    if columns.is_empty() {
        return Ok(None);
    }
    let rows = client.query(&format!("SELECT max(version), max({oldest}) FROM seabattle_version"), &[]).await?;
    let read = |row: &tokio_postgres::Row| Some((row.get::<_, Option<i64>>(0)?, row.get::<_, Option<i64>>(1)?));
    Ok(rows.first().and_then(read))
}
