//! Workers on other machines as an executor: jobs become bytes, bytes become results.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use seabattle_arena::{BenchReport, Executor, ExecutorError, FinishedGame, PlayerInfo};
use seabattle_queue::{QueueError, WorkerIdentity, printable};

use super::job::Job;
use super::{Remote, run_id};

/// The most letters of texts that come from workers.
const MAX_NAME: usize = 200;
const MAX_FAULT: usize = 4000;

/// An executor whose jobs are played by workers on other machines.
pub(crate) struct RemoteExecutor<'a, F> {
    remote: &'a Remote,
    /// What all jobs have in common. The same work has the same text.
    work: String,
    describe: F,
    /// How many runs there were: each round of a tournament is a run of its own.
    runs: Cell<u64>,
}

impl<'a, F> RemoteExecutor<'a, F> {
    pub(crate) fn new(remote: &'a Remote, work: String, describe: F) -> Self {
        Self { remote, work, describe, runs: Cell::new(0) }
    }
}

/// A value that a worker sends as a result.
pub(crate) trait FromJobResult: Sized {
    /// Reads the result of a worker; `None` if it is none.
    fn read(result: &[u8], worker: Option<&WorkerIdentity>) -> Option<Self>;
}

impl FromJobResult for Vec<FinishedGame> {
    fn read(result: &[u8], worker: Option<&WorkerIdentity>) -> Option<Self> {
        let lines = result.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        let shown = |text: Option<String>, most| text.map(|text| printable(&text, most));
        let game = |line: &[u8]| {
            let game = FinishedGame::read(line, usize::MAX)?;
            let players = game
                .players
                .clone()
                .map(|player| PlayerInfo { name: shown(player.name, MAX_NAME), fault: shown(player.fault, MAX_FAULT) });
            Some(FinishedGame { players, worker: worker.map(|worker| worker.short_id().to_owned()), ..game })
        };
        lines.map(game).collect()
    }
}

impl FromJobResult for BenchReport {
    fn read(result: &[u8], _: Option<&WorkerIdentity>) -> Option<Self> {
        serde_json::from_slice(result).ok()
    }
}

impl<J, T: FromJobResult, F: Fn(J) -> Job> Executor<J, T> for RemoteExecutor<'_, F> {
    fn run(
        &self,
        jobs: u64,
        job: &(dyn Fn(u64) -> Option<J> + Sync),
        stop: &AtomicBool,
        done: &mut dyn FnMut(T) -> ControlFlow<()>,
    ) -> Result<(), ExecutorError> {
        let round = self.runs.replace(self.runs.get() + 1);
        let run = run_id(&format!("{} {round}", self.work));
        let describe = |number: u64| serde_json::to_vec(&(self.describe)(job(number)?)).ok();
        let mut unreadable = None;
        let worked = self.remote.coordinator.run(
            &run,
            jobs,
            &describe,
            stop,
            &self.remote.monitor,
            &mut |number, bytes, worker| match T::read(bytes, Some(worker)).map(&mut *done) {
                Some(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                Some(ControlFlow::Break(())) => ControlFlow::Break(()),
                None => {
                    unreadable = Some(number);
                    ControlFlow::Break(())
                }
            },
        );
        worked.map_err(|error| match error {
            QueueError::FalseResult { worker, .. } => {
                // Everything is counted again from the first run on, and stored results are used again.
                self.runs.set(0);
                ExecutorError::Retracted(worker.short_id().to_owned())
            }
            error => ExecutorError::Failed(error.to_string()),
        })?;
        match unreadable {
            None => Ok(()),
            Some(number) => Err(ExecutorError::Failed(format!(
                "the result of job {number} cannot be read: is a worker of another program there?"
            ))),
        }
    }
}
