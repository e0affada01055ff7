//! `seabattle play`, and `seabattle` alone: a game against the computer, full-screen or line by line.

use std::env;
use std::io::{self, IsTerminal};

use clap::Parser;
use seabattle_bots::BotInfo;
use seabattle_core::{Glyphs, Rules};
use seabattle_terminal::screen::{self, DataFolders, Start};
use seabattle_terminal::{First, RecordFile, plain};

use crate::cli::{self, Cli, Command, PlayArgs};
use crate::random_seed;

/// The default opponent of a game line by line.
const PLAIN_OPPONENT: &str = "adjacent";

/// Opens the menu on a terminal; elsewhere prints the help.
pub(crate) fn play_or_help() -> anyhow::Result<()> {
    if io::stdin().is_terminal()
        && io::stdout().is_terminal()
        && let Some(Command::Play(args)) = Cli::parse_from(["seabattle", "play"]).command
    {
        return start(args, Start::Menu);
    }
    Ok(cli::command().print_long_help()?)
}

pub(crate) fn play(args: PlayArgs) -> anyhow::Result<()> {
    start(args, Start::Game)
}

fn start(args: PlayArgs, start: Start) -> anyhow::Result<()> {
    let save = args.save.clone().map(RecordFile::open).transpose()?;
    let seed = args.seed.map_or_else(random_seed::short, Ok)?;
    if args.plain || !is_screen_available() {
        play_plain(args, save, seed)
    } else {
        play_on_screen(args, save, seed, start)
    }
}

fn play_on_screen(args: PlayArgs, save: Option<RecordFile>, seed: u64, start: Start) -> anyhow::Result<()> {
    let options = screen::Options {
        start,
        rules: args.rules,
        bot: args.bot,
        seed,
        first: first(args.first),
        save,
        theme: args.theme,
        glyphs: glyphs(args.ascii),
        folders: DataFolders::from_environment(),
    };
    Ok(screen::run(options)?)
}

fn play_plain(args: PlayArgs, save: Option<RecordFile>, seed: u64) -> anyhow::Result<()> {
    let options = plain::Options {
        seed,
        save,
        glyphs: glyphs(args.ascii),
        echo: !io::stdin().is_terminal(),
        columns: columns(),
        rules: args.rules.unwrap_or_else(Rules::classic),
        bot: args.bot.map_or_else(plain_opponent, Ok)?,
        first: first(args.first),
    };
    Ok(plain::run(options, io::stdin().lock(), anstream::stdout().lock())?)
}

/// Returns the width of the terminal, or 80.
pub(crate) fn columns() -> usize {
    terminal_size::terminal_size().map_or(80, |(columns, _)| usize::from(columns.0).max(20))
}

fn plain_opponent() -> anyhow::Result<&'static BotInfo> {
    Ok(seabattle_bots::find(PLAIN_OPPONENT)?)
}

fn first(first: cli::FirstPlayer) -> First {
    match first {
        cli::FirstPlayer::Random => First::Random,
        cli::FirstPlayer::Me => First::Me,
        cli::FirstPlayer::Bot => First::Bot,
    }
}

/// Whether input and output are a terminal that can be drawn on.
pub(crate) fn is_screen_available() -> bool {
    let dumb = env::var("TERM").map_or(cfg!(unix), |term| term.is_empty() || term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !dumb
}

/// Chooses Unicode symbols only for a terminal that surely shows them. A pipe gets the same text everywhere.
pub(crate) fn glyphs(ascii: bool) -> Glyphs {
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(|name| env::var(name).ok().filter(|v| !v.is_empty()));
    let utf8 = locale.is_some_and(|locale| locale.to_ascii_lowercase().replace('-', "").contains("utf8"));
    let console = env::var("TERM").is_ok_and(|term| term == "linux");
    if utf8 && !ascii && !console && io::stdout().is_terminal() { Glyphs::Unicode } else { Glyphs::Ascii }
}
