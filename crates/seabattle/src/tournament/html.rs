//! The table of a tournament as a web page in one file.

mod contest;

use std::fmt::Write;

use seabattle_arena::{RatingTable, Standing, StopReason};
use seabattle_render::{ErrorBar, ErrorBarChart, svg};

use super::plan::Plan;
use super::report::{PairingScore, pairing_score};
use crate::table::faults;
pub(super) use contest::contest_page;

/// The most contestants in charts and cross tables.
const MAX_ROWS: usize = 64;

/// The deepest shade in percent, on which text is still readable.
const MAX_SHADE_PERCENT: f64 = 60.0;

const STYLE: &str = include_str!("html/style.css");

const NO_VALUE: &str = "–";

/// A hint for narrow screens.
const HINT: &str = "<p class=\"hint\">Scroll sideways to see the whole table.</p>\n";

const NOTES: &str = "Elo is relative to the mean of all, ± is the 95% error. LOS: likelihood of superiority over the next. \
    Shots: mean in games won. Score: a win counts one, a draw half.";

/// Renders the page of a tournament with ratings.
pub(super) fn rating_page(plan: &Plan, table: &RatingTable, stop_reason: StopReason) -> String {
    let shown = &table.standings[..table.standings.len().min(MAX_ROWS)];
    let failed = table.standings.iter().map(|line| (line.name.as_str(), line.first_fault.as_deref()));
    let facts = [
        ("Rules", plan.rules.clone()),
        ("Schedule", plan.schedule.clone()),
        ("Pairs per pairing", plan.pairs.to_string()),
        ("Seed", plan.seed.to_string()),
        ("Games", table.games.to_string()),
    ];
    let content = format!(
        "<h2>Standings</h2>\n{standings}{HINT}<p>{NOTES}</p>\n{failures}\
         <h2>Ratings</h2>\n{ratings}<h2>Cross table</h2>\n{cross}",
        standings = standings(table),
        failures = failures(failed),
        ratings = ratings(table, shown),
        cross = cross_table(table, shown),
    );
    page(plan, &heading(&facts, stop_reason), &content)
}

/// Renders a page around its content.
fn page(plan: &Plan, heading: &str, content: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Tournament under {rules}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         {heading}{content}</main>\n</body>\n</html>\n",
        rules = escape(&plan.rules),
    )
}

fn heading(facts: &[(&str, String)], stop_reason: StopReason) -> String {
    let fact = |(name, value): &(&str, String)| format!("<div><dt>{name}</dt><dd>{}</dd></div>\n", escape(value));
    let unfinished =
        if stop_reason == StopReason::Interrupted { "<p>The tournament is not finished.</p>\n" } else { "" };
    format!("<h1>Tournament</h1>\n<dl>\n{}</dl>\n{unfinished}", facts.iter().map(fact).collect::<String>())
}

/// Lists the first fault of each contestant that had one.
fn failures<'a>(failed: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> String {
    let item = |(name, fault): (&str, Option<&str>)| {
        Some(format!("<li><bdi>{}</bdi>: {}</li>\n", escape(name), escape(fault?)))
    };
    let items: String = failed.filter_map(item).collect();
    if items.is_empty() { items } else { format!("<h2>First faults</h2>\n<ul>\n{items}</ul>\n") }
}

fn standings(table: &RatingTable) -> String {
    let mut out = String::from(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Standings\">\n<table>\n<thead><tr>\
         <th class=\"name\">Name</th><th>Elo</th><th>Score</th><th>LOS</th><th>Points</th><th>Games</th>\
         <th>Shots</th><th class=\"faults\">Faults</th></tr></thead>\n<tbody>\n",
    );
    for (rank, line) in table.standings.iter().enumerate() {
        let _ = writeln!(
            out,
            "<tr>{}<td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"faults\">{}</td></tr>",
            name(rank, &line.name),
            elo(line),
            percent(line.points(), line.games()),
            line.los.map_or(String::new(), |los| format!("{:.0}%", 100.0 * los)),
            line.points(),
            line.games(),
            line.winning_shots.map_or(NO_VALUE.to_owned(), |shots| format!("{shots:.1}")),
            escape(&faults(&line.faults))
        );
    }
    out + "</tbody>\n</table>\n</div>\n"
}

fn elo(line: &Standing) -> String {
    let (Some(elo), Some(stderr)) = (line.rating, line.stderr) else { return NO_VALUE.to_owned() };
    format!("{elo:+.1} ± {:.1}", 1.96 * stderr).replace('-', "−")
}

fn name(rank: usize, name: &str) -> String {
    format!("<th class=\"name\" scope=\"row\"><small>{}</small> <bdi>{}</bdi></th>", rank + 1, escape(name))
}

fn percent(points: f64, games: u64) -> String {
    if games == 0 { NO_VALUE.to_owned() } else { format!("{:.1}%", 100.0 * points / games as f64) }
}

fn ratings(table: &RatingTable, shown: &[Standing]) -> String {
    if table.games == 0 {
        return "<p>No game is finished yet.</p>\n".to_owned();
    }
    let range = |line: &Standing| {
        let (value, stderr) = (line.rating? as f32, line.stderr? as f32);
        Some(ErrorBar { name: line.name.clone(), value, error: 1.96 * stderr })
    };
    let chart = ErrorBarChart {
        title: "Elo of every contestant with its error, as in the standings".to_owned(),
        x_label: "Elo relative to the mean of all, with 95% errors".to_owned(),
        bars: shown.iter().filter_map(range).collect(),
    };
    format!("<figure>\n{}</figure>\n{}", svg(&chart.draw()), truncation_note(table, shown))
}

fn truncation_note(table: &RatingTable, shown: &[Standing]) -> String {
    if shown.len() == table.standings.len() {
        return String::new();
    }
    format!("<p>The first {} of {}.</p>\n", shown.len(), table.standings.len())
}

/// Renders the points of every contestant against every other.
fn cross_table(table: &RatingTable, shown: &[Standing]) -> String {
    let mut out = String::from(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Cross table\">\n\
         <table class=\"cross\">\n<thead><tr><th class=\"name\">Points against</th>",
    );
    (1..=shown.len()).for_each(|rank| {
        let _ = write!(out, "<th scope=\"col\">{rank}</th>");
    });
    out.push_str("</tr></thead>\n<tbody>\n");
    for (rank, row) in shown.iter().enumerate() {
        let cells: String = shown.iter().map(|column| cell(table, row, column)).collect();
        let _ = writeln!(out, "<tr>{}{cells}</tr>", name(rank, &row.name));
    }
    out + "</tbody>\n</table>\n</div>\n"
        + HINT
        + "<p>A deeper shade is a clearer result; the sign says who won.</p>\n"
        + &truncation_note(table, shown)
}

fn cell(table: &RatingTable, row: &Standing, column: &Standing) -> String {
    if row.number == column.number {
        return "<td class=\"self\"></td>".to_owned();
    }
    let Some(PairingScore { points, games }) = pairing_score(table, row.number, column.number) else {
        return "<td class=\"unmet\">·</td>".to_owned();
    };
    let share = points / games.max(1) as f64;
    let (class, sign) = match share.total_cmp(&0.5) {
        std::cmp::Ordering::Greater => ("won", "+"),
        std::cmp::Ordering::Equal => ("even", "="),
        std::cmp::Ordering::Less => ("lost", "−"),
    };
    format!(
        "<td class=\"{class}\" style=\"--shade:{:.0}%\" title=\"{} against {}: {points} of {games}\">\
         {points} {sign}</td>",
        MAX_SHADE_PERCENT * (2.0 * share - 1.0).abs(),
        escape(&row.name),
        escape(&column.name)
    )
}

/// Escapes a text for HTML and drops control characters.
fn escape(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars().filter(|letter| !letter.is_control()) {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            _ => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::escape;

    #[test]
    fn html_is_escaped() {
        assert_eq!(escape("<script>alert('1')</script>"), "&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;");
        assert_eq!(escape("\"A\" & \u{7}боцман"), "&quot;A&quot; &amp; боцман");
    }
}
