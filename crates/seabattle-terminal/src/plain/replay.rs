//! The replay of a recorded game as text.

use std::io::Write;

use seabattle_core::{BySide, Glyphs, Knowledge, Record, Shot, Side, TextBoard};
use seabattle_odds::{Analysis, AnalyzedShot};
use seabattle_render::{describe_odds, describe_players, describe_result, describe_turning_point};

use super::boards;
use crate::messages;

/// How a replay is printed.
pub struct ReplayOptions {
    /// The characters for drawing boards.
    pub glyphs: Glyphs,
    /// Width of the screen in columns.
    pub columns: usize,
    /// Whether to print the boards after every step instead of only at the end.
    pub boards: bool,
}

/// Prints all steps of a game, with their odds if it was analyzed.
pub fn replay(
    record: &Record,
    analysis: Option<&Analysis>,
    options: &ReplayOptions,
    output: &mut impl Write,
) -> crate::Result<()> {
    let names = record.names();
    writeln!(output, "{}, {}.", describe_players(record), record.rules())?;
    let mut known = BySide::new(|_| Knowledge::new(record.rules()));
    let steps: Vec<AnalyzedShot<'_>> = analysis.into_iter().flat_map(Analysis::shots).collect();
    let mut fired = 0;
    for (number, (side, shots)) in (1..).zip(record.volleys()) {
        for &shot in shots {
            // The parser has checked the record.
            known[side].add(shot).ok();
        }
        let analyzed = steps.get(fired..fired + shots.len()).unwrap_or_default();
        writeln!(output, "{number}. {}", line(record, side, shots, analyzed))?;
        for point in analysis.into_iter().flat_map(Analysis::turning_points) {
            if let Some(step) = analyzed.iter().find(|step| step.number == point.number) {
                writeln!(output, "   Turning point: {}.", describe_turning_point(step, point.reason))?;
            }
        }
        fired += shots.len();
        if options.boards {
            writeln!(output, "\n{}\n", boards(record, &known, options))?;
        }
    }
    if !options.boards {
        writeln!(output, "\n{}\n", boards(record, &known, options))?;
    }
    writeln!(output, "{}", describe_result(record))?;
    for &side in record.shooters() {
        let analyzed = analysis.map_or_else(String::new, |analysis| messages::skill_and_luck(analysis.reviews()[side]));
        let gap = if analyzed.is_empty() { "" } else { ", " };
        writeln!(output, "{}{gap}{analyzed}", messages::tally(names[side], &known[side]))?;
    }
    Ok(())
}

fn line(record: &Record, side: Side, shots: &[Shot], analyzed: &[AnalyzedShot<'_>]) -> String {
    let texts: Vec<String> = shots.iter().map(|&shot| messages::describe_shot(record.rules(), shot)).collect();
    let odds = match describe_odds(analyzed) {
        odds if odds.is_empty() => odds,
        odds => format!(" ({odds})"),
    };
    format!("{} fires: {}{odds}", record.names()[side], texts.join(", "))
}

fn boards(record: &Record, known: &BySide<Knowledge>, options: &ReplayOptions) -> String {
    let board = |owner: Side| match record.fleets()[owner] {
        Some(fleet) => TextBoard::of_fleet(fleet, &known[owner.other()]),
        None => TextBoard::of_enemy(&known[owner.other()]),
    };
    if record.is_solo() {
        return boards::one_board("The fleet", &board(record.first().other()), options.glyphs);
    }
    let titles = record.names().map(messages::fleet_of);
    let (left, right) = (board(Side::A), board(Side::B));
    boards::side_by_side((&titles.a, &left), (&titles.b, &right), options.glyphs, options.columns)
}
