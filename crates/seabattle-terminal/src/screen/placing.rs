//! Placing one's own fleet.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::{Position, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use seabattle_core::{
    Cell, CellSet, ClassId, Fleet, FleetBuilder, Orientation, Placement, SeededRng, TextBoard, layout,
};

use super::app::Context;
use super::battle::BattlePage;
use super::board::{BoardView, ShipOutline, Viewport, wanted};
use super::game_setup::GameSetup;
use super::list::{SelectList, Selection};
use super::menu::{MenuPage, go_on};
use super::page::{ConfirmAction, KeyHint, Page, Question, Transition, draw_lines, explained, moved};
use super::storage::{Layout, SavedGame, ships_text};
use super::style::{Role, Styles};
use super::text_input::{InputState, TextInput};
use crate::{HUMAN, messages};

pub(super) struct PlacingPage {
    terms: GameSetup,
    ships: FleetBuilder,
    rng: SeededRng,
    cursor: Cell,
    orientation: Orientation,
    /// The class in hand; none when all ships are placed.
    hand: Option<ClassId>,
    plot: Viewport,
    beside: Sidebar,
}

/// What is open beside the board.
enum Sidebar {
    Nothing,
    /// A name for the layout is being typed.
    Naming(TextInput),
    /// Saved layouts, to choose one.
    Layouts(Vec<Layout>, SelectList),
}

impl PlacingPage {
    pub(super) fn new(terms: GameSetup) -> Self {
        let ships = FleetBuilder::new(&terms.rules);
        Self::with(terms, ships)
    }

    /// With the ships that were placed when the game was left.
    pub(super) fn resumed(terms: GameSetup, placed: &str) -> Self {
        let mut ships = FleetBuilder::new(&terms.rules);
        for text in placed.split(", ").filter(|text| !text.is_empty()) {
            if let Ok(placement) = Placement::parse(&terms.rules, text) {
                ships.place(&placement).ok();
            }
        }
        Self::with(terms, ships)
    }

    fn with(terms: GameSetup, ships: FleetBuilder) -> Self {
        let rng = terms.chance().side(HUMAN).rng();
        let mut placing = Self {
            terms,
            ships,
            rng,
            cursor: Cell::new(0, 0),
            orientation: Orientation::Across,
            hand: None,
            plot: Viewport::default(),
            beside: Sidebar::Nothing,
        };
        placing.take_in_hand();
        placing
    }

    /// The class in hand stays as long as ships of it are missing.
    fn take_in_hand(&mut self) {
        let missing = |class: &ClassId| self.ships.missing(*class) > 0;
        self.hand = self.hand.filter(missing).or_else(|| self.terms.rules.class_ids().find(missing));
    }

    fn next_in_hand(&mut self) {
        let ids: Vec<ClassId> = self.terms.rules.class_ids().filter(|&class| self.ships.missing(class) > 0).collect();
        let at = self.hand.and_then(|hand| ids.iter().position(|&id| id == hand));
        self.hand = at.map_or(ids.first(), |at| ids.get((at + 1) % ids.len())).copied();
    }

    fn proposal(&self) -> Option<Placement> {
        self.hand.map(|class| Placement::line(class, self.cursor, self.orientation))
    }

    /// Why the ship in hand cannot lie here.
    fn refusal(&self) -> Option<String> {
        let refusals = self.ships.refusals(&self.proposal()?);
        refusals.first().map(|refusal| refusal.reason.to_string())
    }

    fn place(&mut self, desk: &mut Context) -> Transition {
        let Some(proposal) = self.proposal() else {
            return self.begin(desk);
        };
        match self.ships.place(&proposal) {
            Ok(_) => self.take_in_hand(),
            Err(_) => desk.say(self.refusal().unwrap_or_default()),
        }
        Transition::Stay
    }

    fn begin(&mut self, desk: &mut Context) -> Transition {
        match self.ships.fleet() {
            Ok(fleet) => Transition::Go(Box::new(BattlePage::new(self.terms.clone(), fleet, desk))),
            Err(_) => {
                desk.say(format!("Still to place: {}.", self.missing()));
                Transition::Stay
            }
        }
    }

    fn missing(&self) -> String {
        let rules = &self.terms.rules;
        messages::fleet_list(rules, |class| rules.class_named(class.name()).map_or(0, |id| self.ships.missing(id)))
    }

    /// Places what is missing by chance; the ships that are there stay.
    fn fill(&mut self, desk: &mut Context) {
        let filled = layout::uniform_around(&self.ships, &mut self.rng)
            .or_else(|_| layout::sequential_around(&self.ships, &mut self.rng));
        match filled {
            Ok(fleet) => self.take_layout(&fleet),
            Err(_) if self.ships.ships().is_empty() => {
                let fleet = layout::any(&self.terms.rules, &mut self.rng);
                self.take_layout(&fleet);
            }
            Err(_) => desk.say("The remaining ships do not fit. Remove a ship with Backspace."),
        }
    }

    fn take_layout(&mut self, fleet: &Fleet) {
        self.ships = FleetBuilder::from(fleet);
        self.take_in_hand();
    }

    fn take_back(&mut self) {
        let taken = self.ships.remove(self.cursor).or_else(|| self.ships.take_back());
        if let Some(ship) = taken {
            (self.hand, self.cursor, self.orientation) = (Some(ship.class()), ship.start(), ship.orientation());
        }
    }

    /// A click takes the ship in hand that lies there, and else puts down the one in hand; it never begins the battle.
    fn take_or_place(&mut self, desk: &mut Context) {
        if self.ships.ships().iter().any(|ship| ship.cells().any(|cell| cell == self.cursor)) {
            self.take_back();
        } else if self.hand.is_some() {
            self.place(desk);
        }
    }

    /// Turns over a board that is larger than the window.
    fn wheel(&mut self, down: i8) {
        self.plot = self.plot.shifted(down, self.terms.rules.size());
        self.cursor = self.plot.nearest(self.cursor);
    }

    fn keep(&self, desk: &mut Context) {
        match self.ships.ships().is_empty() {
            true => desk.keep.drop_left(),
            false => desk.keep.keep_left(&SavedGame { ships: ships_text(&self.ships), ..SavedGame::of(&self.terms) }),
        }
    }

    fn open_layouts(&mut self, desk: &mut Context) {
        let layouts = desk.keep.layouts(&self.terms.rules);
        if layouts.is_empty() {
            desk.say("No layout is saved for these rules. Press S to save one.");
            return;
        }
        let items = layouts.iter().map(|layout| (layout.name.clone(), String::new())).collect();
        self.beside = Sidebar::Layouts(layouts, SelectList::new(items, 0));
    }

    fn start_naming(&mut self, desk: &mut Context) {
        if self.ships.is_complete() {
            self.beside = Sidebar::Naming(TextInput::default());
        } else {
            desk.say(format!("Only complete fleets can be saved. Still to place: {}.", self.missing()));
        }
    }

    fn key_beside(&mut self, key: KeyEvent, desk: &mut Context) {
        match &mut self.beside {
            Sidebar::Nothing => {}
            Sidebar::Naming(line) => match line.key(key) {
                InputState::Still => {}
                InputState::GivenUp => self.beside = Sidebar::Nothing,
                InputState::Done => {
                    let name = line.text().trim().to_owned();
                    if let (false, Ok(fleet)) = (name.is_empty(), self.ships.fleet()) {
                        desk.keep.keep_layout(&name, &fleet);
                        desk.say(format!("Saved as {name}. Press L to load it."));
                    }
                    self.beside = Sidebar::Nothing;
                }
            },
            Sidebar::Layouts(layouts, choice) => match key.code {
                KeyCode::Esc | KeyCode::Char('q') => self.beside = Sidebar::Nothing,
                KeyCode::Char('d') | KeyCode::Delete => {
                    desk.keep.drop_layout(&layouts[choice.at()]);
                    desk.say(format!("Deleted {}.", layouts[choice.at()].name));
                    self.beside = Sidebar::Nothing;
                    if !desk.keep.layouts(&self.terms.rules).is_empty() {
                        self.open_layouts(desk);
                    }
                }
                _ => {
                    let chosen = choice.key(key);
                    self.load(&chosen, desk);
                }
            },
        }
    }

    fn load(&mut self, chosen: &Selection, desk: &mut Context) {
        let (Selection::Item(number), Sidebar::Layouts(layouts, _)) = (chosen, &self.beside) else { return };
        match Fleet::parse(&self.terms.rules, &layouts[*number].fleet) {
            Ok(fleet) => self.take_layout(&fleet),
            Err(error) => desk.say(format!("Cannot read that layout: {error}.")),
        }
        self.beside = Sidebar::Nothing;
        self.keep(desk);
    }

    fn picture(&self) -> BoardView<'static> {
        let size = self.terms.rules.size();
        let hulls =
            self.ships.ships().iter().map(|ship| ShipOutline { cells: CellSet::of_ship(size, ship), sunk: false });
        let mut hulls: Vec<ShipOutline> = hulls.collect();
        let mut over = Vec::new();
        if let Some(class) = self.hand {
            let ghost = self.terms.rules.ship(class, self.cursor, self.orientation);
            let part = if self.refusal().is_none() { Role::Ghost } else { Role::Clash };
            over = ghost.cells().filter(|&cell| size.contains(cell)).map(|cell| (cell, part)).collect();
            hulls.insert(0, ShipOutline { cells: CellSet::of(size, over.iter().map(|(cell, _)| *cell)), sunk: false });
        }
        BoardView {
            title: "Your fleet".to_owned(),
            board: TextBoard::of_builder(&self.ships),
            hulls,
            cursor: Some(self.cursor),
            before: self.plot,
            over,
            heat: None,
            active: true,
        }
    }

    fn draw_beside(&mut self, area: Rect, buffer: &mut Buffer, look: Styles) {
        let orientation = match self.orientation {
            Orientation::Across => "across",
            Orientation::Down => "down",
        };
        let title = |text: &str| Line::styled(text.to_owned(), look.style(Role::Title));
        let head = match &self.beside {
            Sidebar::Nothing => vec![
                Line::from(vec![
                    Span::styled(format!("{} {orientation}. ", self.cursor), look.style(Role::Dim)),
                    self.advice(look),
                ]),
                Line::default(),
                title("Ships"),
            ],
            Sidebar::Naming(line) => {
                vec![title("Name of the layout"), Line::styled(format!("{}_", line.text()), look.style(Role::Key))]
            }
            Sidebar::Layouts(..) => vec![title("Saved layouts")],
        };
        let used = draw_lines(&head, area, buffer);
        let place = Rect { y: area.y + used, height: area.height - used, ..area };
        match &mut self.beside {
            Sidebar::Naming(_) => {}
            Sidebar::Layouts(_, choice) => choice.draw(place, buffer, look),
            Sidebar::Nothing => self.draw_ships(place, buffer, look),
        }
    }

    /// The ship in hand is always among those that have room.
    fn draw_ships(&self, area: Rect, buffer: &mut Buffer, look: Styles) {
        let classes: Vec<ClassId> = self.terms.rules.class_ids().collect();
        let at = classes.iter().position(|&class| self.hand == Some(class)).unwrap_or(0);
        let skipped = (at + 1).saturating_sub(area.height.into());
        let names = self.terms.rules.classes().iter().map(|class| class.name().len()).max().unwrap_or(0);
        let lines = classes[skipped..].iter().map(|&class| self.ship_line(class, names, look));
        for (y, line) in (area.y..area.bottom()).zip(lines) {
            line.render(Rect::new(area.x + 1, y, area.width.saturating_sub(1), 1), buffer);
        }
    }

    fn ship_line(&self, class: ClassId, names: usize, look: Styles) -> Line<'static> {
        let ship = self.terms.rules.class(class);
        let (all, missing) = (ship.count(), self.ships.missing(class));
        let in_hand = self.hand == Some(class);
        let mark = if in_hand { look.either("▸", ">") } else { " " };
        let state = match (missing, all) {
            (0, _) => "placed".to_owned(),
            (1, 1) => "to place".to_owned(),
            _ => format!("{missing} to place"),
        };
        let part = if in_hand {
            Role::Key
        } else if missing == 0 {
            Role::Good
        } else {
            Role::Text
        };
        let body = look.glyphs.of(seabattle_core::Mark::Ship).to_string().repeat(ship.length().into());
        Line::from(vec![
            Span::styled(format!("{mark} {:<names$} ", ship.name()), look.style(part)),
            Span::styled(format!("{body:<6}"), look.style(part)),
            Span::styled(format!(" {state}"), look.style(Role::Dim)),
        ])
    }

    fn advice(&self, look: Styles) -> Span<'static> {
        match (self.hand, self.refusal()) {
            (None, _) => Span::styled("All ships are placed. Press Enter to start.", look.style(Role::Good)),
            (Some(_), None) => Span::styled("Enter places the ship here.", look.style(Role::Text)),
            (Some(_), Some(why)) => Span::styled(format!("Not here: {why}."), look.style(Role::Bad)),
        }
    }
}

impl Page for PlacingPage {
    fn title(&self) -> String {
        format!("Place your fleet against {}, {}", self.terms.bot.title, self.terms.rules)
    }

    fn hints(&self) -> Vec<KeyHint> {
        match self.beside {
            Sidebar::Naming(_) => vec![("Enter", "save"), ("Esc", "back")],
            Sidebar::Layouts(..) => vec![("Enter", "load"), ("d", "delete"), ("Esc", "back")],
            Sidebar::Nothing if self.hand.is_none() => {
                vec![("Enter", "start"), ("x", "shuffle"), ("c", "clear"), ("S", "save layout"), ("L", "layouts")]
            }
            Sidebar::Nothing => {
                vec![("Enter", "place"), ("r", "rotate"), ("x", "random"), ("Tab", "next"), ("z", "fill the rest")]
            }
        }
    }

    fn help(&self, _look: Styles) -> Vec<(String, String)> {
        let mut entries = explained(&[
            ("arrows, hjkl", "move"),
            ("Enter, Space", "place the ship; start when all are placed"),
            ("click", "place the ship, or pick up the one that is there"),
            ("r, right click", "rotate"),
            ("Tab", "next ship"),
            ("x", "place all ships at random"),
            ("z", "fill the rest at random"),
            ("Backspace", "remove the ship here, or the last one"),
            ("c", "clear the board"),
            ("S, L", "save this layout; load or delete one"),
            ("Esc", "back to the menu; your game is saved"),
            ("q", "quit; your game is saved"),
        ]);
        entries.extend(self.terms.rules_explained());
        entries
    }

    fn is_typing(&self) -> bool {
        matches!(self.beside, Sidebar::Naming(_))
    }

    fn key(&mut self, key: KeyEvent, desk: &mut Context) -> Transition {
        if !matches!(self.beside, Sidebar::Nothing) {
            self.key_beside(key, desk);
            return Transition::Stay;
        }
        if let Some(cell) = moved(self.cursor, key, self.terms.rules.size()) {
            self.cursor = cell;
            return Transition::Stay;
        }
        match key.code {
            KeyCode::Enter | KeyCode::Char(' ') => {
                let step = self.place(desk);
                if !matches!(step, Transition::Stay) {
                    return step;
                }
            }
            KeyCode::Char('r') => self.orientation = self.orientation.turned(),
            KeyCode::Tab => self.next_in_hand(),
            KeyCode::Char('x') => {
                self.ships.clear();
                self.fill(desk);
            }
            KeyCode::Char('z') => self.fill(desk),
            KeyCode::Backspace => self.take_back(),
            KeyCode::Char('c') => {
                self.ships.clear();
                self.take_in_hand();
            }
            KeyCode::Char('S') => self.start_naming(desk),
            KeyCode::Char('L') => self.open_layouts(desk),
            KeyCode::Esc => return Transition::Go(Box::new(MenuPage::new(desk))),
            KeyCode::Char('q') => {
                return Transition::Ask(Question {
                    text: "Quit? Your game is saved.".to_owned(),
                    wish: ConfirmAction::Quit,
                });
            }
            _ => return Transition::Stay,
        }
        self.keep(desk);
        Transition::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent, desk: &mut Context) -> Transition {
        if let Sidebar::Layouts(_, choice) = &mut self.beside {
            let chosen = choice.mouse(mouse);
            self.load(&chosen, desk);
            return Transition::Stay;
        }
        let at = Position::new(mouse.column, mouse.row);
        let cell = self.plot.cell_at(at);
        match mouse.kind {
            MouseEventKind::Moved | MouseEventKind::Drag(_) => self.cursor = cell.unwrap_or(self.cursor),
            MouseEventKind::Down(MouseButton::Right) => self.orientation = self.orientation.turned(),
            MouseEventKind::Down(MouseButton::Left) => {
                let Some(cell) = cell else { return Transition::Stay };
                self.cursor = cell;
                self.take_or_place(desk);
                self.keep(desk);
            }
            MouseEventKind::ScrollUp if self.plot.contains(at) => self.wheel(-1),
            MouseEventKind::ScrollDown if self.plot.contains(at) => self.wheel(1),
            _ => {}
        }
        Transition::Stay
    }

    fn granted(&mut self, _wish: ConfirmAction, desk: &mut Context) -> Transition {
        let left = desk.keep.left();
        left.and_then(|left| go_on(&left, desk)).map_or(Transition::Stay, Transition::Go)
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Context) {
        let (width, height) = wanted(self.terms.rules.size(), area.width.saturating_sub(34));
        let beside = width + 30 <= area.width;
        let columns = if beside { width.max(area.width / 2).min(area.width - 30) } else { area.width };
        let rows = height.min(if beside { area.height } else { area.height.saturating_sub(7).max(6) });
        self.plot = self.picture().draw(Rect::new(area.x, area.y, columns, rows), buffer, desk.look);
        let place = if beside {
            Rect::new(area.x + columns + 1, area.y + 1, area.width - columns - 1, area.height - 1)
        } else {
            Rect::new(area.x, area.y + rows, area.width, area.height - rows)
        };
        self.draw_beside(place, buffer, desk.look);
    }
}
