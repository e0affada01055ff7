//! The battle: shots, answers, odds, and a log of it all.

use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};
use seabattle_core::{BySide, Cell, Fleet, FleetBuilder, Game, Mark, Record, Shot, Side, Stop};
use seabattle_odds::Odds;

use super::app::Context;
use super::battle_log::BattleLog;
use super::board::{BoardView, Viewport};
use super::board_layout::{BoardLayout, enemy_waters, fleet_seen};
use super::event::Event;
use super::game_setup::GameSetup;
use super::menu::MenuPage;
use super::page::{ConfirmAction, KeyHint, Page, Question, Transition, draw_lines, explained, moved};
use super::placing::PlacingPage;
use super::result::ResultPage;
use super::storage::{SavedGame, ships_text};
use super::style::{Role, Styles};
use super::workers::Ticket;
use crate::{COMPUTER, HUMAN, messages};

/// Rows for what is afloat, whose turn it is, and the log: the least, and where there is room.
const LEAST_BELOW: u16 = 4;
const WISHED_BELOW: u16 = 8;
/// Columns from which ships are called by their names.
const NAMES_FROM: u16 = 76;
const RECKONING: &str = "Calculating the odds.";
const THINKING: Duration = Duration::from_millis(120);

pub(super) struct BattlePage {
    terms: GameSetup,
    ticket: Ticket,
    stage: BattleStage,
    cursor: Cell,
    /// Shots of a salvo that are not fired yet.
    aimed: Vec<Cell>,
    odds: Option<(usize, Arc<Odds>)>,
    heat: bool,
    /// Where the cursor was when a hint was asked for that is still to come.
    hint_wanted: Option<Cell>,
    hint: Option<Cell>,
    log: BattleLog,
    /// Whether keys act on the own board, and it is the one in sight where one has room.
    own_only: bool,
    /// What is looked at on the own board, if not the last shot.
    own_cursor: Option<Cell>,
    /// Whether not all of both boards is in sight.
    cut: bool,
    ticks: usize,
    /// Of the enemy's waters and of the own fleet.
    plots: [Viewport; 2],
}

enum BattleStage {
    /// The computer is placing its fleet.
    Gathering(Fleet),
    Fight(Box<Game>),
}

impl BattlePage {
    pub(super) fn new(terms: GameSetup, fleet: Fleet, desk: &mut Context) -> Self {
        let ticket = desk.thinker.ticket();
        desk.keep.keep_left(&SavedGame { ships: ships_text(&FleetBuilder::from(&fleet)), ..SavedGame::of(&terms) });
        desk.thinker.place(ticket, COMPUTER, terms.bot, terms.chance().side(COMPUTER), &terms.rules, terms.met);
        Self::with(terms, ticket, BattleStage::Gathering(fleet))
    }

    /// A game that was left goes on.
    pub(super) fn resumed(terms: GameSetup, game: Game, aimed: Vec<Cell>, desk: &mut Context) -> Self {
        let ticket = desk.thinker.ticket();
        desk.thinker.recall(COMPUTER, terms.bot, terms.chance().side(COMPUTER), &game);
        let mut battle = Self::with(terms, ticket, BattleStage::Gathering(game.fleets()[HUMAN].clone()));
        battle.log.add(Role::Dim, messages::who_begins(game.first(), battle.terms.bot.title));
        for (side, shots) in game.volleys() {
            battle.note(&game, side, shots);
        }
        battle.stage = BattleStage::Fight(Box::new(game));
        for cell in aimed {
            battle.aim(cell);
        }
        battle.next(desk);
        battle
    }

    fn with(terms: GameSetup, ticket: Ticket, stage: BattleStage) -> Self {
        let size = terms.rules.size();
        Self {
            cursor: Cell::new(size.width() / 2, size.height() / 2),
            terms,
            ticket,
            stage,
            aimed: Vec::new(),
            odds: None,
            heat: false,
            hint_wanted: None,
            hint: None,
            log: BattleLog::default(),
            own_only: false,
            own_cursor: None,
            cut: false,
            ticks: 0,
            plots: [Viewport::default(); 2],
        }
    }

    fn game(&self) -> Option<&Game> {
        match &self.stage {
            BattleStage::Fight(game) => Some(game),
            BattleStage::Gathering(_) => None,
        }
    }

    fn is_my_turn(&self) -> bool {
        self.game().is_some_and(|game| game.side_to_move() == Some(HUMAN))
    }

    fn is_salvo(&self) -> bool {
        self.game().is_some_and(|game| game.shots_due() > 1)
    }

    /// The computer has placed its fleet: the battle begins.
    fn begin(&mut self, enemy: Fleet, desk: &mut Context) -> Transition {
        let BattleStage::Gathering(own) = &self.stage else { return Transition::Stay };
        let fleets = BySide { a: own.clone(), b: enemy };
        let Ok(game) = Game::new(fleets, self.terms.first_side()) else {
            desk.say("The computer placed an illegal fleet. Choose another opponent.");
            return Transition::Go(Box::new(MenuPage::new(desk)));
        };
        self.log.add(Role::Dim, messages::who_begins(game.first(), self.terms.bot.title));
        self.stage = BattleStage::Fight(Box::new(game));
        self.next(desk)
    }

    /// Whose turn it is now, and what follows from that.
    fn next(&mut self, desk: &mut Context) -> Transition {
        let BattleStage::Fight(game) = &self.stage else { return Transition::Stay };
        if game.side_to_move().is_none() {
            let (game, terms) = (game.as_ref().clone(), self.terms.clone());
            return Transition::Go(Box::new(ResultPage::new(terms, game, desk)));
        }
        self.keep(desk);
        match self.game().and_then(Game::side_to_move) {
            Some(COMPUTER) => self.game().map_or((), |game| desk.thinker.fire(self.ticket, game)),
            _ => self.ask_odds(desk),
        }
        Transition::Stay
    }

    fn keep(&self, desk: &mut Context) {
        let Some(game) = self.game() else { return };
        let record = Record::of(game, BySide { a: "you", b: self.terms.bot.name }, self.terms.told_seed()).to_string();
        let aimed = self.aimed.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
        desk.keep.keep_left(&SavedGame { record, aimed, ..SavedGame::of(&self.terms) });
    }

    /// Only for a player who wants to see them.
    fn ask_odds(&self, desk: &Context) {
        if let Some(game) = self.game().filter(|_| self.heat || self.hint_wanted.is_some()) {
            desk.thinker.odds(self.ticket, game.knowledge(HUMAN));
        }
    }

    fn fire(&mut self, cells: &[Cell], desk: &mut Context) -> Transition {
        let BattleStage::Fight(game) = &mut self.stage else { return Transition::Stay };
        match game.fire(HUMAN, cells) {
            Ok(shots) => {
                let shots = shots.to_vec();
                self.aimed.clear();
                (self.hint, self.odds, self.hint_wanted) = (None, None, None);
                self.say_and_note(HUMAN, &shots, desk);
                self.next(desk)
            }
            Err(why) => {
                desk.say(messages::refused(why));
                Transition::Stay
            }
        }
    }

    fn say_and_note(&mut self, side: Side, shots: &[Shot], desk: &mut Context) {
        let BattleStage::Fight(game) = &self.stage else { return };
        let game = game.clone();
        self.note(&game, side, shots);
        if let Some(text) = self.log.newest() {
            desk.say(text);
        }
    }

    fn note(&mut self, game: &Game, side: Side, shots: &[Shot]) {
        for &shot in shots {
            let text = match game.view(HUMAN).own().filter(|_| side == COMPUTER) {
                Some(own) => messages::enemy_shot(self.terms.bot.title, own.fleet, own.incoming, shot),
                None => messages::own_shot(game.rules(), shot),
            };
            let part = match (shot.outcome.is_hit(), side) {
                (false, _) => Role::Text,
                (true, HUMAN) => Role::Good,
                (true, _) => Role::Bad,
            };
            self.log.add(part, text);
        }
    }

    /// The computer has chosen; one that breaks the rules has lost.
    fn take_volley(&mut self, cells: &[Cell], desk: &mut Context) -> Transition {
        let BattleStage::Fight(game) = &mut self.stage else { return Transition::Stay };
        match game.fire(COMPUTER, cells) {
            Ok(shots) => {
                let shots = shots.to_vec();
                self.own_cursor = None;
                self.say_and_note(COMPUTER, &shots, desk);
            }
            Err(_) => game.stop(Stop::Fault(COMPUTER)),
        }
        self.next(desk)
    }

    /// Fires, or in a salvo aims or thinks better of it.
    fn shoot_or_aim(&mut self, desk: &mut Context) -> Transition {
        if !self.is_my_turn() {
            return Transition::Stay;
        }
        if !self.is_salvo() {
            return self.fire(&[self.cursor], desk);
        }
        if let Some(at) = self.aimed.iter().position(|&cell| cell == self.cursor) {
            self.aimed.remove(at);
        } else if !self.game().is_some_and(|game| game.view(HUMAN).is_target(self.cursor)) {
            desk.say(format!("You already fired at {}.", self.cursor));
        } else if !self.aim(self.cursor) {
            desk.say("All shots are aimed. Press f to fire, or take one back.");
        } else if self.aimed.len() == self.game().map_or(0, Game::shots_due) {
            desk.say("All shots are aimed. Press f to fire.");
        }
        self.keep(desk);
        Transition::Stay
    }

    /// Adds a shot to the salvo, if it may have one more.
    fn aim(&mut self, cell: Cell) -> bool {
        let Some(game) = self.game().filter(|_| self.is_salvo() && self.is_my_turn()) else { return false };
        let free = self.aimed.len() < game.shots_due();
        let may = free && !self.aimed.contains(&cell) && game.view(HUMAN).is_target(cell);
        if may {
            self.aimed.push(cell);
        }
        may
    }

    fn fire_salvo(&mut self, desk: &mut Context) -> Transition {
        let due = self.game().map_or(0, Game::shots_due);
        if !self.is_my_turn() {
            return Transition::Stay;
        }
        if self.aimed.len() < due && self.is_salvo() {
            desk.say(format!("You have aimed {} of {due} shots.", self.aimed.len()));
            return Transition::Stay;
        }
        let cells = if self.is_salvo() { self.aimed.clone() } else { vec![self.cursor] };
        self.fire(&cells, desk)
    }

    /// Takes the odds that are there, or asks for them.
    fn use_odds(&mut self, desk: &mut Context) {
        match self.odds.take() {
            Some((shots, odds)) => self.take_odds(shots, Some(odds), desk),
            None => {
                desk.say(RECKONING);
                self.ask_odds(desk);
            }
        }
    }

    fn take_odds(&mut self, shots: usize, odds: Option<Arc<Odds>>, desk: &mut Context) {
        if self.game().is_none_or(|game| game.knowledge(HUMAN).shots().len() != shots) {
            return;
        }
        let hint_wanted = std::mem::take(&mut self.hint_wanted);
        let Some(odds) = odds else {
            desk.say("No odds can be calculated for this position.");
            return;
        };
        if let (Some(best), Some(asked_at)) = (self.likeliest(&odds), hint_wanted) {
            desk.say(format!("Try {best}: {:.0}% chance of a hit.", 100.0 * odds.probability(best)));
            self.hint = Some(best);
            // Whoever has moved on meanwhile may be about to fire.
            if self.cursor == asked_at {
                self.cursor = best;
            }
        }
        desk.unsay(RECKONING);
        self.odds = Some((shots, odds));
    }

    fn likeliest(&self, odds: &Odds) -> Option<Cell> {
        let targets = self.game()?.view(HUMAN).aiming(&self.aimed).targets().into_owned();
        targets.iter().max_by(|a, b| odds.probability(*a).total_cmp(&odds.probability(*b)))
    }

    fn enemy_picture(&self, game: &Game, desk: &Context) -> BoardView<'_> {
        let knowledge = game.knowledge(HUMAN);
        let mut picture = enemy_waters("Enemy waters", knowledge);
        if desk.settings.marks {
            let mut impossible = knowledge.impossible();
            knowledge.hits().iter().for_each(|cell| impossible.remove(cell));
            picture.board.mark(&impossible, Mark::Impossible);
        }
        picture.over = self.hint.map(|cell| (cell, Role::Hint)).into_iter().collect();
        picture.over.extend(self.aimed.iter().map(|&cell| (cell, Role::Aim)));
        picture.cursor = Some(self.cursor);
        picture.active = game.side_to_move() == Some(HUMAN) && !self.own_only;
        picture.before = self.plots[0];
        let current = self.odds.as_ref().filter(|(shots, _)| self.heat && *shots == knowledge.shots().len());
        picture.heat = current.map(|(_, odds)| odds.as_ref());
        picture
    }

    fn own_picture(&self, game: &Game) -> BoardView<'_> {
        let mut picture = fleet_seen("Your fleet", game.fleets()[HUMAN], game.knowledge(COMPUTER));
        picture.cursor = self.own_cursor.filter(|_| self.own_only);
        (picture.active, picture.before) = (self.own_only, self.plots[1]);
        picture
    }

    /// Moves over the own fleet, beginning where the last shot fell.
    fn look_around(&mut self, key: KeyEvent) {
        let last = self.game().and_then(|game| game.knowledge(COMPUTER).shots().last().map(|shot| shot.cell));
        let from = self.own_cursor.or(last).unwrap_or(self.cursor);
        self.own_cursor = moved(from, key, self.terms.rules.size());
    }

    fn draw_below(&mut self, area: Rect, buffer: &mut Buffer, look: Styles) {
        let Some(game) = self.game() else { return };
        let [enemy, own] = messages::afloat_of_both(game, area.width >= NAMES_FROM);
        let head = [
            Line::from(vec![Span::styled("Enemy afloat  ", look.style(Role::Dim)), Span::raw(enemy)]),
            Line::from(vec![Span::styled("Yours afloat  ", look.style(Role::Dim)), Span::raw(own)]),
            self.status(game, look),
        ];
        let used = draw_lines(&head, area, buffer);
        let place = Rect { y: area.y + used, height: area.height - used, ..area };
        self.log.draw(place, buffer, look);
    }

    /// Turns over a board that is cut, and else scrolls the log.
    fn wheel(&mut self, at: Position, down: i8) {
        let size = self.terms.rules.size();
        let [enemy, own] = self.plots;
        if enemy.contains(at) && enemy.is_cut(size) {
            self.plots[0] = enemy.shifted(down, size);
            self.cursor = self.plots[0].nearest(self.cursor);
        } else if own.contains(at) && own.is_cut(size) {
            self.plots[1] = own.shifted(down, size);
            self.own_only = true;
            self.own_cursor = Some(self.plots[1].nearest(self.own_cursor.unwrap_or(self.cursor)));
        } else if down < 0 {
            self.log.scroll_back(1);
        } else {
            self.log.scroll_on(1);
        }
    }

    fn status(&self, game: &Game, look: Styles) -> Line<'static> {
        let shots = game.knowledge(HUMAN).shots().len();
        if game.side_to_move() == Some(COMPUTER) {
            let spin = look.either(["◐", "◓", "◑", "◒"], ["|", "/", "-", "\\"])[self.ticks % 4];
            return Line::styled(format!("{spin} {} is thinking", self.terms.bot.title), look.style(Role::Key));
        }
        let text = match game.shots_due() {
            _ if self.own_only => "Your own fleet. Press Tab to go back.".to_owned(),
            1 => format!("Your shot {}: {}", shots + 1, self.cursor),
            due => format!("Your salvo: {} of {due} aimed; f fires", self.aimed.len()),
        };
        Line::styled(text, look.style(Role::Key))
    }
}

impl Page for BattlePage {
    fn title(&self) -> String {
        self.terms.in_short()
    }

    fn hints(&self) -> Vec<KeyHint> {
        let mut hints = if self.is_salvo() { vec![("Enter", "aim"), ("f", "fire")] } else { vec![("Enter", "fire")] };
        if self.cut || self.own_only {
            hints.push(("Tab", "board"));
        }
        hints.extend([("H", "hint"), ("o", "odds"), ("m", "marks"), ("n", "new game"), ("q", "quit")]);
        hints
    }

    fn help(&self, look: Styles) -> Vec<(String, String)> {
        let mut entries = explained(&[
            ("arrows, hjkl", "move"),
            ("Enter, Space, click", "fire; in a salvo, aim or take back"),
            ("f", "fire the salvo"),
            ("H", "hint: the cell most likely to hold a ship"),
            ("o", "the odds of every cell, in percent"),
            ("m", "mark cells that cannot hold a ship"),
            ("PgUp, PgDn", "scroll the log"),
            ("Tab", "look at the other board"),
            ("n", "new game"),
            ("Esc", "back to the menu; your game is saved"),
            ("q", "quit; your game is saved"),
        ]);
        let marks = [Mark::Open, Mark::Miss, Mark::Hit, Mark::Sunk, Mark::Ship].map(|mark| look.glyphs.of(mark));
        let [open, miss, hit, sunk, ship] = marks;
        let last = look.either("▸ ◂", "> <");
        let meaning = format!("open, miss, hit, sunk, ship; [{sunk}={sunk}] a sunk ship, {last} the last shot");
        entries.push((format!("{open} {miss} {hit} {sunk} {ship}"), meaning));
        entries.extend(self.terms.rules_explained());
        entries
    }

    fn key(&mut self, key: KeyEvent, desk: &mut Context) -> Transition {
        if let Some(cell) = moved(self.cursor, key, self.terms.rules.size()) {
            match self.own_only {
                true => self.look_around(key),
                false => self.cursor = cell,
            }
            return Transition::Stay;
        }
        match key.code {
            KeyCode::Enter | KeyCode::Char(' ' | 'f' | 'H' | 'o') if self.own_only => self.own_only = false,
            KeyCode::Enter | KeyCode::Char(' ') => return self.shoot_or_aim(desk),
            KeyCode::Char('f') => return self.fire_salvo(desk),
            KeyCode::Char('H') if self.is_my_turn() => {
                self.hint_wanted = Some(self.cursor);
                self.use_odds(desk);
            }
            KeyCode::Char('o') => {
                self.heat = !self.heat;
                if self.is_my_turn() && self.heat {
                    self.use_odds(desk);
                }
            }
            KeyCode::Char('m') => {
                desk.settings.marks = !desk.settings.marks;
                desk.keep_settings();
            }
            KeyCode::PageUp => self.log.scroll_back(3),
            KeyCode::PageDown => self.log.scroll_on(3),
            KeyCode::Tab => self.own_only = !self.own_only,
            KeyCode::Char('n' | 'u') => {
                return Transition::Ask(Question {
                    text: "Give up this game and start a new one?".to_owned(),
                    wish: ConfirmAction::Fresh,
                });
            }
            KeyCode::Esc => return Transition::Go(Box::new(MenuPage::new(desk))),
            KeyCode::Char('q') => {
                return Transition::Ask(Question {
                    text: "Quit? Your game is saved.".to_owned(),
                    wish: ConfirmAction::Quit,
                });
            }
            _ => {}
        }
        Transition::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent, desk: &mut Context) -> Transition {
        let at = Position::new(mouse.column, mouse.row);
        let cell = self.plots[0].cell_at(at);
        match mouse.kind {
            MouseEventKind::Moved => {
                self.own_only &= cell.is_none();
                self.cursor = cell.unwrap_or(self.cursor);
            }
            MouseEventKind::Down(MouseButton::Left) => {
                if let Some(cell) = cell {
                    (self.cursor, self.own_only) = (cell, false);
                    return self.shoot_or_aim(desk);
                }
            }
            MouseEventKind::ScrollUp => self.wheel(at, -1),
            MouseEventKind::ScrollDown => self.wheel(at, 1),
            _ => {}
        }
        Transition::Stay
    }

    fn news(&mut self, news: Event, desk: &mut Context) -> Transition {
        match news {
            Event::Fleet { ticket, fleet, .. } if ticket == self.ticket => self.begin(fleet, desk),
            Event::Volley { ticket, cells } if ticket == self.ticket => self.take_volley(&cells, desk),
            Event::Odds { ticket, shots, odds } if ticket == self.ticket => {
                self.take_odds(shots, odds, desk);
                Transition::Stay
            }
            Event::Tick => {
                self.ticks += 1;
                Transition::Stay
            }
            _ => Transition::Stay,
        }
    }

    fn granted(&mut self, wish: ConfirmAction, desk: &mut Context) -> Transition {
        match wish {
            ConfirmAction::Fresh => {
                desk.keep.drop_left();
                let terms = desk.terms_like(&self.terms);
                Transition::Go(Box::new(PlacingPage::new(terms)))
            }
            ConfirmAction::Quit | ConfirmAction::GoOn => Transition::Stay,
        }
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Context) {
        let size = self.terms.rules.size();
        let places = BoardLayout::new(area, size, LEAST_BELOW, WISHED_BELOW, self.own_only);
        let Some(game) = self.game() else {
            let text = format!("{} is placing its ships", self.terms.bot.title);
            Paragraph::new(text).render(Rect::new(area.x + 1, area.y + 1, area.width - 1, 1), buffer);
            return;
        };
        let plots = places.draw(&self.enemy_picture(game, desk), &self.own_picture(game), buffer, desk.look);
        self.plots = plots;
        self.cut = plots.iter().any(|plot| plot.is_cut(size));
        self.draw_below(places.below, buffer, desk.look);
    }

    fn wait(&self) -> Option<Duration> {
        (!self.is_my_turn()).then_some(THINKING)
    }
}
