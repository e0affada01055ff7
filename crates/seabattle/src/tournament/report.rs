//! The table of a tournament as text, JSON and CSV.

use std::collections::BTreeMap;
use std::fmt::Write;

use seabattle_arena::{RatingTable, Standing};
use serde::Serialize;

use super::plan::Plan;
use crate::table::{faults, first_faults, shorten_name};

pub(super) fn text(plan: &Plan, table: &RatingTable) -> String {
    let mut out = format!(
        "{} under {}, {} pairs per pairing, seed {}: {} games\n\n",
        plan.schedule, plan.rules, plan.pairs, plan.seed, table.games
    );
    let width = table.standings.iter().map(|line| line.name.chars().count()).max().unwrap_or(0).clamp(4, 40);
    let _ = writeln!(
        out,
        "{:>3}  {:<width$} {:>8} {:>6} {:>6} {:>8} {:>6}  {:>6}  {:>5}  faults",
        "", "name", "Elo", "±", "los", "points", "games", "score", "shots"
    );
    for (rank, line) in table.standings.iter().enumerate() {
        let _ = writeln!(
            out,
            "{:>3}  {:<width$} {:>8} {:>6} {:>6} {:>8} {:>6}  {:>6}  {:>5}  {}",
            rank + 1,
            shorten_name(&line.name),
            number(line.rating, 1),
            number(line.stderr.map(|stderr| 1.96 * stderr), 1),
            line.los.map_or(String::new(), |los| format!("{:.0}%", 100.0 * los)),
            line.points(),
            line.games(),
            format!("{:.1}%", 100.0 * line.points() / (line.games().max(1) as f64)),
            number(line.winning_shots, 1),
            faults(&line.faults)
        );
    }
    out.push_str(&cross_table(table));
    out.push_str("\nElo is relative to the mean of all, ± is its 95% error.\nlos: likelihood of superiority over the next; shots: mean in games won.\n");
    out + &first_faults(table.standings.iter().map(|line| (line.name.as_str(), line.first_fault.as_deref())))
}

/// Renders the points of every contestant against every other, unless there are too many columns.
fn cross_table(table: &RatingTable) -> String {
    const MAX_COLUMNS: usize = 16;
    if table.standings.len() > MAX_COLUMNS {
        return String::new();
    }
    let mut out = String::from("\n     ");
    (1..=table.standings.len()).for_each(|rank| {
        let _ = write!(out, "{rank:>8}");
    });
    out.push('\n');
    for (rank, row) in table.standings.iter().enumerate() {
        let _ = write!(out, "{:>3}  ", rank + 1);
        for column in &table.standings {
            let _ = write!(out, "{:>8}", points(table, row.number, column.number));
        }
        out.push('\n');
    }
    out
}

fn points(table: &RatingTable, one: usize, other: usize) -> String {
    pairing_score(table, one, other).map_or("-".to_owned(), |score| score.points.to_string())
}

/// The score of one contestant against another.
pub(super) struct PairingScore {
    pub(super) points: f64,
    pub(super) games: u64,
}

/// Returns the score of one contestant against another; `None` if they have not met.
pub(super) fn pairing_score(table: &RatingTable, one: usize, other: usize) -> Option<PairingScore> {
    let pairing = table.cross_table.get(&(one.min(other), one.max(other)))?;
    let wins = if one < other { pairing.wins } else { pairing.losses };
    let games = pairing.wins + pairing.draws + pairing.losses;
    Some(PairingScore { points: wins as f64 + pairing.draws as f64 / 2.0, games })
}

fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.digits$}"))
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(rename = "format")]
    schedule: &'a str,
    rules: &'a str,
    seed: u64,
    pairs: u64,
    games: u64,
    standings: Vec<JsonStanding<'a>>,
    meetings: Vec<JsonPairing<'a>>,
}

#[derive(Serialize)]
struct JsonStanding<'a> {
    name: &'a str,
    shown_as: &'a str,
    elo: Option<f64>,
    elo_stderr: Option<f64>,
    los: Option<f64>,
    wins: u64,
    draws: u64,
    losses: u64,
    winning_shots: Option<f64>,
    faults: BTreeMap<&'static str, u64>,
    first_fault: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonPairing<'a> {
    a: &'a str,
    b: &'a str,
    wins: u64,
    draws: u64,
    losses: u64,
}

pub(super) fn json(plan: &Plan, table: &RatingTable) -> serde_json::Result<String> {
    let name = |number: usize| plan.name(number);
    let standing = |line| {
        let Standing { wins, draws, losses, rating, stderr, los, winning_shots, faults, .. }: &Standing = line;
        let faults = faults.iter().map(|(kind, count)| (kind.name(), *count)).collect();
        JsonStanding {
            name: name(line.number),
            shown_as: &line.name,
            elo: *rating,
            elo_stderr: *stderr,
            los: *los,
            wins: *wins,
            draws: *draws,
            losses: *losses,
            winning_shots: *winning_shots,
            faults,
            first_fault: line.first_fault.as_deref(),
        }
    };
    let meetings = table.cross_table.iter().map(|(&(a, b), pairing)| JsonPairing {
        a: name(a),
        b: name(b),
        wins: pairing.wins,
        draws: pairing.draws,
        losses: pairing.losses,
    });
    let json = Json {
        schedule: &plan.schedule,
        rules: &plan.rules,
        seed: plan.seed,
        pairs: plan.pairs,
        games: table.games,
        standings: table.standings.iter().map(standing).collect(),
        meetings: meetings.collect(),
    };
    Ok(serde_json::to_string(&json)? + "\n")
}

pub(super) fn csv(table: &RatingTable) -> String {
    let mut out = String::from("rank,name,elo,elo_stderr,wins,draws,losses,points,winning_shots,faults\n");
    let plain = |value: Option<f64>| value.map_or(String::new(), |value| value.to_string());
    for (rank, line) in table.standings.iter().enumerate() {
        let _ = writeln!(
            out,
            "{},\"{}\",{},{},{},{},{},{},{},{}",
            rank + 1,
            line.name.replace('"', "\"\""),
            plain(line.rating),
            plain(line.stderr),
            line.wins,
            line.draws,
            line.losses,
            line.points(),
            plain(line.winning_shots),
            line.faults.values().sum::<u64>()
        );
    }
    out
}
