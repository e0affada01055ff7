//! Workers on other machines as an executor: jobs become bytes, bytes become results.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use seabattle_arena::{Executor, ExecutorError, FinishedGame, Report};

use super::job::Job;
use super::{Remote, run_id};

/// Workers elsewhere, who do jobs of one kind.
pub(crate) struct RemoteExecutor<'a, F> {
    remote: &'a Remote,
    /// All that the jobs have in common: the same work has the same text.
    work: String,
    describe: F,
    /// How often it has been asked: rounds of a tournament are different work.
    runs: Cell<u64>,
}

impl<'a, F> RemoteExecutor<'a, F> {
    pub(crate) fn new(remote: &'a Remote, work: String, describe: F) -> Self {
        Self { remote, work, describe, runs: Cell::new(0) }
    }
}

/// What a result says.
pub(crate) trait FromResult: Sized {
    fn read(result: &[u8]) -> Option<Self>;
}

impl FromResult for Vec<FinishedGame> {
    fn read(result: &[u8]) -> Option<Self> {
        let lines = result.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        lines.map(|line| FinishedGame::read(line, usize::MAX)).collect()
    }
}

impl FromResult for Report {
    fn read(result: &[u8]) -> Option<Self> {
        serde_json::from_slice(result).ok()
    }
}

impl<J, T: FromResult, F: Fn(J) -> Job> Executor<J, T> for RemoteExecutor<'_, F> {
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
        let worked =
            self.remote.coordinator.run(&run, jobs, &describe, stop, &self.remote.monitor, &mut |number, bytes| {
                match T::read(bytes).map(&mut *done) {
                    Some(ControlFlow::Continue(())) => ControlFlow::Continue(()),
                    Some(ControlFlow::Break(())) => ControlFlow::Break(()),
                    None => {
                        unreadable = Some(number);
                        ControlFlow::Break(())
                    }
                }
            });
        worked.map_err(|error| ExecutorError::Failed(error.to_string()))?;
        match unreadable {
            None => Ok(()),
            Some(number) => Err(ExecutorError::Failed(format!(
                "the result of job {number} cannot be read: is a worker of another program there?"
            ))),
        }
    }
}
