//! The computer's moves, on threads of their own so that nobody waits for somebody else's opponent.

use std::sync::Arc;

use seabattle_core::{Bot, Cell, Fleet, FleetBuilder, Game, Knowledge, Record, Rules, Seed, Side, layout};
use seabattle_odds::{Analysis, Book, Odds};
use seabattle_render::{Frames, Palette, Replay, ShownSides, Speed, animation};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::terms::bot;

/// Bots are asked for one volley at a time: each is made where it thinks, from the seed of the game.
pub(crate) struct Brain {
    room: Arc<Semaphore>,
    book: Arc<Book>,
}

impl Brain {
    pub(crate) fn new(threads: usize) -> Self {
        Self { room: Arc::new(Semaphore::new(threads)), book: Arc::new(Book::default()) }
    }

    /// The fleet that a level places.
    pub(crate) async fn place(&self, level: &str, seed: u64, side: Side, rules: &Rules) -> Option<Fleet> {
        let (level, rules) = (level.to_owned(), rules.clone());
        self.think(move || {
            let mut bot = bot(&level)?.make(&Seed::new(seed).side(side));
            bot.start(&rules);
            Some(bot.place(&rules))
        })
        .await
    }

    /// A fleet around ships that stay; nothing inside if none was found. A nearly full board takes a second.
    pub(crate) async fn layout(&self, placed: FleetBuilder, seed: u64) -> Option<Option<Fleet>> {
        self.think(move || {
            let mut chance = Seed::new(seed).rng();
            let around = layout::uniform_around(&placed, &mut chance)
                .or_else(|_| layout::sequential_around(&placed, &mut chance))
                .ok();
            let is_free = placed.ships().is_empty();
            Some(around.or_else(|| is_free.then(|| layout::any(placed.rules(), &mut chance))))
        })
        .await
    }

    /// The shots that a level fires. What it does follows from the view and its seed; it needs no memory of its own.
    pub(crate) async fn shoot(&self, turn: Turn, level: &str, seed: u64, side: Side, game: &Game) -> Option<Vec<Cell>> {
        let (level, game) = (level.to_owned(), game.clone());
        think(turn, move || {
            // A new bot for every volley needs new chance for every volley.
            let shots = game.knowledge(side).shots().len() as u64;
            let mut bot = bot(&level)?.make(&Seed::new(seed.wrapping_add(1 + shots)).side(side));
            bot.start(game.rules());
            Some(volley(bot.as_mut(), &game, side))
        })
        .await
    }

    pub(crate) async fn odds(&self, knowledge: &Knowledge) -> Option<Arc<Odds>> {
        let (book, knowledge) = (Arc::clone(&self.book), knowledge.clone());
        self.think(move || book.odds(&knowledge).ok()).await
    }

    pub(crate) async fn analysis(&self, game: &Game) -> Option<Analysis> {
        let (book, game) = (Arc::clone(&self.book), game.clone());
        self.think(move || Analysis::of(game.rules(), game.volleys(), &book, |_| true).ok()).await
    }

    /// A game as a moving picture with the odds of every shot.
    pub(crate) async fn film(&self, record: Record) -> Option<Vec<u8>> {
        let book = Arc::clone(&self.book);
        self.think(move || {
            let replay = Replay::with_odds(record, &book, |_| true).ok()?;
            let frames = Frames::new(&replay, ShownSides::Both, true, Palette::LIGHT);
            animation(&frames, Speed::default(), frames.width() as u16, |_| {}).ok()
        })
        .await
    }

    /// As many at once as there are cores; the others wait without a thread.
    pub(crate) async fn turn(&self) -> Option<Turn> {
        Arc::clone(&self.room).acquire_owned().await.ok().map(Turn)
    }

    async fn think<T: Send + 'static>(&self, thought: impl FnOnce() -> Option<T> + Send + 'static) -> Option<T> {
        think(self.turn().await?, thought).await
    }
}

/// The right to think now.
pub(crate) struct Turn(#[expect(dead_code, reason = "held, not used")] OwnedSemaphorePermit);

async fn think<T: Send + 'static>(turn: Turn, thought: impl FnOnce() -> Option<T> + Send + 'static) -> Option<T> {
    let thinking = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        thought()
    });
    thinking.await.ok()?
}

fn volley(bot: &mut dyn Bot, game: &Game, side: Side) -> Vec<Cell> {
    let mut volley = Vec::new();
    for _ in 0..game.shots_due() {
        let cell = bot.shoot(&game.view(side).aiming(&volley));
        volley.push(cell);
    }
    volley
}

/// Legal shots by chance.
pub(crate) fn any_volley(game: &Game, side: Side, seed: u64) -> Vec<Cell> {
    let mut chance = Seed::new(seed).rng();
    let mut volley: Vec<Cell> = Vec::new();
    for _ in 0..game.shots_due() {
        let targets = game.view(side).aiming(&volley).targets().into_owned();
        let picked = targets.nth(seabattle_core::uniform_below(&mut chance, targets.len()));
        volley.extend(picked);
    }
    volley
}
