//! What outlives a sitting: settings, layouts, the game at hand, and the games that are over.

use std::env;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use seabattle_core::{Arrangement, Fleet, Game, Record, Rules};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::look::Theme;
use crate::SaveFile;

const PROGRAM: &str = "seabattle";

/// A file longer than this was not written here.
const MOST_BYTES: u64 = 4 << 20;

/// Layouts that are kept, and games that are listed.
const MOST_LAYOUTS: usize = 200;
const MOST_LISTED: usize = 200;

/// The folders of the XDG base directory specification; a missing one means that nothing is kept there.
#[derive(Debug, Clone, Default)]
pub struct Folders {
    config: Option<PathBuf>,
    data: Option<PathBuf>,
    state: Option<PathBuf>,
}

impl Folders {
    /// As the environment says.
    pub fn of_environment() -> Self {
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

    /// All in one place.
    pub fn below(path: &Path) -> Self {
        let folder = |name| Some(path.join(name).join(PROGRAM));
        Self { config: folder("config"), data: folder("data"), state: folder("state") }
    }
}

/// What a player has chosen.
#[derive(Debug, Clone, Default, Serialize, Deserialize, PartialEq)]
#[serde(default)]
pub(super) struct Settings {
    pub(super) theme: Option<Theme>,
    pub(super) rules: Option<String>,
    pub(super) bot: Option<String>,
    /// Whether cells that can hold no ship are marked.
    pub(super) marks: bool,
}

/// A layout with a name.
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

/// A game that was left: its terms, and the fleet in the making or the record so far.
#[derive(Debug, Clone, Serialize, Deserialize, PartialEq)]
pub(super) struct Left {
    pub(super) rules: String,
    pub(super) bot: String,
    pub(super) seed: u64,
    pub(super) first: String,
    #[serde(default)]
    pub(super) ships: String,
    #[serde(default)]
    pub(super) record: String,
}

impl Left {
    /// The game, if the battle had begun.
    pub(super) fn game(&self) -> Option<Game> {
        let game = self.record.parse::<Record>().ok()?.replay()?;
        game.mover().is_some().then_some(game)
    }
}

/// Reads and writes it all; where that fails, it says so once and goes on without.
pub(super) struct Keep {
    folders: Folders,
    trouble: Option<String>,
    told: bool,
}

impl Keep {
    pub(super) fn new(folders: Folders) -> Self {
        Self { folders, trouble: None, told: false }
    }

    /// What has gone wrong, the first time only.
    pub(super) fn trouble(&mut self) -> Option<String> {
        let trouble = self.trouble.take().filter(|_| !self.told);
        self.told |= trouble.is_some();
        trouble
    }

    pub(super) fn settings(&self) -> Settings {
        read_toml(self.folders.config.as_deref(), "settings.toml").unwrap_or_default()
    }

    pub(super) fn keep_settings(&mut self, settings: &Settings) {
        self.write_toml(self.folders.config.clone(), "settings.toml", settings);
    }

    /// Those that were made for these rules.
    pub(super) fn layouts(&self, rules: &Rules) -> Vec<Layout> {
        let name = rules.to_string();
        self.all_layouts().into_iter().filter(|layout| layout.rules == name).collect()
    }

    /// Adds a layout, or puts it in the place of one with the same name.
    pub(super) fn keep_layout(&mut self, name: &str, fleet: &Fleet) {
        let rules = fleet.rules().to_string();
        let mut layouts = self.all_layouts();
        layouts.retain(|layout| layout.name != name || layout.rules != rules);
        layouts.insert(0, Layout { name: name.to_owned(), rules, fleet: fleet.to_string() });
        layouts.truncate(MOST_LAYOUTS);
        self.write_toml(self.folders.data.clone(), "layouts.toml", &Layouts { layout: layouts });
    }

    pub(super) fn drop_layout(&mut self, dropped: &Layout) {
        let mut layouts = self.all_layouts();
        layouts.retain(|layout| layout != dropped);
        self.write_toml(self.folders.data.clone(), "layouts.toml", &Layouts { layout: layouts });
    }

    fn all_layouts(&self) -> Vec<Layout> {
        read_toml::<Layouts>(self.folders.data.as_deref(), "layouts.toml").unwrap_or_default().layout
    }

    pub(super) fn left(&self) -> Option<Left> {
        read_toml(self.folders.state.as_deref(), "game.toml")
    }

    pub(super) fn keep_left(&mut self, left: &Left) {
        self.write_toml(self.folders.state.clone(), "game.toml", left);
    }

    pub(super) fn drop_left(&mut self) {
        if let Some(folder) = &self.folders.state {
            fs::remove_file(folder.join("game.toml")).ok();
        }
    }

    /// Where the games that are over are kept.
    pub(super) fn games_file(&self) -> Option<PathBuf> {
        self.folders.data.as_ref().map(|folder| folder.join("games.txt"))
    }

    /// The newest first.
    pub(super) fn games(&self) -> Vec<Record> {
        let text = self.games_file().and_then(|path| read_text(&path).ok()).unwrap_or_default();
        let mut games: Vec<Record> = Record::parse_all(&text).filter_map(Result::ok).collect();
        games.reverse();
        games.truncate(MOST_LISTED);
        games
    }

    pub(super) fn keep_game(&mut self, record: &Record) {
        let Some(path) = self.games_file() else { return };
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let kept = folder.map_err(|error| error.to_string()).and_then(|()| {
            let mut file = SaveFile::open(path.clone()).map_err(|error| error.to_string())?;
            file.append(record).map_err(|error| error.to_string())
        });
        if let Err(error) = kept {
            self.trouble = Some(format!("Games cannot be kept in {}: {error}", path.display()));
        }
    }

    fn write_toml(&mut self, folder: Option<PathBuf>, name: &str, content: &impl Serialize) {
        let Some(folder) = folder else { return };
        let written = toml::to_string(content)
            .map_err(io::Error::other)
            .and_then(|text| fs::create_dir_all(&folder).and_then(|()| replace(&folder.join(name), &text)));
        if let Err(error) = written {
            self.trouble = Some(format!("Nothing can be kept in {}: {error}", folder.display()));
        }
    }
}

/// Ships placed so far, as [`Arrangement`]s can be read back.
pub(super) fn ships_text(ships: &Arrangement) -> String {
    let rules = ships.rules();
    let text = |ship: &seabattle_core::Ship| {
        format!("{} {} {}", rules.class(ship.class()).name(), ship.start(), ship.heading())
    };
    ships.ships().iter().map(text).collect::<Vec<_>>().join(", ")
}

/// A whole new file or the old one, never a half.
fn replace(path: &Path, text: &str) -> io::Result<()> {
    let new = path.with_extension("new");
    fs::write(&new, text)?;
    fs::rename(&new, path)
}

fn read_toml<T: DeserializeOwned>(folder: Option<&Path>, name: &str) -> Option<T> {
    toml::from_str(&read_text(&folder?.join(name)).ok()?).ok()
}

/// The text of a file of bounded length.
pub(super) fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    fs::File::open(path)?.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}
