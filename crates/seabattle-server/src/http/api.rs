//! The interface for pages and scripts, as `docs/server.md` describes it.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::Instant;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{ConnectInfo, Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use seabattle_bots::{BotInfo, Group};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Doors;
use super::client::{address, cookie, secrets, too_many};
use crate::command::{Command, Refusal};
use crate::event::Letter;
use crate::hall::Seated;
use crate::placement::place_each;
use crate::store::Shelf;
use crate::terms::{Wanted, opponents, read_rules};
use crate::view::View;

type Body<T> = Result<Json<T>, JsonRejection>;
type Answer<T> = Result<T, Refusal>;

#[derive(Deserialize)]
pub(crate) struct Asked {
    state: Option<String>,
}

pub(crate) async fn list(
    State(doors): State<Doors>,
    query: Result<Query<Asked>, QueryRejection>,
) -> Answer<Json<Value>> {
    let Query(asked) = query?;
    let shelf = match asked.state.as_deref().unwrap_or("open") {
        "open" => Shelf::Open,
        "over" => Shelf::Over,
        _ => return Err(Refusal::wrong("state", "state is open or over")),
    };
    Ok(Json(json!({ "games": doors.hall.listed(shelf).await? })))
}

/// The computer's opponents, weakest level first, then the bots of the source documents.
pub(crate) async fn list_opponents() -> Json<Value> {
    let shown = |entry: &BotInfo| {
        let group = if entry.group == Group::Level { "level" } else { "document" };
        json!({ "id": entry.name, "title": entry.title, "description": entry.about, "group": group })
    };
    Json(json!({ "opponents": opponents().map(shown).collect::<Vec<_>>() }))
}

pub(crate) async fn create(
    State(doors): State<Doors>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
    body: Body<Wanted>,
) -> Answer<Response> {
    let Json(wanted) = body?;
    if !doors.new_games.allows(address(&doors, peer, &headers), Instant::now()) {
        return Err(too_many());
    }
    Ok(seated(StatusCode::CREATED, &doors.hall.create(&wanted).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Joining {
    name: Option<String>,
}

pub(crate) async fn join(
    State(doors): State<Doors>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Body<Joining>,
) -> Answer<Response> {
    let Json(joining) = body?;
    let (view, seat) = doors.hall.view(&game, &secrets(&headers, &game)).await?;
    if seat.is_some() {
        return Ok(Json(view).into_response());
    }
    Ok(seated(StatusCode::OK, &doors.hall.join(&game, joining.name.as_deref()).await?))
}

fn seated(status: StatusCode, seated: &Seated) -> Response {
    let mut response = (status, Json(&seated.view)).into_response();
    if let Some(cookie) = cookie(&seated.game, &seated.secret) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

pub(crate) async fn view(
    State(doors): State<Doors>,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> Answer<Json<View>> {
    let (view, _) = doors.hall.view(&game, &secrets(&headers, &game)).await?;
    Ok(Json(view))
}

pub(crate) async fn command(
    State(doors): State<Doors>,
    Path(game): Path<String>,
    headers: HeaderMap,
    body: Body<Command>,
) -> Answer<Json<View>> {
    let Json(command) = body?;
    let obeyed = doors.hall.obey(&game, &secrets(&headers, &game), &command).await;
    obeyed.map(Json).inspect_err(|_| {
        doors.hall.metrics.refusals.inc();
    })
}

#[derive(Deserialize)]
pub(crate) struct Then {
    side: Option<Letter>,
    shots: Option<usize>,
}

/// Now, for the player whose turn it is; or of a game that is over, as they were then.
pub(crate) async fn odds(
    State(doors): State<Doors>,
    Path(game): Path<String>,
    headers: HeaderMap,
    query: Result<Query<Then>, QueryRejection>,
) -> Answer<Json<Value>> {
    let (revision, odds, known) = match query?.0 {
        Then { side: Some(side), shots: Some(shots) } => {
            let (odds, known) = doors.hall.odds_then(&game, side.into(), shots).await?;
            (None, odds, known)
        }
        Then { side: None, shots: None } => {
            let (revision, odds, known) = doors.hall.odds(&game, &secrets(&headers, &game)).await?;
            (Some(revision), odds, known)
        }
        _ => return Err(Refusal::wrong("query", "side and shots belong together")),
    };
    let open = known.open();
    let cells: BTreeMap<String, f64> = open.iter().map(|cell| (cell.to_string(), odds.probability(cell))).collect();
    let best = open.iter().max_by(|a, b| odds.probability(*a).total_cmp(&odds.probability(*b)));
    let best = best.map(|cell| cell.to_string());
    Ok(Json(json!({ "revision": revision, "cells": cells, "best": best })))
}

pub(crate) async fn record(State(doors): State<Doors>, Path(game): Path<String>) -> Answer<String> {
    Ok(doors.hall.finished(&game).await?.1.to_string())
}

pub(crate) async fn review(State(doors): State<Doors>, Path(game): Path<String>) -> Answer<Json<Value>> {
    let (record, analysis) = doors.hall.analysis(&game).await?;
    Ok(Json(seabattle_render::analysis_json(record.rules(), &analysis)))
}

pub(crate) async fn film(State(doors): State<Doors>, Path(game): Path<String>) -> Answer<impl IntoResponse> {
    let film = doors.hall.film(&game).await?;
    let attached = format!("attachment; filename=\"seabattle-{game}.gif\"");
    Ok(([(header::CONTENT_TYPE, "image/gif".to_owned()), (header::CONTENT_DISPOSITION, attached)], film))
}

#[derive(Deserialize)]
pub(crate) struct Around {
    rules: Option<String>,
    around: Option<String>,
}

pub(crate) async fn layout(
    State(doors): State<Doors>,
    query: Result<Query<Around>, QueryRejection>,
) -> Answer<Json<Value>> {
    let Query(around) = query?;
    let rules = read_rules(around.rules.as_deref().unwrap_or("classic"))?;
    let (placed, refusals) = place_each(&rules, around.around.as_deref().unwrap_or(""))?;
    if !refusals.is_empty() {
        return Err(Refusal { refusals, ..Refusal::wrong("around", "the ships to keep cannot be placed so") });
    }
    let fleet = doors.hall.layout(placed).await?;
    Ok(Json(json!({ "fleet": fleet.to_string() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ships {
    rules: String,
    ships: String,
}

/// Whether ships may lie so, one after the other.
pub(crate) async fn fleet(body: Body<Ships>) -> Answer<Json<Value>> {
    let Json(asked) = body?;
    let rules = read_rules(&asked.rules)?;
    let (placed, refusals) = place_each(&rules, &asked.ships)?;
    let missing: BTreeMap<&str, u16> = rules
        .class_ids()
        .map(|class| (rules.class(class).name(), placed.missing(class)))
        .filter(|(_, count)| *count > 0)
        .collect();
    let complete = placed.is_complete() && refusals.is_empty();
    Ok(Json(json!({ "complete": complete, "refusals": refusals, "missing": missing })))
}

pub(crate) async fn health() -> &'static str {
    "alive\n"
}

pub(crate) async fn ready(State(doors): State<Doors>) -> Answer<&'static str> {
    match (doors.hall.is_ready().await, doors.hall.hears_at_once()) {
        (true, true) => Ok("ready\n"),
        (true, false) => Ok("ready, but NATS does not answer: news of other nodes come late\n"),
        (false, _) => Err(Refusal::unavailable()),
    }
}

pub(crate) async fn metrics(State(doors): State<Doors>) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], doors.hall.metrics_text())
}
