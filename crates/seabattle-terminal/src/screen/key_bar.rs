//! The last line of the window: the most useful keys, as buttons.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::page::KeyHint;
use super::style::{Role, Styles};

const HELP: KeyHint = ("?", "help");

/// Remembers where each key was drawn, for clicks.
#[derive(Debug, Default)]
pub(super) struct KeyBar {
    keys: Vec<(Rect, KeyCode)>,
}

impl KeyBar {
    /// Draws as many hints as fit. The help key is always among them.
    pub(super) fn draw(&mut self, hints: Vec<KeyHint>, area: Rect, buffer: &mut Buffer, styles: Styles) {
        self.keys.clear();
        let mut room = area.width.saturating_sub(hint_line(HELP, styles).width() as u16);
        let mut at = area.x;
        let mut shown: Vec<KeyHint> = Vec::new();
        for hint in hints {
            let width = hint_line(hint, styles).width() as u16;
            if width > room {
                break;
            }
            room -= width;
            shown.push(hint);
        }
        shown.push(HELP);
        for hint in shown {
            let line = hint_line(hint, styles);
            let place = Rect::new(at, area.y, (line.width() as u16).min(area.width - (at - area.x)), 1);
            self.keys.extend(key_code(hint.0).map(|key| (place, key)));
            at += place.width;
            line.render(place, buffer);
        }
    }

    /// Returns the key drawn at a position.
    pub(super) fn key_at(&self, at: Position) -> Option<KeyEvent> {
        let hit = self.keys.iter().find(|(place, _)| place.contains(at));
        hit.map(|(_, key)| KeyEvent::new(*key, KeyModifiers::NONE))
    }
}

fn hint_line((key, meaning): KeyHint, styles: Styles) -> Line<'static> {
    Line::from(vec![
        Span::styled(format!(" {}", key_label(key, styles)), styles.of(Role::Key)),
        Span::styled(format!(" {meaning} "), styles.of(Role::Dim)),
    ])
}

/// Returns a key's label, without arrows where only ASCII can be drawn.
fn key_label(key: &'static str, styles: Styles) -> &'static str {
    let ascii = match key {
        "↑↓" => "up/down",
        "→" => "right",
        "←" => "left",
        other => other,
    };
    styles.unicode_or_ascii(key, ascii)
}

fn key_code(key: &str) -> Option<KeyCode> {
    let mut letters = key.chars();
    Some(match key {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "Tab" => KeyCode::Tab,
        "Space" => KeyCode::Char(' '),
        "→" => KeyCode::Right,
        "←" => KeyCode::Left,
        _ => KeyCode::Char(letters.next().filter(|_| letters.next().is_none())?),
    })
}
