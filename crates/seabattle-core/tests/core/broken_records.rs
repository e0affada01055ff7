//! Records with one error each: the error names the line and the reason.

use seabattle_core::Record;

use crate::support::rules;

const GOOD: &str = r#"[Seabattle "1"]
[Rules "3x2:2,1"]
[A "anna"]
[B "boris"]
[Seed "7"]
[First "A"]
[Result "B"]
[Ended "sunk"]
[FleetA "2 A1 across, 1 C2 across"]
[FleetB "2 A2 across, 1 C1 across"]

1. A A1. B A1x
2. A A2x B B1#2
3. A B1. B C2#1
"#;

/// The good record with one part replaced.
fn changed(from: &str, to: &str) -> String {
    assert_eq!(GOOD.matches(from).count(), 1, "{from} stands once in the good record");
    GOOD.replace(from, to)
}

fn check_text(text: &str, line: usize, reason: &str) {
    let error = text.parse::<Record>().expect_err(text);
    assert_eq!(error.line, line, "{error}\n{text}");
    assert!(error.to_string().contains(reason), "{error}\n{text}");
}

fn check(from: &str, to: &str, line: usize, reason: &str) {
    check_text(&changed(from, to), line, reason);
}

#[test]
fn the_good_record_is_good() {
    let record: Record = GOOD.parse().unwrap();
    assert_eq!(record.to_string(), GOOD);
    assert!(record.replay().is_some());
}

#[test]
fn bad_tags_are_reported_with_their_line() {
    check_text("", 1, "a record starts with [Seabattle \"1\"]");
    check_text("\n\n1. A A1.", 1, "a record starts with");
    check("[Seabattle \"1\"]", "[Seabattle \"2\"]", 1, "version \"2\" is unknown");
    check("[Seabattle \"1\"]", "[Seebattle \"1\"]", 1, "a record starts with");
    check("[Seabattle \"1\"]\n", "", 1, "a record starts with");
    check("[Rules \"3x2:2,1\"]", "[Rules \"3x2:4\"]", 2, "ship 4 has 4 cells");
    check("[Rules \"3x2:2,1\"]", "[Rules \"nonsense\"]", 2, "unknown rules");
    check("[Seed \"7\"]", "[Seed 7]", 5, "a tag is written");
    check("[Seed \"7\"]", "[Seed \"7\"", 5, "a tag is written");
    check("[Seed \"7\"]", "[See-d \"7\"]", 5, "a tag is written");
    check("[Seed \"7\"]", "[Site \"a \" b\"]", 5, "a tag is written");
    check("[Seed \"7\"]", "[Site \"a \\n b\"]", 5, "a tag is written");
    check("[Seed \"7\"]", "[Seed \"-7\"]", 5, "Seed is a whole number");
    check("[Seed \"7\"]", "[Seed \"18446744073709551616\"]", 5, "Seed is a whole number");
    check("[First \"A\"]", "[First \"C\"]", 6, "First is A or B");
    check("[Result \"B\"]", "[Result \"C\"]", 7, "Result is A, B, draw or *");
    check("[Ended \"sunk\"]", "[Ended \"badly\"]", 8, "Ended is sunk, resigned");
    check("[Ended \"sunk\"]", "[Ended \"abandoned\"]", 8, "Result and Ended contradict each other");
    check("[Result \"B\"]", "[Result \"*\"]", 8, "Result and Ended contradict each other");
    check("[Seed \"7\"]", "[Seed \"7\"]\n[Seed \"7\"]", 6, "the tag Seed occurs twice");
    check("[Seed \"7\"]", "[Site \"x\"]\n[Site \"y\"]", 6, "the tag Site occurs twice");
    let many: String = (1..=101).map(|number| format!("[T{number} \"x\"]\n")).collect();
    check("[Seed \"7\"]\n", &many, 105, "more than 100 tags");
    check("[Seed \"7\"]", &format!("[Site \"{}\"]", "x".repeat(1 << 16)), 5, "bytes of them");
}

#[test]
fn a_missing_tag_is_reported_at_the_start() {
    for (line, name) in
        [("[Rules \"3x2:2,1\"]\n", "Rules"), ("[First \"A\"]\n", "First"), ("[Result \"B\"]\n", "Result")]
    {
        check(line, "", 1, &format!("the tag [{name} \"…\"] is missing"));
    }
    check("[Ended \"sunk\"]\n", "", 1, "the tag [Ended \"…\"] is missing");
}

#[test]
fn bad_fleets_are_reported_with_their_line() {
    check("1 C2 across", "1 B1 across", 9, "fleet of A: 1: B1 is taken by the 2");
    check("2 A2 across", "2 C2 across", 10, "fleet of B: 2: D2 is outside the 3x2 board");
    check("2 A1 across, ", "", 9, "fleet of A: 2: 1 not placed");
    check("2 A1 across", "7 A1 across", 9, "fleet of A: there is no ship \"7\"");
    check("2 A1 across", "2 A1 sideways", 9, "is not a direction");
}

#[test]
fn bad_shots_are_reported_with_their_line() {
    check("B A1x", "B A1.", 12, "the answer at A1 should be A1x");
    check("A A2x", "A A2.", 13, "the answer at A2 should be A2x");
    check("B1#2", "B1#", 13, "the answer at B1 should be B1#2");
    check("B1#2", "B1x", 13, "the answer at B1 should be B1#2");
    check("B1#2", "B1#9", 13, "\"B1#9\" names no ship");
    check("A A2x", "A A1.", 13, "A1 has been shot at before");
    check("A A2x", "A A1x", 13, "A1 has been shot at before");
    check("3. A B1.", "3. A D1.", 14, "D1 is outside the 3x2 board");
    check("3. A B1.", "3. A B1", 14, "\"B1\": after the cell write");
    check("3. A B1.", "3. A hello", 14, "\"hello\" does not start with a cell");
}

#[test]
fn a_bad_order_of_play_is_reported_with_its_line() {
    check("1. A A1.", "hello 1. A A1.", 12, "\"hello\" is out of place");
    check("1. A A1.", "A A1.", 12, "\"A\" is out of place");
    check("2. A A2x", "A A2x", 13, "it is not A's turn");
    check("2. A A2x", "3. A A2x", 13, "round 2 was expected here, not 3");
    check("3. A B1.", "03. A B1.", 14, "round 3 was expected here, not 03");
    check("1. A A1. B A1x", "1. B A1x A A1.", 12, "it is not B's turn");
    check("2. A A2x B", "2. B", 13, "it is not B's turn");
    check("2. A A2x B B1#2", "2. A A2x A B1.", 13, "it is not A's turn");
    check("A A1. B A1x", "A A1. C1#1 B A1x", 12, "shots in this turn is 1, not 2");
    check("C2#1\n", "C2#1\n4. A B2#2\n", 15, "the game was over before this shot");
    check("C2#1\n", "C2#1\n[Late \"tag\"]\n", 15, "\"[Late\"");
}

#[test]
fn an_end_that_contradicts_the_shots_is_reported_at_the_end() {
    check("[Result \"B\"]", "[Result \"A\"]", 14, "the shots end with Result \"B\" and Ended \"sunk\"");
    check("[Result \"B\"]", "[Result \"draw\"]", 14, "the shots end with Result \"B\"");
    check("[Ended \"sunk\"]", "[Ended \"resigned\"]", 14, "the shots end with Result \"B\"");
    check("[Result \"B\"]\n[Ended \"sunk\"]", "[Result \"*\"]", 13, "the shots end with Result \"B\"");
    check("3. A B1. B C2#1\n", "", 13, "and no fleet sunk");
}

#[test]
fn without_fleets_the_shots_must_still_make_a_game() {
    let hidden = |from: &str, to: &str| {
        let lines = changed(from, to);
        lines.lines().filter(|line| !line.starts_with("[Fleet")).collect::<Vec<_>>().join("\n")
    };
    assert!(hidden("[Seed \"7\"]\n", "").parse::<Record>().is_ok());
    check_text(&hidden("C2#1", "C2#"), 12, "the ship that sinks is named");
    check_text(&hidden("B1#2", "B1#1"), 12, "no 1 is afloat any more");
    check_text(&hidden("C2#1", "C2#2"), 12, "no 2 is afloat any more");
    check_text(&hidden("A A2x", "A A1."), 11, "A1 has been shot at before");
    check_text(&hidden("2. A A2x B", "2. B"), 11, "it is not B's turn");
}

#[test]
fn a_turn_without_a_shot_is_reported_with_its_line() {
    check("A A2x", "A", 13, "shots in this turn is 1, not 0");
}

#[test]
fn salvos_need_the_right_number_of_shots() {
    let salvo = changed("[Rules \"3x2:2,1\"]", "[Rules \"3x2:2,1,turn=salvo\"]");
    check_text(&salvo, 12, "shots in this turn is 2, not 1");
    assert_eq!(rules("3x2:2,1,turn=salvo").ship_count(), 2);
}

#[test]
fn in_a_file_of_records_lines_count_from_its_start() {
    let broken = changed("A A2x", "A A2.");
    let file = format!("\n{GOOD}\n\n{broken}{GOOD}[Seabattle \"1\"]\n{GOOD}");
    let lines: Vec<Option<usize>> =
        Record::parse_all(&file).map(|record| record.err().map(|error| error.line)).collect();
    assert_eq!(lines, [None, Some(17 + 13), None, Some(17 + 14 + 14 + 1), None]);
    assert_eq!(Record::parse_all("\n \n").count(), 0);
    let garbage: Vec<_> =
        Record::parse_all("hello\n[Seabattle \"9\"]").map(|record| record.unwrap_err().line).collect();
    assert_eq!(garbage, [1, 2]);
}

#[test]
fn bytes_that_are_no_text_are_reported_with_their_line() {
    let mut bytes = GOOD.as_bytes().to_vec();
    let at = GOOD.find("boris").unwrap();
    bytes[at] = 0xff;
    let error = Record::from_bytes(&bytes).unwrap_err();
    assert_eq!((error.line, error.to_string()), (4, "line 4: not UTF-8 text".to_owned()));
}

#[test]
fn a_text_longer_than_any_game_is_refused() {
    let limit = 1 << 20;
    let comment = |length: usize| format!("{GOOD};{}", "x".repeat(length - GOOD.len() - 1));
    assert!(comment(limit).parse::<Record>().is_ok());
    check_text(&comment(limit + 1), 1, "longer than the record of any game");
    let many = GOOD.repeat(limit / GOOD.len() + 1);
    assert!(Record::parse_all(&many).all(|record| record.is_ok()), "a file may be longer");
}

#[test]
fn a_megabyte_of_nonsense_is_refused() {
    let tags = "[Seabattle \"1\"]\n[Rules \"50x50:1\"]\n[First \"A\"]\n[Result \"*\"]\n";
    for (line, reason) in
        [("A ", "out of place"), ("[", "a tag is written"), ("1.\n", "out of place"), ("\"", "out of place")]
    {
        let text = format!("{tags}{}", line.repeat(1_000_000 / line.len()));
        let error = text.parse::<Record>().unwrap_err().to_string();
        assert!(error.contains(reason) && error.len() < 300, "{line:?}: {error}");
    }
}

#[test]
fn a_file_that_ends_in_blanks_is_read_in_one_go() {
    let file = "[Seabattle \n".repeat(10_000) + &" ".repeat(300_000);
    let start = std::time::Instant::now();
    assert_eq!(Record::parse_all(&file).count(), 10_000);
    assert!(start.elapsed().as_secs() < 2, "{:?} for {} bytes", start.elapsed(), file.len());
}

/// Checks that a record that can be read can be read again once it is printed.
fn check_reads_back(text: &str) {
    if let Ok(record) = text.parse::<Record>() {
        let again = record.to_string().parse();
        assert!(again == Ok(record), "{:?} of {}", again.err(), &text[..text.len().min(300)]);
    }
}

const AGAIN: &str = "[Seabattle \"1\"]\n[Rules \"3x2:2,1,turn=again\"]\n[First \"A\"]\n[Result \"*\"]\n";

#[test]
fn one_turn_over_two_rounds_is_refused_or_reads_back() {
    check_reads_back(&format!("{AGAIN}1. A A1x\n2. A A2.\n"));
    check_reads_back(&format!("{AGAIN}1. A A1. B A1x\n2. B A2.\n"));
    check_reads_back(&format!("{AGAIN}1. A A1.\n2. B A2.\n"));
    check_reads_back(&format!("{AGAIN}1.\n2. A A1.\n"));
}

#[test]
fn a_round_has_the_turn_of_the_side_that_began_and_then_of_the_other() {
    for rounds in ["1. A A1.\n2. B A2.", "1.\n2. A A1.", "1. A A1. B A2.\n2.", "1. A A1x\n2. A A2.", "1. A A1x A A2."] {
        let read = format!("{AGAIN}{rounds}\n").parse::<Record>();
        assert!(read.is_err(), "{rounds:?} is no list of rounds");
    }
}

#[test]
fn a_record_of_as_many_tags_as_allowed_reads_back() {
    let many: String = (1..=96).map(|number| format!("[T{number} \"x\"]\n")).collect();
    check_reads_back(&format!("{AGAIN}{many}"));
}

#[test]
fn a_record_as_long_as_allowed_reads_back() {
    let rest = (1 << 20) - AGAIN.len() - "[Site \"\"]\n".len();
    let text = format!("{AGAIN}[Site \"{}\"]\n", "x".repeat(rest));
    assert_eq!(text.len(), 1 << 20);
    check_reads_back(&text);
}
