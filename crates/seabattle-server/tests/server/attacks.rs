//! Attacks of one client, beside players who notice nothing.
//!
//! The tests compare counts and bounds, never times: while an attack goes on, others play whole games.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::client::{Player, Server, open_cell};

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
        assert!(server.metric("work_waiting{work=\"rules\"}").await <= 32);
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
    let after_restart = server.again().await;
    assert_eq!(text(&after_restart).await, first);
    let film = anna.get(server.path(&format!("/api/games/{game}/film.gif"))).await.bytes().await.unwrap();
    let again = anna.get(server.path(&format!("/api/games/{game}/film.gif"))).await.bytes().await.unwrap();
    assert_eq!(film, again);
    assert!(server.metric("cache_bytes{cache=\"animations\"}").await >= film.len() as u64);
}
