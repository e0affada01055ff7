//! What learning is worth: a bot that shoots as `density` does and one that learns besides, in series of games.
//!
//! `cargo run --release -p seabattle-bots --example learning -- classic 2000`
#![allow(clippy::print_stdout, reason = "an example speaks to whoever runs it")]

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use seabattle_arena::{Bench, Contender, Layouts, Placer, Series};
use seabattle_bots::learning::Learner;
use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, Side, Stream, View};

/// Games of a series.
const LENGTH: u64 = 20;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rules: Rules = arguments.first().map_or("classic", String::as_str).parse()?;
    let games = arguments.get(1).map_or(Ok(2_000), |games| games.parse())?;
    println!("{rules}, {games} games in series of {LENGTH}: mean shots, and from the third game on\n");
    println!("Shooting at who uses so many layouts in turn, uniform ones (0: never the same twice)");
    for cycle in [0, 1, 2, 3] {
        let contenders = [plain("density")?, learning("density")?];
        show(&format!("{cycle} layouts"), &bench(&rules, Layouts::Uniform, games, cycle), &contenders)?;
    }
    println!("\nPlacing against shooters who do not learn");
    for name in ["density", "lattice", "star", "quadrant", "random"] {
        for learns in [false, true] {
            let layouts = Layouts::Placed(Placer::new(move |seed| Box::new(Pupil::new(seed, learns))));
            let who = if learns { "learning" } else { "placing" };
            show(&format!("{who} against"), &bench(&rules, layouts, games / 4, 0), &[plain(name)?])?;
        }
    }
    Ok(())
}

fn bench(rules: &Rules, layouts: Layouts, games: u64, cycle: u64) -> Bench {
    let length = NonZero::new(LENGTH).unwrap_or(NonZero::<u64>::MIN);
    Bench { rules: rules.clone(), layouts, seed: 3, games, series: Series { length, cycle: NonZero::new(cycle) } }
}

fn show(name: &str, bench: &Bench, contenders: &[Contender<'_>]) -> Result<(), Box<dyn std::error::Error>> {
    let report = bench.run(contenders, NonZero::<usize>::MIN, &|_| {}, &AtomicBool::new(false))?;
    for (at, result) in report.results.iter().enumerate() {
        let (mean, late) = (&result.mean, &result.from_third);
        let difference = format!("  difference {:+.3} ± {:.3}", result.difference.mean(), result.difference.stderr());
        println!(
            "{name:<18}{:<20}{:7.3} ± {:.3}{:9.3} ± {:.3}{}",
            result.name,
            mean.mean(),
            mean.stderr(),
            late.mean(),
            late.stderr(),
            if at > 0 { difference.as_str() } else { "" }
        );
    }
    Ok(())
}

fn plain(name: &str) -> Result<Contender<'static>, seabattle_bots::UnknownBot> {
    let entry = seabattle_bots::find(name)?;
    Ok(Contender { name: name.to_owned(), make: Box::new(|seed| entry.make(seed)) })
}

fn learning(name: &str) -> Result<Contender<'static>, seabattle_bots::UnknownBot> {
    let entry = seabattle_bots::find(name)?;
    let make =
        |seed: &Seed| -> Box<dyn Bot> { Box::new(Scholar { shooter: entry.make(seed), learner: Learner::new() }) };
    Ok(Contender { name: format!("{name}, learning"), make: Box::new(make) })
}

/// Shoots from memory where it can.
struct Scholar {
    shooter: Box<dyn Bot>,
    learner: Learner,
}

impl Bot for Scholar {
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

/// Places, and learns from what it is told or not.
struct Pupil {
    learner: Learner,
    rng: Stream,
    learns: bool,
}

impl Pupil {
    fn new(seed: &Seed, learns: bool) -> Self {
        Self { learner: Learner::new(), rng: seed.side(Side::A).stream(), learns }
    }
}

impl Bot for Pupil {
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
        if self.learns {
            self.learner.finish(view, enemy);
        }
    }
}
