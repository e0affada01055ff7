//! The boards of the page. The script marks their cells with the same shapes as in all pictures.

use crate::{Color, Palette, Picture, Point, svg_shapes};
use seabattle_core::{Cell, Mark, Side, Size, TextBoard};

use super::{escape, themed};
use crate::board::{Grid, draw_best_cell, draw_coordinates, draw_mark, draw_ship};
use crate::colors::BoardColors;
use crate::frames::ShownSides;
use crate::replay::{Cursor, Replay};

const CELL: f32 = 32.0;
const MARGIN: f32 = 26.0;

/// The boards at the end of the game, one for each side whose shots are shown.
pub(super) fn boards(replay: &Replay, shown: ShownSides) -> String {
    let mut cursor = Cursor::new(replay);
    while cursor.advance() {}
    let board = |side: Side| board(replay, side, &replay.target_board(side, &cursor.knowledge[side]));
    let boards: String = shown.sides(replay.record()).into_iter().map(board).collect();
    format!(
        "<svg class=\"marks\" aria-hidden=\"true\">{}</svg>\n<section class=\"boards\">\n{boards}</section>\n",
        marks()
    )
}

/// SVG symbols for the marks of cells, by their names.
fn marks() -> String {
    let colors = BoardColors::of(&Palette::LIGHT);
    let Some(size) = Size::new(1, 1) else { return String::new() };
    let grid = Grid { corner: Point::new(0.0, 0.0), cell: CELL, size };
    let symbol = |name: &str, draw: &dyn Fn(&mut Picture)| {
        let mut picture = Picture::on(Color::WHITE, CELL, CELL, "");
        draw(&mut picture);
        format!("<symbol id=\"{name}\" overflow=\"visible\">{}</symbol>", themed(&svg_shapes(&picture)))
    };
    let cell = Cell::new(0, 0);
    [Mark::Miss, Mark::Hit, Mark::Sunk]
        .map(|mark| symbol(name(mark), &|picture| draw_mark(picture, grid, cell, mark, &colors)))
        .concat()
        + &symbol("best", &|picture| draw_best_cell(picture, grid, cell, &colors))
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

fn board(replay: &Replay, side: Side, board: &TextBoard) -> String {
    let size = replay.rules().size();
    let grid = Grid { corner: Point::new(MARGIN, MARGIN), cell: CELL, size };
    let (width, height) = (MARGIN + grid.width() + 3.0, MARGIN + grid.height() + 3.0);
    let mut below = Picture::on(Color::WHITE, width, height, "");
    draw_coordinates(&mut below, grid, &Palette::LIGHT);
    let mut above = Picture::on(Color::WHITE, width, height, "");
    let colors = BoardColors::of(&Palette::LIGHT);
    let fleet = replay.record().fleets()[side.other()];
    for ship in fleet.iter().flat_map(|fleet| fleet.ships()) {
        draw_ship(&mut above, grid, ship, &colors);
    }
    let cells: String = size.cells().map(|at| cell(grid, at, board.at(at).unwrap_or(Mark::Open))).collect();
    let words = format!("Shots of {}", replay.record().names()[side]);
    format!(
        "<figure><figcaption><bdi>{name}</bdi> fires <span id=\"count{side}\"></span></figcaption>\n\
         <svg id=\"board{side}\" viewBox=\"0 0 {width} {height}\" role=\"img\" aria-label=\"{words}\">\n{labels}\
         <g class=\"cells\">\n{cells}</g>\n{hulls}<g class=\"overlay\"></g></svg></figure>\n",
        name = escape(replay.record().names()[side]),
        words = escape(&words),
        labels = themed(&svg_shapes(&below)),
        hulls = themed(&svg_shapes(&above)),
    )
}

fn cell(grid: Grid, cell: Cell, mark: Mark) -> String {
    let (x, y) = (grid.corner.x + f32::from(cell.col()) * CELL, grid.corner.y + f32::from(cell.row()) * CELL);
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
