//! Names of streams, subjects and consumers.

use std::fmt;

/// The stream of jobs, and the subjects it stores.
pub(crate) const JOBS_STREAM: &str = "SEABATTLE_JOBS";
pub(crate) const JOBS_SUBJECT: &str = "seabattle.jobs.>";
pub(crate) const RESULTS_STREAM: &str = "SEABATTLE_RESULTS";
pub(crate) const RESULTS_SUBJECT: &str = "seabattle.results.>";
/// The subject on which workers publish their status.
pub(crate) const STATUS_SUBJECT: &str = "seabattle.workers";

/// The version of a program. A worker takes only jobs of its own version, because others may play other games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version(String);

impl Version {
    /// Makes a version from any text. Characters that a subject cannot hold become `-`.
    pub fn new(text: &str) -> Self {
        Self(subject_token(text))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a run. The same jobs get the same name, so a restarted coordinator finds the results of the run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunId(String);

impl RunId {
    /// Makes a run name from any text. Characters that a subject cannot hold become `-`.
    pub fn new(text: &str) -> Self {
        Self(subject_token(text))
    }

    /// The subjects of all results of the run.
    pub(crate) fn results(&self) -> String {
        format!("seabattle.results.{self}.*")
    }

    /// The subject of one result.
    pub(crate) fn result(&self, number: u64) -> String {
        format!("seabattle.results.{self}.{number}")
    }

    /// The subjects of all jobs of the run.
    pub(crate) fn jobs(&self, version: &Version) -> String {
        format!("seabattle.jobs.{version}.{self}.*")
    }

    /// The subject of one job.
    pub(crate) fn job(&self, version: &Version, number: u64) -> String {
        format!("seabattle.jobs.{version}.{self}.{number}")
    }

    /// The subject on which workers report failed jobs of the run.
    pub(crate) fn failures(&self) -> String {
        format!("seabattle.failures.{self}")
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The run and the job number in the subject of a job.
pub(crate) fn parse_job_subject(subject: &str) -> Option<(RunId, u64)> {
    let mut parts = subject.strip_prefix("seabattle.jobs.")?.split('.').skip(1);
    let (run, number) = (parts.next()?, parts.next()?.parse().ok()?);
    Some((RunId(run.to_owned()), number))
}

/// The job number in the subject of a result.
pub(crate) fn parse_result_number(subject: &str) -> Option<u64> {
    subject.rsplit('.').next()?.parse().ok()
}

/// The subjects of all jobs of one version.
pub(crate) fn jobs_filter(version: &Version) -> String {
    format!("seabattle.jobs.{version}.>")
}

/// The name of the consumer that all workers of a version share.
pub(crate) fn consumer_name(version: &Version) -> String {
    format!("workers-{version}")
}

/// The subject on which one worker receives orders.
pub(crate) fn order_subject(worker: &str) -> String {
    format!("seabattle.orders.{}", subject_token(worker))
}

/// The text with every character replaced by `-` that a subject cannot hold.
fn subject_token(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::{RunId, Version, parse_job_subject, parse_result_number};

    #[test]
    fn subjects_tell_whose_and_which_job_it_is() {
        let (run, version) = (RunId::new("a.b *>"), Version::new("0.1.0+x"));
        let subject = run.job(&version, 17);
        assert_eq!(subject, "seabattle.jobs.0-1-0-x.a-b---.17");
        assert_eq!(parse_job_subject(&subject), Some((run.clone(), 17)));
        assert_eq!(parse_result_number(&run.result(3)), Some(3));
        assert_eq!(parse_job_subject("seabattle.jobs.x"), None);
        assert_eq!(parse_job_subject("other.jobs.v.run.1"), None);
        assert_eq!(parse_job_subject("seabattle.jobs.v.run.one"), None);
    }
}
