//! The page for choosing a bot: the opponent of the next game, or two bots to watch.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use seabattle_bots::{BotInfo, Group, bots_of};
use seabattle_core::BySide;

use super::app::Context;
use super::list::{SelectList, Selection};
use super::menu::MenuPage;
use super::page::{KeyHint, Page, Transition, help_entries};
use super::replay::ReplayPage;

/// What the bot is chosen for.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// The opponent of the next games.
    Opponent,
    /// The first of two bots to watch.
    WatchFirst,
    /// The second of two bots to watch, against this one.
    WatchSecond(&'static BotInfo),
}

/// A list of bots. The list of levels leads to the list of all other opponents.
pub(super) struct OpponentsPage {
    purpose: Purpose,
    group: Group,
    bots: Vec<&'static BotInfo>,
    list: SelectList,
}

impl OpponentsPage {
    /// Lists the levels, with the cursor on the current opponent.
    pub(super) fn new(purpose: Purpose, context: &Context) -> Self {
        let levels = bots_of(Group::Level).count();
        let at = match purpose {
            Purpose::Opponent => bots_of(Group::Level).position(|bot| bot.name == context.bot.name).unwrap_or(levels),
            Purpose::WatchFirst | Purpose::WatchSecond(_) => levels - 1,
        };
        Self::of(Group::Level, purpose, at, context)
    }

    fn of(group: Group, purpose: Purpose, at: usize, context: &Context) -> Self {
        let bots: Vec<&'static BotInfo> = bots_of(group).collect();
        let about = |bot: &BotInfo| context.styles.unicode_or_ascii(bot.about.to_owned(), bot.about.replace('×', "x"));
        let mut items: Vec<(String, String)> = bots.iter().map(|bot| (bot.title.to_owned(), about(bot))).collect();
        if group == Group::Level {
            items.push(("More opponents".to_owned(), "The algorithms of five published sources.".to_owned()));
        }
        Self { purpose, group, bots, list: SelectList::new(items, at).wrapping() }
    }

    fn more_opponents(purpose: Purpose, context: &Context) -> Self {
        let at = match purpose {
            Purpose::Opponent => bots_of(Group::Document).position(|bot| bot.name == context.bot.name),
            Purpose::WatchFirst | Purpose::WatchSecond(_) => None,
        };
        Self::of(Group::Document, purpose, at.unwrap_or(0), context)
    }

    fn select(&self, chosen: &Selection, context: &mut Context) -> Transition {
        let Selection::Item(number) = *chosen else { return Transition::Stay };
        let Some(&bot) = self.bots.get(number) else {
            return Transition::Open(Box::new(Self::more_opponents(self.purpose, context)));
        };
        match self.purpose {
            Purpose::Opponent => {
                context.choose_bot(bot);
                Transition::Open(Box::new(MenuPage::new(context)))
            }
            Purpose::WatchFirst => Transition::Open(Box::new(Self::new(Purpose::WatchSecond(bot), context))),
            Purpose::WatchSecond(first) => {
                let setup = context.next_setup();
                Transition::Open(Box::new(ReplayPage::of_bots(&setup, BySide { a: first, b: bot }, context)))
            }
        }
    }

    /// Returns to the page from which this one was opened.
    fn back(&self, context: &Context) -> Transition {
        Transition::Open(match (self.group, self.purpose) {
            (Group::Document, purpose) => {
                Box::new(Self::of(Group::Level, purpose, bots_of(Group::Level).count(), context))
            }
            (_, Purpose::WatchSecond(_)) => Box::new(Self::new(Purpose::WatchFirst, context)),
            _ => Box::new(MenuPage::new(context)),
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

    fn help(&self, _context: &Context) -> Vec<(String, String)> {
        help_entries(&[
            ("up, down, k, j", "move"),
            ("Enter, Space, click", "select"),
            ("Esc, q", "back"),
            ("", ""),
            ("Levels", "five opponents for people, weakest first"),
            ("More opponents", "published algorithms, simplest first; `seabattle bots` names their sources"),
        ])
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Transition {
        if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
            return self.back(context);
        }
        let chosen = self.list.key(key);
        self.select(&chosen, context)
    }

    fn mouse(&mut self, mouse: MouseEvent, context: &mut Context) -> Transition {
        let chosen = self.list.mouse(mouse);
        self.select(&chosen, context)
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, context: &Context) {
        self.list.draw(Rect::new(area.x, area.y + 1, area.width, area.height - 1), buffer, context.styles);
    }
}
