//! Anyone the referee may ask for ships and shots, and how they may fail.

use std::fmt;

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, Shot, View};

use crate::bench::MakeBot;
use crate::protocol::Verdict;

/// A player in a game: a bot of this process, or a stranger in one of its own. Whatever it is asked may fail.
pub trait Player {
    /// A game begins. Everything random that the player does follows from the seed; a program is only told [`Seed::told`].
    fn start(&mut self, rules: &Rules, seed: &Seed) -> Result<(), Fault>;

    /// The fleet for the game that has begun.
    fn place(&mut self, rules: &Rules) -> Result<Fleet, Fault>;

    /// The shots of a turn.
    fn shoot(&mut self, view: &View<'_>, due: usize) -> Result<Vec<Cell>, Fault>;

    /// What its shots did.
    fn answered(&mut self, _shots: &[Shot], _rules: &Rules) -> Result<(), Fault> {
        Ok(())
    }

    /// What the enemy's shots did.
    fn attacked(&mut self, _shots: &[Shot], _rules: &Rules) -> Result<(), Fault> {
        Ok(())
    }

    /// The game is over; what is revealed of the enemy.
    fn finish(
        &mut self,
        _view: Option<&View<'_>>,
        _verdict: Verdict,
        _reason: &str,
        _enemy: Option<&Fleet>,
    ) -> Result<(), Fault> {
        Ok(())
    }

    /// All games are over.
    fn close(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Its answer was not legal: the failure, with what the player has to add.
    fn blame(&mut self, fault: Fault) -> Fault {
        fault
    }

    /// What it calls itself, if it has said so.
    fn name(&self) -> Option<&str> {
        None
    }
}

/// A player that is only lent.
impl<P: Player + ?Sized> Player for &mut P {
    fn start(&mut self, rules: &Rules, seed: &Seed) -> Result<(), Fault> {
        (**self).start(rules, seed)
    }

    fn place(&mut self, rules: &Rules) -> Result<Fleet, Fault> {
        (**self).place(rules)
    }

    fn shoot(&mut self, view: &View<'_>, due: usize) -> Result<Vec<Cell>, Fault> {
        (**self).shoot(view, due)
    }

    fn answered(&mut self, shots: &[Shot], rules: &Rules) -> Result<(), Fault> {
        (**self).answered(shots, rules)
    }

    fn attacked(&mut self, shots: &[Shot], rules: &Rules) -> Result<(), Fault> {
        (**self).attacked(shots, rules)
    }

    fn finish(
        &mut self,
        view: Option<&View<'_>>,
        verdict: Verdict,
        reason: &str,
        enemy: Option<&Fleet>,
    ) -> Result<(), Fault> {
        (**self).finish(view, verdict, reason, enemy)
    }

    fn close(&mut self) -> Result<(), Fault> {
        (**self).close()
    }

    fn blame(&mut self, fault: Fault) -> Fault {
        (**self).blame(fault)
    }

    fn name(&self) -> Option<&str> {
        (**self).name()
    }
}

/// A failure of a player: a result with a name, not an error of the arena.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What kind.
    pub kind: FaultKind,
    /// What happened, in words; may be empty.
    pub detail: String,
    /// The last lines of its log.
    pub log: Vec<String>,
}

impl Fault {
    /// The same, with more to say.
    pub(crate) fn and(self, more: &str) -> Self {
        let separator = if self.detail.is_empty() { "" } else { "; " };
        Self { detail: format!("{}{separator}{more}", self.detail), ..self }
    }

    /// The kind and what happened, without the log.
    pub fn words(&self) -> String {
        match self.detail.as_str() {
            "" => self.kind.to_string(),
            detail => format!("{}: {detail}", self.kind),
        }
    }
}

/// The ways in which a player may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// It could not be started, or was not ready in time.
    StartTimeout,
    /// No fleet in time.
    PlaceTimeout,
    /// No shot in time.
    ShotTimeout,
    /// Its shots together took too long.
    GameTimeout,
    /// The process ended, or closed its output.
    Crash,
    /// A line longer than lines may be.
    LongLine,
    /// Many lines that nobody had asked for.
    Flood,
    /// Another answer than was asked for.
    Garbage,
    /// It said that it cannot go on.
    GaveUp,
    /// A fleet that the rules do not allow.
    IllegalFleet,
    /// Shots that the rules do not allow.
    IllegalShot,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::StartTimeout,
        Self::PlaceTimeout,
        Self::ShotTimeout,
        Self::GameTimeout,
        Self::Crash,
        Self::LongLine,
        Self::Flood,
        Self::Garbage,
        Self::GaveUp,
        Self::IllegalFleet,
        Self::IllegalShot,
    ];

    /// One word, as tables and the protocol have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::StartTimeout => "start-timeout",
            Self::PlaceTimeout => "place-timeout",
            Self::ShotTimeout => "shot-timeout",
            Self::GameTimeout => "game-timeout",
            Self::Crash => "crash",
            Self::LongLine => "long-line",
            Self::Flood => "flood",
            Self::Garbage => "garbage",
            Self::GaveUp => "gave-up",
            Self::IllegalFleet => "illegal-fleet",
            Self::IllegalShot => "illegal-shot",
        }
    }

    pub(crate) fn with(self, detail: impl fmt::Display) -> Fault {
        Fault { kind: self, detail: detail.to_string(), log: Vec::new() }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.words())?;
        let lines: Vec<&str> = self.log.iter().map(|line| line.trim()).collect();
        if lines.is_empty() { Ok(()) } else { write!(f, "; its log: {}", lines.join(" | ")) }
    }
}

/// A bot of this process: made anew for every game from its seed, or kept, if it is to learn.
pub struct BuiltInPlayer<'a> {
    make: &'a MakeBot<'a>,
    learns: bool,
    bot: Option<Box<dyn Bot>>,
}

impl<'a> BuiltInPlayer<'a> {
    /// From what makes it.
    pub fn new(make: &'a MakeBot<'a>, learns: bool) -> Self {
        Self { make, learns, bot: None }
    }

    fn bot(&mut self) -> &mut Box<dyn Bot> {
        self.bot.get_or_insert_with(|| (self.make)(&Seed::new(0)))
    }
}

impl Player for BuiltInPlayer<'_> {
    fn start(&mut self, rules: &Rules, seed: &Seed) -> Result<(), Fault> {
        if !self.learns || self.bot.is_none() {
            self.bot = Some((self.make)(seed));
        }
        self.bot().start(rules);
        Ok(())
    }

    fn place(&mut self, rules: &Rules) -> Result<Fleet, Fault> {
        Ok(self.bot().place(rules))
    }

    fn shoot(&mut self, view: &View<'_>, due: usize) -> Result<Vec<Cell>, Fault> {
        let mut volley = Vec::with_capacity(due);
        for _ in 0..due {
            let cell = self.bot().shoot(&view.aiming(&volley));
            volley.push(cell);
        }
        Ok(volley)
    }

    fn finish(
        &mut self,
        view: Option<&View<'_>>,
        _verdict: Verdict,
        _reason: &str,
        enemy: Option<&Fleet>,
    ) -> Result<(), Fault> {
        if let Some(view) = view {
            self.bot().finish(view, enemy);
        }
        Ok(())
    }
}
