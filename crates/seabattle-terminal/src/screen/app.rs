//! The program between the loop and the pages: what all pages share, and the keys that work everywhere.

use std::sync::mpsc::Sender;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Widget, Wrap};
use seabattle_bots::Entry;
use seabattle_core::{Record, Rules};

use super::keep::{Keep, Settings};
use super::level::{FIRST_LEVEL, LEVELS};
use super::look::{Look, Part, Theme};
use super::menu::{Menu, is_sound};
use super::news::News;
use super::page::{Page, Question, Step, Wish};
use super::placing::Placing;
use super::show::Show;
use super::terms::Terms;
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
    pub(super) bot: &'static Entry,
    first: First,
    seed: u64,
    notice: String,
}

impl Desk {
    /// The terms of the next game.
    pub(super) fn terms(&mut self) -> Terms {
        let terms = Terms { rules: self.rules.clone(), bot: self.bot, seed: self.seed, first: self.first };
        self.seed = self.seed.wrapping_add(1);
        terms
    }

    /// One line for the player, until the next key.
    pub(super) fn say(&mut self, text: impl Into<String>) {
        self.notice = text.into();
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
    over: Option<Over>,
    desk: Desk,
    over_now: bool,
}

/// What lies on top of the page.
enum Over {
    Help,
    Question(Question),
}

impl App {
    pub(super) fn new(options: Options, news: &Sender<News>) -> Self {
        let keep = Keep::new(options.folders);
        let settings = keep.settings();
        let kept_rules = || settings.rules.as_ref().and_then(|text| text.parse().ok());
        let kept_bot = || settings.bot.as_ref().and_then(|name| seabattle_bots::find(name).ok());
        let theme = options.theme.or(settings.theme.filter(|_| Theme::of_terminal() != Theme::Mono));
        let look = Look { theme: theme.unwrap_or_else(Theme::of_terminal), glyphs: options.glyphs };
        let mut desk = Desk {
            look,
            rules: options.rules.or_else(kept_rules).unwrap_or_else(Rules::classic),
            bot: options.bot.or_else(kept_bot).unwrap_or_else(first_opponent),
            first: options.first,
            seed: options.seed,
            save: options.save,
            thinker: Thinker::new(news),
            notice: String::new(),
            settings,
            keep,
        };
        let offers_to_go_on = matches!(options.start, Start::Game);
        let page: Box<dyn Page> = match options.start {
            Start::Menu => Box::new(Menu::new(&desk)),
            Start::Game => {
                let terms = desk.terms();
                Box::new(Placing::new(terms, &desk))
            }
            Start::Replay(record) => Box::new(Show::of_record(&record, &mut desk)),
        };
        let left = desk.keep.left().filter(|left| offers_to_go_on && is_sound(left));
        let over = left.map(|_| {
            let text = "You left a game: go on with it?".to_owned();
            Over::Question(Question { text, wish: Wish::GoOn })
        });
        Self { page, over, desk, over_now: false }
    }

    /// Whether the program is to end.
    pub(super) fn is_over(&self) -> bool {
        self.over_now
    }

    pub(super) fn wait(&self) -> Option<Duration> {
        self.page.wait()
    }

    pub(super) fn handle(&mut self, news: News) {
        let step = match news {
            News::Key(key) if key.kind == KeyEventKind::Release => Step::Stay,
            News::Key(key) => self.key(key),
            News::Mouse(mouse) if self.over.is_none() => self.page.mouse(mouse, &mut self.desk),
            News::Mouse(_) | News::Resized => Step::Stay,
            News::Stop => Step::Leave,
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
            Step::Ask(question) => self.over = Some(Over::Question(question)),
            Step::Leave => self.over_now = true,
        }
    }

    fn key(&mut self, key: KeyEvent) -> Step {
        self.desk.notice.clear();
        if key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL) {
            return Step::Leave;
        }
        match self.over.take() {
            Some(Over::Help) => return Step::Stay,
            Some(Over::Question(question)) => return self.answer(question, key),
            None => {}
        }
        match key.code {
            KeyCode::Char('?') if !self.page.is_typing() => self.over = Some(Over::Help),
            KeyCode::Char('T') if !self.page.is_typing() => self.next_theme(),
            _ => return self.page.key(key, &mut self.desk),
        }
        Step::Stay
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
        let look = self.desk.look;
        if area.width < LEAST_COLUMNS || area.height < LEAST_ROWS {
            let text = format!(
                "This window has {}x{} characters; {LEAST_COLUMNS}x{LEAST_ROWS} are needed.",
                area.width, area.height
            );
            Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
            return;
        }
        let row = |y: u16| Rect::new(area.x, area.y + y, area.width, 1);
        let title = Line::from(vec![
            Span::styled(look.either(" ≈ Seabattle ", " ~ Seabattle "), look.style(Part::Title)),
            Span::styled(format!(" {}", self.page.title()), look.style(Part::Dim)),
        ]);
        title.render(row(0), buffer);
        let page = Rect::new(area.x, area.y + 1, area.width, area.height - 3);
        self.page.draw(page, buffer, &self.desk);
        Span::styled(format!(" {}", self.desk.notice), look.style(Part::Text)).render(row(area.height - 2), buffer);
        self.hints().render(row(area.height - 1), buffer);
        match &self.over {
            Some(Over::Help) => self.draw_help(area, buffer),
            Some(Over::Question(question)) => {
                let lines = vec![Line::from(question.text.clone()), Line::default(), Line::from("y yes   n no")];
                draw_box(area, buffer, look, "Question", lines);
            }
            None => {}
        }
    }

    fn hints(&self) -> Line<'static> {
        let look = self.desk.look;
        let mut hints = self.page.hints();
        hints.push(("?", "help"));
        let spans = hints.into_iter().flat_map(|(key, meaning)| {
            [
                Span::styled(format!(" {key}"), look.style(Part::Key)),
                Span::styled(format!(" {meaning} "), look.style(Part::Dim)),
            ]
        });
        Line::from(spans.collect::<Vec<_>>())
    }

    fn draw_help(&self, area: Rect, buffer: &mut Buffer) {
        let look = self.desk.look;
        let mut entries = self.page.help();
        entries.push(("T".to_owned(), "another theme: sea, paper, ansi, mono".to_owned()));
        entries.push(("Ctrl-C".to_owned(), "leave at once; the game is kept".to_owned()));
        let widest = entries.iter().map(|(key, _)| key.chars().count()).max().unwrap_or(0);
        let lines = entries.into_iter().map(|(key, meaning)| {
            Line::from(vec![Span::styled(format!("{key:<widest$}  "), look.style(Part::Key)), Span::raw(meaning)])
        });
        draw_box(area, buffer, look, "Help: any key closes", lines.collect());
    }
}

fn first_opponent() -> &'static Entry {
    let level = seabattle_bots::find(LEVELS[FIRST_LEVEL].bot);
    level.unwrap_or_else(|_| &seabattle_bots::catalog()[0])
}

/// A box in the middle, over everything else.
fn draw_box(area: Rect, buffer: &mut Buffer, look: Look, title: &str, lines: Vec<Line<'_>>) {
    let widest = lines.iter().map(Line::width).max().unwrap_or(0).max(title.len() + 2) as u16;
    let (width, height) = ((widest + 4).min(area.width), (lines.len() as u16 + 2).min(area.height));
    let place = Rect::new(area.x + (area.width - width) / 2, area.y + (area.height - height) / 2, width, height);
    let block = Block::bordered()
        .border_set(look.border())
        .border_style(look.style(Part::Title))
        .title(Line::styled(format!(" {title} "), look.style(Part::Title)));
    Clear.render(place, buffer);
    let inner = block.inner(place);
    block.render(place, buffer);
    let inner = Rect::new(inner.x + 1, inner.y, inner.width.saturating_sub(2), inner.height);
    Paragraph::new(lines).wrap(Wrap { trim: false }).render(inner, buffer);
}
