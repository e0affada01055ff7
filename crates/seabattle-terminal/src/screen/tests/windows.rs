//! Tests of windows of all sizes.

use std::fs;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use seabattle_core::Glyphs;

use super::{Session, TempHome, options};
use crate::screen::{Headless, Options, Start};

#[test]
fn a_window_that_is_too_small_says_so_and_recovers() {
    let home = TempHome::new("small");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    insta::assert_snapshot!("too_small", session.screen(30, 8));
    assert!(session.screen(80, 24).contains("Play"));
    for columns in 0..40 {
        for rows in 0..20 {
            session.screen(columns, rows);
        }
    }
}

#[test]
fn every_page_draws_in_any_window() {
    let home = TempHome::new("any");
    for rules in ["classic", "50x50:5,4,3", "1x1:1", "30x5:4,4"] {
        fs::remove_dir_all(&home.0).ok();
        let mut session = Session::new(&home, rules, "recruit", Start::Game);
        for (columns, rows) in [(36, 16), (37, 50), (200, 16), (61, 23), (300, 100)] {
            session.screen(columns, rows);
        }
        session.press("x<enter>").until("Your shot 1");
        for (columns, rows) in [(36, 16), (37, 50), (200, 16), (61, 23), (300, 100)] {
            session.screen(columns, rows);
        }
    }
}

#[test]
fn a_large_board_scrolls_with_the_cursor() {
    let home = TempHome::new("large");
    let mut session = Session::new(&home, "50x50:5,4,3,3,2", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1").press(&"jl".repeat(30));
    let screen = session.screen(80, 24);
    assert!(screen.contains("50"), "{screen}");
    assert!(screen.contains('X'), "{screen}");
}

#[test]
fn keys_do_nothing_in_a_window_that_is_too_small() {
    let home = TempHome::new("unseen");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    session.screen(30, 8);
    session.press("<enter>u").screen(80, 24);
    assert!(session.screen(80, 24).contains("Your shot 1"));
    session.press("<enter>").until("Your shot 2");
}

#[test]
fn boards_are_stacked_in_a_narrow_tall_window() {
    let home = TempHome::new("stacked");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    insta::assert_snapshot!("battle_stacked", session.screen(44, 36));
}

#[test]
fn the_help_key_is_always_visible() {
    let home = TempHome::new("helphint");
    let mut session = Session::new(&home, "classic,touching=forbidden,turn=salvo:3", "captain", Start::Game);
    for keys in ["", "z", "L", "<enter>", "<esc>", "j<enter>", "<esc>"] {
        session.press(keys);
        for columns in 36..100 {
            let screen = session.screen(columns, 20);
            assert!(screen.lines().last().unwrap().ends_with("? help"), "{screen}");
        }
    }
}

#[test]
fn all_of_the_help_can_be_read_in_a_small_window() {
    let home = TempHome::new("helpscroll");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("?");
    assert!(session.screen(44, 20).contains("more, Esc closes"));
    assert!(!session.screen(44, 20).contains("Ctrl-C"));
    session.press("<pgdn>");
    session.screen(44, 20);
    session.press("<pgdn>");
    assert!(session.screen(44, 20).contains("Ctrl-C"), "{}", session.screen(44, 20));
    session.press("<esc>");
    assert!(session.screen(44, 20).contains("Your shot 1"));
}

#[test]
fn every_help_fits_an_ordinary_window() {
    let home = TempHome::new("helpfits");
    let mut session = Session::new(&home, "russian", "captain", Start::Menu);
    for keys in ["", "j<enter>", "<esc>jj<enter>", "<esc><end><up><enter>", "<esc><enter>", "x<enter>"] {
        session.press(keys).press("?");
        assert!(session.screen(80, 24).contains("any key to close"), "{}", session.screen(80, 24));
        session.press("<esc>");
    }
}

#[test]
fn the_reason_is_shown_in_a_small_window() {
    let home = TempHome::new("reason");
    let mut session = Session::new(&home, "classic,touching=forbidden", "captain", Start::Game);
    session.press("<enter>j");
    for (columns, rows) in [(36, 16), (44, 20), (60, 20)] {
        assert!(session.screen(columns, rows).contains("Not here: A2"), "{}", session.screen(columns, rows));
    }
}

#[test]
fn long_rules_leave_room_for_the_opponent() {
    let home = TempHome::new("title");
    let rules = "12x12:5,4,4,3,3,3,2,2,2,2,touching=forbidden,turn=salvo:3,announce=hit,ending=equal";
    let mut session = Session::new(&home, rules, "captain", Start::Game);
    assert!(session.screen(80, 24).starts_with(" ≈ Seabattle  Place your fleet against Captain, 12x12:5,4,4"));
    assert!(session.screen(80, 24).lines().next().unwrap().ends_with('…'));
    session.press("x<enter>").until("seed 7").press("?").until("ending=equal");
}

#[test]
fn ascii_mode_draws_only_ascii() {
    let home = TempHome::new("onlyascii");
    let ascii = |start| Session(Headless::new(Options { start, glyphs: Glyphs::Ascii, ..options(&home) }));
    let mut session = ascii(Start::Menu);
    for keys in ["?", "<esc>j<enter>", "<esc>jj<enter>", "<esc>jjj<enter>", "<enter><enter>", "?"] {
        let screen = session.press(keys).screen(80, 24);
        assert!(screen.is_ascii(), "{screen}");
    }
    let mut session = ascii(Start::Game);
    assert!(session.press("?").screen(44, 20).is_ascii());
    session.press("<esc>x<enter>").until("Your shot 1").press("?");
    assert!(session.screen(44, 20).is_ascii(), "{}", session.screen(44, 20));
}

#[test]
fn enter_on_the_own_board_never_fires() {
    let home = TempHome::new("own");
    let mut session = Session::new(&home, "30x30:5,4,3", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("<tab>");
    assert!(session.screen(80, 24).contains("Your fleet"));
    session.press(&"<down>".repeat(40));
    assert!(session.screen(80, 24).contains("30"), "{}", session.screen(80, 24));
    session.press("<enter>");
    let screen = session.screen(80, 24);
    assert!(screen.contains("Enemy waters") && screen.contains("Your shot 1: P16"), "{screen}");
}

#[test]
fn ctrl_h_is_backspace_and_other_ctrl_letters_do_nothing() {
    let home = TempHome::new("ctrl");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("l<enter>");
    let ctrl = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
    session.0.key(ctrl('l'));
    assert!(session.screen(80, 24).contains("B1 across"));
    session.0.key(ctrl('h'));
    assert!(session.screen(80, 24).contains("▸ carrier    □□□□□  to place"), "{}", session.screen(80, 24));
}

#[test]
fn a_panic_of_a_thread_ends_the_program_with_its_message() {
    let home = TempHome::new("broken");
    let session = Session::new(&home, "classic", "captain", Start::Game);
    assert_eq!(session.0.panic_in_thread("out of paper").as_deref(), Some("out of paper"));
}
