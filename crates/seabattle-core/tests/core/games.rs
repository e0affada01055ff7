//! Games: legal shots, refused shots, whose turn it is, and how a game ends.

use proptest::prelude::{TestCaseError, prop_assert, prop_assert_eq, proptest};
use seabattle_core::{
    BySide, Cell, End, Ending, FireError, Game, Outcome, Rules, SeededRng, Shot, Side, Stop, Termination, Turn,
    uniform_below,
};

use crate::referee::Referee;
use crate::support::{
    any_rules, cases, cell, cells, fleet, pick, play, rules, seeds, some_game, some_side, some_volley, stream,
};

/// A volley that is usually legal.
fn some_attempt(game: &Game, rng: &mut SeededRng) -> (Side, Vec<Cell>) {
    let side_to_move = game.side_to_move().unwrap_or_else(|| some_side(rng));
    let side = if uniform_below(rng, 8) == 0 { side_to_move.other() } else { side_to_move };
    let open = game.knowledge(side).open().len();
    let mut volley = some_volley(game, side, game.shots_due().min(open), rng);
    let last = volley.len().saturating_sub(1);
    let size = game.rules().size();
    match uniform_below(rng, 10) {
        0 => drop(volley.pop()),
        1 => volley.extend(volley.first().copied()),
        2 if volley.len() > 1 => volley[last] = volley[0],
        3 if !volley.is_empty() => volley[last] = Cell::new(size.width(), size.height() - 1),
        4 if !volley.is_empty() => volley[0] = Cell::new(uniform_below(rng, 256) as u8, 255),
        5 if !volley.is_empty() && !game.knowledge(side).shots().is_empty() => {
            volley[last] = pick(game.knowledge(side).shots(), rng).cell;
        }
        _ => {}
    }
    (side, volley)
}

fn check_attempt(game: &mut Game, referee: &mut Referee, rng: &mut SeededRng) -> Result<(), TestCaseError> {
    let (side, volley) = some_attempt(game, rng);
    let before = game.clone();
    let judged = referee.fire(side, &volley);
    match game.fire(side, &volley).map(<[Shot]>::to_vec) {
        Ok(shots) => {
            prop_assert_eq!(judged, Ok(()));
            prop_assert_eq!(
                shots.iter().map(|shot| shot.cell).collect::<Vec<_>>(),
                volley,
                "answered whole and in order"
            );
            prop_assert!(game.knowledge(side).shots().ends_with(&shots));
            prop_assert_eq!(game.knowledge(side.other()), before.knowledge(side.other()));
        }
        Err(refused) => {
            prop_assert_eq!(Err(refused), judged);
            prop_assert_eq!(game, &before, "a refused volley changes nothing");
        }
    }
    Ok(())
}

fn check_books(game: &Game, referee: &Referee) -> Result<(), TestCaseError> {
    prop_assert_eq!(
        (game.side_to_move(), game.end(), game.shots_due()),
        (referee.side_to_move(), referee.end(), referee.shots_due())
    );
    for side in Side::ALL {
        prop_assert_eq!(game.afloat(side), referee.afloat(side));
        let hits = game.knowledge(side.other()).hits();
        let on_ship = |ship: &seabattle_core::Ship| ship.cells().filter(|&cell| hits.contains(cell)).count();
        let on_ships: usize = game.fleets()[side].ships().iter().map(on_ship).sum();
        prop_assert_eq!(hits.len(), on_ships, "hits on the board and hits of the ships");
        let shots: Vec<Shot> = game.turns().filter(|turn| turn.0 == side).flat_map(|turn| turn.1.to_vec()).collect();
        prop_assert_eq!(&shots[..], game.knowledge(side).shots());
        prop_assert_eq!(shots.iter().map(|shot| shot.cell).collect::<Vec<_>>(), referee.fired(side));
        let targets: Vec<Cell> = game.view(side).targets().iter().collect();
        let unfired = game.rules().size().cells().filter(|cell| !referee.fired(side).contains(cell));
        prop_assert_eq!(targets, unfired.collect::<Vec<_>>());
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn the_reference_referee_agrees_on_every_volley(rules in any_rules(8), seed in seeds()) {
        let rng = &mut stream(seed);
        let mut game = some_game(&rules, rng);
        let mut referee = Referee::new(game.fleets(), game.first());
        check_books(&game, &referee)?;
        for _ in 0..40 {
            check_attempt(&mut game, &mut referee, rng)?;
            check_books(&game, &referee)?;
        }
    }
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn every_game_comes_to_its_end(rules in any_rules(8), seed in seeds()) {
        let rng = &mut stream(seed);
        let mut game = some_game(&rules, rng);
        play(&mut game, 2 * rules.size().area(), rng);
        let Some(End { winner, termination: Termination::Sunk }) = game.end() else {
            return Err(TestCaseError::fail(format!("not ended: {game:?}")));
        };
        for side in Side::ALL {
            let hits = game.knowledge(side.other()).hits();
            let lost = winner != Some(side);
            prop_assert_eq!(hits == game.fleets()[side].occupied(), lost);
            prop_assert_eq!((hits.len() == rules.fleet_cells(), game.afloat(side) == 0), (lost, lost));
        }
        let turns = BySide::new(|side| game.turns().filter(|turn| turn.0 == side).count());
        match rules.ending() {
            Ending::EqualTurns => prop_assert_eq!(turns.a, turns.b),
            Ending::AtOnce => {
                prop_assert!(winner.is_some(), "no draw");
                prop_assert_eq!(game.turns().last().map(|turn| turn.0), winner, "the winner fires last");
            }
        }
    }

    #[test]
    fn after_the_end_every_shot_is_refused(rules in any_rules(5), seed in seeds()) {
        let rng = &mut stream(seed);
        let mut game = some_game(&rules, rng);
        play(&mut game, 2 * rules.size().area(), rng);
        let over = game.clone();
        prop_assert_eq!((game.side_to_move(), game.shots_due()), (None, 0));
        for side in Side::ALL {
            let open = game.knowledge(side).open().clone();
            for volley in [vec![], vec![Cell::new(0, 0)], vec![Cell::new(99, 99)], open.iter().take(1).collect()] {
                prop_assert_eq!(game.fire(side, &volley), Err(FireError::Over));
            }
            game.stop(Stop::Resign(side));
        }
        game.stop(Stop::Abandon);
        prop_assert_eq!(game, over);
    }
}

/// A game between two fleets in which A begins.
fn game(text: &str, a: &str, b: &str) -> Game {
    let rules: Rules = rules(text);
    Game::new(BySide { a: fleet(&rules, a), b: fleet(&rules, b) }, Side::A).unwrap()
}

fn fire(game: &mut Game, side: Side, targets: &str) -> Vec<Outcome> {
    let shots = game.fire(side, &cells(targets)).unwrap_or_else(|error| panic!("{side} {targets}: {error}"));
    shots.iter().map(|shot| shot.outcome).collect()
}

#[test]
fn with_equal_turns_both_fleets_can_sink_in_one_round() {
    let mut game = game("2x1:1,ending=equal", "1 A1", "1 B1");
    fire(&mut game, Side::A, "B1");
    assert_eq!((game.end(), game.side_to_move()), (None, Some(Side::B)), "the round is not full");
    fire(&mut game, Side::B, "A1");
    assert_eq!(game.end(), Some(End { winner: None, termination: Termination::Sunk }));
}

#[test]
fn with_equal_turns_the_last_turn_can_fail() {
    let mut game = game("2x1:1,ending=equal", "1 A1", "1 B1");
    fire(&mut game, Side::A, "B1");
    fire(&mut game, Side::B, "B1");
    assert_eq!(game.end(), Some(End { winner: Some(Side::A), termination: Termination::Sunk }));
}

#[test]
fn with_equal_turns_the_second_side_wins_at_the_end_of_its_round() {
    let mut game = game("2x1:1,ending=equal", "1 A1", "1 B1");
    fire(&mut game, Side::A, "A1");
    fire(&mut game, Side::B, "A1");
    assert_eq!(game.end(), Some(End { winner: Some(Side::B), termination: Termination::Sunk }));
}

#[test]
fn with_equal_turns_and_again_on_hit_the_answering_turn_lasts_while_it_hits() {
    let mut game = game("3x1:2,turn=again,ending=equal", "2 A1 across", "2 B1 across");
    fire(&mut game, Side::A, "B1");
    fire(&mut game, Side::A, "C1");
    assert_eq!((game.side_to_move(), game.end()), (Some(Side::B), None));
    fire(&mut game, Side::B, "A1");
    assert_eq!((game.side_to_move(), game.end()), (Some(Side::B), None), "a hit keeps the turn");
    fire(&mut game, Side::B, "B1");
    assert_eq!(game.end(), Some(End { winner: None, termination: Termination::Sunk }));
    assert_eq!(game.turns().map(|(side, shots)| (side, shots.len())).collect::<Vec<_>>(), [(Side::A, 2), (Side::B, 2)]);
}

#[test]
fn at_once_means_at_once() {
    let mut game = game("2x1:1", "1 A1", "1 B1");
    fire(&mut game, Side::A, "B1");
    assert_eq!(game.end(), Some(End { winner: Some(Side::A), termination: Termination::Sunk }));
    assert_eq!(game.fire(Side::B, &[cell("A1")]), Err(FireError::Over));
}

#[test]
fn a_hit_shoots_again_and_a_miss_passes_the_turn() {
    let mut game = game("3x2:2,1,turn=again", "2 A1 across, 1 C2", "2 A1 across, 1 C2");
    for (side, target, side_to_move) in [
        (Side::A, "A1", Some(Side::A)),
        (Side::A, "B1", Some(Side::A)),
        (Side::A, "C1", Some(Side::B)),
        (Side::B, "C1", Some(Side::A)),
        (Side::A, "C2", None),
    ] {
        fire(&mut game, side, target);
        assert_eq!(game.side_to_move(), side_to_move, "after {side} {target}");
    }
}

#[test]
fn a_salvo_has_as_many_shots_as_ships_afloat() {
    let shots_due = |text: &str| {
        let mut game = game(text, "2 A1 across, 1 A3, 1 C3", "2 A1 across, 1 A3, 1 C3");
        let mut shots_due = vec![game.shots_due()];
        for (side, volley) in [(Side::A, "A3 C3 C1"), (Side::B, "A3 C3 C1")] {
            let due = game.shots_due();
            fire(&mut game, side, &volley[..3 * due - 1]);
            shots_due.push(game.shots_due());
        }
        shots_due
    };
    assert_eq!(shots_due("3x3:2,1,1,turn=salvo"), [3, 1, 2], "B has lost two ships before it fires");
    assert_eq!(
        shots_due("3x3:2,1,1,turn=salvo,ending=equal"),
        [3, 3, 1],
        "B fires with the ships of the round's start"
    );
}

#[test]
fn a_salvo_of_n_is_cut_to_the_cells_left() {
    let mut game = game("3x1:1,turn=salvo:2,ending=equal", "1 C1", "1 C1");
    assert_eq!(game.shots_due(), 2);
    fire(&mut game, Side::A, "A1 B1");
    fire(&mut game, Side::B, "A1 B1");
    assert_eq!(game.shots_due(), 1);
}

#[test]
fn a_salvo_is_answered_whole_even_when_it_sinks_the_fleet_early() {
    let mut game = game("3x1:1,turn=salvo:3", "1 C1", "1 A1");
    let answers = fire(&mut game, Side::A, "A1 B1 C1");
    assert_eq!(answers.iter().map(|answer| answer.is_hit()).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(game.end().unwrap().winner, Some(Side::A));
}

#[test]
fn a_game_can_be_stopped_once() {
    let check = |why: Stop, winner: Option<Side>, termination: Termination| {
        let mut game = game("2x1:1", "1 A1", "1 B1");
        fire(&mut game, Side::A, "A1");
        game.stop(why);
        assert_eq!((game.end(), game.side_to_move(), game.shots_due()), (Some(End { winner, termination }), None, 0));
        game.stop(Stop::Resign(Side::A));
        assert_eq!(game.end(), Some(End { winner, termination }), "the first end stays");
        assert_eq!(game.fire(Side::B, &[cell("A1")]), Err(FireError::Over));
        assert_eq!(game.turns().count(), 1);
    };
    for side in Side::ALL {
        check(Stop::Resign(side), Some(side.other()), Termination::Resigned);
        check(Stop::OutOfTime(side), Some(side.other()), Termination::OutOfTime);
        check(Stop::Fault(side), Some(side.other()), Termination::Fault);
    }
    check(Stop::Abandon, None, Termination::Abandoned);
}

#[test]
fn fleets_of_different_rules_do_not_meet() {
    let fleets = BySide { a: fleet(&rules("2x1:1"), "1 A1"), b: fleet(&rules("2x1:1,turn=again"), "1 A1") };
    let refused = Game::new(fleets, Side::A).unwrap_err().to_string();
    assert_eq!(refused, "one fleet was made for 2x1:1, the other for 2x1:1,turn=again");
    assert_eq!(rules("2x1:1,turn=again").turn(), Turn::AgainOnHit);
}

#[test]
fn cells_shot_at_or_aimed_at_are_no_targets() {
    let mut game = game("3x2:2,1,turn=salvo:2", "2 A1 across, 1 C2", "2 A1 across, 1 C2");
    fire(&mut game, Side::A, "A1 B2");
    fire(&mut game, Side::B, "A1 B2");
    let aimed = cells("C2 A2");
    let view = game.view(Side::A);
    assert_eq!(view.targets().to_string(), ".##\n#.#\n");
    assert_eq!(view.aiming(&aimed).targets().to_string(), ".##\n...\n");
    let is_target = |at: &str| (view.is_target(cell(at)), view.aiming(&aimed).is_target(cell(at)));
    assert_eq!(["B1", "C2", "A1", "D1"].map(is_target), [(true, true), (true, false), (false, false), (false, false)]);
}
