//! The end of a server: what it tells its clients, and what it leaves behind.

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Player, Server};
use crate::live::{connect, next, next_json};

#[tokio::test(flavor = "multi_thread")]
async fn a_server_stops_beside_half_sent_requests_and_tells_its_players_to_reconnect() {
    let (mut server, mut anna) = (Server::start().await, Player::new());
    let game = anna.create(&server, json!({ "opponent": "person" })).await["game"].as_str().unwrap().to_owned();
    let mut live = connect(&server, &anna, &game, None).await.unwrap();
    next_json(&mut live).await;
    let mut half_sent = TcpStream::connect(server.url.strip_prefix("http://").unwrap()).await.unwrap();
    half_sent.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-half: ").await.unwrap();
    let (closed, ()) = tokio::join!(next(&mut live), server.stop());
    match closed {
        Message::Close(Some(frame)) => assert_eq!(u16::from(frame.code), 1012),
        other => panic!("{other:?}"),
    }
    let mut answer = Vec::new();
    half_sent.read_to_end(&mut answer).await.ok();
    assert!(TcpStream::connect(server.url.strip_prefix("http://").unwrap()).await.is_err(), "nobody listens any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_file_of_a_stopped_server_is_complete_by_itself() {
    let (mut server, mut anna) = (Server::start().await, Player::new());
    let mut games = Vec::new();
    for _ in 0..20 {
        let game = anna.create(&server, json!({ "rules": "4x4:2,1", "first": "me" })).await;
        let game = game["game"].as_str().unwrap().to_owned();
        anna.place_any(&server, &game, "4x4:2,1").await;
        games.push((anna.view(&server, &game).await["revision"].clone(), game));
    }
    server.stop().await;
    let copy = Server::new_store();
    std::fs::copy(&server.store, &copy).unwrap();
    let restored = Server::on(copy, 1000).await;
    for (revision, game) in games {
        let view = anna.view(&restored, &game).await;
        assert_eq!((&view["revision"], &view["you"]), (&revision, &json!("A")));
    }
}
