//! A stranger walked through the protocol, step by step, until it fails.

use seabattle_core::{BySide, Rules, Seed, Side};

use crate::contestant::Contestant;
use crate::external::{ExternalPlayer, TimeLimits};
use crate::player::Player;
use crate::process::BotCommand;
use crate::protocol::Verdict;
use crate::referee::{GameSettings, referee};

/// A step that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckFailure {
    /// Of the step.
    pub step: &'static str,
    /// What went wrong.
    pub fault: String,
    /// The last lines, the arena's behind `>`, the program's behind `<`.
    pub said: Vec<String>,
    /// The last lines of its log.
    pub log: Vec<String>,
}

/// A step of the check.
type Step<'a> = (&'static str, Box<dyn FnMut(&mut ExternalPlayer) -> Result<String, String> + 'a>);

/// What a program must know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckSuite {
    /// Every game of the protocol.
    Protocol,
    /// The rules of the contest alone.
    Contest,
}

/// Walks a program through all steps; each one passed is told with what was seen.
pub fn check(
    course: CheckSuite,
    command: BotCommand,
    limits: TimeLimits,
    enemy: &Contestant,
    passed: &mut dyn FnMut(&'static str, &str),
) -> Result<(), CheckFailure> {
    let mut foreign = ExternalPlayer::new(command, limits);
    for (step, mut walk) in steps(course, enemy) {
        match walk(&mut foreign) {
            Ok(seen) => passed(step, &seen),
            Err(fault) => return Err(CheckFailure { step, fault, said: foreign.said(), log: foreign.stop() }),
        }
    }
    Ok(())
}

const PLACED: [&str; 6] = [
    "classic",
    "russian",
    "5x5:3,2,touching=corners",
    "1x1:1",
    "30x28:5,4,3,announce=named",
    "classic,touching=forbidden",
];

/// An unknown command, and a known one that cannot be read.
const NONSENSE: [&str; 2] = ["gibberish 1 2 3", "shoot x"];

fn steps(course: CheckSuite, enemy: &Contestant) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = vec![("start and greeting", Box::new(greeting))];
    match course {
        CheckSuite::Protocol => {
            steps.push(("placing", Box::new(|foreign| placing_all(foreign, &PLACED))));
            steps.extend([
                game(enemy, "a whole game", "classic", Side::A),
                game(enemy, "a second game", "classic", Side::B),
                game(enemy, "salvos", "salvo", Side::A),
                game(enemy, "again after a hit", "russian", Side::B),
                game(enemy, "hits alone announced", "8x8:4,3,2,announce=hit,ending=equal", Side::A),
            ]);
        }
        CheckSuite::Contest => {
            steps.push(("placing", Box::new(|foreign| placing_all(foreign, &["russian"]))));
            steps.extend([
                game(enemy, "a whole set", "russian", Side::A),
                game(enemy, "a second set", "russian", Side::B),
            ]);
        }
    }
    steps.push(("bad input", Box::new(bad_input)));
    steps.push(("quit", Box::new(quitting)));
    steps
}

fn game<'a>(enemy: &'a Contestant, step: &'static str, rules: &'static str, first: Side) -> Step<'a> {
    (step, Box::new(move |foreign| whole_game(foreign, enemy, rules, first)))
}

fn bad_input(foreign: &mut ExternalPlayer) -> Result<String, String> {
    for nonsense in NONSENSE {
        foreign.confuse(nonsense).map_err(|fault| format!("after {nonsense:?}: {}", fault.words()))?;
    }
    Ok("an `error` line for each, and on it goes".to_owned())
}

fn placing_all(foreign: &mut ExternalPlayer, all: &[&str]) -> Result<String, String> {
    all.iter().try_for_each(|rules| placing(foreign, rules)).map(|()| all.join("  "))
}

fn greeting(foreign: &mut ExternalPlayer) -> Result<String, String> {
    foreign.greet().map_err(|fault| fault.words())?;
    Ok(foreign.name().map_or("ready, without a name".to_owned(), |name| format!("ready, called {name}")))
}

fn placing(foreign: &mut ExternalPlayer, rules: &str) -> Result<(), String> {
    let rules: Rules = rules.parse().map_err(|error| format!("{error}"))?;
    let placed = foreign.start(&rules, &Seed::new(7)).and_then(|()| foreign.place(&rules));
    let finished = placed.and_then(|_| foreign.finish(None, Verdict::Draw, "check", None));
    finished.map_err(|fault| format!("under the rules {rules}: {}", fault.words()))
}

fn whole_game(foreign: &mut ExternalPlayer, enemy: &Contestant, rules: &str, first: Side) -> Result<String, String> {
    let rules: Rules = rules.parse().map_err(|error| format!("{error}"))?;
    let terms = GameSettings { rules, seed: Seed::new(11), first, reveal: true };
    let mut players: BySide<Box<dyn Player + '_>> = BySide { a: Box::new(foreign), b: enemy.player(false) };
    let played = referee(&mut players, &terms);
    if let Some(fault) = &played.faults.a {
        return Err(format!("under the rules {}: {}", terms.rules, fault.words()));
    }
    let shots = played.game.as_ref().map_or(0, |game| game.knowledge(Side::A).shots().len());
    Ok(format!("{shots} shots under {}", terms.rules))
}

fn quitting(foreign: &mut ExternalPlayer) -> Result<String, String> {
    if foreign.leave() { Ok("it left".to_owned()) } else { Err("it still ran a second after `quit`".to_owned()) }
}
