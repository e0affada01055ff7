//! Metrics of the server, for Prometheus.

use std::sync::Arc;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use prometheus_client::registry::Registry;

/// The kind of work that a metric is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct WorkLabel {
    pub(crate) work: &'static str,
}

/// The cache that a metric is about.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
pub(crate) struct CacheLabel {
    pub(crate) cache: &'static str,
}

#[derive(Clone)]
pub(crate) struct Metrics {
    registry: Arc<Registry>,
    pub(crate) games: Counter,
    pub(crate) shots: Counter,
    pub(crate) refusals: Counter,
    pub(crate) views: Counter,
    /// Views turned into text for live connections. Spectators share them.
    pub(crate) views_rendered: Counter,
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
    /// Work that a full queue or a spent budget refused.
    pub(crate) work_refused: Family<WorkLabel, Counter>,
    pub(crate) work_running: Family<WorkLabel, Gauge>,
    pub(crate) work_waiting: Family<WorkLabel, Gauge>,
    pub(crate) cache_bytes: Family<CacheLabel, Gauge>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::with_prefix("seabattle");
        let metrics = Self {
            games: Counter::default(),
            shots: Counter::default(),
            refusals: Counter::default(),
            views: Counter::default(),
            views_rendered: Counter::default(),
            connections: Gauge::default(),
            storing: Histogram::new(exponential_buckets(0.0005, 2.0, 14)),
            conflicts: Counter::default(),
            takeovers: Counter::default(),
            notifications_published: Counter::default(),
            notifications_dropped: Counter::default(),
            notifications_received: Counter::default(),
            notifications_missed: Counter::default(),
            notifications_connected: Gauge::default(),
            work_refused: Family::default(),
            work_running: Family::default(),
            work_waiting: Family::default(),
            cache_bytes: Family::default(),
            registry: Arc::default(),
        };
        registry.register("games", "Games created", metrics.games.clone());
        registry.register("volleys", "Volleys stored", metrics.shots.clone());
        registry.register("refusals", "Requests refused", metrics.refusals.clone());
        registry.register("views", "Views sent over live connections", metrics.views.clone());
        registry.register("views_rendered", "Views turned into text", metrics.views_rendered.clone());
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
        metrics.register_work(&mut registry);
        Self { registry: Arc::new(registry), ..metrics }
    }

    fn register_work(&self, registry: &mut Registry) {
        registry.register("work_refused", "Expensive requests refused", self.work_refused.clone());
        registry.register("work_running", "Computations that run", self.work_running.clone());
        registry.register("work_waiting", "Computations that wait for a permit", self.work_waiting.clone());
        registry.register("cache_bytes", "Estimated size of caches", self.cache_bytes.clone());
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        encode(&mut text, &self.registry).ok();
        text
    }
}
