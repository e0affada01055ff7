//! Whatever takes time happens here, on threads of its own: bots that play, odds, and reviews of games.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use seabattle_bots::Entry;
use seabattle_core::{Bot, BySide, Cell, Fleet, Game, Knowledge, Rules, Seed, Shot, Side};
use seabattle_odds::{Analysis, OddsCache};

use super::event::Event;

/// Which game an answer belongs to: answers about others come too late and are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Ticket(u64);

/// Hands work to the threads; what they find comes as [`Event`].
pub(super) struct Workers {
    captains: Sender<BotRequest>,
    analyst: Sender<OddsRequest>,
    critic: Sender<AnalysisRequest>,
    newest: Arc<AtomicU64>,
}

enum BotRequest {
    /// A new game: the bot of a side places its fleet. `again`: the bot that played before goes on learning.
    Place { ticket: Ticket, side: Side, bot: &'static Entry, seed: Seed, rules: Rules, again: bool },
    /// An old game goes on: the bot of a side is brought to where it was.
    Recall { side: Side, bot: &'static Entry, seed: Seed, game: Box<Game> },
    /// The side to move fires.
    Fire { ticket: Ticket, game: Box<Game> },
    /// The game is over.
    Finish { side: Side, game: Box<Game> },
}

/// A question about the odds.
struct OddsRequest {
    ticket: Ticket,
    knowledge: Box<Knowledge>,
}

/// A whole game to be judged.
struct AnalysisRequest {
    ticket: Ticket,
    rules: Rules,
    volleys: Vec<(Side, Vec<Shot>)>,
}

impl Workers {
    pub(super) fn new(news: &Sender<Event>) -> Self {
        let newest = Arc::new(AtomicU64::new(0));
        let (captains, orders) = channel();
        let (analyst, queries) = channel();
        let (critic, cases) = channel();
        let odds_cache = Arc::new(OddsCache::default());
        let answers = news.clone();
        let analyst_at_work = OddsWorker { news: news.clone(), odds_cache: Arc::clone(&odds_cache) };
        let critic_at_work = AnalysisWorker { news: news.clone(), newest: Arc::clone(&newest), odds_cache };
        thread::spawn(move || BotWorker::new(answers).serve(&orders));
        thread::spawn(move || analyst_at_work.serve(&queries));
        thread::spawn(move || critic_at_work.serve(&cases));
        Self { captains, analyst, critic, newest }
    }

    /// A new game begins: nothing about older ones is wanted any more.
    pub(super) fn ticket(&self) -> Ticket {
        Ticket(self.newest.fetch_add(1, Ordering::Relaxed) + 1)
    }

    pub(super) fn place(
        &self,
        ticket: Ticket,
        side: Side,
        bot: &'static Entry,
        seed: Seed,
        rules: &Rules,
        again: bool,
    ) {
        self.order(BotRequest::Place { ticket, side, bot, seed, rules: rules.clone(), again });
    }

    pub(super) fn recall(&self, side: Side, bot: &'static Entry, seed: Seed, game: &Game) {
        self.order(BotRequest::Recall { side, bot, seed, game: Box::new(game.clone()) });
    }

    pub(super) fn fire(&self, ticket: Ticket, game: &Game) {
        self.order(BotRequest::Fire { ticket, game: Box::new(game.clone()) });
    }

    pub(super) fn finish(&self, side: Side, game: &Game) {
        self.order(BotRequest::Finish { side, game: Box::new(game.clone()) });
    }

    pub(super) fn odds(&self, ticket: Ticket, knowledge: &Knowledge) {
        self.analyst.send(OddsRequest { ticket, knowledge: Box::new(knowledge.clone()) }).ok();
    }

    pub(super) fn analyse<'a>(&self, ticket: Ticket, rules: &Rules, volleys: impl Iterator<Item = (Side, &'a [Shot])>) {
        let volleys = volleys.map(|(side, shots)| (side, shots.to_vec())).collect();
        self.critic.send(AnalysisRequest { ticket, rules: rules.clone(), volleys }).ok();
    }

    /// A thread that has gone away took the program with it: there is nobody left to tell.
    fn order(&self, order: BotRequest) {
        self.captains.send(order).ok();
    }
}

/// The bots at the board.
struct BotWorker {
    news: Sender<Event>,
    bots: BySide<Option<SeatedBot>>,
}

struct SeatedBot {
    entry: &'static Entry,
    rules: Rules,
    bot: Box<dyn Bot>,
}

impl BotWorker {
    fn new(news: Sender<Event>) -> Self {
        Self { news, bots: BySide { a: None, b: None } }
    }

    fn serve(mut self, orders: &Receiver<BotRequest>) {
        while let Ok(order) = orders.recv() {
            let news = match order {
                BotRequest::Place { ticket, side, bot, seed, rules, again } => {
                    let fleet = self.place(side, bot, &seed, rules, again);
                    Some(Event::Fleet { ticket, side, fleet })
                }
                BotRequest::Fire { ticket, game } => self.fire(&game).map(|cells| Event::Volley { ticket, cells }),
                BotRequest::Recall { side, bot, seed, game } => {
                    self.recall(side, bot, &seed, &game);
                    None
                }
                BotRequest::Finish { side, game } => {
                    self.finish(side, &game);
                    None
                }
            };
            if news.is_some_and(|news| self.news.send(news).is_err()) {
                return;
            }
        }
    }

    fn place(&mut self, side: Side, entry: &'static Entry, seed: &Seed, rules: Rules, again: bool) -> Fleet {
        let kept = self.bots[side].take().filter(|old| again && old.entry.name == entry.name && old.rules == rules);
        let mut bot = kept.map_or_else(|| entry.make(seed), |seated| seated.bot);
        bot.start(&rules);
        let fleet = bot.place(&rules);
        self.bots[side] = Some(SeatedBot { entry, rules, bot });
        fleet
    }

    fn fire(&mut self, game: &Game) -> Option<Vec<Cell>> {
        let side = game.side_to_move()?;
        let seated = self.bots[side].as_mut()?;
        let mut volley = Vec::new();
        for _ in 0..game.shots_due() {
            let cell = seated.bot.shoot(&game.view(side).aiming(&volley));
            volley.push(cell);
        }
        Some(volley)
    }

    /// The same seed plays the same way: asked for all its shots again, the bot is where it was.
    fn recall(&mut self, side: Side, entry: &'static Entry, seed: &Seed, game: &Game) {
        self.place(side, entry, seed, game.rules().clone(), false);
        let fleets = game.fleets().map(Clone::clone);
        let Ok(mut replayed) = Game::new(fleets, game.first()) else { return };
        let mut fired = BySide { a: 0, b: 0 };
        while let Some(side_to_move) = replayed.side_to_move() {
            let from = fired[side_to_move];
            let shots = game.knowledge(side_to_move).shots();
            let to = from + replayed.shots_due();
            if to > shots.len() {
                return;
            }
            if side_to_move == side {
                self.fire(&replayed);
            }
            let cells: Vec<Cell> = shots[from..to].iter().map(|shot| shot.cell).collect();
            fired[side_to_move] = to;
            if replayed.fire(side_to_move, &cells).is_err() {
                return;
            }
        }
    }

    fn finish(&mut self, side: Side, game: &Game) {
        if let Some(seated) = &mut self.bots[side] {
            seated.bot.finish(&game.view(side), Some(game.fleets()[side.other()]));
        }
    }
}

/// Knows the odds.
struct OddsWorker {
    news: Sender<Event>,
    odds_cache: Arc<OddsCache>,
}

impl OddsWorker {
    /// Of several questions only the last one is still of interest.
    fn serve(self, queries: &Receiver<OddsRequest>) {
        while let Ok(first) = queries.recv() {
            let OddsRequest { ticket, knowledge } = queries.try_iter().last().unwrap_or(first);
            let odds = self.odds_cache.odds(&knowledge).ok();
            let shots = knowledge.shots().len();
            if self.news.send(Event::Odds { ticket, shots, odds }).is_err() {
                return;
            }
        }
    }
}

/// Judges games, as long as anyone wants to hear it.
struct AnalysisWorker {
    news: Sender<Event>,
    newest: Arc<AtomicU64>,
    odds_cache: Arc<OddsCache>,
}

impl AnalysisWorker {
    fn serve(self, cases: &Receiver<AnalysisRequest>) {
        while let Ok(AnalysisRequest { ticket, rules, volleys }) = cases.recv() {
            let wanted = || self.newest.load(Ordering::Relaxed) == ticket.0;
            let volleys = volleys.iter().map(|(side, shots)| (*side, shots.as_slice()));
            let analysis = Analysis::of(&rules, volleys, &self.odds_cache, |_| wanted()).ok().map(Box::new);
            if self.news.send(Event::Analysis { ticket, analysis }).is_err() {
                return;
            }
        }
    }
}
