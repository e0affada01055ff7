//! The check of an external bot: it goes through the line protocol step by step until a step fails.

use seabattle_core::{BySide, ParseRulesError, Rules, Seed, Side};
use thiserror::Error;

use crate::contestant::Contestant;
use crate::external::{ExternalPlayer, TimeLimits};
use crate::player::{Fault, Player};
use crate::process::BotCommand;
use crate::protocol::GameOutcome;
use crate::referee::{GameSettings, referee};

/// A failed step of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckFailure {
    /// The name of the step.
    pub step: &'static str,
    /// What went wrong.
    pub fault: String,
    /// The last lines exchanged, those of the arena with `>` and those of the program with `<`.
    pub transcript: Vec<String>,
    /// The last lines of the program's log.
    pub log: Vec<String>,
}

/// The name of a step, and the function that runs it and says what it saw.
type Step<'a> = (&'static str, Box<dyn FnMut(&mut ExternalPlayer) -> Result<String, StepError> + 'a>);

/// Why a step failed.
#[derive(Debug, Error)]
enum StepError {
    #[error("{}", fault.words())]
    Fault { fault: Fault },
    #[error("after {line:?}: {}", fault.words())]
    BadInput { line: &'static str, fault: Fault },
    #[error("under the rules {rules}: {}", fault.words())]
    Game { rules: Rules, fault: Fault },
    #[error("it still ran a second after `quit`")]
    StillRunning,
    #[error(transparent)]
    Rules(#[from] ParseRulesError),
}

/// Which steps a check has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckSuite {
    /// The whole line protocol under many rules.
    Protocol,
    /// The rules of the «Морской бой» contest only.
    Contest,
}

/// Checks a program step by step. `passed` gets the name of each passed step and what was seen.
pub fn check(
    suite: CheckSuite,
    command: BotCommand,
    limits: TimeLimits,
    enemy: &Contestant,
    passed: &mut dyn FnMut(&'static str, &str),
) -> Result<(), CheckFailure> {
    let mut player = ExternalPlayer::new(command, limits);
    for (step, mut run) in steps(suite, enemy) {
        match run(&mut player) {
            Ok(seen) => passed(step, &seen),
            Err(error) => {
                let fault = error.to_string();
                return Err(CheckFailure { step, fault, transcript: player.transcript(), log: player.stop() });
            }
        }
    }
    Ok(())
}

/// The rules under which a program must place a fleet.
const PLACING_RULES: [&str; 6] = [
    "classic",
    "russian",
    "5x5:3,2,touching=corners",
    "1x1:1",
    "30x28:5,4,3,announce=named",
    "classic,touching=forbidden",
];

/// An unknown command, and a known one that cannot be read.
const NONSENSE: [&str; 2] = ["gibberish 1 2 3", "shoot x"];

fn steps(suite: CheckSuite, enemy: &Contestant) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = vec![("start and greeting", Box::new(greeting))];
    match suite {
        CheckSuite::Protocol => {
            steps.push(("placing", Box::new(|player| placing_all(player, &PLACING_RULES))));
            steps.extend([
                game(enemy, "a whole game", "classic", Side::A),
                game(enemy, "a second game", "classic", Side::B),
                game(enemy, "salvos", "salvo", Side::A),
                game(enemy, "again after a hit", "russian", Side::B),
                game(enemy, "hits alone announced", "8x8:4,3,2,announce=hit,ending=equal", Side::A),
            ]);
        }
        CheckSuite::Contest => {
            steps.push(("placing", Box::new(|player| placing_all(player, &["russian"]))));
            steps.extend([
                game(enemy, "a whole set", "russian", Side::A),
                game(enemy, "a second set", "russian", Side::B),
            ]);
        }
    }
    steps.push(("bad input", Box::new(bad_input)));
    steps.push(("quit", Box::new(quit)));
    steps
}

fn game<'a>(enemy: &'a Contestant, step: &'static str, rules: &'static str, first: Side) -> Step<'a> {
    (step, Box::new(move |player| whole_game(player, enemy, rules, first)))
}

fn bad_input(player: &mut ExternalPlayer) -> Result<String, StepError> {
    for line in NONSENSE {
        player.send_nonsense(line).map_err(|fault| StepError::BadInput { line, fault })?;
    }
    Ok("an `error` line for each, and the game goes on".to_owned())
}

fn placing_all(player: &mut ExternalPlayer, all: &[&str]) -> Result<String, StepError> {
    all.iter().try_for_each(|rules| placing(player, rules)).map(|()| all.join("  "))
}

fn greeting(player: &mut ExternalPlayer) -> Result<String, StepError> {
    player.greet().map_err(|fault| StepError::Fault { fault })?;
    Ok(player.name().map_or("ready, without a name".to_owned(), |name| format!("ready, called {name}")))
}

fn placing(player: &mut ExternalPlayer, rules: &str) -> Result<(), StepError> {
    let rules: Rules = rules.parse()?;
    let placed = player.start(&rules, &Seed::new(7)).and_then(|()| player.place(&rules));
    let finished = placed.and_then(|_| player.finish(None, GameOutcome::Draw, "check", None));
    finished.map_err(|fault| StepError::Game { rules, fault })
}

fn whole_game(player: &mut ExternalPlayer, enemy: &Contestant, rules: &str, first: Side) -> Result<String, StepError> {
    let rules: Rules = rules.parse()?;
    let settings = GameSettings { rules, seed: Seed::new(11), first, reveal: true };
    let mut players: BySide<Box<dyn Player + '_>> = BySide { a: Box::new(player), b: enemy.player(false) };
    let played = referee(&mut players, &settings);
    if let Some(fault) = played.faults.a {
        return Err(StepError::Game { rules: settings.rules, fault });
    }
    let shots = played.game.as_ref().map_or(0, |game| game.knowledge(Side::A).shots().len());
    Ok(format!("{shots} shots under {}", settings.rules))
}

fn quit(player: &mut ExternalPlayer) -> Result<String, StepError> {
    if player.quit() { Ok("it exited".to_owned()) } else { Err(StepError::StillRunning) }
}
