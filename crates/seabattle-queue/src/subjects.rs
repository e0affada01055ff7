//! What streams, subjects and consumers are called.

use std::fmt;

/// Streams and their subjects.
pub(crate) const JOBS_STREAM: &str = "SEABATTLE_JOBS";
pub(crate) const JOBS_SUBJECT: &str = "seabattle.jobs.>";
pub(crate) const RESULTS_STREAM: &str = "SEABATTLE_RESULTS";
pub(crate) const RESULTS_SUBJECT: &str = "seabattle.results.>";
/// Where workers say how they are.
pub(crate) const STATUS_SUBJECT: &str = "seabattle.workers";

/// Who can work together: programs of the same version play the same games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version(String);

impl Version {
    /// Of any text; what subjects cannot hold becomes `-`.
    pub fn new(text: &str) -> Self {
        Self(subject_token(text))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Which work: the same for whoever hands out the same jobs again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunId(String);

impl RunId {
    /// Of any text; what subjects cannot hold becomes `-`.
    pub fn new(text: &str) -> Self {
        Self(subject_token(text))
    }

    pub(crate) fn results(&self) -> String {
        format!("seabattle.results.{self}.*")
    }

    pub(crate) fn result(&self, number: u64) -> String {
        format!("seabattle.results.{self}.{number}")
    }

    pub(crate) fn jobs(&self, version: &Version) -> String {
        format!("seabattle.jobs.{version}.{self}.*")
    }

    pub(crate) fn job(&self, version: &Version, number: u64) -> String {
        format!("seabattle.jobs.{version}.{self}.{number}")
    }

    pub(crate) fn failures(&self) -> String {
        format!("seabattle.failures.{self}")
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The work and the number that a job's subject names.
pub(crate) fn parse_job_subject(subject: &str) -> Option<(RunId, u64)> {
    let mut parts = subject.strip_prefix("seabattle.jobs.")?.split('.').skip(1);
    let (run, number) = (parts.next()?, parts.next()?.parse().ok()?);
    Some((RunId(run.to_owned()), number))
}

/// The number that a result's subject names.
pub(crate) fn parse_result_number(subject: &str) -> Option<u64> {
    subject.rsplit('.').next()?.parse().ok()
}

/// The jobs of one version, and the consumer that all its workers share.
pub(crate) fn jobs_filter(version: &Version) -> String {
    format!("seabattle.jobs.{version}.>")
}

pub(crate) fn consumer_name(version: &Version) -> String {
    format!("workers-{version}")
}

/// Where one worker is told to leave.
pub(crate) fn order_subject(worker: &str) -> String {
    format!("seabattle.orders.{}", subject_token(worker))
}

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
