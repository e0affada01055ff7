//! Whatever takes time happens here, on threads of its own: bots that play, odds, and reviews of games.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use seabattle_bots::BotInfo;
use seabattle_core::{Bot, BySide, Cell, Fleet, Game, Knowledge, Rules, Seed, Shot, Side};
use seabattle_odds::{Analysis, OddsCache};

use super::news::News;

/// Which game an answer belongs to: answers about others come too late and are dropped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Ticket(u64);

/// Hands work to the threads; what they find comes as [`News`].
pub(super) struct Thinker {
    captains: Sender<Order>,
    analyst: Sender<Query>,
    critic: Sender<Case>,
    newest: Arc<AtomicU64>,
}

enum Order {
    /// A new game: the bot of a side places its fleet. `again`: the bot that played before goes on learning.
    Place { ticket: Ticket, side: Side, bot: &'static BotInfo, seed: Seed, rules: Rules, again: bool },
    /// An old game goes on: the bot of a side is brought to where it was.
    Recall { side: Side, bot: &'static BotInfo, seed: Seed, game: Box<Game> },
    /// The side to move fires.
    Fire { ticket: Ticket, game: Box<Game> },
    /// The game is over.
    Finish { side: Side, game: Box<Game> },
}

/// A question about the odds.
struct Query {
    ticket: Ticket,
    knowledge: Box<Knowledge>,
}

/// A whole game to be judged.
struct Case {
    ticket: Ticket,
    rules: Rules,
    volleys: Vec<(Side, Vec<Shot>)>,
}

impl Thinker {
    pub(super) fn new(news: &Sender<News>) -> Self {
        let newest = Arc::new(AtomicU64::new(0));
        let (captains, orders) = channel();
        let (analyst, queries) = channel();
        let (critic, cases) = channel();
        let odds_cache = Arc::new(OddsCache::default());
        let answers = news.clone();
        let analyst_at_work = Analyst { news: news.clone(), odds_cache: Arc::clone(&odds_cache) };
        let critic_at_work = Critic { news: news.clone(), newest: Arc::clone(&newest), odds_cache };
        thread::spawn(move || Captains::new(answers).serve(&orders));
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
        bot: &'static BotInfo,
        seed: Seed,
        rules: &Rules,
        again: bool,
    ) {
        self.order(Order::Place { ticket, side, bot, seed, rules: rules.clone(), again });
    }

    pub(super) fn recall(&self, side: Side, bot: &'static BotInfo, seed: Seed, game: &Game) {
        self.order(Order::Recall { side, bot, seed, game: Box::new(game.clone()) });
    }

    pub(super) fn fire(&self, ticket: Ticket, game: &Game) {
        self.order(Order::Fire { ticket, game: Box::new(game.clone()) });
    }

    pub(super) fn finish(&self, side: Side, game: &Game) {
        self.order(Order::Finish { side, game: Box::new(game.clone()) });
    }

    pub(super) fn odds(&self, ticket: Ticket, knowledge: &Knowledge) {
        self.analyst.send(Query { ticket, knowledge: Box::new(knowledge.clone()) }).ok();
    }

    pub(super) fn analyse<'a>(&self, ticket: Ticket, rules: &Rules, volleys: impl Iterator<Item = (Side, &'a [Shot])>) {
        let volleys = volleys.map(|(side, shots)| (side, shots.to_vec())).collect();
        self.critic.send(Case { ticket, rules: rules.clone(), volleys }).ok();
    }

    /// A thread that has gone away took the program with it: there is nobody left to tell.
    fn order(&self, order: Order) {
        self.captains.send(order).ok();
    }
}

/// The bots at the board.
struct Captains {
    news: Sender<News>,
    bots: BySide<Option<Seated>>,
}

struct Seated {
    entry: &'static BotInfo,
    rules: Rules,
    bot: Box<dyn Bot>,
}

impl Captains {
    fn new(news: Sender<News>) -> Self {
        Self { news, bots: BySide { a: None, b: None } }
    }

    fn serve(mut self, orders: &Receiver<Order>) {
        while let Ok(order) = orders.recv() {
            let news = match order {
                Order::Place { ticket, side, bot, seed, rules, again } => {
                    let fleet = self.place(side, bot, &seed, rules, again);
                    Some(News::Fleet { ticket, side, fleet })
                }
                Order::Fire { ticket, game } => self.fire(&game).map(|cells| News::Volley { ticket, cells }),
                Order::Recall { side, bot, seed, game } => {
                    self.recall(side, bot, &seed, &game);
                    None
                }
                Order::Finish { side, game } => {
                    self.finish(side, &game);
                    None
                }
            };
            if news.is_some_and(|news| self.news.send(news).is_err()) {
                return;
            }
        }
    }

    fn place(&mut self, side: Side, entry: &'static BotInfo, seed: &Seed, rules: Rules, again: bool) -> Fleet {
        let kept = self.bots[side].take().filter(|old| again && old.entry.name == entry.name && old.rules == rules);
        let mut bot = kept.map_or_else(|| entry.make(seed), |seated| seated.bot);
        bot.start(&rules);
        let fleet = bot.place(&rules);
        self.bots[side] = Some(Seated { entry, rules, bot });
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
    fn recall(&mut self, side: Side, entry: &'static BotInfo, seed: &Seed, game: &Game) {
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
struct Analyst {
    news: Sender<News>,
    odds_cache: Arc<OddsCache>,
}

impl Analyst {
    /// Of several questions only the last one is still of interest.
    fn serve(self, queries: &Receiver<Query>) {
        while let Ok(first) = queries.recv() {
            let Query { ticket, knowledge } = queries.try_iter().last().unwrap_or(first);
            let odds = self.odds_cache.odds(&knowledge).ok();
            let shots = knowledge.shots().len();
            if self.news.send(News::Odds { ticket, shots, odds }).is_err() {
                return;
            }
        }
    }
}

/// Judges games, as long as anyone wants to hear it.
struct Critic {
    news: Sender<News>,
    newest: Arc<AtomicU64>,
    odds_cache: Arc<OddsCache>,
}

impl Critic {
    fn serve(self, cases: &Receiver<Case>) {
        while let Ok(Case { ticket, rules, volleys }) = cases.recv() {
            let wanted = || self.newest.load(Ordering::Relaxed) == ticket.0;
            let volleys = volleys.iter().map(|(side, shots)| (*side, shots.as_slice()));
            let analysis = Analysis::of(&rules, volleys, &self.odds_cache, |_| wanted()).ok().map(Box::new);
            if self.news.send(News::Analysis { ticket, analysis }).is_err() {
                return;
            }
        }
    }
}
