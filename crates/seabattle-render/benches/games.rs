//! The time to analyze a game, and to make an animation of it.
//!
//! Run `cargo bench -p seabattle-render`. `-- --games N` takes N games of each kind instead of 10. Each game has one thread
//! and an empty odds cache, as in a command for one game.
#![allow(clippy::expect_used, clippy::print_stdout, reason = "a benchmark that cannot be set up must stop")]

use std::time::{Duration, Instant};

use seabattle_arena::duel;
use seabattle_bots::find;
use seabattle_core::{BySide, Record, Rules, Seed, Side};
use seabattle_odds::OddsCache;
use seabattle_render::Palette;
use seabattle_render::{Frames, Replay, ShownSides, Speed, animation, page};

fn main() {
    let mut arguments = std::env::args().skip_while(|argument| argument != "--games");
    let games = arguments.nth(1).and_then(|games| games.parse().ok()).unwrap_or(10);
    for rules in ["classic", "russian", "salvo"] {
        measure(rules, games);
    }
}

fn measure(rules: &str, games: u64) {
    let rules: Rules = rules.parse().expect("rules");
    let (mut analyzing, mut animating, mut sizes, mut shots, mut pages) = (vec![], vec![], vec![], vec![], vec![]);
    for game in 0..games {
        let record = play(&rules, game);
        shots.push(record.turns().iter().map(|(_, shots)| shots.len()).sum::<usize>());
        let start = Instant::now();
        let replay = Replay::with_odds(record, &OddsCache::default(), |_| true).expect("odds of a real game");
        analyzing.push(start.elapsed());
        let start = Instant::now();
        let frames = Frames::new(&replay, ShownSides::Both, true, Palette::LIGHT);
        sizes.push(animation(&frames, Speed::default(), frames.width() as u16, |_| {}).expect("an animation").len());
        animating.push(start.elapsed());
        pages.push(page(&replay, ShownSides::Both, true).len());
    }
    println!(
        "{rules}, {games} games of {} to {} shots: judged in {}, filmed in {}, GIF of {} to {} kB, page of at most {} kB",
        shots.iter().min().expect("a game"),
        shots.iter().max().expect("a game"),
        spread(analyzing),
        spread(animating),
        sizes.iter().min().expect("a game") / 1000,
        sizes.iter().max().expect("a game") / 1000,
        pages.iter().max().expect("a game") / 1000,
    );
}

fn play(rules: &Rules, game: u64) -> Record {
    let seed = Seed::new(1).game(game);
    let bot = find("density").expect("in the catalog");
    let mut bots = BySide::new(|side| bot.make(&seed.side(side)));
    let game = duel(&mut bots, rules, Side::A).expect("a game");
    Record::of(&game, BySide { a: "density", b: "density" }, None)
}

fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    format!("{:.2?} (median), {:.2?} (slowest)", times[times.len() / 2], times[times.len() - 1])
}
