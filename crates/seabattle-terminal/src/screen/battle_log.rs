//! The scrolling log of a battle, newest entry last.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Line;

use super::page::draw_lines;
use super::style::{Role, Styles};
use super::wrap::{truncated, wrapped};

/// The lines of the log, and how far the player has scrolled back.
#[derive(Debug, Default)]
pub(super) struct BattleLog {
    lines: Vec<(Role, String)>,
    scrolled: usize,
}

impl BattleLog {
    /// Adds a line and scrolls to the end.
    pub(super) fn add(&mut self, role: Role, text: String) {
        self.lines.push((role, text));
        self.scrolled = 0;
    }

    pub(super) fn newest(&self) -> Option<&str> {
        self.lines.last().map(|(_, text)| text.as_str())
    }

    pub(super) fn scroll_back(&mut self, rows: usize) {
        self.scrolled += rows;
    }

    pub(super) fn scroll_forward(&mut self, rows: usize) {
        self.scrolled = self.scrolled.saturating_sub(rows);
    }

    /// Draws the lines that fit.
    pub(super) fn draw(&mut self, area: Rect, buffer: &mut Buffer, styles: Styles) {
        let (room, width) = (usize::from(area.height), usize::from(area.width).saturating_sub(2));
        if let (1, 0, Some((role, text))) = (room, self.scrolled, self.lines.last()) {
            // The beginning says more than the end.
            draw_lines(&[Line::styled(truncated(text, width, styles), styles.of(*role))], area, buffer);
            return;
        }
        let mut rows: Vec<Line<'static>> = Vec::new();
        for (role, text) in self.lines.iter().rev() {
            rows.extend(wrapped(&Line::styled(text.as_str(), styles.of(*role)), width).into_iter().rev());
            if rows.len() >= room + self.scrolled {
                break;
            }
        }
        self.scrolled = self.scrolled.min(rows.len().saturating_sub(room));
        let mut shown: Vec<Line<'_>> = rows.into_iter().skip(self.scrolled).take(room).collect();
        shown.reverse();
        if self.scrolled > 0 && room > 1 {
            let more = format!("{} newer: PgDn", self.scrolled + 1);
            shown[room - 1] = Line::styled(more, styles.of(Role::Dim));
        }
        draw_lines(&shown, area, buffer);
    }
}

#[cfg(test)]
mod tests {
    use seabattle_core::Glyphs;

    use super::super::style::Theme;
    use super::*;

    fn shown(log: &mut BattleLog, columns: u16, rows: u16) -> Vec<String> {
        let area = Rect::new(0, 0, columns, rows);
        let mut buffer = Buffer::empty(area);
        log.draw(area, &mut buffer, Styles { theme: Theme::Mono, glyphs: Glyphs::Ascii });
        let row = |y| (0..columns).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim().to_owned();
        (0..rows).map(row).collect()
    }

    fn filled() -> BattleLog {
        let mut log = BattleLog::default();
        (1..=9).for_each(|number| log.add(Role::Text, format!("shot {number}")));
        log
    }

    #[test]
    fn the_log_scrolls_no_further_than_its_first_line() {
        let mut log = filled();
        assert_eq!(shown(&mut log, 30, 3), ["shot 7", "shot 8", "shot 9"]);
        log.scroll_back(3);
        assert_eq!(shown(&mut log, 30, 3), ["shot 4", "shot 5", "4 newer: PgDn"]);
        log.scroll_back(1000);
        assert_eq!(shown(&mut log, 30, 3), ["shot 1", "shot 2", "7 newer: PgDn"]);
        log.scroll_forward(6);
        assert_eq!(shown(&mut log, 30, 3), ["shot 7", "shot 8", "shot 9"]);
    }

    #[test]
    fn a_long_line_does_not_hide_the_newest() {
        let mut log = filled();
        log.add(Role::Bad, "your battleship is sunk!".to_owned());
        assert_eq!(shown(&mut log, 20, 3), ["shot 9", "your battleship is", "sunk!"]);
        assert_eq!(shown(&mut log, 20, 1), ["your battleship.."]);
    }
}
