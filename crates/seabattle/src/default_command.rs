//! Flags without a command: they are those of `play`.

use std::ffi::OsString;

use clap::Command;

/// Adds `play` to arguments that begin with one of its flags.
pub(crate) fn add_play(program: &Command, mut arguments: Vec<OsString>) -> Vec<OsString> {
    let first = arguments.get(1).and_then(|word| word.to_str()).and_then(|word| word.strip_prefix("--"));
    let flag = first.map(|word| word.split_once('=').map_or(word, |(flag, _)| flag));
    let play = program.find_subcommand("play");
    let is_of_play =
        |flag| play.is_some_and(|play| play.get_arguments().any(|argument| argument.get_long() == Some(flag)));
    if flag.is_some_and(is_of_play) {
        arguments.insert(1, "play".into());
    }
    arguments
}

#[cfg(test)]
mod tests {
    use super::add_play;
    use crate::cli;

    #[test]
    fn flags_of_play_need_no_command() {
        let check = |given: &str, expected: &str| {
            let words = add_play(&cli::command(), given.split(' ').map(Into::into).collect());
            assert_eq!(words.join(" ".as_ref()), expected);
        };
        check("seabattle --plain", "seabattle play --plain");
        check("seabattle --rules russian --bot star", "seabattle play --rules russian --bot star");
        check("seabattle --seed=7", "seabattle play --seed=7");
        for whole in ["seabattle", "seabattle --help", "seabattle --version", "seabattle play --plain", "seabattle -x"]
        {
            check(whole, whole);
        }
    }
}
