//! Measures skill and luck in solo games on uniform layouts. Luck should be 0 on average, and skill should order the
//! bots as their shots do.
//!
//! `cargo run --release -p seabattle-bots --example skill_and_luck -- classic 500 [BOT…]`
#![allow(clippy::print_stdout, reason = "an example speaks to whoever runs it")]

use seabattle_bots::{BotInfo, catalog, find};
use seabattle_core::{Rules, Seed, Shot, Side, Solo, layout};
use seabattle_odds::{OddsCache, Review};

const SEED: u64 = 2026;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let rules: Rules = arguments.first().map_or("classic", String::as_str).parse()?;
    let games: u64 = arguments.get(1).map_or(Ok(500), |games| games.parse())?;
    let named: Result<Vec<&BotInfo>, _> = arguments.iter().skip(2).map(|name| find(name)).collect();
    let bots = if arguments.len() > 2 { named? } else { catalog().iter().collect() };
    let odds_cache = OddsCache::default();
    println!("{rules}, {games} uniform layouts, seed {SEED}: mean (standard error)\n");
    println!("{:<16}{:>16}{:>18}{:>20}{:>8}", "bot", "shots", "skill", "luck", "off");
    for entry in bots {
        let (mut shots, mut skill, mut luck) = (Mean::default(), Mean::default(), Mean::default());
        for game in 0..games {
            let review = play(entry, &rules, game, &odds_cache)?;
            shots.add(review.shots().len() as f64);
            skill.add(review.skill().unwrap_or(0.0));
            luck.add(review.luck());
        }
        let off = luck.mean() / luck.error();
        println!("{:<16}{:>16}{:>18}{:>20}{off:>+8.2}", entry.name, shots.show(2), skill.show(2), luck.show(3));
    }
    Ok(())
}

/// Plays and analyzes one solo game.
fn play(
    entry: &BotInfo,
    rules: &Rules,
    game: u64,
    odds_cache: &OddsCache,
) -> Result<Review, Box<dyn std::error::Error>> {
    let seed = Seed::new(SEED).game(game);
    let mut solo = Solo::new(layout::uniform(rules, &mut seed.layout().rng())?);
    let mut bot = entry.make(&seed.side(Side::A));
    bot.start(rules);
    let mut volleys: Vec<Vec<Shot>> = Vec::new();
    while !solo.is_over() {
        let mut volley = Vec::new();
        for _ in 0..solo.shots_due() {
            volley.push(bot.shoot(&solo.view().aiming(&volley)));
        }
        volleys.push(solo.fire(&volley)?.to_vec());
    }
    let review = Review::of(rules, volleys.iter().map(Vec::as_slice), odds_cache, || true);
    review.ok_or_else(|| "a position has no odds".into())
}

/// A running mean with its standard error.
#[derive(Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn error(&self) -> f64 {
        let variance = (self.squares - self.sum * self.sum / self.count) / (self.count - 1.0);
        (variance.max(0.0) / self.count).sqrt()
    }

    fn show(&self, digits: usize) -> String {
        format!("{:.digits$} ({:.digits$})", self.mean(), self.error())
    }
}
