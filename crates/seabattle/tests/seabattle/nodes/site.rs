//! Nodes of one site as real processes, with the services that they share.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::{Child, ChildStderr, Command, Stdio};

use crate::nats::Nats;
use crate::postgres::Database;
use crate::program::command;

/// What all nodes share.
pub(crate) struct Services {
    pub(crate) database: Database,
    pub(crate) nats: Nats,
}

impl Services {
    /// `None`, and said so, where they are not installed.
    pub(crate) fn start(name: &str) -> Option<Self> {
        let services = Nats::start(&[]).and_then(|nats| Some(Self { nats, database: Database::start(name)? }));
        if services.is_none() {
            eprintln!("PostgreSQL or nats-server is not installed here: this is not tested");
        }
        services
    }

    pub(crate) fn nodes(&self, count: usize) -> Vec<Node> {
        (0..count).map(|_| Node::start(free_port(), &self.database.address(), &self.nats.address())).collect()
    }
}

pub(crate) fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// Killed when it is dropped.
pub(crate) struct Node {
    process: Child,
    port: u16,
    store: String,
    nats: String,
    said: BufReader<ChildStderr>,
}

impl Node {
    pub(crate) fn start(port: u16, store: &str, nats: &str) -> Self {
        let mut node = Self::begin(port, store, nats, &[]);
        let first = node.says();
        assert!(first.contains("http://"), "{first}");
        node
    }

    /// Started, but perhaps still waiting for something.
    pub(crate) fn begin(port: u16, store: &str, nats: &str, more: &[&str]) -> Self {
        let address = format!("127.0.0.1:{port}");
        let args =
            ["serve", "--addr", &address, "--store", store, "--nats", nats, "--log-format", "off", "--rate", "100000"];
        let mut run = command(&[&args, more].concat());
        let mut process = run.stdin(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        let said = BufReader::new(process.stderr.take().unwrap());
        Self { process, port, store: store.to_owned(), nats: nats.to_owned(), said }
    }

    /// The next line it writes; nothing when it has ended.
    pub(crate) fn says(&mut self) -> String {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        line
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    pub(crate) fn start_again(&mut self) {
        *self = Self::start(self.port, &self.store, &self.nats);
    }

    pub(crate) fn signal(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}
