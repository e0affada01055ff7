//! What a person sees of the sandbox: bots that need it do not start without it, and none reads the files of another.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{command, folder, repository, stderr, stdout};

/// A folder of programs in which bubblewrap is missing.
fn without_bubblewrap(folder: &Path) -> String {
    let programs = folder.join("programs");
    fs::create_dir(&programs).unwrap();
    let python = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output().unwrap();
    for (name, program) in [("sh", "/bin/sh"), ("python3", stdout(&python).trim())] {
        std::os::unix::fs::symlink(program, programs.join(name)).unwrap();
    }
    programs.to_string_lossy().into_owned()
}

#[test]
fn without_bubblewrap_an_external_bot_starts_only_with_no_sandbox() {
    let folder = folder("no-bubblewrap");
    let path = without_bubblewrap(&folder);
    let bot = format!("python3 {}", repository().join("bots/python/bot.py").display());
    let play = |words: &[&str]| command(words).env("PATH", &path).output().unwrap();
    let refused = |words: &[&str]| {
        let output = play(words);
        assert!(!output.status.success(), "{words:?}");
        let message = stderr(&output);
        assert!(
            message.contains("bubblewrap is not installed") && message.contains("--no-sandbox"),
            "{words:?}: {message}"
        );
    };
    refused(&["match", &bot, "random", "--pairs", "1"]);
    refused(&["check", &bot]);
    refused(&["tournament", &bot, "random", "--pairs", "1", "--out", &folder.join("cup").to_string_lossy()]);
    refused(&["worker", "--nats", "nats://127.0.0.1:1", "--allow", &bot]);
    let open = play(&["match", &bot, "random", "--pairs", "1", "--no-sandbox"]);
    assert!(open.status.success(), "{}", stderr(&open));
}

#[test]
fn a_bot_that_could_read_another_is_refused() {
    let folder = folder("neighbours");
    let python = repository().join("bots/python/bot.py");
    for name in ["a", "b"] {
        fs::create_dir(folder.join(name)).unwrap();
        fs::copy(&python, folder.join(name).join("bot.py")).unwrap();
    }
    let [a, b] = ["a", "b"].map(|name| format!("python3 {}", folder.join(name).join("bot.py").display()));
    let play = |more: &[&str]| command(&[&["match", &a, &b, "--pairs", "1"], more].concat()).output().unwrap();
    assert!(play(&[]).status.success());
    let refused = play(&["--see", folder.to_str().unwrap()]);
    assert!(!refused.status.success() && stderr(&refused).contains("which belongs to"), "{}", stderr(&refused));
    let home = command(&["match", &a, &b, "--see", "/"]).output().unwrap();
    assert!(stderr(&home).contains("your whole home folder"), "{}", stderr(&home));
}

#[test]
fn a_file_that_starts_commands_says_which() {
    let folder = folder("announced");
    let bot = format!("python3 {}", repository().join("bots/python/bot.py").display());
    let file = folder.join("cup.toml");
    let text = format!(
        "pairs = 1\n[[bot]]\nplayer = \"random\"\n[[bot]]\nplayer = \"{bot}\"\nsee = \"{}\"\n",
        folder.display()
    );
    fs::write(&file, text).unwrap();
    let out = folder.join("games");
    let words = ["tournament", "--config", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
    let output = command(&words).output().unwrap();
    assert!(output.status.success(), "{}{}", stdout(&output), stderr(&output));
    let message = stderr(&output);
    assert!(
        message.contains(&format!("This tournament starts:\n  {bot} (in the sandbox)\nLimits hold for")),
        "{message}"
    );
    let output = command(&["match", &bot, "random", "--pairs", "1"]).output().unwrap();
    let message = stderr(&output);
    assert!(message.starts_with("External bots run in the sandbox. Limits hold for all processes"), "{message}");
}

/// A bot that ends for nothing but SIGKILL, and so does its child in a session of its own, whose parent has ended.
const STUBBORN: &str = r#"
import os, signal, sys, time
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM, signal.SIGPIPE):
    signal.signal(number, signal.SIG_IGN)
def note():
    with open(sys.argv[1], 'a') as file: file.write(f'{os.getpid()}\n')
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        note()
        for file in (0, 1, 2): os.close(file)
        time.sleep(1000)
    os._exit(0)
note()
print('ready', flush=True)
while True: time.sleep(1000)
"#;

/// Whether a process runs, and is no zombie.
fn runs(pid: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

/// Looks until this holds, for a minute at most.
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::yield_now();
    }
}

#[test]
fn no_bot_outlives_a_killed_arena() {
    let folder = folder("outlives");
    let (bot, pids) = (folder.join("stubborn.py"), folder.join("pids"));
    fs::write(&bot, STUBBORN).unwrap();
    let bot = format!("python3 {} {}", bot.display(), pids.display());
    let arguments = ["match", &bot, "random", "--pairs", "1", "--no-sandbox", "--time-place", "1m"];
    let mut arena = command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let started = || fs::read_to_string(&pids).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>();
    wait_until("the bot starts", || started().len() == 2);
    assert!(started().iter().all(|pid| runs(pid)));
    arena.kill().unwrap();
    arena.wait().unwrap();
    wait_until("the bot and its child end", || !started().iter().any(|pid| runs(pid)));
}
