//! Why ships are refused: a code and the cells to mark for each reason, wherever a fleet is placed.

use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::client::{Player, Server};

/// Rules, ships, and the one refusal of the last ship.
const REFUSED: [(&str, &str, &str, &[&str]); 9] = [
    ("classic", "carrier A1 B1 C1 D1 E1 E1", "duplicate", &["E1"]),
    ("4x4:3", "3 A1 B1 D1", "gap", &["C1"]),
    ("4x4:3", "3 A1 A2 B2", "not-straight", &["B2"]),
    ("4x4:3", "3 B1 C1", "wrong-length", &["B1"]),
    ("4x4:3", "3 C2 across", "outside", &["E2"]),
    ("4x4:3,2", "3 A1 across, 2 B1 down", "overlap", &["B1"]),
    ("4x4:3,2,touching=forbidden", "3 A1 across, 2 D2 down", "touching", &["D2", "C1"]),
    ("russian", "4 A1 across, 3 A2 across", "touching", &["A2", "A1"]),
    ("4x4:2", "2 A1 across, 2 A3 across", "too-many", &["A3"]),
];

async fn examine(server: &Server, rules: &str, ships: &str) -> Value {
    let response = Player::new().post(server.path("/api/fleet"), &json!({ "rules": rules, "ships": ships })).await;
    assert_eq!(response.status(), StatusCode::OK, "{ships}");
    response.json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_reason_has_its_code_and_its_cells() {
    let server = Server::start().await;
    for (rules, ships, code, cells) in REFUSED {
        let verdict = examine(&server, rules, ships).await;
        let refusals = verdict["refusals"].as_array().unwrap();
        assert_eq!((verdict["complete"].as_bool(), refusals.len()), (Some(false), 1), "{ships}: {verdict}");
        let refusal = &refusals[0];
        assert_eq!((&refusal["code"], &refusal["cells"]), (&json!(code), &json!(cells)), "{ships}: {verdict}");
        assert_eq!(refusal["cell"], cells[0], "{ships}");
        assert!(!refusal["reason"].as_str().unwrap().is_empty(), "{ships}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_ship_in_the_way_is_named() {
    let server = Server::start().await;
    let verdict = examine(&server, "classic", "carrier A1 across, cruiser C1 down").await;
    let refusal = &verdict["refusals"][0];
    assert_eq!((&refusal["ship"], &refusal["other"]), (&json!("cruiser"), &json!("carrier")), "{verdict}");
    let verdict = examine(&server, "4x4:3,2,touching=forbidden", "3 A1 across, 2 D2 down").await;
    assert_eq!(verdict["refusals"][0]["other_cell"], "C1", "{verdict}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fleet_that_cannot_be_placed_is_refused_with_every_ship_that_is_wrong() {
    let (server, mut anna) = (Server::start().await, Player::new());
    let wanted = json!({ "rules": "4x4:3,2,1", "opponent": "person" });
    let game = anna.create(&server, wanted).await["game"].as_str().unwrap().to_owned();
    let place = json!({ "kind": "place", "fleet": "3 A1 B1 D1, 2 D4 across" });
    let (status, reply) = anna.command(&server, &game, place).await;
    assert_eq!((status, &reply["error"]["code"]), (StatusCode::BAD_REQUEST, &json!("fleet")), "{reply}");
    let refusals = reply["error"]["refusals"].as_array().unwrap().iter();
    let codes: Vec<Value> = refusals.map(|refusal| json!([refusal["code"], refusal["cells"]])).collect();
    assert_eq!(json!(codes), json!([["gap", ["C1"]], ["outside", ["E4"]], ["missing", []]]), "{reply}");
    let around = anna.get(server.path("/api/layout?rules=4x4:3,2&around=3%20A1%20across,%202%20C1%20down")).await;
    assert_eq!(around.status(), StatusCode::BAD_REQUEST);
    let reply: Value = around.json().await.unwrap();
    assert_eq!(reply["error"]["refusals"][0]["code"], "overlap", "{reply}");
    let (_, reply) = anna.command(&server, &game, json!({ "kind": "shoot", "cells": ["A1"] })).await;
    assert!(reply["error"].get("refusals").is_none(), "only fleets have them: {reply}");
}
