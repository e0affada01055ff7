//! Tests of the mouse on every page.

use ratatui::crossterm::event::{MouseButton, MouseEventKind};

use super::{Session, TempHome, play_by_hints};
use crate::screen::Start;

impl Session {
    /// Clicks on the first letter of a text on the screen.
    fn click_on(&mut self, text: &str) -> &mut Self {
        let screen = self.screen(80, 24);
        let found = screen.lines().enumerate().find_map(|(row, line)| Some((line.find(text)?, row, line)));
        let (at, row, line) = found.unwrap_or_else(|| panic!("no {text:?}:\n{screen}"));
        self.click(line[..at].chars().count() as u16, row as u16)
    }

    fn hover(&mut self, column: u16, row: u16) -> &mut Self {
        self.0.mouse(MouseEventKind::Moved, column, row);
        self
    }
}

/// Returns where a cell of the left 10x10 board is drawn at 80 columns.
fn at(column: u16, row: u16) -> (u16, u16) {
    (5 + 3 * column + 1, 2 + row + 1)
}

#[test]
fn the_mouse_fires() {
    let home = TempHome::new("mouse");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    session.screen(80, 24);
    let (column, row) = at(2, 3);
    session.click(column, row).until("You fire at C4");
}

#[test]
fn the_menu_and_its_lists_are_clicked() {
    let home = TempHome::new("mousemenu");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    session.click_on("Opponent").until("Choose your opponent").click_on("Admiral").until("Opponent   Admiral");
    session.click_on("Rules").click_on("russian").until("Rules      russian");
    session.click_on("Play").until("Place your fleet against Admiral, russian").press("<esc>");
    session.click_on("Opponent").click_on("More opponents").until("Swift Sinking").click_on("right.");
    session.until("Opponent   Swift Sinking");
}

#[test]
fn keys_in_the_last_line_are_clicked() {
    let home = TempHome::new("mousebar");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.click_on("x random").until("All ships are placed").click_on(" Enter start  x shuffle").until("Your shot 1");
    session.click_on("? help").until("any key to close").click(0, 0).until_gone("any key to close");
    session.click_on("q quit").until("Quit?").click_on("n no").until_gone("Quit?");
    session.click_on("q quit").click_on("y yes");
    assert!(session.0.has_quit());
}

#[test]
fn a_fleet_is_placed_with_the_mouse_alone() {
    let home = TempHome::new("mouseplace");
    let mut session = Session::new(&home, "10x10:3,2", "captain", Start::Game);
    session.screen(80, 24);
    let (column, row) = at(1, 1);
    session.hover(column, row).until("B2 across").click(column, row).until("3 □□□    placed");
    session.0.mouse(MouseEventKind::Down(MouseButton::Right), column, row);
    let (column, row) = at(6, 6);
    session.click(column, row).until("All ships are placed").until("G7 down");
    // A click on water does nothing. A click on a ship picks it up.
    let (column, row) = at(9, 9);
    session.click(column, row).until("All ships are placed");
    let (column, row) = at(2, 1);
    session.click(column, row).until("▸ 3 □□□    to place").click(column, row).until("All ships are placed");
}

#[test]
fn a_layout_is_clicked() {
    let home = TempHome::new("mouselayout");
    let mut session = Session::new(&home, "6x6:3,2", "captain", Start::Game);
    session.press("xSharbour<enter>cL").click_on("harbour").until("All ships are placed");
}

#[test]
fn moving_the_mouse_never_scrolls_a_board() {
    let home = TempHome::new("mouselarge");
    let mut session = Session::new(&home, "50x50:5,4,3", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    let first_row = |screen: String| screen.lines().nth(4).unwrap().chars().take(5).collect::<String>();
    let before = first_row(session.screen(80, 24));
    session.hover(70, 12);
    assert_eq!(first_row(session.screen(80, 24)), before);
    session.hover(70, 5);
    assert_eq!(first_row(session.screen(80, 24)), before);
    session.0.mouse(MouseEventKind::ScrollDown, 70, 5);
    assert_ne!(first_row(session.screen(80, 24)), before);
}

#[test]
fn the_wheel_steps_through_a_record() {
    let home = TempHome::new("mousereplay");
    let mut session = Session::new(&home, "4x4:2,1", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    play_by_hints(&mut session);
    session.click_on("w review").until("Volley 0 of");
    session.0.mouse(MouseEventKind::ScrollDown, 10, 10);
    session.until("Volley 1 of").click_on("→ step").until("Volley 2 of").click_on("← back").until("Volley 1 of");
}

#[test]
fn a_hint_that_comes_late_leaves_a_moved_cursor_alone() {
    let home = TempHome::new("latehint");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("Hl").until("Try ").until("Your shot 1: G6");
}
