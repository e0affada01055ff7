//! Tests of every page: snapshots in three window sizes, keys and the mouse.

mod input;
mod mouse;
mod reveal;
mod saving;
mod windows;

use std::path::PathBuf;
use std::{env, fs, process};

use seabattle_core::Glyphs;

use super::{DataFolders, Headless, Options, Start, Theme};
use crate::First;

const WINDOWS: [(u16, u16); 3] = [(80, 24), (120, 40), (44, 20)];

/// A temporary folder of one test, deleted when dropped.
struct TempHome(PathBuf);

impl TempHome {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("seabattle-screen-{name}-{}", process::id()));
        fs::remove_dir_all(&path).ok();
        Self(path)
    }
}

impl Drop for TempHome {
    fn drop(&mut self) {
        fs::remove_dir_all(&self.0).ok();
    }
}

struct Session(Headless);

impl Session {
    fn new(home: &TempHome, rules: &str, bot: &str, start: Start) -> Self {
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
        assert!(self.0.wait_until(80, 24, wanted), "never shown:\n{}", self.screen(80, 24));
        self
    }

    /// Compares the page with its snapshots in all window sizes.
    fn assert_snapshots(&mut self, name: &str) -> &mut Self {
        for (columns, rows) in WINDOWS {
            insta::assert_snapshot!(format!("{name}_{columns}x{rows}"), self.screen(columns, rows));
        }
        self
    }
}

#[test]
fn menu_and_its_choices() {
    let home = TempHome::new("menu");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    session.assert_snapshots("menu").press("?").assert_snapshots("menu_help").press("<esc>");
    session
        .press("j<enter>")
        .assert_snapshots("rules")
        .press("<end><enter>")
        .press("<back><back>")
        .assert_snapshots("rules_typed");
    session.press("<esc><esc>").until("Opponent");
    session.press("jj<enter>").assert_snapshots("levels").press("<end><up><enter>").until("Opponent   Champion");
    session.press("<end><up><up><enter>").assert_snapshots("records");
}

#[test]
fn an_algorithm_of_a_source_is_chosen_and_kept() {
    let home = TempHome::new("more");
    let mut session = Session::new(&home, "classic", "captain", Start::Menu);
    session.press("jj<enter><end><enter>").until("Adjacent").assert_snapshots("more_opponents").press("?");
    session.assert_snapshots("more_opponents_help").press("<esc>");
    session.press("jjjj<enter>").until("Opponent   Star").press("<home><enter>").until("against Star");
    drop(session);
    let mut again = Session(Headless::new(options(&home)));
    again.until("Opponent   Star").press("jj<enter>").press("<enter>").until("> Star");
    again.press("<esc>").until("> More opponents").press("<esc>").until("Opponent   Star");
}

#[test]
fn two_algorithms_of_sources_are_watched() {
    let home = TempHome::new("watchmore");
    let mut session = Session::new(&home, "6x6:3,2", "captain", Start::Menu);
    session.press("jjj<enter><end><enter>").until("choose the first: more opponents").press("<end><enter>");
    session.until("Choose who plays Blocks").press("<esc>").until("choose the first").press("<end><enter><end><enter>");
    session.press("<end><enter>").until("Choose who plays Blocks: more opponents").press("<enter>");
    session.until("Blocks against Adjacent");
    assert!(session.0.wait_for_analysis());
    session.press("<end>").until("won.").until("overall skill");
}

#[test]
fn typed_rules_are_taken_and_kept() {
    let home = TempHome::new("rules");
    Session::new(&home, "classic", "captain", Start::Menu)
        .press("j<enter><end><enter>")
        .press(&"<back>".repeat(7))
        .press("5x4:3,2<enter>")
        .until("Rules      5x4:3,2");
    assert!(Headless::new(options(&home)).text(80, 24).contains("5x4:3,2"));
}

fn options(home: &TempHome) -> Options {
    Options {
        start: Start::Menu,
        rules: None,
        bot: None,
        seed: 7,
        first: First::Me,
        save: None,
        theme: Some(Theme::Mono),
        glyphs: Glyphs::Ascii,
        folders: DataFolders::under(&home.0),
    }
}

#[test]
fn placing_previews_a_ship_and_explains_why_it_cannot_be_placed() {
    let home = TempHome::new("placing");
    let mut session = Session::new(&home, "classic,touching=forbidden", "captain", Start::Game);
    session.press("jjl").assert_snapshots("placing");
    session.press("<enter>j").assert_snapshots("placing_clash");
    assert!(session.screen(120, 40).contains("Not here: B4 touches the carrier at B3."));
    session.press("<end>");
    assert!(session.screen(120, 40).contains("is outside the 10x10 board"));
    session.press("r<up><up><up><up><enter>z").assert_snapshots("placing_complete");
    session.press("?").assert_snapshots("placing_help");
}

#[test]
fn layouts_are_saved_loaded_and_deleted() {
    let home = TempHome::new("layouts");
    let mut session = Session::new(&home, "6x6:3,2", "captain", Start::Game);
    session.press("S");
    assert!(session.screen(80, 24).contains("Only complete fleets can be saved"));
    session.press("<enter>jj<enter>Sharbour<enter>");
    assert!(session.screen(80, 24).contains("Saved as harbour"));
    let placed = board_of(&session.screen(80, 24));
    session.press("cL").assert_snapshots("placing_layouts").press("<enter>");
    assert_eq!(board_of(&session.screen(80, 24)), placed);
    session.press("Ld");
    assert!(session.screen(80, 24).contains("Deleted harbour"));
    session.press("L");
    assert!(session.screen(80, 24).contains("No layout is saved"));
}

/// Returns the rows of the left board only.
fn board_of(screen: &str) -> Vec<String> {
    screen.lines().filter(|line| line.starts_with('│')).map(|line| line.chars().take(30).collect()).collect()
}

#[test]
fn a_ship_is_removed() {
    let home = TempHome::new("back");
    let mut session = Session::new(&home, "classic", "captain", Start::Game);
    session.press("<enter><down><enter>");
    assert_eq!(session.screen(80, 24).matches("  placed").count(), 2);
    session.press("<up><back>");
    let screen = session.screen(80, 24);
    assert!(screen.contains("▸ carrier    □□□□□  to place"), "{screen}");
    assert!(screen.contains("battleship □□□□   placed"), "{screen}");
}

#[test]
fn odds_and_hints_wait_until_the_fleet_is_placed() {
    let home = TempHome::new("early");
    let mut session = Session::new(&home, "classic", "sailor", Start::Game);
    let before = session.screen(80, 24);
    assert_eq!(session.press("oH").screen(80, 24), before);
}

#[test]
fn odds_and_hints_are_shown() {
    let home = TempHome::new("odds");
    let mut session = Session::new(&home, "classic", "sailor", Start::Game);
    session.press("x<enter>").until("Your shot 1").assert_snapshots("battle").press("<enter>").until("Your shot 2");
    session.press("H").until("Try ").assert_snapshots("battle_hint");
    session.press("o").until(" 10 ").assert_snapshots("battle_odds");
    session.press("om<enter>").until("Your shot 3").assert_snapshots("battle_marks");
    session.press("?").assert_snapshots("battle_help").press("<esc>q").assert_snapshots("battle_question").press("n");
    assert!(!session.0.has_quit());
    session.press("qy");
    assert!(session.0.has_quit());
}

#[test]
fn a_whole_game_ends_with_fleets_counts_skill_and_luck() {
    let home = TempHome::new("whole");
    let mut session = Session::new(&home, "classic,turn=again", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    play_by_hints(&mut session);
    session.until("Recruit: ").until_gone("calculating").until("sd)");
}

/// Plays a game to its end by following every hint.
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
    let home = TempHome::new("salvo");
    let mut session = Session::new(&home, "6x6:3,2,turn=salvo", "captain", Start::Game);
    session.press("x<enter>").until("Your salvo: 0 of 2");
    session.press("<enter>l<enter>").assert_snapshots("battle_salvo");
    session.press("l<enter>");
    assert!(session.screen(80, 24).contains("All shots are aimed"));
    session.press("h<enter>f");
    assert!(session.screen(80, 24).contains("You have aimed 1 of 2"));
    session.press("<enter>f").until("of 2 aimed");
    assert!(session.screen(80, 24).contains("You fire: D4 miss, E4 miss."), "{}", session.screen(80, 24));
}

#[test]
fn a_salvo_of_the_bot_keeps_your_result_in_the_log() {
    let home = TempHome::new("salvolog");
    let mut session = Session::new(&home, "classic,turn=salvo:5", "captain", Start::Game);
    session.press("x<enter>").until("Your salvo: 0 of 5").press("<enter>l<enter>l<enter>l<enter>j<enter>f");
    session.until("Your salvo: 0 of 5");
    for (columns, rows) in [(80, 24), (120, 40), (44, 20)] {
        let screen = session.screen(columns, rows);
        assert!(screen.contains("You fire: F6 ") && screen.contains("Captain fires: "), "{screen}");
    }
}

#[test]
fn watching_two_bots_reveals_the_result_only_at_the_end() {
    let home = TempHome::new("spoiler");
    let mut session = Session::new(&home, "4x4:2,1", "captain", Start::Menu);
    session.press("jjj<enter><enter><up><enter>").until("playing").press(" ").until("paused");
    assert!(session.0.wait_for_analysis());
    let screen = session.screen(80, 24);
    assert!(screen.contains("Volley 0   paused"), "{screen}");
    assert!(!screen.contains("overall") && !screen.contains("won"), "{screen}");
    session.press("t").until("Turning points are shown after the end of the game.");
    session.press("<end>").until("won.").until("overall skill").press("<home>").until("Volley 0 of ");
}

#[test]
fn a_review_shows_the_boards_as_the_battle_did_and_returns_to_the_result() {
    let home = TempHome::new("reviewboards");
    let mut session = Session::new(&home, "4x4:2,1", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1");
    play_by_hints(&mut session);
    session.until_gone("calculating").press("<up>");
    let result = session.screen(80, 24);
    let titles = |screen: &str| screen.lines().nth(1).unwrap().replace('─', "");
    session.press("w").until("Volley 0 of");
    assert_eq!(titles(&session.screen(80, 24)), "╭ Recruit's fleet ╮╭ Your fleet ╮");
    session.press("<esc>").until("You win!");
    assert_eq!(session.screen(80, 24), result);
    session.press("w<esc>w").until("Volley 0 of").press("q").until("You win!").press("<esc>").until("Replay");
    session.press("jjjj<enter>").until("You against Recruit").press("<enter>").until("Volley 0 of").press("<esc>");
    session.until("Choose a game to review");
}

#[test]
fn a_result_left_early_for_its_review_is_analyzed_in_the_end() {
    let home = TempHome::new("reviewearly");
    let mut session = Session::new(&home, "1x1:1", "recruit", Start::Game);
    session.press("x<enter>").until("Your shot 1").press("<enter>").until("You win!").press("w<esc>");
    session.until_gone("calculating").until("skill");
}

#[test]
fn impossible_cells_are_marked_by_default_where_ships_may_not_touch() {
    // Whatever the middle of four cells holds, one end cannot hold a ship of two.
    for (rules, by_default) in [("4x1:2,touching=forbidden", true), ("4x1:2", false)] {
        let home = TempHome::new("marks");
        let mut session = Session::new(&home, rules, "random", Start::Game);
        session.press("x<enter>").until("Your shot 1").press("<enter>").until("Your shot 2");
        let has_marks = |screen: String| screen.contains(" - ");
        assert_eq!(has_marks(session.screen(80, 24)), by_default, "{rules}");
        assert_eq!(has_marks(session.press("m").screen(80, 24)), !by_default, "{rules}");
        drop(session);
        let mut again = Session::new(&home, rules, "random", Start::Menu);
        assert_eq!(has_marks(again.press("<enter>").until("Your shot 2").screen(80, 24)), !by_default, "{rules}");
    }
}

#[test]
fn two_bots_are_watched_step_by_step() {
    let home = TempHome::new("watch");
    let mut session = Session::new(&home, "6x6:3,2,2", "captain", Start::Menu);
    session.press("jjj<enter><enter><up><enter>").until("playing").press(" ").until("paused");
    assert!(session.0.wait_for_analysis());
    session.press("<home><right><right><right>").until("Volley 3").assert_snapshots("watch");
    session.press("o").until(" 1").press("<end>").until("overall skill").assert_snapshots("watch_end");
    session.press("t").until("turning point: ").press("<esc>").until("Opponent");
}

#[test]
fn quitting_a_standalone_replay_quits_the_program() {
    let home = TempHome::new("alone");
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
fn ascii_draws_every_mark_differently() {
    let home = TempHome::new("ascii");
    let options = Options { start: Start::Game, rules: Some("5x5:3,2".parse().unwrap()), ..options(&home) };
    let mut session = Session(Headless::new(options));
    session.press("x<enter>").until("Your shot 1").press("H").until("Try ").press("<enter>").until("Your shot 2");
    let screen = session.screen(80, 24);
    assert!(screen.is_ascii(), "{screen}");
}

#[test]
fn a_hint_chosen_for_the_salvo_is_drawn_as_chosen() {
    let home = TempHome::new("aimedhint");
    let mut session = Session::new(&home, "6x6:3,2,turn=salvo", "captain", Start::Game);
    session.press("x<enter>").until("Your salvo: 0 of 2").press("H").until("Try ").press("<enter>");
    let screen = session.screen(80, 24);
    assert!(screen.contains("[◎]") && !screen.contains('★'), "{screen}");
}
