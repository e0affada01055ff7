//! The sandbox of external bots: no network, and of the files the system's, the bot's own, and folders named for it.
//!
//! It uses [bubblewrap](https://github.com/containers/bubblewrap) where that is installed.

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use thiserror::Error;

use super::limits::ResourceLimits;

/// The paths of programs and libraries on most systems.
const SYSTEM_PATHS: [&str; 10] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/nix/store",
    "/etc/fpc.cfg",
];

/// Why this system has no sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SandboxError {
    /// Bubblewrap is not installed.
    #[error("bubblewrap is not installed")]
    NotInstalled,
    /// Bubblewrap is installed and cannot start a program.
    #[error("bubblewrap does not work here: {0}")]
    Fails(String),
}

/// The path of bubblewrap, or why there is no sandbox on this system.
static BUBBLEWRAP: LazyLock<Result<PathBuf, SandboxError>> = LazyLock::new(|| {
    let path = find_program("bwrap").ok_or(SandboxError::NotInstalled)?;
    let mut trial = Command::new(&path);
    trial
        .args(arguments(BTreeSet::new(), ResourceLimits::default()))
        .arg("true")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    match trial.output() {
        Ok(output) if output.status.success() => Ok(path),
        Ok(output) => Err(SandboxError::Fails(String::from_utf8_lossy(&output.stderr).trim().to_owned())),
        Err(error) => Err(SandboxError::Fails(error.to_string())),
    }
});

/// What a bot can reach of the machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// The network and all files.
    Everything,
    /// No network, and of the files those of the system, its own and these.
    Sandbox {
        /// Folders and files that the bot may read, in addition to those that its command names.
        see: Vec<PathBuf>,
    },
}

impl Access {
    /// The sandbox with only the bot's own files.
    pub const fn own_files() -> Self {
        Self::Sandbox { see: Vec::new() }
    }

    /// Whether a bot is kept from the network and from most files.
    pub const fn is_sandboxed(&self) -> bool {
        matches!(self, Self::Sandbox { .. })
    }
}

/// Why this system has no sandbox for external bots; `None` if it has one.
pub fn sandbox_error() -> Option<&'static SandboxError> {
    BUBBLEWRAP.as_ref().err()
}

/// The command line of a program with this access. Without a working sandbox a program that needs one does not start.
pub(super) fn command_line(
    words: &[String],
    access: &Access,
    limits: ResourceLimits,
    writable: Option<&Path>,
) -> io::Result<Vec<String>> {
    let Access::Sandbox { see } = access else {
        return Ok(words.to_vec());
    };
    let bubblewrap = BUBBLEWRAP.as_ref().map_err(|why| io::Error::new(io::ErrorKind::Unsupported, why.clone()))?;
    let mut line = vec![bubblewrap.to_string_lossy().into_owned()];
    line.extend(arguments(visible(words, see), limits));
    if let Some(folder) = writable.map(Path::to_string_lossy) {
        line.extend(["--bind".to_owned(), folder.to_string(), folder.into_owned()]);
    }
    if let Ok(here) = std::env::current_dir() {
        let here = here.to_string_lossy().into_owned();
        line.extend(["--dir".to_owned(), here.clone(), "--chdir".to_owned(), here]);
    }
    // The folders in memory that hold the sandbox together cannot be filled.
    line.extend(["--remount-ro", "/dev", "--remount-ro", "/"].map(str::to_owned));
    line.extend_from_slice(words);
    Ok(line)
}

fn arguments(visible_paths: BTreeSet<PathBuf>, limits: ResourceLimits) -> Vec<String> {
    let mut arguments = vec!["--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev"];
    let most = limits.hard_bytes().to_string();
    for folder in ["/tmp", "/dev/shm"] {
        arguments.extend(["--size", &most, "--tmpfs", folder]);
    }
    let mut arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
    let visible = SYSTEM_PATHS.iter().map(PathBuf::from).chain(visible_paths);
    for path in visible {
        let path = path.to_string_lossy().into_owned();
        arguments.extend(["--ro-bind-try".to_owned(), path.clone(), path]);
    }
    arguments
}

/// What a bot may read apart from the system's files: what its command names, and the folders that were named for it.
pub(super) fn visible(words: &[String], see: &[PathBuf]) -> BTreeSet<PathBuf> {
    let program =
        words.first().and_then(|word| if word.contains('/') { Some(word.into()) } else { find_program(word) });
    let program = program.filter(|path| path.is_file()).into_iter().flat_map(|path| paths_of(&path));
    let program = program.flat_map(|path| [installation(&path), Some(path)]).flatten();
    let named = named(words.get(1..).unwrap_or_default()).into_iter().chain(see.iter().cloned());
    let named = named.flat_map(|path| paths_of(&path));
    program.chain(named).filter(|path| !is_system(path) && !is_private(path)).collect()
}

/// A file of another bot that lies in a folder this bot may read, if there is one.
pub(super) fn exposed(reader: (&[String], &[PathBuf]), other: (&[String], &[PathBuf])) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = visible(reader.0, reader.1).into_iter().filter(|path| path.is_dir()).collect();
    let own = visible(reader.0, &[]);
    let theirs = named(other.0).into_iter().chain(other.1.iter().cloned()).flat_map(|path| paths_of(&path));
    let mut theirs = theirs.filter(|path| !is_system(path) && !own.contains(path));
    theirs.find(|path| folders.iter().any(|folder| path.starts_with(folder)))
}

/// The files and folders that the words name, also within lists such as `-cp lib.jar:classes`.
fn named(words: &[String]) -> Vec<PathBuf> {
    let exists = |word: &&str| !word.is_empty() && Path::new(word).exists();
    let paths = |word: &String| match Some(word.as_str()).filter(exists) {
        Some(path) => vec![PathBuf::from(path)],
        None => word.split([':', '=']).filter(exists).map(PathBuf::from).collect(),
    };
    words.iter().flat_map(paths).collect()
}

/// The absolute path of a file, and its canonical path without links and `..`.
fn paths_of(path: &Path) -> Vec<PathBuf> {
    let as_given =
        std::path::absolute(path).ok().filter(|path| !path.components().any(|part| part == Component::ParentDir));
    as_given.into_iter().chain(path.canonicalize()).collect()
}

/// The folder that an interpreter was installed to, with the libraries that it needs, such as a virtual environment.
fn installation(program: &Path) -> Option<PathBuf> {
    let folder = program.parent()?;
    let installed = matches!(folder.file_name()?.to_str()?, "bin" | "shims");
    let prefix = folder.parent().filter(|_| installed)?;
    let has_libraries = ["lib", "lib64", "libexec"].iter().any(|name| prefix.join(name).is_dir());
    let is_shared = prefix.file_name().is_some_and(|name| name == ".local");
    (has_libraries && !is_shared).then(|| prefix.to_path_buf())
}

/// Whether this is the user's home folder, or a folder around it: nothing of either is meant for bots.
pub fn is_private(path: &Path) -> bool {
    let Some(home) = std::env::var_os("HOME").map(PathBuf::from) else {
        return path == Path::new("/");
    };
    let resolved = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    resolved(&home).starts_with(resolved(path))
}

fn is_system(folder: &Path) -> bool {
    SYSTEM_PATHS.iter().any(|system| folder.starts_with(system))
}

/// The path of a program that is called by its name.
pub(crate) fn find_program(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{is_private, visible};

    /// A folder with these files, for one test.
    fn folder(test: &str, files: &[&str]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("seabattle-{test}-{}", std::process::id()));
        for file in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        folder.canonicalize().unwrap()
    }

    /// What a command shows of a folder.
    fn shown(folder: &Path, words: &[&str], see: &[&str]) -> Vec<String> {
        let word = |word: &&str| word.replace('@', &folder.to_string_lossy());
        let words: Vec<String> = words.iter().map(word).collect();
        let see: Vec<PathBuf> = see.iter().map(|path| folder.join(path)).collect();
        let visible = visible(&words, &see);
        let inside = visible.iter().filter_map(|path| path.strip_prefix(folder).ok());
        inside.map(|path| path.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_command_shows_what_it_names_and_nothing_beside_it() {
        let files = ["a/bot.py", "b/bot.py", "classes/Bot.class", "lib.jar", "bin/bot", "env/bin/python", "env/lib/x"];
        let folder = folder("visible", &files);
        let check = |words: &[&str], see: &[&str], expected: &[&str]| {
            assert_eq!(shown(&folder, words, see), expected, "{words:?}");
        };
        check(&["python3", "@/a/bot.py", "--level", "3"], &[], &["a/bot.py"]);
        check(&["python3", "@/a/../b/bot.py"], &[], &["b/bot.py"]);
        check(&["java", "-cp", "@/lib.jar:@/classes", "Bot"], &[], &["classes", "lib.jar"]);
        check(&["java", "--class-path=@/classes", "Bot"], &[], &["classes"]);
        check(&["@/bin/bot"], &[], &["bin/bot"]);
        check(&["@/env/bin/python", "@/a"], &[], &["a", "env", "env/bin/python"]);
        check(&["python3", "-m", "bot"], &["b"], &["b"]);
        check(&["python3", "@/none.py"], &[], &[]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn no_bot_sees_a_whole_home_folder() {
        let home = PathBuf::from(std::env::var_os("HOME").unwrap());
        assert!(is_private(&home) && is_private(Path::new("/")));
        assert!(!is_private(&home.join("no-such-folder")));
        let words = ["sh".to_owned(), home.to_string_lossy().into_owned()];
        assert_eq!(visible(&words, &["/".into()]).len(), 0);
    }
}
