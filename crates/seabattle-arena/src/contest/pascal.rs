//! Units written for the contest in Free Pascal: compiled together with a driver that speaks the line protocol.

mod interface;

use std::fs::{self, File};
use std::io::{self, Read};
use std::num::NonZero;
use std::path::Path;
use std::time::{Duration, Instant};

use thiserror::Error;

use self::interface::{CellType, UnitInterface};
use crate::process::{Access, BotCommand, BuildFolder, Line, Process, RecvError, ResourceLimits, find_program};

/// Calls the functions of a unit; words between at signs are replaced.
const DRIVER: &str = include_str!("pascal/seabattle_driver.pas");
/// Reads and writes the lines of the protocol.
const PROTOCOL: &str = include_str!("pascal/seabattle_protocol.pas");

const DRIVER_FILE: &str = "seabattle_driver.pas";
const PROTOCOL_FILE: &str = "seabattle_protocol.pas";
const EXECUTABLE: &str = "seabattle_driver";
/// A link to the folder of the unit, where other units and included files may be.
const BESIDE: &str = "beside";

/// The dialects that a unit is tried in, unless it names its own.
const DIALECTS: [&str; 2] = ["objfpc", "fpc"];

/// The longest source that is compiled, in bytes.
const MOST_SOURCE: u64 = 4 << 20;
/// The most lines of the compiler that an error shows.
const MOST_LINES: usize = 20;

/// Why a unit cannot play.
#[derive(Debug, Error)]
pub enum CompileError {
    /// The compiler is not installed.
    #[error("{file} needs the Free Pascal compiler: install the package fp-compiler, which has `fpc`")]
    NoCompiler {
        /// The file of the unit.
        file: String,
    },
    /// The source does not begin like a unit.
    #[error("{file} is not a Free Pascal unit: it must begin with `unit NAME;`")]
    NotAUnit {
        /// The file of the unit.
        file: String,
    },
    /// The source is longer than any unit that a person writes.
    #[error("{file} has more than {} MiB", MOST_SOURCE >> 20)]
    TooLong {
        /// The file of the unit.
        file: String,
    },
    /// The interface lacks a function that every bot must have.
    #[error("{file} has no function {function} in its interface")]
    MissingFunction {
        /// The file of the unit.
        file: String,
        /// The name of the function.
        function: String,
    },
    /// The compiler refuses the unit.
    #[error("{file} does not compile:\n{}", lines.join("\n"))]
    Refused {
        /// The file of the unit.
        file: String,
        /// What the compiler says.
        lines: Vec<String>,
    },
    /// The unit compiles, but the driver cannot call its functions.
    #[error("the functions of {file} take or return other types than the contest's (docs/protocol.md):\n{}", lines.join("\n"))]
    OtherTypes {
        /// The file of the unit.
        file: String,
        /// What the compiler says.
        lines: Vec<String>,
    },
    /// The compiler takes too long.
    #[error("{file} is not compiled within {} ms (--time-start)", limit.as_millis())]
    Timeout {
        /// The file of the unit.
        file: String,
        /// The time that it has.
        limit: Duration,
    },
    /// The system refuses something.
    #[error("{file} cannot be compiled: {source}")]
    Io {
        /// The file of the unit.
        file: String,
        /// The reason.
        source: io::Error,
    },
}

/// The limits of a compiler: the same as those of the bots that it makes.
#[derive(Debug, Clone)]
pub struct CompileLimits {
    /// The time for a unit.
    pub time: Duration,
    /// The limits of all processes of the compiler together.
    pub resources: ResourceLimits,
    /// What the compiler can reach of the machine.
    pub access: Access,
}

/// Compiles a unit to a program that plays one game of the contest with this number of sets.
pub fn compile(path: &str, sets: NonZero<u64>, limits: CompileLimits) -> Result<BotCommand, CompileError> {
    let file = Path::new(path).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let compiler = find_program("fpc").ok_or_else(|| CompileError::NoCompiler { file: file.clone() })?;
    let failed = |source| CompileError::Io { file: file.clone(), source };
    let source = read(path).map_err(failed)?;
    if source.len() as u64 > MOST_SOURCE {
        return Err(CompileError::TooLong { file });
    }
    let interface = UnitInterface::parse(&String::from_utf8_lossy(&source));
    let interface = interface.ok_or_else(|| CompileError::NotAUnit { file: file.clone() })?;
    let build =
        Build { file: file.clone(), path, compiler: &compiler.to_string_lossy(), interface, limits: limits.clone() };
    let folder = build.prepare(&source).map_err(failed)?;
    build.run(folder.path())?;
    // The unit has the standard input and output for itself: what it prints goes to its log.
    const SEPARATE: &str = r#"exec "$1" "$2" 3<&0 4>&1 </dev/null >&2"#;
    let program = folder.path().join(EXECUTABLE).to_string_lossy().into_owned();
    let sets = sets.to_string();
    let words = ["sh", "-c", SEPARATE, "sh", &program, &sets].map(str::to_owned).to_vec();
    let CompileLimits { resources, access, .. } = limits;
    Ok(BotCommand { build: Some(folder), ..BotCommand::new(words, resources, access) })
}

fn read(path: &str) -> io::Result<Vec<u8>> {
    let mut source = Vec::new();
    File::open(path)?.take(MOST_SOURCE + 1).read_to_end(&mut source)?;
    Ok(source)
}

/// A unit on its way to a program.
struct Build<'a> {
    file: String,
    path: &'a str,
    compiler: &'a str,
    interface: UnitInterface,
    limits: CompileLimits,
}

impl Build<'_> {
    /// A folder with all sources. The unit gets the file name that the compiler expects for its name.
    fn prepare(&self, source: &[u8]) -> io::Result<BuildFolder> {
        let folder = BuildFolder::create()?;
        let path = |name: &str| folder.path().join(name);
        fs::write(path(&self.unit_file()), source)?;
        fs::write(path(PROTOCOL_FILE), PROTOCOL)?;
        fs::write(path(DRIVER_FILE), self.driver())?;
        let home = Path::new(self.path).canonicalize()?;
        std::os::unix::fs::symlink(home.parent().unwrap_or(&home), path(BESIDE))?;
        Ok(folder)
    }

    fn unit_file(&self) -> String {
        format!("{}.pas", self.interface.name)
    }

    fn driver(&self) -> String {
        let (cell, resize) = match &self.interface.cell {
            CellType::Dynamic(cell) => (cell, "SetLength(Cell, 2);"),
            CellType::Static(cell) => (cell, ""),
        };
        let used: String = self.interface.used.iter().map(|unit| format!("{unit}, ")).collect();
        let UnitInterface { name, map, shot, .. } = &self.interface;
        let replaced = [
            ("@USES@", used.as_str()),
            ("@UNIT@", name),
            ("@MAP@", map),
            ("@SHOT@", shot),
            ("@CELL@", cell),
            ("@RESIZE@", resize),
        ];
        replaced.iter().fold(DRIVER.to_owned(), |driver, (mark, text)| driver.replace(mark, text))
    }

    /// Tries one dialect after the other; the first one's errors are those that are shown.
    fn run(&self, folder: &Path) -> Result<(), CompileError> {
        let mut first = None;
        for dialect in DIALECTS {
            match self.run_in(dialect, folder) {
                Err(CompileError::Refused { file, lines }) => {
                    first = first.or(Some(CompileError::Refused { file, lines }));
                }
                other => return other,
            }
        }
        first.map_or(Ok(()), Err)
    }

    fn run_in(&self, dialect: &str, folder: &Path) -> Result<(), CompileError> {
        let file = || self.file.clone();
        let command = self.command(dialect, folder);
        let process = Process::start_writing(&command, Some(folder));
        let mut process = process.map_err(|source| CompileError::Io { file: file(), source })?;
        let deadline = Instant::now() + self.limits.time;
        let mut lines = Vec::new();
        loop {
            match process.recv(deadline) {
                Ok(Line::Text(line)) if lines.len() < MOST_LINES && !is_noise(&line) => lines.push(line),
                Ok(_) => {}
                Err(RecvError::Exited(_) | RecvError::Exceeded(_)) => break,
                Err(RecvError::Timeout) => return Err(CompileError::Timeout { file: file(), limit: self.limits.time }),
            }
        }
        if folder.join(EXECUTABLE).is_file() {
            return Ok(());
        }
        let missing = lines.iter().find_map(|line| line.split("User defined: no function ").nth(1));
        if let Some(function) = missing {
            return Err(CompileError::MissingFunction { file: file(), function: function.to_owned() });
        }
        if lines.first().is_some_and(|line| line.starts_with(DRIVER_FILE)) {
            return Err(CompileError::OtherTypes { file: file(), lines });
        }
        let (compiled, named) = (format!("{}(", self.unit_file()), format!("{}(", self.file));
        let lines = lines.iter().map(|line| line.replace(&compiled, &named)).collect();
        Err(CompileError::Refused { file: file(), lines })
    }

    /// The unit's path is among the words so that the sandbox lets it be read.
    fn command(&self, dialect: &str, folder: &Path) -> BotCommand {
        const IN_FOLDER: &str = r#"cd "$1" && shift 2 && exec "$@" 2>&1"#;
        let folder = folder.to_string_lossy();
        let dialect = format!("-M{dialect}");
        let [units, included] = ["-Fu", "-Fi"].map(|option| format!("{option}{BESIDE}"));
        let shell = ["sh", "-c", IN_FOLDER, "sh", &folder, self.path, self.compiler];
        // Errors only, optimized, with the lines of the source for traces of crashes; everything is written here.
        let options = ["-l-", "-v0", "-ve", "-O2", "-gl", "-FU.", "-FE.", &units, &included, &dialect, DRIVER_FILE];
        let words = shell.iter().chain(&options).map(|&word| word.to_owned()).collect();
        let CompileLimits { resources, access, .. } = self.limits.clone();
        BotCommand::new(words, resources, access)
    }
}

/// What the compiler says about itself once it has named the errors.
fn is_noise(line: &str) -> bool {
    line.is_empty() || line == "Fatal: Compilation aborted" || line.ends_with("returned an error exitcode")
}
