//! Ticks at a steady interval, however many other events arrive.

use std::time::{Duration, Instant};

/// Remembers when the next tick is due.
#[derive(Debug, Default)]
pub(super) struct Ticker {
    interval: Option<Duration>,
    due: Option<Instant>,
}

impl Ticker {
    /// Returns the time left until the next tick. A changed interval starts now.
    pub(super) fn time_left(&mut self, interval: Option<Duration>, now: Instant) -> Option<Duration> {
        if self.interval != interval || self.due.is_none() {
            (self.interval, self.due) = (interval, interval.map(|interval| now + interval));
        }
        self.due.map(|due| due.saturating_duration_since(now))
    }

    /// Records that the due tick has happened.
    pub(super) fn ticked(&mut self) {
        self.due = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn other_events_do_not_delay_a_tick() {
        let (mut ticker, start) = (Ticker::default(), Instant::now());
        assert_eq!(ticker.time_left(Some(SECOND), start), Some(SECOND));
        assert_eq!(ticker.time_left(Some(SECOND), start + SECOND / 4), Some(SECOND * 3 / 4));
        assert_eq!(ticker.time_left(Some(SECOND), start + SECOND * 2), Some(Duration::ZERO));
        ticker.ticked();
        assert_eq!(ticker.time_left(Some(SECOND), start + SECOND * 2), Some(SECOND));
    }

    #[test]
    fn a_new_interval_starts_at_once() {
        let (mut ticker, start) = (Ticker::default(), Instant::now());
        ticker.time_left(Some(SECOND), start);
        assert_eq!(ticker.time_left(Some(SECOND / 10), start + SECOND / 2), Some(SECOND / 10));
        assert_eq!(ticker.time_left(None, start + SECOND), None);
    }
}
