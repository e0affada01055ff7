//! The table of a contest as text, JSON and CSV.

use std::collections::BTreeMap;
use std::fmt::Write;

use seabattle_arena::{ContestStanding, ContestTable};
use serde::Serialize;

use super::plan::Plan;
use crate::table::{faults, first_faults, shorten_name};

pub(super) fn text(plan: &Plan, table: &ContestTable) -> String {
    let mut out = format!("{} under {}, seed {}: {} games\n\n", plan.schedule, plan.rules, plan.seed, table.games);
    let width = table.standings.iter().map(|line| line.name.chars().count()).max().unwrap_or(0).clamp(4, 40);
    let _ = writeln!(
        out,
        "{:>3}  {:<width$} {:>6} {:>5} {:>5} {:>5}  {:>9}  faults",
        "", "name", "points", "won", "drawn", "lost", "sets"
    );
    for (rank, line) in table.standings.iter().enumerate() {
        let _ = writeln!(
            out,
            "{:>3}  {:<width$} {:>6} {:>5} {:>5} {:>5}  {:>9}  {}",
            rank + 1,
            shorten_name(&line.name),
            line.points(),
            line.wins,
            line.draws,
            line.losses,
            format!("{}:{}", line.sets_won, line.sets_lost),
            faults(&line.faults)
        );
    }
    out.push_str("\nA win gives 3 points, a draw 1. If both fail in the same call, both lose.\n");
    out + &first_faults(table.standings.iter().map(|line| (line.name.as_str(), line.first_fault.as_deref())))
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(rename = "format")]
    schedule: &'a str,
    rules: &'a str,
    seed: u64,
    games: u64,
    standings: Vec<JsonStanding<'a>>,
}

#[derive(Serialize)]
struct JsonStanding<'a> {
    name: &'a str,
    shown_as: &'a str,
    points: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    sets_won: u64,
    sets_lost: u64,
    faults: BTreeMap<&'static str, u64>,
    first_fault: Option<&'a str>,
}

pub(super) fn json(plan: &Plan, table: &ContestTable) -> serde_json::Result<String> {
    let standing = |line| {
        let ContestStanding { wins, draws, losses, sets_won, sets_lost, faults, .. }: &ContestStanding = line;
        JsonStanding {
            name: plan.name(line.number),
            shown_as: &line.name,
            points: line.points(),
            wins: *wins,
            draws: *draws,
            losses: *losses,
            sets_won: *sets_won,
            sets_lost: *sets_lost,
            faults: faults.iter().map(|(kind, count)| (kind.name(), *count)).collect(),
            first_fault: line.first_fault.as_deref(),
        }
    };
    let standings = table.standings.iter().map(standing).collect();
    let json = Json { schedule: &plan.schedule, rules: &plan.rules, seed: plan.seed, games: table.games, standings };
    Ok(serde_json::to_string(&json)? + "\n")
}

pub(super) fn csv(table: &ContestTable) -> String {
    let mut out = String::from("rank,name,points,wins,draws,losses,sets_won,sets_lost,faults\n");
    for (rank, line) in table.standings.iter().enumerate() {
        let _ = writeln!(
            out,
            "{},\"{}\",{},{},{},{},{},{},{}",
            rank + 1,
            line.name.replace('"', "\"\""),
            line.points(),
            line.wins,
            line.draws,
            line.losses,
            line.sets_won,
            line.sets_lost,
            line.faults.values().sum::<u64>()
        );
    }
    out
}
