//! What help says beyond single arguments: groups of commands, rules, and examples.

use clap::CommandFactory;

use super::Cli;

/// The commands as the help groups them.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Play", &["play"]),
    ("Analyse recorded games", &["analyse", "replay", "export"]),
    ("Compare and build bots", &["bots", "bench", "match", "tournament", "check", "bot"]),
    ("Compute odds", &["odds", "count", "solve"]),
    ("Run servers", &["serve", "worker"]),
    ("Set up your shell", &["completions", "man", "help"]),
];

/// The widest line of help.
const MAX_WIDTH: usize = 100;

pub(super) const RULES: &str = "\
Rules are a preset or a board with its ships:
  classic      10x10: 5,4,3,3,2; ships may touch
  russian      10x10: 4,3,3,2,2,2,1,1,1,1; no touching, hits shoot again
  salvo        classic with one shot for each ship afloat
  8x8:4,3,2,2  any board up to 50x50

Changes follow after commas, such as classic,turn=again:
  touching=allowed|corners|forbidden
  turn=alternate|again|salvo|salvo:N
  announce=hit|sunk|which|named
  ending=at-once|equal";

pub(super) const SHOTS: &str = "\
Shots, in the order of firing:
  E5.          a miss at E5
  D4x          a hit at D4
  D6#          a hit that sinks a ship
  D6#cruiser   a hit that sinks a named ship
  D4x:cruiser  a hit that names its ship";

const TOP: &str = "\
Without a command, `seabattle` opens the menu of the game.

Examples:
  seabattle
  seabattle play --rules russian --bot captain
  seabattle help tournament";

pub(super) const PLAY: &str = "\
Examples:
  seabattle play
  seabattle play --rules russian --bot captain
  seabattle play --plain --seed 7 --first me --save games.txt";

pub(super) const CHECK: &str = "\
The check stops at the first step that fails. It prints what was sent, what came back and what was expected.

Examples:
  seabattle check python3 bots/python/bot.py
  seabattle check --time-shot 100ms --bot-log logs ./mybot
  seabattle check tavt:bots/contest/lattice.py";

pub(super) const MATCH: &str = "\
A contestant is a bot of the catalog (`seabattle bots`), a command that speaks the line protocol \
(docs/protocol.md), or `tavt:` and the path of a bot of the «Морской бой» contest.

In each pair of games both players fire first once. The same seed gives the same games on any number of threads. \
Ctrl-C ends the match, prints the score so far and exits with status 130.

Examples:
  seabattle match density star
  seabattle match \"python3 bots/python/bot.py\" adjacent --pairs 200
  seabattle match hunter density --sprt 0,10 --rules russian";

pub(super) const TOURNAMENT: &str = "\
Contestants are those of `seabattle match`. Every finished game is stored at once. After Ctrl-C (exit status 130) or \
a crash, --resume continues. The table is then the same as without the interruption.

A contest is a round robin under russian rules. Each pairing plays one game of several sets, in which the first shot \
alternates. A game ends as soon as it is decided. A fault loses the whole game. A win gives 3 points, a draw 1. \
If both fail in the same call, both lose. The time limits are those of the «Морской бой» contest: 1.5 s to place a \
fleet, to shoot and to hear a result, 5 s for everything else.

Examples:
  seabattle tournament random star density hunter --pairs 100 --out cup
  seabattle tournament --resume cup --format html > cup.html
  seabattle tournament tavt:bots/contest/lattice.py lattice blocks --schedule contest --out games";

pub(super) const BOTS: &str = "\
Examples:
  seabattle bots
  seabattle bots --format json";

pub(super) const BOT: &str = "\
Type `seabattle 1` to see the first reply. docs/protocol.md describes the protocol.

Examples:
  seabattle bot density
  seabattle check seabattle bot density";

pub(super) const BENCH: &str = "\
All bots play against the same layouts. The same seed gives the same numbers on any number of threads; only the \
speed differs.

In a series a bot meets the same enemy several times and can learn. Both see how a game ended, and both are \
restarted for the next series. Standard errors are those of whole series.

Examples:
  seabattle bench random star density
  seabattle bench density --placer random --series 10 --games 2000
  seabattle bench --plot bots.svg --format json";

pub(super) const ODDS: &str = "\
Examples:
  seabattle odds --shots 'E5. D4x D5x'
  seabattle odds --rules russian --shots 'C3# F6x' --format json
  seabattle odds --format svg > odds.svg";

pub(super) const COUNT: &str = "\
Examples:
  seabattle count russian
  seabattle count 8x8:4,3,2,2,touching=forbidden";

pub(super) const SOLVE: &str = "\
A board that exceeds a limit is refused. The error names the option that raises it.

Examples:
  seabattle solve 4x4:3,2
  seabattle solve 5x4:3,2,touching=forbidden --format json";

pub(super) const ANALYSE: &str = "\
Each shot is compared with the exact odds that its player could have known:

  skill  100 x expected hits of the chosen cells / expected hits of the likeliest cells
  luck   hits - expected hits of the chosen cells; sd: in standard deviations

docs/analysis.md explains what these numbers mean, and what they do not.

Examples:
  seabattle analyse games.txt
  seabattle analyse games.txt --all
  seabattle analyse games.txt --format html > game.html";

pub(super) const EXPORT: &str = "\
The extension of the file decides: .gif is an animation, .html a page to step through, .png and .svg a picture of \
one step. A step is one volley, which is a single shot except under salvo rules.

Examples:
  seabattle export games.txt -o game.gif
  seabattle export games.txt -o game.html --odds
  seabattle export games.txt -o step20.png --step 20 --odds --size 1600";

pub(super) const REPLAY: &str = "\
Examples:
  seabattle replay games.txt
  seabattle replay games.txt --game 1
  seabattle replay games.txt --plain --boards | less";

pub(super) const SERVE: &str = "\
Every shot is stored before anyone sees it, so games survive a crash. docs/operations.md explains how to run a site.

Examples:
  seabattle serve
  seabattle serve --addr 0.0.0.0:8080 --store /var/lib/seabattle/games.db --log-format json
  seabattle serve --store postgres://seabattle@db/seabattle --nats nats://nats:4222 --forwarded";

pub(super) const WORKER: &str = "\
A worker takes jobs from a queue and plays them. `match`, `tournament` and `bench` put jobs there with --nats. \
A worker always plays bots of the catalog. It runs a command only if --allow names it word for word. If a worker \
dies, others take over its jobs. After Ctrl-C it gives unfinished jobs back.

Examples:
  seabattle worker --nats nats://127.0.0.1:4222
  seabattle worker --nats tls://queue.example.org --nats-creds worker.creds --threads 8
  seabattle worker --nats nats://127.0.0.1:4222 --allow \"python3 bots/python/bot.py\"";

pub(super) const COMPLETIONS: &str = "\
Examples:
  source <(seabattle completions bash)
  seabattle completions fish > ~/.config/fish/completions/seabattle.fish";

pub(super) const MAN: &str = "\
Examples:
  seabattle man > seabattle.1
  seabattle man | man -l -";

/// The whole command line, with its commands in groups.
pub(crate) fn command() -> clap::Command {
    let command = Cli::command().max_term_width(MAX_WIDTH).after_help(TOP).mut_subcommands(with_spaced_help);
    let groups = groups(&command);
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} {{usage}}\n\n{groups}Options:\n{{options}}{{after-help}}"
    ))
}

/// Gives every argument a long help, so that `--help` has lines between arguments and `-h` has none.
fn with_spaced_help(command: clap::Command) -> clap::Command {
    command.mut_args(|argument| match argument.get_help().cloned() {
        Some(help) => argument.long_help(help),
        None => argument,
    })
}

fn groups(command: &clap::Command) -> String {
    let group = |(heading, names): &(&str, &[&str])| {
        let lines: String = names.iter().map(|name| format!("  {name:<11}  {}\n", about(command, name))).collect();
        format!("{heading}:\n{lines}\n")
    };
    GROUPS.iter().map(group).collect()
}

fn about(command: &clap::Command, name: &str) -> String {
    match name {
        "help" => "Show the help of a command".to_owned(),
        _ => command
            .find_subcommand(name)
            .and_then(clap::Command::get_about)
            .map(ToString::to_string)
            .unwrap_or_default(),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use std::collections::BTreeSet;

    use super::{GROUPS, command};

    #[test]
    fn every_command_is_in_one_group() {
        let command = command();
        let names: BTreeSet<&str> = command.get_subcommands().map(clap::Command::get_name).chain(["help"]).collect();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        assert_eq!(grouped.len(), names.len());
        assert_eq!(grouped.into_iter().collect::<BTreeSet<_>>(), names);
    }

    #[test]
    fn descriptions_are_one_short_line() {
        for command in command().get_subcommands() {
            let about = command.get_about().unwrap().to_string();
            assert!(about.len() <= 64 && !about.ends_with('.'), "{}: {about}", command.get_name());
        }
    }

    /// Returns the commands that a help text shows as examples, without redirections.
    fn examples(help: &str) -> Vec<Vec<String>> {
        let lines = help.split("Examples:\n").nth(1).unwrap_or_default().lines();
        let command = |line: &str| {
            let start = line.find("seabattle").unwrap();
            let end = [" > ", " | ", ")"].iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len());
            shlex::split(&line[start..end]).unwrap()
        };
        lines.map(command).collect()
    }

    #[test]
    fn every_help_ends_with_examples_that_are_understood() {
        let program = command();
        let helps = program.get_subcommands().chain([&program]).map(|part| (part.get_name(), part.get_after_help()));
        for (name, help) in helps {
            let examples = examples(&help.map(ToString::to_string).unwrap_or_default());
            assert!((2..=3).contains(&examples.len()), "{name}: {examples:?}");
            for example in examples.into_iter().filter(|words| words.get(1).is_none_or(|word| word != "help")) {
                let parsed = command().try_get_matches_from(&example);
                assert!(parsed.is_ok(), "{example:?}: {}", parsed.unwrap_err());
            }
        }
    }

    #[test]
    fn help_fits_eighty_columns() {
        let mut program = command().term_width(80);
        program.build();
        for part in program.get_subcommands_mut() {
            let help = part.render_long_help().to_string();
            for line in help.lines() {
                assert!(line.chars().count() <= 100, "{}: {line}", part.get_name());
            }
        }
    }
}
