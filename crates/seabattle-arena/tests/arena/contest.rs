//! Modules of the contest in matches: sound ones play and learn, broken ones end in their named faults.

use std::fs;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use seabattle_arena::{
    Access, BotCommand, CheckSuite, ContestStanding, ContestTable, Contestant, ContestantKind, FaultKind, Journal,
    Match, NotifyLimits, PairSettings, Pairing, PlayerInfo, ResourceLimits, Schedule, Score, ThreadExecutor,
    TimeLimits, Tournament, TournamentObserver, check, contest_module,
};
use seabattle_core::{BySide, Rules, Side};

const PAIRS: u64 = 2;
pub(crate) const PATIENT: Duration = Duration::from_secs(10);

fn contestant(path: &Path, shot: Duration) -> Contestant {
    let words = contest_module(&path.to_string_lossy(), NonZero::new(2 * PAIRS).unwrap());
    let command = BotCommand::new(words, ResourceLimits::default(), Access::Everything);
    let limits = TimeLimits { start: Duration::from_secs(30), shot, ..TimeLimits::default() };
    Contestant { name: path.to_string_lossy().into_owned(), kind: ContestantKind::External { command, limits } }
}

pub(crate) fn fixture(file: &str, shot: Duration) -> Contestant {
    contestant(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contest").join(file), shot)
}

/// The score and the shots of the winner of each game.
pub(crate) fn play(a: &Contestant, b: &Contestant, rules: Rules) -> (Score, Vec<usize>) {
    let planned = Match {
        settings: PairSettings { rules, seed: 1, reveal: true, learn: false },
        pairs: PAIRS,
        series: NonZero::new(PAIRS).unwrap(),
        sprt: None,
        give_up: None,
    };
    let mut shots = Vec::new();
    let play = |pairs| planned.play(BySide { a, b }, pairs, None, &|_| {});
    let executor = ThreadExecutor { count: NonZero::<usize>::MIN, play };
    let score = planned.run(&executor, NonZero::<u64>::MIN, &AtomicBool::new(false), |_, pair, _| {
        shots.extend(pair.iter().filter_map(|game| Some(usize::from(game.result.shots[game.result.winner?]))));
        ControlFlow::Continue(())
    });
    (score.unwrap(), shots)
}

/// Loses every game to a sound module by this fault.
fn fails(file: &str, shot: Duration, expected: FaultKind) -> Score {
    let (score, _) = play(&fixture(file, shot), &fixture("good.py", PATIENT), Rules::russian());
    let faults: Vec<_> = score.faults.a.iter().map(|(kind, count)| (*kind, *count)).collect();
    assert_eq!(faults, [(expected, 2 * PAIRS)], "{file}: {:?}", score.first_faults.a);
    assert_eq!(score.wins, BySide { a: 0, b: 2 * PAIRS }, "{file}");
    assert!(score.faults.b.is_empty(), "{file}: {:?}", score.first_faults.b);
    score
}

#[test]
fn a_module_plays_a_whole_series_in_one_process_and_learns() {
    let (score, shots) = play(&fixture("good.py", PATIENT), &fixture("good.py", PATIENT), Rules::russian());
    assert!(score.faults.a.is_empty() && score.faults.b.is_empty(), "{:?}", score.first_faults);
    assert!(shots[0] > 20, "{shots:?}");
    // The fleet is where it was, and who has sunk it before hits with every shot.
    assert!(shots[1..].contains(&20), "{shots:?}");
}

#[test]
fn what_a_module_prints_disturbs_nothing() {
    let (score, _) = play(&fixture("prints.py", PATIENT), &fixture("good.py", PATIENT), Rules::russian());
    assert!(score.faults.a.is_empty() && score.faults.b.is_empty(), "{:?}", score.first_faults);
    assert_eq!(score.games(), 2 * PAIRS);
}

#[test]
fn the_example_module_plays() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots/contest/lattice.py");
    let (score, _) = play(&contestant(&example, PATIENT), &fixture("good.py", PATIENT), Rules::russian());
    assert!(score.faults.a.is_empty() && score.faults.b.is_empty(), "{:?}", score.first_faults);
}

#[test]
fn an_exception_is_a_crash_with_its_traceback() {
    let score = fails("raises.py", PATIENT, FaultKind::Crash);
    let message = format!("{:?}", score.first_faults.a);
    assert!(message.contains("RuntimeError: hit below the water line"), "{message}");
}

#[test]
fn leaving_in_the_middle_is_a_crash() {
    fails("leaves.py", PATIENT, FaultKind::Crash);
}

#[test]
fn a_module_that_lacks_a_function_is_named() {
    for (file, missing) in [("no_shoot.py", "shoot"), ("no_map.py", "get_map (or getMap)")] {
        let score = fails(file, PATIENT, FaultKind::GaveUp);
        let message = format!("{:?}", score.first_faults.a);
        assert!(
            message.contains(&format!("{file} has no function {missing}")) && !message.contains("Traceback"),
            "{message}"
        );
    }
}

#[test]
fn an_illegal_map() {
    fails("illegal_map.py", PATIENT, FaultKind::IllegalFleet);
}

#[test]
fn a_repeated_shot() {
    fails("repeats.py", PATIENT, FaultKind::IllegalShot);
}

#[test]
fn a_shot_outside() {
    fails("illegal_shots.py", PATIENT, FaultKind::IllegalShot);
}

#[test]
fn a_slow_shot() {
    fails("slow.py", Duration::from_millis(100), FaultKind::ShotTimeout);
}

#[test]
fn other_rules_are_given_up() {
    let (score, _) = play(&fixture("good.py", PATIENT), &fixture("good.py", PATIENT), Rules::classic());
    assert_eq!(score.faults.a.get(&FaultKind::GaveUp), Some(&(2 * PAIRS)));
    assert_eq!((score.draws, score.faults[Side::B].get(&FaultKind::GaveUp)), (2 * PAIRS, Some(&(2 * PAIRS))));
}

pub(crate) struct Nobody;

impl TournamentObserver for Nobody {
    fn round(&self, _: u32, _: u64, _: u64) {}
    fn game(&self, _: Pairing, _: &BySide<PlayerInfo>) {}
}

pub(crate) fn strict(file: &str, limits: TimeLimits) -> Contestant {
    let Contestant { name, kind } = fixture(file, PATIENT);
    match kind {
        ContestantKind::External { command, .. } => {
            Contestant { name, kind: ContestantKind::External { command, limits } }
        }
        ContestantKind::BuiltIn(_) => panic!("{name} is a program"),
    }
}

/// Limits for a busy machine, except for the time to hear the result of a shot.
pub(crate) fn contest(per_shot: Duration) -> TimeLimits {
    let notify = NotifyLimits { shot: per_shot, game: PATIENT };
    TimeLimits { start: PATIENT, place: PATIENT, shot: PATIENT, notify: Some(notify), ..TimeLimits::default() }
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn run(folder: &Path, contestants: &[Contestant], sets: u32) -> ContestTable {
    let tournament = Tournament {
        format: Schedule::Contest { sets: NonZero::new(sets).unwrap() },
        rules: Rules::russian(),
        seed: 1,
        pairs: 1,
        series: NonZero::<u64>::MIN,
        reveal: false,
        learn: false,
        give_up: None,
    };
    let journal = Journal::open(folder, contestants.len()).unwrap();
    let stop = AtomicBool::new(false);
    let ran = tournament.run(contestants, journal, NonZero::<usize>::MIN, &stop, &Nobody);
    let names: Vec<String> = (0..contestants.len()).map(|number| number.to_string()).collect();
    tournament.contest_table(&names, &ran.unwrap().0).unwrap()
}

fn points(test: &str, files: &[&str], limits: TimeLimits) -> (Vec<(String, u64, Vec<FaultKind>)>, usize) {
    let contestants: Vec<Contestant> = files.iter().map(|file| strict(file, limits)).collect();
    points_of(test, &contestants)
}

/// The names, points and faults of a contest of four sets, best first, and the sets that were played.
pub(crate) fn points_of(test: &str, contestants: &[Contestant]) -> (Vec<(String, u64, Vec<FaultKind>)>, usize) {
    let folder = folder(test);
    let table = run(&folder, contestants, 4);
    let line = |line: &ContestStanding| (line.name.clone(), line.points(), line.faults.keys().copied().collect());
    let sets = fs::read_to_string(folder.join(Journal::FILE)).unwrap().lines().count();
    (table.standings.iter().map(line).collect(), sets)
}

fn loses_all(test: &str, file: &str, limits: TimeLimits, expected: FaultKind, sets: usize) {
    let expected = (vec![("1".to_owned(), 3, vec![]), ("0".to_owned(), 0, vec![expected])], sets);
    assert_eq!(points(test, &[file, "good.py"], limits), expected, "{file}");
}

#[test]
fn any_failure_loses_the_whole_game_of_a_contest_at_once() {
    loses_all("contest-crash", "raises.py", contest(PATIENT), FaultKind::Crash, 1);
    loses_all("contest-map", "illegal_map.py", contest(PATIENT), FaultKind::IllegalFleet, 1);
    loses_all("contest-shot", "repeats.py", contest(PATIENT), FaultKind::IllegalShot, 1);
    loses_all("contest-set-end", "raises_after_set.py", contest(PATIENT), FaultKind::Crash, 1);
}

#[test]
fn every_call_of_a_contest_has_a_limit_of_its_own() {
    loses_all("contest-told", "slow_to_hear.py", contest(Duration::from_millis(1)), FaultKind::ShotTimeout, 1);
    let (standings, _) = points("contest-told-in-time", &["slow_to_hear.py", "good.py"], contest(PATIENT));
    assert!(standings.iter().all(|(_, _, faults)| faults.is_empty()), "{standings:?}");
}

#[test]
fn a_fault_after_the_last_set_loses_the_game() {
    let (standings, _) = points("contest-game-end", &["raises_at_end.py", "good.py"], contest(PATIENT));
    assert_eq!(standings, [("1".to_owned(), 3, vec![]), ("0".to_owned(), 0, vec![FaultKind::Crash])]);
}

#[test]
fn two_who_fail_in_the_same_call_get_nothing() {
    let (standings, sets) = points("contest-both", &["illegal_map.py", "illegal_map.py"], contest(PATIENT));
    let failed = |name: &str| (name.to_owned(), 0, vec![FaultKind::IllegalFleet]);
    assert_eq!((standings, sets), (vec![failed("0"), failed("1")], 1));
}

#[test]
fn a_contest_that_was_cut_off_ends_with_the_same_table() {
    let names = ["lattice", "blocks", "random", "star"];
    let contestants = || -> Vec<Contestant> { names.iter().map(|&name| crate::external::built_in(name)).collect() };
    let folder = folder("contest-resume");
    let file = folder.join(Journal::FILE);
    let whole = run(&folder, &contestants(), 5);
    let text = fs::read_to_string(&file).unwrap();
    for cut in [0, 1, text.len() / 3, text.len() / 2, text.len() - 1] {
        fs::write(&file, &text[..cut]).unwrap();
        assert_eq!(run(&folder, &contestants(), 5), whole, "after {cut} bytes");
    }
    assert_eq!(whole.games, 6);
    assert!(text.lines().count() < 30, "games end when they are decided");
    run(&folder, &contestants(), 5);
    let lines = fs::read_to_string(&file).unwrap().lines().count();
    run(&folder, &contestants(), 5);
    assert_eq!(fs::read_to_string(&file).unwrap().lines().count(), lines, "nothing is played twice");
}

#[test]
fn a_module_passes_the_check_of_the_contest() {
    let checked = |file: &str| {
        let ContestantKind::External { command, limits } = fixture(file, PATIENT).kind else {
            panic!("{file} is a program")
        };
        let mut passed = Vec::new();
        let enemy = crate::external::built_in("random");
        (check(CheckSuite::Contest, command, limits, &enemy, &mut |step, _| passed.push(step)), passed)
    };
    let (sound, passed) = checked("good.py");
    assert_eq!(sound, Ok(()));
    assert_eq!(passed, ["start and greeting", "placing", "a whole set", "a second set", "bad input", "quit"]);
    assert_eq!(checked("repeats.py").0.unwrap_err().step, "a whole set");
    assert_eq!(checked("illegal_map.py").0.unwrap_err().step, "placing");
}

#[test]
fn a_contest_keeps_the_first_fault_in_words() {
    let folder = folder("contest-first-fault");
    let files = ["raises_at_end.py", "good.py", "no_shoot.py"];
    let contestants: Vec<Contestant> = files.iter().map(|file| strict(file, contest(PATIENT))).collect();
    let table = run(&folder, &contestants, 2);
    let message = |name: &str| table.standings.iter().find(|line| line.name == name).unwrap().first_fault.clone();
    assert!(message("0").unwrap().starts_with("crash: ended with exit status: 1; its log: Traceback"), "{table:?}");
    assert_eq!(message("1"), None);
    assert!(message("2").unwrap().contains("has no function shoot"), "{table:?}");
    assert_eq!(run(&folder, &contestants, 2), table, "it is written down");
}
