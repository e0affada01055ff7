//! The web page of a contest with its points.

use std::fmt::Write;

use seabattle_arena::{ContestTable, StopReason};

use super::{HINT, escape, failures, heading, name, page};
use crate::table::faults;
use crate::tournament::plan::Plan;

const NOTES: &str = "A win gives three points, a draw one. If both fail in the same call, both lose. \
    With equal points, the difference of sets decides.";

pub(in crate::tournament) fn contest_page(plan: &Plan, table: &ContestTable, stop_reason: StopReason) -> String {
    let failed = table.standings.iter().map(|line| (line.name.as_str(), line.first_fault.as_deref()));
    let facts = [
        ("Rules", plan.rules.clone()),
        ("Schedule", plan.schedule.clone()),
        ("Seed", plan.seed.to_string()),
        ("Games", table.games.to_string()),
    ];
    let content = format!("<h2>Standings</h2>\n{}{HINT}<p>{NOTES}</p>\n{}", standings(table), failures(failed));
    page(plan, &heading(&facts, stop_reason), &content)
}

fn standings(table: &ContestTable) -> String {
    let mut out = String::from(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Standings\">\n<table>\n<thead><tr>\
         <th class=\"name\">Name</th><th>Points</th><th>Won</th><th>Drawn</th><th>Lost</th><th>Sets</th>\
         <th class=\"faults\">Faults</th></tr></thead>\n<tbody>\n",
    );
    for (rank, line) in table.standings.iter().enumerate() {
        let _ = writeln!(
            out,
            "<tr>{}<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}:{}</td><td class=\"faults\">{}</td></tr>",
            name(rank, &line.name),
            line.points(),
            line.wins,
            line.draws,
            line.losses,
            line.sets_won,
            line.sets_lost,
            escape(&faults(&line.faults))
        );
    }
    out + "</tbody>\n</table>\n</div>\n"
}
