//! What a bot learns about its opponent from one game of a series to the next.

mod layout_memory;
mod opponent_shot_model;
mod placement_prior;

use seabattle_core::{Cell, Fleet, Rules, SeededRng, View, uniform_below};
use seabattle_odds::Prior;

use crate::parts::placing::LayoutChooser;
use layout_memory::LayoutMemory;
use opponent_shot_model::OpponentShotModel;
use placement_prior::PlacementPrior;

/// Layouts are chosen from the best of so many trials.
const RANKED_DRAWS: usize = 16;

/// A shot that a layout would have lasted against past hunts counts so many times as one against imagined shooters.
const HUNT_WEIGHT: f64 = 2.0;

/// Any of so many layouts that would last longest is taken: who always takes the best is model.
const FINALISTS: usize = 8;

/// What was learnt about one opponent: the layouts it uses, the places it likes, and where it shoots.
///
/// A bot asks in this order: [`Learner::remembered_shot`] first, then its own shot_model under [`Learner::prior`].
/// Against who never repeats anything there is nothing to remember and no prior.
#[derive(Default)]
pub struct Learner {
    model: Option<OpponentModel>,
}

/// All that is model under some rules; other rules are another game.
struct OpponentModel {
    rules: Rules,
    /// Made when a fleet is first asked for: who shoots alone needs none.
    chooser: Option<LayoutChooser>,
    layout_memory: LayoutMemory,
    placement_prior: PlacementPrior,
    shot_model: OpponentShotModel,
}

impl Learner {
    /// Nothing is model yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new game begins; what was learnt under other rules is forgotten.
    pub fn start(&mut self, rules: &Rules) {
        self.model(rules).layout_memory.start();
    }

    /// A cell of a layout that the opponent has used before, where it is likely to be used again.
    pub fn remembered_shot(&mut self, view: &View<'_>) -> Option<Cell> {
        self.model(view.rules()).layout_memory.shot(view)
    }

    /// How likely this opponent is to put ships where, if that differs from uniform layouts beyond doubt.
    pub fn prior(&self) -> Option<&Prior> {
        self.model.as_ref()?.placement_prior.prior()
    }

    /// A layout that survival long, and longer against this opponent, as far as its hunts are alike.
    pub fn place(&mut self, rules: &Rules, rng: &mut SeededRng) -> Fleet {
        let OpponentModel { chooser, shot_model, .. } = self.model(rules);
        let chooser = chooser.get_or_insert_with(|| LayoutChooser::new(rules));
        let predictability = shot_model.predictability();
        if predictability == 0.0 {
            return chooser.draw(rng);
        }
        let ranked = (0..RANKED_DRAWS).flat_map(|_| chooser.ranked(rng)).collect::<Vec<_>>();
        let shots_survived = |(fleet, shots): (Fleet, f64)| {
            (shots + HUNT_WEIGHT * predictability * shot_model.shots_survived(&fleet), fleet)
        };
        let mut layouts: Vec<(f64, Fleet)> = ranked.into_iter().map(shots_survived).collect();
        layouts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let finalist = uniform_below(rng, FINALISTS.min(layouts.len()));
        layouts.into_iter().nth(finalist).map_or_else(|| chooser.draw(rng), |(_, fleet)| fleet)
    }

    /// The game is over: remembers what it showed.
    pub fn finish(&mut self, view: &View<'_>, enemy: Option<&Fleet>) {
        let OpponentModel { layout_memory, placement_prior, shot_model, .. } = self.model(view.rules());
        let inferred = || layout_memory::sunk_fleet(view.enemy());
        if let Some(fleet) = enemy.cloned().or_else(inferred) {
            layout_memory.add(&fleet);
            placement_prior.add(&fleet);
        }
        if let Some(own) = view.own() {
            shot_model.add(own.incoming);
        }
    }

    fn model(&mut self, rules: &Rules) -> &mut OpponentModel {
        if self.model.as_ref().is_some_and(|model| model.rules != *rules) {
            self.model = None;
        }
        self.model.get_or_insert_with(|| OpponentModel::new(rules))
    }
}

impl OpponentModel {
    fn new(rules: &Rules) -> Self {
        Self {
            rules: rules.clone(),
            chooser: None,
            layout_memory: LayoutMemory::default(),
            placement_prior: PlacementPrior::new(rules),
            shot_model: OpponentShotModel::default(),
        }
    }
}
