//! What a bot learns about its opponent from one game of a series to the next.

mod opponent_shots;
mod layout_memory;
mod placement_prior;

use seabattle_core::{Cell, Fleet, Rules, SeededRng, View, uniform_below};
use seabattle_odds::Prior;

use crate::parts::placing::Placing;
use opponent_shots::Aim;
use layout_memory::Album;
use placement_prior::Habits;

/// Layouts are chosen from the best of so many trials.
const TRIALS: usize = 16;

/// A shot that a layout would have lasted against past hunts counts so many times as one against imagined shooters.
const HUNTS_COUNT: f64 = 2.0;

/// Any of so many layouts that would last longest is taken: who always takes the best is known.
const TAKEN: usize = 8;

/// What was learnt about one opponent: the layouts it uses, the places it likes, and where it shoots.
///
/// A bot asks in this order: [`Learner::remembered_shot`] first, then its own aim under [`Learner::prior`].
/// Against who never repeats anything there is nothing to remember and no prior.
#[derive(Default)]
pub struct Learner {
    known: Option<Known>,
}

/// All that is known under some rules; other rules are another game.
struct Known {
    rules: Rules,
    /// Made when a fleet is first asked for: who shoots alone needs none.
    placing: Option<Placing>,
    album: Album,
    habits: Habits,
    aim: Aim,
}

impl Learner {
    /// Nothing is known yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new game begins; what was learnt under other rules is forgotten.
    pub fn start(&mut self, rules: &Rules) {
        self.known(rules).album.start();
    }

    /// A cell of a layout that the opponent has used before, where it is likely to be used again.
    pub fn remembered_shot(&mut self, view: &View<'_>) -> Option<Cell> {
        self.known(view.rules()).album.shot(view)
    }

    /// How likely this opponent is to put ships where, if that differs from uniform layouts beyond doubt.
    pub fn prior(&self) -> Option<&Prior> {
        self.known.as_ref()?.habits.prior()
    }

    /// A layout that lasts long, and longer against this opponent, as far as its hunts are alike.
    pub fn place(&mut self, rules: &Rules, rng: &mut SeededRng) -> Fleet {
        let Known { placing, aim, .. } = self.known(rules);
        let placing = placing.get_or_insert_with(|| Placing::new(rules));
        let trust = aim.trust();
        if trust == 0.0 {
            return placing.draw(rng);
        }
        let tried = (0..TRIALS).flat_map(|_| placing.tried(rng)).collect::<Vec<_>>();
        let lasts = |(fleet, shots): (Fleet, f64)| (shots + HUNTS_COUNT * trust * aim.lasts(&fleet), fleet);
        let mut layouts: Vec<(f64, Fleet)> = tried.into_iter().map(lasts).collect();
        layouts.sort_by(|a, b| b.0.total_cmp(&a.0));
        let taken = uniform_below(rng, TAKEN.min(layouts.len()));
        layouts.into_iter().nth(taken).map_or_else(|| placing.draw(rng), |(_, fleet)| fleet)
    }

    /// The game is over: remembers what it showed.
    pub fn finish(&mut self, view: &View<'_>, enemy: Option<&Fleet>) {
        let Known { album, habits, aim, .. } = self.known(view.rules());
        let sunk = || layout_memory::sunk_fleet(view.enemy());
        if let Some(fleet) = enemy.cloned().or_else(sunk) {
            album.add(&fleet);
            habits.add(&fleet);
        }
        if let Some(own) = view.own() {
            aim.add(own.incoming);
        }
    }

    fn known(&mut self, rules: &Rules) -> &mut Known {
        if self.known.as_ref().is_some_and(|known| known.rules != *rules) {
            self.known = None;
        }
        self.known.get_or_insert_with(|| Known::new(rules))
    }
}

impl Known {
    fn new(rules: &Rules) -> Self {
        Self {
            rules: rules.clone(),
            placing: None,
            album: Album::default(),
            habits: Habits::new(rules),
            aim: Aim::default(),
        }
    }
}
