//! A flag that stops counting from another thread.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    /// The flag of the work that runs on this thread.
    static WATCHED: RefCell<Option<StopFlag>> = const { RefCell::new(None) };
}

/// A flag that stops the computations of this crate. Any thread can set it.
///
/// A computation that runs inside [`StopFlag::watch`] checks the flag in its loops. Soon after the flag is set, it returns
/// [`OddsError::Stopped`](crate::OddsError::Stopped). The flag belongs to the thread, so no function needs a parameter for
/// it.
///
/// ```
/// use seabattle_core::Knowledge;
/// use seabattle_odds::{Odds, OddsError, StopFlag};
///
/// let position: Knowledge = "classic".parse()?;
/// let flag = StopFlag::default();
/// flag.set();
/// assert_eq!(flag.watch(|| Odds::of(&position)), Err(OddsError::Stopped));
/// assert!(Odds::of(&position).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Stops the computations that watch the flag, for good.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the flag is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Runs `work` on this thread. Its computations watch the flag until it returns.
    pub fn watch<T>(&self, work: impl FnOnce() -> T) -> T {
        let _restore = Restore(WATCHED.replace(Some(self.clone())));
        work()
    }

    /// Whether the work on this thread watches a flag that is set. Long work of other crates can check it, too.
    pub fn stops_this_thread() -> bool {
        is_stopped()
    }
}

/// Restores the flag that was watched before, even after a panic.
struct Restore(Option<StopFlag>);

impl Drop for Restore {
    fn drop(&mut self) {
        WATCHED.replace(self.0.take());
    }
}

/// Whether the work on this thread was asked to stop.
pub(crate) fn is_stopped() -> bool {
    WATCHED.with_borrow(|watched| watched.as_ref().is_some_and(StopFlag::is_set))
}

#[cfg(test)]
mod tests {
    use super::{StopFlag, is_stopped};

    #[test]
    fn a_flag_belongs_to_the_work_that_watches_it() {
        let (outer, inner) = (StopFlag::default(), StopFlag::default());
        inner.set();
        outer.watch(|| {
            assert!(!is_stopped());
            assert!(inner.watch(is_stopped));
            assert!(!is_stopped());
            outer.set();
            assert!(is_stopped());
            assert!(!std::thread::spawn(is_stopped).join().unwrap(), "other threads go on");
        });
        assert!(!is_stopped());
    }
}
