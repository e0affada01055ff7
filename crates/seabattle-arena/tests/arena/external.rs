//! Broken programs: each ends in its named fault, the match goes on, and no process is left behind.

use std::fs;
use std::num::NonZero;
use std::ops::{ControlFlow, RangeInclusive};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use seabattle_arena::{
    Access, BotCommand, BotLog, CheckSuite, Contestant, ContestantKind, ExternalPlayer, FaultKind, LimitSource, Match,
    PairSettings, ResourceLimits, Score, ThreadExecutor, TimeLimits, check,
};
use seabattle_core::{BySide, Rules};

const PAIRS: u64 = 2;

pub(crate) fn broken(file: &str, arguments: &[&str]) -> BotCommand {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken").join(file);
    let mut words = vec!["python3".to_owned(), path.to_string_lossy().into_owned()];
    words.extend(arguments.iter().map(|&word| word.to_owned()));
    BotCommand::new(words, ResourceLimits::default(), Access::Everything)
}

/// Long enough for a busy machine; short where silence is what is tested.
fn limits(shot: Duration) -> TimeLimits {
    TimeLimits { start: Duration::from_secs(30), shot, ..TimeLimits::default() }
}

const PATIENT: Duration = Duration::from_secs(10);
const IMPATIENT: Duration = Duration::from_millis(100);

pub(crate) fn built_in(name: &'static str) -> Contestant {
    let entry = seabattle_bots::find(name).unwrap();
    Contestant { name: name.to_owned(), kind: ContestantKind::BuiltIn(Box::new(|seed| entry.make(seed))) }
}

fn score(command: BotCommand, limits: TimeLimits) -> Score {
    score_of_pairs(PAIRS, command, limits)
}

/// The score of a program as contestant A against `random`.
pub(crate) fn score_of_pairs(pairs: u64, command: BotCommand, limits: TimeLimits) -> Score {
    let broken = Contestant { name: "broken".to_owned(), kind: ContestantKind::External { command, limits } };
    let planned = Match {
        settings: PairSettings { rules: Rules::classic(), seed: 1, reveal: true, learn: false },
        pairs,
        series: NonZero::<u64>::MIN,
        sprt: None,
        give_up: None,
    };
    let contestants = BySide { a: &broken, b: &built_in("random") };
    let executor =
        ThreadExecutor { count: NonZero::<usize>::MIN, play: |pairs| planned.play(contestants, pairs, None, &|_| {}) };
    planned.run(&executor, NonZero::<u64>::MIN, &AtomicBool::new(false), |_, _, _| ControlFlow::Continue(())).unwrap()
}

fn fails(file: &str, shot: Duration, expected: FaultKind) {
    let score = score(broken(file, &[]), limits(shot));
    let faults: Vec<_> = score.faults.a.iter().map(|(kind, count)| (*kind, *count)).collect();
    assert_eq!(faults, [(expected, 2 * PAIRS)], "{file}: {:?}", score.first_faults.a);
    assert_eq!((score.wins.a, score.wins.b, score.draws), (0, 2 * PAIRS, 0), "{file}");
    assert!(score.faults.b.is_empty(), "{file}");
}

#[test]
fn a_crash_at_start() {
    fails("crash_at_start.py", PATIENT, FaultKind::Crash);
}

#[test]
fn a_crash_mid_game() {
    fails("crash_mid_game.py", PATIENT, FaultKind::Crash);
}

#[test]
fn no_answer() {
    fails("never_answers.py", IMPATIENT, FaultKind::ShotTimeout);
}

#[test]
fn a_late_answer() {
    fails("answers_late.py", IMPATIENT, FaultKind::ShotTimeout);
}

#[test]
fn a_program_that_never_starts() {
    let impatient = TimeLimits { start: IMPATIENT, ..TimeLimits::default() };
    let score = score(broken("never_starts.py", &[]), impatient);
    assert_eq!(score.faults.a.get(&FaultKind::StartTimeout), Some(&(2 * PAIRS)), "{:?}", score.first_faults.a);
}

#[test]
fn a_flood_without_newline() {
    fails("floods_without_newline.py", PATIENT, FaultKind::LongLine);
}

#[test]
fn a_flood_of_lines() {
    fails("floods_lines.py", PATIENT, FaultKind::Flood);
}

#[test]
fn garbage() {
    fails("prints_garbage.py", PATIENT, FaultKind::Garbage);
}

#[test]
fn lines_without_a_question() {
    fails("speaks_unasked.py", PATIENT, FaultKind::Garbage);
}

#[test]
fn giving_up() {
    fails("gives_up.py", PATIENT, FaultKind::GaveUp);
}

#[test]
fn an_illegal_fleet() {
    fails("illegal_fleet.py", PATIENT, FaultKind::IllegalFleet);
}

#[test]
fn a_repeated_shot() {
    fails("repeated_shot.py", PATIENT, FaultKind::IllegalShot);
}

#[test]
fn a_shot_outside() {
    fails("shot_outside.py", PATIENT, FaultKind::IllegalShot);
}

#[test]
fn output_closed_while_it_lives_on() {
    fails("closes_stdout.py", PATIENT, FaultKind::Crash);
}

#[test]
fn a_program_that_cannot_be_started_loses() {
    let command = BotCommand::new(vec!["./no-such-program".to_owned()], ResourceLimits::default(), Access::Everything);
    let score = score(command, limits(PATIENT));
    assert_eq!(score.faults.a.get(&FaultKind::Crash), Some(&(2 * PAIRS)));
}

#[test]
fn a_bot_that_ignores_quit_is_killed_and_keeps_its_points() {
    let score = score(broken("ignores_quit.py", &[]), limits(PATIENT));
    assert!(score.faults.a.is_empty(), "{:?}", score.first_faults.a);
    assert_eq!(score.games(), 2 * PAIRS);
}

#[test]
fn children_are_not_left_behind() {
    let file = std::env::temp_dir().join(format!("seabattle-children-{}", std::process::id()));
    let score = score(broken("leaves_children.py", &[&file.to_string_lossy()]), limits(PATIENT));
    assert!(score.faults.a.is_empty(), "{:?}", score.first_faults.a);
    let pids = fs::read_to_string(&file).unwrap();
    fs::remove_file(&file).unwrap();
    assert!(pids.split_whitespace().count() >= 2, "{pids}");
    for pid in pids.split_whitespace() {
        assert!(!runs(pid), "{pid} is left behind");
    }
}

/// Whether a process of this number is there and is no corpse.
pub(crate) fn runs(pid: &str) -> bool {
    let stat = fs::read_to_string(PathBuf::from("/proc").join(pid).join("stat")).unwrap_or_default();
    let state = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next());
    state.is_some_and(|state| state != "Z")
}

#[test]
fn a_check_names_the_step_that_failed_and_what_was_said() {
    let steps = |file: &str, shot: Duration| {
        let mut passed = Vec::new();
        let checked =
            check(CheckSuite::Protocol, broken(file, &[]), limits(shot), &built_in("random"), &mut |step, _| {
                passed.push(step);
            });
        (passed.len(), checked)
    };
    let (_, checked) = steps("repeated_shot.py", PATIENT);
    let failure = checked.unwrap_err();
    assert_eq!(failure.step, "a whole game");
    assert!(failure.fault.contains("has been shot at before"), "{}", failure.fault);
    assert!(failure.transcript.iter().any(|line| line.starts_with("< shots ")), "{:?}", failure.transcript);
    let (_, checked) = steps("ignores_quit.py", PATIENT);
    assert_eq!(checked.unwrap_err().step, "quit");
    let (passed, checked) = steps("crash_at_start.py", PATIENT);
    assert_eq!((passed, checked.unwrap_err().step), (0, "start and greeting"));
}

#[test]
fn the_sound_part_of_the_broken_programs_is_sound() {
    let checked =
        check(CheckSuite::Protocol, broken("sound.py", &[]), limits(PATIENT), &built_in("random"), &mut |_, _| {});
    assert_eq!(checked, Ok(()));
}

#[test]
fn threads_and_series_at_once_change_nothing() {
    let score = |threads: usize, at_once: u64| {
        let planned = Match {
            settings: PairSettings { rules: Rules::classic(), seed: 5, reveal: true, learn: false },
            pairs: 100,
            series: NonZero::new(7).unwrap(),
            sprt: Some("0,50".parse().unwrap()),
            give_up: None,
        };
        let (a, b) = (built_in("star"), built_in("quadrant"));
        let mut order = Vec::new();
        let threads = NonZero::new(threads).unwrap();
        let stop = AtomicBool::new(false);
        let play = |pairs| planned.play(BySide { a: &a, b: &b }, pairs, None, &|_| {});
        let executor = ThreadExecutor { count: threads, play };
        let score = planned.run(&executor, NonZero::new(at_once).unwrap(), &stop, |number, pair, _| {
            order.push((number, pair.to_vec()));
            ControlFlow::Continue(())
        });
        (score.unwrap(), order)
    };
    assert_eq!(score(1, 1), score(4, 1));
    assert_eq!(score(1, 1), score(2, 3));
}

#[test]
fn the_sandbox_hides_files_and_network() {
    let secret = std::env::current_dir().unwrap().join("Cargo.toml");
    let program = format!(
        "import os, socket, sys\n\
         input()\n\
         sees = os.path.exists({:?}) or len(socket.if_nameindex()) > 1\n\
         print('name', 'sees too much' if sees else 'sees nothing')\n\
         print('ready', flush=True)\n\
         input()",
        secret.to_string_lossy()
    );
    let words = ["python3", "-c", &program].map(str::to_owned).to_vec();
    let mut foreign =
        ExternalPlayer::new(BotCommand::new(words, ResourceLimits::default(), Access::own_files()), limits(PATIENT));
    foreign.greet().unwrap();
    assert_eq!(foreign.name(), Some("sees nothing"));
}

#[test]
fn a_bot_in_the_sandbox_plays_and_leaves_nothing_behind() {
    let locked = BotCommand { access: Access::own_files(), ..broken("sound.py", &[]) };
    assert_eq!(check(CheckSuite::Protocol, locked, limits(PATIENT), &built_in("random"), &mut |_, _| {}), Ok(()));
}

#[test]
fn a_timeout_names_the_limit_and_its_option() {
    let late = |file: &str, limits: TimeLimits| score(broken(file, &[]), limits).first_faults.a.unwrap();
    let shot = late("never_answers.py", limits(IMPATIENT));
    assert!(shot.starts_with("shot-timeout: did not answer within 100 ms (--time-shot)"), "{shot}");
    let start = late("never_starts.py", TimeLimits { start: IMPATIENT, ..TimeLimits::default() });
    assert!(start.starts_with("start-timeout: did not answer within 100 ms (--time-start)"), "{start}");
    let game = late("never_answers.py", TimeLimits { game: IMPATIENT, ..limits(PATIENT) });
    let expected = "game-timeout: all shots of the game together took more than 100 ms (--time-game)";
    assert!(game.starts_with(expected), "{game}");
    let contest = TimeLimits { source: LimitSource::Contest, ..limits(IMPATIENT) };
    let contest = late("never_answers.py", contest);
    assert!(contest.contains("100 ms (a limit of the contest)"), "{contest}");
}

/// Says this to its log, then what nobody understands.
fn logs(text: &str, log: Option<BotLog>) -> BotCommand {
    let program = format!(
        "import sys\nsys.stderr.write({text:?})\nsys.stderr.flush()\nprint('what?', flush=True)\ninput()\ninput()\n"
    );
    let words = ["python3", "-c", &program].map(str::to_owned).to_vec();
    BotCommand { log, ..BotCommand::new(words, ResourceLimits::default(), Access::Everything) }
}

#[test]
fn the_first_and_the_last_lines_of_a_log_come_with_every_fault() {
    let text: String = (1..=14).map(|number| format!("line {number}\n")).collect();
    let fault = ExternalPlayer::new(logs(&text, None), limits(PATIENT)).greet();
    let message = fault.unwrap_err().to_string();
    assert!(message.starts_with("garbage: "), "{message}");
    let lines = |numbers: RangeInclusive<u32>| numbers.map(|number| format!("line {number}")).collect::<Vec<_>>();
    let log = [lines(1..=6), vec!["…".to_owned()], lines(10..=14)].concat();
    assert!(message.ends_with(&format!("; its log: {}", log.join(" | "))), "{message}");
}

#[test]
fn an_illegal_shot_ends_the_process() {
    let path = std::env::temp_dir().join(format!("seabattle-illegal-shot-{}", std::process::id()));
    let command = BotCommand { log: BotLog::create(&path).ok(), ..broken("repeated_shot.py", &[]) };
    let message = score(command, limits(PATIENT)).first_faults.a.unwrap();
    let log_text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(message.starts_with("illegal-shot: ") && message.ends_with("; its log: game 1"), "{message}");
    assert_eq!(log_text, "1| game 1\n2| game 1\n3| game 1\n4| game 1\n", "a new process for every game");
}

#[test]
fn a_log_file_has_the_whole_log() {
    let path = std::env::temp_dir().join(format!("seabattle-kept-log-{}", std::process::id()));
    let log = BotLog::create(&path).unwrap();
    for _ in 0..2 {
        let command = logs("one\ntwo", Some(log.clone()));
        assert!(ExternalPlayer::new(command, limits(PATIENT)).greet().is_err());
    }
    let log_text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert_eq!(log_text, "1| one\n1| two\n2| one\n2| two\n");
}

#[test]
fn a_program_that_fails_in_the_sandbox_gets_a_hint() {
    let message = |locked: bool| {
        let command = BotCommand {
            access: if locked { Access::own_files() } else { Access::Everything },
            ..broken("crash_at_start.py", &[])
        };
        ExternalPlayer::new(command, limits(PATIENT)).greet().unwrap_err().to_string()
    };
    assert!(message(true).contains("try --see DIR if it needs other files"), "{}", message(true));
    assert!(!message(false).contains("--no-sandbox"), "{}", message(false));
}

#[test]
fn a_program_without_the_right_to_execute_gets_a_hint() {
    let words = vec![env!("CARGO_MANIFEST_DIR").to_owned() + "/tests/broken/sound.py"];
    let command = BotCommand::new(words, ResourceLimits::default(), Access::own_files());
    let message = ExternalPlayer::new(command, limits(PATIENT)).greet().unwrap_err().to_string();
    assert!(message.contains("; make it executable (chmod +x), or put before it what runs it"), "{message}");
    assert!(message.contains("Permission denied"), "{message}");
}

#[test]
fn another_version_ends_in_giving_up() {
    let program = "input()\nprint('error version 2 alone', flush=True)\ninput()";
    let words = ["python3", "-c", program].map(str::to_owned).to_vec();
    let command = BotCommand::new(words, ResourceLimits::default(), Access::Everything);
    let fault = ExternalPlayer::new(command, limits(PATIENT)).greet().unwrap_err();
    assert_eq!((fault.kind, fault.detail.as_str()), (FaultKind::GaveUp, "version 2 alone"));
}

#[test]
fn a_known_command_that_cannot_be_read_is_bad_input_too() {
    let command = broken("crash_on_bad_number.py", &[]);
    let failure =
        check(CheckSuite::Protocol, command, limits(PATIENT), &built_in("random"), &mut |_, _| {}).unwrap_err();
    assert_eq!(failure.step, "bad input");
    assert!(failure.fault.starts_with("after \"shoot x\": crash: "), "{}", failure.fault);
    assert!(failure.log.iter().any(|line| line.starts_with("ValueError")), "{:?}", failure.log);
}

#[test]
fn the_score_has_the_names_that_bots_give_themselves() {
    let program = env!("CARGO_MANIFEST_DIR").to_owned() + "/../../bots/python/bot.py";
    let command = BotCommand::new(vec!["python3".to_owned(), program], ResourceLimits::default(), Access::Everything);
    let score = score(command, limits(PATIENT));
    assert_eq!(score.names, BySide { a: Some("Python example".to_owned()), b: None });
}
