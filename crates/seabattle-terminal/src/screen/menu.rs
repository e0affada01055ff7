//! The first page: what would you like to do?

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};

use super::app::Context;
use super::battle::BattlePage;
use super::list::{SelectList, Selection};
use super::opponents::{OpponentsPage, Purpose};
use super::page::{ConfirmAction, KeyHint, Page, Question, Transition, explained};
use super::placing::PlacingPage;
use super::records::RecordsPage;
use super::rules::RulesPage;
use super::storage::SavedGame;
use super::style::{Role, Styles};

const SHIP: [&str; 5] = [
    r"            |\__            ",
    r"         ___|___\_          ",
    r"    ____/ o  o  o \____     ",
    r"    \  SEABATTLE      /     ",
    r" ~~~~\_______________/~~~~~ ",
];

/// What can be chosen.
#[derive(Clone, Copy)]
enum MenuItem {
    GoOn,
    Play,
    Rules,
    Opponent,
    Watch,
    Replay,
    Quit,
}

pub(super) struct MenuPage {
    items: Vec<MenuItem>,
    choice: SelectList,
    left: Option<SavedGame>,
}

impl MenuPage {
    pub(super) fn new(desk: &Context) -> Self {
        let left = desk.keep.left().filter(is_sound);
        let mut items = vec![
            MenuItem::Play,
            MenuItem::Rules,
            MenuItem::Opponent,
            MenuItem::Watch,
            MenuItem::Replay,
            MenuItem::Quit,
        ];
        if left.is_some() {
            items.insert(0, MenuItem::GoOn);
        }
        let texts = items.iter().map(|item| described(*item, desk, left.as_ref())).collect();
        Self { choice: SelectList::new(texts, 0), items, left }
    }

    fn take(&self, chosen: &Selection, desk: &mut Context) -> Transition {
        let Selection::Item(number) = *chosen else { return Transition::Stay };
        let page: Box<dyn Page> = match self.items[number] {
            MenuItem::GoOn => match self.left.as_ref().and_then(|left| go_on(left, desk)) {
                Some(page) => page,
                None => return Transition::Stay,
            },
            MenuItem::Play if self.left.as_ref().is_some_and(|left| left.game().is_some()) => {
                let text = "Give up your unfinished game and start a new one?".to_owned();
                return Transition::Ask(Question { text, wish: ConfirmAction::Fresh });
            }
            MenuItem::Play => new_game(desk),
            MenuItem::Rules => Box::new(RulesPage::new(desk)),
            MenuItem::Opponent => Box::new(OpponentsPage::new(Purpose::Opponent, desk)),
            MenuItem::Watch => Box::new(OpponentsPage::new(Purpose::WatchFirst, desk)),
            MenuItem::Replay => Box::new(RecordsPage::new(desk)),
            MenuItem::Quit => return Transition::Quit,
        };
        Transition::Go(page)
    }
}

fn described(item: MenuItem, desk: &Context, left: Option<&SavedGame>) -> (String, String) {
    let (name, about) = match item {
        MenuItem::GoOn => {
            let stage = left.map_or("", |left| if left.record.is_empty() { "placing ships" } else { "in battle" });
            let against = left.and_then(|left| seabattle_bots::find(&left.bot).ok()).map_or("", |bot| bot.title);
            ("Continue", format!("your game against {against}, {stage}"))
        }
        MenuItem::Play => ("Play", "a new game".to_owned()),
        MenuItem::Rules => ("Rules", desk.rules.to_string()),
        MenuItem::Opponent => ("Opponent", desk.bot.title.to_owned()),
        MenuItem::Watch => ("Watch", "two bots play each other".to_owned()),
        MenuItem::Replay => ("Replay", "review earlier games".to_owned()),
        MenuItem::Quit => ("Quit", String::new()),
    };
    (name.to_owned(), about)
}

/// Whether the game can go on: it was not spoilt, and its bot still exists.
pub(super) fn is_sound(left: &SavedGame) -> bool {
    left.terms().is_some()
}

fn new_game(desk: &mut Context) -> Box<dyn Page> {
    let terms = desk.terms();
    Box::new(PlacingPage::new(terms))
}

/// The page where a game was left.
pub(super) fn go_on(left: &SavedGame, desk: &mut Context) -> Option<Box<dyn Page>> {
    let terms = left.terms()?;
    match left.game() {
        Some(game) => Some(Box::new(BattlePage::resumed(terms, game, left.aimed(), desk))),
        None => Some(Box::new(PlacingPage::resumed(terms, &left.ships))),
    }
}

impl Page for MenuPage {
    fn title(&self) -> String {
        "Battleship in your terminal".to_owned()
    }

    fn hints(&self) -> Vec<KeyHint> {
        vec![("↑↓", "choose"), ("Enter", "select"), ("q", "quit")]
    }

    fn help(&self, _look: Styles) -> Vec<(String, String)> {
        explained(&[
            ("up, down, k, j", "move"),
            ("Enter, Space, click", "select"),
            ("q, Esc", "quit"),
            ("", ""),
            ("Play", "place your ships, then sink the enemy fleet"),
            ("Rules", "board, fleet and turns of the next game"),
            ("Opponent", "five levels, and the algorithms of published sources"),
            ("Watch", "choose two bots and the speed of their game"),
            ("Replay", "step through an earlier game with the odds of every shot"),
        ])
    }

    fn key(&mut self, key: KeyEvent, desk: &mut Context) -> Transition {
        if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
            return Transition::Quit;
        }
        let chosen = self.choice.key(key);
        self.take(&chosen, desk)
    }

    fn mouse(&mut self, mouse: MouseEvent, desk: &mut Context) -> Transition {
        let chosen = self.choice.mouse(mouse);
        self.take(&chosen, desk)
    }

    fn granted(&mut self, _wish: ConfirmAction, desk: &mut Context) -> Transition {
        desk.keep.drop_left();
        Transition::Go(new_game(desk))
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Context) {
        let roomy = area.height >= 10 + SHIP.len() as u16;
        let top = if roomy { SHIP.len() as u16 + 2 } else { 1 };
        if roomy {
            let style = desk.look.style(Role::Title);
            let lines: Vec<Line<'_>> = SHIP.iter().map(|line| Line::styled(*line, style)).collect();
            let margin = 3.min(area.width);
            let place = Rect::new(area.x + margin, area.y + 1, area.width - margin, SHIP.len() as u16);
            Paragraph::new(lines).render(place, buffer);
        }
        let place = Rect::new(area.x + 2, area.y + top, area.width - 2, area.height - top);
        self.choice.draw(place, buffer, desk.look);
    }
}
