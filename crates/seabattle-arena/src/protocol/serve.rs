//! The bot's end of the line protocol: it serves a built-in bot.

use std::io::{self, BufRead, Read, Write};

use seabattle_core::{Bot, Cell, Fleet, Knowledge, OwnBoard, Rules, Seed, Shot, ShotError, View};
use thiserror::Error;

use super::{ArenaCommand, CommandError, MOST_BYTES, Reply, fleet_of};

/// Why a served bot stopped before `quit`.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Reading or writing failed.
    #[error("cannot talk to the arena: {0}")]
    Io(#[from] io::Error),
    /// The arena sent a line that is too long.
    #[error("a line of more than {MOST_BYTES} bytes")]
    LongLine,
}

/// Serves a bot over the line protocol until `quit` or the end of the input.
///
/// It makes a new bot from the seed of every game, or keeps one bot that learns from game to game.
pub fn serve(
    name: &str,
    make: &dyn Fn(&Seed) -> Box<dyn Bot>,
    learns: bool,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), ServeError> {
    let mut server = Server { name, make, learns, bot: None, game: None };
    let mut line = Vec::new();
    loop {
        line.clear();
        input.take(MOST_BYTES as u64 + 2).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            return Ok(());
        }
        if line.len() > MOST_BYTES + 1 {
            return Err(ServeError::LongLine);
        }
        let text = String::from_utf8_lossy(&line);
        match server.execute(text.trim_end()) {
            Ok(Action::Reply(lines)) => output.write_all(lines.as_bytes())?,
            Ok(Action::Nothing) => continue,
            Ok(Action::Quit) => return Ok(()),
            Err(why) => writeln!(output, "error {why}")?,
        }
        output.flush()?;
    }
}

/// Why a bot answers a command with `error`.
#[derive(Debug, Error)]
enum RequestError {
    #[error(transparent)]
    Command(#[from] CommandError),
    #[error("no game has begun")]
    NoGame,
    #[error("{count} shots, but only {open} cells are left")]
    TooManyShots { count: usize, open: usize },
    #[error(transparent)]
    Answer(#[from] ShotError),
}

/// What follows from a command.
enum Action {
    Reply(String),
    Nothing,
    Quit,
}

struct Server<'a> {
    name: &'a str,
    make: &'a dyn Fn(&Seed) -> Box<dyn Bot>,
    learns: bool,
    bot: Option<Box<dyn Bot>>,
    game: Option<CurrentGame>,
}

/// What the bot knows of the current game.
struct CurrentGame {
    rules: Rules,
    own: Option<Fleet>,
    incoming: Knowledge,
    enemy: Knowledge,
}

impl Server<'_> {
    fn execute(&mut self, line: &str) -> Result<Action, RequestError> {
        let rules = self.game.as_ref().map(|game| &game.rules);
        let command = ArenaCommand::parse(line, rules)?;
        match command {
            ArenaCommand::Hello => Ok(Action::Reply(format!("name {}\nready\n", self.name))),
            ArenaCommand::Sync => Ok(Action::Reply("ready\n".to_owned())),
            ArenaCommand::Quit => Ok(Action::Quit),
            ArenaCommand::Game { rules, seed } => {
                self.begin(rules, seed);
                Ok(Action::Nothing)
            }
            ArenaCommand::Place => self.place().map(|fleet| Action::Reply(Reply::fleet_text(&fleet) + "\n")),
            ArenaCommand::Shoot(count) => {
                self.shoot(count).map(|cells| Action::Reply(Reply::shots_text(&cells) + "\n"))
            }
            ArenaCommand::Answer(shot) => self.add_shot(shot, |game| &mut game.enemy),
            ArenaCommand::Enemy(shot) => self.add_shot(shot, |game| &mut game.incoming),
            ArenaCommand::End { enemy, .. } => {
                self.end(enemy.as_deref());
                Ok(Action::Nothing)
            }
        }
    }

    fn begin(&mut self, rules: Rules, seed: u64) {
        let learned = self.bot.take().filter(|_| self.learns);
        let bot = self.bot.insert(learned.unwrap_or_else(|| (self.make)(&Seed::new(seed))));
        bot.start(&rules);
        let blank = Knowledge::new(&rules);
        self.game = Some(CurrentGame { rules, own: None, incoming: blank.clone(), enemy: blank });
    }

    fn current(&mut self) -> Result<(&mut dyn Bot, &mut CurrentGame), RequestError> {
        match (&mut self.bot, &mut self.game) {
            (Some(bot), Some(game)) => Ok((bot.as_mut(), game)),
            _ => Err(RequestError::NoGame),
        }
    }

    fn place(&mut self) -> Result<Fleet, RequestError> {
        let (bot, game) = self.current()?;
        let fleet = bot.place(&game.rules);
        game.own = Some(fleet.clone());
        Ok(fleet)
    }

    fn shoot(&mut self, count: usize) -> Result<Vec<Cell>, RequestError> {
        let (bot, game) = self.current()?;
        let open = game.enemy.open().len();
        if count > open {
            return Err(RequestError::TooManyShots { count, open });
        }
        let mut volley = Vec::new();
        for _ in 0..count {
            let cell = bot.shoot(&game.view().aiming(&volley));
            volley.push(cell);
        }
        Ok(volley)
    }

    fn add_shot(&mut self, shot: Shot, whose: fn(&mut CurrentGame) -> &mut Knowledge) -> Result<Action, RequestError> {
        let (_, game) = self.current()?;
        whose(game).add(shot)?;
        Ok(Action::Nothing)
    }

    fn end(&mut self, enemy: Option<&str>) {
        let Ok((bot, game)) = self.current() else {
            return;
        };
        let ends = enemy.and_then(|ships| match Reply::parse(&format!("fleet {ships}")) {
            Ok(Reply::Fleet(ends)) => Some(ends),
            _ => None,
        });
        let fleet = ends.and_then(|ends| fleet_of(&game.rules, &ends).ok());
        bot.finish(&game.view(), fleet.as_ref());
        self.game = None;
    }
}

impl CurrentGame {
    fn view(&self) -> View<'_> {
        match &self.own {
            Some(fleet) => View::new(OwnBoard { fleet, incoming: &self.incoming }, &self.enemy),
            None => View::solo(&self.enemy),
        }
    }
}
