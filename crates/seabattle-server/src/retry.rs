//! Waits for services that may start later than this program.

use std::time::{Duration, Instant};

use crate::notifications::NotificationError;
use crate::store::StoreError;

const RETRY_INTERVAL: Duration = Duration::from_millis(200);

/// An error that may be transient.
pub trait Transient: std::error::Error {
    /// Whether a retry may succeed.
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

/// Retries transient errors until the limit. `on_first_failure` is called once, before the first retry.
pub async fn retry_transient<T, E: Transient>(
    limit: Duration,
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
    on_first_failure: impl FnOnce(&E),
) -> Result<T, E> {
    let began = Instant::now();
    let mut on_first_failure = Some(on_first_failure);
    loop {
        match attempt().await {
            Err(error) if error.is_transient() && began.elapsed() + RETRY_INTERVAL < limit => {
                if let Some(on_first_failure) = on_first_failure.take() {
                    on_first_failure(&error);
                }
                tokio::time::sleep(RETRY_INTERVAL).await;
            }
            result => return result,
        }
    }
}
