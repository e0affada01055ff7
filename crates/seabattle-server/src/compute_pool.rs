//! Bots, odds, analyses, animations and rules, computed away from the threads that serve.

mod bot_volley;

use std::sync::Arc;

use seabattle_core::{
    Cell, Fleet, FleetBuilder, Game, Knowledge, ParseRulesError, Record, Rules, RulesDraft, RulesError, Seed, Side,
    layout,
};
use seabattle_odds::{Analysis, AnalysisError, Limits, Odds, OddsCache};
use seabattle_render::{Frames, Palette, Replay, ShownSides, Speed, animation};

use crate::admission::{Admission, Client, Permit, Work, WorkError};
use crate::api_error::ApiError;
use crate::bounded_cache::BoundedCache;
use crate::metrics::{CacheLabel, Metrics, WorkLabel};
use crate::rooms::game_config::opponent;

use bot_volley::next_volley;
pub(crate) use bot_volley::random_volley;

/// The longest rules in bytes.
const MAX_RULES_BYTES: usize = 300;

/// How many steps the search for a layout may take. Rules with room to spare take about as
/// many as the fleet has ships.
const MAX_RULES_STEPS: usize = 20_000;

/// How many of them are taken at once, without a permit. They take a fifth of a millisecond, and suffice for most rules.
const QUICK_RULES_STEPS: usize = 500;

/// The size of the caches in bytes.
const RULES_CACHE_BYTES: usize = 16 << 20;
const ODDS_CACHE_BYTES: usize = 64 << 20;

/// The work and memory of one count.
const ODDS_LIMITS: Limits = Limits {
    max_sunk_assignments: 10_000,
    max_multiplications: 1_000_000_000,
    max_memory_bytes: 128 << 20,
    max_samples: 20_000,
    max_sampled_cells: 20_000_000,
};

/// Computes for clients, as far as the admission allows.
pub(crate) struct ComputePool {
    admission: Admission,
    odds_cache: Arc<OddsCache>,
    /// Rules by their text, or why they cannot be played.
    rules: BoundedCache<String, Result<Rules, ApiError>>,
}

impl ComputePool {
    pub(crate) fn new(cores: usize, rate: u32, metrics: Metrics) -> Self {
        Self {
            admission: Admission::new(cores, rate, metrics),
            odds_cache: Arc::new(OddsCache::new(6, 20_000, ODDS_LIMITS).with_max_bytes(ODDS_CACHE_BYTES)),
            rules: BoundedCache::new(RULES_CACHE_BYTES),
        }
    }

    /// Reads rules. Texts that were read before cost nothing.
    pub(crate) async fn read_rules(&self, text: &str, client: &Client) -> Result<Rules, ApiError> {
        if text.len() > MAX_RULES_BYTES {
            return Err(ApiError::bad_request("rules", "rules are at most 300 characters long"));
        }
        if let Some(known) = self.rules.get(text) {
            return known;
        }
        let draft: RulesDraft = text.parse().map_err(|error: ParseRulesError| rules_error(&error))?;
        let checked = match draft.clone().check_within(QUICK_RULES_STEPS) {
            Err(RulesError::TooCrowded { .. }) => {
                let permit = self.admission.admit(Work::Rules, client).await?;
                permit.run(move || draft.check_within(MAX_RULES_STEPS)).await.map_err(failed)?
            }
            checked => checked,
        };
        let rules = checked.map_err(|error| rules_error(&error));
        let ships = rules.as_ref().map_or(0, Rules::ship_count);
        self.rules.insert(text.to_owned(), rules.clone(), 1000 + text.len() + 64 * ships);
        rules
    }

    /// The fleet that an opponent places.
    pub(crate) async fn place_fleet(
        &self,
        name: &str,
        seed: u64,
        side: Side,
        rules: &Rules,
        client: &Client,
    ) -> Result<Fleet, ApiError> {
        let (entry, rules) = (opponent(name).ok_or_else(ApiError::unavailable)?, rules.clone());
        let permit = self.admission.admit(Work::ComputerMove, client).await?;
        let place = move || {
            let mut bot = entry.make(&Seed::new(seed).side(side));
            bot.start(&rules);
            bot.place(&rules)
        };
        permit.run(place).await.map_err(failed)
    }

    /// A random fleet that contains the placed ships. The inner `None` means that none was found. A nearly full board
    /// takes a second.
    pub(crate) async fn random_layout(
        &self,
        placed: FleetBuilder,
        seed: u64,
        client: &Client,
    ) -> Result<Option<Fleet>, ApiError> {
        let permit = self.admission.admit(Work::Layout, client).await?;
        let draw = move || {
            let mut rng = Seed::new(seed).rng();
            let around = layout::uniform_around(&placed, &mut rng)
                .or_else(|_| layout::sequential_around(&placed, &mut rng))
                .ok();
            let is_empty = placed.ships().is_empty();
            around.or_else(|| is_empty.then(|| layout::any(placed.rules(), &mut rng)))
        };
        permit.run(draw).await.map_err(failed)
    }

    /// Waits for a permit for the next volley of an opponent. Computer moves wait, but are never refused.
    pub(crate) async fn admit_computer_move(&self, client: &Client) -> Option<Permit> {
        self.admission.admit(Work::ComputerMove, client).await.ok()
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
        permit.run(move || next_volley(entry, seed, side, &game)).await.ok()
    }

    /// The odds of a position.
    pub(crate) async fn odds(&self, knowledge: &Knowledge, client: &Client) -> Result<Arc<Odds>, ApiError> {
        let permit = self.admission.admit(Work::Odds, client).await?;
        let (odds_cache, knowledge) = (Arc::clone(&self.odds_cache), knowledge.clone());
        let odds = permit.run(move || odds_cache.odds(&knowledge)).await.map_err(failed)?;
        odds.map_err(|_| ApiError::conflict("no-odds", "the odds of this position cannot be computed"))
    }

    /// The analysis of a game.
    pub(crate) async fn analysis(&self, game: Game, client: &Client) -> Result<Analysis, ApiError> {
        let permit = self.admission.admit(Work::Review, client).await?;
        let odds_cache = Arc::clone(&self.odds_cache);
        let analysis = permit.run(move || Analysis::of(game.rules(), game.volleys(), &odds_cache, |_| true));
        analysis.await.map_err(failed)?.map_err(|error| analysis_error(&error))
    }

    /// A GIF of a game, with the odds of every shot.
    pub(crate) async fn animation(&self, record: Record, client: &Client) -> Result<Vec<u8>, ApiError> {
        let permit = self.admission.admit(Work::Animation, client).await?;
        let odds_cache = Arc::clone(&self.odds_cache);
        let film = move || {
            let replay = Replay::with_odds(record, &odds_cache, |_| true).map_err(|error| analysis_error(&error))?;
            let frames = Frames::new(&replay, ShownSides::Both, true, Palette::LIGHT);
            let film = animation(&frames, Speed::default(), frames.width() as u16, |_| {});
            film.map_err(|_| ApiError::conflict("no-film", "this game cannot be shown as a film"))
        };
        permit.run(film).await.map_err(failed)?
    }

    /// Sets the metrics of queues and caches.
    pub(crate) fn update_metrics(&self, metrics: &Metrics) {
        for (work, running, waiting) in self.admission.queue_lengths() {
            let label = WorkLabel { work: work.name() };
            metrics.work_running.get_or_create(&label).set(running as i64);
            metrics.work_waiting.get_or_create(&label).set(waiting as i64);
        }
        for (cache, bytes) in [("odds", self.odds_cache.bytes()), ("rules", self.rules.bytes())] {
            metrics.cache_bytes.get_or_create(&CacheLabel { cache }).set(bytes as i64);
        }
    }
}

fn rules_error(error: &dyn std::error::Error) -> ApiError {
    ApiError::bad_request("rules", &error.to_string())
}

fn analysis_error(error: &AnalysisError) -> ApiError {
    match error {
        AnalysisError::Stopped => too_hard(),
        AnalysisError::Shot { .. } => {
            ApiError::conflict("no-odds", "the odds of some position of this game cannot be computed")
        }
    }
}

fn failed(error: WorkError) -> ApiError {
    match error {
        WorkError::DeadlinePassed => too_hard(),
        WorkError::Failed => ApiError::unavailable(),
    }
}

fn too_hard() -> ApiError {
    ApiError::conflict("too-hard", "this takes the server too long to compute; seabattle analyse can do it for you")
}
