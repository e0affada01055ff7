//! Tunes the layout chooser, or measures how many more shots its layouts survive.
//!
//! - `cargo run --release -p seabattle-bots --example placing -- tune classic` prints a block of
//!   `src/parts/placing/stored_tuning.txt`.
//! - `… -- measure russian 3000` measures the stored tuning.
//! - `… -- measure russian 300 300` also measures it against exact odds, which takes long.
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
