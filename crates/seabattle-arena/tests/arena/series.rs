//! Games in a row: bots live as long as the series, hear how every game ended, and the layouts are as asked for.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};

use seabattle_arena::{Bench, BenchError, BenchReport, Contender, LayoutGenerator, Layouts, Series};
use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, View, layout};

fn series(length: u64, cycle: Option<u64>) -> Series {
    Series { length: NonZero::new(length).unwrap(), cycle: cycle.and_then(NonZero::new) }
}

fn bench(rules: &str, layouts: Layouts, games: u64, series: Series) -> Bench {
    Bench { rules: rules.parse().unwrap(), layouts, seed: 5, games, series, correction: None }
}

fn run(bench: &Bench, contenders: &[Contender<'_>], threads: usize) -> Result<BenchReport, BenchError> {
    bench.run(contenders, NonZero::new(threads).unwrap(), &|_| {}, &AtomicBool::new(false))
}

fn catalog_bot(name: &str) -> Contender<'static> {
    let entry = seabattle_bots::find(name).unwrap();
    Contender { name: name.to_owned(), make: Box::new(|seed| entry.make(seed)) }
}

/// Fires at the cells of the fleet of the game before, then row by row; places where nobody has shot yet.
#[derive(Default)]
struct Learner {
    seen: Vec<Cell>,
    log: Arc<Mutex<Vec<String>>>,
}

impl Bot for Learner {
    fn start(&mut self, _rules: &Rules) {}

    fn place(&mut self, rules: &Rules) -> Fleet {
        let untouched = |fleet: &Fleet| !self.seen.iter().any(|&cell| fleet.occupied().contains(cell));
        layout::all(rules).find(untouched).unwrap_or_else(|| layout::any(rules, &mut Seed::new(1).rng()))
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        let seen = self.seen.iter().copied().find(|&cell| view.is_target(cell));
        seen.or_else(|| view.targets().first()).unwrap()
    }

    fn finish(&mut self, view: &View<'_>, enemy: Option<&Fleet>) {
        if let Some(enemy) = enemy {
            self.seen = enemy.occupied().iter().collect();
        }
        if let Some(own) = view.own() {
            self.seen = own.incoming.shots().iter().map(|shot| shot.cell).collect();
        }
        let seen = (enemy.map(ToString::to_string), view.own().map(|own| own.incoming.shots().len()));
        self.log.lock().unwrap().push(format!("{seen:?}"));
    }
}

fn learner() -> Contender<'static> {
    Contender { name: "learner".to_owned(), make: Box::new(|_| Box::new(Learner::default())) }
}

/// A learner that writes down what it is told at the end of a game.
fn logging(log: &Arc<Mutex<Vec<String>>>) -> Contender<'static> {
    let log = Arc::clone(log);
    let make = move |_: &Seed| -> Box<dyn Bot> { Box::new(Learner { log: Arc::clone(&log), ..Learner::default() }) };
    Contender { name: "learner".to_owned(), make: Box::new(make) }
}

/// Everything but the time it took.
fn counted(report: &BenchReport) -> String {
    let result = |result: &seabattle_arena::BotResult| {
        format!(
            "{:?} {:?} {:?} {:?} {:?}",
            result.shots, result.mean, result.by_game, result.from_third, result.difference
        )
    };
    report.results.iter().map(result).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_bot_lives_as_long_as_the_series() {
    let bench = bench("6x6:3,2", Layouts::Uniform, 300, series(3, Some(1)));
    let result = &run(&bench, &[learner()], 2).unwrap().results[0];
    let games: Vec<u64> = result.by_game.iter().map(|game| game.games()).collect();
    assert_eq!(games, [100; 3]);
    assert!(result.by_game[0].mean() > 15.0, "{}", result.by_game[0].mean());
    assert_eq!((result.by_game[1].mean(), result.by_game[2].mean(), result.from_third.mean()), (5.0, 5.0, 5.0));
}

#[test]
fn layouts_come_round_within_a_series() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let bench = bench("6x6:3,2", Layouts::Uniform, 10, series(5, Some(2)));
    run(&bench, &[logging(&log)], 1).unwrap();
    let seen = log.lock().unwrap();
    for first in [0, 5] {
        assert_eq!((&seen[first], &seen[first + 1]), (&seen[first + 2], &seen[first + 3]));
        assert_eq!(seen[first], seen[first + 4]);
        assert_ne!(seen[first], seen[first + 1]);
    }
    assert_ne!(seen[0], seen[5], "another series, another enemy");
}

#[test]
fn the_last_series_may_be_shorter() {
    let bench = bench("6x6:3,2", Layouts::Uniform, 11, series(4, None));
    let report = run(&bench, &[learner()], 3).unwrap();
    let games: Vec<u64> = report.results[0].by_game.iter().map(|game| game.games()).collect();
    assert_eq!((report.games, games), (11, vec![3, 3, 3, 2]));
    assert_eq!(report.results[0].from_third.games(), 5);
}

#[test]
fn threads_change_nothing_in_series() {
    let contenders = || [catalog_bot("random"), catalog_bot("density"), learner()];
    for layouts in [Layouts::Uniform, Layouts::Placed(LayoutGenerator::new(|_| Box::new(Learner::default())))] {
        let bench = bench("5x5:3,2", layouts, 500, series(7, None));
        let one = run(&bench, &contenders(), 1).unwrap();
        for threads in [2, 5] {
            assert_eq!(counted(&run(&bench, &contenders(), threads).unwrap()), counted(&one), "{threads} threads");
        }
    }
}

#[test]
fn both_hear_how_the_game_ended() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let placer = Arc::clone(&log);
    let make = move |_: &Seed| -> Box<dyn Bot> { Box::new(Learner { log: Arc::clone(&placer), ..Learner::default() }) };
    let bench = bench("4x1:2", Layouts::Placed(LayoutGenerator::new(make)), 2, series(2, None));
    let report = run(&bench, &[logging(&log)], 1).unwrap();
    let seen = ["(Some(\"2 A1 across\"), None)", "(None, Some(2))", "(Some(\"2 C1 across\"), None)", "(None, Some(4))"];
    assert_eq!(*log.lock().unwrap(), seen);
    assert_eq!((report.results[0].by_game[0].mean(), report.results[0].by_game[1].mean()), (2.0, 4.0));
}

#[test]
fn a_placer_has_its_seed_from_the_bench() {
    let placed = |seed: u64| {
        let placer = LayoutGenerator::new(|seed| seabattle_bots::find("random").unwrap().make(seed));
        let bench = Bench { seed, ..bench("classic", Layouts::Placed(placer), 3, Series::default()) };
        (0..3).map(|game| bench.layout(game).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(placed(1), placed(1));
    assert_ne!(placed(1), placed(2));
}

/// Places for rules of its own.
struct Elsewhere;

impl Bot for Elsewhere {
    fn start(&mut self, _rules: &Rules) {}

    fn place(&mut self, _rules: &Rules) -> Fleet {
        layout::any(&Rules::russian(), &mut Seed::new(1).rng())
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        view.targets().first().unwrap()
    }
}

#[test]
fn a_fleet_for_other_rules_is_refused() {
    let bench = bench("classic", Layouts::Placed(LayoutGenerator::new(|_| Box::new(Elsewhere))), 3, Series::default());
    assert_eq!(run(&bench, &[learner()], 1).err(), Some(BenchError::PlacedForOtherRules));
}
