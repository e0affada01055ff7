//! What a tournament is, as a file: enough to go on with it.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::Path;

use anyhow::{Context, bail};
use seabattle_arena::{Contestant, Format, Tournament};
use seabattle_core::Rules;
use serde::{Deserialize, Serialize};

use crate::cli::{LimitArgs, TournamentArgs};
use crate::players::{self, Row};

const FILE: &str = "tournament.json";

#[derive(Debug, Serialize, Deserialize, PartialEq)]
pub(super) struct Plan {
    pub(super) format: String,
    pub(super) rules: String,
    pub(super) seed: u64,
    pub(super) pairs: u64,
    series: NonZero<u64>,
    hide: bool,
    learn: bool,
    players: Vec<PlannedPlayer>,
    limits: LimitArgs,
}

#[derive(Debug, Serialize, Deserialize, PartialEq)]
struct PlannedPlayer {
    name: String,
    /// As it was typed.
    player: String,
}

impl Plan {
    pub(super) fn new(args: &TournamentArgs) -> anyhow::Result<Self> {
        if args.bots.len() < 2 {
            bail!("a tournament needs at least two contestants; `seabattle bots` lists those of the catalog");
        }
        let format = format(args)?;
        let is_contest = matches!(format, Format::Contest { .. });
        let rules = match &args.rules {
            Some(rules) if is_contest && *rules != Rules::russian() => bail!("a contest is played under russian rules"),
            Some(rules) => rules.clone(),
            None if is_contest => Rules::russian(),
            None => Rules::classic(),
        };
        let row = row(format, args.series, args.pairs);
        let mut names = BTreeSet::new();
        let mut players = Vec::new();
        for text in &args.bots {
            let contestant = players::contestant(text, &args.limits, row)?;
            let name = unused(contestant.name, &mut names);
            players.push(PlannedPlayer { name, player: text.clone() });
        }
        Ok(Self {
            format: format.to_string(),
            rules: rules.to_string(),
            seed: args.seed,
            pairs: args.pairs,
            series: args.series,
            // Nobody tells fleets in a contest.
            hide: args.hide || is_contest,
            learn: args.learn,
            players,
            limits: args.limits.clone(),
        })
    }

    /// Writes it into an empty folder.
    pub(super) fn begin(self, folder: &Path) -> anyhow::Result<Self> {
        let path = folder.join(FILE);
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        if path.exists() {
            bail!("{} holds a tournament already: go on with --resume, or name another folder", folder.display());
        }
        // Under its name only when it is whole.
        let draft = folder.join(format!("{FILE}.new"));
        let write = || {
            let mut file = fs::File::create(&draft)?;
            file.write_all(serde_json::to_string_pretty(&self)?.as_bytes())?;
            file.sync_all()?;
            fs::rename(&draft, &path)
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

    pub(super) fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }

    pub(super) fn contestants(&self) -> anyhow::Result<Vec<Contestant>> {
        let row = row(self.format.parse()?, self.series, self.pairs);
        let contestant = |planned: &PlannedPlayer| {
            let contestant = players::contestant(&planned.player, &self.limits, row)?;
            Ok(Contestant { name: planned.name.clone(), ..contestant })
        };
        self.players.iter().map(contestant).collect()
    }

    pub(super) fn tournament(&self) -> anyhow::Result<Tournament> {
        Ok(Tournament {
            format: self.format.parse()?,
            rules: self.rules.parse()?,
            seed: self.seed,
            pairs: self.pairs,
            series: self.series,
            reveal: !self.hide,
            learn: self.learn,
        })
    }
}

/// The format, with its number of sets where that was given apart.
fn format(args: &TournamentArgs) -> anyhow::Result<Format> {
    match (args.format, args.sets.and_then(NonZero::new)) {
        (format, None) => Ok(format),
        (Format::Contest { .. }, Some(sets)) => Ok(Format::Contest { sets }),
        (_, Some(_)) => bail!("--sets goes with --format contest alone"),
    }
}

fn row(format: Format, series: NonZero<u64>, pairs: u64) -> Row {
    match format {
        Format::Contest { sets } => Row::Sets(sets),
        _ => Row::of_series(series, pairs),
    }
}

/// The name, with a number behind it if another contestant has it.
fn unused(name: String, names: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(name);
    names.insert(free.clone());
    free
}
