//! TCP connections: how many one client may have, how long it may take for a request, and how they end.

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::ConnectInfo;
use hyper::server::conn::http1;
use hyper::service::Service;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::admission::AddressBlock;

/// How long a client may take to send the head of a request. It is also how long an idle connection stays open.
const HEAD_TIMEOUT: Duration = Duration::from_secs(20);
/// The largest head of a request. Browsers keep about 180 cookies, so this suffices for all seats of a player.
const MAX_HEAD_BYTES: usize = 32 * 1024;
/// The most headers of a request. Browsers send about 20.
const MAX_HEADERS: usize = 100;

/// The longest queue of connections that wait to be accepted. The system caps it.
const BACKLOG: u32 = 65_535;
/// How long to wait after the system has refused a connection, for want of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// How long requests in progress may take after the signal to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(6);
/// The same for connections whose request has not arrived yet.
const IDLE_STOP_TIMEOUT: Duration = Duration::from_millis(500);

/// Counts open connections, and refuses more than a client may have.
pub(crate) struct ConnectionCounter {
    max_of_client: usize,
    max: usize,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    all: usize,
    of_client: HashMap<AddressBlock, usize>,
}

/// An open connection, counted until it is dropped.
pub(crate) struct CountedConnection {
    counter: Arc<ConnectionCounter>,
    client: Option<AddressBlock>,
}

impl ConnectionCounter {
    pub(crate) fn new(max_of_client: usize, max: usize) -> Arc<Self> {
        Arc::new(Self { max_of_client, max, open: Mutex::default() })
    }

    /// Counts a connection. `None` means that there are too many, of this client or at all.
    pub(crate) fn open(self: &Arc<Self>, client: Option<AddressBlock>) -> Option<CountedConnection> {
        let mut open = self.lock();
        if open.all >= self.max {
            return None;
        }
        if let Some(client) = client {
            let of_client = open.of_client.entry(client).or_default();
            if *of_client >= self.max_of_client {
                return None;
            }
            *of_client += 1;
        }
        open.all += 1;
        Some(CountedConnection { counter: Arc::clone(self), client })
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for CountedConnection {
    fn drop(&mut self) {
        let mut open = self.counter.lock();
        open.all -= 1;
        let Some(client) = self.client else { return };
        if let Some(of_client) = open.of_client.get_mut(&client) {
            *of_client -= 1;
            if *of_client == 0 {
                open.of_client.remove(&client);
            }
        }
    }
}

/// Listens with a queue as long as the system allows.
pub(crate) fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// What ends the connections of a server.
pub(crate) struct Stopping {
    /// Becomes `true` when the server stops.
    pub(crate) signal: watch::Sender<bool>,
    /// Closed when no connection is left.
    pub(crate) all_closed: mpsc::Receiver<Infallible>,
}

/// Serves connections until `stop` completes, and then those in progress for some seconds.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    counter: &Arc<ConnectionCounter>,
    by_address: bool,
    mut stopping: Stopping,
    stop: impl Future<Output = ()>,
) {
    let mut connections = JoinSet::new();
    tokio::pin!(stop);
    loop {
        let accepted = tokio::select! {
            () = &mut stop => break,
            Some(_) = connections.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, peer)) = accepted else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        // A refused connection is closed at once.
        let client = by_address.then(|| AddressBlock::of(peer.ip()));
        let Some(counted) = counter.open(client) else { continue };
        connections.spawn(serve_connection(stream, peer, router.clone(), stopping.signal.subscribe(), counted));
    }
    drop((listener, router));
    stopping.signal.send_replace(true);
    let closed = async {
        while connections.join_next().await.is_some() {}
        stopping.all_closed.recv().await;
    };
    if tokio::time::timeout(STOP_TIMEOUT, closed).await.is_err() {
        tracing::warn!(left = connections.len(), "closing connections that do not end by themselves");
    }
    connections.shutdown().await;
}

/// Waits until the server stops.
pub(crate) async fn until_stopping(stopping: &mut watch::Receiver<bool>) {
    stopping.wait_for(|stopping| *stopping).await.ok();
}

async fn serve_connection(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    mut stopping: watch::Receiver<bool>,
    _counted: CountedConnection,
) {
    // Without it small answers wait for more.
    stream.set_nodelay(true).ok();
    let router = TowerToHyperService::new(router);
    let answering = Arc::new(AtomicUsize::new(0));
    let in_progress = Arc::clone(&answering);
    let service = hyper::service::service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        let (answer, in_progress) = (router.call(request), Arc::clone(&in_progress));
        async move {
            in_progress.fetch_add(1, Ordering::Relaxed);
            let answer = answer.await;
            in_progress.fetch_sub(1, Ordering::Relaxed);
            answer
        }
    });
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIMEOUT)
        .max_headers(MAX_HEADERS)
        .max_header_size(MAX_HEAD_BYTES)
        .max_buf_size(MAX_HEAD_BYTES);
    let connection = builder.serve_connection(TokioIo::new(stream), service).with_upgrades();
    tokio::pin!(connection);
    tokio::select! {
        // An error of one connection concerns nobody else.
        _ = &mut connection => return,
        () = until_stopping(&mut stopping) => {}
    }
    connection.as_mut().graceful_shutdown();
    if answering.load(Ordering::Relaxed) == 0 {
        // The client has sent no request, or half of one, or reads its answer.
        tokio::time::timeout(IDLE_STOP_TIMEOUT, connection).await.ok();
    } else {
        connection.await.ok();
    }
}

#[cfg(test)]
mod tests {
    use super::ConnectionCounter;
    use crate::admission::AddressBlock;

    #[test]
    fn a_client_has_its_share_of_connections_and_gets_it_back() {
        let counter = ConnectionCounter::new(2, 4);
        let [anna, boris, clara] = [1, 2, 3].map(|number| Some(AddressBlock::of([10, 0, 0, number].into())));
        let held = [counter.open(anna), counter.open(anna)];
        assert!(held.iter().all(Option::is_some) && counter.open(anna).is_none());
        let others = [counter.open(boris), counter.open(clara)];
        assert!(others.iter().all(Option::is_some) && counter.open(boris).is_none(), "four are all");
        drop(held);
        assert!(counter.open(anna).is_some());
        drop(others);
        let open = counter.lock();
        assert_eq!((open.all, open.of_client.len()), (0, 0));
    }
}
