//! Files of the player: settings, layouts, the unfinished game, and finished games.

use std::env;
use std::fs;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process;

use seabattle_core::{Cell, Fleet, FleetBuilder, Game, Record, RecordError, Rules, Touching};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::game_setup::GameSetup;
use super::session_lock::SessionLock;
use super::style::Theme;
use crate::{First, RecordFile};

const PROGRAM: &str = "seabattle";

/// How much is read from the end of a file.
const MAX_BYTES: u64 = 4 << 20;

/// The first characters of every record.
const RECORD: &str = "[Seabattle ";

/// The most layouts that are saved, and the most games that are listed.
const MAX_LAYOUTS: usize = 200;
const MAX_LISTED: usize = 200;

/// The folders of the XDG base directory specification. Nothing is saved in a missing one.
#[derive(Debug, Clone, Default)]
pub struct DataFolders {
    config: Option<PathBuf>,
    data: Option<PathBuf>,
    state: Option<PathBuf>,
}

impl DataFolders {
    /// Finds the folders by `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_STATE_HOME` and the home folder.
    pub fn from_environment() -> Self {
        let folder = |name: &str, below_home: &str| {
            let set = env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
            set.or_else(|| env::home_dir().map(|home| home.join(below_home))).map(|path| path.join(PROGRAM))
        };
        Self {
            config: folder("XDG_CONFIG_HOME", ".config"),
            data: folder("XDG_DATA_HOME", ".local/share"),
            state: folder("XDG_STATE_HOME", ".local/state"),
        }
    }

    /// Puts all folders under one path.
    pub fn under(path: &Path) -> Self {
        let folder = |name| Some(path.join(name).join(PROGRAM));
        Self { config: folder("config"), data: folder("data"), state: folder("state") }
    }
}

/// What the player has chosen.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
pub(super) struct Settings {
    pub(super) theme: Option<Theme>,
    pub(super) rules: Option<String>,
    pub(super) bot: Option<String>,
    /// Whether impossible cells are marked, as an older version saved it.
    #[serde(skip_serializing)]
    marks: bool,
    /// Whether impossible cells are marked. `None` marks them where ships may not touch.
    pub(super) impossible_cells: Option<bool>,
    /// Whether results and answers appear at once, without animation.
    pub(super) instant: bool,
}

impl Settings {
    /// Whether to mark impossible cells under these rules.
    pub(super) fn marks_impossible(&self, rules: &Rules) -> bool {
        self.impossible_cells.unwrap_or(self.marks || rules.touching() == Touching::Forbidden)
    }
}

/// A saved layout.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub(super) struct Layout {
    pub(super) name: String,
    pub(super) rules: String,
    pub(super) fleet: String,
}

#[derive(Default, Serialize, Deserialize)]
struct Layouts {
    #[serde(default)]
    layout: Vec<Layout>,
}

/// An unfinished game: its setup, and the ships placed or the record so far.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub(super) struct SavedGame {
    pub(super) rules: String,
    pub(super) bot: String,
    pub(super) seed: u64,
    pub(super) first: String,
    #[serde(default)]
    pub(super) ships: String,
    #[serde(default)]
    pub(super) record: String,
    /// Cells chosen for a salvo that was not fired yet.
    #[serde(default)]
    pub(super) aimed: String,
    /// Whether the bot had learned from earlier games.
    #[serde(default)]
    pub(super) met: bool,
}

impl SavedGame {
    /// Saves a setup without ships or shots.
    pub(super) fn of(setup: &GameSetup) -> Self {
        let first = match setup.first {
            First::Me => "me",
            First::Bot => "bot",
            First::Random => "random",
        };
        Self {
            rules: setup.rules.to_string(),
            bot: setup.bot.name.to_owned(),
            seed: setup.seed,
            first: first.to_owned(),
            ships: String::new(),
            record: String::new(),
            aimed: String::new(),
            met: setup.has_met_player,
        }
    }

    /// Returns the setup, unless it is corrupt or its bot no longer exists.
    pub(super) fn setup(&self) -> Option<GameSetup> {
        let first = match self.first.as_str() {
            "me" => First::Me,
            "bot" => First::Bot,
            _ => First::Random,
        };
        let (rules, bot) = (self.rules.parse().ok()?, seabattle_bots::find(&self.bot).ok()?);
        Some(GameSetup { rules, bot, seed: self.seed, first, has_met_player: self.met })
    }

    pub(super) fn aimed(&self) -> Vec<Cell> {
        self.aimed.split_whitespace().filter_map(|cell| cell.parse().ok()).collect()
    }

    /// Returns the game, if the battle had started.
    pub(super) fn game(&self) -> Option<Game> {
        let game = self.record.parse::<Record>().ok()?.replay()?;
        game.side_to_move().is_some().then_some(game)
    }
}

/// Reads and writes the player's files. It reports the first error and tolerates all.
pub(super) struct Storage {
    folders: DataFolders,
    session_lock: Option<SessionLock>,
    error_message: Option<String>,
    is_reported: bool,
    /// Whether the unfinished game could be written last time.
    saves_games: bool,
}

impl Storage {
    pub(super) fn new(folders: DataFolders) -> Self {
        let session_lock = folders.state.as_deref().map(SessionLock::take);
        let saves_games = session_lock.is_some();
        Self { folders, session_lock, error_message: None, is_reported: false, saves_games }
    }

    /// Returns an error message, the first time only.
    pub(super) fn take_error(&mut self) -> Option<String> {
        let error_message = self.error_message.take().filter(|_| !self.is_reported);
        self.is_reported |= error_message.is_some();
        error_message
    }

    pub(super) fn settings(&self) -> Settings {
        self.folders.config.as_deref().and_then(|folder| read_toml(&folder.join("settings.toml"))).unwrap_or_default()
    }

    pub(super) fn save_settings(&mut self, settings: &Settings) {
        let path = self.folders.config.as_ref().map(|folder| folder.join("settings.toml"));
        self.write_toml(path.as_deref(), settings);
    }

    /// Lists the layouts for these rules.
    pub(super) fn layouts(&self, rules: &Rules) -> Vec<Layout> {
        let name = rules.to_string();
        self.all_layouts().into_iter().filter(|layout| layout.rules == name).collect()
    }

    /// Adds a layout. It replaces one with the same name.
    pub(super) fn save_layout(&mut self, name: &str, fleet: &Fleet) {
        let rules = fleet.rules().to_string();
        let mut layouts = self.all_layouts();
        layouts.retain(|layout| layout.name != name || layout.rules != rules);
        layouts.insert(0, Layout { name: name.to_owned(), rules, fleet: fleet.to_string() });
        layouts.truncate(MAX_LAYOUTS);
        self.write_toml(self.layouts_file().as_deref(), &Layouts { layout: layouts });
    }

    pub(super) fn delete_layout(&mut self, deleted: &Layout) {
        let mut layouts = self.all_layouts();
        layouts.retain(|layout| layout != deleted);
        self.write_toml(self.layouts_file().as_deref(), &Layouts { layout: layouts });
    }

    fn all_layouts(&self) -> Vec<Layout> {
        self.layouts_file().and_then(|path| read_toml::<Layouts>(&path)).unwrap_or_default().layout
    }

    fn layouts_file(&self) -> Option<PathBuf> {
        self.folders.data.as_ref().map(|folder| folder.join("layouts.toml"))
    }

    pub(super) fn saved_game(&self) -> Option<SavedGame> {
        read_toml(self.session_lock.as_ref()?.path())
    }

    pub(super) fn save_game(&mut self, saved: &SavedGame) {
        let path = self.session_lock.as_ref().map(|session_lock| session_lock.path().to_owned());
        self.saves_games = self.write_toml(path.as_deref(), saved);
    }

    /// Whether the unfinished game is on disk.
    pub(super) fn saves_games(&self) -> bool {
        self.saves_games
    }

    pub(super) fn delete_saved_game(&mut self) {
        if let Some(session_lock) = &self.session_lock {
            fs::remove_file(session_lock.path()).ok();
        }
    }

    /// Returns the path of the finished games.
    pub(super) fn records_file(&self) -> Option<PathBuf> {
        self.folders.data.as_ref().map(|folder| folder.join("games.txt"))
    }

    /// Lists the finished games, newest first.
    pub(super) fn records(&self) -> Vec<Record> {
        let text = self.records_file().and_then(|path| read_text(&path).ok()).unwrap_or_default();
        ParsedRecords::parse(&text).records
    }

    pub(super) fn save_record(&mut self, record: &Record) {
        let Some(path) = self.records_file() else { return };
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let saved = folder.map_err(|error| error.to_string()).and_then(|()| {
            let mut file = RecordFile::open(path.clone()).map_err(|error| error.to_string())?;
            file.append(record).map_err(|error| error.to_string())
        });
        if let Err(error) = saved {
            self.error_message = Some(format!("Cannot save games to {}: {error}", path.display()));
        }
    }

    /// Writes a file and returns whether that worked.
    fn write_toml(&mut self, path: Option<&Path>, content: &impl Serialize) -> bool {
        let Some((path, folder)) = path.and_then(|path| Some((path, path.parent()?))) else { return false };
        let written = toml::to_string(content)
            .map_err(io::Error::other)
            .and_then(|text| fs::create_dir_all(folder).and_then(|()| replace(path, &text)));
        if let Err(error) = &written {
            self.error_message = Some(format!("Cannot save to {}: {error}", folder.display()));
        }
        written.is_ok()
    }
}

/// Writes placed ships as text that [`FleetBuilder`] reads back.
pub(super) fn ships_text(ships: &FleetBuilder) -> String {
    let rules = ships.rules();
    let text = |ship: &seabattle_core::Ship| {
        format!("{} {} {}", rules.class(ship.class()).name(), ship.start(), ship.orientation())
    };
    ships.ships().iter().map(text).collect::<Vec<_>>().join(", ")
}

/// Replaces a file atomically.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension(format!("{}.new", process::id()));
    fs::write(&new, text).and_then(|()| fs::rename(&new, path)).inspect_err(|_| {
        fs::remove_file(&new).ok();
    })
}

fn read_toml<T: DeserializeOwned>(path: &Path) -> Option<T> {
    toml::from_str(&read_text(path).ok()?).ok()
}

/// Reads the end of a file. It refuses devices and pipes, which could block.
pub(super) fn read_text(path: &Path) -> io::Result<String> {
    let kind = fs::metadata(path)?;
    if !kind.is_file() {
        return Err(io::Error::other("not a file"));
    }
    let mut file = fs::File::open(path)?;
    file.seek(SeekFrom::Start(kind.len().saturating_sub(MAX_BYTES)))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The newest records of a text, newest first.
#[derive(Debug, Default)]
pub(super) struct ParsedRecords {
    pub(super) records: Vec<Record>,
    /// The error of the newest record that cannot be read.
    pub(super) error: Option<RecordError>,
}

impl ParsedRecords {
    pub(super) fn parse(text: &str) -> Self {
        let mut parsed = Self::default();
        let mut end = text.len();
        while let Some(start) = last_start(&text[..end]).filter(|_| parsed.records.len() < MAX_LISTED) {
            match text[start..end].parse() {
                Ok(record) => parsed.records.push(record),
                Err(RecordError { line, why }) if parsed.error.is_none() => {
                    let before = text[..start].matches('\n').count();
                    parsed.error = Some(RecordError { line: line + before, why });
                }
                Err(_) => {}
            }
            end = start;
        }
        parsed
    }
}

/// Finds the start of the last record in a text.
fn last_start(text: &str) -> Option<usize> {
    let first = text.starts_with(RECORD).then_some(0);
    text.rfind(&format!("\n{RECORD}")).map(|at| at + 1).or(first)
}
