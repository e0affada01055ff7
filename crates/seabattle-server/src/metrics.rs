//! Numbers about the server for whoever watches over it.

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

pub(crate) struct Metrics {
    registry: Registry,
    pub(crate) games: Counter,
    pub(crate) shots: Counter,
    pub(crate) refusals: Counter,
    pub(crate) views: Counter,
    pub(crate) connections: Gauge,
    /// Seconds from a decision to its being stored.
    pub(crate) storing: Histogram,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("seabattle");
        let metrics = Self {
            games: Counter::default(),
            shots: Counter::default(),
            refusals: Counter::default(),
            views: Counter::default(),
            connections: Gauge::default(),
            storing: Histogram::new(exponential_buckets(0.0005, 2.0, 14)),
            registry: Registry::default(),
        };
        registry.register("games", "Games created", metrics.games.clone());
        registry.register("volleys", "Volleys fired and stored", metrics.shots.clone());
        registry.register("refusals", "Requests refused", metrics.refusals.clone());
        registry.register("views", "Views sent over live connections", metrics.views.clone());
        registry.register("connections", "Live connections", metrics.connections.clone());
        registry.register("storing_seconds", "Time to store events", metrics.storing.clone());
        Self { registry, ..metrics }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        encode(&mut text, &self.registry).ok();
        text
    }
}
