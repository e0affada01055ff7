//! How long the odds take: empty boards, all positions of whole games, and drawing layouts.
//!
//! Run `cargo bench -p seabattle-odds`. `-- --games N` plays N games of classic instead of 500, and a tenth as many of
//! russian. `-- --calibrate N` compares predicted and actual hits in N games of classic instead.
#![allow(clippy::expect_used, reason = "a benchmark that cannot be set up must stop")]

use std::time::{Duration, Instant};

use seabattle_arena::solo;
use seabattle_core::{Knowledge, Rules, Seed, layout, uniform_below};
use seabattle_odds::{Limits, Odds, OddsCache, Sampler};

fn main() {
    if let Some(games) = argument("--calibrate") {
        return calibrate("classic", games);
    }
    let games = argument("--games").unwrap_or(500);
    for rules in ["classic", "classic,touching=forbidden", "russian"] {
        empty_board(rules);
    }
    for (rules, games) in [("classic", games), ("russian", games.div_ceil(10))] {
        whole_games(rules, games);
    }
    sampler("classic E5. D4x D5x C7. G3. H8. B2. F6x");
    sampler("russian C3# F6x F7. H9.");
    println!("greatest memory: {}", peak_memory());
}

fn argument(name: &str) -> Option<u64> {
    let mut arguments = std::env::args().skip_while(|argument| argument != name);
    arguments.nth(1)?.parse().ok()
}

fn timed(knowledge: &Knowledge, odds_cache: &OddsCache) -> Duration {
    let start = Instant::now();
    let odds = odds_cache.odds(knowledge).expect("a position of a real game");
    assert!(odds.is_exact(), "{knowledge}");
    start.elapsed()
}

/// A cache that keeps no odds, but reuses the memory for counting.
fn forgetful() -> OddsCache {
    OddsCache::new(0, 0, Limits::default())
}

fn empty_board(rules: &str) {
    let knowledge: Knowledge = rules.parse().expect("rules");
    let first = timed(&knowledge, &forgetful());
    let odds_cache = forgetful();
    let mut times: Vec<Duration> = (0..11).map(|_| timed(&knowledge, &odds_cache)).collect();
    times.sort();
    println!("{rules}, empty board: first {first:.1?}, then median {:.1?}", times[5]);
}

/// The positions before every shot of games that `density` plays alone.
fn whole_games(rules: &str, games: u64) {
    let parsed: Rules = rules.parse().expect("rules");
    let entry = seabattle_bots::find("density").expect("in the catalog");
    for (name, odds_cache) in [("each counted", forgetful()), ("openings remembered", OddsCache::default())] {
        let mut times = Vec::new();
        for game in 0..games {
            let seed = Seed::new(1).game(game);
            let fleet = layout::uniform(&parsed, &mut seed.layout().rng()).expect("a layout");
            let played = solo(entry.make(&seed).as_mut(), fleet).expect("a legal game");
            let mut knowledge = Knowledge::new(&parsed);
            for &shot in played.knowledge().shots() {
                times.push(timed(&knowledge, &odds_cache));
                knowledge.add(shot).expect("a legal shot");
            }
        }
        times.sort();
        let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
        let [median, most, nearly_all, all] = [0.5, 0.9, 0.99, 1.0].map(at);
        println!(
            "{rules}, {} positions of {games} density games, {name}: \
             median {median:.3?}, 90 % {most:.2?}, 99 % {nearly_all:.2?}, slowest {all:.2?}; memory so far {}",
            times.len(),
            peak_memory()
        );
    }
}

/// Predicted and actual hits of random shots in games played to the end, by deciles of the prediction.
fn calibrate(rules: &str, games: u64) {
    let parsed: Rules = rules.parse().expect("rules");
    let mut deciles = [(0_u64, 0.0, 0.0, 0_u64); 10];
    for game in 0..games {
        let seed = Seed::new(3).game(game);
        let fleet = layout::uniform(&parsed, &mut seed.layout().rng()).expect("a layout");
        let mut rng = seed.rng();
        let mut bot = seabattle_bots::find("density").expect("in the catalog").make(&seed);
        let played = solo(bot.as_mut(), fleet.clone()).expect("a legal game");
        let mut knowledge = Knowledge::new(&parsed);
        for &shot in played.knowledge().shots() {
            let odds = Odds::of(&knowledge).expect("a position of a real game");
            for cell in [Some(shot.cell), knowledge.open().nth(uniform_below(&mut rng, knowledge.open().len()))]
                .into_iter()
                .flatten()
            {
                let predicted = odds.probability(cell);
                let decile = &mut deciles[((predicted * 10.0) as usize).min(9)];
                decile.0 += 1;
                decile.1 += predicted;
                decile.2 += predicted * (1.0 - predicted);
                decile.3 += u64::from(fleet.occupied().contains(cell));
            }
            knowledge.add(shot).expect("a legal shot");
        }
    }
    println!("{rules}, {games} games: predicted and actual hits by deciles of the prediction");
    for (shots, predicted, variance, hits) in deciles.into_iter().filter(|decile| decile.0 > 0) {
        let off = (hits as f64 - predicted) / f64::max(variance, 1e-12).sqrt();
        println!("{shots:>8} shots: predicted {predicted:>10.1}, hit {hits:>7}, off by {off:+.2} standard deviations");
    }
}

fn sampler(position: &str) {
    let knowledge: Knowledge = position.parse().expect("a position");
    let mut sampler = Sampler::new(&knowledge).expect("layouts that fit");
    let mut rng = Seed::new(1).rng();
    let start = Instant::now();
    let draws = 1_000_000;
    for _ in 0..draws {
        std::hint::black_box(sampler.draw(&mut rng)).expect("a layout");
    }
    println!("{position}: {:.2} million layouts a second", f64::from(draws) / start.elapsed().as_secs_f64() / 1e6);
}

fn peak_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")).map_or_else(String::new, |size| size.trim().to_owned())
}
