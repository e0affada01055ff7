//! The computer's opponents: what the list says, and a game against each bot of the documents.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::client::{Player, Server, open_cell};

async fn listed(server: &Server) -> Vec<Value> {
    let reply: Value = Player::new().get(server.path("/api/opponents")).await.json().await.unwrap();
    reply["opponents"].as_array().unwrap().clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_has_the_levels_and_the_bots_of_the_documents() {
    let opponents = listed(&Server::start().await).await;
    let ids = |group: &str| {
        let of_group = opponents.iter().filter(|opponent| opponent["group"] == group);
        of_group.map(|opponent| opponent["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(ids("level"), ["recruit", "sailor", "captain", "admiral", "champion"]);
    let documents = ids("document");
    assert_eq!((documents.len(), opponents.len()), (9, 14), "{documents:?}");
    for opponent in &opponents {
        for field in ["title", "description"] {
            assert!(!opponent[field].as_str().unwrap().is_empty(), "{opponent}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_bot_of_the_documents_plays_a_game_to_its_end_and_a_rematch() {
    let (server, mut anna) = (Server::start().await, Player::new());
    for opponent in listed(&server).await.iter().filter(|opponent| opponent["group"] == "document") {
        let id = opponent["id"].as_str().unwrap();
        let view = anna.create(&server, json!({ "rules": "5x5:3,2", "opponent": id, "first": "them" })).await;
        assert_eq!(view["computer"], json!({ "side": "B", "level": id }));
        let game = view["game"].as_str().unwrap().to_owned();
        anna.place_any(&server, &game, "5x5:3,2").await;
        let mine = |view: &Value| view["mover"] == "A" || view["stage"] == "over";
        let mut view = anna.until(&server, &game, mine).await;
        while view["stage"] == "battle" {
            let shot = json!({ "kind": "shoot", "cells": [open_cell(&view, "B")] });
            let (status, reply) = anna.command(&server, &game, shot).await;
            assert_eq!(status, StatusCode::OK, "{id}: {reply}");
            view = anna.until(&server, &game, mine).await;
        }
        assert_eq!(view["end"]["how"], "sunk", "{id}");
        let (_, view) = anna.command(&server, &game, json!({ "kind": "rematch" })).await;
        let next = view["rematch"]["game"].as_str().unwrap().to_owned();
        assert_eq!(anna.view(&server, &next).await["computer"], json!({ "side": "A", "level": id }));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn opponents_are_found_in_any_case_and_others_are_refused() {
    let (server, mut anna) = (Server::start().await, Player::new());
    for (asked, id) in [("Champion", "champion"), ("STAR", "star"), ("Swift Example", "swift-example")] {
        let view = anna.create(&server, json!({ "rules": "5x5:3,2", "opponent": asked })).await;
        assert_eq!(view["computer"]["level"], id);
    }
    for asked in ["god", "random", ""] {
        let response = anna.post(server.path("/api/games"), &json!({ "opponent": asked })).await;
        assert_eq!(response.status(), StatusCode::BAD_REQUEST, "{asked}");
        let reply: Value = response.json().await.unwrap();
        assert_eq!(reply["error"]["code"], "opponent");
    }
}
