//! What the script of the page needs to know: every step, in few letters.

use seabattle_core::{Cell, Mark, Side};
use serde_json::{Value, json};

use crate::story::{Heat, Scene, Story, Telling};
use crate::words::{odds_of_shots, short_shot};

/// Numbers of heat that a page may hold: of larger games the boards are shown without.
const MOST_HEAT: usize = 2_000_000;

/// The game as JSON that may stand inside a page.
pub(super) fn data(story: &Story) -> String {
    let size = story.rules().size();
    let hot = story.scenes().len() * size.area() <= MOST_HEAT;
    let mut telling = Telling::new(story);
    let mut steps = Vec::new();
    while telling.advance() {
        if let Some(scene) = telling.scene() {
            steps.push(step(story, scene, &telling, hot));
        }
    }
    let ships = |side: Side| -> Vec<usize> {
        let fleet = story.record().fleets()[side.other()];
        fleet.map_or_else(Vec::new, |fleet| fleet.occupied().iter().map(|cell| size.index(cell)).collect())
    };
    let game = json!({ "ships": { "A": ships(Side::A), "B": ships(Side::B) }, "steps": steps });
    // Nothing in it can end the element that it stands in.
    game.to_string().replace('<', "\\u003c")
}

fn step(story: &Story, scene: &Scene, telling: &Telling<'_>, hot: bool) -> Value {
    let size = story.rules().size();
    let index = |cell: Cell| size.index(cell);
    let judged: Vec<_> = story
        .analysis()
        .map(|analysis| analysis.shots().skip(scene.first).take(scene.shots.len()).collect())
        .unwrap_or_default();
    let shots: Vec<String> = scene.shots.iter().map(|&shot| short_shot(story.rules(), shot)).collect();
    let words = format!("{}: {}", story.record().names()[scene.side], shots.join(", "));
    let odds = odds_of_shots(&judged);
    let better = judged.iter().filter(|step| step.review.loss() > 0.0);
    json!({
        "side": scene.side.to_string(),
        "cells": scene.shots.iter().map(|shot| index(shot.cell)).collect::<Vec<_>>(),
        "hits": scene.shots.iter().map(|shot| u8::from(shot.outcome.is_hit())).collect::<Vec<_>>(),
        "sunk": newly_sunk(story, scene, telling),
        "best": better.map(|step| index(step.review.best_cell)).collect::<Vec<_>>(),
        "heat": scene.heat.as_ref().filter(|_| hot).map(thousandths),
        "words": if odds.is_empty() { words } else { format!("{words} \u{2013} {odds}") },
    })
}

/// All cells of the ships that this volley sank.
fn newly_sunk(story: &Story, scene: &Scene, telling: &Telling<'_>) -> Vec<usize> {
    let size = story.rules().size();
    if !scene.shots.iter().any(|shot| telling.is_sunk(scene.side, shot.cell)) {
        return Vec::new();
    }
    let board = story.target_board(scene.side, &telling.known[scene.side]);
    size.cells().filter(|&cell| board.at(cell) == Some(Mark::Sunk)).map(|cell| size.index(cell)).collect()
}

fn thousandths(heat: &Heat) -> Vec<u16> {
    heat.probabilities().iter().map(|probability| (1000.0 * probability).round() as u16).collect()
}
