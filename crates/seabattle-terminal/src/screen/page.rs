//! What every page can do, and what it may ask for.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;
use seabattle_core::{Cell, Size};

use super::app::Context;
use super::event::Event;
use super::style::Styles;
use super::wrap::wrapped;

/// What happens next.
pub(super) enum Transition {
    Stay,
    Open(Box<dyn Page>),
    /// The wish is granted if the player says yes.
    Ask(Question),
    Quit,
}

/// A question that yes or no answers.
pub(super) struct Question {
    pub(super) text: String,
    pub(super) action: ConfirmAction,
}

/// What a player may wish for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConfirmAction {
    /// To end the program.
    Quit,
    /// To begin a game anew.
    NewGame,
    /// To go on with the game that was left.
    Continue,
}

/// A key with what it does.
pub(super) type KeyHint = (&'static str, &'static str);

/// One page of the program.
pub(super) trait Page {
    fn title(&self) -> String;

    /// The most useful keys, best first: as many as fit are shown.
    fn hints(&self) -> Vec<KeyHint>;

    /// All keys, and what else there is to know.
    fn help(&self, styles: Styles) -> Vec<(String, String)>;

    /// Whether letters are being typed, so that none is a command.
    fn is_typing(&self) -> bool {
        false
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Transition;

    fn mouse(&mut self, _mouse: MouseEvent, _context: &mut Context) -> Transition {
        Transition::Stay
    }

    /// Something was thought of, or time has gone by.
    fn event(&mut self, _event: Event, _context: &mut Context) -> Transition {
        Transition::Stay
    }

    /// The player has said yes.
    fn confirmed(&mut self, _action: ConfirmAction, _context: &mut Context) -> Transition {
        Transition::Stay
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, context: &Context);

    /// After how long it wants a tick, if nothing else happens.
    fn tick_interval(&self) -> Option<Duration> {
        None
    }
}

/// Where an arrow, or the letter that stands for it, leads; it stops at the edge.
pub(super) fn move_cursor(cell: Cell, key: KeyEvent, size: Size) -> Option<Cell> {
    let (col, row) = (cell.col(), cell.row());
    let (right, bottom) = (size.width() - 1, size.height() - 1);
    Some(match key.code {
        KeyCode::Left | KeyCode::Char('h') => Cell::new(col.saturating_sub(1), row),
        KeyCode::Right | KeyCode::Char('l') => Cell::new((col + 1).min(right), row),
        KeyCode::Up | KeyCode::Char('k') => Cell::new(col, row.saturating_sub(1)),
        KeyCode::Down | KeyCode::Char('j') => Cell::new(col, (row + 1).min(bottom)),
        KeyCode::Home => Cell::new(0, row),
        KeyCode::End => Cell::new(right, row),
        _ => return None,
    })
}

/// Lines below each other, broken where they are too long, and the rows that they take.
pub(super) fn draw_lines(lines: &[Line<'_>], area: Rect, buffer: &mut Buffer) -> u16 {
    let width = area.width.saturating_sub(1);
    let rows = lines.iter().flat_map(|line| wrapped(line, width.saturating_sub(1).into()));
    let mut used = 0;
    for (y, row) in (area.y..area.bottom()).zip(rows) {
        row.render(Rect::new(area.x + 1, y, width, 1), buffer);
        used += 1;
    }
    used
}

/// Keys and meanings as texts.
pub(super) fn help_entries(keys: &[(&str, &str)]) -> Vec<(String, String)> {
    keys.iter().map(|&(key, meaning)| (key.to_owned(), meaning.to_owned())).collect()
}
