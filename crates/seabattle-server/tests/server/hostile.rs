//! Bad input gets a reason, never a failure.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::client::{Player, Server};

#[tokio::test(flavor = "multi_thread")]
async fn bad_input_is_answered_with_a_reason() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let game = anna.create(&server, json!({ "opponent": "person" })).await["game"].as_str().unwrap().to_owned();
    let bodies = [
        ("/api/games", "nonsense"),
        ("/api/games", "{\"rules\":\"nonsense\"}"),
        ("/api/games", "{\"rules\":\"99x99:5\"}"),
        ("/api/games", "{\"clock\":1}"),
        ("/api/games", "{\"clock\":-1}"),
        ("/api/games", "{\"opponent\":\"god\"}"),
        ("/api/games", "{\"first\":\"nobody\"}"),
        ("/api/games", "{\"unknown\":1}"),
        ("/api/fleet", "{\"rules\":\"classic\",\"ships\":\"yacht A1 across\"}"),
        ("/api/fleet", "[]"),
    ];
    for (path, body) in bodies {
        let request = anna.client.post(server.path(path)).header("content-type", "application/json").body(body);
        let response = request.send().await.unwrap();
        let status = response.status();
        let reply: Value = response.json().await.unwrap();
        assert!(
            status.is_client_error() && !reply["error"]["reason"].as_str().unwrap().is_empty(),
            "{body}: {status} {reply}"
        );
    }
    let commands = [
        json!({ "kind": "dance" }),
        json!({ "kind": "place", "fleet": "carrier A1 across" }),
        json!({ "kind": "place", "fleet": "carrier A1 across, ".repeat(400) }),
        json!({ "kind": "shoot", "cells": ["A1"] }),
        json!({ "kind": "rematch" }),
        json!({ "kind": "resign", "command": "x".repeat(65) }),
        json!({ "kind": "resign", "command": "" }),
    ];
    for command in commands {
        let (status, reply) = anna.command(&server, &game, command.clone()).await;
        assert!(status.is_client_error() && reply["error"]["code"].is_string(), "{command}: {status} {reply}");
    }
    assert_eq!(anna.view(&server, &game).await["revision"], 1, "nothing has changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn places_that_do_not_exist_are_not_found() {
    let (server, anna) = (Server::start().await, Player::new());
    for path in ["/api/games/aaaaaaaaaa", "/api/games/..%2f..%2fetc", "/api/games/x/record", "/nothing", "/Cargo.toml"]
    {
        assert_eq!(anna.get(server.path(path)).await.status(), StatusCode::NOT_FOUND, "{path}");
    }
    for path in [
        "/api/games?state=nonsense",
        "/api/layout?rules=nonsense",
        "/api/layout?rules=classic&around=carrier%20Z9%20down",
    ] {
        assert_eq!(anna.get(server.path(path)).await.status(), StatusCode::BAD_REQUEST, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_too_large_is_refused() {
    let (server, anna) = (Server::start().await, Player::new());
    let request = anna.client.post(server.path("/api/games")).header("content-type", "application/json");
    let response = request.body(format!("{{\"name\":\"{}\"}}", "x".repeat(100_000))).send().await.unwrap();
    assert!(response.status().is_client_error());
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_bounded_and_hold_nothing_unseen() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let name = format!("<b>\u{202e}Anna\u{0007}{}", "x".repeat(1000));
    let view = anna.create(&server, json!({ "opponent": "person", "name": name })).await;
    let shown = view["names"]["A"].as_str().unwrap();
    assert!(shown.starts_with("<b>Anna") && shown.chars().count() <= 40, "{shown:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn too_many_requests_are_turned_away() {
    let (server, anna) = (Server::with_rate(seabattle_server::DEFAULT_RATE).await, Player::new());
    let mut turned_away = 0;
    for _ in 0..400 {
        turned_away += usize::from(anna.get(server.path("/healthz")).await.status() == StatusCode::TOO_MANY_REQUESTS);
    }
    assert!(turned_away > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn behind_a_balancer_limits_are_those_of_its_clients() {
    let (server, anna) = (Server::behind_a_balancer().await, Player::new());
    let ask = async |client: &str| {
        let request = anna.client.get(server.path("/healthz")).header("x-forwarded-for", client);
        request.send().await.unwrap()
    };
    let mut turned_away = None;
    for number in 0..400 {
        // What the client itself claims comes first and counts for nothing.
        let answer = ask(&format!("10.0.0.{number}, 192.0.2.1")).await;
        turned_away = turned_away.or(Some(answer).filter(|answer| answer.status() == StatusCode::TOO_MANY_REQUESTS));
    }
    assert_eq!(turned_away.unwrap().headers()["retry-after"], "1");
    assert_eq!(ask("192.0.2.2").await.status(), StatusCode::OK, "somebody else");
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_carry_a_strict_policy_and_cookies_are_secret() {
    let (server, mut anna) = (Server::start().await, Player::new());
    for path in ["/", "/game/aaaaaaaaaa", "/replay/aaaaaaaaaa"] {
        let page = anna.get(server.path(path)).await;
        assert_eq!(page.status(), StatusCode::OK);
        let policy = page.headers()["content-security-policy"].to_str().unwrap().to_owned();
        assert!(policy.contains("default-src 'self'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(page.headers()["x-content-type-options"], "nosniff");
    }
    let created = anna.post(server.path("/api/games"), &json!({ "opponent": "person" })).await;
    let cookie = created.headers()["set-cookie"].to_str().unwrap().to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let body = created.text().await.unwrap();
    let secret = cookie.split(['=', ';']).nth(1).unwrap();
    assert!(!body.contains(secret), "the secret is in the cookie alone");
}

#[tokio::test(flavor = "multi_thread")]
async fn health_readiness_metrics_and_description_are_served() {
    let (server, anna) = (Server::start().await, Player::new());
    assert_eq!(anna.get(server.path("/healthz")).await.text().await.unwrap(), "alive\n");
    assert_eq!(anna.get(server.path("/readyz")).await.text().await.unwrap(), "ready\n");
    assert!(anna.get(server.path("/metrics")).await.text().await.unwrap().contains("seabattle_games_total"));
    let described: Value = anna.get(server.path("/api/openapi.json")).await.json().await.unwrap();
    for path in
        ["/api/games", "/api/games/{game}", "/api/games/{game}/commands", "/api/fleet", "/api/layout", "/api/opponents"]
    {
        assert!(described["paths"][path].is_object(), "{path}");
    }
}

#[tokio::test]
async fn a_layout_on_a_nearly_full_board_keeps_nobody_waiting() {
    let (server, anna) = (Server::start().await, Player::new());
    // Found by fuzzing: half a second of thought, here on the only thread that serves.
    let rules = "3x50:32,6,22,4,2,2,en2r=2,5,22,4,2,2,ex2r=36";
    let layout = tokio::spawn(anna.client.get(server.path(&format!("/api/layout?rules={rules}"))).send());
    let mut answered = 0;
    while !layout.is_finished() {
        assert_eq!(anna.get(server.path("/healthz")).await.status(), StatusCode::OK);
        answered += 1;
    }
    assert_eq!(layout.await.unwrap().unwrap().status(), StatusCode::OK);
    assert!(answered > 1, "nobody else was answered meanwhile");
}
