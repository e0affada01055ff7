//! The game on the whole screen, in a real pseudo-terminal.

use std::process::Command;

use crate::program::{folder, run, stdout};
use crate::terminal::Terminal;

#[test]
fn a_whole_game_a_resize_and_ctrl_c_give_the_terminal_back() {
    let home = folder("screen-whole");
    let args = ["play", "--rules", "4x4:2,1", "--bot", "random", "--seed", "5", "--first", "me"];
    let mut terminal = Terminal::start(&args, &home, 80, 24, &[]);
    terminal.until_shown("Place your fleet");
    terminal.press("x\r");
    terminal.until_shown("Your shot 1");
    terminal.resize(20, 10);
    terminal.until_shown("36x16");
    terminal.resize(100, 30);
    terminal.until_shown("Your shot 1");
    for _ in 0..100 {
        terminal.press("H");
        terminal.until(|screen| screen.contains("Try ") || screen.contains("w review"));
        if terminal.text().contains("w review") {
            break;
        }
        terminal.press("\r");
        terminal
            .until(|screen| screen.contains("w review") || screen.contains("Your shot") && !screen.contains("Try "));
    }
    terminal.until_shown("w review");
    terminal.press("\x03");
    assert!(terminal.end().success());
    assert!(terminal.is_given_back(), "{:?}", String::from_utf8_lossy(&terminal.all));
    let record_file = std::fs::read_to_string(home.join(".local/share/seabattle/games.txt")).unwrap();
    assert!(record_file.contains("[Rules \"4x4:2,1\"]"), "{record_file}");
}

#[test]
fn a_signal_gives_the_terminal_back_and_the_game_goes_on_later() {
    let home = folder("screen-signal");
    let mut terminal = Terminal::start(&["play", "--seed", "5", "--first", "me"], &home, 80, 24, &[]);
    terminal.until_shown("Place your fleet");
    terminal.press("x\r");
    terminal.until_shown("Your shot 1");
    terminal.press("\r");
    terminal.until_shown("Your shot 2");
    Command::new("kill").args(["-TERM", &terminal.pid().to_string()]).status().unwrap();
    assert!(terminal.end().success());
    assert!(terminal.is_given_back(), "{:?}", String::from_utf8_lossy(&terminal.all));

    let mut again = Terminal::start(&[], &home, 80, 24, &[]);
    again.until_shown("in battle");
    again.press("\r");
    again.until_shown("Your shot 2");
    again.press("q");
    again.until_shown("Quit?");
    again.press("y");
    assert!(again.end().success());
    assert!(again.is_given_back());
}

#[test]
fn a_hangup_gives_the_terminal_back_and_keeps_the_game() {
    let home = folder("screen-hangup");
    let mut terminal = Terminal::start(&["play", "--seed", "5", "--first", "me"], &home, 80, 24, &[]);
    terminal.until_shown("Place your fleet");
    terminal.press("x\r");
    terminal.until_shown("Your shot 1");
    Command::new("kill").args(["-HUP", &terminal.pid().to_string()]).status().unwrap();
    assert!(terminal.end().success());
    assert!(terminal.is_given_back(), "{:?}", String::from_utf8_lossy(&terminal.all));
    assert!(home.join(".local/state/seabattle/game.toml").exists());
}

#[test]
fn a_terminal_that_goes_away_ends_the_program_quietly_and_keeps_the_game() {
    let home = folder("screen-gone");
    let mut terminal = Terminal::start(&["play", "--seed", "5", "--first", "me"], &home, 80, 24, &[]);
    terminal.until_shown("Place your fleet");
    terminal.press("x\r");
    terminal.until_shown("Your shot 1");
    assert!(terminal.close().success());
    assert!(home.join(".local/state/seabattle/game.toml").exists());
}

#[test]
fn ctrl_l_redraws_the_screen() {
    let home = folder("screen-anew");
    let mut terminal = Terminal::start(&[], &home, 80, 24, &[]);
    terminal.until_shown("? help");
    let cleared = |all: &[u8]| String::from_utf8_lossy(all).matches("\x1b[2J").count();
    let before = cleared(&terminal.all);
    terminal.press("\x0c?");
    terminal.until_shown("any key to close");
    terminal.press("\x03");
    assert!(terminal.end().success());
    assert!(cleared(&terminal.all) > before);
}

#[test]
fn the_mouse_works_in_a_real_terminal() {
    let home = folder("screen-mouse");
    let mut terminal = Terminal::start(&["play", "--seed", "5", "--first", "me"], &home, 80, 24, &[]);
    terminal.until_shown("Place your fleet");
    terminal.press("x\r");
    terminal.until_shown("Your shot 1");
    terminal.press("\x1b[<0;13;7M\x1b[<0;13;7m");
    terminal.until_shown("You fire at C4");
    terminal.press("\x03");
    assert!(terminal.end().success());
    assert!(terminal.is_given_back());
}

#[test]
fn a_killed_program_has_kept_the_game() {
    let home = folder("screen-killed");
    let mut terminal = Terminal::start(&["play", "--seed", "5", "--first", "me"], &home, 80, 24, &[]);
    terminal.until_shown("Place your fleet");
    terminal.press("x\r");
    terminal.until_shown("Your shot 1");
    terminal.press("\r");
    terminal.until_shown("Your shot 2");
    Command::new("kill").args(["-KILL", &terminal.pid().to_string()]).status().unwrap();
    terminal.end();
    let mut again = Terminal::start(&[], &home, 80, 24, &[]);
    again.until_shown("in battle");
    again.press("\x03");
    again.end();
}

#[test]
fn no_colors_with_no_color() {
    let home = folder("screen-mono");
    let mut terminal = Terminal::start(&["play", "--seed", "5"], &home, 80, 24, &[("NO_COLOR", "1")]);
    terminal.until_shown("Place your fleet");
    terminal.press("\x03");
    terminal.end();
    let written = String::from_utf8_lossy(&terminal.all).into_owned();
    assert!(!written.contains("[38;5;") && !written.contains("[48;5;"), "{written:?}");
}

#[test]
fn a_dumb_terminal_plays_line_by_line() {
    let home = folder("screen-dumb");
    let mut terminal = Terminal::start(&["play", "--seed", "5"], &home, 80, 24, &[("TERM", "dumb")]);
    terminal.until_shown("place>");
    terminal.press("quit\n");
    assert!(terminal.end().success());
    let mut nameless = Terminal::start(&["play", "--seed", "5"], &home, 80, 24, &[("TERM", "")]);
    nameless.until_shown("place>");
    nameless.press("quit\n");
    assert!(nameless.end().success());
}

#[test]
fn wrong_arguments_never_touch_the_screen() {
    let home = folder("screen-wrong");
    let mut terminal = Terminal::start(&["play", "--theme", "pink"], &home, 80, 24, &[]);
    assert!(!terminal.end().success());
    let written = String::from_utf8_lossy(&terminal.all).into_owned();
    assert!(written.contains("choose sea, paper, ansi or mono"), "{written}");
    assert!(!written.contains("\x1b[?1049h"), "{written:?}");
}

#[test]
fn completions_and_manual_are_printed() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = run(&["completions", shell], b"");
        assert!(output.status.success());
        assert!(stdout(&output).contains("tournament"), "{shell}");
    }
    let manual = stdout(&run(&["man"], b""));
    assert!(manual.contains(".TH seabattle 1"), "{manual}");
    assert!(manual.contains("\\-\\-theme"), "{manual}");
}
