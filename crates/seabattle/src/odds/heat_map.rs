//! The heat map of a position as text, with colors where the output supports them.

use anstyle::{Ansi256Color, AnsiColor, Color, Style};
use seabattle_core::{Cell, Glyphs, Knowledge, Mark, TextBoard, column_letters};
use seabattle_odds::Odds;

/// Colors from dark blue (impossible) through green to yellow (certain).
const HEAT_COLORS: [u8; 8] = [17, 18, 24, 30, 36, 71, 142, 178];

/// Renders a number for every open cell, and the marks of the shots.
pub(super) fn render(knowledge: &Knowledge, odds: &Odds) -> String {
    let size = knowledge.rules().size();
    let board = TextBoard::of_enemy(knowledge);
    let label = size.height().to_string().len();
    let header: String = (0..size.width()).map(|col| format!("{:>4}", column_letters(col))).collect();
    let mut text = format!("{:label$}{header}\n", "");
    let maximum = knowledge.open().iter().map(|cell| odds.probability(cell)).fold(0.0, f64::max);
    for row in 0..size.height() {
        let line: String = (0..size.width()).map(|col| entry(&board, odds, Cell::new(col, row), maximum)).collect();
        text += &format!("{:>label$}{line}\n", row + 1);
    }
    text
}

fn entry(board: &TextBoard, odds: &Odds, cell: Cell, maximum: f64) -> String {
    let mark = board.at(cell).unwrap_or(Mark::Open);
    if mark != Mark::Open {
        let style = Style::new().fg_color(Some(AnsiColor::BrightWhite.into())).bold();
        return format!("{style}{:>4}{style:#}", Glyphs::Ascii.of(mark));
    }
    let probability = odds.probability(cell);
    let intensity = if maximum > 0.0 { probability / maximum } else { 0.0 };
    let color = HEAT_COLORS[((intensity * 7.0).round() as usize).min(7)];
    let foreground = if intensity > 0.7 { AnsiColor::Black } else { AnsiColor::BrightWhite };
    let style = Style::new().bg_color(Some(Color::Ansi256(Ansi256Color(color)))).fg_color(Some(foreground.into()));
    format!("{style}{:>4}{style:#}", percent(probability))
}

/// Writes a probability in whole percent; never 0 for a possible or 100 for an uncertain ship.
fn percent(probability: f64) -> String {
    let rounded = (100.0 * probability).round();
    match rounded as i32 {
        _ if probability <= 0.0 => "-".to_owned(),
        0 => "<1".to_owned(),
        100 if probability < 1.0 => ">99".to_owned(),
        whole => whole.to_string(),
    }
}
