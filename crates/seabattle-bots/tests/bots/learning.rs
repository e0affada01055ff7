//! What is learnt over a series pays against who repeats itself, and costs nothing against who does not.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use seabattle_arena::{Bench, BotResult, Contender, LayoutGenerator, Layouts, Series};
use seabattle_bots::find;
use seabattle_bots::learning::Learner;
use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, SeededRng, View};

/// Shoots as another bot does, but from memory where it can; places where it is looked for last.
struct Scholar {
    shooter: Box<dyn Bot>,
    learner: Learner,
    rng: SeededRng,
}

impl Scholar {
    fn new(seed: &Seed, name: &str) -> Self {
        Self { shooter: find(name).unwrap().make(seed), learner: Learner::new(), rng: seed.first().rng() }
    }
}

impl Bot for Scholar {
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

fn plain(name: &'static str) -> Contender<'static> {
    Contender { name: name.to_owned(), make: Box::new(|seed| find(name).unwrap().make(seed)) }
}

fn scholar(name: &'static str) -> Contender<'static> {
    Contender { name: name.to_owned(), make: Box::new(|seed| Box::new(Scholar::new(seed, name))) }
}

#[test]
fn who_uses_few_layouts_is_found_out() {
    for (rules, cycle, most) in
        [("classic", 1, 18.0), ("classic", 3, 25.0), ("russian", 1, 22.0), ("8x8:4,3,2", 2, 12.0)]
    {
        let results = run(rules, Layouts::Uniform, cycle, 400, &[scholar("density")]);
        let late = results[0].from_third.mean();
        assert!(late < most, "{rules}, {cycle} layouts: {late}");
    }
}

#[test]
fn against_who_never_repeats_learning_costs_nothing() {
    for rules in ["classic", "russian"] {
        let results = run(rules, Layouts::Sequential, 0, 600, &[plain("density"), scholar("density")]);
        let difference = results[1].difference;
        assert!(difference.mean().abs() < 0.1 + 3.0 * difference.stderr(), "{rules}: {difference:?}");
    }
}

#[test]
fn ships_hide_where_a_fixed_walk_comes_last() {
    let placed = |learns: bool| {
        let placer = LayoutGenerator::new(move |seed| {
            let scholar = Scholar::new(seed, "random");
            if learns { Box::new(scholar) } else { Box::new(Forgetful(scholar)) }
        });
        run("classic", Layouts::Placed(placer), 0, 120, &[plain("lattice")])[0].from_third.mean()
    };
    let (forgetful, learning) = (placed(false), placed(true));
    assert!(learning > forgetful + 3.0, "{learning} against {forgetful}");
}

/// Never hears how a game ended.
struct Forgetful(Scholar);

impl Bot for Forgetful {
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
fn other_rules_are_another_game() {
    let mut bot = Scholar::new(&Seed::new(1), "density");
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
