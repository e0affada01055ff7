//! The TOML file that describes a tournament.

use std::fmt::Display;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, anyhow, bail};
use seabattle_arena::Schedule;
use seabattle_core::Rules;
use toml::{Table, Value};

use crate::cli::parse_pairs;
use crate::limits::{LimitArgs, parse_memory, parse_processes, parse_readable_path};

const OPTIONS: [&str; 11] =
    ["schedule", "rules", "seed", "pairs", "series", "learn", "hide", "give-up", "out", "limits", "bot"];
const LIMITS: [&str; 10] = [
    "time-start",
    "time-place",
    "time-shot",
    "time-game",
    "margin",
    "time-cpu",
    "memory",
    "processes",
    "see",
    "no-sandbox",
];
const BOT: [&str; 3] = ["player", "name", "arguments"];

/// Keys of earlier releases, and the keys that replaced them.
const OLD_KEYS: [(&str, &str); 2] = [("format", "schedule"), ("open", "no-sandbox")];

const MAX_NAME_LETTERS: usize = 80;

/// The content of the file. The command line overrides it.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Config {
    pub(super) schedule: Option<Schedule>,
    pub(super) rules: Option<Rules>,
    pub(super) seed: Option<u64>,
    pub(super) pairs: Option<u64>,
    pub(super) series: Option<NonZero<u64>>,
    pub(super) learn: Option<bool>,
    pub(super) give_up: Option<u64>,
    pub(super) hide: Option<bool>,
    pub(super) out: Option<PathBuf>,
    pub(super) limits: LimitArgs,
    pub(super) bots: Vec<ConfiguredBot>,
}

/// One contestant of the file.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct ConfiguredBot {
    /// The player as on the command line.
    pub(super) player: String,
    pub(super) name: Option<String>,
    /// The limits of this contestant, if it has any of its own.
    pub(super) limits: Option<LimitArgs>,
}

impl Config {
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| path.display().to_string())
    }

    fn parse(text: &str) -> anyhow::Result<Self> {
        let table: Table =
            text.parse().map_err(|error: toml::de::Error| anyhow!("{}", error.to_string().trim_end()))?;
        if let Some(key) = LIMITS.iter().find(|key| table.contains_key(**key)) {
            bail!("the key {key:?} belongs under [limits] or [[bot]]");
        }
        let options = Section::new(&table, "", &OPTIONS, &[])?;
        let limits = match table.get("limits") {
            Some(Value::Table(limits)) => Section::new(limits, " under [limits]", &[], &LIMITS)?.limits()?,
            Some(_) => bail!("limits must be a table: write [limits]"),
            None => LimitArgs::default(),
        };
        Ok(Self {
            schedule: options.value("schedule")?,
            rules: options.value("rules")?,
            seed: options.value("seed")?,
            pairs: options.parse_value("pairs", parse_pairs)?,
            series: options.value("series")?,
            learn: options.value("learn")?,
            give_up: options.value("give-up")?,
            hide: options.value("hide")?,
            out: options.value("out")?,
            limits,
            bots: bots(table.get("bot"))?,
        })
    }
}

fn bots(value: Option<&Value>) -> anyhow::Result<Vec<ConfiguredBot>> {
    const EXPECTED: &str = "every bot must be a table: write [[bot]] above it";
    let Some(value) = value else { return Ok(Vec::new()) };
    let bots = value.as_array().context(EXPECTED)?;
    let bot = |(at, value): (usize, &Value)| {
        bot(value.as_table().context(EXPECTED)?).with_context(|| format!("[[bot]] number {}", at + 1))
    };
    bots.iter().enumerate().map(bot).collect()
}

fn bot(table: &Table) -> anyhow::Result<ConfiguredBot> {
    let section = Section::new(table, "", &BOT, &LIMITS)?;
    let player: String = section.value("player")?.context("the key \"player\" is missing")?;
    let player = player.trim();
    let arguments = arguments(table.get("arguments"))?;
    let limits = Some(section.limits()?).filter(|limits| *limits != LimitArgs::default());
    if seabattle_bots::find(player).is_ok() && !(arguments.is_empty() && limits.is_none()) {
        bail!("{player} is a bot of the catalog: only commands have arguments and limits");
    }
    let words = shlex::try_join(arguments.iter().map(String::as_str)).context("arguments")?;
    let name = section.parse_value("name", parse_name)?;
    Ok(ConfiguredBot { player: format!("{player} {words}").trim_end().to_owned(), name, limits })
}

fn arguments(value: Option<&Value>) -> anyhow::Result<Vec<String>> {
    let Some(value) = value else { return Ok(Vec::new()) };
    let texts = value.as_array().and_then(|texts| texts.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
    let texts = texts.context("arguments must be a list of texts, such as [\"--level\", \"3\"]")?;
    Ok(texts.into_iter().map(str::to_owned).collect())
}

/// Parses a name that fits into one line of a table.
fn parse_name(text: &str) -> Result<String, String> {
    let is_short = (1..=MAX_NAME_LETTERS).contains(&text.chars().count()) && !text.contains(char::is_control);
    let shown = is_short && !text.trim().is_empty();
    shown.then(|| text.to_owned()).ok_or_else(|| format!("a name is 1 to {MAX_NAME_LETTERS} letters on one line"))
}

/// A TOML table in which all keys are known.
struct Section<'a>(&'a Table);

impl<'a> Section<'a> {
    fn new(table: &'a Table, place: &str, keys: &[&str], more_keys: &[&str]) -> anyhow::Result<Self> {
        let known: Vec<&str> = keys.iter().chain(more_keys).copied().collect();
        for (old, new) in OLD_KEYS.into_iter().filter(|(old, new)| table.contains_key(*old) && known.contains(new)) {
            anstream::eprintln!("seabattle: the key {old:?}{place} was renamed: please use {new:?}");
        }
        let is_known = |key: &str| known.contains(&key) || replaced(key).is_some_and(|new| known.contains(&new));
        if let Some(key) = table.keys().find(|key| !is_known(key)) {
            let nearest = nearest(key, &known);
            let shown: String = key.chars().take(40).collect();
            bail!("there is no key {shown:?}{place}; did you mean {nearest:?}?");
        }
        Ok(Self(table))
    }

    /// Parses a value as the command line does.
    fn value<T>(&self, key: &str) -> anyhow::Result<Option<T>>
    where
        T: FromStr,
        T::Err: Display,
    {
        self.parse_value(key, str::parse)
    }

    fn parse_value<T, E: Display>(&self, key: &str, read: impl Fn(&str) -> Result<T, E>) -> anyhow::Result<Option<T>> {
        let old = OLD_KEYS.iter().find(|(_, new)| *new == key).and_then(|(old, _)| self.0.get(*old));
        let Some(value) = self.0.get(key).or(old) else { return Ok(None) };
        let text = match value {
            Value::String(text) => text.clone(),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Boolean(choice) => choice.to_string(),
            _ => bail!("the key {key:?} needs a single value, not a list or a table"),
        };
        read(&text).map(Some).map_err(|error| anyhow!("{key} = {text:?}: {error}"))
    }

    /// Parses one folder or a list of folders.
    fn folders(&self, key: &str) -> anyhow::Result<Vec<PathBuf>> {
        let texts = match self.0.get(key) {
            None => Vec::new(),
            Some(Value::String(text)) => vec![text.as_str()],
            Some(Value::Array(texts)) => texts.iter().filter_map(Value::as_str).collect(),
            Some(_) => bail!("the key {key:?} needs a folder or a list of folders"),
        };
        let folder = |text: &str| parse_readable_path(text).map_err(|error| anyhow!("{key} = {text:?}: {error}"));
        texts.into_iter().map(folder).collect()
    }

    fn limits(&self) -> anyhow::Result<LimitArgs> {
        Ok(LimitArgs {
            time_start: self.value("time-start")?,
            time_place: self.value("time-place")?,
            time_shot: self.value("time-shot")?,
            time_game: self.value("time-game")?,
            margin: self.value("margin")?,
            time_cpu: self.value("time-cpu")?,
            memory: self.parse_value("memory", parse_memory)?,
            processes: self.parse_value("processes", parse_processes)?,
            see: self.folders("see")?,
            no_sandbox: self.value("no-sandbox")?.unwrap_or(false),
        })
    }
}

/// Returns the key that replaced an old one.
fn replaced(key: &str) -> Option<&'static str> {
    OLD_KEYS.iter().find(|(old, _)| *old == key).map(|(_, new)| *new)
}

/// Returns the most similar key. People seldom mistype the first letter.
fn nearest<'a>(key: &str, known: &[&'a str]) -> &'a str {
    let similarity = |name: &&str| (name.get(..1) == key.get(..1), (1e6 * strsim::jaro_winkler(key, name)) as u64);
    known.iter().copied().max_by_key(similarity).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{Config, Schedule};

    #[test]
    fn all_keys_are_read() {
        let text = r#"
            schedule = "swiss:3"
            rules = "russian"
            seed = 7
            pairs = 20
            series = 5
            learn = true
            hide = false
            out = "cup"
            [limits]
            time-shot = "100ms"
            time-game = 2.5
            memory = 64
            [[bot]]
            player = "star"
            name = "Stella"
            [[bot]]
            player = "python3"
            arguments = ["my bot.py", "--level", "3"]
            time-shot = "2s"
        "#;
        let config = Config::parse(text).unwrap();
        assert_eq!(
            (config.schedule, config.seed, config.pairs),
            (Some(Schedule::Swiss { rounds: 3 }), Some(7), Some(20))
        );
        assert_eq!((config.learn, config.hide, config.series.map(u64::from)), (Some(true), Some(false), Some(5)));
        assert_eq!((config.rules.unwrap().to_string(), config.out), ("russian".to_owned(), Some("cup".into())));
        assert_eq!(config.limits.time_shot, "100ms".parse().ok());
        assert_eq!((config.limits.time_game, config.limits.memory), ("2500ms".parse().ok(), Some(64)));
        let [star, python] = &config.bots[..] else { unreachable!("two bots") };
        assert_eq!((star.player.as_str(), star.name.as_deref(), &star.limits), ("star", Some("Stella"), &None));
        assert_eq!((python.player.as_str(), python.name.as_deref()), ("python3 'my bot.py' --level 3", None));
        assert_eq!(python.limits.as_ref().unwrap().time_shot, "2s".parse().ok());
        assert_eq!(Config::parse("").unwrap(), Config::default());
    }

    #[test]
    fn keys_of_earlier_releases_are_still_read() {
        let old = "format = 'knockout'\n[limits]\nopen = true\n[[bot]]\nplayer = './x'\nopen = true";
        let new = old.replace("format", "schedule").replace("open", "no-sandbox");
        let config = Config::parse(old).unwrap();
        assert_eq!((config.schedule, config.limits.no_sandbox), (Some(Schedule::Knockout), true));
        assert_eq!(config, Config::parse(&new).unwrap());
    }

    #[test]
    fn mistakes_are_named() {
        let check = |text: &str, reason: &str| {
            let error = format!("{:#}", Config::parse(text).unwrap_err());
            assert!(error.contains(reason), "{text}: {error}");
        };
        check("pears = 3", "there is no key \"pears\"; did you mean \"pairs\"?");
        check("[limits]\ntime_shot = '1s'", "\"time_shot\" under [limits]; did you mean \"time-shot\"?");
        check(
            "[[bot]]\nplayer = 'star'\n[[bot]]\nargs = []",
            "[[bot]] number 2: there is no key \"args\"; did you mean \"arguments\"?",
        );
        check("time-shot = '1s'", "\"time-shot\" belongs under [limits] or [[bot]]");
        check("pairs = 0", "pairs = \"0\": a pairing has 1 to 10000000 pairs");
        check("seed = -1", "seed = \"-1\"");
        check("seed = [1]", "\"seed\" needs a single value");
        check("schedule = 'league'", "contest or contest:SETS, not \"league\"");
        check("[limits]\nmargin = '3 days'", "such as 100ms, 1.5s or 2m");
        check("limits = 3", "write [limits]");
        check("bot = 'star'", "write [[bot]] above it");
        check("[bot]\nplayer = 'star'", "write [[bot]] above it");
        check("[[bot]]\nname = 'x'", "\"player\" is missing");
        check("[[bot]]\nplayer = './x'\nname = \"a\\nb\"", "1 to 80 letters on one line");
        check("[[bot]]\nplayer = './x'\narguments = 'fast'", "arguments must be a list of texts");
        check("[[bot]]\nplayer = 'star'\ntime-shot = '1s'", "star is a bot of the catalog");
        check("[[bot]]\nplayer = ' star '\narguments = ['x']", "star is a bot of the catalog");
        check("seed = 1\nseed = 2", "duplicate key");
        check("pairs = ", "line 1");
    }
}
