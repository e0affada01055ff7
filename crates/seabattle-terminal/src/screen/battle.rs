//! The battle: shots, answers, odds and the log.

mod cell_entry;
mod reveal;
mod view;

use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use seabattle_core::{BySide, Cell, Fleet, FleetBuilder, Game, Mark, Record, Shot, Side, Stop};
use seabattle_odds::Odds;

use super::app::Context;
use super::battle_log::BattleLog;
use super::event::Event;
use super::game_setup::GameSetup;
use super::menu::MenuPage;
use super::page::{ConfirmAction, KeyHint, Page, Question, SPINNER_INTERVAL, Transition, help_entries, move_cursor};
use super::placing::PlacingPage;
use super::result::ResultPage;
use super::storage::{SavedGame, ships_text};
use super::style::Role;
use super::viewport::Viewport;
use super::workers::GameId;
use crate::{COMPUTER, HUMAN, messages};
use cell_entry::{CellEntry, EntryState};
use reveal::Reveal;

const CALCULATING: &str = "Calculating the odds.";

pub(super) struct BattlePage {
    setup: GameSetup,
    game_id: GameId,
    stage: BattleStage,
    cursor: Cell,
    /// Cells chosen for the salvo.
    aimed: Vec<Cell>,
    odds: Option<(usize, Arc<Odds>)>,
    shows_odds: bool,
    /// Where the cursor was when the player asked for a hint that is still being computed.
    hint_requested_at: Option<Cell>,
    hint: Option<Cell>,
    log: BattleLog,
    /// Whether keys act on the player's own board. It is the visible one if only one fits.
    on_own_board: bool,
    /// The cursor on the player's own board. `None` follows the last shot.
    own_cursor: Option<Cell>,
    /// Whether a part of a board is hidden.
    clipped: bool,
    /// The visible parts of the enemy's and the player's board.
    viewports: [Viewport; 2],
    /// The animation of the last shots.
    reveal: Option<Reveal>,
    /// The bot's shots, which wait until the animation is over.
    waiting_volley: Option<Vec<Cell>>,
    /// The page of the result, which waits until the animation is over.
    waiting_result: Option<Box<ResultPage>>,
    entry: CellEntry,
}

enum BattleStage {
    /// The bot is placing its fleet.
    WaitingForFleet(Fleet),
    Playing(Box<Game>),
}

impl BattlePage {
    pub(super) fn new(setup: GameSetup, fleet: Fleet, context: &mut Context) -> Self {
        let game_id = context.workers.new_game_id();
        context
            .storage
            .save_game(&SavedGame { ships: ships_text(&FleetBuilder::from(&fleet)), ..SavedGame::of(&setup) });
        context.workers.place(
            game_id,
            COMPUTER,
            setup.bot,
            setup.seeds().side(COMPUTER),
            &setup.rules,
            setup.has_met_player,
        );
        Self::with(setup, game_id, BattleStage::WaitingForFleet(fleet))
    }

    /// Resumes an unfinished game.
    pub(super) fn resumed(setup: GameSetup, game: Game, aimed: Vec<Cell>, context: &mut Context) -> Self {
        let game_id = context.workers.new_game_id();
        context.workers.restore(COMPUTER, setup.bot, setup.seeds().side(COMPUTER), &game);
        let mut battle = Self::with(setup, game_id, BattleStage::WaitingForFleet(game.fleets()[HUMAN].clone()));
        battle.log.add(Role::Dim, messages::who_begins(game.first(), battle.setup.bot.title));
        for (side, shots) in game.volleys() {
            battle.log_volley(&game, side, shots);
        }
        battle.stage = BattleStage::Playing(Box::new(game));
        for cell in aimed {
            battle.add_to_salvo(cell);
        }
        battle.continue_game(context);
        battle
    }

    fn with(setup: GameSetup, game_id: GameId, stage: BattleStage) -> Self {
        let size = setup.rules.size();
        Self {
            cursor: Cell::new(size.width() / 2, size.height() / 2),
            setup,
            game_id,
            stage,
            aimed: Vec::new(),
            odds: None,
            shows_odds: false,
            hint_requested_at: None,
            hint: None,
            log: BattleLog::default(),
            on_own_board: false,
            own_cursor: None,
            clipped: false,
            viewports: [Viewport::default(); 2],
            reveal: None,
            waiting_volley: None,
            waiting_result: None,
            entry: CellEntry::default(),
        }
    }

    fn game(&self) -> Option<&Game> {
        match &self.stage {
            BattleStage::Playing(game) => Some(game),
            BattleStage::WaitingForFleet(_) => None,
        }
    }

    fn is_my_turn(&self) -> bool {
        self.game().is_some_and(|game| game.side_to_move() == Some(HUMAN))
    }

    fn is_salvo(&self) -> bool {
        self.game().is_some_and(|game| game.shots_due() > 1)
    }

    /// Starts the battle once the bot has placed its fleet.
    fn start(&mut self, enemy: Fleet, context: &mut Context) -> Transition {
        let BattleStage::WaitingForFleet(own) = &self.stage else { return Transition::Stay };
        let fleets = BySide { a: own.clone(), b: enemy };
        let Ok(game) = Game::new(fleets, self.setup.first_side()) else {
            context.notify("The computer placed an illegal fleet. Choose another opponent.");
            return Transition::Open(Box::new(MenuPage::new(context)));
        };
        self.log.add(Role::Dim, messages::who_begins(game.first(), self.setup.bot.title));
        self.stage = BattleStage::Playing(Box::new(game));
        self.continue_game(context)
    }

    /// Asks the side to move for its shots, or ends the game.
    fn continue_game(&mut self, context: &mut Context) -> Transition {
        let BattleStage::Playing(game) = &self.stage else { return Transition::Stay };
        if game.side_to_move().is_none() {
            let result = ResultPage::new(self.setup.clone(), game.as_ref().clone(), context);
            self.waiting_result = Some(Box::new(result));
            return if self.reveal.is_some() { Transition::Stay } else { self.end_reveal(context) };
        }
        self.save_progress(context);
        match self.game().and_then(Game::side_to_move) {
            Some(COMPUTER) => self.game().map_or((), |game| context.workers.fire(self.game_id, game)),
            _ => self.request_odds(context),
        }
        Transition::Stay
    }

    fn save_progress(&self, context: &mut Context) {
        let Some(game) = self.game() else { return };
        let record =
            Record::of(game, BySide { a: "you", b: self.setup.bot.name }, self.setup.recorded_seed()).to_string();
        let aimed = self.aimed.iter().map(Cell::to_string).collect::<Vec<_>>().join(" ");
        context.storage.save_game(&SavedGame { record, aimed, ..SavedGame::of(&self.setup) });
    }

    /// Requests the odds, if the player wants to see them.
    fn request_odds(&self, context: &Context) {
        if let Some(game) = self.game().filter(|_| self.shows_odds || self.hint_requested_at.is_some()) {
            context.workers.odds(self.game_id, game.knowledge(HUMAN));
        }
    }

    fn fire(&mut self, cells: &[Cell], context: &mut Context) -> Transition {
        let BattleStage::Playing(game) = &mut self.stage else { return Transition::Stay };
        match game.fire(HUMAN, cells) {
            Ok(shots) => {
                let shots = shots.to_vec();
                self.aimed.clear();
                (self.hint, self.odds, self.hint_requested_at) = (None, None, None);
                self.show_volley(HUMAN, &shots, context);
                self.continue_game(context)
            }
            Err(why) => {
                context.notify(messages::fire_error(why));
                Transition::Stay
            }
        }
    }

    /// Logs and animates shots. The player's own result also stays in the message line while the bot answers.
    fn show_volley(&mut self, side: Side, shots: &[Shot], context: &mut Context) {
        let BattleStage::Playing(game) = &self.stage else { return };
        let game = game.clone();
        self.log_volley(&game, side, shots);
        if let Some(text) = self.log.newest().filter(|_| side == HUMAN) {
            context.notify(text);
        }
        self.reveal = context.is_animated().then(|| Reveal::new(&game, side, shots, context.now));
    }

    /// Logs the shots of a volley in one entry, so that a salvo does not push out the one before.
    fn log_volley(&mut self, game: &Game, side: Side, shots: &[Shot]) {
        let text = match game.view(HUMAN).own().filter(|_| side == COMPUTER) {
            Some(own) => messages::enemy_volley(self.setup.bot.title, own.fleet, own.incoming, shots),
            None => messages::own_volley(game.rules(), shots),
        };
        let role = match (shots.iter().any(|shot| shot.outcome.is_hit()), side) {
            (false, _) => Role::Text,
            (true, HUMAN) => Role::Good,
            (true, _) => Role::Bad,
        };
        self.log.add(role, text);
    }

    /// Ends the animation and goes on with what waited for it.
    fn end_reveal(&mut self, context: &mut Context) -> Transition {
        self.reveal = None;
        if let Some(result) = self.waiting_result.take() {
            return Transition::Open(result);
        }
        self.waiting_volley.take().map_or(Transition::Stay, |cells| self.receive_volley(&cells, context))
    }

    /// Whether the player has to wait for the animation, because the answer or the result follows it.
    fn is_blocked(&self) -> bool {
        self.reveal.is_some() && !self.is_my_turn()
    }

    /// Fires the bot's shots. A bot that breaks the rules forfeits.
    fn receive_volley(&mut self, cells: &[Cell], context: &mut Context) -> Transition {
        let BattleStage::Playing(game) = &mut self.stage else { return Transition::Stay };
        match game.fire(COMPUTER, cells) {
            Ok(shots) => {
                let shots = shots.to_vec();
                self.own_cursor = None;
                self.show_volley(COMPUTER, &shots, context);
            }
            Err(_) => game.stop(Stop::Fault(COMPUTER)),
        }
        self.continue_game(context)
    }

    /// Fires, or in a salvo adds or removes the cell at the cursor.
    fn fire_or_select(&mut self, context: &mut Context) -> Transition {
        if !self.is_my_turn() {
            return Transition::Stay;
        }
        if !self.is_salvo() {
            return self.fire(&[self.cursor], context);
        }
        if let Some(at) = self.aimed.iter().position(|&cell| cell == self.cursor) {
            self.aimed.remove(at);
        } else if !self.game().is_some_and(|game| game.view(HUMAN).is_target(self.cursor)) {
            context.notify(format!("You already fired at {}.", self.cursor));
        } else if !self.add_to_salvo(self.cursor) {
            context.notify("All shots are aimed. Press f to fire, or take one back.");
        } else if self.aimed.len() == self.game().map_or(0, Game::shots_due) {
            context.notify("All shots are aimed. Press f to fire.");
        }
        self.save_progress(context);
        Transition::Stay
    }

    /// Adds a cell to the salvo, if it may have one more.
    fn add_to_salvo(&mut self, cell: Cell) -> bool {
        let Some(game) = self.game().filter(|_| self.is_salvo() && self.is_my_turn()) else { return false };
        let free = self.aimed.len() < game.shots_due();
        let is_allowed = free && !self.aimed.contains(&cell) && game.view(HUMAN).is_target(cell);
        if is_allowed {
            self.aimed.push(cell);
        }
        is_allowed
    }

    fn fire_salvo(&mut self, context: &mut Context) -> Transition {
        let due = self.game().map_or(0, Game::shots_due);
        if !self.is_my_turn() {
            return Transition::Stay;
        }
        if self.aimed.len() < due && self.is_salvo() {
            context.notify(format!("You have aimed {} of {due} shots.", self.aimed.len()));
            return Transition::Stay;
        }
        let cells = if self.is_salvo() { self.aimed.clone() } else { vec![self.cursor] };
        self.fire(&cells, context)
    }

    /// Uses the odds that are there, or requests them.
    fn show_or_request_odds(&mut self, context: &mut Context) {
        match self.odds.take() {
            Some((shots, odds)) => self.receive_odds(shots, Some(odds), context),
            None => {
                context.notify(CALCULATING);
                self.request_odds(context);
            }
        }
    }

    fn receive_odds(&mut self, shots: usize, odds: Option<Arc<Odds>>, context: &mut Context) {
        if self.game().is_none_or(|game| game.knowledge(HUMAN).shots().len() != shots) {
            return;
        }
        let hint_requested_at = std::mem::take(&mut self.hint_requested_at);
        let Some(odds) = odds else {
            context.notify("No odds can be calculated for this position.");
            return;
        };
        if let (Some(best), Some(asked_at)) = (self.likeliest_cell(&odds), hint_requested_at) {
            context.notify(format!("Try {best}: {:.0}% chance of a hit.", 100.0 * odds.probability(best)));
            self.hint = Some(best);
            // A player who has moved on may be about to fire.
            if self.cursor == asked_at {
                self.cursor = best;
            }
        }
        context.clear_notice(CALCULATING);
        self.odds = Some((shots, odds));
    }

    fn likeliest_cell(&self, odds: &Odds) -> Option<Cell> {
        let targets = self.game()?.view(HUMAN).aiming(&self.aimed).targets().into_owned();
        targets.iter().max_by(|a, b| odds.probability(*a).total_cmp(&odds.probability(*b)))
    }

    /// Moves the cursor on the own board. It starts at the last shot.
    fn move_own_cursor(&mut self, key: KeyEvent) {
        let last = self.game().and_then(|game| game.knowledge(COMPUTER).shots().last().map(|shot| shot.cell));
        let from = self.own_cursor.or(last).unwrap_or(self.cursor);
        self.own_cursor = move_cursor(from, key, self.setup.rules.size());
    }

    /// Handles a key of a cell being typed, or returns nothing if the key has another meaning.
    fn key_in_entry(&mut self, key: KeyEvent, context: &mut Context) -> Option<Transition> {
        let is_salvo = self.is_salvo();
        let is_command = |c: char| "hjklmnoqHT".contains(c) || c == 'f' && is_salvo;
        match self.entry.key(key, self.setup.rules.size(), is_command) {
            EntryState::Ignored => return None,
            EntryState::Editing(None) => {}
            EntryState::Editing(Some(cell)) => (self.cursor, self.on_own_board) = (cell, false),
            EntryState::Submitted(Ok(cell)) => {
                (self.cursor, self.on_own_board) = (cell, false);
                return Some(self.fire_or_select(context));
            }
            EntryState::Submitted(Err(text)) => {
                context.notify(format!("{text:?} is not a cell of this board. Type a cell such as B7."));
            }
        }
        Some(Transition::Stay)
    }

    /// Scrolls the board under the mouse if it is clipped, else the log.
    fn scroll(&mut self, at: Position, down: i8) {
        let size = self.setup.rules.size();
        let [enemy, own] = self.viewports;
        if enemy.contains(at) && enemy.is_clipped(size) {
            self.viewports[0] = enemy.shifted(down, size);
            self.cursor = self.viewports[0].clamp(self.cursor);
        } else if own.contains(at) && own.is_clipped(size) {
            self.viewports[1] = own.shifted(down, size);
            self.on_own_board = true;
            self.own_cursor = Some(self.viewports[1].clamp(self.own_cursor.unwrap_or(self.cursor)));
        } else if down < 0 {
            self.log.scroll_back(1);
        } else {
            self.log.scroll_forward(1);
        }
    }
}

impl Page for BattlePage {
    fn title(&self) -> String {
        self.setup.summary()
    }

    fn hints(&self) -> Vec<KeyHint> {
        let mut hints = if self.is_salvo() { vec![("Enter", "aim"), ("f", "fire")] } else { vec![("Enter", "fire")] };
        if self.clipped || self.on_own_board {
            hints.push(("Tab", "board"));
        }
        if self.entry.text().is_some() {
            return vec![hints[0], ("Esc", "cancel")];
        }
        hints.extend([("H", "hint"), ("o", "odds"), ("m", "marks"), ("n", "new game"), ("q", "quit")]);
        hints
    }

    fn help(&self, context: &Context) -> Vec<(String, String)> {
        let mut entries = help_entries(&[
            ("arrows, hjkl", "move"),
            ("Enter, Space, click", "fire; in a salvo, aim or take back"),
            ("b7 Enter", "fire at B7; start with : where the letter is a command"),
            ("f", "fire the salvo"),
            ("H", "hint: the cell most likely to hold a ship"),
            ("o", "the odds of every cell, in percent"),
            ("m", "mark cells that cannot hold a ship"),
            ("PgUp, PgDn", "scroll the log"),
            ("Tab", "look at the other board"),
            ("n", "new game"),
            ("Esc", &context.with_fate_of_game("back to the menu")),
            ("q", &context.with_fate_of_game("quit")),
        ]);
        let styles = context.styles;
        let marks = [Mark::Open, Mark::Miss, Mark::Hit, Mark::Sunk, Mark::Ship].map(|mark| styles.glyphs.of(mark));
        let [open, miss, hit, sunk, ship] = marks;
        let last = styles.unicode_or_ascii("▸ ◂", "> <");
        let meaning = format!("open, miss, hit, sunk, ship; [{sunk}={sunk}] a sunk ship, {last} the last shot");
        entries.push((format!("{open} {miss} {hit} {sunk} {ship}"), meaning));
        entries.extend(self.setup.rules_help());
        entries
    }

    fn is_typing(&self) -> bool {
        self.entry.text().is_some()
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Transition {
        if self.reveal.is_some() {
            let is_skip = self.is_blocked() && matches!(key.code, KeyCode::Enter | KeyCode::Char(' ' | 'f'));
            let step = self.end_reveal(context);
            if is_skip || !matches!(step, Transition::Stay) {
                return step;
            }
        }
        if let Some(step) = self.key_in_entry(key, context) {
            return step;
        }
        if let Some(cell) = move_cursor(self.cursor, key, self.setup.rules.size()) {
            match self.on_own_board {
                true => self.move_own_cursor(key),
                false => self.cursor = cell,
            }
            return Transition::Stay;
        }
        match key.code {
            KeyCode::Enter | KeyCode::Char(' ' | 'f' | 'H' | 'o') if self.on_own_board => self.on_own_board = false,
            KeyCode::Enter | KeyCode::Char(' ') => return self.fire_or_select(context),
            KeyCode::Char('f') => return self.fire_salvo(context),
            KeyCode::Char('H') if self.is_my_turn() => {
                self.hint_requested_at = Some(self.cursor);
                self.show_or_request_odds(context);
            }
            KeyCode::Char('o') => {
                self.shows_odds = !self.shows_odds;
                if self.is_my_turn() && self.shows_odds {
                    self.show_or_request_odds(context);
                }
            }
            KeyCode::Char('m') => {
                let marks = context.settings.marks_impossible(&self.setup.rules);
                context.settings.impossible_cells = Some(!marks);
                context.save_settings();
            }
            KeyCode::PageUp => self.log.scroll_back(3),
            KeyCode::PageDown => self.log.scroll_forward(3),
            KeyCode::Tab => self.on_own_board = !self.on_own_board,
            KeyCode::Char('n') => {
                return Transition::Ask(Question {
                    text: "Give up this game and start a new one?".to_owned(),
                    action: ConfirmAction::NewGame,
                });
            }
            KeyCode::Esc => return context.leave_game(),
            KeyCode::Char('q') => return Transition::Ask(context.quit_question()),
            _ => {}
        }
        Transition::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent, context: &mut Context) -> Transition {
        let at = Position::new(mouse.column, mouse.row);
        let cell = self.viewports[0].cell_at(at);
        match mouse.kind {
            MouseEventKind::Moved => {
                self.on_own_board &= cell.is_none();
                self.cursor = cell.unwrap_or(self.cursor);
            }
            MouseEventKind::Down(MouseButton::Left) => {
                if self.is_blocked() {
                    return self.end_reveal(context);
                }
                if let Some(cell) = cell {
                    self.entry.close();
                    (self.cursor, self.on_own_board) = (cell, false);
                    return self.fire_or_select(context);
                }
            }
            MouseEventKind::ScrollUp => self.scroll(at, -1),
            MouseEventKind::ScrollDown => self.scroll(at, 1),
            _ => {}
        }
        Transition::Stay
    }

    fn event(&mut self, event: Event, context: &mut Context) -> Transition {
        match event {
            Event::Fleet { game_id, fleet, .. } if game_id == self.game_id => self.start(fleet, context),
            Event::Volley { game_id, cells } if game_id == self.game_id => match self.reveal {
                Some(_) => {
                    self.waiting_volley = Some(cells);
                    Transition::Stay
                }
                None => self.receive_volley(&cells, context),
            },
            Event::Odds { game_id, shots, odds } if game_id == self.game_id => {
                self.receive_odds(shots, odds, context);
                Transition::Stay
            }
            Event::Tick if self.reveal.as_ref().is_some_and(|reveal| reveal.is_over(context.now)) => {
                self.end_reveal(context)
            }
            event => self.waiting_result.as_mut().map_or(Transition::Stay, |result| result.event(event, context)),
        }
    }

    fn confirmed(&mut self, action: ConfirmAction, context: &mut Context) -> Transition {
        match action {
            ConfirmAction::NewGame => {
                context.storage.delete_saved_game();
                let setup = context.setup_like(&self.setup);
                Transition::Open(Box::new(PlacingPage::new(setup)))
            }
            ConfirmAction::Quit | ConfirmAction::Continue | ConfirmAction::Leave => Transition::Stay,
        }
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, context: &Context) {
        self.draw_battle(area, buffer, context);
    }

    fn tick_interval(&self) -> Option<Duration> {
        let spinner = (!self.is_my_turn()).then_some(SPINNER_INTERVAL);
        if self.reveal.is_some() { Some(reveal::FRAME) } else { spinner }
    }
}
