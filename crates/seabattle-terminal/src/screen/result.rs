//! The end of a game: both fleets, the counts, skill and luck.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use seabattle_core::{BySide, Cell, Game, Record, Side};
use seabattle_odds::Analysis;

use super::app::Context;
use super::battle::BattlePage;
use super::board_layout::{BoardLayout, fleet_seen};
use super::event::Event;
use super::game_setup::GameSetup;
use super::menu::MenuPage;
use super::page::{KeyHint, Page, Transition, draw_lines, explained, moved};
use super::placing::PlacingPage;
use super::replay::ReplayPage;
use super::style::{Role, Styles};
use super::workers::Ticket;
use crate::{COMPUTER, HUMAN, messages};

pub(super) struct ResultPage {
    terms: GameSetup,
    game: Game,
    record: Record,
    ticket: Ticket,
    judgement: AnalysisState,
    own_only: bool,
    /// Not all of both boards is in sight: this is, of both.
    focus: Option<Cell>,
    cut: bool,
}

/// What is known about how well both sides shot.
pub(super) enum AnalysisState {
    Waiting,
    Known(Box<Analysis>),
    Unknown,
}

impl AnalysisState {
    pub(super) fn of(analysis: Option<Box<Analysis>>) -> Self {
        analysis.map_or(Self::Unknown, Self::Known)
    }

    pub(super) fn known(&self) -> Option<&Analysis> {
        match self {
            Self::Known(analysis) => Some(analysis),
            Self::Waiting | Self::Unknown => None,
        }
    }
}

impl ResultPage {
    pub(super) fn new(terms: GameSetup, game: Game, desk: &mut Context) -> Self {
        let record = Record::of(&game, BySide { a: "you", b: terms.bot.name }, terms.told_seed());
        desk.keep.drop_left();
        desk.keep_game(&record);
        desk.thinker.finish(COMPUTER, &game);
        let ticket = desk.thinker.ticket();
        desk.thinker.analyse(ticket, game.rules(), game.volleys());
        Self {
            terms,
            game,
            record,
            ticket,
            judgement: AnalysisState::Waiting,
            own_only: false,
            focus: None,
            cut: false,
        }
    }

    /// The computer has met this player now, and may have learnt.
    fn next_terms(&self, desk: &mut Context) -> GameSetup {
        GameSetup { met: true, ..desk.terms_like(&self.terms) }
    }

    fn tally(&self, side: Side, look: Styles) -> Line<'static> {
        let name = if side == HUMAN { "You" } else { self.terms.bot.title };
        let counts = messages::tally(name, self.game.knowledge(side));
        let judgement = match &self.judgement {
            AnalysisState::Waiting => "  calculating skill and luck".to_owned(),
            AnalysisState::Unknown => String::new(),
            AnalysisState::Known(analysis) => format!("  {}", messages::skill_and_luck(analysis.reviews()[side])),
        };
        Line::from(vec![Span::raw(counts), Span::styled(judgement, look.style(Role::Key))])
    }
}

impl Page for ResultPage {
    fn title(&self) -> String {
        self.terms.in_short()
    }

    fn hints(&self) -> Vec<KeyHint> {
        let mut hints = vec![("Enter", "new game"), ("s", "same fleet")];
        if self.cut {
            hints.push(("Tab", "board"));
        }
        hints.extend([("w", "review"), ("Esc", "menu"), ("q", "quit")]);
        hints
    }

    fn help(&self, _look: Styles) -> Vec<(String, String)> {
        explained(&[
            ("Enter, n", "new game"),
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

    fn key(&mut self, key: KeyEvent, desk: &mut Context) -> Transition {
        let size = self.terms.rules.size();
        let middle = Cell::new(size.width() / 2, size.height() / 2);
        if let Some(cell) = moved(self.focus.unwrap_or(middle), key, size) {
            self.focus = Some(cell).filter(|_| self.cut);
            return Transition::Stay;
        }
        match key.code {
            KeyCode::Enter | KeyCode::Char('n' | 'y') => {
                Transition::Go(Box::new(PlacingPage::new(self.next_terms(desk))))
            }
            KeyCode::Char('s') => {
                let fleet = self.game.fleets()[HUMAN].clone();
                let terms = self.next_terms(desk);
                Transition::Go(Box::new(BattlePage::new(terms, fleet, desk)))
            }
            KeyCode::Char('w') => Transition::Go(Box::new(ReplayPage::of_record(&self.record, desk))),
            KeyCode::Tab => {
                self.own_only = !self.own_only;
                Transition::Stay
            }
            KeyCode::Esc => Transition::Go(Box::new(MenuPage::new(desk))),
            KeyCode::Char('q') => Transition::Quit,
            _ => Transition::Stay,
        }
    }

    fn news(&mut self, news: Event, _desk: &mut Context) -> Transition {
        if let Event::Analysis { ticket, analysis } = news
            && ticket == self.ticket
        {
            self.judgement = AnalysisState::of(analysis);
        }
        Transition::Stay
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Context) {
        let size = self.terms.rules.size();
        let places = BoardLayout::new(area, size, 6, 6, self.own_only);
        let fleets = self.game.fleets();
        let mut enemy = fleet_seen("Enemy fleet", fleets[COMPUTER], self.game.knowledge(HUMAN));
        let mut own = fleet_seen("Your fleet", fleets[HUMAN], self.game.knowledge(COMPUTER));
        (enemy.cursor, own.cursor) = (self.focus, self.focus);
        let plots = places.draw(&enemy, &own, buffer, desk.look);
        self.cut = plots.iter().any(|plot| plot.is_cut(size));
        let won = self.game.end().and_then(|end| end.winner) == Some(HUMAN);
        let part = if won { Role::Good } else { Role::Bad };
        let headline = messages::headline(&self.game, self.terms.bot.title);
        let lines = [
            Line::styled(headline, desk.look.style(part)),
            self.tally(HUMAN, desk.look),
            self.tally(COMPUTER, desk.look),
        ];
        draw_lines(&lines, places.below, buffer);
    }
}
