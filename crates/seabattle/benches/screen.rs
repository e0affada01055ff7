//! How quickly the screen answers, in a real pseudo-terminal: `cargo bench -p seabattle`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a measurement that cannot be made must fail")]

use std::io::{Read, Write};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

const STARTS: usize = 20;
const KEYS: usize = 400;
const IDLE: Duration = Duration::from_secs(10);
const PATIENCE: Duration = Duration::from_secs(10);

fn main() {
    let home = env::temp_dir().join("seabattle-screen-bench");
    let starts: Vec<Duration> = (0..STARTS).map(|_| Session::start(&home).1).collect();
    report("first frame", starts);
    let (mut session, _) = Session::start(&home);
    session.press("x\r", |text| text.contains("Your shot 1"));
    let keys = (0..KEYS).map(|number| session.press(if number % 8 < 4 { "l" } else { "h" }, |_| true));
    report("key answered", keys.collect());
    let before = session.processor_ticks();
    thread::sleep(IDLE);
    let ticks = session.processor_ticks() - before;
    // A tick is a hundredth of a second on every Linux.
    println!("{:<14} {:.2} % of a core over {} s", "idle", ticks as f64 / IDLE.as_secs_f64(), IDLE.as_secs());
    fs::remove_dir_all(&home).ok();
}

fn report(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1000.0;
    println!("{name:<14} half {:.1} ms, 99 % {:.1} ms, longest {:.1} ms", at(0.5), at(0.99), at(1.0));
}

struct Session {
    child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    written: Receiver<Vec<u8>>,
}

impl Session {
    /// Also the time from the start to the first frame.
    fn start(home: &PathBuf) -> (Self, Duration) {
        fs::remove_dir_all(home).ok();
        fs::create_dir_all(home).unwrap();
        let size = PtySize { rows: 24, cols: 80, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_seabattle"));
        command.args(["play", "--seed", "1", "--first", "me", "--rules", "classic"]);
        command.env("TERM", "xterm-256color");
        command.env("HOME", home);
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let (send, written) = channel();
        thread::spawn(move || {
            let mut buffer = [0; 65536];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                send.send(buffer[..count].to_vec()).ok();
            }
        });
        let began = Instant::now();
        let child = pair.slave.spawn_command(command).unwrap();
        let mut session = Self { child, writer, written };
        session.wait(|text| text.contains("help"));
        // The terminal must outlive the session's threads.
        std::mem::forget(pair.master);
        (session, began.elapsed())
    }

    /// The time until the screen has changed as wanted.
    fn press(&mut self, keys: &str, wanted: impl Fn(&str) -> bool) -> Duration {
        let began = Instant::now();
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
        self.wait(wanted);
        began.elapsed()
    }

    fn wait(&mut self, wanted: impl Fn(&str) -> bool) {
        let mut text = String::new();
        loop {
            let bytes = self.written.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("waited in vain: {text:?}"));
            text.push_str(&String::from_utf8_lossy(&bytes));
            if wanted(&text) {
                return;
            }
        }
    }

    fn processor_ticks(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.process_id().unwrap())).unwrap();
        let numbers: Vec<&str> = stat.rsplit(") ").next().unwrap().split(' ').collect();
        numbers[11].parse::<u64>().unwrap() + numbers[12].parse::<u64>().unwrap()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
