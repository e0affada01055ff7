//! A stranger as a player: the line protocol over the pipes of a process.

use std::time::{Duration, Instant};

use seabattle_core::{Cell, Fleet, Rules, Seed, Shot, View};

use crate::player::{Fault, FaultKind, Player};
use crate::process::{BotCommand, LEAVING, Line, Process, RecvError};
use crate::protocol::{ArenaCommand, Reply, Verdict, fleet_of};

/// How long a stranger may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// From its start until it is ready.
    pub start: Duration,
    /// For a fleet.
    pub place: Duration,
    /// For the shots of a turn.
    pub shot: Duration,
    /// For all shots of a game.
    pub game: Duration,
    /// For what it is only told. Without it nobody waits: it takes its time when it is asked next.
    pub notify: Option<NotifyLimits>,
    /// Given on top of each: what is not the stranger's fault.
    pub margin: Duration,
    /// Who is late is told by whom the limit is set.
    pub source: LimitSource,
}

/// Where limits come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitSource {
    /// The command line: `--time-shot` and its like.
    Options,
    /// The contest, for everyone alike.
    Contest,
}

/// How long to wait for an answer, and how to be late is called.
#[derive(Clone, Copy)]
struct Limit {
    time: Duration,
    /// The limit that this is the rest of.
    whole: Option<Duration>,
    late: FaultKind,
    option: &'static str,
}

/// How long a stranger may take over what it is told before it must be ready again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotifyLimits {
    /// For a shot.
    pub shot: Duration,
    /// For the beginning and the end of a game, and of all games.
    pub game: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            place: Duration::from_secs(5),
            shot: Duration::from_secs(1),
            game: Duration::from_secs(60),
            notify: None,
            margin: Duration::from_millis(50),
            source: LimitSource::Options,
        }
    }
}

impl TimeLimits {
    fn to_start(self) -> Limit {
        Limit { time: self.start, whole: None, late: FaultKind::StartTimeout, option: "--time-start" }
    }

    fn to_place(self) -> Limit {
        Limit { time: self.place, whole: None, late: FaultKind::PlaceTimeout, option: "--time-place" }
    }

    /// A turn, with so much time left for all shots of the game.
    fn to_shoot(self, left: Duration) -> Limit {
        if left < self.shot {
            return Limit { time: left, whole: Some(self.game), late: FaultKind::GameTimeout, option: "--time-game" };
        }
        Limit { time: self.shot, whole: None, late: FaultKind::ShotTimeout, option: "--time-shot" }
    }

    /// To hear what it is told, where that has a limit.
    fn to_hear(self, order: &ArenaCommand) -> Option<Limit> {
        let (time, late, option) = match order {
            ArenaCommand::Answer(_) | ArenaCommand::Enemy(_) => {
                (self.notify?.shot, FaultKind::ShotTimeout, "--time-shot")
            }
            _ => (self.notify?.game, FaultKind::GameTimeout, "--time-game"),
        };
        Some(Limit { time, whole: None, late, option })
    }
}

impl Limit {
    fn missed(self, source: LimitSource) -> Fault {
        let by = match source {
            LimitSource::Options => self.option,
            LimitSource::Contest => "a limit of the contest",
        };
        match self.whole {
            Some(whole) => self
                .late
                .with(format_args!("all shots of the game together took more than {} ms ({by})", whole.as_millis())),
            None => self.late.with(format_args!(
                "did not answer within {} ms ({by}); is every line flushed?",
                self.time.as_millis()
            )),
        }
    }
}

/// A program that speaks the protocol. It is started for its first game, and again after it has failed.
pub struct ExternalPlayer {
    command: BotCommand,
    limits: TimeLimits,
    process: Option<Process>,
    /// What it calls itself.
    name: Option<String>,
    /// Time left for the shots of this game.
    left: Duration,
    /// The last lines of the process that failed last.
    last_words: Vec<String>,
    /// The end of its log.
    last_log: Vec<String>,
}

impl ExternalPlayer {
    /// A player that is not started yet.
    pub fn new(command: BotCommand, limits: TimeLimits) -> Self {
        Self {
            command,
            limits,
            process: None,
            name: None,
            left: limits.game,
            last_words: Vec::new(),
            last_log: Vec::new(),
        }
    }

    /// What it calls itself, once it has been started.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Starts it, unless it runs.
    pub fn greet(&mut self) -> Result<(), Fault> {
        if self.process.is_some() {
            return self.sync(self.limits.to_start());
        }
        self.begin().map_err(|fault| match (fault.kind, self.command.hint()) {
            (FaultKind::Crash, Some(hint)) => fault.and(hint),
            _ => fault,
        })
    }

    fn begin(&mut self) -> Result<(), Fault> {
        let program = self.command.words.first().map_or("", String::as_str);
        let process = Process::start(&self.command)
            .map_err(|error| FaultKind::Crash.with(format_args!("{program} cannot be started: {error}")))?;
        self.process = Some(process);
        self.last_log.clear();
        self.say(&ArenaCommand::Hello, None);
        let limit = self.limits.to_start();
        let deadline = self.deadline(limit);
        loop {
            match self.hear(limit, deadline)? {
                Reply::Name(name) => self.name = Some(name).filter(|name| !name.trim().is_empty()),
                Reply::Author(_) => {}
                Reply::Ready => return Ok(()),
                other => return Err(self.unexpected(&other, "ready")),
            }
        }
    }

    fn deadline(&self, limit: Limit) -> Instant {
        Instant::now() + limit.time + self.limits.margin
    }

    fn sync(&mut self, limit: Limit) -> Result<(), Fault> {
        self.check_silent()?;
        self.say(&ArenaCommand::Sync, None);
        match self.hear(limit, self.deadline(limit))? {
            Reply::Ready => Ok(()),
            other => Err(self.unexpected(&other, "ready")),
        }
    }

    /// Tells it to leave, and sees to it that it does; whether it did so by itself.
    pub fn leave(&mut self) -> bool {
        self.process.take().is_none_or(|mut process| process.leave(LEAVING) != Err(RecvError::Timeout))
    }

    /// Tells something; where that has a limit, it must be ready again in time.
    fn tell(&mut self, order: &ArenaCommand, rules: Option<&Rules>) -> Result<(), Fault> {
        self.say(order, rules);
        match self.limits.to_hear(order) {
            Some(limit) if self.process.is_some() => self.sync(limit),
            _ => Ok(()),
        }
    }

    fn tell_shots(&mut self, mut orders: impl Iterator<Item = ArenaCommand>, rules: &Rules) -> Result<(), Fault> {
        orders.try_for_each(|order| self.tell(&order, Some(rules)))
    }

    /// Says what no bot can understand; an `error` line is due.
    pub(crate) fn confuse(&mut self, nonsense: &str) -> Result<(), Fault> {
        self.check_silent()?;
        if let Some(process) = &mut self.process {
            process.say(nonsense.to_owned());
        }
        let limit = self.limits.to_shoot(self.limits.game);
        let line = self.hear_line(limit, self.deadline(limit)).map_err(|fault| self.end(fault))?;
        match Reply::parse(&line) {
            Ok(Reply::Error(_)) => self.sync(self.limits.to_start()),
            _ => Err(FaultKind::Garbage.with(format_args!("a line `error …` was due, not {line:?}"))),
        }
    }

    /// The last lines that were said.
    pub(crate) fn said(&self) -> Vec<String> {
        self.process.as_ref().map_or_else(|| self.last_words.clone(), |process| process.said().to_vec())
    }

    fn say(&mut self, order: &ArenaCommand, rules: Option<&Rules>) {
        if let Some(process) = &mut self.process {
            let classic;
            let rules = match rules {
                Some(rules) => rules,
                None => {
                    classic = Rules::classic();
                    &classic
                }
            };
            process.say(order.to_text(rules));
        }
    }

    /// The reply that was asked for; whoever fails is ended.
    fn hear(&mut self, limit: Limit, deadline: Instant) -> Result<Reply, Fault> {
        let heard = self.hear_line(limit, deadline);
        let reply = heard.and_then(|line| match Reply::parse(&line) {
            Ok(Reply::Error(why)) => Err(FaultKind::GaveUp.with(why)),
            Ok(reply) => Ok(reply),
            Err(error) => Err(self.garbage(error)),
        });
        reply.map_err(|fault| self.end(fault))
    }

    fn hear_line(&mut self, limit: Limit, deadline: Instant) -> Result<String, Fault> {
        let process = self.process.as_mut().ok_or_else(|| FaultKind::Crash.with("it does not run"))?;
        match process.hear(deadline) {
            Ok(Line::Text(line)) => Ok(line),
            Ok(Line::TooLong) => Err(FaultKind::LongLine.with("a line without end")),
            Ok(Line::End) => Err(FaultKind::Crash.with("closed its output")),
            Err(RecvError::Exited(how)) => Err(FaultKind::Crash.with(how)),
            Err(RecvError::Timeout) => Err(limit.missed(self.limits.source)),
        }
    }

    /// One wrong line is garbage, a stream of them a flood.
    fn garbage(&mut self, what: impl std::fmt::Display) -> Fault {
        let patience = Instant::now() + self.limits.margin;
        let mut more = 0;
        while let Some(process) = &mut self.process
            && more < crate::process::MOST_WAITING
            && let Ok(Line::Text(_) | Line::TooLong) = process.hear(patience)
        {
            more += 1;
        }
        if more >= crate::process::MOST_WAITING {
            return FaultKind::Flood.with(format_args!("{more} lines that nobody had asked for"));
        }
        FaultKind::Garbage.with(what)
    }

    fn unexpected(&mut self, reply: &Reply, expected: &str) -> Fault {
        let fault = self.garbage(format_args!("`{expected}` was due, not {reply:?}"));
        self.end(fault)
    }

    /// It must not have spoken unasked.
    fn check_silent(&mut self) -> Result<(), Fault> {
        let Some(line) = self.process.as_ref().and_then(Process::try_recv) else {
            return Ok(());
        };
        let said = match line {
            Line::Text(text) => text.chars().take(60).collect(),
            Line::TooLong | Line::End => String::new(),
        };
        let fault = self.garbage(format_args!("spoke unasked: {said:?}"));
        Err(self.end(fault))
    }

    /// A program that has failed does not go on.
    fn end(&mut self, fault: Fault) -> Fault {
        Fault { log: self.stop(), ..fault }
    }

    /// Ends it by force, if it runs; the last lines of its log.
    pub(crate) fn stop(&mut self) -> Vec<String> {
        self.last_words = self.said();
        if let Some(process) = self.process.take() {
            self.last_log = process.end();
        }
        self.last_log.clone()
    }

    fn ask(&mut self, order: &ArenaCommand, rules: &Rules, limit: Limit) -> Result<Reply, Fault> {
        self.check_silent()?;
        self.say(order, Some(rules));
        self.hear(limit, self.deadline(limit))
    }
}

impl Player for ExternalPlayer {
    fn start(&mut self, rules: &Rules, seed: &Seed) -> Result<(), Fault> {
        self.greet()?;
        self.left = self.limits.game;
        self.tell(&ArenaCommand::Game { rules: rules.clone(), seed: seed.told() }, Some(rules))
    }

    fn place(&mut self, rules: &Rules) -> Result<Fleet, Fault> {
        match self.ask(&ArenaCommand::Place, rules, self.limits.to_place())? {
            Reply::Fleet(ships) => {
                let fleet = fleet_of(rules, &ships);
                fleet.map_err(|error| self.end(FaultKind::IllegalFleet.with(error)))
            }
            other => Err(self.unexpected(&other, "fleet")),
        }
    }

    fn shoot(&mut self, view: &View<'_>, due: usize) -> Result<Vec<Cell>, Fault> {
        let started = Instant::now();
        let reply = self.ask(&ArenaCommand::Shoot(due), view.rules(), self.limits.to_shoot(self.left))?;
        self.left = self.left.saturating_sub(started.elapsed());
        match reply {
            Reply::Shots(cells) => Ok(cells),
            other => Err(self.unexpected(&other, "shots")),
        }
    }

    fn answered(&mut self, shots: &[Shot], rules: &Rules) -> Result<(), Fault> {
        self.tell_shots(shots.iter().copied().map(ArenaCommand::Answer), rules)
    }

    fn attacked(&mut self, shots: &[Shot], rules: &Rules) -> Result<(), Fault> {
        self.tell_shots(shots.iter().copied().map(ArenaCommand::Enemy), rules)
    }

    fn finish(
        &mut self,
        _view: Option<&View<'_>>,
        verdict: Verdict,
        reason: &str,
        enemy: Option<&Fleet>,
    ) -> Result<(), Fault> {
        self.tell(&ArenaCommand::end(verdict, reason, enemy), None)
    }

    fn close(&mut self) -> Result<(), Fault> {
        let Some(notify) = self.limits.notify else {
            self.leave();
            return Ok(());
        };
        let Some(process) = &mut self.process else {
            return Ok(());
        };
        let left = process.leave(notify.game + self.limits.margin).map_err(|silence| match silence {
            RecvError::Timeout => FaultKind::GameTimeout.with("it did not leave"),
            RecvError::Exited(how) => FaultKind::Crash.with(how),
        });
        let left = left.map_err(|fault| self.end(fault));
        self.process = None;
        left
    }

    /// Who has failed does not go on, whoever has found it out.
    fn blame(&mut self, fault: Fault) -> Fault {
        self.end(fault)
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

impl Drop for ExternalPlayer {
    fn drop(&mut self) {
        self.leave();
    }
}
