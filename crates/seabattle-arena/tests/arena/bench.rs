//! Bots alone: the same result on any number of threads, faults are reported, and a request to stop ends the bench.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use seabattle_arena::{AivatCorrection, Bench, BenchError, BenchReport, Contender, Layouts, ReducedMean, Series};
use seabattle_core::{Bot, Cell, Fleet, Knowledge, Rules, Seed, View, layout};

fn bench(rules: &str, layouts: Layouts, games: u64) -> Bench {
    Bench { rules: rules.parse().unwrap(), layouts, seed: 5, games, series: Series::default(), correction: None }
}

fn catalog_bot(name: &str) -> Contender<'static> {
    let entry = seabattle_bots::find(name).unwrap();
    Contender { name: name.to_owned(), make: Box::new(|seed| entry.make(seed)) }
}

fn run(bench: &Bench, contenders: &[Contender<'_>], threads: usize) -> BenchReport {
    let threads = NonZero::new(threads).unwrap();
    bench.run(contenders, threads, &|_| {}, &AtomicBool::new(false)).unwrap()
}

/// Everything but the time it took.
fn counted(report: &BenchReport) -> String {
    let result = |result: &seabattle_arena::BotResult| {
        format!("{} {:?} {:?} {}", result.name, result.shots, result.difference, result.faults)
    };
    report.results.iter().map(result).collect::<Vec<_>>().join("\n")
}

#[test]
fn threads_change_nothing_but_the_time() {
    let contenders = ["random", "star", "density"].map(catalog_bot);
    let bench = bench("classic", Layouts::Uniform, 1001);
    let one = run(&bench, &contenders, 1);
    assert_eq!(one.games, 1001);
    for threads in [2, 3, 7] {
        assert_eq!(counted(&run(&bench, &contenders, threads)), counted(&one), "{threads} threads");
    }
}

#[test]
fn what_someone_calls_luck_is_taken_out_of_every_game() {
    let contenders = ["random", "star"].map(catalog_bot);
    // Whatever is left of a game: the number of its first cell's column, and nothing else.
    let left = |game: &Knowledge| f64::from(game.shots()[0].cell.col()) / 4.0;
    let luck = AivatCorrection::new(move |game: &Knowledge| game.shots().len() as f64 - left(game));
    let bench = Bench { correction: Some(luck), ..bench("classic", Layouts::Uniform, 300) };
    let [one, many] = [1, 3].map(|threads| run(&bench, &contenders, threads));
    let fair = |report: &BenchReport| {
        report.results.iter().map(|result| (result.reduced_mean(), result.reduced_difference())).collect()
    };
    let reduced: Vec<(Option<ReducedMean>, Option<ReducedMean>)> = fair(&one);
    assert_eq!(reduced, fair(&many));
    let [(Some(random), None), (Some(star), Some(difference))] = reduced[..] else { panic!("{reduced:?}") };
    assert!((0.9..1.35).contains(&random.mean) && random.stderr > 0.01, "{random:?}");
    assert!((difference.mean - (star.mean - random.mean)).abs() < 1e-9, "{reduced:?}");
    assert_eq!(run(&Bench { correction: None, ..bench }, &contenders, 1).results[1].reduced_mean(), None);
}

#[test]
fn pieces_add_up_to_the_whole() {
    let contenders = ["star", "random"].map(catalog_bot);
    let whole = run(&bench("classic", Layouts::Uniform, 500), &contenders, 2);
    let first = run(&bench("classic", Layouts::Uniform, 180), &contenders, 1);
    let rest = bench("classic", Layouts::Uniform, 500);
    let rest =
        rest.run_after(180, &contenders, NonZero::new(2).unwrap(), &|_| {}, &|_| {}, &AtomicBool::new(false)).unwrap();
    assert_eq!(rest.games, 320);
    for at in 0..2 {
        let shots = |report: &BenchReport| report.results[at].shots.mean() * report.games as f64;
        assert!((shots(&first) + shots(&rest) - shots(&whole)).abs() < 1e-6, "{}", whole.results[at].name);
    }
}

#[test]
fn every_bot_has_the_same_layouts_whoever_plays_beside_it() {
    let bench = bench("russian", Layouts::Sequential, 200);
    let alone = run(&bench, &[catalog_bot("lattice")], 2);
    let together = run(&bench, &[catalog_bot("random"), catalog_bot("lattice")], 2);
    assert_eq!(alone.results[0].shots, together.results[1].shots);
}

#[test]
fn given_layouts_are_played_in_order_and_again_from_the_start() {
    let rules: Rules = "4x1:2".parse().unwrap();
    let fleets = ["2 A1 across", "2 C1 across"].map(|text| Fleet::parse(&rules, text).unwrap()).to_vec();
    let bench = bench("4x1:2", Layouts::Given(fleets.clone()), 5);
    let played: Vec<Fleet> = (0..5).map(|game| bench.layout(game).unwrap()).collect();
    assert_eq!(played, [0, 1, 0, 1, 0].map(|at: usize| fleets[at].clone()));
    let empty = Bench { layouts: Layouts::Given(Vec::new()), ..bench };
    assert_eq!(empty.layout(0), Err(BenchError::NoLayouts));
}

/// Plays by the rules until its tenth shot.
struct Broken {
    shots: u32,
}

impl Bot for Broken {
    fn start(&mut self, _rules: &Rules) {
        self.shots = 0;
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut Seed::new(1).rng())
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        self.shots += 1;
        let first = view.targets().first().unwrap();
        if self.shots == 10 { Cell::new(99, 99) } else { first }
    }
}

#[test]
fn a_broken_bot_is_reported_with_its_position() {
    let broken = Contender { name: "broken".to_owned(), make: Box::new(|_| Box::new(Broken { shots: 0 })) };
    let contenders = [catalog_bot("random"), broken];
    let report = run(&bench("classic", Layouts::Uniform, 50), &contenders, 2);
    let result = &report.results[1];
    assert_eq!((result.faults, result.shots.games()), (50, 0));
    let (game, fault) = result.first_fault.as_ref().unwrap();
    assert_eq!(*game, 0);
    assert!(fault.starts_with("fired at "), "{fault}");
    assert!(fault.contains("position: classic A1"), "{fault}");
    assert_eq!(report.results[0].shots.games(), 50, "the others play on");
}

#[test]
fn a_wish_to_stop_leaves_comparable_games() {
    let contenders = ["random", "star"].map(catalog_bot);
    let stop = AtomicBool::new(false);
    let done = AtomicU64::new(0);
    let progress = |games: u64| {
        if done.fetch_add(games, Ordering::Relaxed) + games >= 500 {
            stop.store(true, Ordering::Relaxed);
        }
    };
    let report = bench("classic", Layouts::Uniform, 1_000_000_000)
        .run(&contenders, NonZero::new(2).unwrap(), &progress, &stop)
        .unwrap();
    assert!((500..5000).contains(&report.games), "{}", report.games);
    assert!(report.results.iter().all(|result| result.shots.games() == report.games));
}

#[test]
fn whoever_stops_a_bot_that_thinks_does_not_wait_for_hundreds_of_games() {
    let stop = AtomicBool::new(false);
    let entry = seabattle_bots::find("star").unwrap();
    let make = |seed: &Seed| {
        stop.store(true, Ordering::Relaxed);
        entry.make(seed)
    };
    let contenders = [Contender { name: "stopped in its first game".to_owned(), make: Box::new(make) }];
    let bench = bench("classic", Layouts::Uniform, 1_000_000);
    let report = bench.run(&contenders, NonZero::<usize>::MIN, &|_| {}, &stop).unwrap();
    assert_eq!(report.games, 1);
}
