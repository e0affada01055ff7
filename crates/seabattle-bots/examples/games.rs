//! Games of a bot alone as position lines: `cargo run --release -p seabattle-bots --example games -- champion classic 0 1000`.
#![allow(clippy::print_stdout, reason = "an example speaks to whoever runs it")]

use seabattle_core::{Rules, Seed, Solo, layout};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [bot, rules, from, to] = &arguments[..] else {
        return Err("say BOT RULES FROM TO: the numbers of games, which decide their layouts".into());
    };
    let (rules, from, to): (Rules, u64, u64) = (rules.parse()?, from.parse()?, to.parse()?);
    for game in from..to {
        let mut bot = seabattle_bots::find(bot)?.make(&Seed::new(game));
        let mut solo = Solo::new(layout::any(&rules, &mut Seed::new(game).stream()));
        bot.start(&rules);
        while !solo.is_over() {
            let cell = bot.shoot(&solo.view());
            solo.fire(&[cell])?;
        }
        println!("{}", solo.knowledge());
    }
    Ok(())
}
