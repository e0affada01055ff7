//! Which errors of PostgreSQL are transient.

use std::error::Error;

use tokio_postgres::error::SqlState;

use super::StoreError;

/// A database that is unreachable, starting or stopping may come back. Other errors are final.
impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        if is_transient(&error) { Self::Unreachable(reason(&error)) } else { Self::Postgres(error) }
    }
}

fn is_transient(error: &tokio_postgres::Error) -> bool {
    match error.code() {
        Some(code) => [
            SqlState::CANNOT_CONNECT_NOW,
            SqlState::ADMIN_SHUTDOWN,
            SqlState::CRASH_SHUTDOWN,
            SqlState::TOO_MANY_CONNECTIONS,
            SqlState::T_R_DEADLOCK_DETECTED,
            SqlState::LOCK_NOT_AVAILABLE,
        ]
        .contains(code),
        None => error.is_closed() || is_network_error(error),
    }
}

/// Whether the network failed. A bad address or a missing password has no such cause.
fn is_network_error(error: &tokio_postgres::Error) -> bool {
    let network = error.source().is_some_and(|cause| cause.is::<std::io::Error>());
    network || error.to_string().starts_with("error connecting") || error.to_string().starts_with("timeout")
}

/// The error with its causes. The first says only that connecting failed.
fn reason(error: &tokio_postgres::Error) -> String {
    let (mut text, mut cause) = (error.to_string(), error.source());
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
