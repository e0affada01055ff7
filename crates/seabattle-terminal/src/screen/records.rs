//! The page that lists earlier games for review.

use std::env;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use ratatui::widgets::Widget;
use seabattle_core::{End, Record, Side};

use super::app::Context;
use super::list::{SelectList, Selection};
use super::menu::MenuPage;
use super::page::{KeyHint, Page, Transition, help_entries};
use super::replay::ReplayPage;
use super::storage::{ParsedRecords, read_text};
use super::style::Role;
use super::text_input::{InputState, TextInput};
use crate::messages;

pub(super) struct RecordsPage {
    records: Vec<Record>,
    list: SelectList,
    input: Option<TextInput>,
}

impl RecordsPage {
    pub(super) fn new(context: &Context) -> Self {
        Self::of(context.storage.records())
    }

    fn of(records: Vec<Record>) -> Self {
        let mut items: Vec<(String, String)> = records.iter().map(list_entry).collect();
        items.push(("open a file".to_owned(), "type its name".to_owned()));
        Self { records, list: SelectList::new(items, 0), input: None }
    }

    fn select(&mut self, chosen: &Selection, context: &mut Context) -> Transition {
        let Selection::Item(number) = *chosen else { return Transition::Stay };
        match self.records.get(number) {
            Some(record) => Transition::Push(Box::new(ReplayPage::of_record(record, context))),
            None => {
                self.input = Some(TextInput::default());
                Transition::Stay
            }
        }
    }

    /// Opens a file of records. After an error the typed name stays for correction.
    fn open(&mut self, name: &str, context: &mut Context) {
        let parsed = match read_text(&expand_home(name)) {
            Ok(text) => ParsedRecords::parse(&text),
            Err(error) => return context.notify(format!("{name}: {error}")),
        };
        let error = parsed.error.map(|error| format!("{name}: {error}"));
        if parsed.records.is_empty() {
            return context.notify(error.unwrap_or_else(|| format!("{name} contains no game records.")));
        }
        *self = Self::of(parsed.records);
        if let Some(error) = error {
            context.notify(format!("Some records cannot be read. {error}"));
        }
    }
}

/// Expands `~/` as shells do.
fn expand_home(name: &str) -> PathBuf {
    match (name.strip_prefix("~/"), env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(name),
    }
}

fn list_entry(record: &Record) -> (String, String) {
    let names = record.names().map(messages::player_title);
    let outcome = match record.end() {
        Some(End { winner: Some(side), .. }) => format!("{} won", names[side]),
        Some(_) => "no winner".to_owned(),
        None => "not finished".to_owned(),
    };
    let shots = |side: Side| {
        let turns = record.turns().iter().filter(|(side_to_move, _)| *side_to_move == side);
        turns.map(|(_, shots)| shots.len()).sum::<usize>()
    };
    let name = format!("{} against {}", names.a, names.b);
    (name, format!("{outcome}, {} and {} shots, {}", shots(Side::A), shots(Side::B), record.rules()))
}

impl Page for RecordsPage {
    fn title(&self) -> String {
        "Choose a game to review".to_owned()
    }

    fn hints(&self) -> Vec<KeyHint> {
        vec![("↑↓", "choose"), ("Enter", "open"), ("Esc", "back")]
    }

    fn help(&self, _context: &Context) -> Vec<(String, String)> {
        help_entries(&[("Enter, Space, click", "open"), ("Esc, q", "back to the menu")])
    }

    fn is_typing(&self) -> bool {
        self.input.is_some()
    }

    fn paste(&mut self, text: &str) -> bool {
        self.input.as_mut().map(|input| input.paste(text)).is_some()
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Transition {
        if let Some(line) = &mut self.input {
            match line.key(key) {
                InputState::Editing => {}
                InputState::Cancelled => self.input = None,
                InputState::Submitted => {
                    let name = line.text().trim().to_owned();
                    match name.is_empty() {
                        true => self.input = None,
                        false => self.open(&name, context),
                    }
                }
            }
            return Transition::Stay;
        }
        if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
            return Transition::Open(Box::new(MenuPage::new(context)));
        }
        let chosen = self.list.key(key);
        self.select(&chosen, context)
    }

    fn mouse(&mut self, mouse: MouseEvent, context: &mut Context) -> Transition {
        let chosen = self.list.mouse(mouse);
        self.select(&chosen, context)
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, context: &Context) {
        self.list.draw(
            Rect::new(area.x, area.y + 1, area.width, area.height.saturating_sub(3)),
            buffer,
            context.styles,
        );
        if let Some(line) = &self.input {
            let text = line.line(" File: ", area.width.into(), context.styles.of(Role::Key));
            text.render(Rect::new(area.x, area.y + area.height - 1, area.width, 1), buffer);
        }
    }
}
