//! `seabattle odds`: shows the odds of a position.

mod heat_map;

use std::io::Write;

use seabattle_core::{Cell, Knowledge, Outcome};
use seabattle_odds::Odds;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::cli::{OddsArgs, OddsFormat};
use crate::count::group_digits;

pub(crate) fn odds(args: &OddsArgs) -> anyhow::Result<()> {
    let knowledge = Knowledge::parse(&args.rules, &args.shots)?;
    let odds = Odds::of(&knowledge)?;
    let text = match args.format {
        OddsFormat::Text => text(&knowledge, &odds),
        OddsFormat::Json => serde_json::to_string_pretty(&JsonOdds::new(&knowledge, &odds))? + "\n",
        OddsFormat::Svg => seabattle_render::svg(&seabattle_render::heat_map(&knowledge, &odds, &layouts(&odds))),
    };
    Ok(anstream::stdout().write_all(text.as_bytes())?)
}

fn text(knowledge: &Knowledge, odds: &Odds) -> String {
    let sampled = if odds.is_exact() { "" } else { " (sampled)" };
    let layouts = layouts(odds);
    let mut text = format!(
        "{knowledge}\n{layouts}{sampled}. Probability of a ship, in percent:\n\n{}\n",
        heat_map::render(knowledge, odds)
    );
    for cell in best_cells(knowledge, odds).into_iter().take(5) {
        let answers = odds.answers(cell).into_iter().map(|(outcome, share)| answer(knowledge, outcome, share));
        let error = if odds.is_exact() { String::new() } else { format!(" \u{b1} {:.2}", 100.0 * odds.stderr(cell)) };
        let share = 100.0 * odds.probability(cell);
        text += &format!("{:<4}{share:6.2}%{error}   {}\n", cell.to_string(), answers.collect::<Vec<_>>().join(", "));
    }
    text
}

fn layouts(odds: &Odds) -> String {
    let about = if odds.is_exact() { "" } else { "about " };
    format!("{about}{} layouts fit", group_digits(odds.layouts()))
}

fn answer(knowledge: &Knowledge, outcome: Outcome, share: f64) -> String {
    let name = |class| knowledge.rules().class(class).name();
    let words = match outcome {
        Outcome::Miss => "miss".to_owned(),
        Outcome::Hit(None) => "hit".to_owned(),
        Outcome::Hit(Some(class)) => format!("hit {}", name(class)),
        Outcome::Sunk(None) => "sunk".to_owned(),
        Outcome::Sunk(Some(class)) => format!("sunk {}", name(class)),
    };
    format!("{words} {:.1}%", 100.0 * share)
}

/// Returns the open cells, the likeliest first.
fn best_cells(knowledge: &Knowledge, odds: &Odds) -> Vec<Cell> {
    let mut cells: Vec<Cell> = knowledge.open().iter().collect();
    cells.sort_by(|a, b| odds.probability(*b).total_cmp(&odds.probability(*a)));
    cells
}

#[derive(Serialize)]
struct JsonOdds<'a> {
    rules: String,
    shots: String,
    layouts: String,
    exact: bool,
    best: Option<String>,
    probabilities: ByCell<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stderr: Option<ByCell<'a>>,
}

impl<'a> JsonOdds<'a> {
    fn new(knowledge: &'a Knowledge, odds: &'a Odds) -> Self {
        Self {
            rules: knowledge.rules().to_string(),
            shots: knowledge.shots().iter().map(|shot| shot.to_text(knowledge.rules())).collect::<Vec<_>>().join(" "),
            layouts: odds.layouts().to_string(),
            exact: odds.is_exact(),
            best: best_cells(knowledge, odds).first().map(Cell::to_string),
            probabilities: ByCell { odds, value: Odds::probability },
            stderr: (!odds.is_exact()).then_some(ByCell { odds, value: Odds::stderr }),
        }
    }
}

/// A number for every cell, row by row, for JSON.
struct ByCell<'a> {
    odds: &'a Odds,
    value: fn(&Odds, Cell) -> f64,
}

impl Serialize for ByCell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let size = self.odds.rules().size();
        let mut map = serializer.serialize_map(Some(size.area()))?;
        for cell in size.cells() {
            map.serialize_entry(&cell.to_string(), &(self.value)(self.odds, cell))?;
        }
        map.end()
    }
}
