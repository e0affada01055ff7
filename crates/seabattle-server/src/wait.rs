//! Services that may come up later than we do are waited for, with a limit.

use std::time::{Duration, Instant};

use crate::news::NewsError;
use crate::store::StoreError;

const BETWEEN_TRIES: Duration = Duration::from_millis(200);

/// An error that may pass by itself.
pub trait Passing: std::error::Error {
    /// Whether trying again may help.
    fn passes(&self) -> bool;
}

impl Passing for StoreError {
    fn passes(&self) -> bool {
        matches!(self, Self::Away(_))
    }
}

impl Passing for NewsError {
    fn passes(&self) -> bool {
        matches!(self, Self::Away(_))
    }
}

/// Tries until it succeeds, or cannot, or the time is up. Who has to wait is told so, once.
pub async fn wait_for<T, E: Passing>(
    limit: Duration,
    mut attempt: impl AsyncFnMut() -> Result<T, E>,
    told: impl FnOnce(&E),
) -> Result<T, E> {
    let began = Instant::now();
    let mut told = Some(told);
    loop {
        match attempt().await {
            Err(error) if error.passes() && began.elapsed() + BETWEEN_TRIES < limit => {
                if let Some(told) = told.take() {
                    told(&error);
                }
                tokio::time::sleep(BETWEEN_TRIES).await;
            }
            tried => return tried,
        }
    }
}
