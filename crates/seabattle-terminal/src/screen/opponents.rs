//! Choosing a bot: the opponent of the next game, or two bots to watch.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use seabattle_bots::{Entry, Group, bots_of};
use seabattle_core::BySide;

use super::app::Context;
use super::list::{SelectList, Selection};
use super::menu::MenuPage;
use super::page::{KeyHint, Page, Transition, explained};
use super::replay::ReplayPage;
use super::style::Styles;

/// What a bot is chosen for.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// To be the opponent of the next games.
    Opponent,
    /// To be the first of two bots to watch.
    WatchFirst,
    /// To play against this bot.
    WatchSecond(&'static Entry),
}

/// The page of the levels, which leads to that of the other opponents.
pub(super) struct OpponentsPage {
    purpose: Purpose,
    group: Group,
    bots: Vec<&'static Entry>,
    choice: SelectList,
}

impl OpponentsPage {
    /// The levels, with the cursor on the bot that is most likely wanted.
    pub(super) fn new(purpose: Purpose, desk: &Context) -> Self {
        let levels = bots_of(Group::Level).count();
        let at = match purpose {
            Purpose::Opponent => bots_of(Group::Level).position(|bot| bot.name == desk.bot.name).unwrap_or(levels),
            Purpose::WatchFirst | Purpose::WatchSecond(_) => levels - 1,
        };
        Self::of(Group::Level, purpose, at, desk)
    }

    fn of(group: Group, purpose: Purpose, at: usize, desk: &Context) -> Self {
        let bots: Vec<&'static Entry> = bots_of(group).collect();
        let about = |bot: &Entry| desk.look.either(bot.about.to_owned(), bot.about.replace('×', "x"));
        let mut items: Vec<(String, String)> = bots.iter().map(|bot| (bot.title.to_owned(), about(bot))).collect();
        if group == Group::Level {
            items.push(("More opponents".to_owned(), "The algorithms of five published sources.".to_owned()));
        }
        Self { purpose, group, bots, choice: SelectList::new(items, at).wrapping() }
    }

    fn more(purpose: Purpose, desk: &Context) -> Self {
        let at = match purpose {
            Purpose::Opponent => bots_of(Group::Document).position(|bot| bot.name == desk.bot.name),
            Purpose::WatchFirst | Purpose::WatchSecond(_) => None,
        };
        Self::of(Group::Document, purpose, at.unwrap_or(0), desk)
    }

    fn take(&self, chosen: &Selection, desk: &mut Context) -> Transition {
        let Selection::Item(number) = *chosen else { return Transition::Stay };
        let Some(&bot) = self.bots.get(number) else {
            return Transition::Go(Box::new(Self::more(self.purpose, desk)));
        };
        match self.purpose {
            Purpose::Opponent => {
                desk.choose_bot(bot);
                Transition::Go(Box::new(MenuPage::new(desk)))
            }
            Purpose::WatchFirst => Transition::Go(Box::new(Self::new(Purpose::WatchSecond(bot), desk))),
            Purpose::WatchSecond(first) => {
                let terms = desk.terms();
                Transition::Go(Box::new(ReplayPage::of_bots(&terms, BySide { a: first, b: bot }, desk)))
            }
        }
    }

    /// The page from which this one was opened.
    fn back(&self, desk: &Context) -> Transition {
        Transition::Go(match (self.group, self.purpose) {
            (Group::Document, purpose) => {
                Box::new(Self::of(Group::Level, purpose, bots_of(Group::Level).count(), desk))
            }
            (_, Purpose::WatchSecond(_)) => Box::new(Self::new(Purpose::WatchFirst, desk)),
            _ => Box::new(MenuPage::new(desk)),
        })
    }
}

impl Page for OpponentsPage {
    fn title(&self) -> String {
        let title = match self.purpose {
            Purpose::Opponent => "Choose your opponent".to_owned(),
            Purpose::WatchFirst => "Watch two bots: choose the first".to_owned(),
            Purpose::WatchSecond(first) => format!("Choose who plays {}", first.title),
        };
        if self.group == Group::Document { format!("{title}: more opponents") } else { title }
    }

    fn hints(&self) -> Vec<KeyHint> {
        vec![("↑↓", "choose"), ("Enter", "select"), ("Esc", "back")]
    }

    fn help(&self, _look: Styles) -> Vec<(String, String)> {
        explained(&[
            ("up, down, k, j", "move"),
            ("Enter, Space, click", "select"),
            ("Esc, q", "back"),
            ("", ""),
            ("Levels", "five opponents for people, weakest first"),
            ("More opponents", "published algorithms, simplest first; `seabattle bots` names their sources"),
        ])
    }

    fn key(&mut self, key: KeyEvent, desk: &mut Context) -> Transition {
        if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
            return self.back(desk);
        }
        let chosen = self.choice.key(key);
        self.take(&chosen, desk)
    }

    fn mouse(&mut self, mouse: MouseEvent, desk: &mut Context) -> Transition {
        let chosen = self.choice.mouse(mouse);
        self.take(&chosen, desk)
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Context) {
        self.choice.draw(Rect::new(area.x, area.y + 1, area.width, area.height - 1), buffer, desk.look);
    }
}
