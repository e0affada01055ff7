//! What bots can reach: a probe tries everything that would help it to win, and real bots of several layouts start.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use seabattle_arena::{Access, BotCommand, ExternalPlayer, ResourceLimits, TimeLimits, sandbox_error};

/// Without bubblewrap these tests fail, unless it is left out on purpose.
pub(crate) fn is_left_out() -> bool {
    let without = std::env::var("SEABATTLE_WITHOUT").unwrap_or_default();
    let is_left_out = without.split(' ').any(|package| package == "bubblewrap") && sandbox_error().is_some();
    if is_left_out {
        eprintln!("left out without bubblewrap: what bots can reach in the sandbox");
    }
    is_left_out
}

fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("sandbox-{test}"));
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What a bot calls itself, or why it does not start.
fn name(words: &[&str], access: Access) -> String {
    let words = words.iter().map(|&word| word.to_owned()).collect();
    let command = BotCommand::new(words, ResourceLimits::default(), access);
    let limits = TimeLimits { start: Duration::from_secs(30), ..TimeLimits::default() };
    let mut player = ExternalPlayer::new(command, limits);
    match player.greet() {
        Ok(()) => seabattle_arena::Player::name(&player).unwrap_or("no name").to_owned(),
        Err(fault) => fault.to_string(),
    }
}

/// Tries to read what it is given, and all processes but its own, and says what it could.
const PROBE: &str = r#"
import os, socket, sys
input()
found = []
for path in sys.argv[1:]:
    try:
        found.append(path + ' ' + str(sorted(os.listdir(path))[:20] if os.path.isdir(path) else len(open(path, 'rb').read())))
    except OSError:
        pass
found = [path for path in found if not path.endswith(' []')]
if len(socket.if_nameindex()) > 1:
    found.append('network')
for process in filter(str.isdigit, os.listdir('/proc')):
    try:
        words = open('/proc/' + process + '/cmdline').read()
        if 'deps/arena-' in words and 'bwrap' not in words:
            found.append('process ' + words[:60])
            open('/proc/' + process + '/mem', 'rb').close()
    except OSError:
        pass
print('name', '; '.join(found)[:3000].replace('\n', ' ').replace('\0', ' ') or 'nothing')
print('ready', flush=True)
input()
"#;

#[test]
fn a_bot_reads_no_other_contestant_no_home_and_no_memory_of_the_arena() {
    if is_left_out() {
        return;
    }
    let folder = folder("neighbours");
    let write = |name: &str, text: &str| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name).to_string_lossy().into_owned()
    };
    let probe = write("probe.py", PROBE);
    // In pieces, so that the command does not name them.
    let targets = [write("champion.py", "print('secret')"), folder.to_string_lossy().into_owned()];
    let home = std::env::var("HOME").unwrap();
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let targets: Vec<&str> = targets.iter().map(String::as_str).chain([&*home, manifest]).collect();
    let spy = PROBE.replace("sys.argv[1:]", &format!("{targets:?}"));
    fs::write(&probe, spy).unwrap();
    let seen = |access| name(&["python3", &probe], access);
    let sandboxed = seen(Access::own_files());
    assert!(sandboxed.contains(&format!("{} ['probe.py']", folder.display())), "{sandboxed}");
    for secret in ["champion.py", "Cargo.toml", "network", "process", ".ssh", ".profile", "/mem"] {
        assert!(!sandboxed.contains(secret), "{sandboxed}");
    }
    let open = seen(Access::Everything);
    assert!(open.contains("champion.py"), "the probe finds what is open: {open}");
}

/// A Python bot that only comes up, in a file of this name.
fn bot(folder: &Path, file: &str, text: &str) -> String {
    let path = folder.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.to_string_lossy().into_owned()
}

const PYTHON: &str = "print('name started\\nready', flush=True)\nwhile input() != 'quit': pass\n";
const JAVASCRIPT: &str = "console.log('name started\\nready'); process.stdin.resume();\n";
const C: &str = "#include <stdio.h>\nint main(void) { puts(\"name started\\nready\"); fflush(stdout); getchar(); \
                 while (getchar() != EOF); return 0; }\n";

#[test]
fn bots_of_every_layout_start_with_and_without_the_sandbox() {
    if is_left_out() {
        return;
    }
    let folder = folder("layouts");
    let package = bot(&folder, "package/__main__.py", &format!("import helper\n{PYTHON}"));
    bot(&folder, "package/helper.py", "");
    let script = bot(&folder, "node/dist/bot.js", &format!("require('helper');\n{JAVASCRIPT}"));
    bot(&folder, "node/node_modules/helper/index.js", "");
    let module = bot(&folder, "alone/bot.py", PYTHON);
    let source = bot(&folder, "bin/bot.c", C);
    let program = folder.join("bin/bot").to_string_lossy().into_owned();
    assert!(Command::new("cc").args(["-o", &program, &source]).status().unwrap().success());
    let package = Path::new(&package).parent().unwrap().to_string_lossy().into_owned();
    let check = |words: &[&str], see: &[&str]| {
        let see = see.iter().map(|path| folder.join(path)).collect();
        for access in [Access::Everything, Access::Sandbox { see }] {
            assert_eq!(name(words, access.clone()), "started", "{words:?} {access:?}");
        }
    };
    check(&["python3", &module], &[]);
    check(&["python3", &package], &[]);
    check(&["node", &script], &["node"]);
    check(&[&program], &[]);
    let alone = name(&["node", &script], Access::own_files());
    assert!(alone.contains("Cannot find module 'helper'") && alone.contains("try --see DIR"), "{alone}");
}
