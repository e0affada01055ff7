//! A NATS server for tests, on a port of its own.

use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(10);
const BETWEEN_LOOKS: Duration = Duration::from_millis(5);

/// Gone with this value.
pub(crate) struct Nats {
    pub(crate) port: u16,
    options: Vec<String>,
    server: Option<Child>,
}

impl Nats {
    /// `None` where it is not installed. Options are those of `nats-server`.
    pub(crate) fn start(options: &[&str]) -> Option<Self> {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let options = options.iter().map(|option| (*option).to_owned()).collect();
        let mut nats = Self { port, options, server: None };
        nats.resume().then_some(nats)
    }

    /// Whether it could be started; it listens then.
    pub(crate) fn resume(&mut self) -> bool {
        let mut command = Command::new("nats-server");
        command.args(["-a", "127.0.0.1", "-p", &self.port.to_string()]).args(&self.options);
        let Ok(server) = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn() else { return false };
        self.server = Some(server);
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(began.elapsed() < PATIENCE, "NATS does not start with {:?}", self.options);
            std::thread::sleep(BETWEEN_LOOKS);
        }
        true
    }

    pub(crate) fn stop(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().ok();
            server.wait().ok();
        }
    }

    pub(crate) fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.stop();
    }
}
