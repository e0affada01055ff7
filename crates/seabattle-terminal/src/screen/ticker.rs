//! Ticks at a steady interval, whatever else happens in between.

use std::time::{Duration, Instant};

/// Remembers when the next tick is due.
#[derive(Debug, Default)]
pub(super) struct Ticker {
    interval: Option<Duration>,
    due: Option<Instant>,
}

impl Ticker {
    /// How long it is to the next tick of this interval; a new interval begins now.
    pub(super) fn time_left(&mut self, interval: Option<Duration>, now: Instant) -> Option<Duration> {
        if self.interval != interval || self.due.is_none() {
            (self.interval, self.due) = (interval, interval.map(|interval| now + interval));
        }
        self.due.map(|due| due.saturating_duration_since(now))
    }

    /// The tick has happened.
    pub(super) fn ticked(&mut self) {
        self.due = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn what_happens_in_between_does_not_put_a_tick_off() {
        let (mut ticker, start) = (Ticker::default(), Instant::now());
        assert_eq!(ticker.time_left(Some(SECOND), start), Some(SECOND));
        assert_eq!(ticker.time_left(Some(SECOND), start + SECOND / 4), Some(SECOND * 3 / 4));
        assert_eq!(ticker.time_left(Some(SECOND), start + SECOND * 2), Some(Duration::ZERO));
        ticker.ticked();
        assert_eq!(ticker.time_left(Some(SECOND), start + SECOND * 2), Some(SECOND));
    }

    #[test]
    fn a_new_pace_begins_at_once() {
        let (mut ticker, start) = (Ticker::default(), Instant::now());
        ticker.time_left(Some(SECOND), start);
        assert_eq!(ticker.time_left(Some(SECOND / 10), start + SECOND / 2), Some(SECOND / 10));
        assert_eq!(ticker.time_left(None, start + SECOND), None);
    }
}
