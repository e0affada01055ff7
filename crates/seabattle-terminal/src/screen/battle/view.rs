//! How the battle page is drawn.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Widget};
use seabattle_core::{Game, Mark};

use super::super::app::Context;
use super::super::board::BoardView;
use super::super::board_layout::{BoardLayout, enemy_board, fleet_board};
use super::super::page::{draw_lines, spinner};
use super::super::style::Role;
use super::super::viewport::Viewport;
use super::BattlePage;
use crate::{COMPUTER, HUMAN, messages};

/// Rows below the boards for ships afloat, the turn and the log: at least, and if there is room.
const MIN_STATUS_ROWS: u16 = 4;
const WANTED_STATUS_ROWS: u16 = 8;
/// The width from which ships are listed by name.
const NAMES_FROM: u16 = 76;

impl BattlePage {
    pub(super) fn draw_battle(&mut self, area: Rect, buffer: &mut Buffer, context: &Context) {
        let size = self.setup.rules.size();
        let layout = BoardLayout::new(area, size, MIN_STATUS_ROWS, WANTED_STATUS_ROWS, self.on_own_board);
        let Some(game) = self.game() else {
            let text = format!("{} is placing its ships", self.setup.bot.title);
            Paragraph::new(text).render(Rect::new(area.x + 1, area.y + 1, area.width - 1, 1), buffer);
            return;
        };
        let (mut enemy, mut own) = (self.enemy_view(game, context), self.own_view(game));
        if let Some(reveal) = &self.reveal {
            let target = if reveal.side() == HUMAN { &mut enemy } else { &mut own };
            target.effects = reveal.pictures(context.now, context.styles);
        }
        let viewports = layout.draw(&enemy, &own, buffer, context.styles);
        self.viewports = viewports;
        let shown = viewports.iter().filter(|viewport| viewport.top_left().is_some());
        self.clipped = shown.clone().count() < 2 || shown.clone().any(|viewport| viewport.is_clipped(size));
        self.draw_status(layout.below, buffer, context);
    }

    fn enemy_view(&self, game: &Game, context: &Context) -> BoardView<'_> {
        let knowledge = game.knowledge(HUMAN);
        let mut view = enemy_board("Enemy waters", knowledge);
        if context.settings.marks_impossible(&self.setup.rules) {
            let mut impossible = knowledge.impossible();
            knowledge.hits().iter().for_each(|cell| impossible.remove(cell));
            view.board.mark(&impossible, Mark::Impossible);
        }
        view.overlays = self.hint.map(|cell| (cell, Role::Hint)).into_iter().collect();
        view.overlays.extend(self.aimed.iter().map(|&cell| (cell, Role::Aimed)));
        view.cursor = Some(self.cursor);
        view.active = game.side_to_move() == Some(HUMAN) && !self.on_own_board;
        view.previous = self.shown_before();
        let current = self.odds.as_ref().filter(|(shots, _)| self.shows_odds && *shots == knowledge.shots().len());
        view.heat_map = current.map(|(_, odds)| odds.as_ref());
        view
    }

    fn own_view(&self, game: &Game) -> BoardView<'_> {
        let mut view = fleet_board("Your fleet", game.fleets()[HUMAN], game.knowledge(COMPUTER));
        view.cursor = self.own_cursor.filter(|_| self.on_own_board);
        (view.active, view.previous) = (self.on_own_board, self.shown_before());
        view
    }

    /// The part of the boards that was shown last. Both boards show the same part.
    fn shown_before(&self) -> Viewport {
        let [enemy, own] = self.viewports;
        if enemy.top_left().is_some() { enemy } else { own }
    }

    fn draw_status(&mut self, area: Rect, buffer: &mut Buffer, context: &Context) {
        let Some(game) = self.game() else { return };
        let styles = context.styles;
        let [enemy, own] = messages::afloat_of_both(game, area.width >= NAMES_FROM);
        let head = [
            Line::from(vec![Span::styled("Enemy afloat  ", styles.of(Role::Dim)), Span::raw(enemy)]),
            Line::from(vec![Span::styled("Yours afloat  ", styles.of(Role::Dim)), Span::raw(own)]),
            Line::styled(self.status(game, context), styles.of(Role::Key)),
        ];
        let used = draw_lines(&head, area, buffer);
        let place = Rect { y: area.y + used, height: area.height - used, ..area };
        self.log.draw(place, buffer, styles);
    }

    /// Says what is going on: the player's result, the bot's turn, or what the player can do.
    fn status(&self, game: &Game, context: &Context) -> String {
        let shots = game.knowledge(HUMAN).shots().len();
        if self.is_blocked() {
            return self.log.newest().unwrap_or_default().to_owned();
        }
        if game.side_to_move() == Some(COMPUTER) {
            return format!("{} {} is thinking", spinner(context), self.setup.bot.title);
        }
        match (self.entry.text(), game.shots_due()) {
            (Some(text), 1) => format!("Your shot {}: {text}_", shots + 1),
            (Some(text), _) => format!("Your salvo: {text}_"),
            _ if self.on_own_board => "Your own fleet. Press Tab to go back.".to_owned(),
            (None, 1) => format!("Your shot {}: {}", shots + 1, self.cursor),
            (None, due) => format!("Your salvo: {} of {due} aimed; f fires", self.aimed.len()),
        }
    }
}
