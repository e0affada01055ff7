//! Results from other machines: what was played is possible, what was made up is mostly not.

use std::cell::{Cell, RefCell};
use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use seabattle_arena::{
    Bench, BenchReport, Contender, Contestant, ContestantKind, Executor, ExecutorError, FinishedGame, Layouts, Match,
    PairSettings, Pairing, Schedule, Score, Series, Tournament, TournamentTask,
};
use seabattle_core::{BySide, Side};
use serde_json::{Value, json};

/// Every order of turns with both endings.
const RULES: [&str; 9] = [
    "classic",
    "russian",
    "salvo",
    "classic,turn=salvo:3",
    "classic,turn=salvo:60",
    "classic,ending=equal",
    "russian,ending=equal",
    "salvo,ending=equal",
    "4x4:2,2,turn=salvo:3,ending=equal",
];

fn contestant(name: &str) -> Contestant {
    let entry = seabattle_bots::find(name).unwrap();
    Contestant { name: name.to_owned(), kind: ContestantKind::BuiltIn(Box::new(|seed| entry.make(seed))) }
}

fn planned(rules: &str) -> Match {
    let settings = PairSettings { rules: rules.parse().unwrap(), seed: 7, reveal: true, learn: false };
    Match { settings, pairs: 100, series: NonZero::new(5).unwrap(), sprt: None, give_up: None }
}

fn play(planned: &Match, names: Option<&BySide<String>>) -> Vec<FinishedGame> {
    let (a, b) = (contestant("density"), contestant("random"));
    planned.play(BySide { a: &a, b: &b }, 10..30, names, &|_| {})
}

#[test]
fn played_games_are_possible_under_all_rules() {
    for rules in RULES {
        let planned = planned(rules);
        let games = play(&planned, None);
        assert_eq!(planned.check(10..30, &games, None), Ok(()), "{rules}");
    }
}

#[test]
fn games_of_another_job_are_not_possible() {
    let planned = planned("classic");
    let games = play(&planned, None);
    for pairs in [0..20, 10..29, 10..31, 11..30] {
        assert!(planned.check(pairs.clone(), &games, None).is_err(), "{pairs:?}");
    }
    let mut swapped = games.clone();
    swapped.swap(0, 1);
    assert!(planned.check(10..30, &swapped, None).is_err());
    let mut again = games;
    again[1] = again[0].clone();
    assert!(planned.check(10..30, &again, None).is_err());
}

#[test]
fn numbers_that_no_game_has_are_found() {
    let planned = planned("classic");
    let games = play(&planned, None);
    let winner = games[0].result.winner.unwrap();
    let changes: [fn(&mut FinishedGame, Side); 9] = [
        |game, winner| game.result.winner = Some(winner.other()),
        |game, _| game.result.winner = None,
        |game, winner| game.result.shots[winner] = 16,
        |game, winner| game.result.shots[winner] += 1,
        |game, winner| game.result.shots[winner.other()] = 101,
        |game, _| game.result.shots = BySide { a: 101, b: 101 },
        |game, _| game.result.sunk = false,
        |game, winner| game.players[winner].fault = Some("crash".to_owned()),
        |game, _| game.record = Some("[Seabattle \"1\"]".to_owned()),
    ];
    for (number, change) in changes.into_iter().enumerate() {
        let mut games = games.clone();
        change(&mut games[0], winner);
        assert!(planned.check(10..30, &games, None).is_err(), "change {number}: {:?}", games[0]);
    }
}

#[test]
fn a_record_belongs_to_its_game() {
    let planned = planned("classic");
    let names = BySide { a: "density".to_owned(), b: "random".to_owned() };
    let games = play(&planned, Some(&names));
    assert_eq!(planned.check(10..30, &games, Some(&names)), Ok(()));
    let changed = |change: fn(&mut Vec<FinishedGame>)| {
        let mut games = games.clone();
        change(&mut games);
        planned.check(10..30, &games, Some(&names)).unwrap_err().to_string()
    };
    assert!(changed(|games| games[0].record = None).contains("no record"));
    assert!(changed(|games| games[0].record = Some("x".to_owned())).contains("cannot be read"));
    let other = changed(|games| games[0].record = games[2].record.clone());
    assert!(other.contains("pair 11, game 1: a record of another game"), "{other}");
    let more = changed(|games| games[0].record.as_mut().unwrap().push('\n'));
    assert!(more.contains("record"), "{more}");
}

#[test]
fn a_game_of_the_contest_ends_with_the_deciding_set() {
    let tournament = Tournament {
        format: Schedule::Contest { sets: NonZero::new(6).unwrap() },
        rules: "russian".parse().unwrap(),
        seed: 7,
        pairs: 1,
        series: NonZero::<u64>::MIN,
        reveal: false,
        learn: false,
        give_up: None,
    };
    let task = TournamentTask { pairing: Pairing { round: 0, a: 1, b: 2 }, pairs: 0..1 };
    let (a, b) = (contestant("density"), contestant("random"));
    let games = tournament.play(&task, BySide { a: &a, b: &b }, 3);
    assert_eq!(tournament.check(&task, &games), Ok(()));
    assert!(tournament.check(&task, &games[..games.len() - 1]).is_err());
    assert!(tournament.check(&task, &[]).is_err());
    let other = TournamentTask { pairing: Pairing { round: 0, a: 0, b: 2 }, pairs: 0..1 };
    assert!(tournament.check(&other, &games).is_err());
}

fn bench() -> Bench {
    Bench {
        rules: "classic".parse().unwrap(),
        layouts: Layouts::Uniform,
        seed: 3,
        games: 97,
        series: Series { length: NonZero::new(5).unwrap(), cycle: None },
        correction: None,
    }
}

fn contenders() -> Vec<Contender<'static>> {
    let contender = |name: &&str| {
        let entry = seabattle_bots::find(name).unwrap();
        Contender { name: (*name).to_owned(), make: Box::new(|seed| entry.make(seed)) }
    };
    ["density", "random"].iter().map(contender).collect()
}

/// The report with one value changed, named by its path in JSON.
fn changed(report: &BenchReport, path: &str, change: impl Fn(&mut Value)) -> BenchReport {
    let mut value = serde_json::to_value(report).unwrap();
    change(value.pointer_mut(path).unwrap_or_else(|| panic!("there is no {path}")));
    serde_json::from_value(value).unwrap()
}

#[test]
fn a_report_of_a_bench_adds_up() {
    let (bench, names) = (bench(), ["density", "random"]);
    // The last series is shorter.
    let report = bench.play(&contenders(), 10..20).unwrap();
    assert_eq!(bench.check(&names, 10..20, &report), Ok(()));
    assert!(bench.check(&names, 10..19, &report).is_err());
    assert!(bench.check(&names, 0..10, &report).is_err());
    assert!(bench.check(&["random", "density"], 10..20, &report).is_err());
    for path in [
        "/games",
        "/results/0/mean/games",
        "/results/0/mean/sum",
        "/results/0/mean/series",
        "/results/0/from_third/sum",
        "/results/0/difference/games",
        "/results/1/difference/sum",
        "/results/0/faults",
        "/results/0/fair/sum",
        "/results/1/fair_difference/games",
        "/results/0/shots/counts/40",
        "/results/0/by_game/1/counts/40",
    ] {
        let more = |value: &mut Value| *value = json!(value.as_i64().unwrap() + 1000);
        assert!(bench.check(&names, 10..20, &changed(&report, path, more)).is_err(), "{path}");
    }
    let worse = changed(&report, "/results/0/mean/squares", |value| *value = json!(1));
    assert!(bench.check(&names, 10..20, &worse).is_err(), "a spread that no games have");
    let endless = changed(&report, "/results/0/busy/secs", |value| *value = json!(u64::MAX));
    assert!(bench.check(&names, 10..20, &endless).is_err());
    let missing = changed(&report, "/results", |value| *value = json!([]));
    assert!(bench.check(&names, 10..20, &missing).is_err());
}

#[test]
fn the_same_games_are_the_same_play_however_long_they_took() {
    let report = bench().play(&contenders(), 0..10).unwrap();
    let slower = changed(&report, "/results/0/busy/secs", |value| *value = json!(99));
    assert!(report.is_same_play(&slower));
    let rounded = changed(&report, "/results/0/fair/sum", |value| *value = json!(1));
    assert!(report.is_same_play(&rounded), "a millionth of a shot");
    let other = changed(&report, "/results/1/mean/sum", |value| *value = json!(value.as_i64().unwrap() + 1));
    assert!(!report.is_same_play(&other));
    assert!(!report.is_same_play(&bench().play(&contenders(), 1..11).unwrap()));
}

/// Plays jobs here. The first run ends after two results, which are taken back.
struct Unreliable<F> {
    play: F,
    runs: Cell<u32>,
}

impl<J, T, F: Fn(J) -> T> Executor<J, T> for Unreliable<F> {
    fn run(
        &self,
        jobs: u64,
        job: &(dyn Fn(u64) -> Option<J> + Sync),
        _: &AtomicBool,
        done: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), ExecutorError> {
        let is_first = self.runs.replace(self.runs.get() + 1) == 0;
        for number in 0..jobs {
            if is_first && number == 2 {
                return Err(ExecutorError::Retracted("liar".to_owned()));
            }
            if let Some(job) = job(number)
                && done((self.play)(job)).is_break()
            {
                break;
            }
        }
        Ok(())
    }
}

#[test]
fn a_match_counts_again_without_the_results_that_were_taken_back() {
    let planned = planned("classic");
    let (a, b) = (contestant("density"), contestant("random"));
    let play = |pairs| planned.play(BySide { a: &a, b: &b }, pairs, None, &|_| {});
    let executor = Unreliable { play, runs: Cell::new(0) };
    let mut numbers = Vec::new();
    let score = planned.run(&executor, NonZero::new(4).unwrap(), &AtomicBool::new(false), |number, _, _| {
        numbers.push(number);
        ControlFlow::Continue(())
    });
    let expected: Vec<u64> = (0..40).chain(0..100).collect();
    assert_eq!((numbers, executor.runs.get()), (expected, 2));
    let mut whole = Score::default();
    play(0..100).chunks(2).for_each(|pair| whole.add(pair));
    assert_eq!(score.unwrap(), whole);
}

#[test]
fn a_bench_counts_again_without_the_results_that_were_taken_back() {
    let bench = bench();
    let play = |series| bench.play(&contenders(), series).unwrap();
    let executor = Unreliable { play, runs: Cell::new(0) };
    let progress = RefCell::new(Vec::new());
    let at_once = NonZero::new(5).unwrap();
    let report = bench.run_by(
        0,
        &executor,
        &contenders(),
        at_once,
        &|games| progress.borrow_mut().push(games),
        &AtomicBool::new(false),
    );
    assert!(report.unwrap().is_same_play(&play(0..20)));
    assert_eq!(*progress.borrow(), [25, 50, 25, 50, 75, 97]);
}
