//! The battle: shots, answers, odds, and a log of it all.

use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};
use seabattle_core::{BySide, Cell, Fleet, Game, Mark, Record, Shot, Side, Stop};
use seabattle_odds::Odds;

use super::app::Desk;
use super::board::{Picture, Plot};
use super::finish::Finish;
use super::keep::Left;
use super::level::title;
use super::look::{Look, Part};
use super::menu::Menu;
use super::news::News;
use super::page::{Hint, Page, Question, Step, Wish, draw_lines, explained, moved};
use super::placing::{Placing, first_text};
use super::sight::{Places, enemy_waters, fleet_seen};
use super::terms::Terms;
use super::thinker::Ticket;
use crate::{COMPUTER, HUMAN, words};

/// Lines of the log that are kept on the page below the boards, where there is room.
const LOG_ROWS: u16 = 5;
const THINKING: Duration = Duration::from_millis(120);

pub(super) struct Battle {
    terms: Terms,
    ticket: Ticket,
    stage: Stage,
    cursor: Cell,
    /// Shots of a salvo that are not fired yet.
    aimed: Vec<Cell>,
    odds: Option<(usize, Arc<Odds>)>,
    heat: bool,
    /// Whether a hint is wanted as soon as the odds are known.
    hint_wanted: bool,
    hint: Option<Cell>,
    log: Vec<(Part, String)>,
    scrolled: usize,
    own_only: bool,
    single: bool,
    ticks: usize,
    /// Of the enemy's waters.
    plot: Plot,
}

enum Stage {
    /// The computer is placing its fleet.
    Gathering(Fleet),
    Fight(Box<Game>),
}

impl Battle {
    /// `again`: the computer has met this player before and may have learnt.
    pub(super) fn new(terms: Terms, fleet: Fleet, again: bool, desk: &mut Desk) -> Self {
        let ticket = desk.thinker.ticket();
        desk.thinker.place(ticket, COMPUTER, terms.bot, terms.chance().side(COMPUTER), &terms.rules, again);
        Self::with(terms, ticket, Stage::Gathering(fleet))
    }

    /// A game that was left goes on.
    pub(super) fn resumed(terms: Terms, game: Game, desk: &mut Desk) -> Self {
        let ticket = desk.thinker.ticket();
        desk.thinker.recall(COMPUTER, terms.bot, terms.chance().side(COMPUTER), &game);
        let mut battle = Self::with(terms, ticket, Stage::Gathering(game.fleets()[HUMAN].clone()));
        for (side, shots) in game.volleys() {
            battle.note(&game, side, shots);
        }
        battle.stage = Stage::Fight(Box::new(game));
        battle.next(desk);
        battle
    }

    fn with(terms: Terms, ticket: Ticket, stage: Stage) -> Self {
        let size = terms.rules.size();
        Self {
            cursor: Cell::new(size.width() / 2, size.height() / 2),
            terms,
            ticket,
            stage,
            aimed: Vec::new(),
            odds: None,
            heat: false,
            hint_wanted: false,
            hint: None,
            log: Vec::new(),
            scrolled: 0,
            own_only: false,
            single: false,
            ticks: 0,
            plot: Plot::default(),
        }
    }

    fn game(&self) -> Option<&Game> {
        match &self.stage {
            Stage::Fight(game) => Some(game),
            Stage::Gathering(_) => None,
        }
    }

    fn is_my_turn(&self) -> bool {
        self.game().is_some_and(|game| game.mover() == Some(HUMAN))
    }

    fn is_salvo(&self) -> bool {
        self.game().is_some_and(|game| game.shots_due() > 1)
    }

    /// The computer has placed its fleet: the battle begins.
    fn begin(&mut self, enemy: Fleet, desk: &mut Desk) -> Step {
        let Stage::Gathering(own) = &self.stage else { return Step::Stay };
        let fleets = BySide { a: own.clone(), b: enemy };
        let Ok(game) = Game::new(fleets, self.terms.first_side()) else {
            desk.say("The computer placed a fleet for other rules: choose another opponent.");
            return Step::Go(Box::new(Menu::new(desk)));
        };
        self.log.push((Part::Dim, words::who_begins(game.first(), title(self.terms.bot))));
        self.stage = Stage::Fight(Box::new(game));
        self.next(desk)
    }

    /// Whose turn it is now, and what follows from that.
    fn next(&mut self, desk: &mut Desk) -> Step {
        let Stage::Fight(game) = &self.stage else { return Step::Stay };
        if game.mover().is_none() {
            let (game, terms) = (game.as_ref().clone(), self.terms.clone());
            return Step::Go(Box::new(Finish::new(terms, game, desk)));
        }
        self.keep(desk);
        match self.game().and_then(Game::mover) {
            Some(COMPUTER) => self.game().map_or((), |game| desk.thinker.fire(self.ticket, game)),
            _ => self.ask_odds(desk),
        }
        Step::Stay
    }

    fn keep(&self, desk: &mut Desk) {
        let Some(game) = self.game() else { return };
        let record = Record::of(game, BySide { a: "you", b: self.terms.bot.name }, Some(self.terms.seed));
        desk.keep.keep_left(&Left {
            rules: self.terms.rules.to_string(),
            bot: self.terms.bot.name.to_owned(),
            seed: self.terms.seed,
            first: first_text(self.terms.first).to_owned(),
            ships: String::new(),
            record: record.to_string(),
        });
    }

    /// Only for a player who wants to see them.
    fn ask_odds(&self, desk: &Desk) {
        if let Some(game) = self.game().filter(|_| self.heat || self.hint_wanted) {
            desk.thinker.odds(self.ticket, game.knowledge(HUMAN));
        }
    }

    fn fire(&mut self, cells: &[Cell], desk: &mut Desk) -> Step {
        let Stage::Fight(game) = &mut self.stage else { return Step::Stay };
        match game.fire(HUMAN, cells) {
            Ok(shots) => {
                let shots = shots.to_vec();
                self.aimed.clear();
                (self.hint, self.odds) = (None, None);
                self.say_and_note(HUMAN, &shots, desk);
                self.next(desk)
            }
            Err(why) => {
                desk.say(format!("That cannot be: {why}."));
                Step::Stay
            }
        }
    }

    fn say_and_note(&mut self, side: Side, shots: &[Shot], desk: &mut Desk) {
        let Stage::Fight(game) = &self.stage else { return };
        let game = game.clone();
        self.note(&game, side, shots);
        if let Some((_, text)) = self.log.last() {
            desk.say(text.clone());
        }
    }

    fn note(&mut self, game: &Game, side: Side, shots: &[Shot]) {
        self.scrolled = 0;
        for &shot in shots {
            let text = match game.view(HUMAN).own().filter(|_| side == COMPUTER) {
                Some(own) => words::enemy_shot(title(self.terms.bot), own.fleet, own.incoming, shot),
                None => words::own_shot(game.rules(), shot),
            };
            let part = match (shot.outcome.is_hit(), side) {
                (false, _) => Part::Text,
                (true, HUMAN) => Part::Good,
                (true, _) => Part::Bad,
            };
            self.log.push((part, text));
        }
    }

    /// The computer has chosen; one that breaks the rules has lost.
    fn take_volley(&mut self, cells: &[Cell], desk: &mut Desk) -> Step {
        let Stage::Fight(game) = &mut self.stage else { return Step::Stay };
        match game.fire(COMPUTER, cells) {
            Ok(shots) => {
                let shots = shots.to_vec();
                self.say_and_note(COMPUTER, &shots, desk);
            }
            Err(_) => game.stop(Stop::Fault(COMPUTER)),
        }
        self.next(desk)
    }

    /// Fires, or in a salvo aims or thinks better of it.
    fn shoot_or_aim(&mut self, desk: &mut Desk) -> Step {
        if !self.is_my_turn() {
            return Step::Stay;
        }
        if !self.is_salvo() {
            return self.fire(&[self.cursor], desk);
        }
        let due = self.game().map_or(0, Game::shots_due);
        if let Some(at) = self.aimed.iter().position(|&cell| cell == self.cursor) {
            self.aimed.remove(at);
        } else if !self.game().is_some_and(|game| game.view(HUMAN).is_target(self.cursor)) {
            desk.say(format!("{} has been shot at before.", self.cursor));
        } else if self.aimed.len() == due {
            desk.say("All shots are aimed: f fires them, or take one back first.");
        } else {
            self.aimed.push(self.cursor);
            if self.aimed.len() == due {
                desk.say("All shots are aimed: f fires them.");
            }
        }
        Step::Stay
    }

    fn fire_salvo(&mut self, desk: &mut Desk) -> Step {
        let due = self.game().map_or(0, Game::shots_due);
        if !self.is_my_turn() {
            return Step::Stay;
        }
        if self.aimed.len() < due && self.is_salvo() {
            desk.say(format!("{} of {due} shots are aimed.", self.aimed.len()));
            return Step::Stay;
        }
        let cells = if self.is_salvo() { self.aimed.clone() } else { vec![self.cursor] };
        self.fire(&cells, desk)
    }

    fn take_odds(&mut self, shots: usize, odds: Option<Arc<Odds>>, desk: &mut Desk) {
        if self.game().is_none_or(|game| game.knowledge(HUMAN).shots().len() != shots) {
            return;
        }
        let hint_wanted = std::mem::take(&mut self.hint_wanted);
        let Some(odds) = odds else {
            desk.say("There are no odds for this position.");
            return;
        };
        if let Some(best) = self.likeliest(&odds).filter(|_| hint_wanted) {
            desk.say(format!("Hint: {best}, {:.0} % for a hit.", 100.0 * odds.probability(best)));
            (self.hint, self.cursor) = (Some(best), best);
        }
        self.odds = Some((shots, odds));
    }

    fn likeliest(&self, odds: &Odds) -> Option<Cell> {
        let targets = self.game()?.view(HUMAN).aiming(&self.aimed).targets().into_owned();
        targets.iter().max_by(|a, b| odds.probability(*a).total_cmp(&odds.probability(*b)))
    }

    fn enemy_picture(&self, game: &Game, desk: &Desk) -> Picture<'_> {
        let knowledge = game.knowledge(HUMAN);
        let mut picture = enemy_waters("Enemy waters", knowledge);
        if desk.settings.marks {
            let mut impossible = knowledge.impossible();
            knowledge.hits().iter().for_each(|cell| impossible.remove(cell));
            picture.board.mark(&impossible, Mark::Impossible);
        }
        picture.over = self.aimed.iter().map(|&cell| (cell, Part::Aim)).collect();
        picture.over.extend(self.hint.map(|cell| (cell, Part::Hint)));
        picture.cursor = Some(self.cursor);
        picture.active = game.mover() == Some(HUMAN);
        let current = self.odds.as_ref().filter(|(shots, _)| self.heat && *shots == knowledge.shots().len());
        picture.heat = current.map(|(_, odds)| odds.as_ref());
        picture
    }

    fn draw_below(&self, area: Rect, buffer: &mut Buffer, look: Look) {
        let Some(game) = self.game() else { return };
        let [enemy, own] = words::afloat_of_both(game);
        let head = vec![
            Line::from(vec![Span::styled("Enemy afloat  ", look.style(Part::Dim)), Span::raw(enemy)]),
            Line::from(vec![Span::styled("Yours afloat  ", look.style(Part::Dim)), Span::raw(own)]),
            self.status(game, look),
        ];
        let used = draw_lines(head, area, buffer);
        let place = Rect { y: area.y + used, height: area.height - used, ..area };
        let last = self.log.len().saturating_sub(self.scrolled);
        let shown = &self.log[last.saturating_sub(place.height.into())..last];
        draw_lines(
            shown.iter().map(|(part, text)| Line::styled(text.as_str(), look.style(*part))).collect(),
            place,
            buffer,
        );
    }

    fn status(&self, game: &Game, look: Look) -> Line<'static> {
        let shots = game.knowledge(HUMAN).shots().len();
        if game.mover() == Some(COMPUTER) {
            let spin = look.either(["◐", "◓", "◑", "◒"], ["|", "/", "-", "\\"])[self.ticks % 4];
            return Line::styled(format!("{spin} {} is thinking", title(self.terms.bot)), look.style(Part::Key));
        }
        let text = match game.shots_due() {
            1 => format!("Your shot {}: {}", shots + 1, self.cursor),
            due => format!("Your salvo: {} of {due} aimed, f fires", self.aimed.len()),
        };
        Line::styled(text, look.style(Part::Key))
    }
}

impl Page for Battle {
    fn title(&self) -> String {
        format!("{}, against {}, seed {}", self.terms.rules, title(self.terms.bot), self.terms.seed)
    }

    fn hints(&self) -> Vec<Hint> {
        let mut hints = if self.is_salvo() { vec![("Enter", "aim"), ("f", "fire")] } else { vec![("Enter", "fire")] };
        if self.single {
            hints.push(("Tab", "other board"));
        }
        hints.extend([("H", "hint"), ("o", "odds"), ("m", "marks"), ("u", "fresh"), ("q", "quit")]);
        hints
    }

    fn help(&self) -> Vec<(String, String)> {
        explained(&[
            ("arrows, hjkl", "move"),
            ("Enter, Space, click", "fire; in a salvo aim or take back"),
            ("f", "fire the salvo"),
            ("H", "hint: the likeliest cell"),
            ("o", "odds of every cell, in percent"),
            ("m", "mark cells that can hold no ship"),
            ("PgUp, PgDn", "scroll the log"),
            ("Tab", "the other board, where one has room"),
            ("u", "a fresh game"),
            ("Esc", "to the menu; the game is kept"),
            ("q", "quit; the game is kept"),
            (". o x # S", "open, miss, hit, sunk, ship (ASCII)"),
            ("· ○ × ■ □", "the same; [■=■] a wreck"),
        ])
    }

    fn key(&mut self, key: KeyEvent, desk: &mut Desk) -> Step {
        if let Some(cell) = moved(self.cursor, key, self.terms.rules.size()) {
            self.cursor = cell;
            return Step::Stay;
        }
        match key.code {
            KeyCode::Enter | KeyCode::Char(' ') => return self.shoot_or_aim(desk),
            KeyCode::Char('f') => return self.fire_salvo(desk),
            KeyCode::Char('H') if self.is_my_turn() => {
                self.hint_wanted = true;
                self.ask_odds(desk);
            }
            KeyCode::Char('o') => {
                self.heat = !self.heat;
                if self.is_my_turn() {
                    self.ask_odds(desk);
                }
            }
            KeyCode::Char('m') => {
                desk.settings.marks = !desk.settings.marks;
                desk.keep_settings();
            }
            KeyCode::PageUp => self.scrolled = (self.scrolled + 3).min(self.log.len().saturating_sub(1)),
            KeyCode::PageDown => self.scrolled = self.scrolled.saturating_sub(3),
            KeyCode::Tab => self.own_only = !self.own_only,
            KeyCode::Char('u') => {
                return Step::Ask(Question { text: "Give this game up and begin anew?".to_owned(), wish: Wish::Fresh });
            }
            KeyCode::Esc => return Step::Go(Box::new(Menu::new(desk))),
            KeyCode::Char('q') => {
                return Step::Ask(Question { text: "Quit? The game is kept.".to_owned(), wish: Wish::Leave });
            }
            _ => {}
        }
        Step::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent, desk: &mut Desk) -> Step {
        let cell = self.plot.cell_at(Position::new(mouse.column, mouse.row));
        match mouse.kind {
            MouseEventKind::Moved => self.cursor = cell.unwrap_or(self.cursor),
            MouseEventKind::Down(MouseButton::Left) => {
                if let Some(cell) = cell {
                    self.cursor = cell;
                    return self.shoot_or_aim(desk);
                }
            }
            MouseEventKind::ScrollUp => self.scrolled = (self.scrolled + 1).min(self.log.len().saturating_sub(1)),
            MouseEventKind::ScrollDown => self.scrolled = self.scrolled.saturating_sub(1),
            _ => {}
        }
        Step::Stay
    }

    fn news(&mut self, news: News, desk: &mut Desk) -> Step {
        match news {
            News::Fleet { ticket, fleet, .. } if ticket == self.ticket => self.begin(fleet, desk),
            News::Volley { ticket, cells } if ticket == self.ticket => self.take_volley(&cells, desk),
            News::Odds { ticket, shots, odds } if ticket == self.ticket => {
                self.take_odds(shots, odds, desk);
                Step::Stay
            }
            News::Tick => {
                self.ticks += 1;
                Step::Stay
            }
            _ => Step::Stay,
        }
    }

    fn granted(&mut self, wish: Wish, desk: &mut Desk) -> Step {
        match wish {
            Wish::Fresh => {
                desk.keep.drop_left();
                Step::Go(Box::new(Placing::new(self.terms.clone().next(), desk)))
            }
            Wish::Leave | Wish::GoOn => Step::Stay,
        }
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Desk) {
        let places = Places::new(area, self.terms.rules.size(), 3 + LOG_ROWS, self.own_only);
        self.single = places.is_single();
        let Some(game) = self.game() else {
            let text = format!("{} is placing its fleet", title(self.terms.bot));
            Paragraph::new(text).render(Rect::new(area.x + 1, area.y + 1, area.width - 1, 1), buffer);
            return;
        };
        let own = fleet_seen("Your fleet", game.fleets()[HUMAN], game.knowledge(COMPUTER));
        let plot = places.draw(&self.enemy_picture(game, desk), &own, buffer, desk.look);
        self.plot = plot;
        self.draw_below(places.below, buffer, desk.look);
    }

    fn wait(&self) -> Option<Duration> {
        (!self.is_my_turn()).then_some(THINKING)
    }
}
