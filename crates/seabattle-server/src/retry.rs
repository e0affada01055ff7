//! Services that may come up later than we do are waited for, with a limit.

use std::time::{Duration, Instant};

use crate::notifications::NotificationError;
use crate::store::StoreError;

const BETWEEN_TRIES: Duration = Duration::from_millis(200);

/// An error that may pass by itself.
pub trait Transient: std::error::Error {
    /// Whether trying again may help.
    fn is_transient(&self) -> bool;
}

impl Transient for StoreError {
    fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable(_))
    }
}

impl Transient for NotificationError {
    fn is_transient(&self) -> bool {
        matches!(self, Self::Unreachable(_))
    }
}

/// Tries until it succeeds, or cannot, or the time is up. Who has to wait is told so, once.
pub async fn retry_transient<T, E: Transient>(
    limit: Duration,
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
    told: impl FnOnce(&E),
) -> Result<T, E> {
    let began = Instant::now();
    let mut told = Some(told);
    loop {
        match attempt().await {
            Err(error) if error.is_transient() && began.elapsed() + BETWEEN_TRIES < limit => {
                if let Some(told) = told.take() {
                    told(&error);
                }
                tokio::time::sleep(BETWEEN_TRIES).await;
            }
            tried => return tried,
        }
    }
}
