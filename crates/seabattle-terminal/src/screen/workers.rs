//! Background threads for everything slow: bots, odds and the analysis of games.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use seabattle_bots::BotInfo;
use seabattle_core::{Bot, BySide, Cell, Fleet, Game, Knowledge, Rules, Seed, Shot, Side};
use seabattle_odds::{Analysis, OddsCache};

use super::event::Event;

/// Identifies the game that an answer belongs to. Pages drop answers about other games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct GameId(u64);

/// Sends requests to the threads. Their answers arrive as [`Event`]s.
pub(super) struct Workers {
    bots: Sender<BotRequest>,
    odds: Sender<OddsRequest>,
    analysis: Sender<AnalysisRequest>,
    current: Arc<AtomicU64>,
}

enum BotRequest {
    /// Starts a game: a side's bot places its fleet. `keeps_learning` reuses the bot of the last game.
    Place { game_id: GameId, side: Side, bot: &'static BotInfo, seed: Seed, rules: Rules, keeps_learning: bool },
    /// Resumes a game: replays a side's bot to where it was.
    Restore { side: Side, bot: &'static BotInfo, seed: Seed, game: Box<Game> },
    /// Asks the bot of the side to move for its shots.
    Fire { game_id: GameId, game: Box<Game> },
    /// Shows the finished game to a side's bot.
    Finish { side: Side, game: Box<Game> },
}

/// A request for the odds of one position.
struct OddsRequest {
    game_id: GameId,
    knowledge: Box<Knowledge>,
}

/// A request to analyze a whole game.
struct AnalysisRequest {
    game_id: GameId,
    rules: Rules,
    volleys: Vec<(Side, Vec<Shot>)>,
}

impl Workers {
    pub(super) fn new(events: &Sender<Event>) -> Self {
        let current = Arc::new(AtomicU64::new(0));
        let (bots, bot_requests) = channel();
        let (odds, odds_requests) = channel();
        let (analysis, analysis_requests) = channel();
        let odds_cache = Arc::new(OddsCache::default());
        let answers = events.clone();
        let odds_worker = OddsWorker { events: events.clone(), odds_cache: Arc::clone(&odds_cache) };
        let analysis_worker = AnalysisWorker { events: events.clone(), current: Arc::clone(&current), odds_cache };
        thread::spawn(move || BotWorker::new(answers).run(&bot_requests));
        thread::spawn(move || odds_worker.run(&odds_requests));
        thread::spawn(move || analysis_worker.run(&analysis_requests));
        Self { bots, odds, analysis, current }
    }

    /// Starts a new game. Analyses of older games stop.
    pub(super) fn new_game_id(&self) -> GameId {
        GameId(self.current.fetch_add(1, Ordering::Relaxed) + 1)
    }

    pub(super) fn place(
        &self,
        game_id: GameId,
        side: Side,
        bot: &'static BotInfo,
        seed: Seed,
        rules: &Rules,
        keeps_learning: bool,
    ) {
        self.ask_bot(BotRequest::Place { game_id, side, bot, seed, rules: rules.clone(), keeps_learning });
    }

    pub(super) fn restore(&self, side: Side, bot: &'static BotInfo, seed: Seed, game: &Game) {
        self.ask_bot(BotRequest::Restore { side, bot, seed, game: Box::new(game.clone()) });
    }

    pub(super) fn fire(&self, game_id: GameId, game: &Game) {
        self.ask_bot(BotRequest::Fire { game_id, game: Box::new(game.clone()) });
    }

    pub(super) fn finish(&self, side: Side, game: &Game) {
        self.ask_bot(BotRequest::Finish { side, game: Box::new(game.clone()) });
    }

    pub(super) fn odds(&self, game_id: GameId, knowledge: &Knowledge) {
        self.odds.send(OddsRequest { game_id, knowledge: Box::new(knowledge.clone()) }).ok();
    }

    pub(super) fn analyze<'a>(
        &self,
        game_id: GameId,
        rules: &Rules,
        volleys: impl Iterator<Item = (Side, &'a [Shot])>,
    ) {
        let volleys = volleys.map(|(side, shots)| (side, shots.to_vec())).collect();
        self.analysis.send(AnalysisRequest { game_id, rules: rules.clone(), volleys }).ok();
    }

    /// Sends a request to the bots. It can fail only while the program is ending.
    fn ask_bot(&self, request: BotRequest) {
        self.bots.send(request).ok();
    }
}

/// The thread that runs bots.
struct BotWorker {
    events: Sender<Event>,
    bots: BySide<Option<ActiveBot>>,
}

struct ActiveBot {
    entry: &'static BotInfo,
    rules: Rules,
    bot: Box<dyn Bot>,
}

impl BotWorker {
    fn new(events: Sender<Event>) -> Self {
        Self { events, bots: BySide { a: None, b: None } }
    }

    fn run(mut self, requests: &Receiver<BotRequest>) {
        while let Ok(request) = requests.recv() {
            let event = match request {
                BotRequest::Place { game_id, side, bot, seed, rules, keeps_learning } => {
                    let fleet = self.place(side, bot, &seed, rules, keeps_learning);
                    Some(Event::Fleet { game_id, side, fleet })
                }
                BotRequest::Fire { game_id, game } => self.fire(&game).map(|cells| Event::Volley { game_id, cells }),
                BotRequest::Restore { side, bot, seed, game } => {
                    self.restore(side, bot, &seed, &game);
                    None
                }
                BotRequest::Finish { side, game } => {
                    self.finish(side, &game);
                    None
                }
            };
            if event.is_some_and(|event| self.events.send(event).is_err()) {
                return;
            }
        }
    }

    fn place(&mut self, side: Side, entry: &'static BotInfo, seed: &Seed, rules: Rules, keeps_learning: bool) -> Fleet {
        let continued =
            self.bots[side].take().filter(|old| keeps_learning && old.entry.name == entry.name && old.rules == rules);
        let mut bot = continued.map_or_else(|| entry.make(seed), |active| active.bot);
        bot.start(&rules);
        let fleet = bot.place(&rules);
        self.bots[side] = Some(ActiveBot { entry, rules, bot });
        fleet
    }

    fn fire(&mut self, game: &Game) -> Option<Vec<Cell>> {
        let side = game.side_to_move()?;
        let active = self.bots[side].as_mut()?;
        let mut volley = Vec::new();
        for _ in 0..game.shots_due() {
            let cell = active.bot.shoot(&game.view(side).aiming(&volley));
            volley.push(cell);
        }
        Some(volley)
    }

    /// Replays the game for the bot. With the same seed it makes the same shots again.
    fn restore(&mut self, side: Side, entry: &'static BotInfo, seed: &Seed, game: &Game) {
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
        if let Some(active) = &mut self.bots[side] {
            active.bot.finish(&game.view(side), Some(game.fleets()[side.other()]));
        }
    }
}

/// The thread that computes odds.
struct OddsWorker {
    events: Sender<Event>,
    odds_cache: Arc<OddsCache>,
}

impl OddsWorker {
    /// Answers only the newest of several waiting requests.
    fn run(self, requests: &Receiver<OddsRequest>) {
        while let Ok(first) = requests.recv() {
            let OddsRequest { game_id, knowledge } = requests.try_iter().last().unwrap_or(first);
            let odds = self.odds_cache.odds(&knowledge).ok();
            let shots = knowledge.shots().len();
            if self.events.send(Event::Odds { game_id, shots, odds }).is_err() {
                return;
            }
        }
    }
}

/// The thread that analyzes games, until a new game makes the answer useless.
struct AnalysisWorker {
    events: Sender<Event>,
    current: Arc<AtomicU64>,
    odds_cache: Arc<OddsCache>,
}

impl AnalysisWorker {
    fn run(self, requests: &Receiver<AnalysisRequest>) {
        while let Ok(AnalysisRequest { game_id, rules, volleys }) = requests.recv() {
            let wanted = || self.current.load(Ordering::Relaxed) == game_id.0;
            let volleys = volleys.iter().map(|(side, shots)| (*side, shots.as_slice()));
            let analysis = Analysis::of(&rules, volleys, &self.odds_cache, |_| wanted()).ok().map(Box::new);
            if self.events.send(Event::Analysis { game_id, analysis }).is_err() {
                return;
            }
        }
    }
}
