//! An analysis as tables for people.

use seabattle_core::{Record, Side};
use seabattle_odds::{Analysis, AnalyzedShot, Review};
use seabattle_render::{Replay, describe_players, describe_result, describe_shot, describe_turning_point, percent};

use crate::table::Align::{Left, Right};
use crate::table::{align_columns, shorten_name};

/// Renders all tables of one game.
pub(super) fn full_report(replay: &Replay, analysis: &Analysis) -> String {
    let record = replay.record();
    let estimates =
        if analysis.is_exact() { "" } else { "\nSome odds are estimates: the board is too large for exact odds." };
    format!(
        "{}, {}\n{}{estimates}\n\n{}{}\n{}",
        describe_players(record),
        record.rules(),
        describe_result(record),
        numbers(record, analysis),
        turning_points(record, analysis),
        shots(record, analysis),
    )
}

fn numbers(record: &Record, analysis: &Analysis) -> String {
    let heading = ["", "shots", "hits", "expected", "of the likeliest", "skill", "luck", "sd"];
    let row = |side: Side| {
        let review = analysis.reviews()[side];
        vec![
            shorten_name(record.names()[side]),
            review.shots().len().to_string(),
            review.hits().to_string(),
            format!("{:.2}", review.expected()),
            format!("{:.2}", review.best()),
            skill(review),
            signed(review.luck()),
            signed(review.luck_in_deviations()),
        ]
    };
    let rows: Vec<Vec<String>> = std::iter::once(heading.map(str::to_owned).to_vec())
        .chain(record.shooters().iter().copied().map(row))
        .collect();
    align_columns(&[Left, Right, Right, Right, Right, Right, Right, Right], &rows)
}

fn skill(review: &Review) -> String {
    review.skill().map_or_else(|| "-".to_owned(), |skill| format!("{skill:.1}%"))
}

/// Writes a number with its sign and two decimals, and never "-0.00".
fn signed(number: f64) -> String {
    format!("{:+.2}", (100.0 * number).round() / 100.0 + 0.0)
}

fn turning_points(record: &Record, analysis: &Analysis) -> String {
    let steps: Vec<AnalyzedShot<'_>> = analysis.shots().collect();
    let rows: Vec<Vec<String>> = analysis
        .turning_points()
        .iter()
        .filter_map(|point| {
            let step = steps.get(point.number - 1)?;
            let who = shorten_name(record.names()[step.side]);
            let shot = describe_shot(record.rules(), step.review.shot);
            Some(vec![format!("{:>3}", step.number), who, shot, describe_turning_point(step, point.reason)])
        })
        .collect();
    if rows.is_empty() { String::new() } else { format!("\nTurning points\n{}", align_columns(&[Left; 4], &rows)) }
}

fn shots(record: &Record, analysis: &Analysis) -> String {
    let heading = ["no.", "who", "shot", "odds", "best cell", "its odds", "rank", "loss"];
    let row = |step: AnalyzedShot<'_>| {
        let review = step.review;
        vec![
            step.number.to_string(),
            shorten_name(record.names()[step.side]),
            describe_shot(record.rules(), review.shot),
            percent(review.chosen),
            review.best_cell.to_string(),
            percent(review.best),
            review.rank.to_string(),
            format!("{:.3}", review.loss()),
        ]
    };
    let rows: Vec<Vec<String>> =
        std::iter::once(heading.map(str::to_owned).to_vec()).chain(analysis.shots().map(row)).collect();
    align_columns(&[Right, Left, Left, Right, Left, Right, Right, Right], &rows)
}

/// Returns the heading of a summary with one line per game.
pub(super) fn summary_heading() -> String {
    "game  skill A    luck A  skill B    luck B  players\n".to_owned()
}

/// Renders one game of many as a line.
pub(super) fn summary_line(number: usize, record: &Record, analysis: &Analysis) -> String {
    let side = |side: Side| {
        let review = analysis.reviews()[side];
        format!("{:>8}  {:>8}", skill(review), signed(review.luck()))
    };
    format!(
        "{number:>4} {} {}  {}: {}\n",
        side(Side::A),
        side(Side::B),
        describe_players(record),
        describe_result(record)
    )
}
