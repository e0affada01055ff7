//! Measures what learning is worth, in series of games: `density` alone, and `density` with a memory of its opponent.
//!
//! `cargo run --release -p seabattle-bots --example learning -- shooting classic 2000`; also `placing` and `prior`
#![allow(clippy::print_stdout, reason = "an example speaks to whoever runs it")]

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use seabattle_arena::{Bench, Contender, LayoutGenerator, Layouts, Series};
use seabattle_bots::learning::Learner;
use seabattle_bots::placing::LayoutChooser;
use seabattle_core::{Bot, Cell, Fleet, Knowledge, Rules, Seed, SeededRng, Side, View, layout};

/// The number of games of a series.
const SERIES_LENGTH: u64 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, rules, games] = &arguments[..] else {
        return Err("say `shooting RULES GAMES`, `placing RULES GAMES` or `prior RULES GAMES`".into());
    };
    let (rules, games): (Rules, u64) = (rules.parse()?, games.parse()?);
    println!("{rules}, {games} games in series of {SERIES_LENGTH}");
    match command.as_str() {
        "shooting" => shooting(&rules, games),
        "placing" => placing(&rules, games),
        "prior" => prior(&rules, games),
        _ => Err("the commands are shooting, placing and prior".into()),
    }
}

/// Prints mean shots, in all games and from the third on, against an opponent that cycles through a few uniform
/// layouts. With 0, every layout is new.
fn shooting(rules: &Rules, games: u64) -> Result<(), Box<dyn std::error::Error>> {
    for cycle in [0, 1, 2, 3] {
        let contenders = [contender("density")?, learning_contender("density")?];
        show(&format!("{cycle} layouts"), &bench(rules, Layouts::Uniform, games, cycle), &contenders)?;
    }
    Ok(())
}

/// Prints mean shots, in all games and from the third on, of bots that do not learn, against layouts that do.
fn placing(rules: &Rules, games: u64) -> Result<(), Box<dyn std::error::Error>> {
    for name in ["density", "lattice", "star", "quadrant", "random"] {
        for is_learning in [false, true] {
            let layouts =
                Layouts::Placed(LayoutGenerator::new(move |seed| Box::new(LearningPlacer::new(seed, is_learning))));
            let who = if is_learning { "learning" } else { "choosing" };
            show(&format!("{who} against"), &bench(rules, layouts, games, 0), &[contender(name)?])?;
        }
    }
    Ok(())
}

/// Prints the share of series with a placement prior, after some numbers of games.
fn prior(rules: &Rules, games: u64) -> Result<(), Box<dyn std::error::Error>> {
    let chosen = LayoutChooser::new(rules);
    let uniform = |rng: &mut SeededRng| layout::any(rules, rng);
    let on_border = |rng: &mut SeededRng| {
        let fleets = std::iter::repeat_with(|| layout::any(rules, rng)).take(30);
        fleets.max_by_key(|fleet| fleet.occupied().iter().filter(|&cell| is_border(cell, rules)).count())
    };
    let placers: [(&str, &Place<'_>); 3] = [
        ("uniform", &|rng| uniform(rng)),
        ("nearest the border of 30", &|rng| on_border(rng).unwrap_or_else(|| uniform(rng))),
        ("chosen", &|rng| chosen.draw(rng)),
    ];
    for (name, place) in placers {
        let mut games_with_prior = [0_u64; 100];
        let series = (games / 100).max(1);
        for number in 0..series {
            count_priors(rules, &mut Seed::new(5).game(number).rng(), place, &mut games_with_prior);
        }
        let share = |game: usize| format!("{:5.1} %", 100.0 * games_with_prior[game - 1] as f64 / series as f64);
        println!("{name:<26}after 5, 10, 20, 50, 100 games:{}", [5, 10, 20, 50, 100].map(share).join(" "));
    }
    Ok(())
}

type Place<'a> = dyn Fn(&mut SeededRng) -> Fleet + 'a;

fn count_priors(rules: &Rules, rng: &mut SeededRng, place: &Place<'_>, games_with_prior: &mut [u64]) {
    let mut learner = Learner::new();
    for count in games_with_prior {
        let fleet = place(rng);
        learner.finish(&View::solo(&Knowledge::new(rules)), Some(&fleet));
        *count += u64::from(learner.prior().is_some());
    }
}

fn is_border(cell: Cell, rules: &Rules) -> bool {
    let size = rules.size();
    cell.col() == 0 || cell.row() == 0 || cell.col() + 1 == size.width() || cell.row() + 1 == size.height()
}

fn bench(rules: &Rules, layouts: Layouts, games: u64, cycle: u64) -> Bench {
    let length = NonZero::new(SERIES_LENGTH).unwrap_or(NonZero::<u64>::MIN);
    Bench {
        rules: rules.clone(),
        layouts,
        seed: 3,
        games,
        series: Series { length, cycle: NonZero::new(cycle) },
        correction: None,
    }
}

fn show(name: &str, bench: &Bench, contenders: &[Contender<'_>]) -> Result<(), Box<dyn std::error::Error>> {
    let report = bench.run(contenders, NonZero::<usize>::MIN, &|_| {}, &AtomicBool::new(false))?;
    for (at, result) in report.results.iter().enumerate() {
        let (mean, from_third) = (&result.mean, &result.from_third);
        let difference = format!("  difference {:+.3} ± {:.3}", result.difference.mean(), result.difference.stderr());
        println!(
            "{name:<18}{:<20}{:7.3} ± {:.3}{:9.3} ± {:.3}{}",
            result.name,
            mean.mean(),
            mean.stderr(),
            from_third.mean(),
            from_third.stderr(),
            if at > 0 { difference.as_str() } else { "" }
        );
    }
    Ok(())
}

fn contender(name: &str) -> Result<Contender<'static>, seabattle_bots::UnknownBot> {
    let entry = seabattle_bots::find(name)?;
    Ok(Contender { name: name.to_owned(), make: Box::new(|seed| entry.make(seed)) })
}

fn learning_contender(name: &str) -> Result<Contender<'static>, seabattle_bots::UnknownBot> {
    let entry = seabattle_bots::find(name)?;
    let make = |seed: &Seed| -> Box<dyn Bot> {
        Box::new(LearningShooter { shooter: entry.make(seed), learner: Learner::new() })
    };
    Ok(Contender { name: format!("{name}, learning"), make: Box::new(make) })
}

/// Another bot that shoots from memory where it can.
struct LearningShooter {
    shooter: Box<dyn Bot>,
    learner: Learner,
}

impl Bot for LearningShooter {
    fn start(&mut self, rules: &Rules) {
        self.shooter.start(rules);
        self.learner.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        self.shooter.place(rules)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let remembered = self.learner.remembered_shot(view);
        remembered.unwrap_or_else(|| self.shooter.shoot(view))
    }

    fn finish(&mut self, view: &View<'_>, enemy: Option<&Fleet>) {
        self.learner.finish(view, enemy);
    }
}

/// Places its fleet with a [`Learner`], which may learn from each game or not.
struct LearningPlacer {
    learner: Learner,
    rng: SeededRng,
    is_learning: bool,
}

impl LearningPlacer {
    fn new(seed: &Seed, is_learning: bool) -> Self {
        Self { learner: Learner::new(), rng: seed.side(Side::A).rng(), is_learning }
    }
}

impl Bot for LearningPlacer {
    fn start(&mut self, rules: &Rules) {
        self.learner.start(rules);
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        self.learner.place(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        view.targets().first().unwrap_or(Cell::new(0, 0))
    }

    fn finish(&mut self, view: &View<'_>, enemy: Option<&Fleet>) {
        if self.is_learning {
            self.learner.finish(view, enemy);
        }
    }
}
