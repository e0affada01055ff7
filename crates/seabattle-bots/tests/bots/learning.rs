//! Learning pays against opponents that repeat themselves, and costs nothing against others.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use seabattle_arena::{Bench, BotResult, Contender, LayoutGenerator, Layouts, Series};
use seabattle_bots::find;
use seabattle_bots::learning::Learner;
use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View};

/// Another bot with a [`Learner`]: it shoots from memory where it can, and hides where the opponent hunts last.
struct LearningBot {
    shooter: Box<dyn Bot>,
    learner: Learner,
    rng: SeededRng,
}

impl LearningBot {
    fn new(seed: &Seed, name: &str) -> Self {
        Self { shooter: find(name).unwrap().make(seed), learner: Learner::new(), rng: seed.first().rng() }
    }
}

impl Bot for LearningBot {
    fn start(&mut self, rules: &Rules) {
        self.shooter.start(rules);
        self.learner.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        self.learner.place(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        self.learner.remembered_shot(view).unwrap_or_else(|| self.shooter.shoot(view))
    }

    fn finish(&mut self, view: &View<'_>, enemy: Option<&Fleet>) {
        self.learner.finish(view, enemy);
    }
}

fn run(rules: &str, layouts: Layouts, cycle: u64, games: u64, contenders: &[Contender<'_>]) -> Vec<BotResult> {
    let series = Series { length: NonZero::new(20).unwrap(), cycle: NonZero::new(cycle) };
    let bench = Bench { rules: rules.parse().unwrap(), layouts, seed: 2, games, series, correction: None };
    bench.run(contenders, NonZero::new(2).unwrap(), &|_| {}, &AtomicBool::new(false)).unwrap().results
}

fn contender(name: &'static str) -> Contender<'static> {
    Contender { name: name.to_owned(), make: Box::new(|seed| find(name).unwrap().make(seed)) }
}

fn learning_contender(name: &'static str) -> Contender<'static> {
    Contender { name: name.to_owned(), make: Box::new(|seed| Box::new(LearningBot::new(seed, name))) }
}

#[test]
fn repeated_layouts_are_learned() {
    for (rules, cycle, max_shots) in
        [("classic", 1, 18.0), ("classic", 3, 25.0), ("russian", 1, 22.0), ("8x8:4,3,2", 2, 12.0)]
    {
        let results = run(rules, Layouts::Uniform, cycle, 400, &[learning_contender("density")]);
        let from_third = results[0].from_third.mean();
        assert!(from_third < max_shots, "{rules}, {cycle} layouts: {from_third}");
    }
}

#[test]
fn learning_costs_nothing_against_new_layouts() {
    for rules in ["classic", "russian"] {
        let results = run(rules, Layouts::Sequential, 0, 600, &[contender("density"), learning_contender("density")]);
        let difference = results[1].difference;
        assert!(difference.mean().abs() < 0.1 + 3.0 * difference.stderr(), "{rules}: {difference:?}");
    }
}

#[test]
fn ships_hide_where_a_fixed_scan_comes_last() {
    let placed = |is_learning: bool| {
        let generator = LayoutGenerator::new(move |seed| {
            let bot = LearningBot::new(seed, "random");
            if is_learning { Box::new(bot) } else { Box::new(NeverLearning(bot)) }
        });
        run("classic", Layouts::Placed(generator), 0, 120, &[contender("lattice")])[0].from_third.mean()
    };
    let (without_learning, with_learning) = (placed(false), placed(true));
    assert!(with_learning > without_learning + 3.0, "{with_learning} against {without_learning}");
}

/// A [`LearningBot`] that never sees the end of a game.
struct NeverLearning(LearningBot);

impl Bot for NeverLearning {
    fn start(&mut self, rules: &Rules) {
        self.0.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        self.0.place(rules)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        self.0.shoot(view)
    }
}

#[test]
fn a_change_of_rules_starts_a_new_memory() {
    let mut bot = LearningBot::new(&Seed::new(1), "density");
    for text in ["classic", "russian", "1x1:1", "50x50:9,9,9", "classic", "4x4:2,announce=hit"] {
        let rules: Rules = text.parse().unwrap();
        bot.start(&rules);
        let fleet = bot.place(&rules);
        assert_eq!(*fleet.rules(), rules);
        for _ in 0..3 {
            let game = seabattle_arena::solo(&mut bot, fleet.clone()).unwrap();
            assert!(game.is_over(), "{text}");
        }
    }
}
