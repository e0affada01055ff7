//! Services that may come up later than we do are waited for, with a limit.

use std::time::{Duration, Instant};

use crate::notifications::NotificationError;
use crate::store::StoreError;

const RETRY_INTERVAL: Duration = Duration::from_millis(200);

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
