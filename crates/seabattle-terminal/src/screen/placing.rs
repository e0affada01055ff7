//! The page for placing the player's fleet.

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
use super::board::{BoardView, ShipOutline};
use super::board_layout::board_view;
use super::cell_size::CellSize;
use super::game_setup::GameSetup;
use super::list::{SelectList, Selection};
use super::menu::{MenuPage, resume};
use super::page::{ConfirmAction, KeyHint, Page, Transition, draw_lines, help_entries, move_cursor};
use super::storage::{Layout, SavedGame, ships_text};
use super::style::{Role, Styles};
use super::text_input::{InputState, TextInput};
use super::viewport::Viewport;
use crate::{HUMAN, messages};

/// Columns beside the board that stay free where cells grow.
const ROOMY_SIDEBAR: u16 = 50;

pub(super) struct PlacingPage {
    setup: GameSetup,
    ships: FleetBuilder,
    rng: SeededRng,
    cursor: Cell,
    orientation: Orientation,
    /// The class of the ship to place next. `None` once all ships are placed.
    selected: Option<ClassId>,
    viewport: Viewport,
    sidebar: Sidebar,
}

/// What is open beside the board.
enum Sidebar {
    Nothing,
    /// The field for a layout's name.
    Naming(TextInput),
    /// The list of saved layouts.
    Layouts(Vec<Layout>, SelectList),
}

impl PlacingPage {
    pub(super) fn new(setup: GameSetup) -> Self {
        let ships = FleetBuilder::new(&setup.rules);
        Self::with(setup, ships)
    }

    /// Restores the ships of an unfinished game.
    pub(super) fn resumed(setup: GameSetup, placed: &str) -> Self {
        let mut ships = FleetBuilder::new(&setup.rules);
        for text in placed.split(", ").filter(|text| !text.is_empty()) {
            if let Ok(placement) = Placement::parse(&setup.rules, text) {
                ships.place(&placement).ok();
            }
        }
        Self::with(setup, ships)
    }

    fn with(setup: GameSetup, ships: FleetBuilder) -> Self {
        let rng = setup.seeds().side(HUMAN).rng();
        let mut placing = Self {
            setup,
            ships,
            rng,
            cursor: Cell::new(0, 0),
            orientation: Orientation::Across,
            selected: None,
            viewport: Viewport::default(),
            sidebar: Sidebar::Nothing,
        };
        placing.select_missing();
        placing
    }

    /// Keeps the selected class while ships of it are missing, then selects the next.
    fn select_missing(&mut self) {
        let missing = |class: &ClassId| self.ships.missing(*class) > 0;
        self.selected = self.selected.filter(missing).or_else(|| self.setup.rules.class_ids().find(missing));
    }

    fn select_next(&mut self) {
        let ids: Vec<ClassId> = self.setup.rules.class_ids().filter(|&class| self.ships.missing(class) > 0).collect();
        let position = self.selected.and_then(|selected| ids.iter().position(|&id| id == selected));
        self.selected = position.map_or(ids.first(), |at| ids.get((at + 1) % ids.len())).copied();
    }

    fn proposal(&self) -> Option<Placement> {
        self.selected.map(|class| Placement::line(class, self.cursor, self.orientation))
    }

    /// Explains why the selected ship cannot be placed here.
    fn refusal(&self) -> Option<String> {
        let violations = self.ships.violations(&self.proposal()?);
        violations.first().map(|violation| violation.kind.to_string())
    }

    fn place(&mut self, context: &mut Context) -> Transition {
        let Some(proposal) = self.proposal() else {
            return self.start_battle(context);
        };
        match self.ships.place(&proposal) {
            Ok(_) => self.select_missing(),
            Err(_) => context.notify(self.refusal().unwrap_or_default()),
        }
        Transition::Stay
    }

    fn start_battle(&mut self, context: &mut Context) -> Transition {
        match self.ships.fleet() {
            Ok(fleet) => Transition::Open(Box::new(BattlePage::new(self.setup.clone(), fleet, context))),
            Err(_) => {
                context.notify(format!("Still to place: {}.", self.missing()));
                Transition::Stay
            }
        }
    }

    fn missing(&self) -> String {
        let rules = &self.setup.rules;
        messages::fleet_list(rules, |class| rules.class_named(class.name()).map_or(0, |id| self.ships.missing(id)))
    }

    /// Places the missing ships at random. Ships placed before stay.
    fn fill_randomly(&mut self, context: &mut Context) {
        let filled = layout::uniform_around(&self.ships, &mut self.rng)
            .or_else(|_| layout::sequential_around(&self.ships, &mut self.rng));
        match filled {
            Ok(fleet) => self.set_fleet(&fleet),
            Err(_) if self.ships.ships().is_empty() => {
                let fleet = layout::any(&self.setup.rules, &mut self.rng);
                self.set_fleet(&fleet);
            }
            Err(_) => context.notify("The remaining ships do not fit. Remove a ship with Backspace."),
        }
    }

    fn set_fleet(&mut self, fleet: &Fleet) {
        self.ships = FleetBuilder::from(fleet);
        self.select_missing();
    }

    fn pick_up(&mut self) {
        let removed = self.ships.remove(self.cursor).or_else(|| self.ships.take_back());
        if let Some(ship) = removed {
            (self.selected, self.cursor, self.orientation) = (Some(ship.class()), ship.start(), ship.orientation());
        }
    }

    /// Picks up the ship at the cursor, or places the selected one. A click never starts the battle.
    fn pick_up_or_place(&mut self, context: &mut Context) {
        if self.ships.ships().iter().any(|ship| ship.cells().any(|cell| cell == self.cursor)) {
            self.pick_up();
        } else if self.selected.is_some() {
            self.place(context);
        }
    }

    /// Scrolls a board that is larger than the window.
    fn scroll(&mut self, down: i8) {
        self.viewport = self.viewport.shifted(down, self.setup.rules.size());
        self.cursor = self.viewport.clamp(self.cursor);
    }

    fn save_progress(&self, context: &mut Context) {
        match self.ships.ships().is_empty() {
            true => context.storage.delete_saved_game(),
            false => {
                context.storage.save_game(&SavedGame { ships: ships_text(&self.ships), ..SavedGame::of(&self.setup) });
            }
        }
    }

    fn open_layouts(&mut self, context: &mut Context) {
        let layouts = context.storage.layouts(&self.setup.rules);
        if layouts.is_empty() {
            context.notify("No layout is saved for these rules. Press S to save one.");
            return;
        }
        let items = layouts.iter().map(|layout| (layout.name.clone(), String::new())).collect();
        self.sidebar = Sidebar::Layouts(layouts, SelectList::new(items, 0));
    }

    fn start_naming(&mut self, context: &mut Context) {
        if self.ships.is_complete() {
            self.sidebar = Sidebar::Naming(TextInput::default());
        } else {
            context.notify(format!("Only complete fleets can be saved. Still to place: {}.", self.missing()));
        }
    }

    fn key_in_sidebar(&mut self, key: KeyEvent, context: &mut Context) {
        match &mut self.sidebar {
            Sidebar::Nothing => {}
            Sidebar::Naming(line) => match line.key(key) {
                InputState::Editing => {}
                InputState::Cancelled => self.sidebar = Sidebar::Nothing,
                InputState::Submitted => {
                    let name = line.text().trim().to_owned();
                    if let (false, Ok(fleet)) = (name.is_empty(), self.ships.fleet()) {
                        context.storage.save_layout(&name, &fleet);
                        context.notify(format!("Saved as {name}. Press L to load it."));
                    }
                    self.sidebar = Sidebar::Nothing;
                }
            },
            Sidebar::Layouts(layouts, list) => match key.code {
                KeyCode::Esc | KeyCode::Char('q') => self.sidebar = Sidebar::Nothing,
                KeyCode::Char('d') | KeyCode::Delete => {
                    context.storage.delete_layout(&layouts[list.at()]);
                    context.notify(format!("Deleted {}.", layouts[list.at()].name));
                    self.sidebar = Sidebar::Nothing;
                    if !context.storage.layouts(&self.setup.rules).is_empty() {
                        self.open_layouts(context);
                    }
                }
                _ => {
                    let chosen = list.key(key);
                    self.load(&chosen, context);
                }
            },
        }
    }

    fn load(&mut self, chosen: &Selection, context: &mut Context) {
        let (Selection::Item(number), Sidebar::Layouts(layouts, _)) = (chosen, &self.sidebar) else { return };
        match Fleet::parse(&self.setup.rules, &layouts[*number].fleet) {
            Ok(fleet) => self.set_fleet(&fleet),
            Err(error) => context.notify(format!("Cannot read that layout: {error}.")),
        }
        self.sidebar = Sidebar::Nothing;
        self.save_progress(context);
    }

    fn view(&self) -> BoardView<'static> {
        let size = self.setup.rules.size();
        let ships_shown =
            self.ships.ships().iter().map(|ship| ShipOutline { cells: CellSet::of_ship(size, ship), sunk: false });
        let mut ships_shown: Vec<ShipOutline> = ships_shown.collect();
        let mut overlays = Vec::new();
        if let Some(class) = self.selected {
            let preview = self.setup.rules.ship(class, self.cursor, self.orientation);
            let role = if self.refusal().is_none() { Role::Preview } else { Role::Conflict };
            overlays = preview.cells().filter(|&cell| size.contains(cell)).map(|cell| (cell, role)).collect();
            ships_shown.insert(
                0,
                ShipOutline { cells: CellSet::of(size, overlays.iter().map(|(cell, _)| *cell)), sunk: false },
            );
        }
        BoardView {
            cursor: Some(self.cursor),
            previous: self.viewport,
            overlays,
            active: true,
            ..board_view("Your fleet", TextBoard::of_builder(&self.ships), ships_shown)
        }
    }

    fn draw_sidebar(&mut self, area: Rect, buffer: &mut Buffer, styles: Styles) {
        let orientation = match self.orientation {
            Orientation::Across => "across",
            Orientation::Down => "down",
        };
        let title = |text: &str| Line::styled(text.to_owned(), styles.of(Role::Title));
        let head = match &self.sidebar {
            Sidebar::Nothing => vec![
                Line::from(vec![
                    Span::styled(format!("{} {orientation}. ", self.cursor), styles.of(Role::Dim)),
                    self.advice(styles),
                ]),
                Line::default(),
                title("Ships"),
            ],
            Sidebar::Naming(line) => {
                vec![title("Name of the layout"), line.line("", area.width.into(), styles.of(Role::Key))]
            }
            Sidebar::Layouts(..) => vec![title("Saved layouts")],
        };
        let used = draw_lines(&head, area, buffer);
        let place = Rect { y: area.y + used, height: area.height - used, ..area };
        match &mut self.sidebar {
            Sidebar::Naming(_) => {}
            Sidebar::Layouts(_, list) => list.draw(place, buffer, styles),
            Sidebar::Nothing => self.draw_ships(place, buffer, styles),
        }
    }

    /// Draws the list of ships. The selected one is always visible.
    fn draw_ships(&self, area: Rect, buffer: &mut Buffer, styles: Styles) {
        let classes: Vec<ClassId> = self.setup.rules.class_ids().collect();
        let at = classes.iter().position(|&class| self.selected == Some(class)).unwrap_or(0);
        let skipped = (at + 1).saturating_sub(area.height.into());
        let names = self.setup.rules.classes().iter().map(|class| class.name().len()).max().unwrap_or(0);
        let lines = classes[skipped..].iter().map(|&class| self.ship_line(class, names, styles));
        for (y, line) in (area.y..area.bottom()).zip(lines) {
            line.render(Rect::new(area.x + 1, y, area.width.saturating_sub(1), 1), buffer);
        }
    }

    fn ship_line(&self, class: ClassId, names: usize, styles: Styles) -> Line<'static> {
        let ship = self.setup.rules.class(class);
        let (all, missing) = (ship.count(), self.ships.missing(class));
        let is_selected = self.selected == Some(class);
        let mark = if is_selected { styles.unicode_or_ascii("▸", ">") } else { " " };
        let state = match (missing, all) {
            (0, _) => "placed".to_owned(),
            (1, 1) => "to place".to_owned(),
            _ => format!("{missing} to place"),
        };
        let role = if is_selected {
            Role::Key
        } else if missing == 0 {
            Role::Good
        } else {
            Role::Text
        };
        let body = styles.glyphs.of(seabattle_core::Mark::Ship).to_string().repeat(ship.length().into());
        Line::from(vec![
            Span::styled(format!("{mark} {:<names$} ", ship.name()), styles.of(role)),
            Span::styled(format!("{body:<6}"), styles.of(role)),
            Span::styled(format!(" {state}"), styles.of(Role::Dim)),
        ])
    }

    fn advice(&self, styles: Styles) -> Span<'static> {
        match (self.selected, self.refusal()) {
            (None, _) => Span::styled("All ships are placed. Press Enter to start.", styles.of(Role::Good)),
            (Some(_), None) => Span::styled("Enter places the ship here.", styles.of(Role::Text)),
            (Some(_), Some(why)) => Span::styled(format!("Not here: {why}."), styles.of(Role::Bad)),
        }
    }
}

impl Page for PlacingPage {
    fn title(&self) -> String {
        format!("Place your fleet against {}, {}", self.setup.bot.title, self.setup.rules)
    }

    fn hints(&self) -> Vec<KeyHint> {
        match self.sidebar {
            Sidebar::Naming(_) => vec![("Enter", "save"), ("Esc", "back")],
            Sidebar::Layouts(..) => vec![("Enter", "load"), ("d", "delete"), ("Esc", "back")],
            Sidebar::Nothing if self.selected.is_none() => {
                vec![("Enter", "start"), ("x", "shuffle"), ("c", "clear"), ("S", "save layout"), ("L", "layouts")]
            }
            Sidebar::Nothing => {
                vec![("Enter", "place"), ("r", "rotate"), ("x", "random"), ("Tab", "next"), ("z", "fill the rest")]
            }
        }
    }

    fn help(&self, context: &Context) -> Vec<(String, String)> {
        let mut entries = help_entries(&[
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
            ("Esc", &context.with_fate_of_game("back to the menu")),
            ("q", &context.with_fate_of_game("quit")),
        ]);
        entries.extend(self.setup.rules_help());
        entries
    }

    fn is_typing(&self) -> bool {
        matches!(self.sidebar, Sidebar::Naming(_))
    }

    fn paste(&mut self, text: &str) -> bool {
        let Sidebar::Naming(input) = &mut self.sidebar else { return false };
        input.paste(text);
        true
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Transition {
        if !matches!(self.sidebar, Sidebar::Nothing) {
            self.key_in_sidebar(key, context);
            return Transition::Stay;
        }
        if let Some(cell) = move_cursor(self.cursor, key, self.setup.rules.size()) {
            self.cursor = cell;
            return Transition::Stay;
        }
        match key.code {
            KeyCode::Enter | KeyCode::Char(' ') => {
                let step = self.place(context);
                if !matches!(step, Transition::Stay) {
                    return step;
                }
            }
            KeyCode::Char('r') => self.orientation = self.orientation.turned(),
            KeyCode::Tab => self.select_next(),
            KeyCode::Char('x') => {
                self.ships.clear();
                self.fill_randomly(context);
            }
            KeyCode::Char('z') => self.fill_randomly(context),
            KeyCode::Backspace => self.pick_up(),
            KeyCode::Char('c') => {
                self.ships.clear();
                self.select_missing();
            }
            KeyCode::Char('S') => self.start_naming(context),
            KeyCode::Char('L') => self.open_layouts(context),
            KeyCode::Esc if self.ships.ships().is_empty() => return Transition::Open(Box::new(MenuPage::new(context))),
            KeyCode::Esc => return context.leave_game(),
            KeyCode::Char('q') => return Transition::Ask(context.quit_question()),
            _ => return Transition::Stay,
        }
        self.save_progress(context);
        Transition::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent, context: &mut Context) -> Transition {
        if let Sidebar::Layouts(_, list) = &mut self.sidebar {
            let chosen = list.mouse(mouse);
            self.load(&chosen, context);
            return Transition::Stay;
        }
        let at = Position::new(mouse.column, mouse.row);
        let cell = self.viewport.cell_at(at);
        match mouse.kind {
            MouseEventKind::Moved | MouseEventKind::Drag(_) => self.cursor = cell.unwrap_or(self.cursor),
            MouseEventKind::Down(MouseButton::Right) => self.orientation = self.orientation.turned(),
            MouseEventKind::Down(MouseButton::Left) => {
                let Some(cell) = cell else { return Transition::Stay };
                self.cursor = cell;
                self.pick_up_or_place(context);
                self.save_progress(context);
            }
            MouseEventKind::ScrollUp if self.viewport.contains(at) => self.scroll(-1),
            MouseEventKind::ScrollDown if self.viewport.contains(at) => self.scroll(1),
            _ => {}
        }
        Transition::Stay
    }

    fn confirmed(&mut self, _action: ConfirmAction, context: &mut Context) -> Transition {
        let saved = context.storage.saved_game();
        saved.and_then(|saved| resume(&saved, context)).map_or(Transition::Stay, Transition::Open)
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, context: &Context) {
        let size = self.setup.rules.size();
        let beside = match CellSize::largest(size, area.width.saturating_sub(ROOMY_SIDEBAR), area.height) {
            CellSize::NARROW => CellSize::largest(size, area.width.saturating_sub(34), 0),
            cell => cell,
        };
        let side_by_side = beside.board(size).0 + 30 <= area.width;
        let below = CellSize::largest(size, area.width, area.height.saturating_sub(12));
        let cell = if side_by_side { beside } else { below };
        let (width, height) = cell.board(size);
        let columns = if side_by_side { width.max(area.width / 2).min(area.width - 30) } else { area.width };
        let rows = height.min(if side_by_side { area.height } else { area.height.saturating_sub(7).max(6) });
        self.viewport = self.view().draw(Rect::new(area.x, area.y, columns, rows), cell, None, buffer, context.styles);
        let place = if side_by_side {
            Rect::new(area.x + columns + 1, area.y + 1, area.width - columns - 1, area.height - 1)
        } else {
            Rect::new(area.x, area.y + rows, area.width, area.height - rows)
        };
        self.draw_sidebar(place, buffer, context.styles);
    }
}
