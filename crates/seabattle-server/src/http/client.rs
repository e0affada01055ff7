//! The client behind a request: its cookies, its address and its rate limit.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::time::Instant;

use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::AppState;
use crate::admission::Client;
use crate::api_error::{ApiError, ErrorKind};

const FORWARDED_FOR: &str = "x-forwarded-for";

/// How many seat cookies of one request are read.
const MAX_SEATS: usize = 200;

/// The lifetime of a seat cookie, longer than any game.
const COOKIE_SECONDS: u32 = 30 * 24 * 3600;

/// The seat secrets in the cookies of a request, the one of this game first.
pub(crate) fn secrets(headers: &HeaderMap, game: &str) -> Vec<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut seats: Vec<(&str, &str)> =
        pairs.filter_map(|(name, value)| Some((name.strip_prefix("seat-")?, value))).take(MAX_SEATS).collect();
    seats.sort_by_key(|(of, _)| *of != game);
    seats.into_iter().map(|(_, secret)| secret.to_owned()).collect()
}

/// The cookie that proves a seat in a game.
pub(crate) fn cookie(game: &str, secret: &str) -> Option<HeaderValue> {
    let text = format!("seat-{game}={secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age={COOKIE_SECONDS}");
    HeaderValue::from_str(&text).ok()
}

impl FromRequestParts<AppState> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>();
        let address = peer.map(|ConnectInfo(peer)| address(state, *peer, &parts.headers));
        Ok(address.map(Self::at).unwrap_or_default())
    }
}

/// The address of the client. Behind a load balancer it is the last address in `X-Forwarded-For`, which the balancer
/// added.
fn address(state: &AppState, peer: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let forwarded = headers.get_all(FORWARDED_FOR).iter().next_back().filter(|_| state.forwarded);
    let last = forwarded.and_then(|forwarded| forwarded.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    last.unwrap_or_else(|| peer.ip())
}

/// Middleware that rejects clients with too many requests.
pub(crate) async fn limit(State(state): State<AppState>, client: Client, request: Request, next: Next) -> Response {
    if state.requests.allows(&client, Instant::now()) {
        return next.run(request).await;
    }
    state.rooms.metrics.refusals.inc();
    too_many().into_response()
}

pub(crate) fn too_many() -> ApiError {
    ApiError::new(ErrorKind::TooManyRequests, "too-many", "too many requests; wait a moment")
}
