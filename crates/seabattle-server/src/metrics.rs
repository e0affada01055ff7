//! Metrics of the server, for Prometheus.

use std::sync::Arc;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    pub(crate) games: Counter,
    pub(crate) shots: Counter,
    pub(crate) refusals: Counter,
    pub(crate) views: Counter,
    pub(crate) connections: Gauge,
    /// The seconds it takes to store events.
    pub(crate) storing: Histogram,
    /// Writes that lost against another node.
    pub(crate) conflicts: Counter,
    pub(crate) takeovers: Counter,
    pub(crate) notifications_published: Counter,
    pub(crate) notifications_dropped: Counter,
    pub(crate) notifications_received: Counter,
    pub(crate) notifications_missed: Counter,
    /// 1 while NATS is connected.
    pub(crate) notifications_connected: Gauge,
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
            conflicts: Counter::default(),
            takeovers: Counter::default(),
            notifications_published: Counter::default(),
            notifications_dropped: Counter::default(),
            notifications_received: Counter::default(),
            notifications_missed: Counter::default(),
            notifications_connected: Gauge::default(),
            registry: Arc::default(),
        };
        registry.register("games", "Games created", metrics.games.clone());
        registry.register("volleys", "Volleys stored", metrics.shots.clone());
        registry.register("refusals", "Requests refused", metrics.refusals.clone());
        registry.register("views", "Views sent over live connections", metrics.views.clone());
        registry.register("connections", "Live connections", metrics.connections.clone());
        registry.register("storing_seconds", "Time to store events", metrics.storing.clone());
        registry.register("store_conflicts", "Writes that lost against another node", metrics.conflicts.clone());
        registry.register("takeovers", "Overdue games that this node took over", metrics.takeovers.clone());
        registry.register(
            "news_published",
            "Notifications sent to other nodes",
            metrics.notifications_published.clone(),
        );
        registry.register(
            "news_dropped",
            "Notifications that could not be sent",
            metrics.notifications_dropped.clone(),
        );
        registry.register(
            "news_heard",
            "Notifications received from other nodes",
            metrics.notifications_received.clone(),
        );
        registry.register(
            "news_missed",
            "Changes found by polling, without a notification",
            metrics.notifications_missed.clone(),
        );
        registry.register("news_connected", "1 while NATS is connected", metrics.notifications_connected.clone());
        Self { registry: Arc::new(registry), ..metrics }
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        encode(&mut text, &self.registry).ok();
        text
    }
}
