//! What a tournament is, as a file: enough to go on with it.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::num::NonZero;
use std::path::Path;

use anyhow::{Context, bail};
use seabattle_arena::{Contestant, Tournament};
use serde::{Deserialize, Serialize};

use crate::cli::{LimitArgs, TournamentArgs};
use crate::players;

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
        let mut names = BTreeSet::new();
        let mut players = Vec::new();
        for text in &args.bots {
            let games = players::games_in_a_row(args.series, args.pairs);
            let contestant = players::contestant(text, &args.limits, games)?;
            let name = unused(contestant.name, &mut names);
            players.push(PlannedPlayer { name, player: text.clone() });
        }
        Ok(Self {
            format: args.format.to_string(),
            rules: args.rules.to_string(),
            seed: args.seed,
            pairs: args.pairs,
            series: args.series,
            hide: args.hide,
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
        let contestant = |planned: &PlannedPlayer| {
            let games = players::games_in_a_row(self.series, self.pairs);
            let contestant = players::contestant(&planned.player, &self.limits, games)?;
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

/// The name, with a number behind it if another contestant has it.
fn unused(name: String, names: &mut BTreeSet<String>) -> String {
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let free = std::iter::once(name.clone()).chain(numbered).find(|name| !names.contains(name)).unwrap_or(name);
    names.insert(free.clone());
    free
}
