//! The program between event loop and pages: shared state, and keys that work everywhere.

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

use super::dialogs::{AnswerButtons, HelpBox, draw_question};
use super::event::Event;
use super::game_setup::GameSetup;
use super::key_bar::KeyBar;
use super::menu::{MenuPage, is_resumable};
use super::page::{ConfirmAction, Page, Question, Transition};
use super::placing::PlacingPage;
use super::replay::ReplayPage;
use super::storage::{Settings, Storage};
use super::style::{Role, Styles, Theme};
use super::workers::Workers;
use super::wrap::truncated;
use super::{Options, Start};
use crate::{First, RecordFile};

/// The smallest usable window. A smaller one shows only a message about its size.
const MIN_COLUMNS: u16 = 36;
const MIN_ROWS: u16 = 16;

/// State that all pages share.
pub(super) struct Context {
    pub(super) styles: Styles,
    pub(super) settings: Settings,
    pub(super) storage: Storage,
    pub(super) workers: Workers,
    pub(super) save: Option<RecordFile>,
    pub(super) rules: Rules,
    pub(super) bot: &'static BotInfo,
    first: First,
    seed: u64,
    notice: String,
    /// The time since the start of the program, as of the current event.
    pub(super) now: Duration,
    /// Whether the screen is a real terminal, on which animations make sense.
    is_terminal: bool,
}

impl Context {
    /// Whether results are animated before the answer comes.
    pub(super) fn is_animated(&self) -> bool {
        self.is_terminal && !self.settings.instant
    }

    /// Asks whether to quit, and says truly what happens to the game.
    pub(super) fn quit_question(&self) -> Question {
        let fate = if self.storage.saves_games() { "Your game is saved." } else { "Your game cannot be saved." };
        Question { text: format!("Quit? {fate}"), action: ConfirmAction::Quit }
    }

    /// Goes to the menu, and asks first if the game would be lost.
    pub(super) fn leave_game(&self) -> Transition {
        if self.storage.saves_games() {
            return Transition::Open(Box::new(MenuPage::new(self)));
        }
        let text = "Leave this game? It cannot be saved.".to_owned();
        Transition::Ask(Question { text, action: ConfirmAction::Leave })
    }

    /// Explains in a help entry what happens to the game.
    pub(super) fn with_fate_of_game(&self, meaning: &str) -> String {
        let fate = if self.storage.saves_games() { "your game is saved" } else { "your game cannot be saved" };
        format!("{meaning}; {fate}")
    }

    /// Returns the setup of the next game and counts the seed on.
    pub(super) fn next_setup(&mut self) -> GameSetup {
        let setup = GameSetup {
            rules: self.rules.clone(),
            bot: self.bot,
            seed: self.seed,
            first: self.first,
            has_met_player: false,
        };
        self.seed = self.seed.wrapping_add(1);
        setup
    }

    /// Returns the setup of another game with the same rules and opponent.
    pub(super) fn setup_like(&mut self, setup: &GameSetup) -> GameSetup {
        let GameSetup { rules, bot, first, .. } = setup.clone();
        GameSetup { rules, bot, first, ..self.next_setup() }
    }

    /// Shows one line to the player until the next key.
    pub(super) fn notify(&mut self, text: impl Into<String>) {
        self.notice = text.into();
    }

    /// Removes the given line, if it is still shown.
    pub(super) fn clear_notice(&mut self, text: &str) {
        if self.notice == text {
            self.notice.clear();
        }
    }

    pub(super) fn choose_rules(&mut self, rules: Rules) {
        self.settings.rules = Some(rules.to_string());
        self.rules = rules;
        self.save_settings();
    }

    pub(super) fn choose_bot(&mut self, bot: &'static BotInfo) {
        self.settings.bot = Some(bot.name.to_owned());
        self.bot = bot;
        self.save_settings();
    }

    pub(super) fn save_settings(&mut self) {
        self.storage.save_settings(&self.settings);
    }

    /// Saves the record of a finished game.
    pub(super) fn save_record(&mut self, record: &Record) {
        self.storage.save_record(record);
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
    /// The pages to which [`Transition::Back`] returns, the nearest last.
    below: Vec<Box<dyn Page>>,
    dialog: Option<Dialog>,
    context: Context,
    quitting: bool,
    /// Whether the player wants to return to the shell for a while.
    suspending: bool,
    failure: Option<String>,
    bar: KeyBar,
    /// Whether another program may have written on the screen.
    needs_redraw: bool,
    /// Whether the window is too small. Keys then do nothing, since nobody would see it.
    too_small: bool,
}

/// A box drawn over the page.
enum Dialog {
    Help(HelpBox),
    Question(Question, AnswerButtons),
}

impl App {
    pub(super) fn new(options: Options, events: &Sender<Event>) -> Self {
        let storage = Storage::new(options.folders);
        let settings = storage.settings();
        let saved_rules = || settings.rules.as_ref().and_then(|text| text.parse().ok());
        let saved_bot = || settings.bot.as_ref().and_then(|name| seabattle_bots::find(name).ok());
        let theme = options.theme.unwrap_or_else(|| Theme::of_terminal().or_saved(settings.theme));
        let styles = Styles { theme, glyphs: options.glyphs };
        let (given_rules, given_bot) = (options.rules.clone(), options.bot);
        let mut context = Context {
            styles,
            rules: options.rules.or_else(saved_rules).unwrap_or_else(Rules::classic),
            bot: options.bot.or_else(saved_bot).unwrap_or_else(seabattle_bots::default_opponent),
            first: options.first,
            seed: options.seed,
            save: options.save,
            workers: Workers::new(events),
            notice: String::new(),
            now: Duration::ZERO,
            is_terminal: false,
            settings,
            storage,
        };
        if let Some(rules) = given_rules {
            context.choose_rules(rules);
        }
        if let Some(bot) = given_bot {
            context.choose_bot(bot);
        }
        let offers_to_continue = matches!(options.start, Start::Game);
        let page: Box<dyn Page> = match options.start {
            Start::Menu => Box::new(MenuPage::new(&context)),
            Start::Game => {
                let setup = context.next_setup();
                Box::new(PlacingPage::new(setup))
            }
            Start::Replay(record) => Box::new(ReplayPage::standalone(&record, &mut context)),
        };
        let saved = context.storage.saved_game().filter(|saved| offers_to_continue && is_resumable(saved));
        let dialog = saved.map(|_| {
            let text = "You have an unfinished game. Continue it? (A new game replaces it.)".to_owned();
            Dialog::Question(Question { text, action: ConfirmAction::Continue }, AnswerButtons::default())
        });
        Self {
            page,
            below: Vec::new(),
            dialog,
            context,
            quitting: false,
            suspending: false,
            failure: None,
            bar: KeyBar::default(),
            needs_redraw: false,
            too_small: false,
        }
    }

    /// Turns on animations, for a real terminal.
    pub(super) fn animated(mut self) -> Self {
        self.context.is_terminal = true;
        self
    }

    /// Whether the program is to end.
    pub(super) fn has_quit(&self) -> bool {
        self.quitting
    }

    /// Returns the message of the failure that ended the program, if any.
    pub(super) fn failure(self) -> Option<String> {
        self.failure
    }

    /// Whether to redraw the whole screen. Resets the request.
    pub(super) fn take_redraw(&mut self) -> bool {
        mem::take(&mut self.needs_redraw)
    }

    /// Whether to suspend the program. Resets the request.
    pub(super) fn take_suspension(&mut self) -> bool {
        mem::take(&mut self.suspending)
    }

    /// Whether an unfinished game is on disk.
    pub(super) fn saves_games(&self) -> bool {
        self.context.storage.saves_games()
    }

    pub(super) fn tick_interval(&self) -> Option<Duration> {
        self.page.tick_interval()
    }

    /// Handles one event. `now` is the time since the start of the program.
    pub(super) fn handle(&mut self, event: Event, now: Duration) {
        self.context.now = now;
        let step = match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => Transition::Stay,
            Event::Key(key) => self.key(normalize_key(key, self.page.is_typing())),
            Event::Mouse(mouse) => self.mouse(mouse),
            Event::Paste(text) => self.paste(&text),
            Event::Resized => Transition::Stay,
            Event::Shutdown => Transition::Quit,
            Event::ThreadPanicked(text) => {
                self.failure = Some(text);
                Transition::Quit
            }
            other => self.page.event(other, &mut self.context),
        };
        self.apply(step);
        if let Some(message) = self.context.storage.take_error() {
            self.context.notify(message);
        }
    }

    fn apply(&mut self, step: Transition) {
        match step {
            Transition::Stay => {}
            Transition::Open(page) => {
                self.below.clear();
                (self.page, self.dialog) = (page, None);
            }
            Transition::Push(page) => {
                self.below.push(mem::replace(&mut self.page, page));
                self.dialog = None;
            }
            Transition::Back => {
                self.page = self.below.pop().unwrap_or_else(|| Box::new(MenuPage::new(&self.context)));
                self.page.returned(&mut self.context);
                self.dialog = None;
            }
            Transition::Ask(question) => self.dialog = Some(Dialog::Question(question, AnswerButtons::default())),
            Transition::Quit => self.quitting = true,
        }
    }

    fn key(&mut self, key: KeyEvent) -> Transition {
        if is_ctrl(key, 'c') {
            return Transition::Quit;
        }
        if is_ctrl(key, 'l') {
            self.needs_redraw = true;
            return Transition::Stay;
        }
        if is_ctrl(key, 'z') {
            self.suspending = true;
            return Transition::Stay;
        }
        if self.too_small {
            return Transition::Stay;
        }
        self.context.notice.clear();
        match self.dialog.take() {
            Some(Dialog::Help(mut help)) => {
                self.dialog = help.key(key).then_some(Dialog::Help(help));
                return Transition::Stay;
            }
            Some(Dialog::Question(question, _)) => return self.answer(question, key),
            None => {}
        }
        match key.code {
            KeyCode::Char('?') if !self.page.is_typing() => self.dialog = Some(Dialog::Help(HelpBox::default())),
            KeyCode::Char('T') if !self.page.is_typing() => self.next_theme(),
            _ => return self.page.key(key, &mut self.context),
        }
        Transition::Stay
    }

    /// Puts pasted text into the open text field. It never acts as keys.
    fn paste(&mut self, text: &str) -> Transition {
        let is_taken = self.dialog.is_none() && !self.too_small && self.page.paste(text);
        if !is_taken {
            self.context.notify("There is no text field to paste into.");
        }
        Transition::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent) -> Transition {
        let at = Position::new(mouse.column, mouse.row);
        let click = mouse.kind == MouseEventKind::Down(MouseButton::Left);
        if self.too_small {
            return Transition::Stay;
        }
        match &mut self.dialog {
            Some(Dialog::Help(help)) => {
                if !help.mouse(mouse.kind) {
                    self.dialog = None;
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
            self.context.notice.clear();
        }
        self.page.mouse(mouse, &mut self.context)
    }

    fn answer(&mut self, question: Question, key: KeyEvent) -> Transition {
        match key.code {
            KeyCode::Char('y' | 'Y') | KeyCode::Enter if question.action == ConfirmAction::Quit => Transition::Quit,
            KeyCode::Char('y' | 'Y') | KeyCode::Enter if question.action == ConfirmAction::Leave => {
                Transition::Open(Box::new(MenuPage::new(&self.context)))
            }
            KeyCode::Char('y' | 'Y') | KeyCode::Enter => self.page.confirmed(question.action, &mut self.context),
            KeyCode::Char('n' | 'N' | 'q') | KeyCode::Esc => Transition::Stay,
            _ => Transition::Ask(question),
        }
    }

    fn next_theme(&mut self) {
        let theme = self.context.styles.theme.next();
        self.context.styles.theme = theme;
        self.context.settings.theme = Some(theme);
        self.context.save_settings();
        self.context.notify(format!("Theme: {theme}"));
    }

    pub(super) fn draw(&mut self, area: Rect, buffer: &mut Buffer) {
        self.too_small = area.width < MIN_COLUMNS || area.height < MIN_ROWS;
        if self.too_small {
            draw_too_small(area, buffer);
            return;
        }
        let styles = self.context.styles;
        let row = |y: u16| Rect::new(area.x, area.y + y, area.width, 1);
        let name = Span::styled(styles.unicode_or_ascii(" ≈ Seabattle ", " ~ Seabattle "), styles.of(Role::Title));
        let room = usize::from(area.width).saturating_sub(name.width() + 2);
        let title = Span::styled(format!(" {}", truncated(&self.page.title(), room, styles)), styles.of(Role::Dim));
        Line::from(vec![name, title]).render(row(0), buffer);
        let page = Rect::new(area.x, area.y + 1, area.width, area.height - 3);
        self.page.draw(page, buffer, &self.context);
        let notice = truncated(&self.context.notice, usize::from(area.width).saturating_sub(2), styles);
        Span::styled(format!(" {notice}"), styles.of(Role::Text)).render(row(area.height - 2), buffer);
        self.bar.draw(self.page.hints(), row(area.height - 1), buffer, styles);
        self.draw_dialog(area, buffer, styles);
    }

    fn draw_dialog(&mut self, area: Rect, buffer: &mut Buffer, styles: Styles) {
        match &mut self.dialog {
            Some(Dialog::Help(help)) => {
                let mut entries = self.page.help(&self.context);
                entries.push(("T".to_owned(), "next theme: sea, paper, ansi, mono".to_owned()));
                entries.push(("Ctrl-C".to_owned(), self.context.with_fate_of_game("quit at once")));
                entries.push(("Ctrl-Z".to_owned(), "suspend; `fg` in the shell returns".to_owned()));
                entries.push(("Ctrl-L".to_owned(), "redraw the screen".to_owned()));
                help.draw(&entries, area, buffer, styles);
            }
            Some(Dialog::Question(question, answers)) => *answers = draw_question(&question.text, area, buffer, styles),
            None => {}
        }
    }
}

fn draw_too_small(area: Rect, buffer: &mut Buffer) {
    let (columns, rows) = (area.width, area.height);
    let text = format!("This window is {columns}x{rows}. Please enlarge it to {MIN_COLUMNS}x{MIN_ROWS}.");
    Paragraph::new(text).wrap(Wrap { trim: true }).render(area, buffer);
}

fn is_ctrl(key: KeyEvent, letter: char) -> bool {
    key.code == KeyCode::Char(letter) && key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Turns Ctrl-H into Backspace and Ctrl-J into Enter, as some terminals send them. Other letters with Ctrl or Alt do nothing.
fn normalize_key(key: KeyEvent, typing: bool) -> KeyEvent {
    let held = key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT);
    match key.code {
        KeyCode::Char('h') if held => KeyEvent::from(KeyCode::Backspace),
        KeyCode::Char('j') if held => KeyEvent::from(KeyCode::Enter),
        KeyCode::Char('c' | 'l' | 'z') if key.modifiers.contains(KeyModifiers::CONTROL) => key,
        KeyCode::Char('a' | 'e' | 'k' | 'u' | 'w') if typing => key,
        KeyCode::Char(_) if held => KeyEvent::from(KeyCode::Null),
        _ => key,
    }
}
