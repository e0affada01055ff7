//! Bots written for the contest: functions that are called. A small runner translates the line protocol into the calls.

mod pascal;

use std::num::NonZero;
use std::time::Duration;

pub use pascal::{CompileError, CompileLimits, compile};

use crate::external::{LimitSource, NotifyLimits, TimeLimits};

/// Translates between the line protocol and the functions of a Python module.
const RUNNER: &str = include_str!("contest/runner.py");

/// The words that play a module as a program. One process plays one game of the contest, of several sets.
pub fn module(path: &str, sets: NonZero<u64>) -> Vec<String> {
    ["python3", "-c", RUNNER, &sets.to_string(), path].map(str::to_owned).to_vec()
}

/// The limits of the contest for a module: one for every call, but for those before the first set together.
pub fn limits(margin: Duration) -> TimeLimits {
    const CALL: Duration = Duration::from_millis(1500);
    const OTHER_CALL: Duration = Duration::from_secs(5);
    const MOST_SHOTS: u32 = 100;
    TimeLimits {
        start: 2 * OTHER_CALL,
        place: CALL,
        shot: CALL,
        game: MOST_SHOTS * CALL,
        notify: Some(NotifyLimits { shot: CALL, game: OTHER_CALL }),
        margin,
        source: LimitSource::Contest,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::num::NonZero;
    use std::process::{Command, Stdio};

    use seabattle_core::{Fleet, FleetError, Rules};

    use super::module;
    use crate::protocol::{ArenaCommand, Reply, fleet_of};

    /// What a module answers to some lines, and what it logs.
    fn talk(file: &str, lines: &[String]) -> (Vec<Reply>, String) {
        let path = format!("{}/tests/contest/{file}", env!("CARGO_MANIFEST_DIR"));
        let words = module(&path, NonZero::new(4).unwrap());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let text = lines.iter().fold("seabattle 1\n".to_owned(), |text, line| text + line + "\n");
        child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{log}");
        let replies = String::from_utf8(output.stdout).unwrap();
        let replies: Vec<Reply> = replies.lines().map(|line| Reply::parse(line).unwrap()).collect();
        assert_eq!(replies[0], Reply::Ready);
        (replies[1..].to_vec(), log)
    }

    fn game(rules: &Rules) -> String {
        ArenaCommand::Game { rules: rules.clone(), seed: 1 }.to_text(rules)
    }

    fn lines(texts: &[&str]) -> Vec<String> {
        texts.iter().map(|&text| text.to_owned()).collect()
    }

    #[test]
    fn functions_are_called_in_the_order_of_the_contest() {
        let game = game(&Rules::russian());
        let set = [&game, "place", "enemy B3 hit", "shoot 1", "answer A1 miss", "end won reason sunk", "sync"];
        let hits = [&game, "place", "shoot 1", "answer A1 hit", "shoot 1", "answer A2 sunk", "quit"];
        let (_, log) = talk("diary.py", &lines(&[&set[..], &hits[..]].concat()));
        let calls: Vec<&str> = log.lines().collect();
        let begin = ["imported", "set_parameters 4", "on_game_start"];
        let first = ["on_set_start", "get_map", "on_opponent_shot [2, 1]", "shoot", "shot_result 0", "on_set_end"];
        let second = ["on_set_start", "get_map", "shoot", "shot_result 2", "shoot", "shot_result 3", "on_set_end"];
        assert_eq!(calls, [&begin[..], &first[..], &second[..], &["on_game_end"][..]].concat());
    }

    #[test]
    fn camel_case_names_are_called_like_those_in_snake_case() {
        let rules = Rules::russian();
        let set = ["place", "enemy B3 hit", "shoot 1", "answer A1 miss", "end won reason sunk", "quit"];
        let (replies, log) = talk("camel_case.py", &[vec![game(&rules)], lines(&set)].concat());
        assert!(matches!(replies[..], [Reply::Fleet(_), Reply::Shots(_)]), "{replies:?}");
        let calls: Vec<&str> = log.lines().collect();
        let begin = ["setParameters 4", "onGameStart", "onSetStart", "getMap", "onOpponentShot [2, 1]"];
        assert_eq!(calls, [&begin[..], &["shoot", "shotResult 0", "onSetEnd", "onGameEnd"]].concat());
    }

    #[test]
    fn a_map_becomes_the_fleet_that_it_shows() {
        let rules = Rules::russian();
        let (replies, _) = talk("good.py", &lines(&[&game(&rules), "place"]));
        let Reply::Fleet(ships) = &replies[0] else { panic!("{replies:?}") };
        let shown = "4 A1 across, 3 A3 across, 3 E3 across, 2 A5 across, 2 D5 across, 2 G5 across, \
                     1 A7 across, 1 C7 across, 1 E7 across, 1 G7 across";
        assert_eq!(fleet_of(&rules, ships), Ok(Fleet::parse(&rules, shown).unwrap()));
    }

    #[test]
    fn maps_that_are_not_legal_are_told_as_fleets_that_are_not() {
        let rules = Rules::russian();
        let (replies, _) = talk("illegal_maps.py", &lines(&[&game(&rules), "place"].repeat(17)));
        let refused = |reply: &Reply| -> Result<Fleet, FleetError> {
            let Reply::Fleet(ships) = reply else { panic!("{reply:?}") };
            fleet_of(&rules, ships)
        };
        assert_eq!(replies.len(), 17);
        replies.iter().for_each(|reply| assert!(refused(reply).is_err(), "{reply:?}"));
    }

    #[test]
    fn shots_that_are_no_cells_are_told_as_shots_outside() {
        let rules = Rules::russian();
        let mut script = vec![game(&rules)];
        script.extend(vec!["shoot 1".to_owned(); 12]);
        let (replies, _) = talk("illegal_shots.py", &script);
        assert_eq!(replies.len(), 12);
        for reply in &replies {
            let Reply::Shots(cells) = reply else { panic!("{reply:?}") };
            assert!(cells.len() == 1 && !rules.size().contains(cells[0]), "{reply:?}");
        }
    }

    #[test]
    fn other_rules_are_given_up() {
        let others = ["classic", "10x10:4,3,3,2,2,2,1,1,1,1", "10x10:4,3,touching=forbidden,turn=again,announce=sunk"];
        for rules in others.map(|text| text.parse::<Rules>().unwrap()) {
            let asked = ["place", "shoot 1", "answer A1 miss", "enemy A1 miss", "end lost reason gave-up", "sync"];
            let (replies, log) = talk("diary.py", &[vec![game(&rules)], lines(&asked)].concat());
            assert!(matches!(replies[..], [Reply::Error(_), Reply::Error(_), Reply::Ready]), "{rules}: {replies:?}");
            assert!(!log.contains("on_set_start"), "{log}");
        }
    }

    #[test]
    fn commands_that_it_does_not_know_change_nothing() {
        let (replies, _) = talk("good.py", &lines(&["gibberish 1 2 3", "", "place", "sync"]));
        assert!(
            matches!(replies[..], [Reply::Error(_), Reply::Error(_), Reply::Error(_), Reply::Ready]),
            "{replies:?}"
        );
    }
}
