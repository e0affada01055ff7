//! The files of the page, embedded in the program.

use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

const OPENAPI: &str = include_str!("../openapi.json");

/// A file of the page. It was compressed when the program was built, so a flood of requests costs little.
struct PageFile {
    name: &'static str,
    plain: &'static [u8],
    gzip: &'static [u8],
    /// The entity tag, which changes with the content.
    tag: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/page.rs"));

pub(crate) async fn openapi() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}

/// Serves a file of the page by its name, and `index.html` for all routes of the page.
pub(crate) async fn page(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(file) = FILES.iter().find(|file| file.name == path) {
        return respond(file, &headers);
    }
    let within = path.is_empty() || path.starts_with("game/") || path.starts_with("replay/");
    let index = FILES.iter().find(|file| file.name == "index.html" && within);
    index.map_or_else(not_found, |file| respond(file, &headers))
}

fn respond(file: &PageFile, headers: &HeaderMap) -> Response {
    let contains = |name: header::HeaderName, wanted: &str| {
        headers.get_all(name).iter().any(|value| value.to_str().is_ok_and(|value| value.contains(wanted)))
    };
    let common = [(header::CACHE_CONTROL, "no-cache"), (header::ETAG, file.tag), (header::VARY, "accept-encoding")];
    if contains(header::IF_NONE_MATCH, file.tag) {
        return (StatusCode::NOT_MODIFIED, common).into_response();
    }
    let kind = match file.name.rsplit_once('.').map(|(_, kind)| kind) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    };
    let kind = [(header::CONTENT_TYPE, kind)];
    if contains(header::ACCEPT_ENCODING, "gzip") {
        return (common, kind, [(header::CONTENT_ENCODING, "gzip")], file.gzip).into_response();
    }
    (common, kind, file.plain).into_response()
}

fn not_found() -> Response {
    (StatusCode::NOT_FOUND, "Page not found. The game is at /\n").into_response()
}
