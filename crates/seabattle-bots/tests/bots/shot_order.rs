//! The order of the shots of every bot of the source documents, on fixed layouts.
//!
//! The expected shots were derived from the documents by hand, never from our own output. Where a document chooses at
//! random, the test picks a seed with the choice it needs, or checks that the shot is one the document allows.

mod adjacent;
mod checkerboard;
mod contest;
mod naive;
mod quadrant;
mod star;
mod swift;

use seabattle_bots::find;
use seabattle_core::{Cell, CellSet, Fleet, Knowledge, Rules, Seed, Shot, View};

/// All shots of a bot in a solo game against a fixed layout.
fn shots(bot: &str, rules: &str, fleet: &str, seed: u64) -> Vec<Shot> {
    let rules: Rules = rules.parse().unwrap();
    let fleet = Fleet::parse(&rules, fleet).unwrap();
    let mut bot = find(bot).unwrap().make(&Seed::new(seed));
    seabattle_arena::solo(bot.as_mut(), fleet).unwrap().knowledge().shots().to_vec()
}

/// The cells of [`shots`].
fn cells(bot: &str, rules: &str, fleet: &str, seed: u64) -> Vec<Cell> {
    shots(bot, rules, fleet, seed).into_iter().map(|shot| shot.cell).collect()
}

/// The cells of a game that starts with a given shot, with the first seed for which it does.
fn cells_from(first: &str, bot: &str, rules: &str, fleet: &str) -> Vec<Cell> {
    let first = first.parse().unwrap();
    let begins_there = |seed: &u64| {
        let knowledge = Knowledge::new(&rules.parse().unwrap());
        let mut bot = find(bot).unwrap().make(&Seed::new(*seed));
        bot.start(knowledge.rules());
        bot.shoot(&View::solo(&knowledge)) == first
    };
    let seed = (0..10_000).find(begins_there).expect("no seed lets the bot begin there");
    cells(bot, rules, fleet, seed)
}

/// Cells separated by spaces.
fn parse(text: &str) -> Vec<Cell> {
    text.split_whitespace().map(|cell| cell.parse().unwrap()).collect()
}

fn show(cells: &[Cell]) -> String {
    cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// Checks the first shots of a game.
fn check_start(cells: &[Cell], expected: &str) {
    let expected = parse(expected);
    let start = &cells[..expected.len().min(cells.len())];
    assert_eq!(show(start), show(&expected));
}

/// The cells of a 10×10 board in the order of their numbers in a table. Dots have no number.
fn numbered(table: &str) -> Vec<Cell> {
    let cell = |(index, number): (usize, &str)| {
        let number = number.parse::<usize>().ok()?;
        Some((number, Cell::new((index % 10) as u8, (index / 10) as u8)))
    };
    let mut numbers: Vec<(usize, Cell)> = table.split_whitespace().enumerate().filter_map(cell).collect();
    numbers.sort_unstable();
    assert!(numbers.iter().map(|(number, _)| *number).eq(1..=numbers.len()), "a number is missing");
    numbers.into_iter().map(|(_, cell)| cell).collect()
}

/// The cells above, below, left and right of a cell.
fn neighbors(cell: Cell, rules: &str) -> CellSet {
    CellSet::of(rules.parse::<Rules>().unwrap().size(), [cell]).beside()
}
