//! Reports the first fault of each contestant as soon as it happens.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::ProgressBar;

/// Reports the faults of one contestant.
pub(crate) struct FaultReporter {
    /// The contestant as it was typed, or its name in a tournament file.
    pub(crate) name: String,
    /// The command that checks the contestant alone, if it is a program.
    pub(crate) check: Option<String>,
    has_reported: AtomicBool,
}

impl FaultReporter {
    pub(crate) fn new(name: &str, check: Option<String>) -> Self {
        Self { name: name.to_owned(), check, has_reported: AtomicBool::new(false) }
    }

    /// Prints the first fault above the progress bar, with the name that the bot itself reports.
    pub(crate) fn report(&self, own_name: Option<&str>, fault: &str, bar: &ProgressBar) {
        if self.has_reported.swap(true, Ordering::Relaxed) {
            return;
        }
        let line = self.line(own_name, fault);
        bar.suspend(|| writeln!(io::stderr(), "{line}").ok());
    }

    fn line(&self, own_name: Option<&str>, fault: &str) -> String {
        let own_name = own_name.map_or(String::new(), |own_name| format!(" ({own_name})"));
        let next = self.check.as_ref().map_or(String::new(), |check| format!("; check it alone with: {check}"));
        format!("seabattle: {}{own_name} forfeited a game: {fault}{next}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::FaultReporter;

    #[test]
    fn the_line_says_what_to_do_next() {
        let reporter = FaultReporter::new("./bot", Some("seabattle check ./bot".to_owned()));
        assert_eq!(
            reporter.line(Some("Corner"), "crash: ended with exit status: 3"),
            "seabattle: ./bot (Corner) forfeited a game: crash: ended with exit status: 3; \
             check it alone with: seabattle check ./bot"
        );
        assert!(FaultReporter::new("star", None).line(None, "illegal-shot").ends_with("illegal-shot"));
    }
}
