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
use seabattle_bots::BotInfo;
use seabattle_core::{Record, Rules};

use super::bar::Bar;
use super::help::{Answers, Help, draw_question};
use super::keep::{Keep, Settings};
use super::look::{Look, Part, Theme};
use super::menu::{Menu, is_sound};
use super::news::News;
use super::page::{Page, Question, Step, Wish};
use super::placing::Placing;
use super::show::Show;
use super::terms::Terms;
use super::text::cut;
use super::thinker::Thinker;
use super::{Options, Start};
use crate::{First, SaveFile};

/// A smaller window shows nothing but a word about its size.
const LEAST_COLUMNS: u16 = 36;
const LEAST_ROWS: u16 = 16;

/// What all pages share.
pub(super) struct Desk {
    pub(super) look: Look,
    pub(super) settings: Settings,
    pub(super) keep: Keep,
    pub(super) thinker: Thinker,
    pub(super) save: Option<SaveFile>,
    pub(super) rules: Rules,
    pub(super) bot: &'static BotInfo,
    first: First,
    seed: u64,
    notice: String,
}

impl Desk {
    /// The terms of the next game.
    pub(super) fn terms(&mut self) -> Terms {
        let terms = Terms { rules: self.rules.clone(), bot: self.bot, seed: self.seed, first: self.first, met: false };
        self.seed = self.seed.wrapping_add(1);
        terms
    }

    /// The terms of another game like this one.
    pub(super) fn terms_like(&mut self, terms: &Terms) -> Terms {
        let Terms { rules, bot, first, .. } = terms.clone();
        Terms { rules, bot, first, ..self.terms() }
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

    pub(super) fn choose_bot(&mut self, bot: &'static BotInfo) {
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
    over: Option<Over>,
    desk: Desk,
    over_now: bool,
    failure: Option<String>,
    bar: Bar,
    /// Whether something else may have written on the screen.
    spoilt: bool,
    /// Whether the window was too small to see anything: keys would do what nobody sees.
    unseen: bool,
}

/// What lies on top of the page.
enum Over {
    Help(Help),
    Question(Question, Answers),
}

impl App {
    pub(super) fn new(options: Options, news: &Sender<News>) -> Self {
        let keep = Keep::new(options.folders);
        let settings = keep.settings();
        let kept_rules = || settings.rules.as_ref().and_then(|text| text.parse().ok());
        let kept_bot = || settings.bot.as_ref().and_then(|name| seabattle_bots::find(name).ok());
        let theme = options.theme.unwrap_or_else(|| Theme::of_terminal().or_kept(settings.theme));
        let look = Look { theme, glyphs: options.glyphs };
        let (given_rules, given_bot) = (options.rules.clone(), options.bot);
        let mut desk = Desk {
            look,
            rules: options.rules.or_else(kept_rules).unwrap_or_else(Rules::classic),
            bot: options.bot.or_else(kept_bot).unwrap_or_else(seabattle_bots::default_opponent),
            first: options.first,
            seed: options.seed,
            save: options.save,
            thinker: Thinker::new(news),
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
            Start::Menu => Box::new(Menu::new(&desk)),
            Start::Game => {
                let terms = desk.terms();
                Box::new(Placing::new(terms))
            }
            Start::Replay(record) => Box::new(Show::alone(&record, &mut desk)),
        };
        let left = desk.keep.left().filter(|left| offers_to_go_on && is_sound(left));
        let over = left.map(|_| {
            let text = "You have an unfinished game. Continue it? (A new game replaces it.)".to_owned();
            Over::Question(Question { text, wish: Wish::GoOn }, Answers::default())
        });
        Self { page, over, desk, over_now: false, failure: None, bar: Bar::default(), spoilt: false, unseen: false }
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

    pub(super) fn handle(&mut self, news: News) {
        let step = match news {
            News::Key(key) if key.kind == KeyEventKind::Release => Step::Stay,
            News::Key(key) => self.key(translated(key, self.page.is_typing())),
            News::Mouse(mouse) => self.mouse(mouse),
            News::Resized => Step::Stay,
            News::Stop => Step::Leave,
            News::Broken(text) => {
                self.failure = Some(text);
                Step::Leave
            }
            other => self.page.news(other, &mut self.desk),
        };
        self.take(step);
        if let Some(trouble) = self.desk.keep.trouble() {
            self.desk.say(trouble);
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Stay => {}
            Step::Go(page) => (self.page, self.over) = (page, None),
            Step::Ask(question) => self.over = Some(Over::Question(question, Answers::default())),
            Step::Leave => self.over_now = true,
        }
    }

    fn key(&mut self, key: KeyEvent) -> Step {
        if is_ctrl(key, 'c') {
            return Step::Leave;
        }
        if is_ctrl(key, 'l') {
            self.spoilt = true;
            return Step::Stay;
        }
        if self.unseen {
            return Step::Stay;
        }
        self.desk.notice.clear();
        match self.over.take() {
            Some(Over::Help(mut help)) => {
                self.over = help.key(key).then_some(Over::Help(help));
                return Step::Stay;
            }
            Some(Over::Question(question, _)) => return self.answer(question, key),
            None => {}
        }
        match key.code {
            KeyCode::Char('?') if !self.page.is_typing() => self.over = Some(Over::Help(Help::default())),
            KeyCode::Char('T') if !self.page.is_typing() => self.next_theme(),
            _ => return self.page.key(key, &mut self.desk),
        }
        Step::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Step {
        let at = Position::new(mouse.column, mouse.row);
        let click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if self.unseen {
            return Step::Stay;
        }
        match &mut self.over {
            Some(Over::Help(help)) => {
                if !help.mouse(mouse.kind) {
                    self.over = None;
                }
                return Step::Stay;
            }
            Some(Over::Question(_, answers)) => {
                let key = answers.key_at(at).filter(|_| click);
                return key.map_or(Step::Stay, |key| self.key(key));
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

    fn answer(&mut self, question: Question, key: KeyEvent) -> Step {
        match key.code {
            KeyCode::Char('y' | 'Y') | KeyCode::Enter if question.wish == Wish::Leave => Step::Leave,
            KeyCode::Char('y' | 'Y') | KeyCode::Enter => self.page.granted(question.wish, &mut self.desk),
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Step::Stay,
            _ => Step::Ask(question),
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
        let name = Span::styled(look.either(" ≈ Seabattle ", " ~ Seabattle "), look.style(Part::Title));
        let room = usize::from(area.width).saturating_sub(name.width() + 2);
        let title = Span::styled(format!(" {}", cut(&self.page.title(), room, look)), look.style(Part::Dim));
        Line::from(vec![name, title]).render(row(0), buffer);
        let page = Rect::new(area.x, area.y + 1, area.width, area.height - 3);
        self.page.draw(page, buffer, &self.desk);
        let notice = cut(&self.desk.notice, usize::from(area.width).saturating_sub(2), look);
        Span::styled(format!(" {notice}"), look.style(Part::Text)).render(row(area.height - 2), buffer);
        self.bar.draw(self.page.hints(), row(area.height - 1), buffer, look);
        self.draw_over(area, buffer, look);
    }

    fn draw_over(&mut self, area: Rect, buffer: &mut Buffer, look: Look) {
        match &mut self.over {
            Some(Over::Help(help)) => {
                let mut entries = self.page.help(look);
                entries.push(("T".to_owned(), "next theme: sea, paper, ansi, mono".to_owned()));
                entries.push(("Ctrl-C".to_owned(), "quit at once; your game is saved".to_owned()));
                entries.push(("Ctrl-L".to_owned(), "redraw the screen".to_owned()));
                help.draw(&entries, area, buffer, look);
            }
            Some(Over::Question(question, answers)) => *answers = draw_question(&question.text, area, buffer, look),
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
