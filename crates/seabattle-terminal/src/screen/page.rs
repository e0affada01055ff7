//! The interface of every page, and what a page can ask the program to do.

use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;
use seabattle_core::{Cell, Size};

use super::app::Context;
use super::event::Event;
use super::wrap::wrapped;

/// How long one picture of the spinner is shown.
pub(super) const SPINNER_INTERVAL: Duration = Duration::from_millis(120);

/// What the program does after a page has handled an event.
pub(super) enum Transition {
    Stay,
    /// Shows another page. There is no way back.
    Open(Box<dyn Page>),
    /// Shows another page on top of this one.
    Push(Box<dyn Page>),
    /// Returns to the page below, or to the menu if there is none.
    Back,
    /// Asks the player, and runs the action after a yes.
    Ask(Question),
    Quit,
}

/// A yes-or-no question.
pub(super) struct Question {
    pub(super) text: String,
    pub(super) action: ConfirmAction,
}

/// What happens when the player confirms a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConfirmAction {
    /// Quit the program.
    Quit,
    /// Give up this game and start a new one.
    NewGame,
    /// Continue the saved game.
    Continue,
    /// Go to the menu and lose a game that cannot be saved.
    Leave,
}

/// A key and what it does.
pub(super) type KeyHint = (&'static str, &'static str);

/// One page of the program.
pub(super) trait Page {
    fn title(&self) -> String;

    /// Returns the most useful keys, best first. As many as fit are shown.
    fn hints(&self) -> Vec<KeyHint>;

    /// Returns all keys and other explanations for the help.
    fn help(&self, context: &Context) -> Vec<(String, String)>;

    /// Whether a text field is open, so that letters are not commands.
    fn is_typing(&self) -> bool {
        false
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Transition;

    /// Inserts pasted text into the open text field. Returns whether there is one.
    fn paste(&mut self, _text: &str) -> bool {
        false
    }

    /// Continues after the page on top was closed.
    fn returned(&mut self, _context: &mut Context) {}

    fn mouse(&mut self, _mouse: MouseEvent, _context: &mut Context) -> Transition {
        Transition::Stay
    }

    /// Handles an answer of a worker, or a tick.
    fn event(&mut self, _event: Event, _context: &mut Context) -> Transition {
        Transition::Stay
    }

    /// Runs an action that the player has confirmed.
    fn confirmed(&mut self, _action: ConfirmAction, _context: &mut Context) -> Transition {
        Transition::Stay
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, context: &Context);

    /// Returns the interval between ticks, if the page needs any.
    fn tick_interval(&self) -> Option<Duration> {
        None
    }
}

/// Moves a cursor by an arrow key or `hjkl`. It stops at the edges.
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

/// Draws lines below each other, breaks long ones, and returns the number of rows used.
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

/// Returns the current picture of the spinner, which shows that a bot is thinking.
pub(super) fn spinner(context: &Context) -> &'static str {
    let pictures = context.styles.unicode_or_ascii(["◐", "◓", "◑", "◒"], ["|", "/", "-", "\\"]);
    let number = context.now.as_millis() / SPINNER_INTERVAL.as_millis() % pictures.len() as u128;
    pictures[number as usize]
}

/// Turns static help entries into owned ones.
pub(super) fn help_entries(keys: &[(&str, &str)]) -> Vec<(String, String)> {
    keys.iter().map(|&(key, meaning)| (key.to_owned(), meaning.to_owned())).collect()
}
