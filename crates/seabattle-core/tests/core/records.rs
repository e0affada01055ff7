//! Records: they read what they print, with and without fleets, and no bytes make them panic.

use proptest::collection::vec;
use proptest::prelude::{BoxedStrategy, Strategy, any, prop_assert, prop_assert_eq, prop_oneof, proptest};
use seabattle_core::{BySide, End, Game, Record, Rules, Side, Stop, Termination, uniform_below};

use crate::support::{any_rules, cases, corrupt, pick, play, seeds, some_game, some_side, stream};

/// Unusual names.
fn any_name() -> BoxedStrategy<String> {
    let odd =
        ["", "\"", "\\", "\\\"]", "]\n[Seabattle \"1\"]", "a\tb\r\n\0", "\u{85}\u{2028}\u{feff}", "; x", "Zoë 🚢"];
    prop_oneof![
        proptest::sample::select(odd.to_vec()).prop_map(str::to_owned),
        vec(any::<char>(), 0..150).prop_map(|chars| chars.into_iter().collect()),
    ]
    .boxed()
}

/// A game that is finished, stopped or unfinished.
fn some_played_game(rules: &Rules, seed: u64) -> Game {
    let rng = &mut stream(seed);
    let mut game = some_game(rules, rng);
    let most = 2 * rules.size().area();
    let volleys = if uniform_below(rng, 2) == 0 { most } else { uniform_below(rng, most) };
    play(&mut game, volleys, rng);
    let side = some_side(rng);
    match uniform_below(rng, 8) {
        0 => game.stop(Stop::Resign(side)),
        1 => game.stop(Stop::OutOfTime(side)),
        2 => game.stop(Stop::Fault(side)),
        3 => game.stop(Stop::Abandon),
        _ => {}
    }
    game
}

fn some_record(rules: &Rules, seed: u64) -> Record {
    Record::of(&some_played_game(rules, seed), BySide { a: "anna", b: "boris" }, Some(seed))
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn a_record_reads_what_it_prints_and_replays_to_its_game(
        rules in any_rules(8), seed in seeds(), a in any_name(), b in any_name(), printed_seed in any::<Option<u64>>(),
    ) {
        let game = some_played_game(&rules, seed);
        let record = Record::of(&game, BySide { a: &a, b: &b }, printed_seed);
        let text = record.to_string();
        prop_assert_eq!(text.parse(), Ok(record.clone()), "{}", text);
        prop_assert_eq!(Record::from_bytes(text.as_bytes()), Ok(record.clone()));
        prop_assert_eq!(record.replay(), Some(game.clone()), "{}", text);
        prop_assert_eq!((record.seed(), record.first(), record.end()), (printed_seed, game.first(), game.end()));
        let sanitized = |name: &str| name.chars().map(|c| if c.is_control() { ' ' } else { c }).take(100).collect();
        let names: [String; 2] = [sanitized(&a), sanitized(&b)];
        prop_assert_eq!([record.names().a, record.names().b], [&names[0], &names[1]]);
        let shots_are_narrow = text.lines().filter(|line| !line.starts_with('[')).all(|line| line.len() <= 80);
        prop_assert!(shots_are_narrow, "{}", text);
    }

    #[test]
    fn a_record_without_fleets_has_the_shots_and_no_fleet(rules in any_rules(8), seed in seeds()) {
        let whole = some_record(&rules, seed);
        let public = whole.clone().without_fleets();
        let text = public.to_string();
        prop_assert!(!text.contains("Fleet"));
        prop_assert_eq!(text.parse(), Ok(public.clone()), "{}", text);
        prop_assert_eq!((public.turns(), public.end(), public.replay()), (whole.turns(), whole.end(), None));
    }

    #[test]
    fn a_record_may_reveal_one_fleet(rules in any_rules(6), seed in seeds()) {
        let whole = some_record(&rules, seed);
        for hidden in ["[FleetA ", "[FleetB "] {
            let lines: Vec<String> = whole.to_string().lines().filter(|line| !line.starts_with(hidden)).map(String::from).collect();
            let text = lines.join("\n") + "\n";
            let record: Record = text.parse().map_err(|error| proptest::test_runner::TestCaseError::fail(format!("{error}\n{text}")))?;
            prop_assert_eq!(record.to_string(), text);
            prop_assert_eq!(Side::ALL.map(|side| record.fleets()[side].is_some()), [hidden == "[FleetB ", hidden == "[FleetA "]);
            prop_assert_eq!((record.turns(), record.replay()), (whole.turns(), None));
        }
    }

    #[test]
    fn records_one_after_the_other_are_read_one_by_one(
        rules in vec(any_rules(4), 0..5), seed in seeds(), blank in "(\n| \t\n){0,3}",
    ) {
        let records: Vec<Record> = rules.iter().map(|rules| some_record(rules, seed)).collect();
        let text: String = records.iter().map(|record| format!("{blank}{record}")).collect();
        let read: Vec<Record> = Record::parse_all(&text).collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(read, records);
    }

    #[test]
    fn a_corrupted_record_is_refused_or_read_but_never_panics(rules in any_rules(5), seed in seeds()) {
        let rng = &mut stream(seed);
        let record = some_record(&rules, seed);
        let text = if pick(&[true, false], rng) { record.to_string() } else { record.without_fleets().to_string() };
        let lines = text.lines().count();
        for _ in 0..20 {
            let corrupted = corrupt(&text, rng);
            match Record::from_bytes(&corrupted) {
                Ok(read) => prop_assert_eq!(read.to_string().parse(), Ok(read), "{}", String::from_utf8_lossy(&corrupted)),
                Err(error) => prop_assert!((1..=lines + 4).contains(&error.line), "{}", error),
            }
            let _ = Record::parse_all(&String::from_utf8_lossy(&corrupted)).count();
        }
    }

    #[test]
    fn no_bytes_make_a_record_panic(bytes in vec(any::<u8>(), 0..300), text in any::<String>()) {
        let _ = Record::from_bytes(&bytes);
        let _ = text.parse::<Record>();
        let _ = Record::parse_all(&text).count();
        let tagged = format!("[Seabattle \"1\"]\n[Rules \"{text}\"]\n[First \"A\"]\n[Result \"*\"]\n\n{text}");
        let _ = tagged.parse::<Record>();
    }
}

const SPARE: &str = r#"[Seabattle "1"]
[Rules "3x2:2,1"]
[A "?"]
[B "?"]
[First "B"]
[Result "*"]
[Ended "fault"]
[Site "a \"quoted\" \\ place"]
[Round "7"]

1. B A1. A C2.
2. B B1x
"#;

#[test]
fn foreign_tags_are_kept_in_their_order() {
    let record: Record = SPARE.parse().unwrap();
    assert_eq!(record.to_string(), SPARE);
    let tags: Vec<(&str, &str)> = record.more_tags().iter().map(|(name, value)| (&name[..], &value[..])).collect();
    assert_eq!(tags, [("Site", "a \"quoted\" \\ place"), ("Round", "7")]);
    assert_eq!(record.end(), Some(End { winner: None, termination: Termination::Fault }));
}

#[test]
fn white_space_and_comments_are_free() {
    let plain: Record = SPARE.parse().unwrap();
    let shots_apart = SPARE.replace("1. B A1. A C2.", "; hello [x\n\t1.\nB   A1.\n; 9. A\nA C2.");
    let tags_apart = SPARE.replace("[First", "\n; why not\n  [First").replace("[A \"?\"]\n", "");
    for text in [SPARE.replace('\n', "\r\n"), shots_apart, tags_apart, format!("\n\n{SPARE}\n ; end")] {
        assert_eq!(text.parse(), Ok(plain.clone()), "{text}");
    }
}

#[test]
fn the_record_of_an_unfinished_game_hides_the_seed() {
    let rules: seabattle_core::Rules = "classic".parse().unwrap();
    let mut rng = seabattle_core::Seed::new(7).rng();
    let fleets = seabattle_core::BySide::new(|_| seabattle_core::layout::any(&rules, &mut rng));
    let game = seabattle_core::Game::new(fleets, seabattle_core::Side::A).unwrap();
    let names = seabattle_core::BySide { a: "a", b: "b" };
    let record = Record::of(&game, names, Some(7)).without_fleets();
    assert_eq!(record.seed(), None);
    assert!(!record.to_string().contains("Seed"));
}
