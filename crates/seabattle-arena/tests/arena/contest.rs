//! Modules of the contest in matches: sound ones play and learn, broken ones end in their named faults.

use std::num::NonZero;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use seabattle_arena::{Contestant, FaultKind, Go, Kind, Match, Pairing, Score, TimeLimits, contest_module};
use seabattle_core::{BySide, Rules, Side};

const PAIRS: u64 = 2;
const PATIENT: Duration = Duration::from_secs(10);

fn contestant(path: &Path, shot: Duration) -> Contestant {
    let launch = contest_module(&path.to_string_lossy(), NonZero::new(2 * PAIRS).unwrap(), 1 << 30);
    let limits = TimeLimits { start: Duration::from_secs(30), shot, ..TimeLimits::default() };
    Contestant { name: path.to_string_lossy().into_owned(), kind: Kind::Foreign { launch, limits } }
}

fn fixture(file: &str, shot: Duration) -> Contestant {
    contestant(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contest").join(file), shot)
}

/// The score and the shots of the winner of each game.
fn play(a: &Contestant, b: &Contestant, rules: Rules) -> (Score, Vec<usize>) {
    let planned = Match {
        pairing: Pairing { rules, seed: 1, reveal: true, learn: false },
        pairs: PAIRS,
        series: NonZero::new(PAIRS).unwrap(),
        sprt: None,
    };
    let mut shots = Vec::new();
    let score = planned.run(BySide { a, b }, NonZero::<usize>::MIN, &AtomicBool::new(false), |_, pair, _| {
        let winners = pair.iter().filter_map(|played| Some((played.winner?, played.game.as_ref()?)));
        shots.extend(winners.map(|(winner, game)| game.knowledge(winner).shots().len()));
        Go::On
    });
    (score, shots)
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
    let told = format!("{:?}", score.first_faults.a);
    assert!(told.contains("RuntimeError: hit below the water line"), "{told}");
}

#[test]
fn leaving_in_the_middle_is_a_crash() {
    fails("leaves.py", PATIENT, FaultKind::Crash);
}

#[test]
fn a_module_that_lacks_a_function_is_told_so() {
    let score = fails("no_shoot.py", PATIENT, FaultKind::Crash);
    let told = format!("{:?}", score.first_faults.a);
    assert!(told.contains("has no function shoot"), "{told}");
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
