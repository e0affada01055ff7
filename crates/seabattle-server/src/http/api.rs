//! The HTTP handlers of the interface that `docs/server.md` describes.

use std::collections::BTreeMap;
use std::time::Instant;

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use seabattle_bots::{BotInfo, Group};
use serde::Deserialize;
use serde_json::{Value, json};

use super::AppState;
use super::client::{cookie, secrets, too_many};
use crate::admission::Client;
use crate::api_error::ApiError;
use crate::rooms::SeatGrant;
use crate::rooms::command::{Command, CommandKind};
use crate::rooms::event::SideName;
use crate::rooms::game_config::{CreateGame, opponents};
use crate::rooms::placement::place_each;
use crate::rooms::view::View;
use crate::store::GameStatus;

type Body<T> = Result<Json<T>, JsonRejection>;
type ApiResult<T> = Result<T, ApiError>;

#[derive(Deserialize)]
pub(crate) struct ListQuery {
    state: Option<String>,
}

pub(crate) async fn list(
    State(state): State<AppState>,
    query: Result<Query<ListQuery>, QueryRejection>,
) -> ApiResult<Json<Value>> {
    let Query(query) = query?;
    let status = match query.state.as_deref().unwrap_or("open") {
        "open" => GameStatus::Open,
        "over" => GameStatus::Over,
        _ => return Err(ApiError::bad_request("state", "state is open or over")),
    };
    Ok(Json(json!({ "games": state.rooms.list(status).await? })))
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
    State(state): State<AppState>,
    client: Client,
    body: Body<CreateGame>,
) -> ApiResult<Response> {
    let Json(request) = body?;
    if !state.new_games.allows(&client, Instant::now()) {
        return Err(too_many());
    }
    Ok(seated(StatusCode::CREATED, &state.rooms.create(&request, &client).await?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JoinRequest {
    name: Option<String>,
    /// The id of the request, chosen at random by the client. A repeated request gives the same seat.
    command: Option<String>,
}

pub(crate) async fn join(
    State(state): State<AppState>,
    Path(game): Path<String>,
    client: Client,
    headers: HeaderMap,
    body: Body<JoinRequest>,
) -> ApiResult<Response> {
    let Json(joining) = body?;
    let (view, seat) = state.rooms.view(&game, &secrets(&headers, &game)).await?;
    if seat.is_some() {
        return Ok(Json(view).into_response());
    }
    let joined = state.rooms.join(&game, joining.name.as_deref(), joining.command.as_deref(), &client).await?;
    Ok(seated(StatusCode::OK, &joined))
}

fn seated(status: StatusCode, seated: &SeatGrant) -> Response {
    let mut response = (status, Json(&seated.view)).into_response();
    if let Some(cookie) = cookie(&seated.game, &seated.secret) {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

pub(crate) async fn view(
    State(state): State<AppState>,
    Path(game): Path<String>,
    headers: HeaderMap,
) -> ApiResult<Json<View>> {
    let (view, _) = state.rooms.view(&game, &secrets(&headers, &game)).await?;
    Ok(Json(view))
}

pub(crate) async fn command(
    State(state): State<AppState>,
    Path(game): Path<String>,
    client: Client,
    headers: HeaderMap,
    body: Body<Command>,
) -> ApiResult<Json<View>> {
    let Json(command) = body?;
    if !may_execute(&state, &command, &client) {
        return Err(too_many());
    }
    let result = state.rooms.handle_command(&game, &secrets(&headers, &game), &command, &client).await;
    result.map(Json).inspect_err(|_| {
        state.rooms.metrics.refusals.inc();
    })
}

/// Whether a client may execute this command now. A rematch is a new game.
pub(crate) fn may_execute(state: &AppState, command: &Command, client: &Client) -> bool {
    !matches!(command.kind, CommandKind::Rematch) || state.new_games.allows(client, Instant::now())
}

#[derive(Deserialize)]
pub(crate) struct OddsQuery {
    side: Option<SideName>,
    shots: Option<usize>,
}

/// The odds for the player to move, or those after some shots of a finished game.
pub(crate) async fn odds(
    State(state): State<AppState>,
    Path(game): Path<String>,
    client: Client,
    headers: HeaderMap,
    query: Result<Query<OddsQuery>, QueryRejection>,
) -> ApiResult<Json<Value>> {
    let (revision, odds, known) = match query?.0 {
        OddsQuery { side: Some(side), shots: Some(shots) } => {
            let (odds, known) = state.rooms.past_odds(&game, side.into(), shots, &client).await?;
            (None, odds, known)
        }
        OddsQuery { side: None, shots: None } => {
            let (revision, odds, known) = state.rooms.current_odds(&game, &secrets(&headers, &game), &client).await?;
            (Some(revision), odds, known)
        }
        _ => return Err(ApiError::bad_request("query", "give both side and shots, or neither")),
    };
    let open = known.open();
    let cells: BTreeMap<String, f64> = open.iter().map(|cell| (cell.to_string(), odds.probability(cell))).collect();
    let best = open.iter().max_by(|a, b| odds.probability(*a).total_cmp(&odds.probability(*b)));
    let best = best.map(|cell| cell.to_string());
    Ok(Json(json!({ "revision": revision, "cells": cells, "best": best })))
}

pub(crate) async fn record(State(state): State<AppState>, Path(game): Path<String>) -> ApiResult<String> {
    Ok(state.rooms.finished_game(&game).await?.1.to_string())
}

pub(crate) async fn review(
    State(state): State<AppState>,
    Path(game): Path<String>,
    client: Client,
) -> ApiResult<impl IntoResponse> {
    let review = state.rooms.review(&game, &client).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], review))
}

pub(crate) async fn animation(
    State(state): State<AppState>,
    Path(game): Path<String>,
    client: Client,
) -> ApiResult<impl IntoResponse> {
    let animation = state.rooms.animation(&game, &client).await?;
    let attached = format!("attachment; filename=\"seabattle-{game}.gif\"");
    Ok(([(header::CONTENT_TYPE, "image/gif".to_owned()), (header::CONTENT_DISPOSITION, attached)], animation))
}

#[derive(Deserialize)]
pub(crate) struct LayoutQuery {
    rules: Option<String>,
    around: Option<String>,
}

pub(crate) async fn layout(
    State(state): State<AppState>,
    client: Client,
    query: Result<Query<LayoutQuery>, QueryRejection>,
) -> ApiResult<Json<Value>> {
    let Query(around) = query?;
    let rules = state.rooms.compute.read_rules(around.rules.as_deref().unwrap_or("classic"), &client).await?;
    let (placed, refusals) = place_each(&rules, around.around.as_deref().unwrap_or(""))?;
    if !refusals.is_empty() {
        return Err(ApiError { refusals, ..ApiError::bad_request("around", "the ships to keep cannot be placed so") });
    }
    let fleet = state.rooms.random_layout(placed, &client).await?;
    Ok(Json(json!({ "fleet": fleet.to_string() })))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FleetRequest {
    rules: String,
    ships: String,
}

/// Checks a fleet ship by ship, so that a page can mark what is wrong.
pub(crate) async fn fleet(
    State(state): State<AppState>,
    client: Client,
    body: Body<FleetRequest>,
) -> ApiResult<Json<Value>> {
    let Json(request) = body?;
    let rules = state.rooms.compute.read_rules(&request.rules, &client).await?;
    let (placed, refusals) = place_each(&rules, &request.ships)?;
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

pub(crate) async fn ready(State(state): State<AppState>) -> ApiResult<&'static str> {
    match (state.rooms.is_ready().await, state.rooms.receives_notifications()) {
        (true, true) => Ok("ready\n"),
        (true, false) => Ok("ready, but NATS does not answer: changes of other nodes arrive late\n"),
        (false, _) => Err(ApiError::unavailable()),
    }
}

pub(crate) async fn metrics(State(state): State<AppState>) -> impl IntoResponse {
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(header::CONTENT_TYPE, kind)], state.rooms.metrics_text())
}
