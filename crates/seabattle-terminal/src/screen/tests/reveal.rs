//! Tests of the moment between a shot and its answer. Time is an input, so nothing sleeps.

use std::time::Duration;

use seabattle_core::Glyphs;

use super::{Session, TempHome, options};
use crate::First;
use crate::screen::{Headless, Options, Start};

fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// Starts a battle on a real terminal, with the first shot due.
fn animated(home: &TempHome, rules: &str, bot: &str) -> Session {
    let bot = Some(seabattle_bots::find(bot).unwrap());
    let rules = Some(rules.parse().unwrap());
    let options = Options { start: Start::Game, rules, bot, glyphs: Glyphs::Unicode, ..options(home) };
    let mut session = Session(Headless::animated(options));
    session.press("x<enter>").until("Your shot 1");
    session
}

impl Session {
    fn pass(&mut self, time: u64) -> &mut Self {
        self.0.pass(milliseconds(time));
        self
    }

    /// Waits until the bot has chosen its shots. Asking for the next event is the only way to see that.
    fn until_bot_has_chosen(&mut self) -> &mut Self {
        assert!(self.0.wait_for_event(), "the bot never answered");
        self
    }
}

#[test]
fn your_result_stands_alone_before_the_answer() {
    let home = TempHome::new("alone300");
    let mut session = animated(&home, "classic", "recruit");
    session.press("<enter>").until_bot_has_chosen();
    let screen = session.screen(80, 24);
    assert!(screen.contains("You fire at F6: hit!") && !screen.contains("Recruit fires"), "{screen}");
    assert!(!session.pass(299).screen(80, 24).contains("Recruit fires"));
    assert!(session.pass(1).screen(80, 24).contains("Recruit fires"));
    session.until("Your shot 2");
}

/// The cells F6 and G6 in a window of 80 columns.
fn cells(session: &mut Session) -> String {
    session.screen(80, 24).lines().nth(8).unwrap().chars().skip(21).take(6).collect()
}

/// The same cells in the three pictures of the animation.
fn pictures(session: &mut Session) -> [String; 3] {
    [0, 100, 100].map(|time| cells(session.pass(time)))
}

#[test]
fn a_splash_has_three_pictures_and_ends_as_a_miss() {
    let home = TempHome::new("splash");
    let mut session = animated(&home, "classic", "recruit");
    session.press("g6<enter>").until_bot_has_chosen();
    assert_eq!(pictures(&mut session), [" ·  | ", " · (°)", " · ( )"]);
    session.pass(100).until("Your shot 2").pass(300).press("<down>");
    assert_eq!(cells(&mut session), " · ▸○◂");
}

#[test]
fn a_hit_and_a_sinking_look_different() {
    let home = TempHome::new("hit");
    let mut session = animated(&home, "classic", "recruit");
    session.press("<enter>").until_bot_has_chosen();
    assert_eq!(pictures(&mut session), [" *  · ", "\\*/ · ", ">X< · "]);
    let mut session = animated(&home, "1x1:1", "recruit");
    session.press("<enter>").pass(100);
    assert!(session.screen(80, 24).contains("*  #  *"), "{}", session.screen(80, 24));
    session.pass(100);
    assert!(session.screen(80, 24).contains("~  ~  ~"), "{}", session.screen(80, 24));
}

#[test]
fn any_key_skips_the_animation() {
    for key in ["<enter>", " ", "f", "<left>", "o"] {
        let home = TempHome::new("skip");
        let mut session = animated(&home, "classic", "recruit");
        session.press("<enter>").until_bot_has_chosen().press(key);
        let screen = session.screen(80, 24);
        assert!(screen.contains("Recruit fires") && screen.contains("Your shot 2"), "{key}: {screen}");
    }
}

#[test]
fn enter_during_the_animation_fires_no_second_shot() {
    let home = TempHome::new("noshot");
    let mut session = animated(&home, "classic", "recruit");
    session.press("<enter>").until_bot_has_chosen().press("<enter>");
    assert!(session.screen(80, 24).contains("Your shot 2: F6"), "{}", session.screen(80, 24));
}

#[test]
fn you_may_fire_while_the_answer_is_still_animated() {
    let home = TempHome::new("quick");
    let mut session = animated(&home, "classic", "recruit");
    session.press("<enter>").until_bot_has_chosen().pass(300).press("<right><enter>");
    assert!(session.screen(80, 24).contains("You fire at G6"), "{}", session.screen(80, 24));
}

#[test]
fn the_last_shot_is_shown_before_the_result() {
    let home = TempHome::new("lastshot");
    let mut session = animated(&home, "1x1:1", "recruit");
    session.press("<enter>");
    let screen = session.screen(80, 24);
    assert!(!screen.contains("You win!") && screen.contains("You fire at A1"), "{screen}");
    session.pass(300).until("You win!").until_gone("calculating");
}

#[test]
fn the_enter_of_the_last_shot_never_skips_the_result() {
    let home = TempHome::new("lastenter");
    let mut session = animated(&home, "1x1:1", "recruit");
    session.press("<enter><enter><enter><enter>").until("You win!").press("n").until("Place your fleet");
}

#[test]
fn answers_come_at_once_if_effects_are_off() {
    let home = TempHome::new("instant");
    let mut menu = Session::new(&home, "classic", "recruit", Start::Menu);
    menu.press("jjjjj<enter>").until("▸ Effects    off: answers come at once");
    drop(menu);
    let mut session = animated(&home, "classic", "recruit");
    session.press("<enter>").until("Recruit fires").until("Your shot 2");
}

#[test]
fn nothing_is_animated_without_a_terminal() {
    let home = TempHome::new("noterminal");
    let mut session = Session::new(&home, "classic", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("<enter>").until("Recruit fires");
}

#[test]
fn the_first_shot_of_the_bot_is_animated_too() {
    let home = TempHome::new("botfirst");
    let rules = Some("1x1:1,ending=equal".parse().unwrap());
    let bot = Some(seabattle_bots::find("recruit").unwrap());
    let options = Options { start: Start::Game, rules, bot, first: First::Bot, ..options(&home) };
    let mut session = Session(Headless::animated(options));
    session.press("x<enter>").until("Recruit fires at A1");
    assert!(session.pass(100).screen(80, 24).contains("*  #  *"), "{}", session.screen(80, 24));
    session.pass(200).until("Your shot 1: A1").press("<enter>").pass(300).until("A draw");
}
