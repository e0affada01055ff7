//! The heat map as a picture.

use seabattle_core::{Board, Cell, Knowledge, Mark, column_letters};
use seabattle_odds::Odds;
use seabattle_pictures::{Anchor, Colour, Dash, Line, Picture, Point, Weight};

const CELL: f32 = 44.0;
const LEFT: f32 = 34.0;
const TOP: f32 = 84.0;

pub(super) fn heat_map(knowledge: &Knowledge, odds: &Odds) -> Picture {
    let size = knowledge.rules().size();
    let (width, height) = (f32::from(size.width()) * CELL, f32::from(size.height()) * CELL);
    let exact = if odds.is_exact() { "" } else { "about " };
    let title = format!("{exact}{} layouts fit", crate::count::grouped(odds.layouts()));
    let mut picture =
        Picture::new((LEFT + width + 14.0).max(420.0), TOP + height + 14.0, &format!("Odds of {knowledge}: {title}"));
    picture.words(
        Point::new(LEFT, 26.0),
        Anchor::Start,
        17.0,
        Weight::Bold,
        Colour::INK,
        "Probability of a ship, in percent",
    );
    let subtitle = format!("{}, {} shots, {title}", knowledge.rules(), knowledge.shots().len());
    picture.words(Point::new(LEFT, 46.0), Anchor::Start, 12.0, Weight::Regular, Colour::GREY, &subtitle);
    let board = Board::of_enemy(knowledge);
    let greatest = knowledge.open().iter().map(|cell| odds.probability(cell)).fold(0.0, f64::max);
    for cell in size.cells() {
        draw_cell(&mut picture, &board, odds, cell, greatest);
    }
    for col in 0..size.width() {
        let at = Point::new(LEFT + (f32::from(col) + 0.5) * CELL, TOP - 8.0);
        picture.words(at, Anchor::Middle, 13.0, Weight::Regular, Colour::INK, &column_letters(col));
    }
    for row in 0..size.height() {
        let at = Point::new(LEFT - 8.0, TOP + (f32::from(row) + 0.5) * CELL + 4.5);
        picture.words(at, Anchor::End, 13.0, Weight::Regular, Colour::INK, &(row + 1).to_string());
    }
    picture
}

fn draw_cell(picture: &mut Picture, board: &Board, odds: &Odds, cell: Cell, greatest: f64) {
    let (x, y) = (LEFT + f32::from(cell.col()) * CELL, TOP + f32::from(cell.row()) * CELL);
    let corner = |dx: f32, dy: f32| Point::new(x + dx, y + dy);
    let square = [corner(1.0, 1.0), corner(CELL - 1.0, 1.0), corner(CELL - 1.0, CELL - 1.0), corner(1.0, CELL - 1.0)];
    let middle = corner(CELL / 2.0, CELL / 2.0);
    let bold = Line { colour: Colour::WHITE, width: 3.5, dash: Dash::Solid };
    let mark = board.at(cell).unwrap_or(Mark::Open);
    let cross = |picture: &mut Picture| {
        picture.polyline(&[corner(13.0, 13.0), corner(CELL - 13.0, CELL - 13.0)], bold);
        picture.polyline(&[corner(CELL - 13.0, 13.0), corner(13.0, CELL - 13.0)], bold);
    };
    match mark {
        Mark::Miss => {
            picture.polygon(&square, Some(Colour::FAINT), None);
            picture.circle(middle, 7.0, None, Some(Line { colour: Colour::GREY, width: 2.0, dash: Dash::Solid }));
        }
        Mark::Hit => {
            picture.polygon(&square, Some(Colour::new(213, 94, 0)), None);
            cross(picture);
        }
        Mark::Sunk => {
            picture.polygon(&square, Some(Colour::INK), None);
            cross(picture);
        }
        Mark::Open | Mark::Ship | Mark::Impossible => {
            let probability = odds.probability(cell);
            let warmth = if greatest > 0.0 { probability / greatest } else { 0.0 };
            picture.polygon(&square, Some(heat(warmth)), None);
            let ink = if warmth > 0.55 { Colour::WHITE } else { Colour::INK };
            let at = Point::new(middle.x, middle.y + 4.5);
            picture.words(at, Anchor::Middle, 12.5, Weight::Regular, ink, &format!("{:.1}", 100.0 * probability));
        }
    }
}

/// From paper to the first colour of the palette.
fn heat(warmth: f64) -> Colour {
    let (cold, hot) = (Colour::new(240, 246, 250), seabattle_pictures::PALETTE[0]);
    let mix = |cold: u8, hot: u8| {
        (f64::from(cold) + (f64::from(hot) - f64::from(cold)) * warmth.clamp(0.0, 1.0)).round() as u8
    };
    Colour::new(mix(cold.red, hot.red), mix(cold.green, hot.green), mix(cold.blue, hot.blue))
}
