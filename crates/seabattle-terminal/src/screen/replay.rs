//! Games to look at: two bots that play, or a record, at any pace, forwards and back.

use std::sync::Arc;
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;
use ratatui::text::Line;
use seabattle_bots::Entry;
use seabattle_core::{BySide, Cell, End, Fleet, Game, Knowledge, Record, Rules, Shot, Side, Stop, Termination};
use seabattle_odds::{AnalyzedShot, Odds};
use seabattle_render::{describe_odds, describe_turning_point};

use super::app::Context;
use super::board_layout::{BoardLayout, enemy_waters, fleet_seen};
use super::event::Event;
use super::game_setup::GameSetup;
use super::menu::MenuPage;
use super::page::{KeyHint, Page, Transition, draw_lines, explained};
use super::result::AnalysisState;
use super::style::{Role, Styles};
use super::workers::Ticket;
use crate::messages;

/// Milliseconds from one volley to the next, slowest first.
const PACES: [u64; 7] = [3000, 1500, 800, 400, 200, 80, 20];
const FIRST_PACE: usize = 2;
const THINKING: Duration = Duration::from_millis(120);

/// A game as far as it has been played, and how much of it is shown.
pub(super) struct ReplayPage {
    rules: Rules,
    names: BySide<String>,
    fleets: BySide<Option<Fleet>>,
    volleys: Vec<(Side, Vec<Shot>)>,
    end: Option<End>,
    /// Two bots that are still playing.
    live: Option<LiveGame>,
    shown: usize,
    known: BySide<Knowledge>,
    running: bool,
    pace: usize,
    heat: bool,
    odds: Option<(usize, Arc<Odds>)>,
    /// Of a record; two bots are judged when they have finished.
    judgement: AnalysisState,
    /// Whether there is nothing behind it to go back to.
    alone: bool,
    ticket: Ticket,
    second_only: bool,
    ticks: usize,
}

/// Two of the same name are numbered.
fn told_apart(names: BySide<&str>) -> BySide<String> {
    match names.a == names.b {
        true => BySide { a: format!("{} 1", names.a), b: format!("{} 2", names.b) },
        false => names.map(str::to_owned),
    }
}

/// A game between bots under way.
enum LiveGame {
    Placing { first: Side, fleets: BySide<Option<Fleet>> },
    Game(Box<Game>),
}

impl ReplayPage {
    pub(super) fn of_record(record: &Record, desk: &mut Context) -> Self {
        let volleys = record.volleys().map(|(side, shots)| (side, shots.to_vec())).collect();
        let names = told_apart(record.names().map(messages::player_title));
        let fleets = record.fleets().map(|fleet| fleet.cloned());
        let show = Self { volleys, end: record.end(), fleets, ..Self::empty(record.rules(), names, desk) };
        show.ask_judgement(desk);
        show
    }

    /// A record that the program was started with.
    pub(super) fn alone(record: &Record, desk: &mut Context) -> Self {
        Self { alone: true, ..Self::of_record(record, desk) }
    }

    fn ask_judgement(&self, desk: &Context) {
        let volleys = self.volleys.iter().map(|(side, shots)| (*side, shots.as_slice()));
        desk.thinker.analyse(self.ticket, &self.rules, volleys);
    }

    pub(super) fn of_bots(terms: &GameSetup, bots: BySide<&'static Entry>, desk: &mut Context) -> Self {
        let names = told_apart(bots.map(|bot| bot.title));
        let mut show = Self::empty(&terms.rules, names, desk);
        for side in Side::ALL {
            desk.thinker.place(show.ticket, side, bots[side], terms.chance().side(side), &terms.rules, false);
        }
        show.live = Some(LiveGame::Placing { first: terms.first_side(), fleets: BySide::default() });
        show.running = true;
        show
    }

    fn empty(rules: &Rules, names: BySide<String>, desk: &Context) -> Self {
        Self {
            rules: rules.clone(),
            names,
            fleets: BySide::default(),
            volleys: Vec::new(),
            end: None,
            live: None,
            shown: 0,
            known: BySide { a: Knowledge::new(rules), b: Knowledge::new(rules) },
            running: false,
            pace: FIRST_PACE,
            heat: false,
            odds: None,
            judgement: AnalysisState::Waiting,
            alone: false,
            ticket: desk.thinker.ticket(),
            second_only: false,
            ticks: 0,
        }
    }

    /// A bot has placed its fleet.
    fn take_fleet(&mut self, side: Side, fleet: Fleet, desk: &Context) {
        let Some(LiveGame::Placing { first, fleets }) = &mut self.live else { return };
        fleets[side] = Some(fleet);
        let BySide { a: Some(a), b: Some(b) } = fleets.clone() else { return };
        let first = *first;
        self.fleets = fleets.clone();
        self.live = Game::new(BySide { a, b }, first).ok().map(|game| LiveGame::Game(Box::new(game)));
        self.play_on(desk);
    }

    fn take_volley(&mut self, cells: &[Cell], desk: &Context) {
        let Some(LiveGame::Game(game)) = &mut self.live else { return };
        let Some(side) = game.side_to_move() else { return };
        match game.fire(side, cells) {
            Ok(shots) => self.volleys.push((side, shots.to_vec())),
            Err(_) => game.stop(Stop::Fault(side)),
        }
        self.play_on(desk);
    }

    /// Asks the bot to move for its shots, or ends the game.
    fn play_on(&mut self, desk: &Context) {
        let Some(LiveGame::Game(game)) = &self.live else { return };
        if game.side_to_move().is_some() {
            desk.thinker.fire(self.ticket, game);
        } else {
            self.end = game.end();
            self.live = None;
            self.ask_judgement(desk);
        }
    }

    fn show_up_to(&mut self, count: usize, desk: &Context) {
        self.shown = count.min(self.volleys.len());
        self.known = BySide { a: Knowledge::new(&self.rules), b: Knowledge::new(&self.rules) };
        for (side, shots) in &self.volleys[..self.shown] {
            for &shot in shots {
                // A record was checked when it was read, and bots are answered by the rules.
                self.known[*side].add(shot).ok();
            }
        }
        self.ask_odds(desk);
    }

    /// The odds that the side to fire next could know.
    fn ask_odds(&self, desk: &Context) {
        if let Some(side_to_move) = self.side_to_move().filter(|_| self.heat) {
            desk.thinker.odds(self.ticket, &self.known[side_to_move]);
        }
    }

    fn side_to_move(&self) -> Option<Side> {
        let thinking = match &self.live {
            Some(LiveGame::Game(game)) => game.side_to_move(),
            _ => None,
        };
        self.volleys.get(self.shown).map_or(thinking, |(side, _)| Some(*side))
    }

    /// What is going on, with a sign of life while a bot is thinking.
    fn state(&self, look: Styles) -> String {
        let spin = look.either(["◐", "◓", "◑", "◒"], ["|", "/", "-", "\\"])[self.ticks % 4];
        let caught_up = self.shown == self.volleys.len();
        match (&self.live, self.side_to_move()) {
            (None, _) if caught_up => self.outcome(),
            (Some(LiveGame::Placing { .. }), _) => format!("{spin} the bots are placing their ships"),
            (Some(LiveGame::Game(_)), Some(side)) if caught_up => format!("{spin} {} is thinking", self.names[side]),
            _ if self.running => format!("playing, {} ms per volley", PACES[self.pace]),
            _ => "paused".to_owned(),
        }
    }

    fn is_at_end(&self) -> bool {
        self.shown == self.volleys.len() && self.live.is_none()
    }

    fn last_line(&self) -> String {
        let Some((side, shots)) = self.shown.checked_sub(1).and_then(|last| self.volleys.get(last)) else {
            return "The game starts.".to_owned();
        };
        let texts: Vec<String> = shots.iter().map(|&shot| messages::short(&self.rules, shot)).collect();
        let fires = match self.names[*side].as_str() {
            messages::YOU => "You fire".to_owned(),
            name => format!("{name} fires"),
        };
        let odds = describe_odds(&self.judged());
        if odds.is_empty() {
            return format!("{fires}: {}", texts.join(", "));
        }
        format!("{fires}: {} ({odds})", texts.join(", "))
    }

    /// The shots of the volley shown last, judged.
    fn judged(&self) -> Vec<AnalyzedShot<'_>> {
        let Some(before) = self.shown.checked_sub(1) else { return Vec::new() };
        let fired = self.shots_in(before);
        let count = self.volleys.get(before).map_or(0, |(_, shots)| shots.len());
        self.judgement.known().map_or_else(Vec::new, |analysis| analysis.shots().skip(fired).take(count).collect())
    }

    /// Shots of the first volleys.
    fn shots_in(&self, volleys: usize) -> usize {
        self.volleys.iter().take(volleys).map(|(_, shots)| shots.len()).sum()
    }

    /// Why the game turned at the volley shown last.
    fn turn(&self) -> Option<String> {
        let analysis = self.judgement.known()?;
        let judged = self.judged();
        let reasons = analysis.turning_points().iter().filter_map(|point| {
            let step = judged.iter().find(|step| step.number == point.number)?;
            Some(describe_turning_point(step, point.reason))
        });
        let reasons: Vec<String> = reasons.collect();
        (!reasons.is_empty()).then(|| format!("turning point: {}", reasons.join(", ")))
    }

    /// How many volleys to show to stand at the next turning point; after the last, the first again.
    fn next_turn(&self) -> Option<usize> {
        let numbers = self.judgement.known()?.turning_points().iter().map(|point| point.number);
        let mut fired = 0;
        let ends: Vec<usize> = self
            .volleys
            .iter()
            .map(|(_, shots)| {
                fired += shots.len();
                fired
            })
            .collect();
        let places: Vec<usize> = numbers.map(|number| 1 + ends.partition_point(|&end| end < number)).collect();
        places.iter().find(|&&place| place > self.shown).or(places.first()).copied()
    }

    /// Shots, hits, and skill and luck as soon as they are known.
    fn count(&self, side: Side) -> String {
        let counts = messages::tally(&self.names[side], &self.known[side]);
        let judged = self.judgement.known().map(|analysis| messages::skill_and_luck(analysis.reviews()[side]));
        match judged.filter(|messages| !messages.is_empty()) {
            Some(messages) => format!("{counts}; overall {messages}"),
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
        let pause = if self.running { "pause" } else { "play" };
        vec![
            ("Space", pause),
            ("→", "step"),
            ("←", "back"),
            ("o", "odds"),
            ("t", "turning point"),
            ("Esc", if self.alone { "quit" } else { "menu" }),
            ("+", "faster"),
            ("-", "slower"),
        ]
    }

    fn help(&self, _look: Styles) -> Vec<(String, String)> {
        explained(&[
            ("Space", "play or pause"),
            ("right, l, .", "next volley; the wheel does the same"),
            ("left, h, ,", "previous volley"),
            ("Home, End", "go to the start, to the end"),
            ("+, -", "faster, slower"),
            ("o", "the odds for the side that fires next"),
            ("t", "go to the next turning point"),
            ("Tab", "show the other board, if only one fits"),
            ("Esc, q", if self.alone { "quit" } else { "back to the menu" }),
            ("", ""),
            ("in brackets", "the odds of the shot, and the best cell if that was another"),
            ("skill", "expected hits of the chosen cells, in percent of those of the best cells"),
            ("luck", "hits beyond what was expected; sd: in standard deviations"),
        ])
    }

    fn key(&mut self, key: KeyEvent, desk: &mut Context) -> Transition {
        match key.code {
            KeyCode::Char(' ') => {
                if self.is_at_end() {
                    self.show_up_to(0, desk);
                }
                self.running = !self.running;
            }
            KeyCode::Right | KeyCode::Char('l' | '.') => {
                self.running = false;
                self.show_up_to(self.shown + 1, desk);
            }
            KeyCode::Left | KeyCode::Char('h' | ',') => {
                self.running = false;
                self.show_up_to(self.shown.saturating_sub(1), desk);
            }
            KeyCode::Home => self.show_up_to(0, desk),
            KeyCode::End => self.show_up_to(usize::MAX, desk),
            KeyCode::Char('+' | '=') => self.pace = (self.pace + 1).min(PACES.len() - 1),
            KeyCode::Char('-') => self.pace = self.pace.saturating_sub(1),
            KeyCode::Char('o') => {
                self.heat = !self.heat;
                self.ask_odds(desk);
            }
            KeyCode::Char('t') => match self.next_turn() {
                Some(place) => {
                    self.running = false;
                    self.show_up_to(place, desk);
                }
                None if matches!(self.judgement, AnalysisState::Waiting) => {
                    desk.say("The analysis is not finished yet.")
                }
                None => desk.say("This game has no turning point."),
            },
            KeyCode::Tab => self.second_only = !self.second_only,
            KeyCode::Esc | KeyCode::Char('q') if self.alone => return Transition::Quit,
            KeyCode::Esc | KeyCode::Char('q') => return Transition::Go(Box::new(MenuPage::new(desk))),
            _ => {}
        }
        Transition::Stay
    }

    fn mouse(&mut self, mouse: MouseEvent, desk: &mut Context) -> Transition {
        let shown = match mouse.kind {
            MouseEventKind::ScrollDown => self.shown + 1,
            MouseEventKind::ScrollUp => self.shown.saturating_sub(1),
            _ => return Transition::Stay,
        };
        self.running = false;
        self.show_up_to(shown, desk);
        Transition::Stay
    }

    fn news(&mut self, news: Event, desk: &mut Context) -> Transition {
        match news {
            Event::Fleet { ticket, side, fleet } if ticket == self.ticket => self.take_fleet(side, fleet, desk),
            Event::Volley { ticket, cells } if ticket == self.ticket => self.take_volley(&cells, desk),
            Event::Odds { ticket, shots, odds: Some(odds) } if ticket == self.ticket => self.odds = Some((shots, odds)),
            Event::Analysis { ticket, analysis } if ticket == self.ticket => {
                self.judgement = AnalysisState::of(analysis)
            }
            Event::Tick => {
                self.ticks += 1;
                if self.running && self.shown < self.volleys.len() {
                    self.show_up_to(self.shown + 1, desk);
                }
                self.running &= !self.is_at_end();
            }
            _ => {}
        }
        Transition::Stay
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Context) {
        let places = BoardLayout::new(area, self.rules.size(), 4, 4, self.second_only);
        let side_to_move = self.side_to_move();
        let picture = |side: Side| {
            let (name, known) = (messages::fleet_of(&self.names[side]), &self.known[side.other()]);
            let mut picture = match &self.fleets[side] {
                Some(fleet) => fleet_seen(&name, fleet, known),
                None => enemy_waters(&name, known),
            };
            let target = side_to_move == Some(side.other());
            picture.active = target;
            let current = self.odds.as_ref().filter(|(shots, _)| self.heat && target && *shots == known.shots().len());
            if let Some((_, odds)) = current {
                let mut seen = enemy_waters(&name, known);
                (seen.heat, seen.active) = (Some(odds.as_ref()), true);
                return seen;
            }
            picture
        };
        places.draw(&picture(Side::A), &picture(Side::B), buffer, desk.look);
        let state = self.state(desk.look);
        let more = if self.live.is_some() { "+" } else { "" };
        let state = self.turn().map_or_else(|| state.clone(), |turn| format!("{state}   {turn}"));
        let mut lines = vec![
            Line::styled(self.last_line(), desk.look.style(Role::Text)),
            Line::styled(
                format!("Volley {} of {}{more}   {state}", self.shown, self.volleys.len()),
                desk.look.style(Role::Key),
            ),
        ];
        lines.extend(Side::ALL.map(|side| Line::styled(self.count(side), desk.look.style(Role::Dim))));
        draw_lines(&lines, places.below, buffer);
    }

    fn wait(&self) -> Option<Duration> {
        let thinking = self.live.is_some() && self.shown == self.volleys.len();
        match (thinking, self.running) {
            (true, _) => Some(THINKING),
            (false, true) => Some(Duration::from_millis(PACES[self.pace])),
            (false, false) => None,
        }
    }
}
