//! HTTP: routes, limits and headers.

mod api;
mod client;
mod connections;
mod error_response;
mod rate_limit;
mod static_files;
mod websocket;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::routing::{get, post};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tower_http::compression::CompressionLayer;
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;

use self::connections::{ConnectionCounter, Stopping};
use self::rate_limit::{RateLimit, RateLimiter};
use crate::metrics::Metrics;
use crate::notifications::{Notifications, Subscriber};
use crate::rooms::RoomRegistry;
use crate::store::{Store, StoreError};

/// The largest body of a request.
const MAX_BODY_BYTES: usize = 16 * 1024;
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// How many TCP connections one client may have for each request a second that it may make. Many players can share an
/// address.
const CONNECTIONS_PER_RATE: usize = 20;
/// The same for live connections.
const LIVE_PER_RATE: usize = 10;
/// How many connections all clients together may have.
const MAX_CONNECTIONS: usize = 60_000;

/// The default rate limit: requests a second of one client, on average. Dragging ships sends many.
pub const DEFAULT_RATE: u32 = 50;

const CONTENT_POLICY: &str = "default-src 'self'; connect-src 'self'; img-src 'self'; style-src 'self'; script-src 'self'; \
     base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/// Why the server could not start or had to stop.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address is in use, or not one of this machine.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address to listen on.
        address: SocketAddr,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Notifications were given with a store that cannot be shared.
    #[error(
        "NATS connects several nodes, and only a PostgreSQL store can be shared by them: give --store postgres://…, or \
         leave out --nats on one machine"
    )]
    NotShared,
    /// The network failed.
    #[error("cannot serve")]
    Serve(#[from] std::io::Error),
}

/// The state that all handlers share.
#[derive(Clone)]
pub(crate) struct AppState {
    rooms: Arc<RoomRegistry>,
    forwarded: bool,
    requests: Arc<RateLimiter>,
    new_games: Arc<RateLimiter>,
    live: Arc<ConnectionCounter>,
    stopping: watch::Receiver<bool>,
    /// Closed when no connection is left.
    _alive: mpsc::Sender<Infallible>,
}

/// A server that listens and does not serve yet.
pub struct Server {
    listener: TcpListener,
    router: Router,
    rooms: Arc<RoomRegistry>,
    address: SocketAddr,
    forwarded: bool,
    connections_of_client: usize,
    stopping: Stopping,
    subscriber: Option<Subscriber>,
    games: u64,
}

/// The options of one node.
pub struct NodeOptions {
    /// Requests a second of one client, on average.
    pub rate: u32,
    /// Whether a load balancer sends the addresses of clients in `X-Forwarded-For`.
    pub forwarded: bool,
    /// Notifications between nodes. Without them, changes of other nodes arrive some seconds later.
    pub notifications: Option<Notifications>,
}

/// Starts to listen. Unfinished games resume when the server runs.
pub async fn serve(address: SocketAddr, store: Store, options: NodeOptions) -> Result<Server, ServeError> {
    if options.notifications.is_some() && !store.is_shared() {
        return Err(ServeError::NotShared);
    }
    let listener = connections::listen(address).map_err(|source| ServeError::Listen { address, source })?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let metrics = Metrics::new();
    let (publisher, subscriber) = options.notifications.map(|notifications| notifications.split(&metrics)).unzip();
    let rooms = RoomRegistry::new(store, threads, options.rate, publisher, metrics);
    let games = rooms.count_unfinished().await?;
    let address = listener.local_addr()?;
    let (alive, all_closed) = mpsc::channel(1);
    let stopping = Stopping { signal: watch::Sender::new(false), all_closed };
    let rate = f64::from(options.rate);
    let state = AppState {
        rooms: Arc::clone(&rooms),
        forwarded: options.forwarded,
        requests: Arc::new(RateLimiter::new(RateLimit { burst: 4.0 * rate, per_second: rate })),
        new_games: Arc::new(RateLimiter::new(RateLimit { burst: 0.6 * rate, per_second: 0.02 * rate })),
        live: ConnectionCounter::new(LIVE_PER_RATE.saturating_mul(options.rate as usize), MAX_CONNECTIONS),
        stopping: stopping.signal.subscribe(),
        _alive: alive,
    };
    Ok(Server {
        router: router(state),
        listener,
        rooms,
        address,
        forwarded: options.forwarded,
        connections_of_client: CONNECTIONS_PER_RATE.saturating_mul(options.rate as usize),
        stopping,
        subscriber,
        games,
    })
}

impl Server {
    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many games were unfinished at the start.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Serves until `stop` completes. Requests in progress get some seconds, live connections are asked to reconnect, and
    /// the store is closed. All that takes less than ten seconds.
    pub async fn run_until(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        let mut tasks = JoinSet::new();
        tasks.spawn(Arc::clone(&self.rooms).run_overdue());
        tasks.spawn(Arc::clone(&self.rooms).evict_unused());
        if self.rooms.is_shared() {
            tasks.spawn(Arc::clone(&self.rooms).follow_other_nodes(self.subscriber));
        }
        let counter = ConnectionCounter::new(self.connections_of_client, MAX_CONNECTIONS);
        // A balancer has many connections of one address.
        connections::serve(self.listener, self.router, &counter, !self.forwarded, self.stopping, stop).await;
        tasks.shutdown().await;
        Ok(self.rooms.close_store().await?)
    }
}

fn router(state: AppState) -> Router {
    let timeout = TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, REQUEST_TIMEOUT);
    let api = Router::new()
        .route("/api/games", get(api::list).post(api::create))
        .route("/api/games/{game}", get(api::view))
        .route("/api/games/{game}/join", post(api::join))
        .route("/api/games/{game}/commands", post(api::command))
        .route("/api/games/{game}/odds", get(api::odds))
        .route("/api/games/{game}/record", get(api::record))
        .route("/api/games/{game}/review", get(api::review))
        .route("/api/games/{game}/film.gif", get(api::animation))
        .route("/api/opponents", get(api::list_opponents))
        .route("/api/layout", get(api::layout))
        .route("/api/fleet", post(api::fleet))
        .route("/api/openapi.json", get(static_files::openapi))
        .route("/healthz", get(api::health))
        .route("/readyz", get(api::ready))
        .route("/metrics", get(api::metrics))
        .layer(timeout)
        .layer(axum::middleware::from_fn_with_state(state.clone(), client::limit))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES));
    let header = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
    };
    Router::new()
        .merge(api)
        .route("/api/games/{game}/live", get(websocket::live))
        .fallback(static_files::page)
        .layer(CompressionLayer::new())
        .layer(header(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY))
        .layer(header(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(header(header::REFERRER_POLICY, "same-origin"))
        .layer(header(HeaderName::from_static("cross-origin-opener-policy"), "same-origin"))
        .with_state(state)
}
