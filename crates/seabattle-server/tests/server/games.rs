//! Whole games over HTTP: against the computer, between two, over a restart.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::client::{Player, Server, open_cell};

const RULES: &str = "4x4:2,1";

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_game_against_the_computer_with_proof_review_record_and_rematch() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let view =
        anna.create(&server, json!({ "rules": RULES, "opponent": "sailor", "first": "me", "name": "Anna" })).await;
    let game = view["game"].as_str().unwrap().to_owned();
    let commitment = view["commitment"].as_str().unwrap().to_owned();
    assert_eq!(view["stage"], "placing");
    anna.place_any(&server, &game, RULES).await;
    let mine = |view: &Value| view["mover"] == "A" || view["stage"] == "over";
    let mut view = anna.until(&server, &game, mine).await;
    while view["stage"] == "battle" {
        assert!(view["waters"]["B"]["fleet"].is_null());
        let (status, reply) =
            anna.command(&server, &game, json!({ "kind": "shoot", "cells": [open_cell(&view, "B")] })).await;
        assert_eq!(status, StatusCode::OK, "{reply}");
        view = anna.until(&server, &game, mine).await;
    }
    assert_eq!(view["end"]["how"], "sunk");
    assert_eq!(view["commitment"], commitment.as_str());
    let proof = format!("{}:{}", view["proof"]["salt"].as_str().unwrap(), view["proof"]["fleet"].as_str().unwrap());
    assert_eq!(sha256(&proof), commitment);
    let record = anna.get(server.path(&format!("/api/games/{game}/record"))).await.text().await.unwrap();
    assert!(record.contains("[A \"Anna\"]") && record.contains("[B \"sailor\"]"), "{record}");
    let review: Value = anna.get(server.path(&format!("/api/games/{game}/review"))).await.json().await.unwrap();
    assert!(review["A"]["skill"].as_f64().unwrap() <= 100.0, "{review}");
    assert_eq!(review["turning_points"][0]["kind"].as_str().map(str::is_empty), Some(false), "{review}");
    let film = anna.get(server.path(&format!("/api/games/{game}/film.gif"))).await.bytes().await.unwrap();
    assert!(film.starts_with(b"GIF89a"));
    let (status, view) = anna.command(&server, &game, json!({ "kind": "rematch" })).await;
    assert_eq!(status, StatusCode::OK);
    let next = view["rematch"]["game"].as_str().unwrap().to_owned();
    let view = anna.view(&server, &next).await;
    assert_eq!((view["you"].as_str(), view["computer"]["side"].as_str()), (Some("B"), Some("A")), "sides are swapped");
    let over: Value = anna.get(server.path("/api/games?state=over")).await.json().await.unwrap();
    assert_eq!(over["games"][0]["id"], game.as_str());
}

fn sha256(text: &str) -> String {
    use std::io::Write;
    let mut child = std::process::Command::new("sha256sum")
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()[..64].to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_people_and_a_spectator_each_see_what_they_may() {
    let (server, mut anna, mut boris, eve) = (Server::start().await, Player::new(), Player::new(), Player::new());
    let wanted = json!({ "rules": RULES, "opponent": "person", "first": "me", "name": "Anna", "listed": true });
    let game = anna.create(&server, wanted).await["game"].as_str().unwrap().to_owned();
    let open: Value = eve.get(server.path("/api/games")).await.json().await.unwrap();
    assert_eq!(open["games"][0]["id"], game.as_str());
    let joined = boris.post(server.path(&format!("/api/games/{game}/join")), &json!({ "name": "Boris" })).await;
    assert_eq!(joined.status(), StatusCode::OK);
    let late = Player::new().post(server.path(&format!("/api/games/{game}/join")), &json!({})).await;
    assert_eq!(late.status(), StatusCode::CONFLICT);
    anna.place_any(&server, &game, RULES).await;
    boris.place_any(&server, &game, RULES).await;
    let (views, sides) = (
        [anna.view(&server, &game).await, boris.view(&server, &game).await, eve.view(&server, &game).await],
        ["A", "B"],
    );
    for (view, own) in views.iter().zip([Some("A"), Some("B"), None]) {
        assert_eq!(view["you"].as_str(), own);
        for side in sides {
            assert_eq!(view["waters"][side]["fleet"].is_null(), own != Some(side));
        }
    }
    let (status, refused) = boris.command(&server, &game, json!({ "kind": "shoot", "cells": ["A1"] })).await;
    assert_eq!((status, refused["error"]["code"].as_str()), (StatusCode::CONFLICT, Some("not-your-turn")));
    let shot = json!({ "kind": "shoot", "cells": ["A1"], "command": "once" });
    let (_, first) = anna.command(&server, &game, shot.clone()).await;
    let (status, again) = anna.command(&server, &game, shot).await;
    assert_eq!((status, &again["revision"]), (StatusCode::OK, &first["revision"]), "sent twice, done once");
    let (status, _) = boris.command(&server, &game, json!({ "kind": "resign" })).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(eve.view(&server, &game).await["end"], json!({ "winner": "A", "how": "resigned" }));
    anna.command(&server, &game, json!({ "kind": "rematch" })).await;
    let (_, view) = boris.command(&server, &game, json!({ "kind": "rematch" })).await;
    let next = view["rematch"]["game"].as_str().unwrap().to_owned();
    assert_eq!(boris.view(&server, &next).await["you"], "A", "the old seat opens the new game");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restart_loses_neither_seat_nor_shot() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let view = anna.create(&server, json!({ "rules": "classic", "opponent": "captain", "first": "me" })).await;
    let game = view["game"].as_str().unwrap().to_owned();
    anna.place_any(&server, &game, "classic").await;
    for _ in 0..5 {
        let view = anna.until(&server, &game, |view| view["mover"] == "A").await;
        anna.command(&server, &game, json!({ "kind": "shoot", "cells": [open_cell(&view, "B")] })).await;
    }
    let before = anna.until(&server, &game, |view| view["mover"] == "A").await;
    let again = server.again().await;
    let after = anna.view(&again, &game).await;
    assert_eq!(
        (&after["waters"], &after["you"], &after["revision"]),
        (&before["waters"], &before["you"], &before["revision"])
    );
    let (status, _) = anna.command(&again, &game, json!({ "kind": "shoot", "cells": [open_cell(&after, "B")] })).await;
    assert_eq!(status, StatusCode::OK);
    anna.until(&again, &game, |view| view["waters"]["A"]["shots"].as_array().unwrap().len() == 6).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_are_for_games_against_the_computer_and_after_placing() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let view = anna.create(&server, json!({ "rules": RULES, "opponent": "sailor", "first": "me" })).await;
    let game = view["game"].as_str().unwrap().to_owned();
    let path = server.path(&format!("/api/games/{game}/odds"));
    assert_eq!(anna.get(path.clone()).await.status(), StatusCode::CONFLICT);
    anna.place_any(&server, &game, RULES).await;
    let odds: Value = anna.get(path.clone()).await.json().await.unwrap();
    assert!(odds["cells"]["A1"].as_f64().unwrap() > 0.0, "{odds}");
    assert_eq!(Player::new().get(path).await.status(), StatusCode::FORBIDDEN);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shuffle_on_a_full_board_ends() {
    let (server, anna) = (Server::start().await, Player::new());
    for rules in ["3x3:3,3,3", "2x2:2,2", "1x1:1", "50x50:5,4,3"] {
        let layout: Value = anna.get(server.path(&format!("/api/layout?rules={rules}"))).await.json().await.unwrap();
        assert!(layout["fleet"].is_string(), "{rules}: {layout}");
    }
    let stuck = anna.get(server.path("/api/layout?rules=3x3:3,2,2&around=3%20A2%20across")).await;
    assert!(stuck.status() == StatusCode::OK || stuck.status() == StatusCode::CONFLICT);
}

#[tokio::test(flavor = "multi_thread")]
async fn odds_of_a_finished_game_are_told_for_every_step() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let view = anna.create(&server, json!({ "rules": RULES, "opponent": "sailor", "first": "me" })).await;
    let game = view["game"].as_str().unwrap().to_owned();
    anna.place_any(&server, &game, RULES).await;
    let path = |query: &str| server.path(&format!("/api/games/{game}/odds{query}"));
    assert_eq!(anna.get(path("?side=A&shots=0")).await.status(), StatusCode::CONFLICT, "not before the end");
    anna.command(&server, &game, json!({ "kind": "shoot", "cells": ["A1"] })).await;
    anna.command(&server, &game, json!({ "kind": "resign" })).await;
    let odds: Value = Player::new().get(path("?side=A&shots=1")).await.json().await.unwrap();
    assert!(odds["cells"]["A1"].is_null() && odds["cells"]["B2"].is_number(), "{odds}");
    assert_eq!(anna.get(path("?side=A&shots=9")).await.status(), StatusCode::BAD_REQUEST);
    assert_eq!(anna.get(path("?side=A")).await.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_for_a_room_that_was_changed_elsewhere_is_decided_again() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let view = anna.create(&server, json!({ "rules": RULES, "opponent": "sailor", "first": "me" })).await;
    let game = view["game"].as_str().unwrap().to_owned();
    anna.place_any(&server, &game, RULES).await;
    let other = server.beside().await;
    anna.command(&other, &game, json!({ "kind": "shoot", "cells": ["A1"] })).await;
    let elsewhere = anna.until(&other, &game, |view| view["mover"] == "A" || view["stage"] == "over").await;
    let (status, view) = anna.command(&server, &game, json!({ "kind": "shoot", "cells": ["A2"] })).await;
    assert_eq!(status, StatusCode::OK, "{view}");
    let shots = |view: &Value| view["waters"]["B"]["shots"].as_array().unwrap().len();
    assert_eq!((shots(&elsewhere), shots(&view)), (1, 2), "what happened elsewhere is there");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_create_or_join_gives_the_same_seat() {
    let server = Server::start().await;
    let wanted = json!({ "rules": RULES, "opponent": "person", "command": "0123456789abcdef0123456789abcdef" });
    // Their answers are lost: each time the browser knows no cookie.
    let mut anna: Vec<Player> = (0..5).map(|_| Player::new()).collect();
    let creating = anna.iter_mut().map(|player| player.create(&server, wanted.clone()));
    let games = futures_util::future::join_all(creating).await;
    let game = games[0]["game"].as_str().unwrap().to_owned();
    assert!(games.iter().all(|view| view["game"] == game && view["you"] == "A"), "{games:?}");
    assert!(anna.iter().all(|player| player.cookies == anna[0].cookies));

    let path = server.path(&format!("/api/games/{game}/join"));
    let body = json!({ "name": "Boris", "command": "fedcba9876543210fedcba9876543210" });
    let mut boris: Vec<Player> = (0..3).map(|_| Player::new()).collect();
    for player in &mut boris {
        let view: Value = player.post(path.clone(), &body).await.json().await.unwrap();
        assert_eq!((&view["you"], &view["names"]["B"]), (&json!("B"), &json!("Boris")), "{view}");
    }
    assert!(boris.iter().all(|player| player.cookies == boris[0].cookies));
    let mut clara = Player::new();
    let other = json!({ "command": "another request of somebody else" });
    assert_eq!(clara.post(path.clone(), &other).await.status(), StatusCode::CONFLICT, "the seat is taken");
    let guessable = json!({ "command": "1" });
    assert_eq!(clara.post(server.path("/api/games"), &guessable).await.status(), StatusCode::BAD_REQUEST);
}
