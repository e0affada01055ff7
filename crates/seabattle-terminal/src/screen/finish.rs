//! The end of a game: both fleets, the counts, skill and luck.

use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use seabattle_core::{BySide, Game, Record, Side};
use seabattle_odds::Review;

use super::app::Desk;
use super::battle::Battle;
use super::level::title;
use super::look::{Look, Part};
use super::menu::Menu;
use super::news::News;
use super::page::{Hint, Page, Step, draw_lines, explained};
use super::placing::Placing;
use super::show::Show;
use super::sight::{Places, fleet_seen};
use super::terms::Terms;
use super::thinker::Ticket;
use crate::{COMPUTER, HUMAN, words};

pub(super) struct Finish {
    terms: Terms,
    game: Game,
    record: Record,
    ticket: Ticket,
    reviews: BySide<Judgement>,
    own_only: bool,
}

/// What is known about how well a side shot.
enum Judgement {
    Waiting,
    Known(Review),
    Unknown,
}

impl Finish {
    pub(super) fn new(terms: Terms, game: Game, desk: &mut Desk) -> Self {
        let record = Record::of(&game, BySide { a: "you", b: terms.bot.name }, Some(terms.seed));
        desk.keep.drop_left();
        desk.keep_game(&record);
        desk.thinker.finish(COMPUTER, &game);
        let ticket = desk.thinker.ticket();
        desk.thinker.review(ticket, &game);
        let reviews = BySide { a: Judgement::Waiting, b: Judgement::Waiting };
        Self { terms, game, record, ticket, reviews, own_only: false }
    }

    fn tally(&self, side: Side, look: Look) -> Line<'static> {
        let name = if side == HUMAN { "You" } else { title(self.terms.bot) };
        let counts = words::tally(name, self.game.knowledge(side));
        let judgement = match &self.reviews[side] {
            Judgement::Waiting => "  reckoning skill and luck".to_owned(),
            Judgement::Unknown => String::new(),
            Judgement::Known(review) => review.skill().map_or_else(String::new, |skill| {
                let (luck, deviations) = (review.luck(), review.luck_in_deviations());
                format!("  skill {skill:.0}  luck {luck:+.1} hits ({deviations:+.1} sd)")
            }),
        };
        Line::from(vec![Span::raw(counts), Span::styled(judgement, look.style(Part::Key))])
    }
}

impl Page for Finish {
    fn title(&self) -> String {
        format!("{}, against {}, seed {}", self.terms.rules, title(self.terms.bot), self.terms.seed)
    }

    fn hints(&self) -> Vec<Hint> {
        vec![("Enter", "again"), ("s", "same fleet"), ("w", "watch it again"), ("Esc", "menu"), ("q", "quit")]
    }

    fn help(&self) -> Vec<(String, String)> {
        explained(&[
            ("Enter, y", "another game"),
            ("s", "another game with the same fleet"),
            ("w", "watch this game again, with the odds"),
            ("Tab", "the other board, where one has room"),
            ("Esc, n", "to the menu"),
            ("q", "quit"),
            ("", ""),
            ("skill", "hits expected of your shots in % of the best ones'"),
            ("luck", "hits beyond what was to be expected"),
        ])
    }

    fn key(&mut self, key: KeyEvent, desk: &mut Desk) -> Step {
        match key.code {
            KeyCode::Enter | KeyCode::Char('y') => Step::Go(Box::new(Placing::new(self.terms.clone().next(), desk))),
            KeyCode::Char('s') => {
                let fleet = self.game.fleets()[HUMAN].clone();
                Step::Go(Box::new(Battle::new(self.terms.clone().next(), fleet, true, desk)))
            }
            KeyCode::Char('w') => Step::Go(Box::new(Show::of_record(&self.record, desk))),
            KeyCode::Tab => {
                self.own_only = !self.own_only;
                Step::Stay
            }
            KeyCode::Esc | KeyCode::Char('n') => Step::Go(Box::new(Menu::new(desk))),
            KeyCode::Char('q') => Step::Leave,
            _ => Step::Stay,
        }
    }

    fn news(&mut self, news: News, _desk: &mut Desk) -> Step {
        if let News::Review { ticket, side, review } = news
            && ticket == self.ticket
        {
            self.reviews[side] = review.map_or(Judgement::Unknown, Judgement::Known);
        }
        Step::Stay
    }

    fn draw(&mut self, area: Rect, buffer: &mut Buffer, desk: &Desk) {
        let places = Places::new(area, self.terms.rules.size(), 6, self.own_only);
        let fleets = self.game.fleets();
        let enemy = fleet_seen("Enemy fleet", fleets[COMPUTER], self.game.knowledge(HUMAN));
        let own = fleet_seen("Your fleet", fleets[HUMAN], self.game.knowledge(COMPUTER));
        places.draw(&enemy, &own, buffer, desk.look);
        let won = self.game.end().and_then(|end| end.winner) == Some(HUMAN);
        let part = if won { Part::Good } else { Part::Bad };
        let lines = vec![
            Line::styled(words::headline(&self.game, title(self.terms.bot)), desk.look.style(part)),
            self.tally(HUMAN, desk.look),
            self.tally(COMPUTER, desk.look),
            Line::default(),
            Line::styled("Again? Enter begins another game.", desk.look.style(Part::Text)),
        ];
        draw_lines(lines, places.below, buffer);
    }
}
