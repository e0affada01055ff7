//! Boards as text, side by side or stacked.

use anstyle::{AnsiColor, Style};
use seabattle_core::{Glyphs, Mark, TextBoard};

const GAP: &str = "    ";

/// Prints two boards with titles: side by side if they fit, else stacked.
pub(super) fn side_by_side(
    left: (&str, &TextBoard),
    right: (&str, &TextBoard),
    glyphs: Glyphs,
    columns: usize,
) -> String {
    let (left_lines, right_lines) = (titled(left.0, left.1, glyphs), titled(right.0, right.1, glyphs));
    if width(left.0, left.1) + GAP.len() + width(right.0, right.1) > columns {
        return joined([left_lines, right_lines].concat());
    }
    joined(left_lines.iter().zip(&right_lines).map(|(left, right)| format!("{left}{GAP}{right}")))
}

/// Prints one board with its title.
pub(super) fn one_board(title: &str, board: &TextBoard, glyphs: Glyphs) -> String {
    joined(titled(title, board, glyphs))
}

fn joined(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

fn titled(title: &str, board: &TextBoard, glyphs: Glyphs) -> Vec<String> {
    let (columns, board_columns) = (width(title, board), board.columns());
    let margin = " ".repeat(columns - board_columns);
    let mut lines = vec![format!("{title:^columns$}")];
    lines.extend(board.painted_lines(|mark| paint(mark, glyphs)).into_iter().map(|line| line + &margin));
    lines
}

fn width(title: &str, board: &TextBoard) -> usize {
    board.columns().max(title.chars().count())
}

fn paint(mark: Mark, glyphs: Glyphs) -> String {
    let style = match mark {
        Mark::Open | Mark::Impossible => Style::new().dimmed(),
        Mark::Miss => AnsiColor::Blue.on_default(),
        Mark::Hit => AnsiColor::Yellow.on_default().bold(),
        Mark::Sunk => AnsiColor::Red.on_default().bold(),
        Mark::Ship => AnsiColor::Cyan.on_default(),
    };
    format!("{style}{}{style:#}", glyphs.of(mark))
}

/// Explains the marks of a board.
pub(super) fn legend(board: &TextBoard, glyphs: Glyphs) -> String {
    let meaning = |mark| match mark {
        Mark::Open => "not fired at",
        Mark::Impossible => "no ship possible",
        Mark::Miss => "miss",
        Mark::Hit => "hit",
        Mark::Sunk => "sunk",
        Mark::Ship => "ship",
    };
    let shown = Mark::ALL.into_iter().filter(|&mark| mark != Mark::Impossible);
    let entries: Vec<String> = shown.map(|mark| format!("{} {}", paint(mark, glyphs), meaning(mark))).collect();
    let last = if board.marks_last() { "   < last shot" } else { "" };
    format!("{}{last}", entries.join("   "))
}
