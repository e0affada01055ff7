//! The data for the script of the page: every step of the replay, compactly.

use seabattle_core::{Cell, Mark, Side};
use serde_json::{Value, json};

use crate::describe::{describe_odds, describe_shot};
use crate::replay::{CellOdds, Cursor, Replay, Step};

/// The most probabilities in one page. Larger games get boards without odds.
const MAX_ODDS: usize = 2_000_000;

/// The replay as JSON that can be embedded in HTML.
pub(super) fn data(replay: &Replay) -> String {
    let size = replay.rules().size();
    let with_odds = replay.steps().len() * size.area() <= MAX_ODDS;
    let mut cursor = Cursor::new(replay);
    let mut steps = Vec::new();
    while cursor.advance() {
        if let Some(step) = cursor.step() {
            steps.push(step_json(replay, step, &cursor, with_odds));
        }
    }
    let ships = |side: Side| -> Vec<usize> {
        let fleet = replay.record().fleets()[side.other()];
        fleet.map_or_else(Vec::new, |fleet| fleet.occupied().iter().map(|cell| size.index(cell)).collect())
    };
    let game = json!({ "ships": { "A": ships(Side::A), "B": ships(Side::B) }, "steps": steps });
    // Escaped, so that no name can end the script element.
    game.to_string().replace('<', "\\u003c")
}

fn step_json(replay: &Replay, step: &Step, cursor: &Cursor<'_>, with_odds: bool) -> Value {
    let size = replay.rules().size();
    let index = |cell: Cell| size.index(cell);
    let shots_with_odds: Vec<_> = replay
        .analysis()
        .map(|analysis| analysis.shots().skip(step.first_shot).take(step.shots.len()).collect())
        .unwrap_or_default();
    let shots: Vec<String> = step.shots.iter().map(|&shot| describe_shot(replay.rules(), shot)).collect();
    let shots = format!("{}: {}", replay.record().names()[step.side], shots.join(", "));
    let odds = describe_odds(&shots_with_odds);
    let better = shots_with_odds.iter().filter(|shot| shot.review.loss() > 0.0);
    json!({
        "side": step.side.to_string(),
        "cells": step.shots.iter().map(|shot| index(shot.cell)).collect::<Vec<_>>(),
        "hits": step.shots.iter().map(|shot| u8::from(shot.outcome.is_hit())).collect::<Vec<_>>(),
        "sunk": newly_sunk(replay, step, cursor),
        "best": better.map(|shot| index(shot.review.best_cell)).collect::<Vec<_>>(),
        "heat": step.odds.as_ref().filter(|_| with_odds).map(thousandths),
        "description": if odds.is_empty() { shots } else { format!("{shots} \u{2013} {odds}") },
    })
}

/// All cells of the ships that this volley sank.
fn newly_sunk(replay: &Replay, step: &Step, cursor: &Cursor<'_>) -> Vec<usize> {
    let size = replay.rules().size();
    if !step.shots.iter().any(|shot| cursor.is_sunk(step.side, shot.cell)) {
        return Vec::new();
    }
    let board = replay.target_board(step.side, &cursor.knowledge[step.side]);
    size.cells().filter(|&cell| board.at(cell) == Some(Mark::Sunk)).map(|cell| size.index(cell)).collect()
}

fn thousandths(odds: &CellOdds) -> Vec<u16> {
    odds.probabilities().iter().map(|probability| (1000.0 * probability).round() as u16).collect()
}
