//! A PostgreSQL server for tests, in a folder of its own.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const PATIENCE: Duration = Duration::from_secs(30);
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);

/// Listens on a socket in its folder, and is gone with this value.
pub(crate) struct Database {
    folder: PathBuf,
    programs: PathBuf,
    server: Option<Child>,
}

impl Database {
    /// `None` where PostgreSQL is not installed, or nobody may start it.
    pub(crate) fn start(name: &str) -> Option<Self> {
        let user = Command::new("id").arg("-u").output().ok()?;
        if user.stdout != b"0\n" {
            return None;
        }
        let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
        let programs = versions.filter_map(Result::ok).map(|entry| entry.path().join("bin")).max()?;
        let folder = std::env::temp_dir().join(format!("seabattle-postgres-{name}-{}", std::process::id()));
        std::fs::remove_dir_all(&folder).ok();
        std::fs::create_dir_all(&folder).unwrap();
        Command::new("chown").args(["-R", "postgres", folder.to_str()?]).status().unwrap();
        let data = folder.join("data").display().to_string();
        let initdb = programs.join("initdb").display().to_string();
        let made =
            run_as_postgres(&[&initdb, "--no-sync", "--locale=C", "--auth=trust", "-D", &data]).status().unwrap();
        assert!(made.success(), "initdb failed");
        let mut database = Self { folder, programs, server: None };
        database.resume();
        Some(database)
    }

    /// Starts it, again if it was stopped, and waits until it answers.
    pub(crate) fn resume(&mut self) {
        let program = |name: &str| self.programs.join(name).display().to_string();
        let (data, socket) = (self.folder.join("data").display().to_string(), self.folder.display().to_string());
        let server = run_as_postgres(&[&program("postgres"), "-D", &data, "-k", &socket, "-h", "", "-F"]).spawn();
        self.server = Some(server.unwrap());
        self.wait(&program("pg_isready"));
    }

    /// As a crash does: nothing is tidied up.
    pub(crate) fn stop(&mut self) {
        let pid = std::fs::read_to_string(self.folder.join("data/postmaster.pid")).unwrap_or_default();
        let pid = pid.lines().next().unwrap_or_default().to_owned();
        Command::new("kill").args(["-QUIT", &pid]).status().ok();
        if let Some(mut server) = self.server.take() {
            server.wait().ok();
        }
    }

    fn wait(&self, pg_isready: &str) {
        let ready = || {
            let status = Command::new(pg_isready).args(["-h", self.folder.to_str().unwrap(), "-q"]).status().unwrap();
            status.success()
        };
        let began = Instant::now();
        while !ready() {
            assert!(began.elapsed() < PATIENCE, "PostgreSQL does not start");
            std::thread::sleep(BETWEEN_LOOKS);
        }
    }

    pub(crate) fn address(&self) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{folder}/postgres")
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.stop();
        std::fs::remove_dir_all(&self.folder).ok();
    }
}

/// PostgreSQL refuses to run as root.
fn run_as_postgres(command: &[&str]) -> Command {
    let mut run = Command::new("runuser");
    run.args(["-u", "postgres", "--"]).args(command).stdout(Stdio::null()).stderr(Stdio::null());
    run
}
