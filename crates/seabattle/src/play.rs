//! `seabattle play`, and `seabattle` alone: a game against the computer.

use std::env;
use std::io::{self, IsTerminal};

use anyhow::Context;
use clap::{CommandFactory, Parser};
use seabattle_core::Glyphs;

use crate::cli::{Cli, Command, PlayArgs};
use crate::plain::{self, Options};
use crate::save::SaveFile;

/// A game with every default, if somebody sits in front of a terminal; else the help.
pub(crate) fn play_or_help() -> anyhow::Result<()> {
    if io::stdin().is_terminal()
        && let Some(Command::Play(args)) = Cli::parse_from(["seabattle", "play"]).command
    {
        return play(args);
    }
    Ok(Cli::command().print_long_help()?)
}

pub(crate) fn play(args: PlayArgs) -> anyhow::Result<()> {
    let options = Options {
        seed: args.seed.map_or_else(random_seed, Ok)?,
        save: args.save.map(SaveFile::open).transpose()?,
        glyphs: glyphs(args.ascii),
        echo: !io::stdin().is_terminal(),
        columns: terminal_size::terminal_size().map_or(80, |(columns, _)| usize::from(columns.0).max(20)),
        rules: args.rules,
        bot: args.bot,
        first: args.first,
    };
    plain::run(options, io::stdin().lock(), anstream::stdout().lock())
}

/// Short enough to be typed again.
fn random_seed() -> anyhow::Result<u64> {
    let number = getrandom::u32().context("the system gives no random numbers; choose one with --seed N")?;
    Ok(u64::from(number))
}

/// Symbols only where they will surely be shown: a pipe gets the same text everywhere.
fn glyphs(ascii: bool) -> Glyphs {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| env::var(name).ok().filter(|v| !v.is_empty()));
    let utf8 = locale.is_some_and(|locale| locale.to_ascii_lowercase().replace('-', "").contains("utf8"));
    if utf8 && !ascii && io::stdout().is_terminal() { Glyphs::Unicode } else { Glyphs::Ascii }
}
