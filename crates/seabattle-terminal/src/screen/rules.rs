//! The page for choosing rules from a list or typing them.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget, Wrap};
use seabattle_core::Rules;

use super::app::Context;
use super::list::{SelectList, Selection};
use super::menu::MenuPage;
use super::page::{KeyHint, Page, Transition, help_entries};
use super::style::Role;
use super::text_input::{InputState, TextInput};
use crate::messages;

const PRESETS: [(&str, &str); 7] = [
    ("classic", "five ships that may touch, one shot per turn"),
    ("russian", "ten ships apart; fire again after a hit"),
    ("salvo", "one shot for each of your ships afloat"),
    ("classic,touching=forbidden", "classic, but ships may not touch"),
    ("classic,announce=hit", "classic, but sinkings are not announced"),
    ("6x6:3,2,2", "a short game"),
    ("15x15:5,4,4,3,3,2,2", "a long game"),
];

/// The list of presets and the field for custom rules.
pub(super) struct RulesPage {
    list: SelectList,
    input: Option<TextInput>,
}

impl RulesPage {
    pub(super) fn new(context: &Context) -> Self {
        let chosen = context.rules.to_string();
        let known = PRESETS.iter().position(|(text, _)| same_rules(text, &context.rules));
        let mut items: Vec<(String, String)> =
            PRESETS.iter().map(|(text, about)| ((*text).to_owned(), (*about).to_owned())).collect();
        items.push(("custom".to_owned(), if known.is_none() { chosen } else { "type your own".to_owned() }));
        Self { list: SelectList::new(items, known.unwrap_or(PRESETS.len())), input: None }
    }

    fn select(&mut self, chosen: &Selection, context: &mut Context) -> Transition {
        let Selection::Item(number) = *chosen else { return Transition::Stay };
        match PRESETS.get(number) {
            Some((text, _)) => choose(text, context),
            None => {
                self.input = Some(TextInput::new(&context.rules.to_string()));
                Transition::Stay
            }
        }
    }

    /// Explains the chosen or typed rules, or what is wrong with them.
    fn meaning(&self) -> Result<String, String> {
        let preset = PRESETS.get(self.list.at()).map(|(text, _)| (*text).to_owned());
        let Some(text) = self.input.as_ref().map(TextInput::text).or(preset) else {
            return Ok(
                "Type a size and a fleet, then any options: 8x8:4,3,2,2,touching=forbidden,turn=again".to_owned()
            );
        };
        let rules: Rules = text.parse().map_err(|error: seabattle_core::ParseRulesError| error.to_string())?;
        Ok(format!(
            "Fleet: {}.\n{}",
            messages::fleet_list(&rules, |class| class.count()),
            messages::rules_in_words(&rules)
        ))
    }
}

fn same_rules(text: &str, rules: &Rules) -> bool {
    text.parse::<Rules>().is_ok_and(|other| other == *rules)
}

fn choose(text: &str, context: &mut Context) -> Transition {
    match text.parse() {
        Ok(rules) => {
            context.choose_rules(rules);
            Transition::Open(Box::new(MenuPage::new(context)))
        }
        Err(_) => Transition::Stay,
    }
}

impl Page for RulesPage {
    fn title(&self) -> String {
        "Choose the rules".to_owned()
    }

    fn hints(&self) -> Vec<KeyHint> {
        vec![("↑↓", "choose"), ("Enter", "select"), ("Esc", "back")]
    }

    fn help(&self, _context: &Context) -> Vec<(String, String)> {
        help_entries(&[
            ("Enter, Space, click", "select"),
            ("Esc, q", "back"),
            ("", ""),
            ("8x8:4,3,2,2", "any size up to 50x50 with any fleet"),
            ("touching=", "allowed, corners, forbidden"),
            ("turn=", "alternate, again, salvo, salvo:N"),
            ("announce=", "hit, sunk, which, named"),
            ("ending=", "at-once, equal"),
        ])
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
                    let text = line.text();
                    return choose(&text, context);
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
        let styles = context.styles;
        let rows = (self.list.len() as u16).min(area.height.saturating_sub(5));
        self.list.draw(Rect::new(area.x, area.y + 1, area.width, rows), buffer, styles);
        let below = area.y + rows + 2;
        let place = Rect::new(area.x + 2, below, area.width - 3, (area.y + area.height).saturating_sub(below));
        let mut lines = Vec::new();
        if let Some(input) = &self.input {
            lines.push(input.line("Rules: ", place.width.into(), styles.of(Role::Key)));
        }
        let (text, role) = match self.meaning() {
            Ok(text) => (text, Role::Text),
            Err(text) => (text, Role::Bad),
        };
        lines.extend(text.lines().map(|line| Line::styled(line.to_owned(), styles.of(role))));
        Paragraph::new(lines).wrap(Wrap { trim: true }).render(place, buffer);
    }
}
