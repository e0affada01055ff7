//! The boards of the page: cells that the script marks, with the drawings of all pictures.

use seabattle_core::{Cell, Mark, Side, Size, TextBoard};
use seabattle_pictures::{Colour, Picture, Point, Theme, svg_shapes};

use super::{escape, themed};
use crate::board::{Plot, brackets, draw_mark, hull, labels};
use crate::frame::Shown;
use crate::story::{Story, Telling};
use crate::tints::Tints;

const CELL: f32 = 32.0;
const MARGIN: f32 = 26.0;

/// One board for each side whose shots are shown, as at the end of the game.
pub(super) fn boards(story: &Story, shown: Shown) -> String {
    let mut telling = Telling::new(story);
    while telling.advance() {}
    let board = |side: Side| board(story, side, &story.target_board(side, &telling.known[side]));
    let boards: String = shown.sides(story.record()).into_iter().map(board).collect();
    format!(
        "<svg class=\"marks\" aria-hidden=\"true\">{}</svg>\n<section class=\"boards\">\n{boards}</section>\n",
        marks()
    )
}

/// The marks by their names, each in a square of one unit a cell.
fn marks() -> String {
    let tints = Tints::of(&Theme::LIGHT);
    let Some(size) = Size::new(1, 1) else { return String::new() };
    let plot = Plot { corner: Point::new(0.0, 0.0), cell: CELL, size };
    let symbol = |name: &str, draw: &dyn Fn(&mut Picture)| {
        let mut picture = Picture::on(Colour::WHITE, CELL, CELL, "");
        draw(&mut picture);
        format!("<symbol id=\"{name}\" overflow=\"visible\">{}</symbol>", themed(&svg_shapes(&picture)))
    };
    let cell = Cell::new(0, 0);
    [Mark::Miss, Mark::Hit, Mark::Sunk]
        .map(|mark| symbol(name(mark), &|picture| draw_mark(picture, plot, cell, mark, &tints)))
        .concat()
        + &symbol("best", &|picture| brackets(picture, plot, cell, &tints))
}

pub(super) fn name(mark: Mark) -> &'static str {
    match mark {
        Mark::Miss => "miss",
        Mark::Hit => "hit",
        Mark::Sunk => "sunk",
        Mark::Ship => "ship",
        Mark::Open | Mark::Impossible => "open",
    }
}

fn board(story: &Story, side: Side, board: &TextBoard) -> String {
    let size = story.rules().size();
    let plot = Plot { corner: Point::new(MARGIN, MARGIN), cell: CELL, size };
    let (width, height) = (MARGIN + plot.width() + 3.0, MARGIN + plot.height() + 3.0);
    let mut below = Picture::on(Colour::WHITE, width, height, "");
    labels(&mut below, plot, &Theme::LIGHT);
    let mut above = Picture::on(Colour::WHITE, width, height, "");
    let tints = Tints::of(&Theme::LIGHT);
    let fleet = story.record().fleets()[side.other()];
    for ship in fleet.iter().flat_map(|fleet| fleet.ships()) {
        hull(&mut above, plot, ship, &tints);
    }
    let cells: String = size.cells().map(|at| cell(plot, at, board.at(at).unwrap_or(Mark::Open))).collect();
    let words = format!("Shots of {}", story.record().names()[side]);
    format!(
        "<figure><figcaption><bdi>{name}</bdi> fires <span id=\"count{side}\"></span></figcaption>\n\
         <svg id=\"board{side}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{words}\">\n{labels}\
         <g class=\"cells\">\n{cells}</g>\n{hulls}<g class=\"over\"></g></svg></figure>\n",
        name = escape(story.record().names()[side]),
        words = escape(&words),
        labels = themed(&svg_shapes(&below)),
        hulls = themed(&svg_shapes(&above)),
    )
}

fn cell(plot: Plot, cell: Cell, mark: Mark) -> String {
    let (x, y) = (plot.corner.x + f32::from(cell.col()) * CELL, plot.corner.y + f32::from(cell.row()) * CELL);
    let href = match mark {
        Mark::Miss | Mark::Hit | Mark::Sunk => format!(" href=\"#{}\"", name(mark)),
        _ => String::new(),
    };
    let ship = if mark == Mark::Ship { " data-ship" } else { "" };
    format!(
        "<g data-mark=\"{}\"{ship} transform=\"translate({x} {y})\"><title>{cell}</title>\
         <rect x=\"1\" y=\"1\" width=\"30\" height=\"30\"/><use{href}/></g>\n",
        name(mark)
    )
}
