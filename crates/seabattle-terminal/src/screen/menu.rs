//! The main menu.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};

use super::app::Context;
use super::battle::BattlePage;
use super::list::{SelectList, Selection};
use super::opponents::{OpponentsPage, Purpose};
use super::page::{ConfirmAction, KeyHint, Page, Question, Transition, help_entries};
use super::placing::PlacingPage;
use super::records::RecordsPage;
use super::rules::RulesPage;
use super::storage::SavedGame;
use super::style::Role;

const SHIP: [&str; 5] = [
    r"            |\__            ",
    r"         ___|___\_          ",
    r"    ____/ o  o  o \____     ",
    r"    \  SEABATTLE      /     ",
    r" ~~~~\_______________/~~~~~ ",
];

/// The entries of the menu.
#[derive(Clone, Copy)]
enum MenuItem {
    Continue,
    Play,
    Rules,
    Opponent,
    Watch,
    Replay,
    Effects,
    Quit,
}

pub(super) struct MenuPage {
    items: Vec<MenuItem>,
    list: SelectList,
    saved: Option<SavedGame>,
}

impl MenuPage {
    pub(super) fn new(context: &Context) -> Self {
        let saved = context.storage.saved_game().filter(is_resumable);
        let mut items = vec![
            MenuItem::Play,
            MenuItem::Rules,
            MenuItem::Opponent,
            MenuItem::Watch,
            MenuItem::Replay,
            MenuItem::Effects,
            MenuItem::Quit,
        ];
        if saved.is_some() {
            items.insert(0, MenuItem::Continue);
        }
        let items_shown = items.iter().map(|item| menu_entry(*item, context, saved.as_ref())).collect();
        Self { list: SelectList::new(items_shown, 0), items, saved }
    }

    fn select(&self, chosen: &Selection, context: &mut Context) -> Transition {
        let Selection::Item(number) = *chosen else { return Transition::Stay };
        let page: Box<dyn Page> = match self.items[number] {
            MenuItem::Continue => match self.saved.as_ref().and_then(|saved| resume(saved, context)) {
                Some(page) => page,
                None => return Transition::Stay,
            },
            MenuItem::Play if self.saved.as_ref().is_some_and(|saved| saved.game().is_some()) => {
                let text = "Give up your unfinished game and start a new one?".to_owned();
                return Transition::Ask(Question { text, action: ConfirmAction::NewGame });
            }
            MenuItem::Play => new_game(context),
            MenuItem::Rules => Box::new(RulesPage::new(context)),
            MenuItem::Opponent => Box::new(OpponentsPage::new(Purpose::Opponent, context)),
            MenuItem::Watch => Box::new(OpponentsPage::new(Purpose::WatchFirst, context)),
            MenuItem::Replay => Box::new(RecordsPage::new(context)),
            MenuItem::Effects => {
                context.settings.instant = !context.settings.instant;
                context.save_settings();
                let mut menu = Self::new(context);
                menu.list.select(number);
                Box::new(menu)
            }
            MenuItem::Quit => return Transition::Quit,
        };
        Transition::Open(page)
    }
}

fn menu_entry(item: MenuItem, context: &Context, saved: Option<&SavedGame>) -> (String, String) {
    let (name, about) = match item {
        MenuItem::Continue => {
            let stage = saved.map_or("", |saved| if saved.record.is_empty() { "placing ships" } else { "in battle" });
            let against = saved.and_then(|saved| seabattle_bots::find(&saved.bot).ok()).map_or("", |bot| bot.title);
            ("Continue", format!("your game against {against}, {stage}"))
        }
        MenuItem::Play => ("Play", "a new game".to_owned()),
        MenuItem::Rules => ("Rules", context.rules.to_string()),
        MenuItem::Opponent => ("Opponent", context.bot.title.to_owned()),
        MenuItem::Watch => ("Watch", "two bots play each other".to_owned()),
        MenuItem::Replay => ("Replay", "review earlier games".to_owned()),
        MenuItem::Effects if context.settings.instant => ("Effects", "off: answers come at once".to_owned()),
        MenuItem::Effects => ("Effects", "on: your result first, then the answer".to_owned()),
        MenuItem::Quit => ("Quit", String::new()),
    };
    (name.to_owned(), about)
}

/// Whether the saved game is intact and its bot still exists.
pub(super) fn is_resumable(saved: &SavedGame) -> bool {
    saved.setup().is_some()
}

fn new_game(context: &mut Context) -> Box<dyn Page> {
    let setup = context.next_setup();
    Box::new(PlacingPage::new(setup))
}

/// Opens the page where the saved game was left.
pub(super) fn resume(saved: &SavedGame, context: &mut Context) -> Option<Box<dyn Page>> {
    let setup = saved.setup()?;
    match saved.game() {
        Some(game) => Some(Box::new(BattlePage::resumed(setup, game, saved.aimed(), context))),
        None => Some(Box::new(PlacingPage::resumed(setup, &saved.ships))),
    }
}

impl Page for MenuPage {
    fn title(&self) -> String {
        "Battleship in your terminal".to_owned()
    }

    fn hints(&self) -> Vec<KeyHint> {
        vec![("↑↓", "choose"), ("Enter", "select"), ("q", "quit")]
    }

    fn help(&self, _context: &Context) -> Vec<(String, String)> {
        help_entries(&[
            ("up, down, k, j", "move"),
            ("Enter, Space, click", "select"),
            ("q, Esc", "quit"),
            ("", ""),
            ("Play", "place your ships, then sink the enemy fleet"),
            ("Rules", "board, fleet and turns of the next game"),
            ("Opponent", "five levels, and the algorithms of published sources"),
            ("Watch", "choose two bots and the speed of their game"),
            ("Replay", "step through an earlier game with the odds of every shot"),
            ("Effects", "pause for 0.3 seconds after your shot, or answer at once"),
        ])
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Transition {
        if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
            return Transition::Quit;
        }
        let chosen = self.list.key(key);
        self.select(&chosen, context)
    }

    fn mouse(&mut self, mouse: MouseEvent, context: &mut Context) -> Transition {
        let chosen = self.list.mouse(mouse);
        self.select(&chosen, context)
    }

    fn confirmed(&mut self, _action: ConfirmAction, context: &mut Context) -> Transition {
        context.storage.delete_saved_game();
        Transition::Open(new_game(context))
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, context: &Context) {
        let roomy = area.height >= 10 + SHIP.len() as u16;
        let top = if roomy { SHIP.len() as u16 + 2 } else { 1 };
        if roomy {
            let style = context.styles.of(Role::Title);
            let lines: Vec<Line<'_>> = SHIP.iter().map(|line| Line::styled(*line, style)).collect();
            let margin = 3.min(area.width);
            let place = Rect::new(area.x + margin, area.y + 1, area.width - margin, SHIP.len() as u16);
            Paragraph::new(lines).render(place, buffer);
        }
        let place = Rect::new(area.x + 2, area.y + top, area.width - 2, area.height - top);
        self.list.draw(place, buffer, context.styles);
    }
}
