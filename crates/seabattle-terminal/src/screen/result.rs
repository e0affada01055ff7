//! The page at the end of a game: both fleets, counts, skill and luck.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use seabattle_core::{BySide, Cell, Game, Record, Side};
use seabattle_odds::Analysis;

use super::app::Context;
use super::battle::BattlePage;
use super::board_layout::{BoardLayout, fleet_board};
use super::event::Event;
use super::game_setup::GameSetup;
use super::menu::MenuPage;
use super::page::{KeyHint, Page, Transition, draw_lines, help_entries, move_cursor};
use super::placing::PlacingPage;
use super::replay::ReplayPage;
use super::style::{Role, Styles};
use super::viewport::Viewport;
use super::workers::GameId;
use crate::{COMPUTER, HUMAN, messages};

pub(super) struct ResultPage {
    setup: GameSetup,
    game: Game,
    record: Record,
    game_id: GameId,
    analysis: AnalysisState,
    shows_own: bool,
    /// The cell around which clipped boards are shown.
    focus: Option<Cell>,
    clipped: bool,
    viewports: [Viewport; 2],
}

/// The analysis of a game: pending, ready, or unavailable.
pub(super) enum AnalysisState {
    Pending,
    Ready(Box<Analysis>),
    Unavailable,
}

impl AnalysisState {
    pub(super) fn of(analysis: Option<Box<Analysis>>) -> Self {
        analysis.map_or(Self::Unavailable, Self::Ready)
    }

    pub(super) fn ready(&self) -> Option<&Analysis> {
        match self {
            Self::Ready(analysis) => Some(analysis),
            Self::Pending | Self::Unavailable => None,
        }
    }
}

impl ResultPage {
    pub(super) fn new(setup: GameSetup, game: Game, context: &mut Context) -> Self {
        let record = Record::of(&game, BySide { a: "you", b: setup.bot.name }, setup.recorded_seed());
        context.storage.delete_saved_game();
        context.save_record(&record);
        context.workers.finish(COMPUTER, &game);
        let game_id = context.workers.new_game_id();
        context.workers.analyze(game_id, game.rules(), game.volleys());
        Self {
            setup,
            game,
            record,
            game_id,
            analysis: AnalysisState::Pending,
            shows_own: false,
            focus: None,
            clipped: false,
            viewports: [Viewport::default(); 2],
        }
    }

    /// Returns the setup of the next game, in which the bot may use what it learned.
    fn next_setup(&self, context: &mut Context) -> GameSetup {
        GameSetup { has_met_player: true, ..context.setup_like(&self.setup) }
    }

    fn tally(&self, side: Side, styles: Styles) -> Line<'static> {
        let name = if side == HUMAN { "You" } else { self.setup.bot.title };
        let counts = messages::tally(name, self.game.knowledge(side));
        let analysis = match &self.analysis {
            AnalysisState::Pending => "  calculating skill and luck".to_owned(),
            AnalysisState::Unavailable => String::new(),
            AnalysisState::Ready(analysis) => format!("  {}", messages::skill_and_luck(analysis.reviews()[side])),
        };
        Line::from(vec![Span::raw(counts), Span::styled(analysis, styles.of(Role::Key))])
    }
}

impl Page for ResultPage {
    fn title(&self) -> String {
        self.setup.summary()
    }

    fn hints(&self) -> Vec<KeyHint> {
        let mut hints = vec![("n", "new game"), ("s", "same fleet")];
        if self.clipped {
            hints.push(("Tab", "board"));
        }
        hints.extend([("w", "review"), ("Esc", "menu"), ("q", "quit")]);
        hints
    }

    fn help(&self, _context: &Context) -> Vec<(String, String)> {
        help_entries(&[
            ("n", "new game"),
            ("s", "new game with the same fleet"),
            ("w", "review this game with the odds of every shot and its turning points"),
            ("Tab", "show the other board, if only one fits"),
            ("arrows, hjkl", "scroll boards that are larger than the window"),
            ("Esc", "back to the menu"),
            ("q", "quit"),
            ("", ""),
            ("skill", "expected hits of the cells you chose, in percent of those of the best cells"),
            ("luck", "hits beyond what was expected"),
            ("sd", "luck in standard deviations: -1 to 1 is common, beyond 2 is rare"),
        ])
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Transition {
        let size = self.setup.rules.size();
        let middle = Cell::new(size.width() / 2, size.height() / 2);
        if let Some(cell) = move_cursor(self.focus.unwrap_or(middle), key, size) {
            self.focus = Some(cell).filter(|_| self.clipped);
            return Transition::Stay;
        }
        match key.code {
            // Enter does nothing here: it may be meant for the last shot.
            KeyCode::Char('n') => Transition::Open(Box::new(PlacingPage::new(self.next_setup(context)))),
            KeyCode::Char('s') => {
                let fleet = self.game.fleets()[HUMAN].clone();
                let setup = self.next_setup(context);
                Transition::Open(Box::new(BattlePage::new(setup, fleet, context)))
            }
            KeyCode::Char('w') => Transition::Push(Box::new(ReplayPage::of_record(&self.record, context))),
            KeyCode::Tab => {
                self.shows_own = !self.shows_own;
                Transition::Stay
            }
            KeyCode::Esc => Transition::Open(Box::new(MenuPage::new(context))),
            KeyCode::Char('q') => Transition::Quit,
            _ => Transition::Stay,
        }
    }

    /// The review on top has replaced the current game, so the analysis may have stopped.
    fn returned(&mut self, context: &mut Context) {
        if matches!(self.analysis, AnalysisState::Pending) {
            self.game_id = context.workers.new_game_id();
            context.workers.analyze(self.game_id, self.game.rules(), self.game.volleys());
        }
    }

    fn event(&mut self, event: Event, _context: &mut Context) -> Transition {
        if let Event::Analysis { game_id, analysis } = event
            && game_id == self.game_id
        {
            self.analysis = AnalysisState::of(analysis);
        }
        Transition::Stay
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, context: &Context) {
        let size = self.setup.rules.size();
        let layout = BoardLayout::new(area, size, 6, 6, self.shows_own);
        let fleets = self.game.fleets();
        let mut enemy = fleet_board("Enemy fleet", fleets[COMPUTER], self.game.knowledge(HUMAN));
        let mut own = fleet_board("Your fleet", fleets[HUMAN], self.game.knowledge(COMPUTER));
        (enemy.focus, own.focus) = (self.focus, self.focus);
        (enemy.previous, own.previous) = (self.viewports[0], self.viewports[1]);
        self.viewports = layout.draw(&enemy, &own, buffer, context.styles);
        self.clipped = self.viewports.iter().any(|viewport| viewport.is_clipped(size));
        let won = self.game.end().and_then(|end| end.winner) == Some(HUMAN);
        let role = if won { Role::Good } else { Role::Bad };
        let headline = messages::headline(&self.game, self.setup.bot.title);
        let lines = [
            Line::styled(headline, context.styles.of(role)),
            self.tally(HUMAN, context.styles),
            self.tally(COMPUTER, context.styles),
        ];
        draw_lines(&lines, layout.below, buffer);
    }
}
