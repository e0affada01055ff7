//! External players: programs that speak the line protocol over the pipes of a process.

use std::time::{Duration, Instant};

use seabattle_core::{Cell, Fleet, Rules, Seed, Shot, View};

use crate::player::{Fault, FaultKind, Player};
use crate::process::{BotCommand, Line, Process, QUIT_TIME, RecvError};
use crate::protocol::{ArenaCommand, GameOutcome, MOST_BYTES, Reply, fleet_of};

/// How long an external player may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeLimits {
    /// The time from the start of the program until it is ready.
    pub start: Duration,
    /// The time to place a fleet.
    pub place: Duration,
    /// The time for the shots of one turn.
    pub shot: Duration,
    /// The time for all shots of a game together.
    pub game: Duration,
    /// Limits for commands that need no answer. Without them nobody waits, and the time counts for the next answer.
    pub notify: Option<NotifyLimits>,
    /// Extra time on top of each limit, for delays that are not the player's fault.
    pub margin: Duration,
    /// Where the limits come from; messages about a timeout name it.
    pub source: LimitSource,
}

/// Where time limits come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitSource {
    /// Options of the command line, such as `--time-shot`.
    Options,
    /// The rules of the «Морской бой» contest.
    Contest,
}

/// The time limit of one answer, and the fault of a player that exceeds it.
#[derive(Clone, Copy)]
struct Limit {
    time: Duration,
    /// The limit for all shots of a game, where `time` is what is left of it.
    whole_game: Option<Duration>,
    fault: FaultKind,
    /// The option that sets the limit.
    option: &'static str,
}

/// How long an external player may take for commands that need no answer, until it is ready again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotifyLimits {
    /// The time for the result of a shot.
    pub shot: Duration,
    /// The time for the start or the end of a game, and for `quit`.
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
    fn start_limit(self) -> Limit {
        Limit { time: self.start, whole_game: None, fault: FaultKind::StartTimeout, option: "--time-start" }
    }

    fn place_limit(self) -> Limit {
        Limit { time: self.place, whole_game: None, fault: FaultKind::PlaceTimeout, option: "--time-place" }
    }

    /// The limit of a turn with `left` of the time for all shots of the game.
    fn shot_limit(self, left: Duration) -> Limit {
        if left < self.shot {
            return Limit {
                time: left,
                whole_game: Some(self.game),
                fault: FaultKind::GameTimeout,
                option: "--time-game",
            };
        }
        Limit { time: self.shot, whole_game: None, fault: FaultKind::ShotTimeout, option: "--time-shot" }
    }

    /// The limit of a command that needs no answer, if it has one.
    fn notify_limit(self, command: &ArenaCommand) -> Option<Limit> {
        let (time, fault, option) = match command {
            ArenaCommand::Answer(_) | ArenaCommand::Enemy(_) => {
                (self.notify?.shot, FaultKind::ShotTimeout, "--time-shot")
            }
            _ => (self.notify?.game, FaultKind::GameTimeout, "--time-game"),
        };
        Some(Limit { time, whole_game: None, fault, option })
    }
}

impl Limit {
    fn timeout(self, source: LimitSource) -> Fault {
        let by = match source {
            LimitSource::Options => self.option,
            LimitSource::Contest => "a limit of the contest",
        };
        match self.whole_game {
            Some(whole) => self
                .fault
                .with(format_args!("all shots of the game together took more than {} ms ({by})", whole.as_millis())),
            None => self.fault.with(format_args!(
                "did not answer within {} ms ({by}); is every line flushed?",
                self.time.as_millis()
            )),
        }
    }
}

/// A program that speaks the line protocol. It starts for its first game, and again after each fault.
pub struct ExternalPlayer {
    command: BotCommand,
    limits: TimeLimits,
    process: Option<Process>,
    /// The name from its greeting.
    name: Option<String>,
    /// The time left for the shots of this game.
    left: Duration,
    /// The last lines exchanged with the process that failed last.
    last_transcript: Vec<String>,
    /// The end of the log of the process that failed last.
    last_log: Vec<String>,
}

impl ExternalPlayer {
    /// A player whose program is not started yet.
    pub fn new(command: BotCommand, limits: TimeLimits) -> Self {
        Self {
            command,
            limits,
            process: None,
            name: None,
            left: limits.game,
            last_transcript: Vec::new(),
            last_log: Vec::new(),
        }
    }

    /// The name from its greeting, once the program was started.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Starts the program, or checks that it still answers.
    pub fn greet(&mut self) -> Result<(), Fault> {
        if self.process.is_some() {
            return self.sync(self.limits.start_limit());
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
        self.send(&ArenaCommand::Hello, None);
        let limit = self.limits.start_limit();
        let deadline = self.deadline(limit);
        loop {
            match self.recv(limit, deadline)? {
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
        self.send(&ArenaCommand::Sync, None);
        match self.recv(limit, self.deadline(limit))? {
            Reply::Ready => Ok(()),
            other => Err(self.unexpected(&other, "ready")),
        }
    }

    /// Asks the program to quit, and kills it if it does not. Returns whether it quit by itself.
    pub fn quit(&mut self) -> bool {
        self.process.take().is_none_or(|mut process| process.quit(QUIT_TIME) != Err(RecvError::Timeout))
    }

    /// Sends a command that needs no answer. Where it has a time limit, the program must be ready again in time.
    fn notify(&mut self, command: &ArenaCommand, rules: Option<&Rules>) -> Result<(), Fault> {
        self.send(command, rules);
        match self.limits.notify_limit(command) {
            Some(limit) if self.process.is_some() => self.sync(limit),
            _ => Ok(()),
        }
    }

    fn notify_shots(&mut self, mut commands: impl Iterator<Item = ArenaCommand>, rules: &Rules) -> Result<(), Fault> {
        commands.try_for_each(|command| self.notify(&command, Some(rules)))
    }

    /// Sends a line that no bot can understand, and expects an `error` line.
    pub(crate) fn send_nonsense(&mut self, nonsense: &str) -> Result<(), Fault> {
        self.check_silent()?;
        if let Some(process) = &mut self.process {
            process.send(nonsense.to_owned());
        }
        let limit = self.limits.shot_limit(self.limits.game);
        let line = self.recv_line(limit, self.deadline(limit)).map_err(|fault| self.end(fault))?;
        match Reply::parse(&line) {
            Ok(Reply::Error(_)) => self.sync(self.limits.start_limit()),
            _ => Err(FaultKind::Garbage.with(format_args!("expected a line `error …`, got {line:?}"))),
        }
    }

    /// The last lines exchanged with the program.
    pub(crate) fn transcript(&self) -> Vec<String> {
        self.process.as_ref().map_or_else(|| self.last_transcript.clone(), |process| process.transcript().to_vec())
    }

    fn send(&mut self, command: &ArenaCommand, rules: Option<&Rules>) {
        if let Some(process) = &mut self.process {
            let classic;
            let rules = match rules {
                Some(rules) => rules,
                None => {
                    classic = Rules::classic();
                    &classic
                }
            };
            process.send(command.to_text(rules));
        }
    }

    /// Receives the reply to a command. The program is ended if it fails.
    fn recv(&mut self, limit: Limit, deadline: Instant) -> Result<Reply, Fault> {
        let line = self.recv_line(limit, deadline);
        let reply = line.and_then(|line| match Reply::parse(&line) {
            Ok(Reply::Error(why)) => Err(FaultKind::GaveUp.with(why)),
            Ok(reply) => Ok(reply),
            Err(error) => Err(self.garbage(error)),
        });
        reply.map_err(|fault| self.end(fault))
    }

    fn recv_line(&mut self, limit: Limit, deadline: Instant) -> Result<String, Fault> {
        let process = self.process.as_mut().ok_or_else(|| FaultKind::Crash.with("the program is not running"))?;
        match process.recv(deadline) {
            Ok(Line::Text(line)) => Ok(line),
            Ok(Line::TooLong) => {
                Err(FaultKind::LongLine.with(format_args!("sent a line of more than {MOST_BYTES} bytes")))
            }
            Ok(Line::End) => Err(FaultKind::Crash.with("closed its output")),
            Err(RecvError::Exited(how)) => Err(FaultKind::Crash.with(how)),
            Err(RecvError::Exceeded(limit)) => Err(limit.fault()),
            Err(RecvError::Timeout) => Err(limit.timeout(self.limits.source)),
        }
    }

    /// The fault for a wrong line: garbage for one line, a flood for a stream of lines.
    fn garbage(&mut self, what: impl std::fmt::Display) -> Fault {
        let deadline = Instant::now() + self.limits.margin;
        let mut more = 0;
        while let Some(process) = &mut self.process
            && more < crate::process::MOST_WAITING
            && let Ok(Line::Text(_) | Line::TooLong) = process.recv(deadline)
        {
            more += 1;
        }
        if more >= crate::process::MOST_WAITING {
            return FaultKind::Flood.with(format_args!("sent more than {more} lines without being asked"));
        }
        FaultKind::Garbage.with(what)
    }

    fn unexpected(&mut self, reply: &Reply, expected: &str) -> Fault {
        let fault = self.garbage(format_args!("expected `{expected}`, got {reply:?}"));
        self.end(fault)
    }

    /// Fails if the program wrote a line without being asked.
    fn check_silent(&mut self) -> Result<(), Fault> {
        let Some(line) = self.process.as_ref().and_then(Process::try_recv) else {
            return Ok(());
        };
        let text: String = match line {
            Line::Text(text) => text.chars().take(60).collect(),
            Line::TooLong | Line::End => String::new(),
        };
        let fault = self.garbage(format_args!("sent {text:?} without being asked"));
        Err(self.end(fault))
    }

    /// Ends the program after a fault, and adds its log to the fault.
    fn end(&mut self, fault: Fault) -> Fault {
        Fault { log: self.stop(), ..fault }
    }

    /// Kills the program if it runs. Returns the last lines of its log.
    pub(crate) fn stop(&mut self) -> Vec<String> {
        self.last_transcript = self.transcript();
        if let Some(process) = self.process.take() {
            self.last_log = process.end();
        }
        self.last_log.clone()
    }

    fn ask(&mut self, command: &ArenaCommand, rules: &Rules, limit: Limit) -> Result<Reply, Fault> {
        self.check_silent()?;
        self.send(command, Some(rules));
        self.recv(limit, self.deadline(limit))
    }
}

impl Player for ExternalPlayer {
    fn start(&mut self, rules: &Rules, seed: &Seed) -> Result<(), Fault> {
        self.greet()?;
        self.left = self.limits.game;
        if let Some(process) = &self.process {
            process.begin_game();
        }
        self.notify(&ArenaCommand::Game { rules: rules.clone(), seed: seed.external_seed() }, Some(rules))
    }

    fn place(&mut self, rules: &Rules) -> Result<Fleet, Fault> {
        match self.ask(&ArenaCommand::Place, rules, self.limits.place_limit())? {
            Reply::Fleet(ships) => {
                let fleet = fleet_of(rules, &ships);
                fleet.map_err(|error| self.end(FaultKind::IllegalFleet.with(error)))
            }
            other => Err(self.unexpected(&other, "fleet")),
        }
    }

    fn shoot(&mut self, view: &View<'_>, due: usize) -> Result<Vec<Cell>, Fault> {
        let started = Instant::now();
        let reply = self.ask(&ArenaCommand::Shoot(due), view.rules(), self.limits.shot_limit(self.left))?;
        self.left = self.left.saturating_sub(started.elapsed());
        match reply {
            Reply::Shots(cells) => Ok(cells),
            other => Err(self.unexpected(&other, "shots")),
        }
    }

    fn answered(&mut self, shots: &[Shot], rules: &Rules) -> Result<(), Fault> {
        self.notify_shots(shots.iter().copied().map(ArenaCommand::Answer), rules)
    }

    fn attacked(&mut self, shots: &[Shot], rules: &Rules) -> Result<(), Fault> {
        self.notify_shots(shots.iter().copied().map(ArenaCommand::Enemy), rules)
    }

    fn finish(
        &mut self,
        _view: Option<&View<'_>>,
        outcome: GameOutcome,
        reason: &str,
        enemy: Option<&Fleet>,
    ) -> Result<(), Fault> {
        self.notify(&ArenaCommand::end(outcome, reason, enemy), None)
    }

    fn close(&mut self) -> Result<(), Fault> {
        let Some(notify) = self.limits.notify else {
            self.quit();
            return Ok(());
        };
        let Some(process) = &mut self.process else {
            return Ok(());
        };
        let result = process.quit(notify.game + self.limits.margin).map_err(|error| match error {
            RecvError::Timeout => FaultKind::GameTimeout.with("did not quit in time"),
            RecvError::Exited(how) => FaultKind::Crash.with(how),
            RecvError::Exceeded(limit) => limit.fault(),
        });
        let result = result.map_err(|fault| self.end(fault));
        self.process = None;
        result
    }

    /// Ends the program: one that made an illegal move does not go on either.
    fn on_fault(&mut self, fault: Fault) -> Fault {
        self.end(fault)
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

impl Drop for ExternalPlayer {
    fn drop(&mut self) {
        self.quit();
    }
}
