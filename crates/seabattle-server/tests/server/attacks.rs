//! Attacks of one client, beside players who notice nothing.
//!
//! The tests compare counts and bounds, never times: while an attack goes on, others play whole games.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Player, Server, open_cell};
use crate::live::{connect, next_json};

const RULES: &str = "4x4:2,1";

/// Plays a game against the computer to its end.
async fn play_a_game(server: &Server, player: &mut Player) -> String {
    let view = player.create(server, json!({ "rules": RULES, "opponent": "sailor", "first": "me" })).await;
    let game = view["game"].as_str().unwrap().to_owned();
    player.place_any(server, &game, RULES).await;
    let mine = |view: &Value| view["mover"] == "A" || view["stage"] == "over";
    let mut view = player.until(server, &game, mine).await;
    while view["stage"] == "battle" {
        let shot = json!({ "kind": "shoot", "cells": [open_cell(&view, "B")] });
        let (status, reply) = player.command(server, &game, shot).await;
        assert_eq!(status, StatusCode::OK, "{reply}");
        view = player.until(server, &game, mine).await;
    }
    game
}

/// A finished game between two, with so many shots of each side.
async fn finished_game(server: &Server, anna: &mut Player, boris: &mut Player, rules: &str, shots: usize) -> String {
    let wanted = json!({ "rules": rules, "opponent": "person", "first": "me" });
    let game = anna.create(server, wanted).await["game"].as_str().unwrap().to_owned();
    boris.post(server.path(&format!("/api/games/{game}/join")), &json!({})).await;
    anna.place_any(server, &game, rules).await;
    let mut view = boris.place_any(server, &game, rules).await;
    for _ in 0..shots {
        for (player, waters) in [(&mut *anna, "B"), (&mut *boris, "A")] {
            let cells = [open_cell(&view, waters)];
            view = player.command(server, &game, json!({ "kind": "shoot", "cells": cells })).await.1;
        }
    }
    anna.command(server, &game, json!({ "kind": "resign" })).await;
    game
}

/// Rules whose ships are too long for the board, but not obviously.
fn rules_that_do_not_fit(number: usize) -> String {
    let ships = vec![format!("s{number}=30"); 38];
    format!("50x50:{},touching=forbidden", ships.join(","))
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_that_do_not_fit_hold_up_nobody() {
    let (server, mut anna) = (Server::under_attack().await, Player::at("192.0.2.2"));
    let mut attack = JoinSet::new();
    for number in 0..60 {
        let url = server.path(&format!("/api/layout?rules={}", rules_that_do_not_fit(number)));
        attack.spawn(async move { Player::at("203.0.113.1").get(url).await });
    }
    let mut games = 0;
    let mut refused = 0;
    while let Some(answer) = attack.join_next().await {
        let answer = answer.unwrap();
        match answer.status() {
            StatusCode::BAD_REQUEST => {}
            StatusCode::TOO_MANY_REQUESTS => {
                assert!(answer.headers().contains_key("retry-after"));
                refused += 1;
            }
            status => panic!("{status}"),
        }
        assert!(server.metric("work_running{work=\"rules\"}").await <= 1, "one search at a time for one client");
        assert!(server.metric("work_waiting{work=\"rules\"}").await <= 60);
        if games < 5 {
            play_a_game(&server, &mut anna).await;
            games += 1;
        }
    }
    assert_eq!(games, 5);
    // The same text again needs no search.
    let before = server.metric("work_refused_total{work=\"rules\"}").await;
    assert_eq!(before, refused);
    for _ in 0..40 {
        let url = server.path(&format!("/api/layout?rules={}", rules_that_do_not_fit(59)));
        let status = Player::at("203.0.113.2").get(url).await.status();
        assert_eq!(status, StatusCode::BAD_REQUEST);
    }
    assert!(server.metric("cache_bytes{cache=\"rules\"}").await <= 16 << 20);
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_and_films_of_hard_games_hold_up_nobody() {
    let server = Server::under_attack().await;
    let (mut mallory, mut helper) = (Player::at("203.0.113.1"), Player::at("203.0.113.1"));
    let hard = "15x15:5,4,4,3,3,3,2,2,2,2,touching=forbidden,announce=hit";
    let first = finished_game(&server, &mut mallory, &mut helper, hard, 20).await;
    let second = finished_game(&server, &mut mallory, &mut helper, hard, 20).await;
    let mut attack = JoinSet::new();
    for (game, kind) in
        [(&first, "review"), (&first, "review"), (&second, "review"), (&first, "film.gif"), (&second, "film.gif")]
    {
        let url = server.path(&format!("/api/games/{game}/{kind}"));
        attack.spawn(async move { Player::at("203.0.113.1").get(url).await });
    }
    server.until_metric("work_running{work=\"review\"}", |running| running == 1).await;
    server.until_metric("work_waiting{work=\"review\"}", |waiting| waiting == 1).await;
    server.until_metric("work_running{work=\"animation\"}", |running| running == 1).await;
    server.until_metric("work_waiting{work=\"animation\"}", |waiting| waiting == 1).await;
    let mut anna = Player::at("192.0.2.2");
    play_a_game(&server, &mut anna).await;
    assert_eq!(server.metric("work_running{work=\"review\"}").await, 1, "the attack went on all the while");
    assert_eq!(server.metric("work_running{work=\"animation\"}").await, 1);
    attack.abort_all();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_is_computed_once_and_stored_with_its_game() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let game = play_a_game(&server, &mut anna).await;
    let path = format!("/api/games/{game}/review");
    let text = async |server: &Server| Player::new().get(server.path(&path)).await.text().await.unwrap();
    let first = text(&server).await;
    assert!(serde_json::from_str::<Value>(&first).unwrap()["A"]["skill"].is_number(), "{first}");
    let restarted = server.again().await;
    assert_eq!(text(&restarted).await, first);
    let film = anna.get(restarted.path(&format!("/api/games/{game}/film.gif"))).await.bytes().await.unwrap();
    let again = anna.get(restarted.path(&format!("/api/games/{game}/film.gif"))).await.bytes().await.unwrap();
    assert_eq!(film, again);
    assert!(restarted.metric("cache_bytes{cache=\"animations\"}").await >= film.len() as u64);
}

/// A connection from another address of this machine.
async fn connect_from(address: &str, server: &Server) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind(format!("{address}:0").parse().unwrap()).unwrap();
    socket.connect(server.url.strip_prefix("http://").unwrap().parse().unwrap()).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn half_sent_heads_of_one_address_leave_room_for_others() {
    // A tenth of the usual limits: 100 connections of one client.
    let server = Server::with_rate(5).await;
    let mut held = Vec::new();
    for _ in 0..100 {
        let mut connection = connect_from("127.0.0.2", &server).await;
        connection.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-half: ").await.unwrap();
        held.push(connection);
    }
    for _ in 0..20 {
        let mut more = connect_from("127.0.0.2", &server).await;
        assert_eq!(more.read(&mut [0; 10]).await.unwrap_or(0), 0, "closed at once");
    }
    let mut anna = Player::new();
    let game = anna.create(&server, json!({ "opponent": "person" })).await["game"].as_str().unwrap().to_owned();
    for _ in 0..5 {
        assert_eq!(anna.view(&server, &game).await["you"], "A");
    }
    held.truncate(50);
    // Those that were closed make room again.
    let mut answered = connect_from("127.0.0.2", &server).await;
    let mut status = [0; 12];
    while {
        answered.write_all(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await.ok();
        answered.read_exact(&mut status).await.is_err()
    } {
        answered = connect_from("127.0.0.2", &server).await;
    }
    assert_eq!(&status, b"HTTP/1.1 200");
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_that_are_too_large_are_refused() {
    let (server, anna) = (Server::start().await, Player::new());
    let ask = async |bytes: usize| {
        let request = anna.client.get(server.path("/healthz")).header("cookie", format!("x={}", "y".repeat(bytes)));
        request.send().await.map(|answer| answer.status())
    };
    assert_eq!(ask(16_000).await.unwrap(), StatusCode::OK, "the cookies of 200 games");
    assert_eq!(ask(100_000).await.unwrap(), StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_of_spectators_costs_one_view_and_has_a_limit() {
    let server = Server::with_rate(20).await;
    let (mut anna, mut boris, mut mallory) = (Player::new(), Player::new(), Player::new());
    let game = begun_game(&server, &mut anna, &mut boris).await;
    mallory.cookies = (0..150).map(|number| format!("seat-{number}={}", "f".repeat(64))).collect::<Vec<_>>().join("; ");
    let mut crowd = Vec::new();
    // Opening them costs requests, too.
    while let Ok(mut socket) = connect(&server, &mallory, &game, None).await {
        assert!(next_json(&mut socket).await["view"]["you"].is_null());
        crowd.push(socket);
        assert!(crowd.len() <= 200, "ten for each request a second");
    }
    assert!(crowd.len() > 20);
    let before = server.metric("views_rendered_total").await;
    let shot = json!({ "kind": "shoot", "cells": ["A1"] });
    let mut status = StatusCode::TOO_MANY_REQUESTS;
    while status == StatusCode::TOO_MANY_REQUESTS {
        status = anna.command(&server, &game, shot.clone()).await.0;
    }
    assert_eq!(status, StatusCode::OK);
    for socket in &mut crowd {
        assert_eq!(next_json(socket).await["view"]["waters"]["B"]["shots"].as_array().unwrap().len(), 1);
    }
    let rendered = server.metric("views_rendered_total").await - before;
    assert!(rendered < crowd.len() as u64 / 2, "{rendered} views for {} spectators", crowd.len());
}

/// A game in which the first player is to fire.
async fn begun_game(server: &Server, anna: &mut Player, boris: &mut Player) -> String {
    let wanted = json!({ "rules": RULES, "opponent": "person", "first": "me" });
    let game = anna.create(server, wanted).await["game"].as_str().unwrap().to_owned();
    boris.post(server.path(&format!("/api/games/{game}/join")), &json!({})).await;
    anna.place_any(server, &game, RULES).await;
    boris.place_any(server, &game, RULES).await;
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_messages_ends_its_connection() {
    use futures_util::{SinkExt, StreamExt};
    let (server, mut mallory) = (Server::under_attack().await, Player::at("203.0.113.1"));
    let game = mallory.create(&server, json!({ "opponent": "person" })).await["game"].as_str().unwrap().to_owned();
    for message in [Message::text("nonsense"), Message::Ping(Vec::new().into()), Message::binary(vec![1])] {
        let mut socket = connect(&server, &mallory, &game, None).await.unwrap();
        next_json(&mut socket).await;
        let (mut sending, mut receiving) = socket.split();
        let flood = tokio::spawn(async move { while sending.send(message.clone()).await.is_ok() {} });
        let closed = loop {
            match receiving.next().await {
                Some(Ok(Message::Close(Some(frame)))) => break u16::from(frame.code),
                Some(Ok(_)) => {}
                // The server may be gone before its last words are read.
                Some(Err(_)) | None => break 4008,
            }
        };
        assert_eq!(closed, 4008);
        flood.await.unwrap();
    }
    play_a_game(&server, &mut Player::at("192.0.2.2")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_has_a_few_places_in_the_lobby() {
    let server = Server::behind_a_balancer().await;
    let (mut mallory, mut anna) = (Player::at("203.0.113.1"), Player::at("192.0.2.2"));
    let listed = json!({ "rules": RULES, "opponent": "person", "listed": true });
    let mut games = Vec::new();
    for _ in 0..5 {
        games.push(mallory.create(&server, listed.clone()).await["game"].as_str().unwrap().to_owned());
    }
    let refused = mallory.post(server.path("/api/games"), &listed).await;
    assert_eq!(refused.status(), StatusCode::TOO_MANY_REQUESTS);
    assert!(refused.headers().contains_key("retry-after"));
    assert_eq!(refused.json::<Value>().await.unwrap()["error"]["code"], "too-many-listed");
    mallory.create(&server, json!({ "rules": RULES, "opponent": "person" })).await;
    anna.create(&server, listed.clone()).await;
    let lobby: Value = anna.get(server.path("/api/games")).await.json().await.unwrap();
    assert_eq!(lobby["games"].as_array().unwrap().len(), 6);
    // A game that someone has joined waits no longer.
    anna.post(server.path(&format!("/api/games/{}/join", games[0])), &json!({})).await;
    mallory.create(&server, listed.clone()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_address_takes_a_bounded_number_of_seats_in_the_lobby() {
    let server = Server::behind_a_balancer().await;
    let mut mallory = Player::at("203.0.113.1");
    let mut hosts: Vec<Player> =
        ["192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5", "192.0.2.6", "192.0.2.7"].map(Player::at).into();
    let mut games = Vec::new();
    for host in &mut hosts {
        for _ in 0..5 {
            let listed = json!({ "rules": RULES, "opponent": "person", "listed": true });
            games.push(host.create(&server, listed).await["game"].as_str().unwrap().to_owned());
        }
    }
    let mut taken = Vec::new();
    let mut refused = 0;
    for game in &games {
        let answer = mallory.post(server.path(&format!("/api/games/{game}/join")), &json!({})).await;
        match answer.status() {
            StatusCode::OK => taken.push(game.clone()),
            status => {
                assert_eq!(status, StatusCode::TOO_MANY_REQUESTS);
                assert_eq!(answer.json::<Value>().await.unwrap()["error"]["code"], "too-many-seats");
                refused += 1;
            }
        }
    }
    assert_eq!((taken.len(), refused), (25, 5));
    mallory.command(&server, &taken[0], json!({ "kind": "resign" })).await;
    let answer = mallory.post(server.path(&format!("/api/games/{}/join", games[29])), &json!({})).await;
    assert_eq!(answer.status(), StatusCode::OK, "one game is over");
}

#[tokio::test(flavor = "multi_thread")]
async fn rematches_are_new_games_and_offers_are_stored_once() {
    let server = Server::behind_a_balancer().await;
    let mut mallory = Player::at("203.0.113.1");
    let mut game = mallory.create(&server, json!({ "rules": RULES, "opponent": "sailor" })).await["game"].clone();
    let mut games = 1;
    loop {
        let id = game.as_str().unwrap().to_owned();
        mallory.command(&server, &id, json!({ "kind": "resign" })).await;
        let (status, reply) = mallory.command(&server, &id, json!({ "kind": "rematch" })).await;
        if status == StatusCode::TOO_MANY_REQUESTS {
            break;
        }
        games += 1;
        assert!(games <= 60, "there is a limit");
        game = reply["rematch"]["game"].clone();
    }
    assert!(games >= 30, "an evening of games is allowed: {games}");

    let (mut anna, mut boris) = (Player::at("192.0.2.2"), Player::at("192.0.2.3"));
    let game = begun_game(&server, &mut anna, &mut boris).await;
    anna.command(&server, &game, json!({ "kind": "resign" })).await;
    let (_, offered) = anna.command(&server, &game, json!({ "kind": "rematch" })).await;
    for _ in 0..10 {
        let (status, view) = anna.command(&server, &game, json!({ "kind": "rematch" })).await;
        assert_eq!((status, &view["revision"]), (StatusCode::OK, &offered["revision"]), "nothing new is stored");
    }
}
