//! The files of the page, embedded in the program.

use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

const OPENAPI: &str = include_str!("../openapi.json");

include!(concat!(env!("OUT_DIR"), "/page.rs"));

pub(crate) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

/// Serves a file of the page by its name, and `index.html` for all routes of the page.
pub(crate) async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some((name, bytes)) = FILES.iter().find(|(name, _)| *name == path) {
        return file(name, bytes);
    }
    let within = path.is_empty() || path.starts_with("game/") || path.starts_with("replay/");
    let index = FILES.iter().find(|(name, _)| *name == "index.html" && within);
    index.map_or_else(not_found, |(name, bytes)| file(name, bytes))
}

fn file(name: &str, bytes: &'static [u8]) -> Response {
    let kind = match name.rsplit_once('.').map(|(_, kind)| kind) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], bytes).into_response()
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "Page not found. The game is at /\n").into_response()
}
