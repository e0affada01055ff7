//! Tunes the mixture of layouts, or measures what it costs shooters.
//!
//! `cargo run --release -p seabattle-bots --example placing -- tune classic` prints what `src/parts/placing/stored_tuning.txt` holds for
//! some rules; `… -- measure russian 3000` says what the stored mixture is worth, `… -- measure russian 300 300` also against
//! exact odds, which take long.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "an example speaks to whoever runs it")]

mod measure;
mod tune;

use seabattle_core::Rules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [command, rules, numbers @ ..] = &arguments[..] else {
        return Err("say `tune RULES` or `measure RULES [GAMES [GAMES WITH EXACT ODDS]]`".into());
    };
    let rules: Rules = rules.parse()?;
    let number = |index: usize, default: usize| numbers.get(index).map_or(Ok(default), |text| text.parse());
    match command.as_str() {
        "tune" => tune::tune(&rules),
        "measure" => measure::measure(&rules, number(0, 3_000)?, number(1, 0)?)?,
        _ => return Err("the commands are tune and measure".into()),
    }
    Ok(())
}
