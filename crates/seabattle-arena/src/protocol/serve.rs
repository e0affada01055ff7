//! A bot of this process at the other end of the protocol.

use std::io::{self, BufRead, Read, Write};

use seabattle_core::{Bot, Cell, Fleet, Knowledge, Own, Rules, Seed, Shot, View};
use thiserror::Error;

use super::{ArenaCommand, MOST_BYTES, Reply, fleet_of};

/// Why a bot stopped before it was told to.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Reading or writing failed.
    #[error("cannot talk to the arena: {0}")]
    Io(#[from] io::Error),
    /// More than a line may hold.
    #[error("a line of more than {MOST_BYTES} bytes")]
    LongLine,
}

/// Speaks for a bot until `quit` or the end of input. It is made anew for every game from its seed, or kept, if it is to
/// learn.
pub fn serve(
    name: &str,
    make: &dyn Fn(&Seed) -> Box<dyn Bot>,
    learns: bool,
    input: &mut dyn BufRead,
    output: &mut dyn Write,
) -> Result<(), ServeError> {
    let mut speaker = Speaker { name, make, learns, bot: None, game: None };
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
        match speaker.told(text.trim_end()) {
            Ok(Told::Say(lines)) => output.write_all(lines.as_bytes())?,
            Ok(Told::Nothing) => continue,
            Ok(Told::Leave) => return Ok(()),
            Err(why) => writeln!(output, "error {why}")?,
        }
        output.flush()?;
    }
}

/// What to do about a line.
enum Told {
    Say(String),
    Nothing,
    Leave,
}

struct Speaker<'a> {
    name: &'a str,
    make: &'a dyn Fn(&Seed) -> Box<dyn Bot>,
    learns: bool,
    bot: Option<Box<dyn Bot>>,
    game: Option<Playing>,
}

/// What the bot knows of a game.
struct Playing {
    rules: Rules,
    own: Option<Fleet>,
    incoming: Knowledge,
    enemy: Knowledge,
}

impl Speaker<'_> {
    fn told(&mut self, line: &str) -> Result<Told, String> {
        let rules = self.game.as_ref().map(|game| &game.rules);
        let order = ArenaCommand::parse(line, rules).map_err(|error| error.to_string())?;
        match order {
            ArenaCommand::Hello => Ok(Told::Say(format!("name {}\nready\n", self.name))),
            ArenaCommand::Sync => Ok(Told::Say("ready\n".to_owned())),
            ArenaCommand::Quit => Ok(Told::Leave),
            ArenaCommand::Game { rules, seed } => {
                self.begin(rules, seed);
                Ok(Told::Nothing)
            }
            ArenaCommand::Place => self.place().map(|fleet| Told::Say(Reply::fleet_text(&fleet) + "\n")),
            ArenaCommand::Shoot(count) => self.shoot(count).map(|cells| Told::Say(Reply::shots_text(&cells) + "\n")),
            ArenaCommand::Answer(shot) => self.note(shot, |game| &mut game.enemy),
            ArenaCommand::Enemy(shot) => self.note(shot, |game| &mut game.incoming),
            ArenaCommand::End { enemy, .. } => {
                self.end(enemy.as_deref());
                Ok(Told::Nothing)
            }
        }
    }

    fn begin(&mut self, rules: Rules, seed: u64) {
        let kept = self.bot.take().filter(|_| self.learns);
        let bot = self.bot.insert(kept.unwrap_or_else(|| (self.make)(&Seed::new(seed))));
        bot.start(&rules);
        let blank = Knowledge::new(&rules);
        self.game = Some(Playing { rules, own: None, incoming: blank.clone(), enemy: blank });
    }

    fn playing(&mut self) -> Result<(&mut dyn Bot, &mut Playing), String> {
        match (&mut self.bot, &mut self.game) {
            (Some(bot), Some(game)) => Ok((bot.as_mut(), game)),
            _ => Err("no game has begun".to_owned()),
        }
    }

    fn place(&mut self) -> Result<Fleet, String> {
        let (bot, game) = self.playing()?;
        let fleet = bot.place(&game.rules);
        game.own = Some(fleet.clone());
        Ok(fleet)
    }

    fn shoot(&mut self, count: usize) -> Result<Vec<Cell>, String> {
        let (bot, game) = self.playing()?;
        if count > game.enemy.open().len() {
            return Err(format!("{count} shots, but only {} cells are left", game.enemy.open().len()));
        }
        let mut volley = Vec::new();
        for _ in 0..count {
            let cell = bot.shoot(&game.view().aiming(&volley));
            volley.push(cell);
        }
        Ok(volley)
    }

    fn note(&mut self, shot: Shot, whose: fn(&mut Playing) -> &mut Knowledge) -> Result<Told, String> {
        let (_, game) = self.playing()?;
        whose(game).add(shot).map_err(|error| error.to_string())?;
        Ok(Told::Nothing)
    }

    fn end(&mut self, enemy: Option<&str>) {
        let Ok((bot, game)) = self.playing() else {
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

impl Playing {
    fn view(&self) -> View<'_> {
        match &self.own {
            Some(fleet) => View::new(Own { fleet, incoming: &self.incoming }, &self.enemy),
            None => View::solo(&self.enemy),
        }
    }
}
