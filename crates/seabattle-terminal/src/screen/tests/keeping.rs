//! What outlives a sitting, and what does not spoil it.

use std::fs;

use super::{Home, Session, board_of, options, play_by_hints};
use crate::screen::storage::{ParsedRecords, read_text};
use crate::screen::{Headless, Start};

#[test]
fn a_game_that_was_left_goes_on() {
    let home = Home::new("left");
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
fn a_game_that_was_left_is_not_given_up_by_mistake() {
    let home = Home::new("mistake");
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
fn a_spoilt_game_is_not_offered() {
    let home = Home::new("spoilt");
    let folder = home.0.join("state/seabattle");
    fs::create_dir_all(&folder).unwrap();
    for text in ["", "rules = 3", "rules = \"nonsense\"\nbot = \"sailor\"\nseed = 1\nfirst = \"me\"", "\0\0\0"] {
        fs::write(folder.join("game.toml"), text).unwrap();
        let mut menu = Session::new(&home, "classic", "sailor", Start::Menu);
        assert!(!menu.screen(80, 24).contains("Continue"), "{text:?}");
    }
}

#[test]
fn a_fleet_in_the_making_is_kept() {
    let home = Home::new("making");
    Session::new(&home, "classic", "captain", Start::Game).press("<enter>j<enter>");
    let mut again = Session::new(&home, "classic", "captain", Start::Menu);
    again.until("placing ships").press("<enter>");
    assert_eq!(again.screen(80, 24).matches("  placed").count(), 2);
}

#[test]
fn finished_games_are_kept_and_shown_again() {
    let home = Home::new("records");
    let mut session = Session::new(&home, "4x4:2,1", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    play_by_hints(&mut session);
    session.until_gone("calculating").looks_like("finish");
    session.press("<esc>jjjj<enter>").until("You against Recruit").press("<enter>").until("Volley 0 of");
    session.until("skill").press("<right>").looks_like("replay");
}

#[test]
fn a_home_that_cannot_be_written_is_told_once_and_tolerated() {
    let home = Home::new("readonly");
    fs::write(&home.0, "a file, not a folder").unwrap();
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("<enter>");
    assert!(session.screen(80, 24).contains("Cannot save to"), "{}", session.screen(80, 24));
    session.press("x<enter>").until("Your shot 1");
    assert!(!session.screen(80, 24).contains("Cannot save to"));
    session.press("<enter>").until("Your shot 2");
    fs::remove_file(&home.0).unwrap();
}

#[test]
fn rules_and_opponent_of_the_last_game_are_those_of_the_next() {
    let home = Home::new("last");
    Session::new(&home, "russian", "admiral", Start::Game).press("x");
    let screen = Headless::new(options(&home)).text(80, 24);
    assert!(screen.contains("Rules      russian") && screen.contains("Opponent   Admiral"), "{screen}");
}

#[test]
fn a_loaded_layout_is_kept() {
    let home = Home::new("loaded");
    let mut session = Session::new(&home, "6x6:3,2", "captain", Start::Game);
    session.press("xSharbour<enter>cL<enter>");
    let placed = board_of(&session.screen(80, 24));
    drop(session);
    let mut again = Session::new(&home, "6x6:3,2", "captain", Start::Menu);
    again.until("placing ships").press("<enter>");
    assert_eq!(board_of(&again.screen(80, 24)), placed);
}

#[test]
fn an_empty_board_is_no_game_to_go_on_with() {
    let home = Home::new("empty");
    Session::new(&home, "6x6:3,2", "captain", Start::Game).press("<enter>rc");
    assert!(!Session::new(&home, "6x6:3,2", "captain", Start::Menu).screen(80, 24).contains("Continue"));
}

#[test]
fn shots_that_were_aimed_and_not_fired_are_kept() {
    let home = Home::new("aimed");
    Session::new(&home, "6x6:3,2,turn=salvo", "captain", Start::Game)
        .press("x<enter>")
        .until("Your salvo: 0 of 2")
        .press("<enter>");
    let mut again = Session::new(&home, "classic", "captain", Start::Menu);
    again.press("<enter>").until("Your salvo: 1 of 2").press("lf");
    assert!(again.screen(80, 24).contains("You have aimed 1 of 2"));
}

#[test]
fn two_programs_at_once_keep_their_own_games() {
    let home = Home::new("two");
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
fn a_fresh_game_is_never_the_same_again() {
    let home = Home::new("fresh");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("nyx<enter>").until("seed 8").until("Your shot 1");
    session.press("<esc>j<enter>yx<enter>").until("seed 9");
}

#[test]
fn an_opponent_who_has_met_the_player_is_not_told_by_its_seed() {
    let home = Home::new("met");
    let mut session = Session::new(&home, "4x4:2,1", "champion", Start::Game);
    session.press("x<enter>").until("seed 7").until("Your shot 1");
    play_by_hints(&mut session);
    session.press("<enter>x<enter>").until("Your shot 1");
    assert!(!session.screen(80, 24).contains("seed"), "{}", session.screen(80, 24));
}

#[test]
fn the_newest_games_of_a_long_file_are_listed() {
    let home = Home::new("long");
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
    let home = Home::new("damaged");
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
fn a_file_that_cannot_be_opened_leaves_its_name_to_be_mended() {
    let home = Home::new("mend");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    session.press("<end><up><enter><enter>").press("/no/such/file<enter>");
    session.until("/no/such/file: ").until("File: /no/such/file_");
}

#[test]
fn what_is_no_file_is_not_waited_for() {
    assert_eq!(read_text("/dev/zero".as_ref()).unwrap_err().to_string(), "not a file");
}
