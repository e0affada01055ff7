//! Live connections.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::client::{Player, Server};

pub(crate) type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

pub(crate) async fn connect(
    server: &Server,
    player: &Player,
    game: &str,
    origin: Option<&str>,
) -> Result<Socket, Error> {
    let url = format!("{}/api/games/{game}/live", server.url.replace("http", "ws"));
    let mut request = url.into_client_request().unwrap();
    request.headers_mut().insert("cookie", player.cookies.parse().unwrap());
    if let Some(origin) = origin {
        request.headers_mut().insert("origin", origin.parse().unwrap());
    }
    connect_async(request).await.map(|(socket, _)| socket)
}

pub(crate) async fn next(socket: &mut Socket) -> Message {
    use futures_util::StreamExt;
    loop {
        match socket.next().await.unwrap().unwrap() {
            Message::Ping(_) | Message::Pong(_) => {}
            message => return message,
        }
    }
}

pub(crate) async fn next_json(socket: &mut Socket) -> Value {
    serde_json::from_str(next(socket).await.to_text().unwrap()).unwrap()
}

pub(crate) async fn say(socket: &mut Socket, message: Value) {
    use futures_util::SinkExt;
    socket.send(Message::text(message.to_string())).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_told_and_commands_are_answered() {
    let (server, mut anna, mut boris) = (Server::start().await, Player::new(), Player::new());
    let game = anna.create(&server, json!({ "rules": "4x4:2,1", "opponent": "person", "first": "me" })).await;
    let game = game["game"].as_str().unwrap().to_owned();
    let mut watching = connect(&server, &anna, &game, None).await.unwrap();
    assert_eq!(next_json(&mut watching).await["view"]["stage"], "waiting");
    boris.post(server.path(&format!("/api/games/{game}/join")), &json!({})).await;
    assert_eq!(next_json(&mut watching).await["view"]["stage"], "placing");
    boris.place_any(&server, &game, "4x4:2,1").await;
    assert_eq!(next_json(&mut watching).await["view"]["placed"], json!({ "A": false, "B": true }));
    say(&mut watching, json!({ "command": "p", "kind": "place", "fleet": "2 A1 across, 1 D4" })).await;
    let answers = [next_json(&mut watching).await, next_json(&mut watching).await];
    assert!(answers.iter().any(|answer| answer["done"] == "p"), "{answers:?}");
    assert!(answers.iter().any(|answer| answer["view"]["stage"] == "battle"), "{answers:?}");
    say(&mut watching, json!({ "command": "s", "kind": "shoot", "cells": ["Z9"] })).await;
    let refused = next_json(&mut watching).await;
    assert_eq!((&refused["refused"], &refused["error"]["code"]), (&json!("s"), &json!("shot")), "{refused}");
    say(&mut watching, json!("nonsense")).await;
    assert!(next_json(&mut watching).await["error"]["reason"].is_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_newer_connection_of_a_seat_replaces_the_older() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let game = anna.create(&server, json!({ "opponent": "person" })).await["game"].as_str().unwrap().to_owned();
    let mut first = connect(&server, &anna, &game, None).await.unwrap();
    next_json(&mut first).await;
    let mut second = connect(&server, &anna, &game, None).await.unwrap();
    next_json(&mut second).await;
    match next(&mut first).await {
        Message::Close(Some(frame)) => assert_eq!(u16::from(frame.code), 4001),
        other => panic!("{other:?}"),
    }
    let spectator = Player::new();
    let mut third = connect(&server, &spectator, &game, None).await.unwrap();
    assert!(next_json(&mut third).await["view"]["you"].is_null());
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_of_others_may_not_connect() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let game = anna.create(&server, json!({ "opponent": "person" })).await["game"].as_str().unwrap().to_owned();
    assert!(connect(&server, &anna, &game, Some("https://elsewhere.example")).await.is_err());
    let own = server.url.clone();
    assert!(connect(&server, &anna, &game, Some(&own)).await.is_ok());
}
