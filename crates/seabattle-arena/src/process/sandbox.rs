//! The sandbox of external bots: no network, and only the files of the system and of the bot's own folders.
//!
//! It uses [bubblewrap](https://github.com/containers/bubblewrap) where that is installed.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use thiserror::Error;

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
        .args(arguments(BTreeSet::new()))
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

/// Why this system has no sandbox for external bots; `None` if it has one.
pub fn sandbox_error() -> Option<&'static SandboxError> {
    BUBBLEWRAP.as_ref().err()
}

/// The command line of a program, in the sandbox if that is wanted and possible. It may write to one folder, if given.
pub(super) fn command_line(words: &[String], wanted: bool, writable: Option<&Path>) -> Vec<String> {
    let Some(bubblewrap) = BUBBLEWRAP.as_ref().ok().filter(|_| wanted) else {
        return words.to_vec();
    };
    let mut line = vec![bubblewrap.to_string_lossy().into_owned()];
    line.extend(arguments(folders(words)));
    if let Some(folder) = writable.map(Path::to_string_lossy) {
        line.extend(["--bind".to_owned(), folder.to_string(), folder.into_owned()]);
    }
    if let Ok(current) = std::env::current_dir() {
        let current = current.to_string_lossy().into_owned();
        line.extend(["--dir".to_owned(), current.clone(), "--chdir".to_owned(), current]);
    }
    line.extend_from_slice(words);
    line
}

fn arguments(folders: BTreeSet<PathBuf>) -> Vec<String> {
    let mut arguments = vec!["--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev"];
    arguments.extend(["--tmpfs", "/tmp"]);
    let mut arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
    let visible = SYSTEM_PATHS.iter().map(PathBuf::from).chain(folders);
    for path in visible {
        let path = path.to_string_lossy().into_owned();
        arguments.extend(["--ro-bind-try".to_owned(), path.clone(), path]);
    }
    arguments
}

/// The folders of the program and of all files that its arguments name.
fn folders(words: &[String]) -> BTreeSet<PathBuf> {
    let program = words.first().filter(|word| !word.contains('/')).and_then(|word| find_program(word));
    let named = words.iter().map(PathBuf::from).filter(|path| path.is_file());
    let paths = program.into_iter().chain(named).flat_map(|path| paths_of(&path));
    paths.filter_map(|path| folder_of(&path)).filter(|folder| !is_system(folder)).collect()
}

/// The path of a file as given, and its canonical path without links and `..`.
fn paths_of(path: &Path) -> Vec<PathBuf> {
    let as_given =
        std::path::absolute(path).ok().filter(|path| !path.components().any(|part| part == Component::ParentDir));
    as_given.into_iter().chain(path.canonicalize()).collect()
}

/// The folder of a file. For a program in `bin` it is the folder above, which has the files that belong to it.
fn folder_of(path: &Path) -> Option<PathBuf> {
    // Otherwise the folder of /bin/sh would be the whole file system.
    let folder = path.parent().filter(|folder| !is_system(folder))?;
    let shared = matches!(folder.file_name()?.to_str()?, "bin" | "shims");
    Some(if shared { folder.parent()? } else { folder }.to_path_buf())
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
mod tests {
    use std::path::Path;

    use super::folder_of;

    #[test]
    fn a_program_of_the_system_opens_no_folder() {
        assert_eq!(folder_of(Path::new("/bin/sh")), None);
        assert_eq!(folder_of(Path::new("/usr/bin/python3")), None);
        assert_eq!(folder_of(Path::new("/home/anna/.local/bin/python3")), Some("/home/anna/.local".into()));
        assert_eq!(folder_of(Path::new("/home/anna/bots/bot.py")), Some("/home/anna/bots".into()));
    }
}
