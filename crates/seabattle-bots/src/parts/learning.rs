//! Learning about an opponent from one game of a series to the next.

mod layout_memory;
mod opponent_shot_model;
mod placement_prior;

use seabattle_core::{Cell, Fleet, Rules, SeededRng, View, uniform_below};
use seabattle_odds::Prior;

use crate::parts::placing::LayoutChooser;
use layout_memory::LayoutMemory;
use opponent_shot_model::OpponentShotModel;
use placement_prior::PlacementPrior;

/// How many times the chooser draws ranked layouts, to choose from all of them.
const RANKED_DRAWS: usize = 16;

/// The weight of a shot survived against the opponent's past hunts, relative to one survived against surrogate
/// shooters.
const HUNT_WEIGHT: f64 = 2.0;

/// The number of best layouts to choose from at random. Always taking the best would be predictable.
const FINALISTS: usize = 8;

/// A model of one opponent: the layouts it uses, the placements it prefers, and the cells where it hunts.
///
/// A bot should ask [`Learner::remembered_shot`] first, then use the odds under [`Learner::prior`], then shoot as
/// usual. An opponent that never repeats anything leaves nothing to remember and no prior.
#[derive(Default)]
pub struct Learner {
    model: Option<OpponentModel>,
}

/// A model of an opponent under some rules. Other rules start a new model.
struct OpponentModel {
    rules: Rules,
    /// Made when a fleet is first requested, since a solo game needs none.
    chooser: Option<LayoutChooser>,
    layout_memory: LayoutMemory,
    placement_prior: PlacementPrior,
    shot_model: OpponentShotModel,
}

impl Learner {
    /// A model of an opponent without any games yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Starts a new game. Forgets everything learned under other rules.
    pub fn start(&mut self, rules: &Rules) {
        self.model(rules).layout_memory.start();
    }

    /// A cell of a layout that the opponent used before, if it is likely to use it again.
    pub fn remembered_shot(&mut self, view: &View<'_>) -> Option<Cell> {
        self.model(view.rules()).layout_memory.shot(view)
    }

    /// The placement prior of this opponent, if there is strong evidence that its layouts are not uniform.
    pub fn prior(&self) -> Option<&Prior> {
        self.model.as_ref()?.placement_prior.prior()
    }

    /// A layout that survives long in general, and longer against this opponent, as far as its hunts are predictable.
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

    /// Ends a game and learns from it: from the enemy's fleet, if it was shown or sunk, and from the enemy's shots.
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
