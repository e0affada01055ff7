//! Tests of saved games, layouts, settings and records.

use std::fs;

use super::{Session, TempHome, board_of, options, play_by_hints};
use crate::screen::storage::{ParsedRecords, read_text};
use crate::screen::{Headless, Start};

#[test]
fn an_unfinished_game_is_resumed() {
    let home = TempHome::new("left");
    let mut first = Session::new(&home, "classic", "champion", Start::Game);
    first.press("x<enter>").until("Your shot 1");
    for number in 2..6 {
        first.press("<enter>").until(&format!("Your shot {number}")).press("l");
    }
    let board = board_of(&first.screen(80, 24));
    drop(first);
    let mut again = Session::new(&home, "russian", "sailor", Start::Menu);
    again.until("your game against Champion").press("<enter>").until("Your shot 5");
    let cursor_away = |rows: Vec<String>| rows.concat().replace(['[', ']'], " ");
    assert_eq!(cursor_away(board_of(&again.screen(80, 24))), cursor_away(board));
}

#[test]
fn an_unfinished_game_is_not_given_up_by_mistake() {
    let home = TempHome::new("mistake");
    Session::new(&home, "classic", "sailor", Start::Game).press("x<enter>").until("Your shot 1");
    let mut again = Session::new(&home, "classic", "sailor", Start::Game);
    again.until("You have an unfinished game").press("y").until("Your shot 1");
    drop(again);
    let mut menu = Session::new(&home, "classic", "sailor", Start::Menu);
    menu.press("j<enter>").until("Give up your unfinished game").press("n").until("Continue");
    menu.press("<enter>y").until("Place your fleet").press("<esc>");
    assert!(!menu.screen(80, 24).contains("Continue"));
}

#[test]
fn a_corrupt_game_is_not_offered() {
    let home = TempHome::new("corrupt");
    let folder = home.0.join("state/seabattle");
    fs::create_dir_all(&folder).unwrap();
    for text in ["", "rules = 3", "rules = \"nonsense\"\nbot = \"sailor\"\nseed = 1\nfirst = \"me\"", "\0\0\0"] {
        fs::write(folder.join("game.toml"), text).unwrap();
        let mut menu = Session::new(&home, "classic", "sailor", Start::Menu);
        assert!(!menu.screen(80, 24).contains("Continue"), "{text:?}");
    }
}

#[test]
fn an_incomplete_fleet_is_saved() {
    let home = TempHome::new("making");
    Session::new(&home, "classic", "captain", Start::Game).press("<enter>j<enter>");
    let mut again = Session::new(&home, "classic", "captain", Start::Menu);
    again.until("placing ships").press("<enter>");
    assert_eq!(again.screen(80, 24).matches("  placed").count(), 2);
}

#[test]
fn finished_games_are_saved_and_reviewed() {
    let home = TempHome::new("records");
    let mut session = Session::new(&home, "4x4:2,1", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    play_by_hints(&mut session);
    session.until_gone("calculating").assert_snapshots("finish");
    session.press("<esc>jjjj<enter>").until("You against Recruit").press("<enter>").until("Volley 0 of");
    session.until("skill").press("<right>").assert_snapshots("replay");
}

#[test]
fn a_read_only_home_is_reported_once_and_tolerated() {
    let home = TempHome::new("readonly");
    fs::write(&home.0, "a file, not a folder").unwrap();
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("<enter>");
    assert!(session.screen(80, 24).contains("Cannot save to"), "{}", session.screen(80, 24));
    session.press("x<enter>").until("Your shot 1");
    assert!(!session.screen(80, 24).contains("Cannot save to"));
    session.press("<enter>").until("Your shot 2");
    session.press("q").until("Quit? Your game cannot be saved.").press("n?").until("your game cannot be saved");
    assert!(!session.screen(80, 24).contains("your game is saved"), "{}", session.screen(80, 24));
    session.press("<esc><esc>").until("Leave this game? It cannot be saved.").press("n").until("Your shot 2");
    session.press("<esc>y").until("Opponent");
    fs::remove_file(&home.0).unwrap();
}

#[test]
fn rules_and_opponent_of_the_last_game_are_those_of_the_next() {
    let home = TempHome::new("last");
    Session::new(&home, "russian", "admiral", Start::Game).press("x");
    let screen = Headless::new(options(&home)).text(80, 24);
    assert!(screen.contains("Rules      russian") && screen.contains("Opponent   Admiral"), "{screen}");
}

#[test]
fn a_loaded_layout_is_saved() {
    let home = TempHome::new("loaded");
    let mut session = Session::new(&home, "6x6:3,2", "captain", Start::Game);
    session.press("xSharbour<enter>cL<enter>");
    let placed = board_of(&session.screen(80, 24));
    drop(session);
    let mut again = Session::new(&home, "6x6:3,2", "captain", Start::Menu);
    again.until("placing ships").press("<enter>");
    assert_eq!(board_of(&again.screen(80, 24)), placed);
}

#[test]
fn an_empty_board_is_not_an_unfinished_game() {
    let home = TempHome::new("empty");
    Session::new(&home, "6x6:3,2", "captain", Start::Game).press("<enter>rc");
    assert!(!Session::new(&home, "6x6:3,2", "captain", Start::Menu).screen(80, 24).contains("Continue"));
}

#[test]
fn a_salvo_that_was_not_fired_is_saved() {
    let home = TempHome::new("aimed");
    Session::new(&home, "6x6:3,2,turn=salvo", "captain", Start::Game)
        .press("x<enter>")
        .until("Your salvo: 0 of 2")
        .press("<enter>");
    let mut again = Session::new(&home, "classic", "captain", Start::Menu);
    again.press("<enter>").until("Your salvo: 1 of 2").press("lf");
    assert!(again.screen(80, 24).contains("You have aimed 1 of 2"));
}

#[test]
fn two_programs_at_once_have_separate_games() {
    let home = TempHome::new("two");
    let mut first = Session::new(&home, "classic", "captain", Start::Game);
    first.press("x<enter>").until("Your shot 1");
    let mut second = Session::new(&home, "russian", "sailor", Start::Menu);
    assert!(!second.screen(80, 24).contains("Continue"));
    second.press("<enter>x<enter>").until("Your shot 1");
    drop((first, second));
    let mut again = Session::new(&home, "classic", "sailor", Start::Menu);
    again.until("your game against Captain");
    let mut beside = Session::new(&home, "classic", "sailor", Start::Menu);
    beside.until("your game against Sailor");
}

#[test]
fn every_new_game_has_a_new_seed() {
    let home = TempHome::new("fresh");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("nyx<enter>").until("seed 8").until("Your shot 1");
    session.press("<esc>j<enter>yx<enter>").until("seed 9");
}

#[test]
fn a_bot_that_has_learned_shows_no_seed() {
    let home = TempHome::new("met");
    let mut session = Session::new(&home, "4x4:2,1", "champion", Start::Game);
    session.press("x<enter>").until("seed 7").until("Your shot 1");
    play_by_hints(&mut session);
    session.press("nx<enter>").until("Your shot 1");
    assert!(!session.screen(80, 24).contains("seed"), "{}", session.screen(80, 24));
}

#[test]
fn the_newest_games_of_a_long_file_are_listed() {
    let home = TempHome::new("long");
    let mut session = Session::new(&home, "4x4:2,1", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    play_by_hints(&mut session);
    let path = home.0.join("data/seabattle/games.txt");
    let record = fs::read_to_string(&path).unwrap();
    let old = record.replace("\"you\"", "\"old\"");
    fs::write(&path, format!("{}\n{record}", [old.as_str()].repeat((10 << 20) / old.len()).join("\n"))).unwrap();
    session.press("<esc>jjjj<enter>").until("You against Recruit").until("old against Recruit");
}

#[test]
fn a_damaged_record_does_not_hide_the_others() {
    let home = TempHome::new("damaged");
    let mut session = Session::new(&home, "4x4:2,1", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    play_by_hints(&mut session);
    let record = fs::read_to_string(home.0.join("data/seabattle/games.txt")).unwrap();
    let file = home.0.join("some.txt");
    fs::write(&file, format!("{record}\n[Seabattle \"1\"]\n[Rules \"nonsense\"]\n\n{record}")).unwrap();
    session.press("<esc>jjjj<enter><end><enter>").press(&format!("{}<enter>", file.display()));
    session.until("Some records cannot be read").until("You against Recruit");
    assert_eq!(ParsedRecords::parse(&fs::read_to_string(&file).unwrap()).records.len(), 2);
}

#[test]
fn a_wrong_file_name_can_be_corrected() {
    let home = TempHome::new("mend");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    session.press("<end><up><up><enter><enter>").press("/no/such/file<enter>");
    session.until("/no/such/file: ").until("File: /no/such/file_");
}

#[test]
fn devices_are_refused_as_record_files() {
    assert_eq!(read_text("/dev/zero".as_ref()).unwrap_err().to_string(), "not a file");
}
