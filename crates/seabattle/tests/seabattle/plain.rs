//! `seabattle play --plain`: whole games through a pipe.

use crate::program::{command, run, run_command, stderr, stdout};

const FIRST_SHOT: &[u8] = b"random\ndone\na1\nquit\n";

fn play(args: &[&str], input: &str) -> String {
    let output = run(&[&["play", "--plain"], args].concat(), input.as_bytes());
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    stdout(&output)
}

/// Fires at every cell of a board in turn, in volleys of this size.
fn fire_at_all(width: u8, height: u8, volley: usize) -> String {
    let letters: Vec<char> = ('a'..='z').take(width.into()).collect();
    let cells: Vec<String> =
        (1..=height).flat_map(|row| letters.iter().map(move |col| format!("{col}{row}"))).collect();
    cells.chunks(volley).map(|cells| cells.join(" ") + "\n").collect()
}

#[test]
fn the_first_shot_looks_like_this() {
    insta::assert_snapshot!(play(&["--seed", "1"], "random\ndone\na1\nquit\n"));
}

#[test]
fn the_same_seed_gives_the_same_output() {
    let once = run(&["play", "--plain", "--seed", "1"], FIRST_SHOT);
    let twice = run(&["play", "--plain", "--seed", "1"], FIRST_SHOT);
    assert_eq!(once.stdout, twice.stdout);
    let other = run(&["play", "--plain", "--seed", "2"], FIRST_SHOT);
    assert_ne!(once.stdout, other.stdout);
}

#[test]
fn placing_explains_every_refusal() {
    let input = "help\nfleet\ndone\ncarrier A8 down\ncarrier A1 across\nbattleship A1 down\ncarrier A9 across\n\
                 cruiser C3\ncruiser\ncruiser C3 sideways\ncruiser C3 C4 D4\ncruiser C3 C5 C6\ncruiser C3 C3 C4\n\
                 yacht A1 across\nremove J10\nremove\nremove A1\nrandom rest\nclear\nfleet\nreset\nquit\n";
    insta::assert_snapshot!(play(&["--seed", "1"], input));
}

#[test]
fn firing_explains_every_refusal() {
    let input = "random\ndone\nhelp\nfleet\nb7\nb7\nk1\na11\nfire\na1 a2\n7b\nboards\nquit\n";
    insta::assert_snapshot!(play(&["--seed", "1", "--first", "bot"], input));
}

#[test]
fn a_whole_russian_game_and_another() {
    let all = fire_at_all(10, 10, 1);
    let input = format!("random\ndone\n{all}perhaps\nyes\nquit\n");
    let output = play(&["--seed", "3", "--rules", "russian", "--bot", "random"], &input);
    let end = output.split("Another game?").next().unwrap_or_default();
    let tail: Vec<&str> = end.lines().rev().take(17).collect();
    insta::assert_snapshot!(tail.into_iter().rev().collect::<Vec<_>>().join("\n"));
    assert!(output.contains("seed 4"), "the second game has a seed of its own");
}

#[test]
fn every_switch_can_be_played_to_the_end() {
    let base = "5x4:3,2,1";
    for touching in ["allowed", "corners", "forbidden"] {
        for (turn, volley) in [("alternate", 1), ("again", 1), ("salvo:2", 2), ("salvo:30", 20)] {
            for announce in ["hit", "sunk", "which", "named"] {
                for ending in ["at-once", "equal"] {
                    let rules = format!("{base},touching={touching},turn={turn},announce={announce},ending={ending}");
                    let input = format!("random\ndone\n{}no\n", fire_at_all(5, 4, volley));
                    let output = play(&["--seed", "5", "--rules", &rules], &input);
                    let ended = ["You win!", "Adjacent wins", "A draw"].iter().any(|end| output.contains(end));
                    assert!(ended && output.ends_with("Goodbye.\n"), "{rules}\n{output}");
                }
            }
        }
    }
}

#[test]
fn a_salvo_has_as_many_shots_as_ships_afloat() {
    let output =
        play(&["--rules", "salvo", "--seed", "1", "--first", "me"], "random\ndone\na1 b1 c1\na1 b1 c1 d1 e1\nquit\n");
    assert!(output.contains("fire 5 shots> a1 b1 c1\nFire 5 shots, not 3."));
    assert_eq!(output.matches("You fire at").count(), 5);
}

#[test]
fn the_end_of_input_ends_the_game_politely_at_any_moment() {
    for input in ["", "random", "random\ndone\n", "random\ndone\na1", "carrier A1 across\n"] {
        let output = play(&["--seed", "1"], input);
        assert!(output.ends_with("Goodbye.\n"), "{input:?}: {output}");
    }
}

#[test]
fn no_line_is_wider_than_80_columns() {
    for rules in ["classic", "russian", "36x36:5,4", "37x20:5,4", "50x50:5,4,3", "1x1:1"] {
        let input = "help\nrandom\nfleet\ndone\nhelp\nfleet\na1\nnonsense that goes on and on and on and on and on and on\nquit\n";
        let output = play(&["--rules", rules, "--seed", "1"], input);
        let widest = output.lines().map(|line| line.chars().count()).max();
        assert!(widest <= Some(80), "{rules}: {widest:?}");
    }
}

#[test]
fn colors_only_where_the_output_supports_them() {
    let run_with = |name: Option<&str>| {
        let mut command = command(&["play", "--plain", "--seed", "1"]);
        if let Some(name) = name {
            command.env(name, "1");
        }
        run_command(&mut command, FIRST_SHOT).stdout.contains(&0x1b)
    };
    assert!(!run_with(None), "a pipe gets no colour");
    assert!(!run_with(Some("NO_COLOR")));
    assert!(run_with(Some("CLICOLOR_FORCE")));
}

#[test]
fn hostile_input_is_survived() {
    let mut input = vec![b'a'; 5_000_000];
    input.extend_from_slice(b"\n\xff\xfe\x00\x1b[2J\nrandom\ndone\n\xf0\x9f\x9a\xa2\n");
    let output = run(&["play", "--plain", "--seed", "1"], &input);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("too long") && text.ends_with("Goodbye.\n"));
    assert!(!text.contains('\x1b'), "control characters are not repeated");
}

#[test]
fn a_board_too_full_for_chance_still_gets_a_fleet() {
    let tens = ["10"; 10].join(",");
    let output = play(&["--rules", &format!("10x10:{tens}"), "--seed", "1"], "random\ndone\na1\nquit\n");
    assert!(output.contains("You fire at A1: hit"), "{output}");
}

#[test]
fn bad_arguments_say_what_to_do() {
    let check = |args: &[&str], reason: &str| {
        let output = run(args, b"");
        assert!(!output.status.success());
        assert!(stderr(&output).contains(reason), "{args:?}: {}", stderr(&output));
    };
    check(&["play", "--bot", "randon"], "did you mean random");
    check(&["play", "--rules", "clasic"], "start with classic");
    check(&["play", "--rules", "3x3:4"], "more than a 3x3 board is long");
    check(&["play", "--seed", "one"], "invalid digit");
    check(&["play", "--first", "you"], "me");
    check(&["sail"], "unrecognized subcommand");
}

#[test]
fn alone_in_a_pipe_it_explains_itself() {
    let output = run(&[], b"");
    assert!(output.status.success());
    assert!(stdout(&output).contains("play"));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let program = env!("CARGO_BIN_EXE_seabattle");
    let script = format!("yes boards | {program} play --plain --seed 1 | head -n 1; echo ${{PIPESTATUS[1]}}");
    let output = run_command(std::process::Command::new("bash").args(["-c", &script]), b"");
    assert!(stdout(&output).ends_with("\n0\n"), "{}", stdout(&output));
    assert_eq!(stderr(&output), "");
}

#[test]
fn a_ship_is_said_to_sink_once_however_many_shots_of_a_salvo_hit_it() {
    let input = format!("random\ndone\n{}no\n", fire_at_all(6, 6, 4));
    let output =
        play(&["--rules", "6x6:3,3,turn=salvo:4", "--seed", "2", "--bot", "density", "--first", "bot"], &input);
    assert!(output.matches("is sunk!").count() <= 4, "{output}");
    assert!(output.contains("your ship of 3 is sunk!"), "{output}");
}

#[test]
fn the_largest_seed_is_followed_by_the_smallest() {
    let output = play(&["--seed", "18446744073709551615"], "reset\nquit\n");
    assert!(output.contains("seed 18446744073709551615.") && output.contains("seed 0."), "{output}");
}

#[test]
fn titles_are_above_small_boards() {
    let output = play(&["--rules", "3x3:2", "--seed", "1", "--first", "me"], "random\ndone\nquit\n");
    let lines: Vec<&str> = output.lines().collect();
    let title = lines.iter().position(|line| line.contains("Enemy waters")).unwrap();
    let right_board = lines[title + 1].rfind("A B C").unwrap();
    let right_title = lines[title].find("Your fleet").unwrap();
    assert!(right_title.abs_diff(right_board) <= 4, "{output}");
}

#[test]
fn commands_may_be_followed_by_words_and_ships_named_like_commands() {
    let output = play(&["--rules", "4x4:remove=1", "--seed", "1"], "remove A1\ndone now\nfire b2\nquit please\n");
    assert!(output.contains("You fire at B2") && output.ends_with("Goodbye.\n"), "{output}");
}

#[test]
fn a_board_too_full_for_chance_does_not_keep_anyone_waiting() {
    let ones = vec!["1"; 2400].join(",");
    let output = play(
        &["--rules", &format!("50x50:{ones}"), "--seed", "1"],
        "random\nremove a1\nremove b1\nrandom rest\ndone\nquit\n",
    );
    assert!(output.contains("All ships are placed"), "{}", output.len());
}
