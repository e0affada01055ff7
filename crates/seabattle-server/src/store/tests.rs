//! What every store must do, tried on each.

use super::{Addition, Listing, Shelf, Store, StoreError};
use crate::clock::Millis;
use crate::event::{Event, Letter, What};
use crate::view::{Computer, Sides};

#[path = "../../tests/postgres.rs"]
mod postgres;

use postgres::Database;

fn fired(cell: &str, at: u64) -> Event {
    let what = What::Fired { side: Letter::A, cells: vec![cell.to_owned()], late: false };
    Event { at: Millis(at), command: Some(format!("c-{cell}")), what }
}

fn addition(game: &str, number: u64, events: Vec<Event>, shelf: Shelf) -> Addition {
    let listing = Listing {
        id: game.to_owned(),
        rules: "classic".to_owned(),
        name: Some("Анна \u{1f6a2} '; DROP TABLE games; --".to_owned()),
        names: Sides { a: Some("Анна".to_owned()), b: None },
        computer: Some(Computer { side: Letter::B, level: "sailor".to_owned() }),
        clock: Some(30),
        created: Millis(1000 + game.len() as u64),
        winner: None,
    };
    Addition { game: game.to_owned(), number, events, shelf, listing }
}

/// Everything that the server relies on.
async fn keeps_its_promises(store: &Store) {
    assert!(store.events("unknown").await.unwrap().is_empty());
    store.add(addition("one", 0, vec![fired("A1", 5), fired("A2", 6)], Shelf::Open)).await.unwrap();
    store.add(addition("one", 2, vec![fired("A3", 7)], Shelf::Running)).await.unwrap();
    assert_eq!(store.events("one").await.unwrap(), [fired("A1", 5), fired("A2", 6), fired("A3", 7)]);
    let again = store.add(addition("one", 2, vec![fired("B9", 8)], Shelf::Over)).await;
    assert!(matches!(again, Err(StoreError::Conflict { .. })), "{again:?}");
    assert_eq!(store.events("one").await.unwrap().len(), 3, "nothing of a refused addition stays");
    assert_eq!(store.unfinished().await.unwrap(), [("one".to_owned(), Millis(7))]);
    store.add(addition("longer", 0, vec![fired("A1", 9)], Shelf::Open)).await.unwrap();
    store.add(addition("longest", 0, vec![fired("A1", 9)], Shelf::Open)).await.unwrap();
    let listed = store.listed(Shelf::Open, 10).await.unwrap();
    assert_eq!(listed.iter().map(|game| game.id.as_str()).collect::<Vec<_>>(), ["longest", "longer"], "newest first");
    assert_eq!(listed[0], addition("longest", 0, Vec::new(), Shelf::Open).listing);
    assert_eq!(store.listed(Shelf::Open, 1).await.unwrap().len(), 1);
    many_at_once(store).await;
}

/// One that fails among many does not harm the others.
async fn many_at_once(store: &Store) {
    let adding = (0..200).map(|number| {
        let (store, game) = (store.clone(), format!("game-{}", number / 2));
        tokio::spawn(async move { store.add(addition(&game, 0, vec![fired("A1", 9)], Shelf::Running)).await })
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
    let again = Store::open(&format!("sqlite:{path}")).await.unwrap();
    assert_eq!(again.events("one").await.unwrap().len(), 3);
    for suffix in ["", "-wal", "-shm"] {
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
async fn a_store_of_another_kind_is_refused() {
    assert!(matches!(Store::open("mysql://x").await, Err(StoreError::Address(_))));
    assert!(Store::open("/nowhere/at/all.db").await.is_err());
    assert!(Store::open("postgres://127.0.0.1:1/none").await.is_err());
    let path = std::env::temp_dir().join(format!("seabattle-newer-{}.db", std::process::id()));
    let newer = rusqlite::Connection::open(&path).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    assert!(matches!(Store::open(path.to_str().unwrap()).await, Err(StoreError::Version { found: 99, .. })));
    std::fs::remove_file(path).ok();
}
