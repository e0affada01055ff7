//! What strangers get to see: nothing of the network, and of the files only the system's and those of their own folder.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

/// Where programs and what they need are installed on most systems.
const SYSTEM: [&str; 10] = [
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

/// Whether strangers can be locked up on this system, and why not.
static LOCK: LazyLock<Result<PathBuf, String>> = LazyLock::new(|| {
    let path = found("bwrap").ok_or("bubblewrap is not installed")?;
    let mut trial = Command::new(&path);
    trial.args(walls(BTreeSet::new())).arg("true").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    match trial.output() {
        Ok(output) if output.status.success() => Ok(path),
        Ok(output) => Err(format!("bubblewrap does not work here: {}", String::from_utf8_lossy(&output.stderr).trim())),
        Err(error) => Err(format!("bubblewrap does not work here: {error}")),
    }
});

/// Why strangers cannot be kept from files and network on this system; nothing if they can.
pub fn sandbox_error() -> Option<&'static str> {
    LOCK.as_ref().err().map(String::as_str)
}

/// The words that start a program, locked up where that is wanted and possible.
pub(super) fn locked(words: &[String], wanted: bool, writable: Option<&Path>) -> Vec<String> {
    let Some(bubblewrap) = LOCK.as_ref().ok().filter(|_| wanted) else {
        return words.to_vec();
    };
    let mut locked = vec![bubblewrap.to_string_lossy().into_owned()];
    locked.extend(walls(folders(words)));
    if let Some(folder) = writable.map(Path::to_string_lossy) {
        locked.extend(["--bind".to_owned(), folder.to_string(), folder.into_owned()]);
    }
    if let Ok(here) = std::env::current_dir() {
        let here = here.to_string_lossy().into_owned();
        locked.extend(["--dir".to_owned(), here.clone(), "--chdir".to_owned(), here]);
    }
    locked.extend_from_slice(words);
    locked
}

fn walls(folders: BTreeSet<PathBuf>) -> Vec<String> {
    let mut walls = vec!["--unshare-all", "--die-with-parent", "--new-session", "--proc", "/proc", "--dev", "/dev"];
    walls.extend(["--tmpfs", "/tmp"]);
    let mut walls: Vec<String> = walls.into_iter().map(str::to_owned).collect();
    let seen = SYSTEM.iter().map(PathBuf::from).chain(folders);
    for path in seen {
        let path = path.to_string_lossy().into_owned();
        walls.extend(["--ro-bind-try".to_owned(), path.clone(), path]);
    }
    walls
}

/// The folders of everything that the words name: the program, scripts, files.
fn folders(words: &[String]) -> BTreeSet<PathBuf> {
    let program = words.first().filter(|word| !word.contains('/')).and_then(|word| found(word));
    let named = words.iter().map(PathBuf::from).filter(|path| path.is_file());
    let paths = program.into_iter().chain(named).flat_map(|path| places(&path));
    paths.filter_map(|path| home(&path)).filter(|folder| !is_system(folder)).collect()
}

/// Where a file is said to be and, behind all links and `..`, where it is.
fn places(path: &Path) -> Vec<PathBuf> {
    let said =
        std::path::absolute(path).ok().filter(|path| !path.components().any(|part| part == Component::ParentDir));
    said.into_iter().chain(path.canonicalize()).collect()
}

/// The folder of a file; of a program among others, as in `bin`, the folder that holds all that belongs to them.
fn home(path: &Path) -> Option<PathBuf> {
    // Otherwise the home of /bin/sh would be the whole file system.
    let folder = path.parent().filter(|folder| !is_system(folder))?;
    let shared = matches!(folder.file_name()?.to_str()?, "bin" | "shims");
    Some(if shared { folder.parent()? } else { folder }.to_path_buf())
}

fn is_system(folder: &Path) -> bool {
    SYSTEM.iter().any(|system| folder.starts_with(system))
}

/// Where a program is that is called by its name alone.
pub(crate) fn found(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::home;

    #[test]
    fn a_program_of_the_system_opens_no_folder() {
        assert_eq!(home(Path::new("/bin/sh")), None);
        assert_eq!(home(Path::new("/usr/bin/python3")), None);
        assert_eq!(home(Path::new("/home/anna/.local/bin/python3")), Some("/home/anna/.local".into()));
        assert_eq!(home(Path::new("/home/anna/bots/bot.py")), Some("/home/anna/bots".into()));
    }
}
