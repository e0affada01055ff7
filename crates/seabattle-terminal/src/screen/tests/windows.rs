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
    session.press("<enter>n").screen(80, 24);
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
    for keys in ["", "j<enter>", "<esc>jj<enter>", "<esc><end><up><up><enter>", "<esc><enter>", "x<enter>"] {
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

#[test]
fn cells_grow_with_the_window() {
    let home = TempHome::new("grow");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("<enter>").until("Your shot 2");
    for (columns, rows, spaces, lines) in [(80, 24, 2, 1), (120, 40, 4, 2), (200, 50, 6, 3), (60, 20, 1, 1)] {
        let screen = session.screen(columns, rows);
        let letters = format!("A{0}B{0}C", " ".repeat(spaces));
        assert!(screen.contains(&letters), "{columns}x{rows}:\n{screen}");
        let row = |number: &str| screen.lines().position(|line| line.contains(number)).unwrap();
        assert_eq!(row(" 9 ") - row(" 8 "), lines, "{columns}x{rows}:\n{screen}");
    }
    insta::assert_snapshot!("battle_200x50", session.screen(200, 50));
}

#[test]
fn a_click_hits_the_cell_it_points_at_in_every_size() {
    let home = TempHome::new("growclick");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    for (number, (columns, rows)) in [(80, 24), (120, 40), (200, 50)].into_iter().enumerate() {
        let screen = session.screen(columns, rows);
        let line = |text: &str| screen.lines().position(|line| line.contains(text)).unwrap() as u16;
        let (y, header) = (line(" 3 "), line("A "));
        let letters: Vec<char> = screen.lines().nth(header.into()).unwrap().chars().collect();
        let letter = ['B', 'C', 'D'][number];
        let x = letters.iter().position(|&c| c == letter).unwrap() as u16;
        session.click(x, y).until(&format!("You fire at {letter}3")).until(&format!("Your shot {}", number + 2));
    }
}

#[test]
fn hidden_rows_and_columns_are_named() {
    let home = TempHome::new("hidden");
    let mut session = Session::new(&home, "50x50:5,4,3", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    assert!(session.screen(80, 24).contains("╰ ◂A-G AS-AX▸ ▴1-21 ▾31-50 ─"), "{}", session.screen(80, 24));
    session.press(&"<left>".repeat(30)).press(&"<up>".repeat(30));
    let screen = session.screen(80, 24);
    assert!(screen.contains("╰ AL-AX▸ ▾10-50 ─") && !screen.contains('◂'), "{screen}");
    let mut whole = Session::new(&TempHome::new("whole2"), "classic", "recruit", Start::Game);
    whole.press("x<enter>").until("Your shot 1");
    assert!(!whole.screen(80, 24).contains('▾'));
}

#[test]
fn both_boards_scroll_together() {
    let home = TempHome::new("together");
    let mut session = Session::new(&home, "10x40:5,4,3", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("<enter>").until("Your shot 2");
    for keys in ["<up>", "<down>", "<tab>", "<up>", "<tab>", "<down>"] {
        session.press(&if keys == "<tab>" { keys.to_owned() } else { keys.repeat(40) });
        let screen = session.screen(80, 24);
        let frame = screen.lines().find(|line| line.starts_with('╰')).unwrap().to_owned();
        let halves: Vec<&str> = frame.trim_end_matches('╯').trim_start_matches('╰').split("╯╰").collect();
        assert_eq!(halves[0], halves[1], "{keys}: {screen}");
    }
}

#[test]
fn narrow_cells_keep_their_brackets() {
    let home = TempHome::new("narrow");
    let mut session = Session::new(&home, "15x6:2,2,2,2,2,2", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    // Cells are two columns wide here, and three at 120 columns.
    let (narrow, wide) = (session.screen(80, 24), session.screen(120, 24));
    assert!(narrow.contains("A B C") && wide.contains("A  B  C"), "{narrow}\n{wide}");
    assert!(narrow.contains("[·]"), "{narrow}");
    session.press("<enter>").until("Your shot 2").press("<left>");
    let narrow = session.screen(80, 24);
    assert!(narrow.contains("▸○◂") || narrow.contains("▸×◂"), "{narrow}");
    for _ in 0..60 {
        session.press("H").until_any(&["Try ", "w review"]).press("<enter>").until_any(&["Your shot", "w review"]);
        let narrow = session.screen(80, 24);
        if narrow.contains("[■=■]") {
            return;
        }
    }
    panic!("no sunk ship across:\n{}", session.screen(80, 24));
}
