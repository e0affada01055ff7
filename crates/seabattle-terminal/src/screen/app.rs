//! The program between the loop and the pages: what all pages share, and the keys that work everywhere.

use std::mem;
use std::sync::mpsc::Sender;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{
    KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget, Wrap};
use seabattle_bots::Entry;
use seabattle_core::{Record, Rules};

use super::dialogs::{AnswerButtons, HelpBox, draw_question};
use super::event::Event;
use super::game_setup::GameSetup;
use super::key_bar::KeyBar;
use super::menu::{MenuPage, is_sound};
use super::page::{ConfirmAction, Page, Question, Transition};
use super::placing::PlacingPage;
use super::replay::ReplayPage;
use super::storage::{Settings, Storage};
use super::style::{Role, Styles, Theme};
use super::workers::Workers;
use super::wrap::cut;
use super::{Options, Start};
use crate::{First, RecordFile};

/// A smaller window shows nothing but a word about its size.
const LEAST_COLUMNS: u16 = 36;
const LEAST_ROWS: u16 = 16;

/// What all pages share.
pub(super) struct Context {
    pub(super) look: Styles,
    pub(super) settings: Settings,
    pub(super) keep: Storage,
    pub(super) thinker: Workers,
    pub(super) save: Option<RecordFile>,
    pub(super) rules: Rules,
    pub(super) bot: &'static Entry,
    first: First,
    seed: u64,
    notice: String,
}

impl Context {
    /// The terms of the next game.
    pub(super) fn terms(&mut self) -> GameSetup {
        let terms =
            GameSetup { rules: self.rules.clone(), bot: self.bot, seed: self.seed, first: self.first, met: false };
        self.seed = self.seed.wrapping_add(1);
        terms
    }

    /// The terms of another game like this one.
    pub(super) fn terms_like(&mut self, terms: &GameSetup) -> GameSetup {
        let GameSetup { rules, bot, first, .. } = terms.clone();
        GameSetup { rules, bot, first, ..self.terms() }
    }

    /// One line for the player, until the next key.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.notice = text.into();
    }

    /// Takes a line back, if it is still there.
    pub(super) fn unsay(&mut self, text: &str) {
        if self.notice == text {
            self.notice.clear();
        }
    }

    pub(super) fn choose_rules(&mut self, rules: Rules) {
        self.settings.rules = Some(rules.to_string());
        self.rules = rules;
        self.keep_settings();
    }

    pub(super) fn choose_bot(&mut self, bot: &'static Entry) {
        self.settings.bot = Some(bot.name.to_owned());
        self.bot = bot;
        self.keep_settings();
    }

    pub(super) fn keep_settings(&mut self) {
        self.keep.keep_settings(&self.settings);
    }

    /// Keeps the record of a game that is over.
    pub(super) fn keep_game(&mut self, record: &Record) {
        self.keep.keep_game(record);
        if let Some(file) = &mut self.save {
            match file.append(record) {
                Ok(()) => self.notice = format!("Saved to {}.", file.path()),
                Err(error) => self.notice = format!("Could not save to {}: {error}.", file.path()),
            }
        }
    }
}

/// The whole program without its terminal.
pub(super) struct App {
    page: Box<dyn Page>,
    over: Option<Dialog>,
    desk: Context,
    over_now: bool,
    failure: Option<String>,
    bar: KeyBar,
    /// Whether something else may have written on the screen.
    spoilt: bool,
    /// Whether the window was too small to see anything: keys would do what nobody sees.
    unseen: bool,
}

/// What lies on top of the page.
enum Dialog {
    Help(HelpBox),
    Question(Question, AnswerButtons),
}

impl App {
    pub(super) fn new(options: Options, news: &Sender<Event>) -> Self {
        let keep = Storage::new(options.folders);
        let settings = keep.settings();
        let kept_rules = || settings.rules.as_ref().and_then(|text| text.parse().ok());
        let kept_bot = || settings.bot.as_ref().and_then(|name| seabattle_bots::find(name).ok());
        let theme = options.theme.unwrap_or_else(|| Theme::of_terminal().or_kept(settings.theme));
        let look = Styles { theme, glyphs: options.glyphs };
        let (given_rules, given_bot) = (options.rules.clone(), options.bot);
        let mut desk = Context {
            look,
            rules: options.rules.or_else(kept_rules).unwrap_or_else(Rules::classic),
            bot: options.bot.or_else(kept_bot).unwrap_or_else(seabattle_bots::default_opponent),
            first: options.first,
            seed: options.seed,
            save: options.save,
            thinker: Workers::new(news),
            notice: String::new(),
            settings,
            keep,
        };
        if let Some(rules) = given_rules {
            desk.choose_rules(rules);
        }
        if let Some(bot) = given_bot {
            desk.choose_bot(bot);
        }
        let offers_to_go_on = matches!(options.start, Start::Game);
        let page: Box<dyn Page> = match options.start {
            Start::Menu => Box::new(MenuPage::new(&desk)),
            Start::Game => {
                let terms = desk.terms();
                Box::new(PlacingPage::new(terms))
            }
            Start::Replay(record) => Box::new(ReplayPage::alone(&record, &mut desk)),
        };
        let left = desk.keep.left().filter(|left| offers_to_go_on && is_sound(left));
        let over = left.map(|_| {
            let text = "You have an unfinished game. Continue it? (A new game replaces it.)".to_owned();
            Dialog::Question(Question { text, wish: ConfirmAction::GoOn }, AnswerButtons::default())
        });
        Self { page, over, desk, over_now: false, failure: None, bar: KeyBar::default(), spoilt: false, unseen: false }
    }

    /// Whether the program is to end.
    pub(super) fn is_over(&self) -> bool {
        self.over_now
    }

    /// What made it end, if it could not go on.
    pub(super) fn failure(self) -> Option<String> {
        self.failure
    }

    /// Whether all of the screen is to be drawn anew; once.
    pub(super) fn is_spoilt(&mut self) -> bool {
        mem::take(&mut self.spoilt)
    }

    pub(super) fn wait(&self) -> Option<Duration> {
        self.page.wait()
    }

    pub(super) fn handle(&mut self, news: Event) {
        let step = match news {
            Event::Key(key) if key.kind == KeyEventKind::Release => Transition::Stay,
            Event::Key(key) => self.key(translated(key, self.page.is_typing())),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Resized => Transition::Stay,
            Event::Stop => Transition::Quit,
            Event::Broken(text) => {
                self.failure = Some(text);
                Transition::Quit
            }
            other => self.page.news(other, &mut self.desk),
        };
        self.take(step);
        if let Some(trouble) = self.desk.keep.trouble() {
            self.desk.say(trouble);
        }
    }

    fn take(&mut self, step: Transition) {
        match step {
            Transition::Stay => {}
            Transition::Go(page) => (self.page, self.over) = (page, None),
            Transition::Ask(question) => self.over = Some(Dialog::Question(question, AnswerButtons::default())),
            Transition::Quit => self.over_now = true,
        }
    }

    fn key(&mut self, key: KeyEvent) -> Transition {
        if is_ctrl(key, 'c') {
            return Transition::Quit;
        }
        if is_ctrl(key, 'l') {
            self.spoilt = true;
            return Transition::Stay;
        }
        if self.unseen {
            return Transition::Stay;
        }
        self.desk.notice.clear();
        match self.over.take() {
            Some(Dialog::Help(mut help)) => {
                self.over = help.key(key).then_some(Dialog::Help(help));
                return Transition::Stay;
            }
            Some(Dialog::Question(question, _)) => return self.answer(question, key),
            None => {}
        }
        match key.code {
            KeyCode::Char('?') if !self.page.is_typing() => self.over = Some(Dialog::Help(HelpBox::default())),
            KeyCode::Char('T') if !self.page.is_typing() => self.next_theme(),
            _ => return self.page.key(key, &mut self.desk),
        }
        Transition::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Transition {
        let at = Position::new(mouse.column, mouse.row);
        let click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if self.unseen {
            return Transition::Stay;
        }
        match &mut self.over {
            Some(Dialog::Help(help)) => {
                if !help.mouse(mouse.kind) {
                    self.over = None;
                }
                return Transition::Stay;
            }
            Some(Dialog::Question(_, answers)) => {
                let key = answers.key_at(at).filter(|_| click);
                return key.map_or(Transition::Stay, |key| self.key(key));
            }
            None => {}
        }
        if let Some(key) = self.bar.key_at(at).filter(|_| click) {
            return self.key(key);
        }
        if matches!(mouse.kind, MouseEventKind::Down(_)) {
            self.desk.notice.clear();
        }
        self.page.mouse(mouse, &mut self.desk)
    }

    fn answer(&mut self, question: Question, key: KeyEvent) -> Transition {
        match key.code {
            KeyCode::Char('y' | 'Y') | KeyCode::Enter if question.wish == ConfirmAction::Quit => Transition::Quit,
            KeyCode::Char('y' | 'Y') | KeyCode::Enter => self.page.granted(question.wish, &mut self.desk),
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Transition::Stay,
            _ => Transition::Ask(question),
        }
    }

    fn next_theme(&mut self) {
        let theme = self.desk.look.theme.next();
        self.desk.look.theme = theme;
        self.desk.settings.theme = Some(theme);
        self.desk.keep_settings();
        self.desk.say(format!("Theme: {theme}"));
    }

    pub(super) fn draw(&mut self, area: Rect, buffer: &mut Buffer) {
        self.unseen = area.width < LEAST_COLUMNS || area.height < LEAST_ROWS;
        if self.unseen {
            draw_too_small(area, buffer);
            return;
        }
        let look = self.desk.look;
        let row = |y: u16| Rect::new(area.x, area.y + y, area.width, 1);
        let name = Span::styled(look.either(" ≈ Seabattle ", " ~ Seabattle "), look.style(Role::Title));
        let room = usize::from(area.width).saturating_sub(name.width() + 2);
        let title = Span::styled(format!(" {}", cut(&self.page.title(), room, look)), look.style(Role::Dim));
        Line::from(vec![name, title]).render(row(0), buffer);
        let page = Rect::new(area.x, area.y + 1, area.width, area.height - 3);
        self.page.draw(page, buffer, &self.desk);
        let notice = cut(&self.desk.notice, usize::from(area.width).saturating_sub(2), look);
        Span::styled(format!(" {notice}"), look.style(Role::Text)).render(row(area.height - 2), buffer);
        self.bar.draw(self.page.hints(), row(area.height - 1), buffer, look);
        self.draw_over(area, buffer, look);
    }

    fn draw_over(&mut self, area: Rect, buffer: &mut Buffer, look: Styles) {
        match &mut self.over {
            Some(Dialog::Help(help)) => {
                let mut entries = self.page.help(look);
                entries.push(("T".to_owned(), "next theme: sea, paper, ansi, mono".to_owned()));
                entries.push(("Ctrl-C".to_owned(), "quit at once; your game is saved".to_owned()));
                entries.push(("Ctrl-L".to_owned(), "redraw the screen".to_owned()));
                help.draw(&entries, area, buffer, look);
            }
            Some(Dialog::Question(question, answers)) => *answers = draw_question(&question.text, area, buffer, look),
            None => {}
        }
    }
}

fn draw_too_small(area: Rect, buffer: &mut Buffer) {
    let (columns, rows) = (area.width, area.height);
    let text = format!("This window is {columns}x{rows}. Please enlarge it to {LEAST_COLUMNS}x{LEAST_ROWS}.");
    Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
}

fn is_ctrl(key: KeyEvent, letter: char) -> bool {
    key.code == KeyCode::Char(letter) && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Some terminals send Ctrl-H for Backspace and Ctrl-J for Enter; other letters with Ctrl or Alt are not the letters alone.
fn translated(key: KeyEvent, typing: bool) -> KeyEvent {
    let held = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    match key.code {
        KeyCode::Char('h') if held => KeyEvent::from(KeyCode::Backspace),
        KeyCode::Char('j') if held => KeyEvent::from(KeyCode::Enter),
        KeyCode::Char('c' | 'l') if key.modifiers.contains(KeyModifiers::CONTROL) => key,
        KeyCode::Char('u') if typing => key,
        KeyCode::Char(_) if held => KeyEvent::from(KeyCode::Null),
        _ => key,
    }
}
