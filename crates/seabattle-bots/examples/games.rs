//! Games of a bot alone, on the layouts of `bench --seed SEED --skip FROM`: position lines, and after each shot the odds of its answers
//! before it was fired, unless there was but one: `E5./.=0.83/x=0.17`.
//!
//! `cargo run --release -p seabattle-bots --example games -- champion classic 2026 0 1000`
#![allow(clippy::print_stdout, reason = "an example speaks to whoever runs it")]

use std::fmt::Write as _;

use seabattle_bots::find;
use seabattle_core::{Rules, Seed, Shot, Side, Solo, layout};
use seabattle_odds::{Book, Limits, Odds};

/// Bots open alike: most of the time goes into openings where ships keep apart, unless they are remembered.
const OPENING: usize = 12;
const OPENINGS: usize = 30_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [bot, rules, seed, from, to] = &arguments[..] else {
        return Err("say BOT RULES SEED FROM TO: the games from FROM up to TO, without TO itself".into());
    };
    let (entry, rules): (_, Rules) = (find(bot)?, rules.parse()?);
    let (seed, from, to): (u64, u64, u64) = (seed.parse()?, from.parse()?, to.parse()?);
    let book = Book::new(OPENING, OPENINGS, Limits::default());
    for game in from..to {
        let seed = Seed::new(seed).game(game);
        let mut solo = Solo::new(layout::uniform(&rules, &mut seed.layout().stream())?);
        let mut bot = entry.make(&seed.side(Side::A));
        bot.start(&rules);
        let mut line = rules.to_string();
        while !solo.is_over() {
            let cell = bot.shoot(&solo.view());
            let odds = book.odds(solo.knowledge())?;
            for shot in solo.fire(&[cell])? {
                write!(line, " {}{}", shot.to_text(&rules), answers(&odds, shot))?;
            }
        }
        println!("{line}");
    }
    Ok(())
}

fn answers(odds: &Odds, shot: &Shot) -> String {
    let answers = odds.answers(shot.cell);
    if answers.len() == 1 {
        return String::new();
    }
    let cell = shot.cell.to_string();
    let told = answers.iter().map(|&(outcome, probability)| {
        let text = Shot { outcome, ..*shot }.to_text(odds.rules());
        format!("/{}={probability:.9}", text.trim_start_matches(&cell))
    });
    told.collect()
}
