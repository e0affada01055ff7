//! The page that steps through a game: a record, or two bots playing.

use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::text::Line;
use seabattle_bots::BotInfo;
use seabattle_core::{BySide, Cell, End, Fleet, Game, Knowledge, Record, Rules, Shot, Side, Stop, Termination};
use seabattle_odds::{AnalyzedShot, Odds};
use seabattle_render::{describe_odds, describe_turning_point};

use super::app::Context;
use super::board_layout::{BoardLayout, enemy_board, fleet_board};
use super::event::Event;
use super::game_setup::GameSetup;
use super::page::{KeyHint, Page, SPINNER_INTERVAL, Transition, draw_lines, help_entries, spinner};
use super::result::AnalysisState;
use super::style::Role;
use super::viewport::Viewport;
use super::workers::GameId;
use crate::messages;

/// Milliseconds per volley, slowest first.
const INTERVALS: [u64; 7] = [3000, 1500, 800, 400, 200, 80, 20];
const DEFAULT_SPEED: usize = 2;

/// The game as far as it was played, and how much of it is shown.
pub(super) struct ReplayPage {
    rules: Rules,
    names: BySide<String>,
    fleets: BySide<Option<Fleet>>,
    volleys: Vec<(Side, Vec<Shot>)>,
    end: Option<End>,
    /// The game between two bots, until it is over.
    live: Option<LiveGame>,
    shown: usize,
    knowledge: BySide<Knowledge>,
    playing: bool,
    speed: usize,
    shows_odds: bool,
    odds: Option<(usize, Arc<Odds>)>,
    /// The analysis. A game of two bots is analyzed once it is over.
    analysis: AnalysisState,
    /// Whether the program was started with this replay, so that there is no menu to return to.
    standalone: bool,
    game_id: GameId,
    shows_second: bool,
    /// Whether the player may know the result: in a review always, of two bots once the end was shown.
    reveals_result: bool,
    viewports: [Viewport; 2],
}

/// Numbers two players of the same name.
fn distinct_names(names: BySide<&str>) -> BySide<String> {
    match names.a == names.b {
        true => BySide { a: format!("{} 1", names.a), b: format!("{} 2", names.b) },
        false => names.map(str::to_owned),
    }
}

/// An unfinished game between two bots.
enum LiveGame {
    Placing { first: Side, fleets: BySide<Option<Fleet>> },
    Game(Box<Game>),
}

impl ReplayPage {
    pub(super) fn of_record(record: &Record, context: &mut Context) -> Self {
        let volleys = record.volleys().map(|(side, shots)| (side, shots.to_vec())).collect();
        let names = distinct_names(record.names().map(messages::player_title));
        let fleets = record.fleets().map(|fleet| fleet.cloned());
        let page = Self { volleys, end: record.end(), fleets, ..Self::empty(record.rules(), names, context) };
        page.request_analysis(context);
        page
    }

    /// Opens the record with which the program was started.
    pub(super) fn standalone(record: &Record, context: &mut Context) -> Self {
        Self { standalone: true, ..Self::of_record(record, context) }
    }

    fn request_analysis(&self, context: &Context) {
        let volleys = self.volleys.iter().map(|(side, shots)| (*side, shots.as_slice()));
        context.workers.analyze(self.game_id, &self.rules, volleys);
    }

    pub(super) fn of_bots(setup: &GameSetup, bots: BySide<&'static BotInfo>, context: &mut Context) -> Self {
        let names = distinct_names(bots.map(|bot| bot.title));
        let mut page = Self::empty(&setup.rules, names, context);
        for side in Side::ALL {
            context.workers.place(page.game_id, side, bots[side], setup.seeds().side(side), &setup.rules, false);
        }
        page.live = Some(LiveGame::Placing { first: setup.first_side(), fleets: BySide::default() });
        (page.playing, page.reveals_result) = (true, false);
        page
    }

    fn empty(rules: &Rules, names: BySide<String>, context: &Context) -> Self {
        Self {
            rules: rules.clone(),
            names,
            fleets: BySide::default(),
            volleys: Vec::new(),
            end: None,
            live: None,
            shown: 0,
            knowledge: BySide { a: Knowledge::new(rules), b: Knowledge::new(rules) },
            playing: false,
            speed: DEFAULT_SPEED,
            shows_odds: false,
            odds: None,
            analysis: AnalysisState::Pending,
            standalone: false,
            game_id: context.workers.new_game_id(),
            shows_second: false,
            reveals_result: true,
            viewports: [Viewport::default(); 2],
        }
    }

    /// Takes a bot's fleet. Starts the game once both are there.
    fn receive_fleet(&mut self, side: Side, fleet: Fleet, context: &Context) {
        let Some(LiveGame::Placing { first, fleets }) = &mut self.live else { return };
        fleets[side] = Some(fleet);
        let BySide { a: Some(a), b: Some(b) } = fleets.clone() else { return };
        let first = *first;
        self.fleets = fleets.clone();
        self.live = Game::new(BySide { a, b }, first).ok().map(|game| LiveGame::Game(Box::new(game)));
        self.continue_game(context);
    }

    fn receive_volley(&mut self, cells: &[Cell], context: &Context) {
        let Some(LiveGame::Game(game)) = &mut self.live else { return };
        let Some(side) = game.side_to_move() else { return };
        match game.fire(side, cells) {
            Ok(shots) => self.volleys.push((side, shots.to_vec())),
            Err(_) => game.stop(Stop::Fault(side)),
        }
        self.continue_game(context);
    }

    /// Asks the bot to move for its shots, or ends the game.
    fn continue_game(&mut self, context: &Context) {
        let Some(LiveGame::Game(game)) = &self.live else { return };
        if game.side_to_move().is_some() {
            context.workers.fire(self.game_id, game);
        } else {
            self.end = game.end();
            self.live = None;
            self.reveals_result |= self.is_at_end();
            self.request_analysis(context);
        }
    }

    fn show_volleys(&mut self, count: usize, context: &Context) {
        self.shown = count.min(self.volleys.len());
        self.knowledge = BySide { a: Knowledge::new(&self.rules), b: Knowledge::new(&self.rules) };
        for (side, shots) in &self.volleys[..self.shown] {
            for &shot in shots {
                // Shots of a record were checked by the parser, shots of bots by the game.
                self.knowledge[*side].add(shot).ok();
            }
        }
        self.reveals_result |= self.is_at_end();
        self.request_odds(context);
    }

    /// Requests the odds of the side that fires next.
    fn request_odds(&self, context: &Context) {
        if let Some(side_to_move) = self.side_to_move().filter(|_| self.shows_odds) {
            context.workers.odds(self.game_id, &self.knowledge[side_to_move]);
        }
    }

    fn side_to_move(&self) -> Option<Side> {
        let thinking = match &self.live {
            Some(LiveGame::Game(game)) => game.side_to_move(),
            _ => None,
        };
        self.volleys.get(self.shown).map_or(thinking, |(side, _)| Some(*side))
    }

    /// Describes what is going on, with a spinner while a bot is thinking.
    fn status(&self, context: &Context) -> String {
        let spin = spinner(context);
        let caught_up = self.shown == self.volleys.len();
        match (&self.live, self.side_to_move()) {
            (None, _) if caught_up => self.outcome(),
            (Some(LiveGame::Placing { .. }), _) => format!("{spin} the bots are placing their ships"),
            (Some(LiveGame::Game(_)), Some(side)) if caught_up => format!("{spin} {} is thinking", self.names[side]),
            _ if self.playing => format!("playing, {} ms per volley", INTERVALS[self.speed]),
            _ => "paused".to_owned(),
        }
    }

    /// The side whose fleet is shown on the left: the player's enemy, as in the battle, and else the first.
    fn left_side(&self) -> Side {
        if self.names.a == messages::YOU { Side::B } else { Side::A }
    }

    fn is_at_end(&self) -> bool {
        self.shown == self.volleys.len() && self.live.is_none()
    }

    fn last_volley(&self) -> String {
        let Some((side, shots)) = self.shown.checked_sub(1).and_then(|last| self.volleys.get(last)) else {
            return "The game starts.".to_owned();
        };
        let texts: Vec<String> = shots.iter().map(|&shot| messages::describe_shot(&self.rules, shot)).collect();
        let fires = match self.names[*side].as_str() {
            messages::YOU => "You fire".to_owned(),
            name => format!("{name} fires"),
        };
        let odds = describe_odds(&self.shown_shots());
        if odds.is_empty() {
            return format!("{fires}: {}", texts.join(", "));
        }
        format!("{fires}: {} ({odds})", texts.join(", "))
    }

    /// Returns the analysis of the volley shown last.
    fn shown_shots(&self) -> Vec<AnalyzedShot<'_>> {
        let Some(before) = self.shown.checked_sub(1) else { return Vec::new() };
        let fired = self.shots_before(before);
        let count = self.volleys.get(before).map_or(0, |(_, shots)| shots.len());
        self.analysis.ready().map_or_else(Vec::new, |analysis| analysis.shots().skip(fired).take(count).collect())
    }

    /// Counts the shots of the first volleys.
    fn shots_before(&self, volleys: usize) -> usize {
        self.volleys.iter().take(volleys).map(|(_, shots)| shots.len()).sum()
    }

    /// Explains the turning point at the volley shown last, if there is one.
    fn turning_point(&self) -> Option<String> {
        let analysis = self.analysis.ready().filter(|_| self.reveals_result)?;
        let shown_shots = self.shown_shots();
        let reasons = analysis.turning_points().iter().filter_map(|point| {
            let step = shown_shots.iter().find(|step| step.number == point.number)?;
            Some(describe_turning_point(step, point.reason))
        });
        let reasons: Vec<String> = reasons.collect();
        (!reasons.is_empty()).then(|| format!("turning point: {}", reasons.join(", ")))
    }

    /// Returns how many volleys to show for the next turning point. After the last comes the first.
    fn next_turning_point(&self) -> Option<usize> {
        let numbers = self.analysis.ready()?.turning_points().iter().map(|point| point.number);
        let mut fired = 0;
        let ends: Vec<usize> = self
            .volleys
            .iter()
            .map(|(_, shots)| {
                fired += shots.len();
                fired
            })
            .collect();
        let targets: Vec<usize> = numbers.map(|number| 1 + ends.partition_point(|&end| end < number)).collect();
        targets.iter().find(|&&target| target > self.shown).or(targets.first()).copied()
    }

    /// Summarizes one side: shots, hits, and skill and luck once they are known.
    fn summary(&self, side: Side) -> String {
        let counts = messages::tally(&self.names[side], &self.knowledge[side]);
        let analysis = self.analysis.ready().filter(|_| self.reveals_result);
        let review = analysis.map(|analysis| messages::skill_and_luck(analysis.reviews()[side]));
        match review.filter(|text| !text.is_empty()) {
            Some(text) => format!("{counts}; overall {text}"),
            None => counts,
        }
    }

    fn outcome(&self) -> String {
        let how = |termination: Termination| {
            if termination == Termination::Sunk { String::new() } else { format!(" ({termination})") }
        };
        match self.end {
            Some(End { winner: Some(side), termination: ended }) => format!("{} won{}.", self.names[side], how(ended)),
            Some(End { winner: None, termination: ended }) => format!("No winner{}.", how(ended)),
            None => "The game is not finished.".to_owned(),
        }
    }
}

impl Page for ReplayPage {
    fn title(&self) -> String {
        format!("{} against {}, {}", self.names.a, self.names.b, self.rules)
    }

    fn hints(&self) -> Vec<KeyHint> {
        let pause = if self.playing { "pause" } else { "play" };
        vec![
            ("Space", pause),
            ("→", "step"),
            ("←", "back"),
            ("o", "odds"),
            ("t", "turning point"),
            ("Esc", if self.standalone { "quit" } else { "back" }),
            ("+", "faster"),
            ("-", "slower"),
        ]
    }

    fn help(&self, _context: &Context) -> Vec<(String, String)> {
        help_entries(&[
            ("Space", "play or pause"),
            ("right, l, .", "next volley; the wheel does the same"),
            ("left, h, ,", "previous volley"),
            ("Home, End", "go to the start, to the end"),
            ("+, -", "faster, slower"),
            ("o", "the odds for the side that fires next"),
            ("t", "go to the next turning point"),
            ("Tab", "show the other board, if only one fits"),
            ("Esc, q", if self.standalone { "quit" } else { "back" }),
            ("", ""),
            ("in brackets", "the odds of the shot, and the best cell if that was another"),
            ("skill", "expected hits of the chosen cells, in percent of those of the best cells"),
            ("luck", "hits beyond what was expected; sd: in standard deviations"),
        ])
    }

    fn key(&mut self, key: KeyEvent, context: &mut Context) -> Transition {
        match key.code {
            KeyCode::Char(' ') => {
                if self.is_at_end() {
                    self.show_volleys(0, context);
                }
                self.playing = !self.playing;
            }
            KeyCode::Right | KeyCode::Char('l' | '.') => {
                self.playing = false;
                self.show_volleys(self.shown + 1, context);
            }
            KeyCode::Left | KeyCode::Char('h' | ',') => {
                self.playing = false;
                self.show_volleys(self.shown.saturating_sub(1), context);
            }
            KeyCode::Home => self.show_volleys(0, context),
            KeyCode::End => self.show_volleys(usize::MAX, context),
            KeyCode::Char('+' | '=') => self.speed = (self.speed + 1).min(INTERVALS.len() - 1),
            KeyCode::Char('-') => self.speed = self.speed.saturating_sub(1),
            KeyCode::Char('o') => {
                self.shows_odds = !self.shows_odds;
                self.request_odds(context);
            }
            KeyCode::Char('t') if !self.reveals_result => {
                context.notify("Turning points are shown after the end of the game.");
            }
            KeyCode::Char('t') => match self.next_turning_point() {
                Some(target) => {
                    self.playing = false;
                    self.show_volleys(target, context);
                }
                None if matches!(self.analysis, AnalysisState::Pending) => {
                    context.notify("The analysis is not finished yet.");
                }
                None => context.notify("This game has no turning point."),
            },
            KeyCode::Tab => self.shows_second = !self.shows_second,
            KeyCode::Esc | KeyCode::Char('q') if self.standalone => return Transition::Quit,
            KeyCode::Esc | KeyCode::Char('q') => return Transition::Back,
            _ => {}
        }
        Transition::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent, context: &mut Context) -> Transition {
        let shown = match mouse.kind {
            MouseEventKind::ScrollDown => self.shown + 1,
            MouseEventKind::ScrollUp => self.shown.saturating_sub(1),
            _ => return Transition::Stay,
        };
        self.playing = false;
        self.show_volleys(shown, context);
        Transition::Stay
    }

    fn event(&mut self, event: Event, context: &mut Context) -> Transition {
        match event {
            Event::Fleet { game_id, side, fleet } if game_id == self.game_id => {
                self.receive_fleet(side, fleet, context);
            }
            Event::Volley { game_id, cells } if game_id == self.game_id => self.receive_volley(&cells, context),
            Event::Odds { game_id, shots, odds: Some(odds) } if game_id == self.game_id => {
                self.odds = Some((shots, odds));
            }
            Event::Analysis { game_id, analysis } if game_id == self.game_id => {
                self.analysis = AnalysisState::of(analysis);
            }
            Event::Tick => {
                if self.playing && self.shown < self.volleys.len() {
                    self.show_volleys(self.shown + 1, context);
                }
                self.playing &= !self.is_at_end();
            }
            _ => {}
        }
        Transition::Stay
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, context: &Context) {
        let layout = BoardLayout::new(area, self.rules.size(), 4, 4, self.shows_second);
        let side_to_move = self.side_to_move();
        let last_shot = self.shown.checked_sub(1).and_then(|last| self.volleys[last].1.last()).map(|shot| shot.cell);
        let previous = self.viewports[usize::from(self.viewports[0].top_left().is_none())];
        let view = |side: Side| {
            let (name, known) = (messages::fleet_of(&self.names[side]), &self.knowledge[side.other()]);
            let mut view = match &self.fleets[side] {
                Some(fleet) => fleet_board(&name, fleet, known),
                None => enemy_board(&name, known),
            };
            let is_target = side_to_move == Some(side.other());
            (view.active, view.focus, view.previous) = (is_target, last_shot, previous);
            let current =
                self.odds.as_ref().filter(|(shots, _)| self.shows_odds && is_target && *shots == known.shots().len());
            if let Some((_, odds)) = current {
                let mut heat_view = enemy_board(&name, known);
                (heat_view.heat_map, heat_view.active) = (Some(odds.as_ref()), true);
                (heat_view.focus, heat_view.previous) = (last_shot, previous);
                return heat_view;
            }
            view
        };
        let left = self.left_side();
        self.viewports = layout.draw(&view(left), &view(left.other()), buffer, context.styles);
        let state = self.status(context);
        let count = match self.reveals_result {
            true => format!("Volley {} of {}", self.shown, self.volleys.len()),
            false => format!("Volley {}", self.shown),
        };
        let state = self.turning_point().map_or_else(|| state.clone(), |turn| format!("{state}   {turn}"));
        let mut lines = vec![
            Line::styled(self.last_volley(), context.styles.of(Role::Text)),
            Line::styled(format!("{count}   {state}"), context.styles.of(Role::Key)),
        ];
        lines.extend(Side::ALL.map(|side| Line::styled(self.summary(side), context.styles.of(Role::Dim))));
        draw_lines(&lines, layout.below, buffer);
    }

    fn tick_interval(&self) -> Option<Duration> {
        let thinking = self.live.is_some() && self.shown == self.volleys.len();
        match (thinking, self.playing) {
            (true, _) => Some(SPINNER_INTERVAL),
            (false, true) => Some(Duration::from_millis(INTERVALS[self.speed])),
            (false, false) => None,
        }
    }
}
