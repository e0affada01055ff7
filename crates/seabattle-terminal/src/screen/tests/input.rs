//! Tests of pasted text, text fields, typed cells and Ctrl-Z.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::style::Modifier;

use super::{Session, TempHome};
use crate::screen::Start;

fn ctrl(letter: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)
}

#[test]
fn pasted_text_never_acts_as_keys() {
    let home = TempHome::new("paste");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    session.0.paste("ny\nqy\r");
    let screen = session.screen(80, 24);
    assert!(!session.0.has_quit() && screen.contains("Your shot 1: F6"), "{screen}");
    assert!(screen.contains("There is no text field to paste into."), "{screen}");
    session.press("q");
    session.0.paste("y");
    assert!(!session.0.has_quit());
}

#[test]
fn pasted_text_goes_into_the_open_text_field() {
    let home = TempHome::new("pastefield");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    session.press("j<enter><end><enter>").press(&"<back>".repeat(7));
    session.0.paste("5x4:3,2\nq");
    assert!(session.screen(80, 24).contains("Rules: 5x4:3,2_"), "{}", session.screen(80, 24));
    session.press("<enter>").until("Rules      5x4:3,2");
    session.press("jjjj<enter><end><enter>");
    session.0.paste("/no/such/file");
    session.until("File: /no/such/file_").press("<esc><esc><enter>xS");
    session.0.paste("harbor");
    session.until("harbor_").press("<enter>").until("Saved as harbor");
}

#[test]
fn a_text_field_has_a_cursor() {
    let home = TempHome::new("cursor");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    session.press("j<enter><end><enter><home>my <end>!<left><left>X");
    assert!(session.screen(80, 24).contains("Rules: my classiXc!"), "{}", session.screen(80, 24));
    session.press("<back><del><right>?");
    assert!(session.screen(80, 24).contains("Rules: my classi!?_"), "{}", session.screen(80, 24));
    session.0.key(ctrl('w'));
    assert!(session.screen(80, 24).contains("Rules: my _"), "{}", session.screen(80, 24));
    session.0.key(ctrl('a'));
    session.press("<right>");
    session.0.key(ctrl('k'));
    assert!(session.screen(80, 24).contains("Rules: m_"), "{}", session.screen(80, 24));
    session.0.key(ctrl('u'));
    session.press("ab<left>");
    let buffer = session.0.screen(80, 24);
    let reversed = buffer.content().iter().filter(|cell| cell.modifier.contains(Modifier::REVERSED));
    assert!(reversed.clone().any(|cell| cell.symbol() == "b"));
}

#[test]
fn a_long_text_shows_the_part_around_the_cursor() {
    let home = TempHome::new("longtext");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    session.press("jjjj<enter><end><enter>").press(&"a".repeat(40)).press(&"z".repeat(90));
    assert!(session.screen(80, 24).contains("zzz_") && !session.screen(80, 24).contains("File: aaa"));
    session.press("<home>");
    assert!(session.screen(80, 24).contains("File: aaa"), "{}", session.screen(80, 24));
}

#[test]
fn a_cell_is_typed() {
    let home = TempHome::new("typed");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("b");
    assert!(session.screen(80, 24).contains("Your shot 1: b_"), "{}", session.screen(80, 24));
    session.press("1<back>7").until("Your shot 1: b7_").press("<enter>").until("You fire at B7");
    session.until("Your shot 2: B7").press("h3").until("Your shot 2: h3_").press("<esc>").until("Your shot 2: H3");
    session.press("c99<enter>").until("\"c99\" is not a cell of this board.").press("f10<enter>");
    session.until("You fire at F10").until("Your shot 3").press("c<down>").until("Your shot 3: F10");
}

#[test]
fn a_typed_cell_is_chosen_for_a_salvo() {
    let home = TempHome::new("typedsalvo");
    let mut session = Session::new(&home, "8x8:3,2,turn=salvo", "captain", Start::Game);
    session.press("x<enter>").until("Your salvo: 0 of 2").press("b7<enter>").until("Your salvo: 1 of 2");
    session.press(":f7<enter>").until("Your salvo: 2 of 2").press("f").until("You fire: B7");
}

#[test]
fn commands_stay_commands_where_no_cell_is_typed() {
    let home = TempHome::new("commands");
    let mut session = Session::new(&home, "26x26:5,4", "captain", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("q").until("Quit?").press("n");
    session.press("n").until("Give up this game").press("n:q7").until("Your shot 1: q7_").press("<enter>");
    session.until("You fire at Q7");
}

#[test]
fn ctrl_z_asks_for_suspension_everywhere() {
    let home = TempHome::new("ctrlz");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    for keys in ["", "x<enter>", "?", "<esc>q"] {
        session.press(keys);
        assert!(!session.0.take_suspension());
        session.0.key(ctrl('z'));
        assert!(session.0.take_suspension(), "{keys:?}");
    }
    assert!(!session.0.has_quit());
}
