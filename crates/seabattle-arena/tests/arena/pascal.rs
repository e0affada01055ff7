//! Units of the contest in Free Pascal: sound ones play, broken ones end in their named faults.

use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use seabattle_arena::{
    Access, BotCommand, CompileError, CompileLimits, Contestant, ContestantKind, FaultKind, ResourceLimits, TimeLimits,
    compile_contest_unit,
};
use seabattle_core::Rules;

use crate::contest::{PATIENT, contest, fixture, play, points_of, strict};

const LIMITS: CompileLimits = CompileLimits {
    time: Duration::from_secs(60),
    resources: ResourceLimits { memory: 1 << 30, processes: 64, cpu: Duration::from_secs(240) },
    access: Access::Everything,
};
const GOOD: &str = include_str!("../contest/good.pas");

/// Without Free Pascal these tests fail, unless it is left out on purpose.
fn is_left_out() -> bool {
    let without = std::env::var("SEABATTLE_WITHOUT").unwrap_or_default();
    let is_left_out =
        without.split(' ').any(|package| package == "fp-compiler") && Command::new("fpc").arg("-iV").output().is_err();
    if is_left_out {
        eprintln!("left out without fp-compiler: units of the contest in Free Pascal");
    }
    is_left_out
}

/// A new folder whose name is hard to quote.
fn folder(test: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("pascal {test} 'бот'"));
    fs::remove_dir_all(&folder).ok();
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn compile(path: &Path, limits: CompileLimits) -> Result<BotCommand, CompileError> {
    compile_contest_unit(path.to_str().unwrap(), NonZero::new(4).unwrap(), limits)
}

fn compiled(test: &str, source: &str) -> Result<BotCommand, CompileError> {
    let path = folder(test).join("my bot.pas");
    fs::write(&path, source).unwrap();
    compile(&path, LIMITS)
}

fn contestant(command: BotCommand, limits: TimeLimits) -> Contestant {
    Contestant { name: "unit".to_owned(), kind: ContestantKind::External { command, limits } }
}

/// Plays against a sound module without a fault.
fn plays(test: &str, source: &str) {
    let command = compiled(test, source).unwrap_or_else(|error| panic!("{test}: {error}"));
    let limits = TimeLimits { shot: PATIENT, ..TimeLimits::default() };
    let (score, _) = play(&contestant(command, limits), &fixture("good.py", PATIENT), Rules::russian());
    assert!(score.faults.a.is_empty() && score.faults.b.is_empty(), "{test}: {:?}", score.first_faults);
}

/// Loses by this fault, in whose words this is said.
fn fails(mark: &str, code: &str, expected: FaultKind, said: &str) {
    let command = compiled(said, &GOOD.replace(mark, code)).unwrap_or_else(|error| panic!("{code}: {error}"));
    let shot = if expected == FaultKind::ShotTimeout { Duration::from_millis(200) } else { PATIENT };
    let limits = TimeLimits { shot, start: Duration::from_secs(2), ..TimeLimits::default() };
    let (score, _) = play(&contestant(command, limits), &fixture("good.py", PATIENT), Rules::russian());
    let faults: Vec<FaultKind> = score.faults.a.keys().copied().collect();
    let message = format!("{:?}", score.first_faults.a);
    assert!(faults == [expected] && message.contains(said), "{code}: {message}");
    assert!(score.faults.b.is_empty(), "{code}: {:?}", score.first_faults.b);
}

#[test]
fn a_unit_and_a_camel_case_module_play_a_contest_to_its_end() {
    if is_left_out() {
        return;
    }
    let limits = contest(PATIENT);
    let unit = contestant(compiled("contest", GOOD).unwrap(), limits);
    let (standings, sets) =
        points_of("pascal-contest", &[unit, strict("camel_case.py", limits), strict("good.py", limits)]);
    assert!(standings.iter().all(|(_, _, faults)| faults.is_empty()), "{standings:?}");
    assert!(sets >= 9, "{sets} sets of three games");
}

#[test]
fn units_are_read_as_they_were_written() {
    if is_left_out() {
        return;
    }
    plays("as-it-is", GOOD);
    plays("letters", &GOOD.replace("getMap()", "GETMAP").replace("unit Good", "UNIT My_Bot2"));
    let declared = "procedure onSetEnd();\nprocedure onGameEnd();\n\nimplementation";
    plays("some-functions", &GOOD.replace(declared, "implementation"));
    let arrays = "array[0..1] of Integer;\n  TRow = array[1..10] of Boolean;\n  TGrid = array[1..10] of TRow;";
    let fixed = GOOD
        .replace("TCoordinates = array of Integer;", &format!("TCoordinates = {arrays}"))
        .replace("getMap(): TMap", "getMap(): TGrid")
        .replace("SetLength(Result, 10, 10);", "")
        .replace("SetLength(Result, 2);", "")
        .replace(
            "Result[Row][Column] := Ord(Fleet[Row][Column + 1]) - Ord('0')",
            "Result[Row + 1][Column + 1] := Fleet[Row][Column + 1] = '1'",
        );
    plays("fixed-arrays", &fixed);
    let old = GOOD.replace("{$mode objfpc}{$H+}", "{ a { nested } comment }").replace("Result", "Drawn");
    let old =
        old.replace("var\n  Row, Column", "var\n  Drawn: TMap;\n  Row, Column").replace("{#map}", "getMap := Drawn;");
    let old = old
        .replace("shoot(): TCoordinates;\nbegin", "shoot(): TCoordinates;\nvar Drawn: TCoordinates;\nbegin")
        .replace("{#shot}", "shoot := Drawn;");
    plays("fpc-dialect", &old);
}

#[test]
fn hostile_units_end_in_named_faults() {
    if is_left_out() {
        return;
    }
    for (mark, code, expected, said) in [
        ("{#shot}", "while True do;", FaultKind::ShotTimeout, "did not answer within 200 ms"),
        ("{#last}", "initialization\n while True do;", FaultKind::StartTimeout, "did not answer within 2000 ms"),
        ("{#shot}", "PInteger(nil)^ := 1;", FaultKind::Crash, "Runtime error 216"),
        ("{#shot}", "PInteger(nil)^ := 1;", FaultKind::Crash, "line 69 of good.pas"),
        ("{#shot}", "Halt(0);", FaultKind::Crash, "the unit ended the process itself, with exit code 0"),
        ("{#last}", "initialization\n Halt(0);", FaultKind::Crash, "exit status: 0"),
        ("{#told}", "RunError(5);", FaultKind::Crash, "Runtime error 5"),
        ("{#shot}", "Result := nil;", FaultKind::IllegalShot, "outside"),
        ("{#shot}", "Result[0] := 10;", FaultKind::IllegalShot, "outside"),
        ("{#shot}", "Result[0] := -1;", FaultKind::IllegalShot, "outside"),
        ("{#shot}", "Result[0] := 0; Result[1] := 0;", FaultKind::IllegalShot, "shot at before"),
        ("{#map}", "Result[0][0] := 0;", FaultKind::IllegalFleet, ""),
        ("{#map}", "Result[9][9] := 2;", FaultKind::IllegalFleet, "no map"),
        ("{#map}", "Result := nil;", FaultKind::IllegalFleet, "no map"),
        ("{#map}", "SetLength(Result[3], 9);", FaultKind::IllegalFleet, "no map"),
    ] {
        fails(mark, code, expected, said);
    }
}

#[test]
fn a_unit_may_print_and_has_nothing_to_read() {
    if is_left_out() {
        return;
    }
    let code = "for Row := 1 to 5000 do WriteLn('fleet A1'); Row := 7; ReadLn(Row);";
    plays("prints", &GOOD.replace("{#map}", code));
}

#[test]
fn what_is_beside_a_unit_can_be_used_and_stays_as_it_is() {
    if is_left_out() {
        return;
    }
    let folder = folder("beside");
    let file = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    file("helper.pas", "unit helper; interface const Answer = 42; implementation end.");
    file("more.inc", "const More = 1;");
    file("bot.pas", &GOOD.replace("{#used}", "uses helper, SysUtils;\n{$I more.inc}"));
    let names = || {
        let mut names: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let before = names();
    let sandbox = Access::Sandbox { see: vec![folder.clone()] };
    for access in [Access::Everything, sandbox] {
        let command = compile(&folder.join("bot.pas"), CompileLimits { access, ..LIMITS }).unwrap();
        let program = PathBuf::from(&command.words[4]);
        assert!(program.is_file() && !program.starts_with(&folder), "{program:?}");
        let limits = TimeLimits { shot: PATIENT, ..TimeLimits::default() };
        let contestant = contestant(command, limits);
        let (score, _) = play(&contestant, &fixture("good.py", PATIENT), Rules::russian());
        assert!(score.faults.a.is_empty(), "{:?}", score.first_faults);
        drop(contestant);
        assert!(!program.exists(), "{program:?} goes with the last one who plays");
    }
    assert_eq!(names(), before);
}

#[test]
fn what_cannot_be_compiled_is_explained() {
    if is_left_out() {
        return;
    }
    let refused = |source: &str, expected: &str| {
        let error = compiled("refused", source).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    refused(&GOOD.replace("Inc(Shots);", "Inc(Shot);"), "my bot.pas does not compile:\nmy bot.pas(68,");
    refused(&GOOD.replace("Inc(Shots);", "Inc(Shot);"), "Identifier not found \"Shot\"");
    refused(
        &GOOD.replace("function shoot(): TCoordinates;\nprocedure shot", "procedure shot"),
        "my bot.pas has no function shoot in its interface",
    );
    refused(
        &GOOD.replace("function getMap(): TMap;\nfunction shoot", "function shoot"),
        "my bot.pas has no function getMap in its interface",
    );
    let two = GOOD.replace("onOpponentShot(cell: TCoordinates)", "onOpponentShot(row, column: Integer)");
    let two = two.replace("cell[0], ' ', cell[1]", "row, ' ', column");
    refused(&two, "the functions of my bot.pas take or return other types than the contest's (docs/protocol.md):\n");
    refused("program Bot; begin end.", "my bot.pas is not a Free Pascal unit: it must begin with `unit NAME;`");
    refused(&" ".repeat(5 << 20), "my bot.pas has more than 4 MiB");
    // The compiler waits for a source that never comes.
    let path = folder("timeout").join("bot.pas");
    fs::write(&path, GOOD.replace("{#used}", "{$I /dev/stdin}")).unwrap();
    let began = Instant::now();
    let error = compile(&path, CompileLimits { time: Duration::from_millis(500), ..LIMITS }).unwrap_err();
    assert!(error.to_string().contains("bot.pas is not compiled within 500 ms (--time-start)"), "{error}");
    assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
}
