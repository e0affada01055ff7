//! Measures how long the shots of a bot take.
//!
//! `cargo run --release -p seabattle-bots --example shot_times -- admiral classic 1000`
#![allow(clippy::print_stdout, reason = "an example speaks to whoever runs it")]

use std::time::{Duration, Instant};

use seabattle_core::{Rules, Seed, Solo, layout};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [bot, rules, games] = &arguments[..] else {
        return Err("say BOT RULES GAMES".into());
    };
    let (rules, games): (Rules, u64) = (rules.parse()?, games.parse()?);
    let mut chance = Seed::new(1).rng();
    let mut firsts = Vec::new();
    let mut shots = Vec::new();
    for game in 0..games {
        let mut bot = seabattle_bots::find(bot)?.make(&Seed::new(game));
        let mut solo = Solo::new(layout::any(&rules, &mut chance));
        bot.start(&rules);
        while !solo.is_over() {
            let started = Instant::now();
            let cell = bot.shoot(&solo.view());
            let list = if solo.knowledge().shots().is_empty() { &mut firsts } else { &mut shots };
            list.push(started.elapsed());
            solo.fire(&[cell])?;
        }
    }
    show("first shots", firsts);
    show("all others", shots);
    Ok(())
}

fn show(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let share = |part: f64| times.get((times.len() as f64 * part) as usize).copied().map_or(f64::NAN, milliseconds);
    let mean = times.iter().sum::<Duration>().as_secs_f64() * 1e3 / times.len() as f64;
    let longest = times.last().copied().map_or(f64::NAN, milliseconds);
    println!(
        "{what}: mean {mean:.3} ms, half {:.3}, 99 % {:.2}, longest {longest:.1} ({} shots)",
        share(0.5),
        share(0.99),
        times.len()
    );
}
