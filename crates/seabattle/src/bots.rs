//! `seabattle bots`: prints the catalog with the strength and code size of each bot.

use std::io::Write;

use seabattle_bots::{BotInfo, Group, bots_of, catalog};
use serde_json::{Value, json};

use crate::cli::{BotsArgs, BotsFormat};
use crate::table::{Align, align_columns};

/// Measurements with one line for each bot. `scripts/measure-bots` writes them.
const MEASUREMENTS: &str = include_str!("bots/measured.csv");

/// The rules under which the bots were measured.
const RULES: &str = "classic";

const LEGEND: &str = "\
shots  mean number to sink a random classic fleet, with its standard error
lines  of code, with shared files, without comments and tests
";

/// The measured strength and code size of a bot.
struct Measurement {
    games: u64,
    seed: u64,
    mean: f64,
    stderr: f64,
    own_lines: u64,
    shared_lines: u64,
}

impl Measurement {
    fn of(entry: &BotInfo) -> Option<Self> {
        let line = MEASUREMENTS.lines().find(|line| line.split(',').next() == Some(entry.name))?;
        let fields: Vec<&str> = line.split(',').skip(1).collect();
        let [games, seed, mean, stderr, own_lines, shared_lines] = fields[..] else { return None };
        Some(Self {
            games: games.parse().ok()?,
            seed: seed.parse().ok()?,
            mean: mean.parse().ok()?,
            stderr: stderr.parse().ok()?,
            own_lines: own_lines.parse().ok()?,
            shared_lines: shared_lines.parse().ok()?,
        })
    }
}

pub(crate) fn list(args: &BotsArgs) -> anyhow::Result<()> {
    let text = match args.format {
        BotsFormat::Text => text(),
        BotsFormat::Json => {
            let bots: Vec<Value> = catalog().iter().map(json).collect();
            serde_json::to_string_pretty(&bots)? + "\n"
        }
    };
    Ok(anstream::stdout().write_all(text.as_bytes())?)
}

fn text() -> String {
    let groups = [
        (Group::Level, "Opponents for people, weakest first"),
        (Group::Document, "From the five source documents"),
        (Group::Baseline, "Baselines to compare with"),
    ];
    let rows = std::iter::once(["bot", "shots", "lines", "source"].map(str::to_owned).to_vec());
    let rows: Vec<Vec<String>> =
        rows.chain(groups.iter().flat_map(|&(group, _)| bots_of(group)).map(table_row)).collect();
    let table = align_columns(&[Align::Left, Align::Right, Align::Right, Align::Left], &rows);
    let mut lines = table.lines();
    let mut text = format!("{}\n", lines.next().unwrap_or_default());
    for (group, heading) in groups {
        text += &format!("\n{heading}\n");
        for (entry, line) in bots_of(group).zip(&mut lines) {
            text += &format!("{line}\n    {}\n", entry.about);
        }
    }
    format!("{text}\n{LEGEND}")
}

fn table_row(entry: &'static BotInfo) -> Vec<String> {
    let measured = Measurement::of(entry);
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
    vec![
        entry.name.to_owned(),
        or_dash(measured.as_ref().map(|bot| format!("{:.2} ± {:.2}", bot.mean, bot.stderr))),
        or_dash(measured.map(|bot| (bot.own_lines + bot.shared_lines).to_string())),
        entry.source.to_owned(),
    ]
}

fn json(entry: &BotInfo) -> Value {
    let group = match entry.group {
        Group::Level => "level",
        Group::Document => "document",
        Group::Baseline => "baseline",
    };
    let measured = Measurement::of(entry);
    let shots = measured.as_ref().map(
        |bot| json!({ "rules": RULES, "seed": bot.seed, "games": bot.games, "mean": bot.mean, "stderr": bot.stderr }),
    );
    json!({
        "bot": entry.name,
        "title": entry.title,
        "group": group,
        "about": entry.about,
        "source": entry.source,
        "rules": entry.rules,
        "thinks": entry.is_slow,
        "shots": shots,
        "lines": measured.map(|bot| json!({ "own": bot.own_lines, "shared": bot.shared_lines })),
    })
}
