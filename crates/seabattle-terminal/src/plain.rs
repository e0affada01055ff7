//! The game typed line by line: commands in, text out.

mod battle;
mod boards;
mod console;
mod placing;
mod replay;

use std::io::{BufRead, Write};

use seabattle_bots::BotInfo;
use seabattle_core::{Bot, BySide, Fleet, Game, Glyphs, Record, Rules, Seed, Side, Stop, uniform_below};

use crate::record_file::RecordFile;
use crate::{COMPUTER, First, HUMAN, messages};
use console::{Console, Input};

pub use replay::{ReplayOptions, replay};

/// How the game typed line by line starts.
pub struct Options {
    /// The rules of every game.
    pub rules: Rules,
    /// The opponent.
    pub bot: &'static BotInfo,
    /// Seed of the first game. Every later game adds one.
    pub seed: u64,
    /// Who fires first.
    pub first: First,
    /// A file for records.
    pub save: Option<RecordFile>,
    /// The characters for drawing boards.
    pub glyphs: Glyphs,
    /// Whether to repeat the input in the output.
    pub echo: bool,
    /// Width of the screen in columns.
    pub columns: usize,
}

/// How a player can leave a game early.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exit {
    Reset,
    Quit,
}

/// Plays games until the player quits or the input ends.
pub fn run(mut options: Options, input: impl BufRead, output: impl Write) -> crate::Result<()> {
    let mut console = Console::new(input, output, &options);
    let mut seed = options.seed;
    loop {
        match play_one(&mut console, &mut options, seed)? {
            Some(Exit::Quit) => break,
            Some(Exit::Reset) => {}
            None if another_game(&mut console)? => {}
            None => break,
        }
        seed = seed.wrapping_add(1);
    }
    console.say("Goodbye.")?;
    Ok(())
}

/// Plays one game. Returns what the player asked for, if it ended early.
fn play_one<R: BufRead, W: Write>(
    console: &mut Console<R, W>,
    options: &mut Options,
    seed: u64,
) -> crate::Result<Option<Exit>> {
    let seeds = Seed::new(seed);
    console.say(&messages::welcome(&options.rules, options.bot, seed))?;
    let fleet = match placing::place(console, &options.rules, &seeds.side(HUMAN))? {
        Ok(fleet) => fleet,
        Err(exit) => return Ok(Some(exit)),
    };
    let (mut game, mut bot) = start_game(options, &seeds, fleet)?;
    let exit = battle::play(console, &mut game, bot.as_mut(), options.bot.title)?;
    if exit.is_some() {
        game.stop(Stop::Abandon);
    }
    battle::print_result(console, &game, options.bot.title)?;
    save(console, options, &game, seed)?;
    Ok(exit)
}

fn start_game(options: &Options, seeds: &Seed, fleet: Fleet) -> crate::Result<(Game, Box<dyn Bot>)> {
    let first = match options.first {
        First::Me => HUMAN,
        First::Bot => COMPUTER,
        First::Random => Side::ALL[uniform_below(&mut seeds.first().rng(), 2)],
    };
    let mut bot = options.bot.make(&seeds.side(COMPUTER));
    bot.start(&options.rules);
    let fleets = BySide { a: fleet, b: bot.place(&options.rules) };
    Ok((Game::new(fleets, first)?, bot))
}

fn another_game<R: BufRead, W: Write>(console: &mut Console<R, W>) -> crate::Result<bool> {
    loop {
        let Input::Line(line) = console.ask("Another game? (yes/no) ")? else {
            return Ok(false);
        };
        match line.to_ascii_lowercase().as_str() {
            "y" | "yes" | "again" | "reset" => return Ok(true),
            "n" | "no" | "quit" | "q" | "exit" => return Ok(false),
            _ => console.say("Please answer yes or no.")?,
        }
    }
}

/// Saves the record, or prints it if that fails.
fn save<R: BufRead, W: Write>(
    console: &mut Console<R, W>,
    options: &mut Options,
    game: &Game,
    seed: u64,
) -> crate::Result<()> {
    let Some(file) = &mut options.save else {
        return Ok(());
    };
    let record = Record::of(game, BySide { a: "you", b: options.bot.name }, Some(seed));
    match file.append(&record) {
        Ok(()) => console.say(&format!("Saved to {}.", file.path()))?,
        Err(error) => {
            console.say(&format!("Could not save to {}: {error}. Here is the record:", file.path()))?;
            console.say_exactly(&record.to_string())?;
        }
    }
    Ok(())
}
