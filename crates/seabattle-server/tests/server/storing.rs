//! The file of an SQLite store: one server uses it, only its user reads it, and it is missed at once.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use reqwest::StatusCode;
use seabattle_server::{Store, StoreError};
use serde_json::json;

use crate::client::{Player, Server};

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_on_the_same_file_is_refused() {
    let mut server = Server::start().await;
    let path = server.store.to_str().unwrap().to_owned();
    let refused = Store::open(&path).await.err().unwrap();
    assert!(matches!(refused, StoreError::InUse(_)), "{refused}");
    assert!(refused.to_string().contains("another server uses"), "{refused}");
    server.stop().await;
    assert!(Store::open(&path).await.is_ok(), "the first has stopped");
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_private_to_the_user_of_the_server() {
    let (server, mut anna) = (Server::start().await, Player::new());
    anna.create(&server, json!({ "opponent": "person" })).await;
    for suffix in ["", "-wal", "-shm"] {
        let file = format!("{}{suffix}", server.store.display());
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{file}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_was_moved_away_is_noticed_and_nothing_is_acknowledged_into_it() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let game = anna.create(&server, json!({ "opponent": "person" })).await["game"].as_str().unwrap().to_owned();
    let elsewhere = server.store.with_extension("moved");
    fs::rename(&server.store, &elsewhere).unwrap();
    let refused = anna.post(server.path("/api/games"), &json!({ "opponent": "person" })).await;
    assert_eq!(refused.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(anna.get(server.path("/readyz")).await.status(), StatusCode::SERVICE_UNAVAILABLE);
    fs::rename(&elsewhere, &server.store).unwrap();
    let (status, _) = anna.command(&server, &game, json!({ "kind": "resign" })).await;
    assert_eq!(status, StatusCode::OK, "it is back");
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_is_proved_by_a_write() {
    let server = Server::start().await;
    assert_eq!(Player::new().get(server.path("/readyz")).await.status(), StatusCode::OK);
    let log = format!("{}-wal", server.store.display());
    assert!(fs::metadata(&log).unwrap().len() > 0, "something was written");
}
