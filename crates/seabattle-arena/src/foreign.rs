//! A stranger as a player: the line protocol over the pipes of a process.

use std::time::{Duration, Instant};

use seabattle_core::{Cell, Fleet, Rules, Shot, View};

use crate::player::{Fault, FaultKind, Player};
use crate::process::{LEAVING, Launch, Line, Process, Silence};
use crate::protocol::{Order, Reply, Verdict, fleet_of};

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
    pub told: Option<ToldLimits>,
    /// Given on top of each: what is not the stranger's fault.
    pub margin: Duration,
}

/// How long a stranger may take over what it is told before it must be ready again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToldLimits {
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
            told: None,
            margin: Duration::from_millis(50),
        }
    }
}

/// A program that speaks the protocol. It is started for its first game, and again after it has failed.
pub struct Foreign {
    launch: Launch,
    limits: TimeLimits,
    process: Option<Process>,
    /// What it calls itself.
    name: Option<String>,
    /// Time left for the shots of this game.
    left: Duration,
    /// The last lines of the process that failed last.
    last_words: Vec<String>,
}

impl Foreign {
    /// A player that is not started yet.
    pub fn new(launch: Launch, limits: TimeLimits) -> Self {
        Self { launch, limits, process: None, name: None, left: limits.game, last_words: Vec::new() }
    }

    /// What it calls itself, once it has been started.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Starts it, unless it runs.
    pub fn greet(&mut self) -> Result<(), Fault> {
        if self.process.is_some() {
            return self.sync(self.limits.start, FaultKind::StartTimeout);
        }
        let program = self.launch.words.first().map_or("", String::as_str);
        let process = Process::start(&self.launch)
            .map_err(|error| FaultKind::Crash.with(format_args!("{program} cannot be started: {error}")))?;
        self.process = Some(process);
        self.say(&Order::Hello, None);
        let deadline = Instant::now() + self.limits.start + self.limits.margin;
        loop {
            match self.hear(deadline, FaultKind::StartTimeout)? {
                Reply::Name(name) => self.name = Some(name),
                Reply::Author(_) => {}
                Reply::Ready => return Ok(()),
                other => return Err(self.unexpected(&other, "ready")),
            }
        }
    }

    fn sync(&mut self, limit: Duration, late: FaultKind) -> Result<(), Fault> {
        self.check_silent()?;
        self.say(&Order::Sync, None);
        match self.hear(Instant::now() + limit + self.limits.margin, late)? {
            Reply::Ready => Ok(()),
            other => Err(self.unexpected(&other, "ready")),
        }
    }

    /// Tells it to leave, and sees to it that it does; whether it did so by itself.
    pub fn leave(&mut self) -> bool {
        self.process.take().is_none_or(|process| process.leave(LEAVING) != Err(Silence::Late))
    }

    /// Tells something; where that has a limit, it must be ready again in time.
    fn tell(&mut self, order: &Order, rules: Option<&Rules>, limit: Option<Duration>) -> Result<(), Fault> {
        let late = match order {
            Order::Answer(_) | Order::Enemy(_) => FaultKind::ShotTimeout,
            _ => FaultKind::GameTimeout,
        };
        self.say(order, rules);
        match limit {
            Some(limit) if self.process.is_some() => self.sync(limit, late),
            _ => Ok(()),
        }
    }

    fn tell_shots(&mut self, mut orders: impl Iterator<Item = Order>, rules: &Rules) -> Result<(), Fault> {
        let limit = self.limits.told.map(|told| told.shot);
        orders.try_for_each(|order| self.tell(&order, Some(rules), limit))
    }

    /// Says what no bot can understand; an `error` line is due.
    pub(crate) fn confuse(&mut self) -> Result<(), Fault> {
        self.check_silent()?;
        if let Some(process) = &mut self.process {
            process.say("gibberish 1 2 3".to_owned());
        }
        let deadline = Instant::now() + self.limits.shot + self.limits.margin;
        let line = self.hear_line(deadline, FaultKind::ShotTimeout).map_err(|fault| self.end(fault))?;
        match Reply::parse(&line) {
            Ok(Reply::Error(_)) => self.sync(self.limits.start, FaultKind::StartTimeout),
            _ => Err(FaultKind::Garbage.with(format_args!("a line `error …` was due, not {line:?}"))),
        }
    }

    /// The last lines that were said.
    pub(crate) fn said(&self) -> Vec<String> {
        self.process.as_ref().map_or_else(|| self.last_words.clone(), |process| process.said().to_vec())
    }

    fn say(&mut self, order: &Order, rules: Option<&Rules>) {
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
    fn hear(&mut self, deadline: Instant, late: FaultKind) -> Result<Reply, Fault> {
        let heard = self.hear_line(deadline, late);
        let reply = heard.and_then(|line| match Reply::parse(&line) {
            Ok(Reply::Error(why)) => Err(FaultKind::GaveUp.with(why)),
            Ok(reply) => Ok(reply),
            Err(error) => Err(self.garbage(error)),
        });
        reply.map_err(|fault| self.end(fault))
    }

    fn hear_line(&mut self, deadline: Instant, late: FaultKind) -> Result<String, Fault> {
        let process = self.process.as_mut().ok_or_else(|| FaultKind::Crash.with("it does not run"))?;
        match process.hear(deadline) {
            Ok(Line::Text(line)) => Ok(line),
            Ok(Line::TooLong) => Err(FaultKind::LongLine.with("a line without end")),
            Ok(Line::End) => Err(FaultKind::Crash.with("closed its output")),
            Err(Silence::Ended(how)) => Err(FaultKind::Crash.with(how)),
            Err(Silence::Late) => Err(late.with("no answer in time; is every line flushed?")),
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
        let Some(line) = self.process.as_ref().and_then(Process::overhear) else {
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
        self.last_words = self.said();
        self.process = None;
        fault
    }

    fn ask(&mut self, order: &Order, rules: &Rules, limit: Duration, late: FaultKind) -> Result<Reply, Fault> {
        self.check_silent()?;
        self.say(order, Some(rules));
        self.hear(Instant::now() + limit + self.limits.margin, late)
    }
}

impl Player for Foreign {
    fn start(&mut self, rules: &Rules, seed: u64) -> Result<(), Fault> {
        self.greet()?;
        self.left = self.limits.game;
        let limit = self.limits.told.map(|told| told.game);
        self.tell(&Order::Game { rules: rules.clone(), seed }, Some(rules), limit)
    }

    fn place(&mut self, rules: &Rules) -> Result<Fleet, Fault> {
        match self.ask(&Order::Place, rules, self.limits.place, FaultKind::PlaceTimeout)? {
            Reply::Fleet(ships) => {
                let fleet = fleet_of(rules, &ships);
                fleet.map_err(|error| self.end(FaultKind::IllegalFleet.with(error)))
            }
            other => Err(self.unexpected(&other, "fleet")),
        }
    }

    fn shoot(&mut self, view: &View<'_>, due: usize) -> Result<Vec<Cell>, Fault> {
        let started = Instant::now();
        let (limit, late) = match self.left {
            left if left < self.limits.shot => (left, FaultKind::GameTimeout),
            _ => (self.limits.shot, FaultKind::ShotTimeout),
        };
        let reply = self.ask(&Order::Shoot(due), view.rules(), limit, late)?;
        self.left = self.left.saturating_sub(started.elapsed());
        match reply {
            Reply::Shots(cells) => Ok(cells),
            other => Err(self.unexpected(&other, "shots")),
        }
    }

    fn answered(&mut self, shots: &[Shot], rules: &Rules) -> Result<(), Fault> {
        self.tell_shots(shots.iter().copied().map(Order::Answer), rules)
    }

    fn attacked(&mut self, shots: &[Shot], rules: &Rules) -> Result<(), Fault> {
        self.tell_shots(shots.iter().copied().map(Order::Enemy), rules)
    }

    fn finish(
        &mut self,
        _view: Option<&View<'_>>,
        verdict: Verdict,
        reason: &str,
        enemy: Option<&Fleet>,
    ) -> Result<(), Fault> {
        let limit = self.limits.told.map(|told| told.game);
        self.tell(&Order::end(verdict, reason, enemy), None, limit)
    }

    fn close(&mut self) -> Result<(), Fault> {
        let Some(told) = self.limits.told else {
            self.leave();
            return Ok(());
        };
        let Some(process) = self.process.take() else {
            return Ok(());
        };
        process.leave(told.game + self.limits.margin).map_err(|silence| match silence {
            Silence::Late => FaultKind::GameTimeout.with("it did not leave"),
            Silence::Ended(how) => FaultKind::Crash.with(how),
        })
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        self.leave();
    }
}
