//! One server for many inputs; a new one with a new store before its games grow too many.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

use seabattle_server::{NodeOptions, Store, serve};
use tokio::runtime::Runtime;

/// Inputs that one server is asked.
const MOST_INPUTS: u32 = 2000;

static SITES: AtomicU32 = AtomicU32::new(0);
static SITE: Mutex<Option<TestServer>> = Mutex::new(None);

pub(crate) struct TestServer {
    address: SocketAddr,
    inputs: u32,
    store: PathBuf,
    /// Serves as long as it is there.
    _runtime: Runtime,
}

impl Drop for TestServer {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm", "-lock"] {
            // What cannot be removed is left to whoever cleans temporary folders.
            let _gone = std::fs::remove_file(format!("{}{suffix}", self.store.display()));
        }
    }
}

impl TestServer {
    /// Lends the server to one input at a time.
    pub(crate) fn with(ask: impl FnOnce(&Self)) {
        let mut running_site = SITE.lock().unwrap_or_else(PoisonError::into_inner);
        if running_site.as_ref().is_none_or(|site| site.inputs >= MOST_INPUTS) {
            drop(running_site.take());
        }
        let site = running_site.get_or_insert_with(Self::start);
        site.inputs += 1;
        ask(site);
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    fn start() -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let number = SITES.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("seabattle-fuzz-{}-{number}.db", std::process::id()));
        let server = runtime.block_on(async {
            let store = Store::open(path.to_str().expect("a path as text")).await.expect("a new store");
            // No client is refused for asking often.
            let options = NodeOptions { rate: u32::MAX, forwarded: false, notifications: None };
            serve(([127, 0, 0, 1], 0).into(), store, options).await.expect("a free port")
        });
        let address = server.address();
        runtime.spawn(server.run_until(std::future::pending()));
        Self { address, inputs: 0, store: path, _runtime: runtime }
    }
}
