//! Flags of earlier releases. They still work and print what replaced them.

use std::ffi::OsString;
use std::fmt;

use clap::Command;
use seabattle_arena::Schedule;

/// One old flag of a command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ReplacedFlag {
    command: String,
    old: String,
    new: &'static str,
}

impl fmt::Display for ReplacedFlag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of `seabattle {}` was renamed: please use {}", self.old, self.command, self.new)
    }
}

/// Returns the new name of an old flag, which may depend on its value.
fn replacement(command: &str, flag: &str, value: Option<&str>) -> Option<&'static str> {
    match (command, flag) {
        ("check" | "match" | "tournament", "--log") => Some("--bot-log"),
        ("check" | "match" | "tournament" | "worker", "--open") => Some("--no-sandbox"),
        ("serve", "--log") => Some("--log-format"),
        ("bench", "--without-luck") => Some("--low-variance"),
        ("tournament", "--output") => Some("--format"),
        ("tournament", "--format") => value.filter(|value| value.parse::<Schedule>().is_ok()).map(|_| "--schedule"),
        _ => None,
    }
}

/// Replaces every old flag of the command line, and returns what was replaced.
pub(crate) fn replace(program: &Command, arguments: Vec<OsString>) -> (Vec<OsString>, Vec<ReplacedFlag>) {
    let mut replaced = Vec::new();
    let command = arguments.get(1).and_then(|name| program.find_subcommand(name));
    let Some(command) = command else { return (arguments, replaced) };
    let mut rest = arguments.into_iter().peekable();
    let mut out: Vec<OsString> = rest.by_ref().take(2).collect();
    while let Some(word) = rest.next() {
        let text = word.to_str().unwrap_or_default();
        if text == "--" || (!text.starts_with('-') && takes_bot_command(command)) {
            out.push(word);
            break;
        }
        let (flag, attached) = text.split_once('=').map_or((text, None), |(flag, value)| (flag, Some(value)));
        let next = rest.peek().and_then(|next| next.to_str());
        let Some(new) = replacement(command.get_name(), flag, attached.or(next)) else {
            let has_value = attached.is_none() && takes_value(command, flag);
            out.push(word);
            out.extend(rest.next_if(|_| has_value));
            continue;
        };
        replaced.push(ReplacedFlag { command: command.get_name().to_owned(), old: flag.to_owned(), new });
        match attached {
            Some(value) => out.push(format!("{new}={value}").into()),
            None => {
                out.push(new.into());
                let has_value = takes_value(command, new);
                out.extend(rest.next_if(|_| has_value));
            }
        }
    }
    out.extend(rest);
    (out, replaced)
}

/// Whether the first word that is not a flag starts the command of a bot, which has flags of its own.
fn takes_bot_command(command: &Command) -> bool {
    command.get_positionals().any(clap::Arg::is_trailing_var_arg_set)
}

/// Whether the word after a flag is its value.
fn takes_value(command: &Command, flag: &str) -> bool {
    let long = flag.trim_start_matches("--");
    let known = command.get_arguments().find(|argument| argument.get_long() == Some(long));
    known.is_some_and(|argument| argument.get_action().takes_values() && !argument.is_require_equals_set())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::replace;
    use crate::cli;

    /// Checks what a command line becomes, and which new flags the messages name.
    #[track_caller]
    fn check(given: &str, expected: &str, flags: &[&str]) {
        let words = given.split(' ').map(Into::into).collect();
        let (out, replaced) = replace(&cli::command(), words);
        let out: Vec<&str> = out.iter().map(|word| word.to_str().unwrap()).collect();
        assert_eq!(out.join(" "), expected);
        let messages: Vec<String> = replaced.iter().map(ToString::to_string).collect();
        assert_eq!(messages.len(), flags.len(), "{messages:?}");
        for (message, flag) in messages.iter().zip(flags) {
            assert!(message.ends_with(&format!("please use {flag}")), "{message}");
        }
    }

    #[test]
    fn every_old_flag_is_replaced() {
        check(
            "seabattle match a b --log logs --open",
            "seabattle match a b --bot-log logs --no-sandbox",
            &["--bot-log", "--no-sandbox"],
        );
        check("seabattle serve --log=json", "seabattle serve --log-format=json", &["--log-format"]);
        check("seabattle bench star --without-luck", "seabattle bench star --low-variance", &["--low-variance"]);
        check("seabattle worker --nats x --open", "seabattle worker --nats x --no-sandbox", &["--no-sandbox"]);
        check(
            "seabattle tournament a b --format swiss:3 --output csv",
            "seabattle tournament a b --schedule swiss:3 --format csv",
            &["--schedule", "--format"],
        );
        check("seabattle tournament a --format=contest", "seabattle tournament a --schedule=contest", &["--schedule"]);
    }

    #[test]
    fn new_flags_and_values_stay_as_they_are() {
        for line in [
            "seabattle tournament a b --schedule knockout --format csv --out cup",
            "seabattle tournament a --out --open",
            "seabattle bench star --format json",
            "seabattle export game.txt --output still.png",
            "seabattle match -- --open --log",
            "seabattle --log",
            "seabattle",
        ] {
            check(line, line, &[]);
        }
    }

    #[test]
    fn flags_of_a_bot_are_its_own() {
        check(
            "seabattle check --memory 9 --log logs ./bot --log x --open",
            "seabattle check --memory 9 --bot-log logs ./bot --log x --open",
            &["--bot-log"],
        );
    }
}
