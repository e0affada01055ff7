//! The odds of one position as a heat map.

use crate::{Anchor, Font, Palette, Picture, Point};
use seabattle_core::{Knowledge, TextBoard};
use seabattle_odds::Odds;

use crate::board::{BoardDrawing, Grid};
use crate::replay::CellOdds;

const CELL: f32 = 44.0;
const LEFT: f32 = 34.0;
const TOP: f32 = 84.0;
const MARGIN: f32 = 14.0;
const MIN_WIDTH: f32 = 420.0;

/// Draws the probability of a ship on every open cell. `layouts` says how many layouts are consistent.
pub fn heat_map(knowledge: &Knowledge, odds: &Odds, layouts: &str) -> Picture {
    let palette = &Palette::LIGHT;
    let grid = Grid { corner: Point::new(LEFT, TOP), cell: CELL, size: knowledge.rules().size() };
    let width = (LEFT + grid.width() + MARGIN).max(MIN_WIDTH);
    let title = format!("Odds of {knowledge}: {layouts}");
    let mut picture = Picture::on(palette.paper, width, TOP + grid.height() + MARGIN, &title);
    let heading = "Probability of a ship, in percent";
    picture.text(Point::new(LEFT, 26.0), Anchor::Start, 17.0, Font::Bold, palette.ink, heading);
    let subtitle = format!("{}, {} shots, {layouts}", knowledge.rules(), knowledge.shots().len());
    picture.text(Point::new(LEFT, 46.0), Anchor::Start, 12.0, Font::Regular, palette.grey, &subtitle);
    let cell_odds = CellOdds::of(knowledge, odds);
    let board = TextBoard::of_enemy(knowledge);
    let drawing =
        BoardDrawing { board, fleet: None, odds: Some(&cell_odds), numbers: true, last: Vec::new(), best: Vec::new() };
    drawing.draw(&mut picture, grid, palette);
    picture
}
