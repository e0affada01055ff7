//! Every page as it looks in windows of several sizes, and what keys and the mouse do.

mod keeping;
mod mouse;
mod windows;

use std::path::PathBuf;
use std::{env, fs, process};

use seabattle_core::Glyphs;

use super::{Folders, Headless, Options, Start, Theme};
use crate::First;

const WINDOWS: [(u16, u16); 3] = [(80, 24), (120, 40), (44, 20)];

/// A folder of a test's own, gone with it.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("seabattle-screen-{name}-{}", process::id()));
        fs::remove_dir_all(&path).ok();
        Self(path)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

struct Session(Headless);

impl Session {
    fn new(home: &Home, rules: &str, bot: &str, start: Start) -> Self {
        let rules = Some(rules.parse().unwrap());
        let bot = Some(seabattle_bots::find(bot).unwrap());
        Self(Headless::new(Options { start, rules, bot, glyphs: Glyphs::Unicode, ..options(home) }))
    }

    fn press(&mut self, keys: &str) -> &mut Self {
        self.0.press(keys);
        self
    }

    fn screen(&mut self, columns: u16, rows: u16) -> String {
        self.0.text(columns, rows)
    }

    fn click(&mut self, column: u16, row: u16) -> &mut Self {
        self.0.click(column, row);
        self
    }

    fn until(&mut self, text: &str) -> &mut Self {
        self.until_screen(|screen| screen.contains(text))
    }

    fn until_gone(&mut self, text: &str) -> &mut Self {
        self.until_screen(|screen| !screen.contains(text))
    }

    fn until_any(&mut self, texts: &[&str]) -> &mut Self {
        self.until_screen(|screen| texts.iter().any(|text| screen.contains(text)))
    }

    fn until_screen(&mut self, wanted: impl Fn(&str) -> bool) -> &mut Self {
        assert!(self.0.wait_until(80, 24, wanted), "waited in vain:\n{}", self.screen(80, 24));
        self
    }

    /// Compares the page with how it looked before, in every window.
    fn looks_like(&mut self, name: &str) -> &mut Self {
        for (columns, rows) in WINDOWS {
            insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), self.screen(columns, rows));
        }
        self
    }
}

#[test]
fn menu_and_its_choices() {
    let home = Home::new("menu");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    session.looks_like("menu").press("?").looks_like("menu_help").press("<esc>");
    session.press("j<enter>").looks_like("rules").press("<end><enter>").press("<back><back>").looks_like("rules_typed");
    session.press("<esc><esc>").until("Opponent");
    session.press("jj<enter>").looks_like("levels").press("<end><up><enter>").until("Opponent   Champion");
    session.press("<end><up><enter>").looks_like("records");
}

#[test]
fn an_algorithm_of_a_source_is_chosen_and_kept() {
    let home = Home::new("more");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    session.press("jj<enter><end><enter>").until("Adjacent").looks_like("more_opponents").press("?");
    session.looks_like("more_opponents_help").press("<esc>");
    session.press("jjjj<enter>").until("Opponent   Star").press("<home><enter>").until("against Star");
    drop(session);
    let mut again = Session(Headless::new(options(&home)));
    again.until("Opponent   Star").press("jj<enter>").press("<enter>").until("> Star");
    again.press("<esc>").until("> More opponents").press("<esc>").until("Opponent   Star");
}

#[test]
fn two_algorithms_of_sources_are_watched() {
    let home = Home::new("watchmore");
    let mut session = Session::new(&home, "6x6:3,2", "captain", Start::Menu);
    session.press("jjj<enter><end><enter>").until("choose the first: more opponents").press("<end><enter>");
    session.until("Choose who plays Blocks").press("<esc>").until("choose the first").press("<end><enter><end><enter>");
    session.press("<end><enter>").until("Choose who plays Blocks: more opponents").press("<enter>");
    session.until("Blocks against Adjacent").until("overall skill").press("<end>").until("won.");
}

#[test]
fn typed_rules_are_taken_and_kept() {
    let home = Home::new("rules");
    Session::new(&home, "classic", "captain", Start::Menu)
        .press("j<enter><end><enter>")
        .press(&"<back>".repeat(7))
        .press("5x4:3,2<enter>")
        .until("Rules      5x4:3,2");
    assert!(Headless::new(options(&home)).text(80, 24).contains("5x4:3,2"));
}

fn options(home: &Home) -> Options {
    Options {
        start: Start::Menu,
        rules: None,
        bot: None,
        seed: 7,
        first: First::Me,
        save: None,
        theme: Some(Theme::Mono),
        glyphs: Glyphs::Ascii,
        folders: Folders::under(&home.0),
    }
}

#[test]
fn placing_shows_where_a_ship_would_lie_and_why_it_cannot() {
    let home = Home::new("placing");
    let mut session = Session::new(&home, "classic,touching=forbidden", "captain", Start::Game);
    session.press("jjl").looks_like("placing");
    session.press("<enter>j").looks_like("placing_clash");
    assert!(session.screen(120, 40).contains("Not here: B4 touches the carrier at B3."));
    session.press("<end>");
    assert!(session.screen(120, 40).contains("is outside the 10x10 board"));
    session.press("r<up><up><up><up><enter>z").looks_like("placing_complete");
    session.press("?").looks_like("placing_help");
}

#[test]
fn layouts_are_saved_loaded_and_deleted() {
    let home = Home::new("layouts");
    let mut session = Session::new(&home, "6x6:3,2", "captain", Start::Game);
    session.press("S");
    assert!(session.screen(80, 24).contains("Only complete fleets can be saved"));
    session.press("<enter>jj<enter>Sharbour<enter>");
    assert!(session.screen(80, 24).contains("Saved as harbour"));
    let placed = board_of(&session.screen(80, 24));
    session.press("cL").looks_like("placing_layouts").press("<enter>");
    assert_eq!(board_of(&session.screen(80, 24)), placed);
    session.press("Ld");
    assert!(session.screen(80, 24).contains("Deleted harbour"));
    session.press("L");
    assert!(session.screen(80, 24).contains("No layout is saved"));
}

/// The rows of the board, without what stands beside it.
fn board_of(screen: &str) -> Vec<String> {
    screen.lines().filter(|line| line.starts_with('│')).map(|line| line.chars().take(30).collect()).collect()
}

#[test]
fn a_ship_is_taken_back() {
    let home = Home::new("back");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("<enter><down><enter>");
    assert_eq!(session.screen(80, 24).matches("  placed").count(), 2);
    session.press("<up><back>");
    let screen = session.screen(80, 24);
    assert!(screen.contains("▸ carrier    □□□□□  to place"), "{screen}");
    assert!(screen.contains("battleship □□□□   placed"), "{screen}");
}

#[test]
fn odds_and_hints_are_not_to_be_had_before_the_fleet_is_placed() {
    let home = Home::new("early");
    let mut session = Session::new(&home, "classic", "sailor", Start::Game);
    let before = session.screen(80, 24);
    assert_eq!(session.press("oH").screen(80, 24), before);
}

#[test]
fn odds_and_hints_come_from_the_thread() {
    let home = Home::new("odds");
    let mut session = Session::new(&home, "classic", "sailor", Start::Game);
    session.press("x<enter>").until("Your shot 1").looks_like("battle").press("<enter>").until("Your shot 2");
    session.press("H").until("Try ").looks_like("battle_hint");
    session.press("o").until(" 10 ").looks_like("battle_odds");
    session.press("om<enter>").until("Your shot 3").looks_like("battle_marks");
    session.press("?").looks_like("battle_help").press("<esc>q").looks_like("battle_question").press("n");
    assert!(!session.0.has_quit());
    session.press("qy");
    assert!(session.0.has_quit());
}

#[test]
fn a_whole_game_ends_with_fleets_counts_skill_and_luck() {
    let home = Home::new("whole");
    let mut session = Session::new(&home, "classic,turn=again", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    play_by_hints(&mut session);
    session.until("Recruit: ").until_gone("calculating").until("sd)");
}

/// Follows every hint to the end.
fn play_by_hints(session: &mut Session) {
    for _ in 0..400 {
        if session.screen(80, 24).contains("w review") {
            return;
        }
        session.press("H").until_any(&["Try ", "w review"]);
        session.press("<enter>").until_any(&["Your shot", "w review"]);
    }
    panic!("no end:\n{}", session.screen(80, 24));
}

#[test]
fn a_salvo_is_aimed_changed_and_fired() {
    let home = Home::new("salvo");
    let mut session = Session::new(&home, "6x6:3,2,turn=salvo", "captain", Start::Game);
    session.press("x<enter>").until("Your salvo: 0 of 2");
    session.press("<enter>l<enter>").looks_like("battle_salvo");
    session.press("l<enter>");
    assert!(session.screen(80, 24).contains("All shots are aimed"));
    session.press("h<enter>f");
    assert!(session.screen(80, 24).contains("You have aimed 1 of 2"));
    session.press("<enter>f").until("of 2 aimed");
    assert!(session.screen(80, 24).contains("You fire at E4"), "{}", session.screen(80, 24));
}

#[test]
fn two_bots_are_watched_step_by_step() {
    let home = Home::new("watch");
    let mut session = Session::new(&home, "6x6:3,2,2", "captain", Start::Menu);
    session.press("jjj<enter><enter><up><enter>").until("playing");
    // Until the bots have played to the end: the number of volleys is known then.
    session.press(" ").until("paused").until_gone("+   paused").until("skill");
    session.press("<home><right><right><right>").looks_like("watch");
    session.press("o").until(" 1").press("<end>").looks_like("watch_end");
    session.press("t").until("turning point: ").press("<esc>").until("Opponent");
}

#[test]
fn a_record_to_begin_with_is_left_for_good() {
    let home = Home::new("alone");
    let record = "[Seabattle \"1\"]\n[Rules \"5x1:2\"]\n[A \"anna\"]\n[B \"boris\"]\n[First \"A\"]\n[Result \"*\"]\n\n1. A A1. B B1x\n";
    let start = Start::Replay(Box::new(record.parse().unwrap()));
    let mut session = Session(Headless::new(Options { start, ..options(&home) }));
    session.until("skill 50%, luck -0.3 hits").press("<right>");
    assert!(
        session.screen(80, 24).contains("anna fires: A1 miss (25%, best B1 with 50%)"),
        "{}",
        session.screen(80, 24)
    );
    session.press("t").until("turning point: ahead from here to").press("q");
    assert!(session.0.has_quit());
}

#[test]
fn without_colours_every_mark_has_a_shape_of_its_own() {
    let home = Home::new("ascii");
    let options = Options { start: Start::Game, rules: Some("5x5:3,2".parse().unwrap()), ..options(&home) };
    let mut session = Session(Headless::new(options));
    session.press("x<enter>").until("Your shot 1").press("H").until("Try ").press("<enter>").until("Your shot 2");
    let screen = session.screen(80, 24);
    assert!(screen.is_ascii(), "{screen}");
}

#[test]
fn a_hint_that_was_aimed_at_is_drawn_as_a_shot() {
    let home = Home::new("aimedhint");
    let mut session = Session::new(&home, "6x6:3,2,turn=salvo", "captain", Start::Game);
    session.press("x<enter>").until("Your salvo: 0 of 2").press("H").until("Try ").press("<enter>");
    let screen = session.screen(80, 24);
    assert!(screen.contains("[◎]") && !screen.contains('★'), "{screen}");
}
