//! Tables that change under older servers.

use tokio_postgres::{Client, NoTls};

use super::Postgres;
use super::schema::STEPS;
use crate::store::tests::postgres::Database;
use crate::store::tests::{append, fired};
use crate::store::{GameStatus, Revision, StoreError};
use crate::timestamp::Timestamp;

/// What a server of version 1 asks and says: it may run beside newer ones, on tables that they have changed.
mod version_1 {
    pub(super) const KEEP_GAME: &str =
        "INSERT INTO games (id, shelf, created, updated, listing) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (id) DO UPDATE SET shelf = $2, updated = $4, listing = $5";
    pub(super) const ADD_EVENT: &str = "INSERT INTO events (game, number, body) VALUES ($1, $2, $3)";
    pub(super) const EVENTS: &str = "SELECT body FROM events WHERE game = $1 ORDER BY number";
    pub(super) const LISTED: &str =
        "SELECT id, created, listing FROM games WHERE shelf = $1 ORDER BY created DESC LIMIT $2";
    pub(super) const UNFINISHED: &str = "SELECT id, updated FROM games WHERE shelf <> $1";
    pub(super) const VERSION: &str = "SELECT max(version) FROM seabattle_version";
}

fn database(name: &str) -> Option<Database> {
    let database = Database::start(name);
    if database.is_none() {
        eprintln!("PostgreSQL is not installed here: changes of its tables are not tested");
    }
    database
}

async fn connect(database: &Database) -> Client {
    let (client, connection) = tokio_postgres::connect(&database.address(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn add_as_version_1(client: &Client, game: &str, number: i64, shelf: i16) {
    let append = append(game, 0, vec![fired("A1", 5)], GameStatus::Running);
    let body = serde_json::to_string(&append.events[0]).unwrap();
    let at = 1000 + number;
    client.execute(version_1::KEEP_GAME, &[&game, &shelf, &at, &at, &append.listing.text()]).await.unwrap();
    client.execute(version_1::ADD_EVENT, &[&game, &number, &body]).await.unwrap();
}

async fn due(store: &Postgres) -> Vec<String> {
    let mut due = store.lease_overdue(Timestamp(10), Timestamp(20), 100).await.unwrap();
    due.sort();
    for game in &due {
        let client = store.reader.lock().await.prepared().await.unwrap();
        client.client.execute("UPDATE games SET due = 1000 WHERE id = $1", &[game]).await.unwrap();
    }
    due
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_change_while_an_older_server_goes_on() {
    let Some(database) = database("older") else { return };
    let old = connect(&database).await;
    old.batch_execute(STEPS[0]).await.unwrap();
    add_as_version_1(&old, "before", 0, 1).await;
    add_as_version_1(&old, "over", 0, 2).await;
    let store = Postgres::open(&database.address()).await.unwrap();
    assert_eq!(due(&store).await, ["before"], "of what older servers left nobody knows whether it is due");

    add_as_version_1(&old, "after", 0, 1).await;
    add_as_version_1(&old, "before", 1, 1).await;
    assert_eq!(due(&store).await, ["after", "before"], "nor of what they go on to do");
    add_as_version_1(&old, "after", 1, 2).await;
    assert!(due(&store).await.is_empty(), "but what is over is over");

    let mut newer = append("before", 2, vec![fired("A3", 7)], GameStatus::Running);
    newer.due = None;
    store.append(newer).await.unwrap();
    assert!(due(&store).await.is_empty(), "newer servers say themselves what is due");
    let known = Revision { game: "before".to_owned(), revision: 0 };
    assert_eq!(store.newer_events(&[known]).await.unwrap().len(), 3);

    assert_eq!(old.query(version_1::EVENTS, &[&"before"]).await.unwrap().len(), 3);
    assert_eq!(old.query(version_1::LISTED, &[&1i16, &10i64]).await.unwrap().len(), 1);
    assert_eq!(old.query(version_1::UNFINISHED, &[&2i16]).await.unwrap().len(), 1);
    let twice = old.execute(version_1::ADD_EVENT, &[&"before", &2i64, &""]).await;
    assert!(twice.is_err(), "the revision decides for old and new");
    // A server of version 1 that is started now refuses, as it always did, whatever is not 1.
    assert_eq!(old.query_one(version_1::VERSION, &[]).await.unwrap().get::<_, i64>(0), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn newer_tables_are_used_as_long_as_they_allow_it() {
    let Some(database) = database("newer") else { return };
    let store = Postgres::open(&database.address()).await.unwrap();
    let newer = connect(&database).await;
    newer.batch_execute("ALTER TABLE games ADD COLUMN tomorrow TEXT NOT NULL DEFAULT 'x'").await.unwrap();
    newer.batch_execute("INSERT INTO seabattle_version (version, oldest) VALUES (4, 3)").await.unwrap();
    let again = Postgres::open(&database.address()).await.unwrap();
    again.append(append("one", 0, vec![fired("A1", 5), fired("A2", 6)], GameStatus::Running)).await.unwrap();
    assert_eq!(store.count_unfinished().await.unwrap(), 1);

    newer.batch_execute("INSERT INTO seabattle_version (version, oldest) VALUES (5, 4)").await.unwrap();
    let refused = Postgres::open(&database.address()).await.err().unwrap();
    assert!(matches!(refused, StoreError::Version { found: 5, oldest: 4, known: 3 }), "{refused}");
    assert!(refused.to_string().contains("use a newer program"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_start_at_once_make_the_tables_once() {
    let Some(database) = database("together") else { return };
    let opening = (0..8).map(|_| async { Postgres::open(&database.address()).await });
    let stores = futures_util::future::try_join_all(opening).await.unwrap();
    let adding = stores.iter().map(|store| store.append(append("one", 0, vec![fired("A1", 5)], GameStatus::Running)));
    let added = futures_util::future::join_all(adding).await;
    assert_eq!(added.iter().filter(|added| added.is_ok()).count(), 1, "{added:?}");
    assert!(added.iter().all(|added| matches!(added, Ok(()) | Err(StoreError::Conflict { .. }))), "{added:?}");
}

/// An event with more to it than we know is still that event.
#[test]
fn what_newer_servers_add_to_events_is_passed_over() {
    let event = fired("A1", 5);
    let mut value = serde_json::to_value(&event).unwrap();
    value["tomorrow"] = serde_json::json!({ "x": 1 });
    assert_eq!(serde_json::from_value::<crate::rooms::event::Event>(value).unwrap(), event);
}
