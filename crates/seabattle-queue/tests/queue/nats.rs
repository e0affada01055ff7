//! A nats-server of one test, in a folder of its own, on a free port.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use seabattle_queue::ConnectionOptions;

const CONFIG: &str = "nats.conf";

pub(crate) struct Nats {
    folder: PathBuf,
    port: u16,
    server: Child,
}

impl Nats {
    pub(crate) fn start() -> Self {
        Self::start_in(new_folder())
    }

    /// A server with this configuration; its port and its folder are those of the test.
    pub(crate) fn configured(config: &str) -> Self {
        let folder = new_folder();
        fs::write(folder.join(CONFIG), config).unwrap();
        Self::start_in(folder)
    }

    fn start_in(folder: PathBuf) -> Self {
        let server = launch(&folder, -1);
        let port = port(&folder, server.id());
        Self { folder, port, server }
    }

    /// The address with a user and a password.
    pub(crate) fn options_as(&self, user: &str, password: &str) -> ConnectionOptions {
        ConnectionOptions { url: format!("nats://{user}:{password}@127.0.0.1:{}", self.port), ..self.options() }
    }

    /// Stops the server without ending its connections.
    pub(crate) fn hang(&self) {
        kill_process(Pid::from_child(&self.server), Signal::STOP).unwrap();
    }

    pub(crate) fn resume(&self) {
        kill_process(Pid::from_child(&self.server), Signal::CONT).unwrap();
    }

    pub(crate) fn options(&self) -> ConnectionOptions {
        let timeout = Duration::from_secs(20);
        ConnectionOptions { url: format!("nats://127.0.0.1:{}", self.port), credentials: None, timeout }
    }

    pub(crate) fn kill(&mut self) {
        self.server.kill().unwrap();
        self.server.wait().unwrap();
    }

    pub(crate) fn start_again(&mut self) {
        self.server = launch(&self.folder, i32::from(self.port));
        port(&self.folder, self.server.id());
    }

    /// As if its disk had been lost.
    pub(crate) fn forget_everything(&self) {
        fs::remove_dir_all(self.folder.join("store")).unwrap();
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        self.server.kill().ok();
        self.server.wait().ok();
        fs::remove_dir_all(&self.folder).ok();
    }
}

fn new_folder() -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("seabattle-queue-{}-{number}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn launch(folder: &Path, port: i32) -> Child {
    let mut server = Command::new("nats-server");
    let config = folder.join(CONFIG);
    if config.exists() {
        server.arg("-c").arg(config);
    }
    server.args(["-js", "-a", "127.0.0.1", "-p", &port.to_string(), "-sd"]).arg(folder.join("store"));
    server.arg("--ports_file_dir").arg(folder).stdout(Stdio::null()).stderr(Stdio::null());
    server.spawn().expect("nats-server must be installed (scripts/test does that)")
}

/// What the server has written down when it listens.
fn port(folder: &Path, process: u32) -> u16 {
    let file = folder.join(format!("nats-server_{process}.ports"));
    let until = Instant::now() + Duration::from_secs(10);
    loop {
        let ports = fs::read_to_string(&file).unwrap_or_default();
        let url = ports.split('"').find(|part| part.starts_with("nats://"));
        if let Some(port) = url.and_then(|url| url.rsplit(':').next()).and_then(|port| port.parse().ok()) {
            return port;
        }
        assert!(Instant::now() < until, "nats-server does not listen");
        sleep(Duration::from_millis(5));
    }
}
