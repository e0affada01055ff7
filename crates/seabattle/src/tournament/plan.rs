//! The plan of a tournament, stored in its folder so that it can be resumed.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use seabattle_arena::{Contestant, Journal, Schedule, Tournament, TournamentTask};
use seabattle_core::Rules;
use serde::{Deserialize, Serialize};

use super::config::{Config, ConfiguredBot};
use crate::cli::TournamentArgs;
use crate::display_names::{self, ContestantName};
use crate::fault_reporter::FaultReporter;
use crate::limits::Limits;
use crate::players::{self, SessionLength};
use crate::remote::{PlayerJob, RemoteArgs, TaskJob};
use crate::{contest_bots, random_seed};

const FILE: &str = "tournament.json";

/// Pairs of games in a pairing, unless the user says otherwise.
const DEFAULT_PAIRS: u64 = 50;

/// Faults in a row that set a contestant aside.
pub(crate) const DEFAULT_GIVE_UP: u64 = 20;

/// Pairs in a series, unless the user says otherwise.
const DEFAULT_SERIES: NonZero<u64> = match NonZero::new(10) {
    Some(pairs) => pairs,
    None => NonZero::<u64>::MIN,
};

#[derive(Debug, Serialize, Deserialize, PartialEq)]
pub(super) struct Plan {
    #[serde(rename = "format")]
    pub(super) schedule: String,
    pub(super) rules: String,
    pub(super) seed: u64,
    pub(super) pairs: u64,
    series: NonZero<u64>,
    hide: bool,
    learn: bool,
    /// 0 for never, as in tournaments of before.
    #[serde(default)]
    give_up: u64,
    players: Vec<PlannedPlayer>,
    limits: Limits,
    /// The folder in which the tournament was started; commands may be relative to it.
    #[serde(rename = "begun_in")]
    start_folder: PathBuf,
}

#[derive(Debug, Serialize, Deserialize, PartialEq)]
struct PlannedPlayer {
    name: String,
    /// Whether the name is from a tournament file.
    #[serde(default, skip_serializing_if = "is_false")]
    named: bool,
    /// The player as it was typed.
    player: String,
    /// The limits of this player, if they differ from those of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    limits: Option<Limits>,
}

fn is_false(choice: &bool) -> bool {
    !choice
}

impl Plan {
    /// Makes a plan from the command line and a file. The command line wins.
    pub(super) fn new(args: &TournamentArgs, config: &Config) -> anyhow::Result<Self> {
        let typed = args.bots.iter().map(|text| ConfiguredBot { player: text.clone(), ..ConfiguredBot::default() });
        let bots: Vec<ConfiguredBot> = config.bots.iter().cloned().chain(typed).collect();
        if bots.len() < 2 {
            bail!("a tournament needs at least two contestants; `seabattle bots` lists bots");
        }
        let schedule = schedule(args, config)?;
        let is_contest = matches!(schedule, Schedule::Contest { .. });
        let rules = match args.rules.as_ref().or(config.rules.as_ref()) {
            Some(rules) if is_contest && *rules != Rules::russian() => {
                bail!("a contest has russian rules: leave --rules out")
            }
            Some(rules) => rules.clone(),
            None if is_contest => Rules::russian(),
            None => Rules::classic(),
        };
        let pairs = args.pairs.or(config.pairs).unwrap_or(DEFAULT_PAIRS);
        let series = args.series.or(config.series).unwrap_or(DEFAULT_SERIES);
        let session = SessionLength::for_schedule(schedule, series, pairs);
        let common_limits = args.limits.applied_to(&config.limits.applied_to(&Limits::default()));
        let mut names = BTreeSet::new();
        let mut players = Vec::new();
        for bot in bots {
            let limits = bot.limits.as_ref().map(|own| args.limits.applied_to(&own.applied_to(&common_limits)));
            let contestant = players::contestant(&bot.player, limits.as_ref().unwrap_or(&common_limits), session)?;
            contest_bots::check_rules(&bot.player, &rules)?;
            let named = bot.name.is_some();
            let name = unique_name(bot.name.unwrap_or(contestant.name), &mut names);
            players.push(PlannedPlayer { name, named, player: bot.player, limits });
        }
        Ok(Self {
            schedule: schedule.to_string(),
            rules: rules.to_string(),
            seed: args.seed.or(config.seed).map_or_else(random_seed::secret, Ok)?,
            pairs,
            series,
            // A contest never reveals fleets.
            hide: args.hide.or(config.hide).unwrap_or(false) || is_contest,
            learn: args.learn.or(config.learn).unwrap_or(false),
            give_up: args.give_up.or(config.give_up).unwrap_or(DEFAULT_GIVE_UP),
            players,
            limits: common_limits,
            start_folder: std::env::current_dir().context("the current folder does not exist")?,
        })
    }

    /// Writes the plan into an empty folder.
    pub(super) fn create(self, folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(FILE);
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        if path.exists() {
            bail!("{} already has a tournament: continue it with --resume, or choose another folder", folder.display());
        }
        // The file gets its name only when it is complete.
        let temporary = folder.join(format!("{FILE}.new"));
        let write = || {
            let mut file = fs::File::create(&temporary)?;
            file.write_all(serde_json::to_string_pretty(&self)?.as_bytes())?;
            file.sync_all()?;
            fs::rename(&temporary, &path)
        };
        write().with_context(|| format!("cannot write {}", path.display()))?;
        Ok(self)
    }

    pub(super) fn read(folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(FILE);
        let text =
            fs::read_to_string(&path).with_context(|| format!("there is no tournament in {}", folder.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} cannot be read", path.display()))
    }

    /// Changes to the folder in which the tournament was started.
    pub(super) fn enter_start_folder(&self) -> anyhow::Result<()> {
        let folder = &self.start_folder;
        std::env::set_current_dir(folder).with_context(|| {
            format!("the tournament was started in {}; it can only continue if that folder exists", folder.display())
        })
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }

    pub(super) fn name(&self, number: usize) -> &str {
        self.players.get(number).map_or("", |player| player.name.as_str())
    }

    /// Returns the names that tables show.
    pub(super) fn display_names(&self, journal: &Journal) -> Vec<String> {
        let name_of = |(number, player)| {
            let PlannedPlayer { name, named, .. }: &PlannedPlayer = player;
            ContestantName { name, is_chosen: *named, own_name: journal.called(number) }
        };
        let names: Vec<ContestantName<'_>> = self.players.iter().enumerate().map(name_of).collect();
        display_names::resolve(&names)
    }

    /// Returns a fault reporter for each contestant.
    pub(super) fn fault_reporters(&self) -> Vec<FaultReporter> {
        let reporter = |planned: &PlannedPlayer| {
            let limits = planned.limits.as_ref().unwrap_or(&self.limits);
            FaultReporter::new(&planned.name, players::check_command(&planned.player, limits))
        };
        self.players.iter().map(reporter).collect()
    }

    /// Returns the commands that this tournament starts, each with what it can access.
    pub(super) fn commands(&self) -> Vec<String> {
        let command = |planned: &PlannedPlayer| {
            let limits = planned.limits.as_ref().unwrap_or(&self.limits);
            let is_external = seabattle_bots::find(&planned.player).is_err();
            is_external.then(|| format!("{} ({})", planned.player, limits.access_text()))
        };
        self.players.iter().filter_map(command).collect()
    }

    pub(super) fn contestants(&self) -> anyhow::Result<Vec<Contestant>> {
        let session = SessionLength::for_schedule(self.schedule.parse()?, self.series, self.pairs);
        let contestant = |planned: &PlannedPlayer| {
            let limits = planned.limits.as_ref().unwrap_or(&self.limits);
            let contestant = players::contestant(&planned.player, limits, session)?;
            Ok(Contestant { name: planned.name.clone(), ..contestant })
        };
        self.players.iter().map(contestant).collect()
    }

    /// Returns a task as a job for a worker.
    pub(super) fn job(&self, task: &TournamentTask) -> TaskJob {
        let player = |number: usize| {
            let planned = &self.players[number];
            let limits = planned.limits.as_ref().unwrap_or(&self.limits).clone();
            PlayerJob { name: planned.name.clone(), player: planned.player.clone(), limits }
        };
        TaskJob {
            players: [player(task.pairing.a), player(task.pairing.b)],
            schedule: self.schedule.clone(),
            rules: self.rules.clone(),
            seed: self.seed,
            reveal: !self.hide,
            learn: self.learn,
            pairs: self.pairs,
            series: self.series,
            contestants: self.players.len(),
            round: task.pairing.round,
            numbers: [task.pairing.a, task.pairing.b],
            part: task.pairs.clone(),
        }
    }

    /// Returns how many series go into one job.
    pub(super) fn series_per_job(&self, args: &RemoteArgs) -> NonZero<u64> {
        let players: Vec<&str> = self.players.iter().map(|planned| planned.player.as_str()).collect();
        args.series_per_job(self.series.get().saturating_mul(2), &players)
    }

    pub(super) fn tournament(&self) -> anyhow::Result<Tournament> {
        Ok(Tournament {
            format: self.schedule.parse()?,
            rules: self.rules.parse()?,
            seed: self.seed,
            pairs: self.pairs,
            series: self.series,
            reveal: !self.hide,
            learn: self.learn,
            give_up: NonZero::new(self.give_up),
        })
    }
}

/// Returns the schedule, with the number of sets from its own flag.
fn schedule(args: &TournamentArgs, config: &Config) -> anyhow::Result<Schedule> {
    let schedule = args.schedule.or(config.schedule).unwrap_or(Schedule::RoundRobin);
    match (schedule, args.sets.and_then(NonZero::new)) {
        (schedule, None) => Ok(schedule),
        (Schedule::Contest { .. }, Some(sets)) => Ok(Schedule::Contest { sets }),
        (_, Some(_)) => bail!("--sets needs --schedule contest"),
    }
}

/// Returns the name, with a number appended if another contestant has it.
fn unique_name(name: String, names: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(name);
    names.insert(free.clone());
    free
}
