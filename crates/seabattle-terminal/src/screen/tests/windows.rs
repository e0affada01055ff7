//! Windows of all sizes.

use std::fs;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use seabattle_core::Glyphs;

use super::{Home, Sitting, options};
use crate::screen::{Headless, Options, Start};

#[test]
fn a_window_too_small_says_so_and_recovers() {
    let home = Home::new("small");
    let mut sitting = Sitting::new(&home, "classic", "captain", Start::Menu);
    insta::assert_snapshot!("too_small", sitting.screen(30, 8));
    assert!(sitting.screen(80, 24).contains("Play"));
    for columns in 0..40 {
        for rows in 0..20 {
            sitting.screen(columns, rows);
        }
    }
}

#[test]
fn every_page_draws_in_any_window() {
    let home = Home::new("any");
    for rules in ["classic", "50x50:5,4,3", "1x1:1", "30x5:4,4"] {
        fs::remove_dir_all(&home.0).ok();
        let mut sitting = Sitting::new(&home, rules, "recruit", Start::Game);
        for (columns, rows) in [(36, 16), (37, 50), (200, 16), (61, 23), (300, 100)] {
            sitting.screen(columns, rows);
        }
        sitting.press("x<enter>").until("Your shot 1");
        for (columns, rows) in [(36, 16), (37, 50), (200, 16), (61, 23), (300, 100)] {
            sitting.screen(columns, rows);
        }
    }
}

#[test]
fn a_large_board_scrolls_with_the_cursor() {
    let home = Home::new("large");
    let mut sitting = Sitting::new(&home, "50x50:5,4,3,3,2", "recruit", Start::Game);
    sitting.press("x<enter>").until("Your shot 1").press(&"jl".repeat(30));
    let screen = sitting.screen(80, 24);
    assert!(screen.contains("50"), "{screen}");
    assert!(screen.contains('X'), "{screen}");
}

#[test]
fn keys_do_nothing_where_nothing_is_seen() {
    let home = Home::new("unseen");
    let mut sitting = Sitting::new(&home, "classic", "captain", Start::Game);
    sitting.press("x<enter>").until("Your shot 1");
    sitting.screen(30, 8);
    sitting.press("<enter>u").screen(80, 24);
    assert!(sitting.screen(80, 24).contains("Your shot 1"));
    sitting.press("<enter>").until("Your shot 2");
}

#[test]
fn boards_are_stacked_in_a_narrow_tall_window() {
    let home = Home::new("stacked");
    let mut sitting = Sitting::new(&home, "classic", "captain", Start::Game);
    sitting.press("x<enter>").until("Your shot 1");
    insta::assert_snapshot!("battle_stacked", sitting.screen(44, 36));
}

#[test]
fn the_way_to_the_help_is_always_in_sight() {
    let home = Home::new("helphint");
    let mut sitting = Sitting::new(&home, "classic,touching=forbidden,turn=salvo:3", "captain", Start::Game);
    for keys in ["", "z", "L", "<enter>", "<esc>", "j<enter>", "<esc>"] {
        sitting.press(keys);
        for columns in 36..100 {
            let screen = sitting.screen(columns, 20);
            assert!(screen.lines().last().unwrap().ends_with("? help"), "{screen}");
        }
    }
}

#[test]
fn all_of_the_help_can_be_read_in_a_small_window() {
    let home = Home::new("helpscroll");
    let mut sitting = Sitting::new(&home, "classic", "captain", Start::Game);
    sitting.press("x<enter>").until("Your shot 1").press("?");
    assert!(sitting.screen(44, 20).contains("more, Esc closes"));
    assert!(!sitting.screen(44, 20).contains("Ctrl-C"));
    sitting.press("<pgdn>");
    sitting.screen(44, 20);
    sitting.press("<pgdn>");
    assert!(sitting.screen(44, 20).contains("Ctrl-C"), "{}", sitting.screen(44, 20));
    sitting.press("<esc>");
    assert!(sitting.screen(44, 20).contains("Your shot 1"));
}

#[test]
fn every_help_fits_an_ordinary_window() {
    let home = Home::new("helpfits");
    let mut sitting = Sitting::new(&home, "russian", "captain", Start::Menu);
    for keys in ["", "j<enter>", "<esc>jj<enter>", "<esc><end><up><enter>", "<esc><enter>", "x<enter>"] {
        sitting.press(keys).press("?");
        assert!(sitting.screen(80, 24).contains("any key to close"), "{}", sitting.screen(80, 24));
        sitting.press("<esc>");
    }
}

#[test]
fn the_reason_is_shown_in_a_small_window() {
    let home = Home::new("reason");
    let mut sitting = Sitting::new(&home, "classic,touching=forbidden", "captain", Start::Game);
    sitting.press("<enter>j");
    for (columns, rows) in [(36, 16), (44, 20), (60, 20)] {
        assert!(sitting.screen(columns, rows).contains("Not here: A2"), "{}", sitting.screen(columns, rows));
    }
}

#[test]
fn long_rules_leave_room_for_the_opponent() {
    let home = Home::new("title");
    let rules = "12x12:5,4,4,3,3,3,2,2,2,2,touching=forbidden,turn=salvo:3,announce=hit,ending=equal";
    let mut sitting = Sitting::new(&home, rules, "captain", Start::Game);
    assert!(sitting.screen(80, 24).starts_with(" ≈ Seabattle  Place your fleet against Captain, 12x12:5,4,4"));
    assert!(sitting.screen(80, 24).lines().next().unwrap().ends_with('…'));
    sitting.press("x<enter>").until("seed 7").press("?").until("ending=equal");
}

#[test]
fn nothing_but_ascii_is_drawn_where_no_more_is_wanted() {
    let home = Home::new("onlyascii");
    let ascii = |start| Sitting(Headless::new(Options { start, glyphs: Glyphs::Ascii, ..options(&home) }));
    let mut sitting = ascii(Start::Menu);
    for keys in ["?", "<esc>j<enter>", "<esc>jj<enter>", "<esc>jjj<enter>", "<enter><enter>", "?"] {
        let screen = sitting.press(keys).screen(80, 24);
        assert!(screen.is_ascii(), "{screen}");
    }
    let mut sitting = ascii(Start::Game);
    assert!(sitting.press("?").screen(44, 20).is_ascii());
    sitting.press("<esc>x<enter>").until("Your shot 1").press("?");
    assert!(sitting.screen(44, 20).is_ascii(), "{}", sitting.screen(44, 20));
}

#[test]
fn the_own_fleet_is_looked_at_and_never_shot_at() {
    let home = Home::new("own");
    let mut sitting = Sitting::new(&home, "30x30:5,4,3", "recruit", Start::Game);
    sitting.press("x<enter>").until("Your shot 1").press("<tab>");
    assert!(sitting.screen(80, 24).contains("Your fleet"));
    sitting.press(&"<down>".repeat(40));
    assert!(sitting.screen(80, 24).contains("30"), "{}", sitting.screen(80, 24));
    sitting.press("<enter>");
    let screen = sitting.screen(80, 24);
    assert!(screen.contains("Enemy waters") && screen.contains("Your shot 1: P16"), "{screen}");
}

#[test]
fn ctrl_h_is_backspace_and_other_letters_with_ctrl_are_none() {
    let home = Home::new("ctrl");
    let mut sitting = Sitting::new(&home, "classic", "captain", Start::Game);
    sitting.press("l<enter>");
    let ctrl = |letter| KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL);
    sitting.0.key(ctrl('l'));
    assert!(sitting.screen(80, 24).contains("B1 across"));
    sitting.0.key(ctrl('h'));
    assert!(sitting.screen(80, 24).contains("▸ carrier    □□□□□  to place"), "{}", sitting.screen(80, 24));
}

#[test]
fn a_panic_of_a_thread_ends_the_program_and_is_told() {
    let home = Home::new("broken");
    let sitting = Sitting::new(&home, "classic", "captain", Start::Game);
    assert_eq!(sitting.0.break_down("out of paper").as_deref(), Some("out of paper"));
}
