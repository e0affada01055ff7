//! Contestants that fail again and again: a match ends, a tournament goes on without starting them, and tables do not
//! depend on the number of threads.

use std::cell::Cell;
use std::fs;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use seabattle_arena::{
    Access, BotCommand, Contestant, ContestantKind, FaultKind, Journal, Match, PairSettings, RatingTable,
    ResourceLimits, Schedule, ThreadExecutor, TimeLimits, Tournament,
};
use seabattle_core::{BySide, Rules};

use crate::contest::Nobody;
use crate::external::built_in;

const GIVE_UP: Option<NonZero<u64>> = NonZero::new(6);

/// A program that notes each of its starts in a file, and ends at once.
fn crashing(test: &str) -> (Contestant, PathBuf) {
    let starts = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("starts-{test}"));
    let _ = fs::remove_file(&starts);
    let script = format!("echo x >>{}", starts.display());
    let words = ["sh", "-c", &script].map(str::to_owned).to_vec();
    let command = BotCommand::new(words, ResourceLimits::default(), Access::Everything);
    let kind = ContestantKind::External { command, limits: TimeLimits::default() };
    (Contestant { name: "crashing".to_owned(), kind }, starts)
}

fn starts(file: &PathBuf) -> usize {
    fs::read_to_string(file).unwrap().lines().count()
}

#[test]
fn a_match_ends_when_a_contestant_has_failed_again_and_again() {
    let (crashing, file) = crashing("match");
    let settings = PairSettings { rules: Rules::classic(), seed: 1, reveal: true, learn: false };
    let planned = Match { settings, pairs: 1000, series: NonZero::<u64>::MIN, sprt: None, give_up: GIVE_UP };
    let (random, stop) = (built_in("random"), AtomicBool::new(false));
    let play = |pairs| planned.play(BySide { a: &random, b: &crashing }, pairs, None, &|_| {});
    let executor = ThreadExecutor { count: NonZero::<usize>::MIN, play };
    let seen = Cell::new(0);
    let score = planned.run(&executor, NonZero::<u64>::MIN, &stop, |number, _, _| {
        seen.set(number + 1);
        std::ops::ControlFlow::Continue(())
    });
    let score = score.unwrap();
    assert_eq!((score.games(), score.wins.a, seen.get()), (6, 6, 3));
    assert_eq!(score.set_aside, BySide { a: false, b: true });
    assert!(starts(&file) < 20, "{}", starts(&file));
}

#[test]
fn a_tournament_goes_on_without_whoever_fails_again_and_again() {
    let table = |threads: usize| {
        let test = format!("tournament-{threads}");
        let (crashing, file) = crashing(&test);
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(&test);
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(&folder).unwrap();
        let contestants = [built_in("random"), crashing, built_in("star")];
        let tournament = Tournament {
            format: Schedule::RoundRobin,
            rules: Rules::classic(),
            seed: 3,
            pairs: 20,
            series: NonZero::new(5).unwrap(),
            reveal: true,
            learn: false,
            give_up: GIVE_UP,
        };
        let journal = Journal::open(&folder, contestants.len()).unwrap();
        let (threads, stop) = (NonZero::new(threads).unwrap(), AtomicBool::new(false));
        let (journal, _) = tournament.run(&contestants, journal, threads, &stop, &Nobody).unwrap();
        assert!(tournament.is_over(contestants.len(), &journal));
        let names = contestants.map(|contestant| contestant.name);
        (tournament.table(&names, &journal), starts(&file))
    };
    let (alone, started) = table(1);
    let faults = |table: &RatingTable| table.standings.iter().find(|line| line.number == 1).unwrap().faults.clone();
    let expected = [(FaultKind::Crash, 2 * 6), (FaultKind::SetAside, 2 * 34)];
    assert_eq!(faults(&alone), expected.into_iter().collect());
    assert_eq!((started, alone.games), (12, 120), "it starts only for the games that count against it");
    assert_eq!(table(2).0, alone);
    assert_eq!(table(7).0, alone);
}
