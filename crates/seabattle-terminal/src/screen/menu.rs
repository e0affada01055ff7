//! The first page: what would you like to do?

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Paragraph, Widget};

use super::app::Desk;
use super::battle::Battle;
use super::choice::{Choice, Chosen};
use super::keep::Left;
use super::look::{Look, Part};
use super::opponents::{Opponents, Purpose};
use super::page::{Hint, Page, Question, Step, Wish, explained};
use super::placing::Placing;
use super::records::Records;
use super::rules::RulesPage;

const SHIP: [&str; 5] = [
    r"            |\__            ",
    r"         ___|___\_          ",
    r"    ____/ o  o  o \____     ",
    r"    \  SEABATTLE      /     ",
    r" ~~~~\_______________/~~~~~ ",
];

/// What can be chosen.
#[derive(Clone, Copy)]
enum Item {
    GoOn,
    Play,
    Rules,
    Opponent,
    Watch,
    Replay,
    Quit,
}

pub(super) struct Menu {
    items: Vec<Item>,
    choice: Choice,
    left: Option<Left>,
}

impl Menu {
    pub(super) fn new(desk: &Desk) -> Self {
        let left = desk.keep.left().filter(is_sound);
        let mut items = vec![Item::Play, Item::Rules, Item::Opponent, Item::Watch, Item::Replay, Item::Quit];
        if left.is_some() {
            items.insert(0, Item::GoOn);
        }
        let texts = items.iter().map(|item| described(*item, desk, left.as_ref())).collect();
        Self { choice: Choice::new(texts, 0), items, left }
    }

    fn take(&self, chosen: &Chosen, desk: &mut Desk) -> Step {
        let Chosen::Item(number) = *chosen else { return Step::Stay };
        let page: Box<dyn Page> = match self.items[number] {
            Item::GoOn => match self.left.as_ref().and_then(|left| go_on(left, desk)) {
                Some(page) => page,
                None => return Step::Stay,
            },
            Item::Play if self.left.as_ref().is_some_and(|left| left.game().is_some()) => {
                let text = "Give up your unfinished game and start a new one?".to_owned();
                return Step::Ask(Question { text, wish: Wish::Fresh });
            }
            Item::Play => new_game(desk),
            Item::Rules => Box::new(RulesPage::new(desk)),
            Item::Opponent => Box::new(Opponents::new(Purpose::Opponent, desk)),
            Item::Watch => Box::new(Opponents::new(Purpose::WatchFirst, desk)),
            Item::Replay => Box::new(Records::new(desk)),
            Item::Quit => return Step::Leave,
        };
        Step::Go(page)
    }
}

fn described(item: Item, desk: &Desk, left: Option<&Left>) -> (String, String) {
    let (name, about) = match item {
        Item::GoOn => {
            let stage = left.map_or("", |left| if left.record.is_empty() { "placing ships" } else { "in battle" });
            let against = left.and_then(|left| seabattle_bots::find(&left.bot).ok()).map_or("", |bot| bot.title);
            ("Continue", format!("your game against {against}, {stage}"))
        }
        Item::Play => ("Play", "a new game".to_owned()),
        Item::Rules => ("Rules", desk.rules.to_string()),
        Item::Opponent => ("Opponent", desk.bot.title.to_owned()),
        Item::Watch => ("Watch", "two bots play each other".to_owned()),
        Item::Replay => ("Replay", "review earlier games".to_owned()),
        Item::Quit => ("Quit", String::new()),
    };
    (name.to_owned(), about)
}

/// Whether the game can go on: it was not spoilt, and its bot still exists.
pub(super) fn is_sound(left: &Left) -> bool {
    left.terms().is_some()
}

fn new_game(desk: &mut Desk) -> Box<dyn Page> {
    let terms = desk.terms();
    Box::new(Placing::new(terms))
}

/// The page where a game was left.
pub(super) fn go_on(left: &Left, desk: &mut Desk) -> Option<Box<dyn Page>> {
    let terms = left.terms()?;
    match left.game() {
        Some(game) => Some(Box::new(Battle::resumed(terms, game, left.aimed(), desk))),
        None => Some(Box::new(Placing::resumed(terms, &left.ships))),
    }
}

impl Page for Menu {
    fn title(&self) -> String {
        "Battleship in your terminal".to_owned()
    }

    fn hints(&self) -> Vec<Hint> {
        vec![("↑↓", "choose"), ("Enter", "select"), ("q", "quit")]
    }

    fn help(&self, _look: Look) -> Vec<(String, String)> {
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

    fn key(&mut self, key: KeyEvent, desk: &mut Desk) -> Step {
        if matches!(key.code, KeyCode::Char('q') | KeyCode::Esc) {
            return Step::Leave;
        }
        let chosen = self.choice.key(key);
        self.take(&chosen, desk)
    }

    fn mouse(&mut self, mouse: MouseEvent, desk: &mut Desk) -> Step {
        let chosen = self.choice.mouse(mouse);
        self.take(&chosen, desk)
    }

    fn granted(&mut self, _wish: Wish, desk: &mut Desk) -> Step {
        desk.keep.drop_left();
        Step::Go(new_game(desk))
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Desk) {
        let roomy = area.height >= 10 + SHIP.len() as u16;
        let top = if roomy { SHIP.len() as u16 + 2 } else { 1 };
        if roomy {
            let style = desk.look.style(Part::Title);
            let lines: Vec<Line<'_>> = SHIP.iter().map(|line| Line::styled(*line, style)).collect();
            let margin = 3.min(area.width);
            let place = Rect::new(area.x + margin, area.y + 1, area.width - margin, SHIP.len() as u16);
            Paragraph::new(lines).render(place, buffer);
        }
        let place = Rect::new(area.x + 2, area.y + top, area.width - 2, area.height - top);
        self.choice.draw(place, buffer, desk.look);
    }
}
