//! Players: whatever the referee asks for ships and shots. A player may fail, and each failure has a name.

use std::fmt;

use seabattle_core::{Bot, Cell, Fleet, Rules, Seed, Shot, View};

use crate::bench::MakeBot;
use crate::protocol::GameOutcome;

/// A player in a game: a built-in bot or an external program. Each request may end in a [`Fault`].
pub trait Player {
    /// Starts a game. All random choices of the player follow from the seed. A program only gets [`Seed::external_seed`].
    fn start(&mut self, rules: &Rules, seed: &Seed) -> Result<(), Fault>;

    /// Asks for the fleet of the player.
    fn place(&mut self, rules: &Rules) -> Result<Fleet, Fault>;

    /// Asks for the shots of a turn.
    fn shoot(&mut self, view: &View<'_>, due: usize) -> Result<Vec<Cell>, Fault>;

    /// Reports the results of its own shots.
    fn answered(&mut self, _shots: &[Shot], _rules: &Rules) -> Result<(), Fault> {
        Ok(())
    }

    /// Reports the results of the enemy's shots.
    fn attacked(&mut self, _shots: &[Shot], _rules: &Rules) -> Result<(), Fault> {
        Ok(())
    }

    /// Ends the game. `enemy` is the enemy's fleet if it is revealed.
    fn finish(
        &mut self,
        _view: Option<&View<'_>>,
        _outcome: GameOutcome,
        _reason: &str,
        _enemy: Option<&Fleet>,
    ) -> Result<(), Fault> {
        Ok(())
    }

    /// Ends the player after its last game.
    fn close(&mut self) -> Result<(), Fault> {
        Ok(())
    }

    /// Handles a fault that the referee found, such as an illegal shot. The player may add its log to the fault.
    fn on_fault(&mut self, fault: Fault) -> Fault {
        fault
    }

    /// The name that the player gave itself, if any.
    fn name(&self) -> Option<&str> {
        None
    }
}

/// A borrowed player.
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
        outcome: GameOutcome,
        reason: &str,
        enemy: Option<&Fleet>,
    ) -> Result<(), Fault> {
        (**self).finish(view, outcome, reason, enemy)
    }

    fn close(&mut self) -> Result<(), Fault> {
        (**self).close()
    }

    fn on_fault(&mut self, fault: Fault) -> Fault {
        (**self).on_fault(fault)
    }

    fn name(&self) -> Option<&str> {
        (**self).name()
    }
}

/// A fault: a named failure of a player that forfeits its game. It is a result, not an error of the arena.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// What happened, in words. It may be empty.
    pub detail: String,
    /// The last lines of the player's log.
    pub log: Vec<String>,
}

impl Fault {
    /// Adds a text to the detail.
    pub(crate) fn and(self, more: &str) -> Self {
        let separator = if self.detail.is_empty() { "" } else { "; " };
        Self { detail: format!("{}{separator}{more}", self.detail), ..self }
    }

    /// The kind and the detail as one text, without the log.
    pub fn words(&self) -> String {
        match self.detail.as_str() {
            "" => self.kind.to_string(),
            detail => format!("{}: {detail}", self.kind),
        }
    }
}

/// The kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FaultKind {
    /// The player was not ready in time.
    StartTimeout,
    /// The player placed no fleet in time.
    PlaceTimeout,
    /// The player fired no shot in time.
    ShotTimeout,
    /// All shots of the player in a game took too long together.
    GameTimeout,
    /// The program could not be started, exited, or closed its output.
    Crash,
    /// The program sent a line that is too long.
    LongLine,
    /// The program sent many lines without being asked.
    Flood,
    /// The program sent another reply than the expected one.
    Garbage,
    /// The program answered with `error`.
    GaveUp,
    /// The player placed a fleet that the rules do not allow.
    IllegalFleet,
    /// The player fired a shot that the rules do not allow.
    IllegalShot,
    /// The program used too much memory.
    MemoryLimit,
    /// The program ran too many processes.
    ProcessLimit,
    /// The program used too much processor time in a game.
    CpuLimit,
    /// The program wrote a file that is too large.
    FileLimit,
    /// The player failed many games in a row, so it was not asked again.
    SetAside,
}

impl FaultKind {
    /// All kinds of faults.
    pub const ALL: [Self; 16] = [
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
        Self::MemoryLimit,
        Self::ProcessLimit,
        Self::CpuLimit,
        Self::FileLimit,
        Self::SetAside,
    ];

    /// The name in tables, journals and the line protocol.
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
            Self::MemoryLimit => "memory-limit",
            Self::ProcessLimit => "process-limit",
            Self::CpuLimit => "cpu-limit",
            Self::FileLimit => "file-limit",
            Self::SetAside => "set-aside",
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

/// A built-in player: a bot of this process.
///
/// It makes a new bot from the seed of every game, or keeps one bot that learns from game to game.
pub struct BuiltInPlayer<'a> {
    make: &'a MakeBot<'a>,
    learns: bool,
    bot: Option<Box<dyn Bot>>,
}

impl<'a> BuiltInPlayer<'a> {
    /// A player whose bots this function makes.
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
        _outcome: GameOutcome,
        _reason: &str,
        enemy: Option<&Fleet>,
    ) -> Result<(), Fault> {
        if let Some(view) = view {
            self.bot().finish(view, enemy);
        }
        Ok(())
    }
}
