//! Commands of the line protocol: the lines from the arena to a bot.

use seabattle_core::{Cell, ClassId, Fleet, Outcome, Rules, Shot};
use thiserror::Error;

use super::fields::{self, Fields, FieldsError};
use super::{VERSION, fleet_text, shown};

/// A command of the arena: one line to a bot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArenaCommand {
    /// `seabattle 1`: the greeting with the protocol version.
    Hello,
    /// `sync`: asks whether the bot is ready.
    Sync,
    /// `game`: starts a new game.
    Game {
        /// The rules of the game.
        rules: Rules,
        /// The seed for the bot's own random choices.
        seed: u64,
    },
    /// `place`: asks for a fleet.
    Place,
    /// `shoot N`: asks for this number of shots.
    Shoot(usize),
    /// `answer`: the result of a shot of the bot.
    Answer(Shot),
    /// `enemy`: the result of a shot of the enemy.
    Enemy(Shot),
    /// `end`: the game is over.
    End {
        /// How the game ended for the bot.
        outcome: GameOutcome,
        /// Why the game ended, in one word.
        reason: String,
        /// The enemy's fleet if it is revealed: both ends of each ship.
        enemy: Option<String>,
    },
    /// `quit`: asks the program to exit.
    Quit,
}

/// How a game ended for one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GameOutcome {
    /// The side won.
    Won,
    /// The side lost.
    Lost,
    /// The game was drawn.
    Draw,
}

impl GameOutcome {
    const ALL: [Self; 3] = [Self::Won, Self::Lost, Self::Draw];

    fn word(self) -> &'static str {
        match self {
            Self::Won => "won",
            Self::Lost => "lost",
            Self::Draw => "draw",
        }
    }
}

/// Why a line is not a command.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CommandError {
    /// The command is unknown.
    #[error("unknown command {command:?}")]
    Unknown {
        /// The name of the command.
        command: String,
    },
    /// The greeting has another protocol version.
    #[error("this bot speaks version {VERSION} of the protocol, not {version:?}")]
    Version {
        /// The version in the greeting.
        version: String,
    },
    /// The command is only allowed during a game.
    #[error("`{command}` before `game`")]
    NoGame {
        /// The name of the command.
        command: String,
    },
    /// The arguments of the command cannot be read.
    #[error("`{command}` is followed by {expected}, not {rest:?}")]
    Rest {
        /// The name of the command.
        command: &'static str,
        /// The expected arguments.
        expected: &'static str,
        /// The arguments of the line.
        rest: String,
    },
    /// The fields are not legal rules.
    #[error(transparent)]
    Fields(#[from] FieldsError),
}

impl ArenaCommand {
    /// An `end` command, with the enemy's fleet if it is revealed.
    pub fn end(outcome: GameOutcome, reason: &str, enemy: Option<&Fleet>) -> Self {
        Self::End { outcome, reason: reason.to_owned(), enemy: enemy.map(fleet_text) }
    }

    /// The text of the line, without its newline. Shots name ships of these rules.
    pub fn to_text(&self, rules: &Rules) -> String {
        match self {
            Self::Hello => format!("seabattle {VERSION}"),
            Self::Sync => "sync".to_owned(),
            Self::Game { rules, seed } => format!("game {} seed {seed}", fields::of_rules(rules)),
            Self::Place => "place".to_owned(),
            Self::Shoot(count) => format!("shoot {count}"),
            Self::Answer(shot) => format!("answer {}", shot_text(*shot, rules)),
            Self::Enemy(shot) => format!("enemy {}", shot_text(*shot, rules)),
            Self::End { outcome, reason, enemy } => {
                let reason = if reason.is_empty() { String::new() } else { format!(" reason {reason}") };
                let enemy = enemy.as_ref().map_or(String::new(), |ships| format!(" fleet {ships}"));
                format!("end {}{reason}{enemy}", outcome.word())
            }
            Self::Quit => "quit".to_owned(),
        }
    }

    /// Parses a line. Shots name ships of these rules, those of the current game.
    pub fn parse(line: &str, rules: Option<&Rules>) -> Result<Self, CommandError> {
        let (command, rest) = line.trim_end().split_once(' ').unwrap_or((line.trim_end(), ""));
        let in_game = || rules.ok_or_else(|| CommandError::NoGame { command: shown(command) });
        match command {
            "seabattle" if rest == VERSION.to_string() => Ok(Self::Hello),
            "seabattle" => Err(CommandError::Version { version: shown(rest) }),
            "sync" => Ok(Self::Sync),
            "game" => {
                let fields = Fields::parse(rest)?;
                let seed = if fields.find("seed").is_some() { fields.number("seed")? } else { 0 };
                Ok(Self::Game { rules: fields.rules()?, seed })
            }
            "place" => in_game().map(|_| Self::Place),
            "shoot" => in_game().and_then(|_| count(rest)).map(Self::Shoot),
            "answer" => in_game().and_then(|rules| shot("answer", rest, rules)).map(Self::Answer),
            "enemy" => in_game().and_then(|rules| shot("enemy", rest, rules)).map(Self::Enemy),
            "end" => in_game().and_then(|_| end(rest)),
            "quit" => Ok(Self::Quit),
            _ => Err(CommandError::Unknown { command: shown(command) }),
        }
    }
}

fn count(rest: &str) -> Result<usize, CommandError> {
    let number = rest.parse().ok().filter(|count| (1..=2500).contains(count));
    number.ok_or_else(|| CommandError::Rest { command: "shoot", expected: "a number of shots", rest: shown(rest) })
}

fn shot_text(shot: Shot, rules: &Rules) -> String {
    let name = |class: ClassId| rules.class(class).name();
    match shot.outcome {
        Outcome::Miss => format!("{} miss", shot.cell),
        Outcome::Hit(None) => format!("{} hit", shot.cell),
        Outcome::Hit(Some(class)) => format!("{} hit {}", shot.cell, name(class)),
        Outcome::Sunk(None) => format!("{} sunk", shot.cell),
        Outcome::Sunk(Some(class)) => format!("{} sunk {}", shot.cell, name(class)),
    }
}

fn shot(command: &'static str, rest: &str, rules: &Rules) -> Result<Shot, CommandError> {
    let words: Vec<&str> = rest.split(' ').collect();
    let read = || {
        let cell: Cell = words.first()?.parse().ok()?;
        let class = |name: &str| rules.class_named(name);
        let outcome = match words[1..] {
            ["miss"] => Outcome::Miss,
            ["hit"] => Outcome::Hit(None),
            ["hit", name] => Outcome::Hit(Some(class(name)?)),
            ["sunk"] => Outcome::Sunk(None),
            ["sunk", name] => Outcome::Sunk(Some(class(name)?)),
            _ => return None,
        };
        Some(Shot { cell, outcome })
    };
    read().ok_or_else(|| CommandError::Rest { command, expected: "a cell and miss, hit or sunk", rest: shown(rest) })
}

fn end(rest: &str) -> Result<ArenaCommand, CommandError> {
    let unreadable = || CommandError::Rest { command: "end", expected: "won, lost or draw", rest: shown(rest) };
    let (word, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let outcome = GameOutcome::ALL.into_iter().find(|outcome| outcome.word() == word).ok_or_else(unreadable)?;
    let (before, enemy) = before_fleet(rest);
    let reason = Fields::parse(before)?.find("reason").unwrap_or_default().to_owned();
    Ok(ArenaCommand::End { outcome, reason, enemy })
}

/// Splits the fields before the last field, `fleet`, whose value is the rest of the line.
fn before_fleet(fields: &str) -> (&str, Option<String>) {
    let padded = |at: usize| at == 0 || fields.as_bytes().get(at - 1) == Some(&b' ');
    let names = fields.match_indices("fleet ").filter(|(at, _)| padded(*at));
    let is_name = |at: usize| fields[..at].split_whitespace().count().is_multiple_of(2);
    match names.map(|(at, name)| (at, at + name.len())).find(|(at, _)| is_name(*at)) {
        Some((at, rest)) => (&fields[..at], Some(fields[rest..].to_owned())),
        None => (fields, None),
    }
}

#[cfg(test)]
mod tests {
    use seabattle_core::{Fleet, Rules};

    use super::{ArenaCommand, GameOutcome};

    #[test]
    fn orders_parse_what_they_print() {
        let rules: Rules = "30x5:carrier=5,2,2,announce=named,turn=salvo:3,ending=equal".parse().unwrap();
        let fleet = Fleet::parse(&rules, "carrier A1 across, 2 A3 across, 2 AC1 down").unwrap();
        let shot = |text: &str| seabattle_core::Shot::parse(&rules, text).unwrap();
        let commands = [
            ArenaCommand::Hello,
            ArenaCommand::Sync,
            ArenaCommand::Game { rules: rules.clone(), seed: 7 },
            ArenaCommand::Place,
            ArenaCommand::Shoot(3),
            ArenaCommand::Answer(shot("AC2#2")),
            ArenaCommand::Enemy(shot("A1x:carrier")),
            ArenaCommand::Enemy(shot("B1.")),
            ArenaCommand::end(GameOutcome::Won, "sunk", Some(&fleet)),
            ArenaCommand::end(GameOutcome::Lost, "fleet", Some(&fleet)),
            ArenaCommand::end(GameOutcome::Draw, "crash", None),
            ArenaCommand::Quit,
        ];
        for command in commands {
            let text = command.to_text(&rules);
            assert_eq!(ArenaCommand::parse(&text, Some(&rules)), Ok(command), "{text}");
        }
    }

    #[test]
    fn an_end_without_a_reason_or_with_odd_spaces_prints_as_something_that_reads_the_same() {
        let rules = Rules::classic();
        for line in
            ["end won", "end won fleet A1-A2", "end lost reason a\t weather fine", "end draw reason a\u{a0} b c"]
        {
            let command = ArenaCommand::parse(line, Some(&rules)).unwrap();
            let text = command.to_text(&rules);
            assert_eq!(ArenaCommand::parse(&text, Some(&rules)), Ok(command), "{line:?} as {text:?}");
        }
    }

    #[test]
    fn fields_come_in_any_order_and_unknown_ones_are_passed_over() {
        let line = "game weather fine seed 9 ending at-once announce which turn alternate touching allowed \
                    fleet carrier:5,battleship:4,cruiser:3,submarine:3,destroyer:2 size 10x10";
        assert_eq!(ArenaCommand::parse(line, None), Ok(ArenaCommand::Game { rules: Rules::classic(), seed: 9 }));
    }

    #[test]
    fn what_cannot_be_read_is_told_apart() {
        let rules = Rules::classic();
        let check = |line: &str, expected: &str| {
            let error = ArenaCommand::parse(line, Some(&rules)).unwrap_err().to_string();
            assert_eq!(error, expected, "{line}");
        };
        check("gibberish 1", r#"unknown command "gibberish""#);
        check("seabattle 2", r#"this bot speaks version 1 of the protocol, not "2""#);
        check("shoot 0", r#"`shoot` is followed by a number of shots, not "0""#);
        check("answer B7", r#"`answer` is followed by a cell and miss, hit or sunk, not "B7""#);
        check("answer B7 sunk yacht", r#"`answer` is followed by a cell and miss, hit or sunk, not "B7 sunk yacht""#);
        check("game size", r#"the field "size" has no value"#);
        check("game size 10x10", "the field `fleet` is missing");
        assert_eq!(ArenaCommand::parse("place", None).unwrap_err().to_string(), "`place` before `game`");
    }
}
