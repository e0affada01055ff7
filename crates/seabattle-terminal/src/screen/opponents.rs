//! Choosing a bot: the opponent of the next game, or two bots to watch.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use seabattle_bots::{BotInfo, Group, bots_of};
use seabattle_core::BySide;

use super::app::Desk;
use super::choice::{Choice, Chosen};
use super::look::Look;
use super::menu::Menu;
use super::page::{Hint, Page, Step, explained};
use super::show::Show;

/// What a bot is chosen for.
#[derive(Clone, Copy)]
pub(super) enum Purpose {
    /// To be the opponent of the next games.
    Opponent,
    /// To be the first of two bots to watch.
    WatchFirst,
    /// To play against this bot.
    WatchSecond(&'static BotInfo),
}

/// The page of the levels, which leads to that of the other opponents.
pub(super) struct Opponents {
    purpose: Purpose,
    group: Group,
    bots: Vec<&'static BotInfo>,
    choice: Choice,
}

impl Opponents {
    /// The levels, with the cursor on the bot that is most likely wanted.
    pub(super) fn new(purpose: Purpose, desk: &Desk) -> Self {
        let levels = bots_of(Group::Level).count();
        let at = match purpose {
            Purpose::Opponent => bots_of(Group::Level).position(|bot| bot.name == desk.bot.name).unwrap_or(levels),
            Purpose::WatchFirst | Purpose::WatchSecond(_) => levels - 1,
        };
        Self::of(Group::Level, purpose, at, desk)
    }

    fn of(group: Group, purpose: Purpose, at: usize, desk: &Desk) -> Self {
        let bots: Vec<&'static BotInfo> = bots_of(group).collect();
        let about = |bot: &BotInfo| desk.look.either(bot.about.to_owned(), bot.about.replace('×', "x"));
        let mut items: Vec<(String, String)> = bots.iter().map(|bot| (bot.title.to_owned(), about(bot))).collect();
        if group == Group::Level {
            items.push(("More opponents".to_owned(), "The algorithms of five published sources.".to_owned()));
        }
        Self { purpose, group, bots, choice: Choice::new(items, at).wrapping() }
    }

    fn more(purpose: Purpose, desk: &Desk) -> Self {
        let at = match purpose {
            Purpose::Opponent => bots_of(Group::Document).position(|bot| bot.name == desk.bot.name),
            Purpose::WatchFirst | Purpose::WatchSecond(_) => None,
        };
        Self::of(Group::Document, purpose, at.unwrap_or(0), desk)
    }

    fn take(&self, chosen: &Chosen, desk: &mut Desk) -> Step {
        let Chosen::Item(number) = *chosen else { return Step::Stay };
        let Some(&bot) = self.bots.get(number) else {
            return Step::Go(Box::new(Self::more(self.purpose, desk)));
        };
        match self.purpose {
            Purpose::Opponent => {
                desk.choose_bot(bot);
                Step::Go(Box::new(Menu::new(desk)))
            }
            Purpose::WatchFirst => Step::Go(Box::new(Self::new(Purpose::WatchSecond(bot), desk))),
            Purpose::WatchSecond(first) => {
                let terms = desk.terms();
                Step::Go(Box::new(Show::of_bots(&terms, BySide { a: first, b: bot }, desk)))
            }
        }
    }

    /// The page from which this one was opened.
    fn back(&self, desk: &Desk) -> Step {
        Step::Go(match (self.group, self.purpose) {
            (Group::Document, purpose) => {
                Box::new(Self::of(Group::Level, purpose, bots_of(Group::Level).count(), desk))
            }
            (_, Purpose::WatchSecond(_)) => Box::new(Self::new(Purpose::WatchFirst, desk)),
            _ => Box::new(Menu::new(desk)),
        })
    }
}

impl Page for Opponents {
    fn title(&self) -> String {
        let title = match self.purpose {
            Purpose::Opponent => "Choose your opponent".to_owned(),
            Purpose::WatchFirst => "Watch two bots: choose the first".to_owned(),
            Purpose::WatchSecond(first) => format!("Choose who plays {}", first.title),
        };
        if self.group == Group::Document { format!("{title}: more opponents") } else { title }
    }

    fn hints(&self) -> Vec<Hint> {
        vec![("↑↓", "choose"), ("Enter", "select"), ("Esc", "back")]
    }

    fn help(&self, _look: Look) -> Vec<(String, String)> {
        explained(&[
            ("up, down, k, j", "move"),
            ("Enter, Space, click", "select"),
            ("Esc, q", "back"),
            ("", ""),
            ("Levels", "five opponents for people, weakest first"),
            ("More opponents", "published algorithms, simplest first; `seabattle bots` names their sources"),
        ])
    }

    fn key(&mut self, key: KeyEvent, desk: &mut Desk) -> Step {
        if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
            return self.back(desk);
        }
        let chosen = self.choice.key(key);
        self.take(&chosen, desk)
    }

    fn mouse(&mut self, mouse: MouseEvent, desk: &mut Desk) -> Step {
        let chosen = self.choice.mouse(mouse);
        self.take(&chosen, desk)
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Desk) {
        self.choice.draw(Rect::new(area.x, area.y + 1, area.width, area.height - 1), buffer, desk.look);
    }
}
