//! What every store must do, tried on each.

use futures_util::future::try_join_all;

use super::{Append, GameStatus, Listing, Revision, Store, StoreError};
use crate::rooms::event::{Event, EventKind, SideName};
use crate::rooms::view::{ComputerOpponent, PerSide};
use crate::timestamp::Timestamp;

#[path = "../../tests/postgres.rs"]
pub(super) mod postgres;

use postgres::Database;

pub(super) fn fired(cell: &str, at: u64) -> Event {
    let kind = EventKind::Fired { side: SideName::A, cells: vec![cell.to_owned()], late: false };
    Event { at: Timestamp(at), command: Some(format!("c-{cell}")), kind }
}

pub(super) fn append(game: &str, number: u64, events: Vec<Event>, status: GameStatus) -> Append {
    let listing = Listing {
        id: game.to_owned(),
        rules: "classic".to_owned(),
        name: Some("Анна \u{1f6a2} '; DROP TABLE games; --".to_owned()),
        names: PerSide { a: Some("Анна".to_owned()), b: None },
        computer: Some(ComputerOpponent { side: SideName::B, level: "sailor".to_owned() }),
        clock: Some(30),
        created: Timestamp(1000 + game.len() as u64),
        winner: None,
    };
    let due = (status != GameStatus::Over).then_some(Timestamp(100 * number));
    Append { game: game.to_owned(), number, events, status, listing, due }
}

/// Everything that the server relies on.
async fn keeps_its_promises(store: &Store) {
    assert!(store.events("unknown").await.unwrap().is_empty());
    store.append(append("one", 0, vec![fired("A1", 5), fired("A2", 6)], GameStatus::Open)).await.unwrap();
    store.append(append("one", 2, vec![fired("A3", 7)], GameStatus::Running)).await.unwrap();
    assert_eq!(store.events("one").await.unwrap(), [fired("A1", 5), fired("A2", 6), fired("A3", 7)]);
    let again = store.append(append("one", 2, vec![fired("B9", 8)], GameStatus::Over)).await;
    assert!(matches!(again, Err(StoreError::Conflict { .. })), "{again:?}");
    assert_eq!(store.events("one").await.unwrap().len(), 3, "nothing of a refused addition stays");
    let newer = store.newer_events(&[known("one", 1), known("unknown", 0), known("one-not-yet", 9)]).await.unwrap();
    let newer: Vec<_> = newer.into_iter().map(|stored| (stored.game, stored.number, stored.event.unwrap())).collect();
    assert_eq!(newer, [("one".to_owned(), 1, fired("A2", 6)), ("one".to_owned(), 2, fired("A3", 7))]);
    what_is_due_is_leased_to_one(store).await;
    assert_eq!(store.count_unfinished().await.unwrap(), 1);
    store.append(append("longer", 0, vec![fired("A1", 9)], GameStatus::Open)).await.unwrap();
    store.append(append("longest", 0, vec![fired("A1", 9)], GameStatus::Open)).await.unwrap();
    let listed = store.list(GameStatus::Open, 10).await.unwrap();
    assert_eq!(listed.iter().map(|game| game.id.as_str()).collect::<Vec<_>>(), ["longest", "longer"], "newest first");
    assert_eq!(listed[0], append("longest", 0, Vec::new(), GameStatus::Open).listing);
    assert_eq!(store.list(GameStatus::Open, 1).await.unwrap().len(), 1);
    assert_eq!(store.review("one").await.unwrap(), None);
    store.add_review("one", "{}").await.unwrap();
    store.add_review("one", "another").await.unwrap();
    assert_eq!(store.review("one").await.unwrap().as_deref(), Some("{}"), "a review never changes");
    many_at_once(store).await;
}

fn known(game: &str, revision: u64) -> Revision {
    Revision { game: game.to_owned(), revision }
}

/// "one" is due at 200.
async fn what_is_due_is_leased_to_one(store: &Store) {
    let lease = async |due: u64, until: u64| store.lease_overdue(Timestamp(due), Timestamp(until), 10).await.unwrap();
    assert!(lease(199, 300).await.is_empty());
    assert_eq!(lease(200, 300).await, ["one"]);
    assert!(lease(299, 300).await.is_empty(), "nobody else's until then");
    assert_eq!(lease(300, 400).await, ["one"], "whoever had it does not answer");
    store.postpone(&known("one", 3), Timestamp(6), Timestamp(900)).await.unwrap();
    assert_eq!(lease(400, 500).await, ["one"], "something has happened since, and is not put off");
    store.postpone(&known("one", 3), Timestamp(7), Timestamp(900)).await.unwrap();
    assert!(lease(899, 999).await.is_empty());
    let leases = (0..20).map(|_| store.lease_overdue(Timestamp(900), Timestamp(2000), 10));
    let taken: Vec<String> = try_join_all(leases).await.unwrap().into_iter().flatten().collect();
    assert_eq!(taken, ["one"], "by one of twenty");
}

/// One that fails among many does not harm the others.
async fn many_at_once(store: &Store) {
    let adding = (0..200).map(|number| {
        let (store, game) = (store.clone(), format!("game-{}", number / 2));
        tokio::spawn(async move { store.append(append(&game, 0, vec![fired("A1", 9)], GameStatus::Running)).await })
    });
    let mut stored = 0;
    for added in adding.collect::<Vec<_>>() {
        match added.await.unwrap() {
            Ok(()) => stored += 1,
            Err(StoreError::Conflict { .. }) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert_eq!(stored, 100, "one of each two that want the same number");
    for number in 0..100 {
        assert_eq!(store.events(&format!("game-{number}")).await.unwrap().len(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sqlite_keeps_its_promises() {
    let path = std::env::temp_dir().join(format!("seabattle-store-{}.db", std::process::id()));
    let path = path.to_str().unwrap();
    let store = Store::open(path).await.unwrap();
    keeps_its_promises(&store).await;
    store.close().await.unwrap();
    assert!(matches!(store.probe().await, Err(StoreError::Closed)));
    let again = Store::open(&format!("sqlite:{path}")).await.unwrap();
    assert_eq!(again.events("one").await.unwrap().len(), 3);
    for suffix in ["", "-wal", "-shm", "-lock"] {
        std::fs::remove_file(format!("{path}{suffix}")).ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_keeps_its_promises() {
    let Some(database) = Database::start("store") else {
        eprintln!("PostgreSQL is not installed here: its store is not tested");
        return;
    };
    let store = Store::open(&database.address()).await.unwrap();
    keeps_its_promises(&store).await;
    let again = Store::open(&database.address()).await.unwrap();
    assert_eq!(again.events("one").await.unwrap().len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_goes_on_when_postgresql_comes_back() {
    let Some(mut database) = Database::start("back") else {
        eprintln!("PostgreSQL is not installed here: its restart is not tested");
        return;
    };
    let store = Store::open(&database.address()).await.unwrap();
    store.append(append("one", 0, vec![fired("A1", 5)], GameStatus::Running)).await.unwrap();
    database.stop();
    let add = async || store.append(append("one", 1, vec![fired("A2", 6)], GameStatus::Running)).await;
    let (read, added) = (store.events("one").await, add().await);
    assert!(
        matches!((&read, &added), (Err(StoreError::Unreachable(_)), Err(StoreError::Unreachable(_)))),
        "{read:?} {added:?}"
    );
    database.resume();
    let began = std::time::Instant::now();
    while add().await.is_err() {
        assert!(began.elapsed().as_secs() < 20, "the store does not come back");
    }
    assert_eq!(store.events("one").await.unwrap(), [fired("A1", 5), fired("A2", 6)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_older_file_is_brought_up_to_date() {
    let path = std::env::temp_dir().join(format!("seabattle-older-{}.db", std::process::id()));
    let path = path.to_str().unwrap();
    let old = rusqlite::Connection::open(path).unwrap();
    old.execute_batch(super::sqlite::STEPS[0]).unwrap();
    let listing = append("one", 0, Vec::new(), GameStatus::Running).listing.text();
    old.execute("INSERT INTO games VALUES ('one', 1, 5, 5, ?1), ('two', 2, 5, 5, ?1)", [listing]).unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    drop(old);
    let store = Store::open(path).await.unwrap();
    assert_eq!(
        store.lease_overdue(Timestamp(1), Timestamp(100), 10).await.unwrap(),
        ["one"],
        "what goes on is looked at"
    );
    for suffix in ["", "-wal", "-shm", "-lock"] {
        std::fs::remove_file(format!("{path}{suffix}")).ok();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_of_another_kind_is_refused() {
    assert!(matches!(Store::open("mysql://x").await, Err(StoreError::Address(_))));
    assert!(Store::open("/nowhere/at/all.db").await.is_err());
    assert!(Store::open("postgres://127.0.0.1:1/none").await.is_err());
    let path = std::env::temp_dir().join(format!("seabattle-newer-{}.db", std::process::id()));
    let newer = rusqlite::Connection::open(&path).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    assert!(matches!(Store::open(path.to_str().unwrap()).await, Err(StoreError::Version { found: 99, .. })));
    assert!(
        matches!(Store::open("postgres://127.0.0.1:1/none").await, Err(StoreError::Unreachable(_))),
        "it may come yet"
    );
    assert!(matches!(Store::open("postgres://127.0.0.1:port/none").await, Err(StoreError::Postgres(_))));
    std::fs::remove_file(path).ok();
}
