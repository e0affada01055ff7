//! Work about a game that is done once for everyone who asks.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::watch;

use crate::api_error::{ApiError, ErrorKind};
use crate::bounded_cache::BoundedCache;

/// How long a request waits for a result. Browsers give up after 20 seconds.
const MAX_WAIT: Duration = Duration::from_secs(15);

/// The bytes of an entry beside its value.
const ENTRY_BYTES: usize = 200;

/// The result of some work, once there is one.
type Outcome = Option<Result<Bytes, ApiError>>;

/// Results by game. The work goes on when those who asked for it leave, since its result is kept for the next.
pub(crate) struct SharedWork {
    results: BoundedCache<String, Result<Bytes, ApiError>>,
    pending: Mutex<HashMap<String, watch::Receiver<Outcome>>>,
}

impl SharedWork {
    /// Keeps results of at most so many bytes.
    pub(crate) fn new(max_bytes: usize) -> Arc<Self> {
        Arc::new(Self { results: BoundedCache::new(max_bytes), pending: Mutex::default() })
    }

    /// The result for a game, if it is known.
    pub(crate) fn known(&self, game: &str) -> Option<Result<Bytes, ApiError>> {
        self.results.get(game)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.results.bytes()
    }

    /// Waits for the result of `work`, or of the same work that someone else has started.
    pub(crate) async fn get(
        self: &Arc<Self>,
        game: &str,
        work: impl Future<Output = Result<Bytes, ApiError>> + Send + 'static,
    ) -> Result<Bytes, ApiError> {
        let mut result = self.start_or_join(game, work);
        match tokio::time::timeout(MAX_WAIT, result.wait_for(Option::is_some)).await {
            Ok(Ok(done)) => done.clone().unwrap_or_else(|| Err(ApiError::unavailable())),
            Ok(Err(_)) => Err(ApiError::unavailable()),
            Err(_) => Err(still_computing()),
        }
    }

    fn start_or_join(
        self: &Arc<Self>,
        game: &str,
        work: impl Future<Output = Result<Bytes, ApiError>> + Send + 'static,
    ) -> watch::Receiver<Outcome> {
        let mut pending = self.lock();
        if let Some(result) = pending.get(game) {
            return result.clone();
        }
        let (sender, result) = watch::channel(None);
        pending.insert(game.to_owned(), result.clone());
        let entry = Pending { shared: Arc::clone(self), game: game.to_owned() };
        tokio::spawn(async move {
            let outcome = work.await;
            entry.keep(&outcome);
            drop(entry);
            sender.send_replace(Some(outcome));
        });
        result
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, watch::Receiver<Outcome>>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn still_computing() -> ApiError {
    let error =
        ApiError::new(ErrorKind::Unavailable, "computing", "the server is still computing this; ask again in a moment");
    error.retry_after(Duration::from_secs(3))
}

/// Removes the entry of work that has ended, even by a panic.
struct Pending {
    shared: Arc<SharedWork>,
    game: String,
}

impl Pending {
    /// Keeps a result, or that there is none. Errors that may pass are not kept.
    fn keep(&self, outcome: &Result<Bytes, ApiError>) {
        let bytes = match outcome {
            Ok(value) => value.len(),
            Err(error) if error.kind == ErrorKind::Conflict => error.reason.len(),
            Err(_) => return,
        };
        self.shared.results.insert(self.game.clone(), outcome.clone(), ENTRY_BYTES + bytes);
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.shared.lock().remove(&self.game);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use axum::body::Bytes;
    use futures_util::future::join_all;
    use tokio::sync::Notify;

    use super::SharedWork;
    use crate::api_error::ApiError;

    #[tokio::test]
    async fn work_is_done_once_for_all_who_ask_and_its_result_is_kept() {
        let (shared, done, go) = (SharedWork::new(10_000), Arc::new(AtomicUsize::new(0)), Arc::new(Notify::new()));
        let ask = || {
            let (done, go) = (Arc::clone(&done), Arc::clone(&go));
            shared.get("game", async move {
                go.notified().await;
                done.fetch_add(1, Ordering::Relaxed);
                Ok(Bytes::from_static(b"film"))
            })
        };
        go.notify_one();
        for result in join_all((0..50).map(|_| ask())).await {
            assert_eq!(result.unwrap().as_ref(), b"film");
        }
        assert_eq!(done.load(Ordering::Relaxed), 1);
        assert_eq!(shared.known("game").unwrap().unwrap().as_ref(), b"film");
        assert!(shared.bytes() > 0 && shared.known("other").is_none());
    }

    #[tokio::test]
    async fn impossible_work_is_remembered_and_refused_work_is_not() {
        let shared = SharedWork::new(10_000);
        let hard = ApiError::conflict("too-hard", "this takes too long");
        assert_eq!(shared.get("hard", std::future::ready(Err(hard.clone()))).await, Err(hard.clone()));
        assert_eq!(shared.known("hard"), Some(Err(hard)));
        assert!(shared.get("refused", std::future::ready(Err(ApiError::unavailable()))).await.is_err());
        assert_eq!(shared.known("refused"), None);
        assert!(shared.get("broken", async { panic!("on purpose") }).await.is_err());
        assert!(shared.lock().is_empty());
    }
}
