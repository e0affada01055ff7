//! The odds of one position as a picture.

use seabattle_core::{Knowledge, TextBoard};
use seabattle_odds::Odds;
use seabattle_pictures::{Anchor, Picture, Point, Theme, Weight};

use crate::board::{Plot, Waters};
use crate::story::Heat;

const CELL: f32 = 44.0;
const LEFT: f32 = 34.0;
const TOP: f32 = 84.0;
const MARGIN: f32 = 14.0;
const LEAST_WIDTH: f32 = 420.0;

/// The probability of a ship on every open cell, with the shots so far; `layouts` says how many fit.
pub fn heat_map(knowledge: &Knowledge, odds: &Odds, layouts: &str) -> Picture {
    let theme = &Theme::LIGHT;
    let plot = Plot { corner: Point::new(LEFT, TOP), cell: CELL, size: knowledge.rules().size() };
    let width = (LEFT + plot.width() + MARGIN).max(LEAST_WIDTH);
    let title = format!("Odds of {knowledge}: {layouts}");
    let mut picture = Picture::on(theme.paper, width, TOP + plot.height() + MARGIN, &title);
    let heading = "Probability of a ship, in percent";
    picture.words(Point::new(LEFT, 26.0), Anchor::Start, 17.0, Weight::Bold, theme.ink, heading);
    let subtitle = format!("{}, {} shots, {layouts}", knowledge.rules(), knowledge.shots().len());
    picture.words(Point::new(LEFT, 46.0), Anchor::Start, 12.0, Weight::Regular, theme.grey, &subtitle);
    let heat = Heat::of(knowledge, odds);
    let board = TextBoard::of_enemy(knowledge);
    let waters = Waters { board, fleet: None, heat: Some(&heat), numbers: true, last: Vec::new(), best: Vec::new() };
    waters.draw(&mut picture, plot, theme);
    picture
}
