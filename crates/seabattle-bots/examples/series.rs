//! Plays a series of games between `champion` and every other bot, and counts the wins.
//!
//! `cargo run --release -p seabattle-bots --example series -- classic 100`
#![allow(clippy::print_stdout, reason = "an example speaks to whoever runs it")]

use seabattle_arena::duel;
use seabattle_bots::{catalog, find};
use seabattle_core::{BySide, Rules, Seed, Side};

const SEED: u64 = 2026;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rules: Rules = arguments.first().map_or("classic", String::as_str).parse()?;
    let games: u64 = arguments.get(1).map_or(Ok(100), |games| games.parse())?;
    println!("{rules}: games of {games} won by champion, seed {SEED}, first shot in turn\n");
    for entry in catalog().iter().filter(|entry| entry.name != "champion") {
        let seed = Seed::new(SEED);
        let mut bots = BySide { a: find("champion")?.make(&seed.side(Side::A)), b: entry.make(&seed.side(Side::B)) };
        let (mut won, mut drawn) = (0, 0);
        for game in 0..games {
            let first = if game % 2 == 0 { Side::A } else { Side::B };
            let game = duel(&mut bots, &rules, first)?;
            let sunk = Side::ALL.map(|side| game.afloat(side) == 0);
            won += u64::from(sunk == [false, true]);
            drawn += u64::from(sunk == [true, true]);
        }
        println!("{:<16}{won:>5} won{drawn:>4} drawn", entry.name);
    }
    Ok(())
}
