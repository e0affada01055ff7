//! Games that were played before, to look at again.

use std::env;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::Widget;
use seabattle_core::{End, Record, Side};

use super::app::Context;
use super::list::{SelectList, Selection};
use super::menu::MenuPage;
use super::page::{KeyHint, Page, Transition, explained};
use super::replay::ReplayPage;
use super::storage::{ParsedRecords, read_text};
use super::style::{Role, Styles};
use super::text_input::{InputState, TextInput};
use crate::messages;

pub(super) struct RecordsPage {
    records: Vec<Record>,
    choice: SelectList,
    typed: Option<TextInput>,
}

impl RecordsPage {
    pub(super) fn new(desk: &Context) -> Self {
        Self::of(desk.keep.games())
    }

    fn of(records: Vec<Record>) -> Self {
        let mut items: Vec<(String, String)> = records.iter().map(described).collect();
        items.push(("open a file".to_owned(), "type its name".to_owned()));
        Self { records, choice: SelectList::new(items, 0), typed: None }
    }

    fn take(&mut self, chosen: &Selection, desk: &mut Context) -> Transition {
        let Selection::Item(number) = *chosen else { return Transition::Stay };
        match self.records.get(number) {
            Some(record) => Transition::Go(Box::new(ReplayPage::of_record(record, desk))),
            None => {
                self.typed = Some(TextInput::default());
                Transition::Stay
            }
        }
    }

    /// A file that cannot be opened leaves its name to be mended.
    fn open(&mut self, name: &str, desk: &mut Context) {
        let listed = match read_text(&below_home(name)) {
            Ok(text) => ParsedRecords::of(&text),
            Err(error) => return desk.say(format!("{name}: {error}")),
        };
        let fault = listed.fault.map(|fault| format!("{name}: {fault}"));
        if listed.records.is_empty() {
            return desk.say(fault.unwrap_or_else(|| format!("{name} contains no game records.")));
        }
        *self = Self::of(listed.records);
        if let Some(fault) = fault {
            desk.say(format!("Some records cannot be read. {fault}"));
        }
    }
}

/// As shells read it.
fn below_home(name: &str) -> PathBuf {
    match (name.strip_prefix("~/"), env::home_dir()) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => PathBuf::from(name),
    }
}

fn described(record: &Record) -> (String, String) {
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

    fn help(&self, _look: Styles) -> Vec<(String, String)> {
        explained(&[("Enter, Space, click", "open"), ("Esc, q", "back to the menu")])
    }

    fn is_typing(&self) -> bool {
        self.typed.is_some()
    }

    fn key(&mut self, key: KeyEvent, desk: &mut Context) -> Transition {
        if let Some(line) = &mut self.typed {
            match line.key(key) {
                InputState::Still => {}
                InputState::GivenUp => self.typed = None,
                InputState::Done => {
                    let name = line.text().trim().to_owned();
                    match name.is_empty() {
                        true => self.typed = None,
                        false => self.open(&name, desk),
                    }
                }
            }
            return Transition::Stay;
        }
        if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
            return Transition::Go(Box::new(MenuPage::new(desk)));
        }
        let chosen = self.choice.key(key);
        self.take(&chosen, desk)
    }

    fn mouse(&mut self, mouse: MouseEvent, desk: &mut Context) -> Transition {
        let chosen = self.choice.mouse(mouse);
        self.take(&chosen, desk)
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Context) {
        self.choice.draw(Rect::new(area.x, area.y + 1, area.width, area.height.saturating_sub(3)), buffer, desk.look);
        if let Some(line) = &self.typed {
            let text = Line::styled(format!(" File: {}_", line.text()), desk.look.style(Role::Key));
            text.render(Rect::new(area.x, area.y + area.height - 1, area.width, 1), buffer);
        }
    }
}
