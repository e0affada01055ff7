//! Whole games with strangers, what is written down of them, and games typed at a terminal.

use std::cell::Cell as Counter;
use std::fs;
use std::path::PathBuf;
use std::str::Lines;

use seabattle_arena::protocol::Reply;
use seabattle_arena::{
    Fault, FaultKind, FinishedGame, GameKey, GameSettings, Journal, Pairing, Player, referee as play,
};
use seabattle_core::{BySide, Cell, Fleet, Glyphs, Record, Rules, Seed, Side, View};
use seabattle_terminal::{First, plain};

use crate::{first_line, texts, under_rules};

/// Contestants of the tournament whose journals are read.
const CONTESTANTS: usize = 4;

thread_local! {
    static FOLDERS: Counter<u64> = const { Counter::new(0) };
}

/// A journal of games: each line alone, and all of them as the file of a tournament that was broken off.
pub fn journal(data: &[u8]) {
    for line in data.split(|byte| *byte == b'\n') {
        if let Some(entry) = FinishedGame::read(line, CONTESTANTS) {
            assert_eq!(
                FinishedGame::read(entry.line().as_bytes(), CONTESTANTS).as_ref(),
                Some(&entry),
                "{}",
                entry.line()
            );
        }
    }
    let folder = TempFolder::new();
    fs::write(folder.0.join(Journal::FILE), data).expect("a temporary folder can be written");
    let first = Journal::open(&folder.0, CONTESTANTS).expect("whatever the file holds").results().clone();
    let again = Journal::open(&folder.0, CONTESTANTS).expect("a journal that was opened once opens again");
    assert_eq!(again.results(), &first);
}

/// A folder for a journal, gone when it is dropped.
struct TempFolder(PathBuf);

impl TempFolder {
    fn new() -> Self {
        let number = FOLDERS.replace(FOLDERS.get() + 1);
        let name = format!("seabattle-fuzz-{}-{:?}-{number}", std::process::id(), std::thread::current().id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).expect("a temporary folder can be made");
        Self(folder)
    }
}

impl Drop for TempFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to whoever cleans temporary folders.
        let _gone = fs::remove_dir_all(&self.0);
    }
}

/// Rules, then what two strangers answer line by line: a fleet each, then shots. The record of whatever comes of it is sound.
pub fn referee(data: &[u8]) {
    let Some((rules, text)) = under_rules(data) else { return };
    let half = text.lines().count() / 2;
    let at = text.match_indices('\n').nth(half).map_or(text.len(), |(at, _)| at);
    let mut players: BySide<Box<dyn Player + '_>> = BySide {
        a: Box::new(HostileBot { rules: rules.clone(), lines: text[..at].lines() }),
        b: Box::new(HostileBot { rules: rules.clone(), lines: text[at..].lines() }),
    };
    let terms = GameSettings { rules, seed: Seed::new(1), first: Side::A, reveal: true };
    let played = play(&mut players, &terms);
    for side in Side::ALL {
        assert!(played.faults[side].is_none() || played.winner != Some(side), "{played:?}");
    }
    if let Some(game) = &played.game {
        texts::sound(&Record::of(game, BySide { a: "a", b: "b" }, Some(1)));
    }
    let key = GameKey { pairing: Pairing { round: 0, a: 0, b: 1 }, pair: 0, game: 0 };
    let entry = FinishedGame::of(key, &played);
    assert_eq!(FinishedGame::read(entry.line().as_bytes(), 2).as_ref(), Some(&entry));
}

/// Says what stands in the next line.
struct HostileBot<'a> {
    rules: Rules,
    lines: Lines<'a>,
}

impl HostileBot<'_> {
    fn silent() -> Fault {
        Fault { kind: FaultKind::ALL[0], detail: "no more lines".to_owned(), log: Vec::new() }
    }
}

impl Player for HostileBot<'_> {
    fn start(&mut self, _: &Rules, _: &Seed) -> Result<(), Fault> {
        Ok(())
    }

    fn place(&mut self, _: &Rules) -> Result<Fleet, Fault> {
        let line = self.lines.next().ok_or_else(Self::silent)?;
        Fleet::parse(&self.rules, line).map_err(|_| Self::silent())
    }

    fn shoot(&mut self, _: &View<'_>, _: usize) -> Result<Vec<Cell>, Fault> {
        match Reply::parse(self.lines.next().ok_or_else(Self::silent)?) {
            Ok(Reply::Shots(cells)) => Ok(cells),
            _ => Err(Self::silent()),
        }
    }
}

/// Rules, then a game as it is typed, byte for byte.
pub fn typed(data: &[u8]) {
    let (rules, keys) = first_line(data);
    let Some(rules) = std::str::from_utf8(rules).ok().and_then(|rules| rules.parse().ok()) else { return };
    let options = plain::Options {
        rules,
        bot: seabattle_bots::find("random").expect("random is in the catalog"),
        seed: 1,
        first: First::Me,
        save: None,
        glyphs: Glyphs::default(),
        echo: true,
        columns: 80,
    };
    // Bytes that are no text end the sitting.
    let _ended = plain::run(options, keys, std::io::sink());
}
