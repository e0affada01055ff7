//! `seabattle analyse`: shows skill, luck and turning points of a recorded game.

mod text;

use std::io::Write;

use anyhow::bail;
use seabattle_core::{Record, Side};
use seabattle_odds::{Analysis, OddsCache};
use seabattle_render::{Replay, ShownSides, analysis_json, page};
use serde_json::{Value, json};

use crate::cli::{AnalyseArgs, AnalyseFormat};
use crate::interrupt;
use crate::record_input::{analyze, count_shots, progress_bar, read, read_all};

pub(crate) fn analyse(args: &AnalyseArgs) -> anyhow::Result<()> {
    if args.all && args.format == AnalyseFormat::Html {
        bail!("a web page shows one game: leave --all out, or use --format text or json");
    }
    let records = if args.all { read_all(&args.record)? } else { vec![read(&args.record)?] };
    interrupt::stop_flag()?;
    let bar = progress_bar(records.iter().map(count_shots).sum(), "shots analyzed");
    let odds_cache = OddsCache::for_every_position();
    let mut out = anstream::stdout();
    if args.all && args.format == AnalyseFormat::Text {
        out.write_all(text::summary_heading().as_bytes())?;
    }
    for (number, record) in (1..).zip(records) {
        let replay = analyze(record, &odds_cache, &bar)?;
        let Some(analysis) = replay.analysis() else { continue };
        let text = match args.format {
            AnalyseFormat::Text if args.all => text::summary_line(number, replay.record(), analysis),
            AnalyseFormat::Text => text::full_report(&replay, analysis),
            AnalyseFormat::Json if args.all => json(replay.record(), analysis).to_string() + "\n",
            AnalyseFormat::Json => serde_json::to_string_pretty(&json(replay.record(), analysis))? + "\n",
            AnalyseFormat::Html => as_page(&replay),
        };
        bar.suspend(|| out.write_all(text.as_bytes()))?;
    }
    bar.finish_and_clear();
    Ok(())
}

fn as_page(replay: &Replay) -> String {
    page(replay, ShownSides::Both, true)
}

/// Returns the analysis as JSON, with the facts of the record.
fn json(record: &Record, analysis: &Analysis) -> Value {
    let mut game = analysis_json(record.rules(), analysis);
    let names = record.names();
    let end = record.end();
    if let Some(fields) = game.as_object_mut() {
        fields.insert("rules".to_owned(), json!(record.rules().to_string()));
        fields.insert("names".to_owned(), json!({ "A": names.a, "B": names.b }));
        fields.insert("seed".to_owned(), json!(record.seed()));
        fields.insert("first".to_owned(), json!(record.first().to_string()));
        fields.insert("winner".to_owned(), json!(end.and_then(|end| end.winner).map(|side: Side| side.to_string())));
        fields.insert("ended".to_owned(), json!(end.map(|end| end.termination.to_string())));
    }
    game
}
