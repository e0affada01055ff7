//! A bounded pool of threads for bots, odds and animations, so that they do not block the async runtime.

use std::sync::Arc;

use seabattle_bots::{BotInfo, Group};
use seabattle_core::{Bot, BySide, Cell, Fleet, FleetBuilder, Game, Knowledge, Record, Rules, Seed, Side, layout};
use seabattle_odds::{Analysis, Odds, OddsCache};
use seabattle_render::{Frames, Palette, Replay, ShownSides, Speed, animation};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::rooms::game_config::opponent;

/// Runs computations on a bounded number of threads. A new bot is made for each volley, from the seed of the game.
pub(crate) struct ComputePool {
    permits: Arc<Semaphore>,
    odds_cache: Arc<OddsCache>,
}

impl ComputePool {
    pub(crate) fn new(threads: usize) -> Self {
        Self { permits: Arc::new(Semaphore::new(threads)), odds_cache: Arc::new(OddsCache::default()) }
    }

    /// The fleet that an opponent places.
    pub(crate) async fn place_fleet(&self, name: &str, seed: u64, side: Side, rules: &Rules) -> Option<Fleet> {
        let (entry, rules) = (opponent(name)?, rules.clone());
        self.run(move || {
            let mut bot = entry.make(&Seed::new(seed).side(side));
            bot.start(&rules);
            Some(bot.place(&rules))
        })
        .await
    }

    /// A random fleet that contains the placed ships. The inner `None` means that none was found. A nearly full board
    /// takes a second.
    pub(crate) async fn random_layout(&self, placed: FleetBuilder, seed: u64) -> Option<Option<Fleet>> {
        self.run(move || {
            let mut rng = Seed::new(seed).rng();
            let around = layout::uniform_around(&placed, &mut rng)
                .or_else(|_| layout::sequential_around(&placed, &mut rng))
                .ok();
            let is_empty = placed.ships().is_empty();
            Some(around.or_else(|| is_empty.then(|| layout::any(placed.rules(), &mut rng))))
        })
        .await
    }

    /// The next volley of an opponent.
    pub(crate) async fn choose_volley(
        &self,
        permit: Permit,
        name: &str,
        seed: u64,
        side: Side,
        game: &Game,
    ) -> Option<Vec<Cell>> {
        let (entry, game) = (opponent(name)?, game.clone());
        run(permit, move || Some(next_volley(entry, seed, side, &game))).await
    }

    pub(crate) async fn odds(&self, knowledge: &Knowledge) -> Option<Arc<Odds>> {
        let (odds_cache, knowledge) = (Arc::clone(&self.odds_cache), knowledge.clone());
        self.run(move || odds_cache.odds(&knowledge).ok()).await
    }

    pub(crate) async fn analysis(&self, game: &Game) -> Option<Analysis> {
        let (odds_cache, game) = (Arc::clone(&self.odds_cache), game.clone());
        self.run(move || Analysis::of(game.rules(), game.volleys(), &odds_cache, |_| true).ok()).await
    }

    /// A GIF of a game, with the odds of every shot.
    pub(crate) async fn animation(&self, record: Record) -> Option<Vec<u8>> {
        let odds_cache = Arc::clone(&self.odds_cache);
        self.run(move || {
            let replay = Replay::with_odds(record, &odds_cache, |_| true).ok()?;
            let frames = Frames::new(&replay, ShownSides::Both, true, Palette::LIGHT);
            animation(&frames, Speed::default(), frames.width() as u16, |_| {}).ok()
        })
        .await
    }

    /// Waits for a permit. There are as many as cores, and waiting takes no thread.
    pub(crate) async fn acquire(&self) -> Option<Permit> {
        Arc::clone(&self.permits).acquire_owned().await.ok().map(Permit)
    }

    async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> Option<T> + Send + 'static) -> Option<T> {
        run(self.acquire().await?, work).await
    }
}

/// The right to use one thread of the pool.
pub(crate) struct Permit(#[expect(dead_code, reason = "held, not used")] OwnedSemaphorePermit);

async fn run<T: Send + 'static>(permit: Permit, work: impl FnOnce() -> Option<T> + Send + 'static) -> Option<T> {
    let task = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        work()
    });
    task.await.ok()?
}

/// The next volley of a bot that is made for it.
fn next_volley(entry: &BotInfo, seed: u64, side: Side, game: &Game) -> Vec<Cell> {
    let mut bot = if entry.group == Group::Level {
        // A level decides by the view alone, so it needs only fresh random numbers.
        let shots = game.knowledge(side).shots().len() as u64;
        let mut bot = entry.make(&Seed::new(seed.wrapping_add(1 + shots)).side(side));
        bot.start(game.rules());
        bot
    } else {
        bot_after(entry, seed, side, game)
    };
    volley(bot.as_mut(), game, side)
}

/// A bot in the state after the moves of a game so far. Bots of the documents keep notes between shots, and the same seed
/// leads to the same notes.
fn bot_after(entry: &BotInfo, seed: u64, side: Side, game: &Game) -> Box<dyn Bot> {
    let mut bot = entry.make(&Seed::new(seed).side(side));
    bot.start(game.rules());
    bot.place(game.rules());
    let BySide { a, b } = game.fleets();
    let Ok(mut past) = Game::new(BySide { a: a.clone(), b: b.clone() }, game.first()) else { return bot };
    for (shooter, shots) in game.volleys() {
        if shooter == side {
            volley(bot.as_mut(), &past, side);
        }
        let cells: Vec<Cell> = shots.iter().map(|shot| shot.cell).collect();
        if past.fire(shooter, &cells).is_err() {
            break;
        }
    }
    bot
}

fn volley(bot: &mut dyn Bot, game: &Game, side: Side) -> Vec<Cell> {
    let mut volley = Vec::new();
    for _ in 0..game.shots_due() {
        let cell = bot.shoot(&game.view(side).aiming(&volley));
        volley.push(cell);
    }
    volley
}

/// A random legal volley.
pub(crate) fn random_volley(game: &Game, side: Side, seed: u64) -> Vec<Cell> {
    let mut rng = Seed::new(seed).rng();
    let mut volley: Vec<Cell> = Vec::new();
    for _ in 0..game.shots_due() {
        let targets = game.view(side).aiming(&volley).targets().into_owned();
        let picked = targets.nth(seabattle_core::uniform_below(&mut rng, targets.len()));
        volley.extend(picked);
    }
    volley
}

#[cfg(test)]
mod tests {
    use super::{next_volley, random_volley, volley};
    use crate::rooms::game_config::opponents;
    use seabattle_bots::Group;
    use seabattle_core::{BySide, Game, Rules, Seed, Side, layout};

    /// A bot that plays the whole game chooses the same as one that is made for every volley.
    #[test]
    fn bots_of_the_documents_play_as_if_they_had_lived_through_the_game() {
        for rules in ["classic", "russian", "salvo"] {
            let rules: Rules = rules.parse().unwrap();
            for entry in opponents().filter(|entry| entry.group == Group::Document) {
                let mut rng = Seed::new(7).rng();
                let enemy = layout::any(&rules, &mut rng);
                let mut bot = entry.make(&Seed::new(5).side(Side::B));
                bot.start(&rules);
                let fleets = BySide { a: enemy, b: bot.place(&rules) };
                let mut game = Game::new(fleets, Side::A).unwrap();
                let mut fired = 0;
                while let Some(side) = game.side_to_move() {
                    let cells = if side == Side::A {
                        fired += 1;
                        random_volley(&game, side, fired)
                    } else {
                        let cells = volley(bot.as_mut(), &game, side);
                        assert_eq!(next_volley(entry, 5, side, &game), cells, "{} after {fired} volleys", entry.name);
                        cells
                    };
                    game.fire(side, &cells).unwrap();
                }
                assert!(fired > 3, "{}", entry.name);
            }
        }
    }
}
