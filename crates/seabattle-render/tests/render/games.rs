//! Games as animations, still pictures, pages and JSON, for all kinds of records.

use seabattle_core::{Record, Side};
use seabattle_odds::{Odds, OddsCache};
use seabattle_render::{Frames, Replay, ShownSides, Speed, analysis_json, animation, hits_chart, page};
use seabattle_render::{Palette, png, svg};

const GAME: &str = r#"[Seabattle "1"]
[Rules "5x3:2,1,touching=forbidden,turn=again,announce=sunk"]
[A "anna"]
[B "boris"]
[First "B"]
[Result "B"]
[Ended "sunk"]
[FleetA "2 A1 down, 1 E3 across"]
[FleetB "2 D1 across, 1 A3 across"]

1. B A1x A2# C3. A D2.
2. B E3#
"#;

const SALVO: &str = r#"[Seabattle "1"]
[Rules "salvo"]
[A "<script>alert(1)</script>"]
[B "\"боцман\" & co --> </script><img src=x>"]
[First "A"]
[Result "*"]

1. A A1. B3. C5x D7. E9. B J10. I8. H6. G4. F2x
2. A C6x D5. B5. C4. A9. B F1. F3x E2. G2. F4x
"#;

fn replay(text: &str) -> Replay {
    Replay::with_odds(text.parse::<Record>().unwrap(), &OddsCache::default(), |_| true).unwrap()
}

/// Width, height and number of pictures.
fn measured(bytes: &[u8]) -> (u16, u16, usize) {
    let side = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
    // Every picture is announced by a graphic control block with its own palette.
    let pictures = bytes.windows(3).filter(|window| window == b"\x21\xf9\x04").count();
    (side(6), side(8), pictures)
}

#[test]
fn an_animation_has_a_picture_for_every_step_and_one_before() {
    let replay = replay(GAME);
    let both = Frames::new(&replay, ShownSides::Both, true, Palette::LIGHT);
    assert_eq!(both.steps(), 5, "a hit that shoots again is a step of its own");
    let bytes = animation(&both, Speed::new(4.0).unwrap(), 400, |_| {}).unwrap();
    let (width, _, pictures) = measured(&bytes);
    assert_eq!((width, pictures), (400, 6));
    let one = Frames::new(&replay, ShownSides::One(Side::A), false, Palette::DARK);
    assert_eq!(one.steps(), 1);
}

#[test]
fn a_still_shows_what_was_fired_and_how_likely_it_was() {
    let replay = replay(GAME);
    let frames = Frames::new(&replay, ShownSides::Both, true, Palette::LIGHT);
    let first = svg(&frames.still(1));
    assert!(first.contains("boris: A1 hit"), "the caption names the shot");
    assert!(first.contains(" expected\""));
    let last = svg(&frames.still(99));
    assert!(last.contains("boris won.") && last.contains("skill"), "past the end the last picture is shown");
    let start = svg(&frames.still(0));
    assert!(start.contains("The game begins.") && start.contains("0 shots, 0 hits, 0.0 expected"), "and not -0.0");
    let plain = Replay::new(GAME.parse().unwrap());
    let plain = svg(&Frames::new(&plain, ShownSides::Both, false, Palette::LIGHT).still(5));
    assert!(plain.contains("boris won.") && !plain.contains("skill"));
}

#[test]
fn hit_miss_and_sunk_differ_without_color() {
    let outlines = |step: usize| {
        let replay = Replay::new(GAME.parse().unwrap());
        let text = svg(&Frames::new(&replay, ShownSides::One(Side::B), false, Palette::LIGHT).still(step));
        let shapes = text.lines().filter(|line| line.starts_with("<path") && !line.contains("aria-label"));
        let curves = |line: &&str| line.contains('C');
        (
            shapes.clone().filter(curves).count(),
            shapes.clone().filter(|line| line.contains("stroke-width=\"2.72\"")).count(),
        )
    };
    // Rings are curves; crosses are two strokes; squares are neither.
    assert_eq!(outlines(1), (0, 2), "a cross for a hit");
    assert_eq!(outlines(2), (0, 0), "no cross once it is sunk");
    assert_eq!(outlines(3), (1, 1), "a ring for a miss");
}

#[test]
fn a_page_needs_nothing_else_and_runs_nothing_that_a_name_says() {
    let replay = replay(SALVO);
    let page = page(&replay, ShownSides::Both, true);
    assert!(!page.contains("<script>alert") && !page.contains("<img"), "names are words, never markup");
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script>").count(), 2);
    for outside in ["http://", "https://", " src=\"", "url("] {
        let uses = page.matches(outside).count();
        let known = page.matches("http://www.w3.org/2000/svg").count();
        assert_eq!(uses, if outside == "http://" { known } else { 0 }, "{outside}");
    }
    assert!(page.contains("Skill and luck") && page.contains("Every shot"));
    let data = page.split("id=\"game\">").nth(1).unwrap().split("</script>").next().unwrap();
    let data: serde_json::Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["steps"].as_array().unwrap().len(), 4, "a salvo is one step");
    assert_eq!(data["steps"][0]["heat"].as_array().unwrap().len(), 100);
    let odds = Odds::of(&"classic".parse().unwrap()).unwrap();
    assert_eq!(data["steps"][0]["heat"][44], (1000.0 * odds.probability("E5".parse().unwrap())).round() as u64);
}

#[test]
fn the_json_has_every_shot() {
    let replay = replay(GAME);
    let json = analysis_json(replay.rules(), replay.analysis().unwrap());
    let shots = json["B"]["shots"].as_array().unwrap();
    assert_eq!(shots.len(), 4);
    assert_eq!((&shots[0]["answer"], &shots[0]["number"]), (&"A1x".into(), &1.into()));
    assert_eq!((&shots[3]["answer"], &shots[3]["number"]), (&"E3#".into(), &5.into()));
    let sum = |field: &str| shots.iter().map(|shot| shot[field].as_f64().unwrap()).sum::<f64>();
    let number = |field: &str| json["B"][field].as_f64().unwrap();
    assert!((number("skill") - 100.0 * sum("chosen") / sum("best")).abs() < 1e-9);
    assert!((number("luck") - (3.0 - sum("chosen"))).abs() < 1e-9);
    assert_eq!(json["turning_points"][0]["kind"], "lead");
}

#[test]
fn a_chart_has_a_curve_and_its_expectation_for_everyone_who_fired() {
    let text = svg(&hits_chart(&replay(GAME), &Palette::DARK).unwrap());
    for name in ["anna", "boris", "expected"] {
        assert!(text.contains(&format!("aria-label=\"{name}\"")), "{name}");
    }
    let empty = "[Seabattle \"1\"]\n[Rules \"3x1:2\"]\n[First \"A\"]\n[Result \"*\"]\n";
    assert!(hits_chart(&replay(empty), &Palette::LIGHT).is_none());
}

#[test]
fn games_without_shots_and_of_every_size_can_be_drawn() {
    for rules in ["1x1:1", "50x1:2", "1x50:2", "50x50:5,4,3,2", "3x1:2"] {
        let text = format!("[Seabattle \"1\"]\n[Rules \"{rules}\"]\n[First \"A\"]\n[Result \"*\"]\n");
        let replay = Replay::new(text.parse().unwrap());
        for palette in [Palette::LIGHT, Palette::DARK] {
            let frames = Frames::new(&replay, ShownSides::Both, true, palette);
            assert_eq!(frames.steps(), 0);
            assert!(png(&frames.still(0), 1.0).is_ok(), "{rules}");
            assert!(!animation(&frames, Speed::default(), 200, |_| {}).unwrap().is_empty(), "{rules}");
        }
        assert!(page(&replay, ShownSides::One(Side::B), false).contains("boardB"));
    }
}

#[test]
fn fleets_too_large_to_count_out_leave_the_roster_empty() {
    let ships = vec!["1"; 400].join(",");
    let text = format!("[Seabattle \"1\"]\n[Rules \"50x50:{ships}\"]\n[First \"A\"]\n[Result \"*\"]\n");
    let replay = Replay::new(text.parse().unwrap());
    assert!(png(&Frames::new(&replay, ShownSides::Both, false, Palette::LIGHT).still(0), 1.0).is_ok());
}
