//! Limits of external bots: time, memory, files and network.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use seabattle_arena::{Access, LimitSource, ResourceLimits, TimeLimits};
use serde::{Deserialize, Serialize};

use crate::players;

/// A duration as it is typed: `100ms`, `1.5s` or `2m`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct DurationArg(pub(crate) Duration);

impl fmt::Display for DurationArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_millis() {
            whole if Duration::from_millis(whole as u64) != self.0 => write!(f, "{}s", self.0.as_secs_f64()),
            seconds if seconds % 1000 == 0 => write!(f, "{}s", seconds / 1000),
            milliseconds => write!(f, "{milliseconds}ms"),
        }
    }
}

impl FromStr for DurationArg {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const EXPECTED: &str = "a time is a number and a unit, such as 100ms, 1.5s or 2m";
        const MAX_SECONDS: f64 = 86_400.0;
        let digits = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = match &text[digits.len()..] {
            "ms" => 0.001,
            "s" | "" => 1.0,
            "m" => 60.0,
            _ => return Err(EXPECTED),
        };
        let seconds = digits.parse::<f64>().map_err(|_| EXPECTED)? * unit;
        if (0.001..=MAX_SECONDS).contains(&seconds) {
            Ok(Self(Duration::from_secs_f64(seconds)))
        } else {
            Err("a time is between 1ms and one day")
        }
    }
}

/// The limits that the command line sets.
#[derive(Args, Debug, Clone, Default, PartialEq)]
#[command(next_help_heading = "Limits of external bots")]
pub(crate) struct LimitArgs {
    /// Time to start and get ready [default: 10s]
    #[arg(long, value_name = "TIME", value_hint = clap::ValueHint::Other)]
    pub(crate) time_start: Option<DurationArg>,

    /// Time to place a fleet [default: 5s]
    #[arg(long, value_name = "TIME", value_hint = clap::ValueHint::Other)]
    pub(crate) time_place: Option<DurationArg>,

    /// Time for the shots of a turn [default: 1s]
    #[arg(long, value_name = "TIME", value_hint = clap::ValueHint::Other)]
    pub(crate) time_shot: Option<DurationArg>,

    /// Time for all shots of a game [default: 60s]
    #[arg(long, value_name = "TIME", value_hint = clap::ValueHint::Other)]
    pub(crate) time_game: Option<DurationArg>,

    /// Time added to each of these limits, for delays the bot did not cause [default: 50ms]
    #[arg(long, value_name = "TIME", value_hint = clap::ValueHint::Other)]
    pub(crate) margin: Option<DurationArg>,

    /// Processor time of all processes in a game [default: 240s]
    #[arg(long, value_name = "TIME", value_hint = clap::ValueHint::Other)]
    pub(crate) time_cpu: Option<DurationArg>,

    /// Memory of all processes in MiB, with shared memory and temporary files [default: 1024]
    #[arg(long, value_name = "MIB", value_hint = clap::ValueHint::Other, value_parser = parse_memory)]
    pub(crate) memory: Option<u64>,

    /// Maximum number of processes at the same time [default: 64]
    #[arg(long, value_name = "N", value_hint = clap::ValueHint::Other, value_parser = parse_processes)]
    pub(crate) processes: Option<usize>,

    /// Let bots read this folder too (repeatable). The sandbox shows only files of the system and files that the bot's
    /// command names
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, value_parser = parse_readable_path)]
    pub(crate) see: Vec<PathBuf>,

    /// Let bots use the network and read all files
    #[arg(long)]
    pub(crate) no_sandbox: bool,
}

/// Parses a number of mebibytes.
pub(crate) fn parse_memory(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1..=1_048_576).contains(number));
    number.ok_or_else(|| "the memory is 1 to 1048576 MiB".to_owned())
}

/// Parses a number of processes.
pub(crate) fn parse_processes(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=100_000).contains(number));
    number.ok_or_else(|| "a bot may run 1 to 100000 processes".to_owned())
}

/// Parses the path of a folder or file that bots may read.
pub(crate) fn parse_readable_path(text: &str) -> Result<PathBuf, String> {
    let path = Path::new(text);
    if !path.exists() {
        return Err("there is no such file or folder".to_owned());
    }
    if seabattle_arena::is_private(path) {
        return Err("it contains your whole home folder: give the bot a folder of its own".to_owned());
    }
    std::path::absolute(path).map_err(|error| error.to_string())
}

impl LimitArgs {
    /// Returns these limits, and `others` where none is set.
    pub(crate) fn applied_to(&self, others: &Limits) -> Limits {
        Limits {
            time_start: self.time_start.unwrap_or(others.time_start),
            time_place: self.time_place.unwrap_or(others.time_place),
            time_shot: self.time_shot.unwrap_or(others.time_shot),
            time_game: self.time_game.unwrap_or(others.time_game),
            margin: self.margin.unwrap_or(others.margin),
            time_cpu: self.time_cpu.unwrap_or(others.time_cpu),
            memory: self.memory.unwrap_or(others.memory),
            processes: self.processes.unwrap_or(others.processes),
            see: if self.see.is_empty() { others.see.clone() } else { self.see.clone() },
            no_sandbox: self.no_sandbox || others.no_sandbox,
        }
    }
}

/// Which limits are in force on this machine, said before external bots start.
pub(crate) fn in_force() -> &'static str {
    if seabattle_arena::has_whole_bot_limits() {
        "Limits hold for all processes of a bot together."
    } else {
        "This system does not list processes, so limits of memory hold for each process of a bot alone."
    }
}

/// Returns an error if there is no sandbox on this machine.
pub(crate) fn check_sandbox() -> anyhow::Result<()> {
    match seabattle_arena::sandbox_error() {
        None => Ok(()),
        Some(why) => bail!(
            "{why}. Without it a bot could read your files and use the network. \
             Install the package bubblewrap, or allow all that with --no-sandbox"
        ),
    }
}

/// All limits of a bot.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Limits {
    time_start: DurationArg,
    time_place: DurationArg,
    time_shot: DurationArg,
    time_game: DurationArg,
    margin: DurationArg,
    #[serde(default = "default_cpu")]
    time_cpu: DurationArg,
    memory: u64,
    #[serde(default = "default_processes")]
    processes: usize,
    #[serde(default)]
    see: Vec<PathBuf>,
    #[serde(rename = "open")]
    no_sandbox: bool,
}

fn default_cpu() -> DurationArg {
    DurationArg(ResourceLimits::default().cpu)
}

fn default_processes() -> usize {
    ResourceLimits::default().processes
}

impl Default for Limits {
    fn default() -> Self {
        let milliseconds = |number| DurationArg(Duration::from_millis(number));
        Self {
            time_start: milliseconds(10_000),
            time_place: milliseconds(5_000),
            time_shot: milliseconds(1_000),
            time_game: milliseconds(60_000),
            margin: milliseconds(50),
            time_cpu: default_cpu(),
            memory: 1024,
            processes: default_processes(),
            see: Vec::new(),
            no_sandbox: false,
        }
    }
}

impl Limits {
    pub(crate) fn times(&self) -> TimeLimits {
        TimeLimits {
            start: self.time_start.0,
            place: self.time_place.0,
            shot: self.time_shot.0,
            game: self.time_game.0,
            notify: None,
            margin: self.margin.0,
            source: LimitSource::Options,
        }
    }

    /// Returns the options that set these limits, each followed by a space. Defaults are left out.
    pub(crate) fn options(&self) -> String {
        let usual = Self::default();
        let times = [
            ("--time-start", self.time_start, usual.time_start),
            ("--time-place", self.time_place, usual.time_place),
            ("--time-shot", self.time_shot, usual.time_shot),
            ("--time-game", self.time_game, usual.time_game),
            ("--margin", self.margin, usual.margin),
            ("--time-cpu", self.time_cpu, usual.time_cpu),
        ];
        let other = times.iter().filter(|(_, time, usual)| time != usual);
        let mut options: String = other.map(|(option, time, _)| format!("{option} {time} ")).collect();
        if self.memory != usual.memory {
            options += &format!("--memory {} ", self.memory);
        }
        if self.processes != usual.processes {
            options += &format!("--processes {} ", self.processes);
        }
        for folder in &self.see {
            options += &format!("--see {} ", players::quoted(&folder.to_string_lossy()));
        }
        options + if self.no_sandbox { "--no-sandbox " } else { "" }
    }

    /// Returns what all processes of a bot may use together.
    pub(crate) fn resources(&self) -> ResourceLimits {
        ResourceLimits { memory: self.memory << 20, processes: self.processes, cpu: self.time_cpu.0 }
    }

    /// Returns the same limits with the access that this machine allows.
    pub(crate) fn with_access(&self, see: &[PathBuf], no_sandbox: bool) -> Self {
        Self { see: see.to_vec(), no_sandbox, ..self.clone() }
    }

    /// Says what a bot can access.
    pub(crate) fn access_text(&self) -> &'static str {
        if self.no_sandbox {
            "without a sandbox, with access to the network and all your files"
        } else {
            "in the sandbox"
        }
    }

    /// Returns what a bot can access, or an error if that needs a sandbox and there is none.
    pub(crate) fn access(&self) -> anyhow::Result<Access> {
        if self.no_sandbox {
            return Ok(Access::Everything);
        }
        check_sandbox()?;
        Ok(Access::Sandbox { see: self.see.clone() })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{LimitArgs, Limits};

    #[test]
    fn only_named_limits_change() {
        let granted = LimitArgs { time_shot: "2s".parse().ok(), memory: Some(7), ..LimitArgs::default() };
        let limits = granted.applied_to(&Limits::default());
        assert_eq!(limits.times().shot.as_millis(), 2000);
        assert_eq!((limits.resources().memory, limits.times().game), (7 << 20, Limits::default().times().game));
        assert_eq!(LimitArgs::default().applied_to(&limits), limits);
    }

    #[test]
    fn limits_become_options() {
        assert_eq!(Limits::default().options(), "");
        let granted = LimitArgs {
            time_shot: "0.1s".parse().ok(),
            time_game: "2m".parse().ok(),
            margin: "1.5ms".parse().ok(),
            memory: Some(7),
            no_sandbox: true,
            ..LimitArgs::default()
        };
        let options = granted.applied_to(&Limits::default()).options();
        assert_eq!(options, "--time-shot 100ms --time-game 120s --margin 0.0015s --memory 7 --no-sandbox ");
    }
}
