//! Refusals as answers: a status and a reason, in JSON.

use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::command::{Refusal, Status};

/// Seconds after which asking again may help.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match self.status {
            Status::Wrong => StatusCode::BAD_REQUEST,
            Status::NotYours => StatusCode::FORBIDDEN,
            Status::Unknown => StatusCode::NOT_FOUND,
            Status::Conflict => StatusCode::CONFLICT,
            Status::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Status::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        };
        let mut response = (status, Json(json!({ "error": self }))).into_response();
        if matches!(self.status, Status::TooMany | Status::Unavailable) {
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        response
    }
}

impl From<JsonRejection> for Refusal {
    fn from(rejection: JsonRejection) -> Self {
        Self::wrong("body", &rejection.body_text())
    }
}

impl From<QueryRejection> for Refusal {
    fn from(rejection: QueryRejection) -> Self {
        Self::wrong("query", &rejection.body_text())
    }
}
