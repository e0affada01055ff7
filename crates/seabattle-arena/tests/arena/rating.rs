//! Elo, sequential tests and ratings: against closed forms, published values, symmetry and simulated games.

use std::collections::BTreeMap;

use seabattle_arena::{GameScore, PairCounts, PairingResult, Rating, Sprt, SprtError, SprtState, ratings};
use seabattle_core::{Seed, SeededRng, uniform_below};

const FINE: usize = 1_000_000;

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected} within {tolerance}");
}

fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10.0_f64.powf(-elo / 400.0))
}

fn sprt(text: &str) -> Sprt {
    text.parse().unwrap()
}

/// Counts of every size, many of them 0.
fn random_pairs(rng: &mut SeededRng) -> PairCounts {
    let size = [2, 10, 1_000, 1_000_000][uniform_below(rng, 4)];
    PairCounts::new([(); 5].map(|()| if uniform_below(rng, 3) == 0 { 0 } else { uniform_below(rng, size) as u64 }))
}

/// One pair in which A is to score ½ and `lead` per game; three in five end even, as on shared layouts.
fn add_pair(pairs: &mut PairCounts, lead: f64, rng: &mut SeededRng) {
    use GameScore::{Drawn, Lost, Won};
    let draw = uniform_below(rng, FINE) as f64 / FINE as f64;
    let (first, second) = match draw {
        draw if draw < 0.1 - lead => (Lost, Lost),
        draw if draw < 0.2 - lead => (Drawn, Lost),
        draw if draw < 0.8 - lead => (Won, Lost),
        draw if draw < 0.9 - lead => (Drawn, Won),
        _ => (Won, Won),
    };
    pairs.add(first, second);
}

#[test]
fn pairs_are_counted_by_their_points() {
    use GameScore::{Drawn, Lost, Won};
    let mut pairs = PairCounts::default();
    for (first, second) in [(Lost, Lost), (Lost, Drawn), (Drawn, Lost), (Won, Lost), (Drawn, Drawn), (Won, Won)] {
        pairs.add(first, second);
    }
    assert_eq!(pairs, PairCounts::new([1, 2, 2, 0, 1]));
    assert_eq!((pairs.pairs(), pairs.games(), pairs.score()), (6, 12, Some(5.0 / 12.0)));
    assert_eq!(pairs.swapped().counts(), [1, 0, 2, 2, 1]);
    pairs.merge(&PairCounts::new([0, 0, 0, 4, 1]));
    assert_eq!(pairs.counts(), [1, 2, 2, 4, 2]);
}

#[test]
fn elo_of_known_scores() {
    for (counts, expected) in [
        ([3, 0, 0, 0, 3], 0.0),
        ([1, 0, 0, 0, 3], 190.848_501_887_864_98),
        ([3, 0, 0, 0, 1], -190.848_501_887_864_98),
        ([1, 0, 0, 0, 10], 400.0),
        ([0, 0, 0, 7, 0], 190.848_501_887_864_98),
    ] {
        near(PairCounts::new(counts).elo().unwrap().value, expected, 1e-9);
    }
}

#[test]
fn spread_by_hand() {
    let spread = PairCounts::new([50, 0, 0, 0, 50]).elo().unwrap().spread.unwrap();
    let reach: f64 = 1.959_963_984_540_054 * 0.05;
    near(spread.error, 400.0 * ((0.5 + reach) / (0.5 - reach)).log10(), 1e-9);
    near(spread.normalised_error, reach / 0.5_f64.sqrt() * 800.0 / 10.0_f64.ln(), 1e-9);
    assert_eq!((spread.normalised, spread.los), (0.0, 0.5));
}

/// Values of fastchess's own tests of its pentanomial Elo, `elo_test.cpp`.
#[test]
fn elo_agrees_with_fastchess() {
    for (counts, value, error, normalised, normalised_error) in [
        ([34, 54, 63, 64, 75], 55.58, 27.65, 57.94, 28.28),
        ([332, 433, 498, 333, 334], -8.64, 10.33, -9.17, 10.96),
        ([7_895, 8_757, 5_685, 568, 9_999], -21.04, 2.95, -19.01, 2.65),
    ] {
        let elo = PairCounts::new(counts).elo().unwrap();
        let spread = elo.spread.unwrap();
        near(elo.value, value, 0.006);
        near(spread.error, error, 0.006);
        near(spread.normalised, normalised, 0.006);
        near(spread.normalised_error, normalised_error, 0.006);
    }
    near(PairCounts::new([332, 433, 498, 333, 334]).elo().unwrap().spread.unwrap().los, 0.0505, 5e-5);
}

#[test]
fn elo_at_the_edges() {
    assert_eq!((PairCounts::default().elo(), PairCounts::default().score()), (None, None));
    for (counts, value) in
        [([0, 0, 0, 0, 9], f64::INFINITY), ([9, 0, 0, 0, 0], f64::NEG_INFINITY), ([0, 0, 1, 0, 0], 0.0)]
    {
        let elo = PairCounts::new(counts).elo().unwrap();
        assert_eq!((elo.value, elo.spread), (value, None));
    }
    let wide = PairCounts::new([0, 0, 0, 1, 9]).elo().unwrap();
    assert!(wide.value.is_finite() && wide.spread.unwrap().error == f64::INFINITY);
}

#[test]
fn swapping_the_players_negates() {
    let mut rng = Seed::new(1).rng();
    for _ in 0..2_000 {
        let pairs = random_pairs(&mut rng);
        let (test, mirrored) = (sprt("-3,8,0.1,0.02"), sprt("-8,3,0.02,0.1"));
        let (llr, other) = (test.llr(&pairs), mirrored.llr(&pairs.swapped()));
        near(other, -llr, 1e-6 * llr.abs().max(1.0));
        assert!(llr.is_finite(), "{pairs:?}");
        let (Some(elo), Some(other)) = (pairs.elo(), pairs.swapped().elo()) else { continue };
        assert!(elo.value == -other.value || (elo.value + other.value).abs() < 1e-6, "{pairs:?}");
        assert_eq!(elo.spread.is_some(), other.spread.is_some());
        if let (Some(spread), Some(other)) = (elo.spread, other.spread) {
            near(spread.los + other.los, 1.0, 1e-9);
            near(spread.normalised, -other.normalised, 1e-6);
            near(spread.normalised_error, other.normalised_error, 1e-6);
            assert!(spread.error > 0.0 && (spread.error == other.error || (spread.error - other.error).abs() < 1e-6));
        }
    }
}

#[test]
fn the_interval_holds_the_truth_in_95_of_100_matches() {
    let mut rng = Seed::new(2).rng();
    let held = (0..1_000).filter(|_| {
        let mut pairs = PairCounts::default();
        (0..200).for_each(|_| add_pair(&mut pairs, score_of(30.0) - 0.5, &mut rng));
        let elo = pairs.elo().unwrap();
        (elo.value - 30.0).abs() <= elo.spread.unwrap().error
    });
    let held = held.count();
    assert!((929..=971).contains(&held), "{held}: three standard errors of 1,000 matches around 950");
}

#[test]
fn bounds_by_hand() {
    let (lower, upper) = sprt("0,10").bounds();
    near(lower, -2.944_438_979_166_440_6, 1e-12);
    near(upper, 2.944_438_979_166_440_6, 1e-12);
    let (lower, upper) = sprt("0,10,0.05,0.1").bounds();
    near(lower, (0.1_f64 / 0.95).ln(), 1e-12);
    near(upper, 18.0_f64.ln(), 1e-12);
}

/// Values of fastchess's own tests of its pentanomial SPRT in logistic Elo, `sprt_test.cpp`.
#[test]
fn llr_agrees_with_fastchess() {
    for (test, counts, llr, state) in [
        ("0.5,2.5", [223, 9_863, 21_279, 10_037, 246], -3.07, SprtState::AcceptH0),
        ("0,2", [871, 26_175, 55_983, 26_678, 821], -4.98, SprtState::AcceptH0),
    ] {
        let pairs = PairCounts::new(counts);
        near(sprt(test).llr(&pairs), llr, 0.006);
        assert_eq!(sprt(test).state(&pairs), state);
        let mirrored = test.split(',').rev().map(|elo| (-elo.parse::<f64>().unwrap()).to_string()).collect::<Vec<_>>();
        assert_eq!(sprt(&mirrored.join(",")).state(&pairs.swapped()), SprtState::AcceptH1);
    }
}

#[test]
fn llr_of_two_outcomes_is_that_of_a_coin() {
    for (lost, won) in [(40, 60), (1, 500), (700, 300)] {
        let (s0, s1) = (score_of(-5.0), score_of(20.0));
        let coin = won as f64 * (s1 / s0).ln() + lost as f64 * ((1.0 - s1) / (1.0 - s0)).ln();
        near(sprt("-5,20").llr(&PairCounts::new([lost, 0, 0, 0, won])), coin, 1e-3);
    }
}

#[test]
fn llr_of_small_differences_is_that_of_the_normal_law() {
    let counts = [1_000, 2_000, 4_000, 2_100, 1_050];
    let pairs = PairCounts::new(counts);
    let (s0, s1, score) = (score_of(0.0), score_of(2.0), pairs.score().unwrap());
    let squares = counts.iter().enumerate().map(|(at, &count)| count as f64 * (at as f64 / 4.0 - score).powi(2));
    let variance = squares.sum::<f64>() / pairs.pairs() as f64;
    let normal = pairs.pairs() as f64 * (s1 - s0) * (2.0 * score - s0 - s1) / (2.0 * variance);
    near(sprt("0,2").llr(&pairs), normal, 0.01);
}

#[test]
fn no_pairs_decide_nothing_and_many_alike_decide() {
    assert_eq!(
        (sprt("0,5").llr(&PairCounts::default()), sprt("0,5").state(&PairCounts::default())),
        (0.0, SprtState::Continue)
    );
    assert_eq!(sprt("0,5").state(&PairCounts::new([0, 0, 0, 0, 1])), SprtState::Continue);
    assert_eq!(sprt("0,5").state(&PairCounts::new([0, 0, 0, 0, 1_000])), SprtState::AcceptH1);
    assert_eq!(sprt("0,5").state(&PairCounts::new([1_000, 0, 0, 0, 0])), SprtState::AcceptH0);
    assert_eq!(sprt("0,5").state(&PairCounts::new([0, 0, 1_000, 0, 0])), SprtState::AcceptH0);
}

#[test]
fn tests_are_parsed_or_it_is_said_why_not() {
    assert_eq!(sprt("0,10"), Sprt::new(0.0, 10.0, 0.05, 0.05).unwrap());
    assert_eq!(sprt(" -1.5, 2 ,0.01,0.1"), Sprt::new(-1.5, 2.0, 0.01, 0.1).unwrap());
    assert_eq!(sprt("0,10").to_string(), "0,10,0.05,0.05");
    let not_a_number = |text: &str| SprtError::NotANumber(text.to_owned());
    for (text, error) in [
        ("", not_a_number("")),
        ("0,x", not_a_number("x")),
        ("0,", not_a_number("")),
        ("5", SprtError::Shape),
        ("0,5,0.05", SprtError::Shape),
        ("0,5,0.05,0.05,1", SprtError::Shape),
        ("5,5", SprtError::Elo),
        ("5,0", SprtError::Elo),
        ("0,2001", SprtError::Elo),
        ("0,inf", SprtError::Elo),
        ("NaN,5", SprtError::Elo),
        ("0,5,0,0.05", SprtError::Risk),
        ("0,5,0.05,-1", SprtError::Risk),
        ("0,5,0.5,0.5", SprtError::Risk),
        ("0,5,NaN,0.05", SprtError::Risk),
    ] {
        assert_eq!(text.parse::<Sprt>(), Err(error), "{text}");
    }
}

#[test]
fn llr_is_a_number_for_the_farthest_hypotheses() {
    let mut rng = Seed::new(3).rng();
    for _ in 0..500 {
        let pairs = random_pairs(&mut rng);
        assert!(sprt("-2000,2000").llr(&pairs).is_finite() && sprt("1999,2000").llr(&pairs).is_finite(), "{pairs:?}");
    }
}

/// How often, in 1,000 matches between players with this difference, a test that looks again after so many pairs
/// reaches the wrong verdict.
fn wrong_verdicts(test: &str, elo: f64, wrong: SprtState, pairs_between_looks: usize) -> usize {
    let (test, lead, mut rng) = (sprt(test), score_of(elo) - 0.5, Seed::new(4).rng());
    let verdict = |_: &usize| {
        let mut pairs = PairCounts::default();
        for _ in 0..2_000 {
            (0..pairs_between_looks).for_each(|_| add_pair(&mut pairs, lead, &mut rng));
            match test.state(&pairs) {
                SprtState::Continue => {}
                state => return state == wrong,
            }
        }
        panic!("no verdict after {} pairs", pairs.pairs());
    };
    (0..1_000).filter(verdict).count()
}

/// Of 1,000 matches 50 may go wrong, give or take three standard errors of such a count; far fewer
/// would mean that the test plays longer than it has to.
fn check_risk(test: &str, elo: f64, wrong: SprtState, pairs_between_looks: usize) {
    let wrong = wrong_verdicts(test, elo, wrong, pairs_between_looks);
    assert!((20..=70).contains(&wrong), "{wrong} of 1,000");
}

#[test]
fn equal_players_are_seldom_called_10_elo_apart() {
    check_risk("0,10", 0.0, SprtState::AcceptH1, 50);
}

#[test]
fn players_10_elo_apart_are_seldom_called_equal() {
    check_risk("0,10", 10.0, SprtState::AcceptH0, 50);
}

#[test]
fn short_tests_that_look_after_every_pair_are_seldom_wrong() {
    check_risk("0,50", 0.0, SprtState::AcceptH1, 1);
    check_risk("0,50", 50.0, SprtState::AcceptH0, 1);
}

fn met<P>(first: P, second: P, wins: u64, draws: u64, losses: u64) -> PairingResult<P> {
    PairingResult { first, second, wins, draws, losses }
}

fn names<P: Copy>(ratings: &[Rating<P>]) -> Vec<P> {
    ratings.iter().map(|rating| rating.player).collect()
}

/// How many points each player, by number, made above those that the ratings expect, the virtual draw among them.
fn surplus(encounters: &[PairingResult<usize>], ratings: &[Rating<usize>]) -> BTreeMap<usize, f64> {
    let elo: BTreeMap<usize, f64> = ratings.iter().map(|rating| (rating.player, rating.elo)).collect();
    let mut surplus: BTreeMap<usize, f64> = elo.iter().map(|(&player, &elo)| (player, 0.5 - score_of(elo))).collect();
    for encounter in encounters.iter().filter(|encounter| encounter.first != encounter.second) {
        let games = (encounter.wins + encounter.draws + encounter.losses) as f64;
        let expected = games * score_of(elo[&encounter.first] - elo[&encounter.second]);
        let above = encounter.wins as f64 + encounter.draws as f64 / 2.0 - expected;
        *surplus.entry(encounter.first).or_default() += above;
        *surplus.entry(encounter.second).or_default() -= above;
    }
    surplus
}

/// At the maximum nobody has more points than expected, but for what keeps the mean at 0.
fn check_likeliest(encounters: &[PairingResult<usize>]) -> Vec<Rating<usize>> {
    let ratings = ratings(encounters);
    let surplus = surplus(encounters, &ratings);
    let mean = surplus.values().sum::<f64>() / surplus.len() as f64;
    surplus.values().for_each(|&above| near(above, mean, 1e-6));
    near(ratings.iter().map(|rating| rating.elo).sum::<f64>(), 0.0, 1e-5);
    assert!(ratings.windows(2).all(|pair| pair[0].elo >= pair[1].elo));
    assert!(ratings.iter().all(|rating| rating.stderr.is_finite() && (rating.stderr > 0.0 || ratings.len() == 1)));
    let chances = ratings.iter().filter_map(|rating| rating.los).collect::<Vec<_>>();
    assert_eq!(chances.len() + 1, ratings.len());
    assert!(chances.iter().all(|los| (0.5..=1.0).contains(los)), "{chances:?}");
    ratings
}

#[test]
fn two_players_rate_as_their_score() {
    let found = ratings(&[met("weak", "strong", 200_000, 100_000, 700_000)]);
    assert_eq!(names(&found), ["strong", "weak"]);
    near(found[0].elo - found[1].elo, 400.0 * 3.0_f64.log10(), 1e-3);
    near(found[0].elo, -found[1].elo, 1e-9);
    let stderr_of_difference = 400.0 / 10.0_f64.ln() / (1_000_000.0 * 0.75 * 0.25_f64).sqrt();
    near(found[0].stderr, stderr_of_difference / 2.0, 1e-5);
    assert_eq!((found[0].los, found[1].los), (Some(1.0), None));
}

#[test]
fn ratings_add_up_along_a_chain() {
    let found = ratings(&[met('b', 'a', 250_000, 0, 750_000), met('b', 'c', 750_000, 0, 250_000)]);
    assert_eq!(names(&found), ['a', 'b', 'c']);
    near(found[0].elo, 400.0 * 3.0_f64.log10(), 1e-3);
    near(found[1].elo, 0.0, 1e-6);
    near(found[2].elo, -400.0 * 3.0_f64.log10(), 1e-3);
    assert!(found[0].stderr > found[1].stderr, "the middle one has played twice as much");
}

#[test]
fn los_of_neighbours_is_that_of_their_difference() {
    let found = ratings(&[met(1, 2, 5_100, 0, 4_900)]);
    near(found[0].los.unwrap(), 0.977_25, 1e-4);
    let even = ratings(&[met(2, 1, 10, 3, 10)]);
    assert_eq!((names(&even), even[0].elo, even[0].los), (vec![1, 2], 0.0, Some(0.5)));
}

#[test]
fn the_order_of_encounters_and_of_their_players_does_not_matter() {
    let together = [met(1, 2, 7, 2, 5), met(2, 3, 4, 0, 9), met(3, 1, 6, 1, 6)];
    let apart = [met(1, 3, 6, 1, 6), met(3, 2, 9, 0, 4), met(2, 1, 5, 1, 3), met(1, 2, 4, 1, 0), met(2, 2, 9, 9, 0)];
    assert_eq!(check_likeliest(&together), check_likeliest(&apart));
}

#[test]
fn swapping_all_results_negates_all_ratings() {
    let encounters = [met(1, 2, 7, 2, 5), met(2, 3, 4, 0, 9), met(3, 1, 6, 1, 6), met(4, 1, 0, 0, 8)];
    let swapped = encounters.map(|met| PairingResult { wins: met.losses, losses: met.wins, ..met });
    let (found, other) = (ratings(&encounters), ratings(&swapped));
    for (rating, other) in found.iter().zip(other.iter().rev()) {
        assert_eq!(rating.player, other.player);
        near(rating.elo, -other.elo, 1e-6);
        near(rating.stderr, other.stderr, 1e-6);
    }
}

#[test]
fn nobody_and_one_alone() {
    assert_eq!(ratings::<u8>(&[]), []);
    let alone = ratings(&[met("me", "me", 3, 0, 3)]);
    assert_eq!(alone, [Rating { player: "me", elo: 0.0, stderr: 0.0, los: None }]);
}

#[test]
fn the_unbeaten_stay_finite() {
    let found = check_likeliest(&[met(1, 2, 1_000, 0, 0), met(1, 3, 1_000, 0, 0), met(2, 3, 500, 0, 500)]);
    assert_eq!(names(&found), [1, 2, 3]);
    assert!((700.0..3_000.0).contains(&(found[0].elo - found[1].elo)), "{found:?}");
    assert!(found[0].stderr > 100.0, "how much stronger the unbeaten is, nobody knows");
}

#[test]
fn groups_that_never_met_are_each_around_the_mean() {
    let found = check_likeliest(&[met(1, 2, 75, 0, 25), met(3, 4, 75, 0, 25), met(5, 6, 0, 0, 0)]);
    let elo: BTreeMap<usize, f64> = found.iter().map(|rating| (rating.player, rating.elo)).collect();
    near(elo[&1], elo[&3], 1e-6);
    near(elo[&1], -elo[&2], 1e-6);
    near(elo[&5], 0.0, 1e-6);
    assert!(found.iter().all(|rating| rating.stderr > 100.0), "nothing ties the groups together: {found:?}");
}

#[test]
fn any_tournament_has_likeliest_ratings() {
    let mut rng = Seed::new(6).rng();
    for _ in 0..300 {
        let players = 1 + uniform_below(&mut rng, 12);
        let encounters: Vec<_> = (0..1 + uniform_below(&mut rng, 30))
            .map(|_| {
                let size = [2, 30, 10_000][uniform_below(&mut rng, 3)];
                let mut count =
                    || if uniform_below(&mut rng, 2) == 0 { 0 } else { uniform_below(&mut rng, size) as u64 };
                let (wins, draws, losses) = (count(), count(), count());
                met(uniform_below(&mut rng, players), uniform_below(&mut rng, players), wins, draws, losses)
            })
            .collect();
        check_likeliest(&encounters);
    }
}

/// Full steps of Newton's method lead nowhere here.
#[test]
fn lopsided_results_of_millions_of_games_are_rated() {
    check_likeliest(&[
        met(3, 7, 100_000_000, 0, 0),
        met(0, 1, 1_000_000, 0, 1),
        met(1, 6, 0, 0, 1),
        met(1, 7, 100_000_000, 0, 0),
        met(3, 0, 1, 0, 1),
    ]);
}

#[test]
fn two_hundred_players_are_rated() {
    let everyone_beats_the_next: Vec<_> = (1..200).map(|player| met(player - 1, player, 100, 0, 0)).collect();
    let found = check_likeliest(&everyone_beats_the_next);
    assert_eq!(names(&found), (0..200).collect::<Vec<_>>());
    let mut rng = Seed::new(7).rng();
    let all_pairs = (0..200).flat_map(|second| (0..second).map(move |first| (first, second)));
    let round_robin: Vec<_> = all_pairs
        .map(|(first, second)| {
            met(first, second, uniform_below(&mut rng, 9) as u64, 1, uniform_below(&mut rng, 5) as u64)
        })
        .collect();
    check_likeliest(&round_robin);
}

#[test]
fn standard_errors_hold_the_truth() {
    let truth = [150.0, 60.0, 10.0, -20.0, -80.0, -120.0];
    let mut rng = Seed::new(8).rng();
    let mut held = 0;
    for _ in 0..200 {
        let mut encounters = Vec::new();
        for second in 0..truth.len() {
            for first in 0..second {
                let chance = (score_of(truth[first] - truth[second]) * FINE as f64) as usize;
                let wins = (0..100).filter(|_| uniform_below(&mut rng, FINE) < chance).count() as u64;
                encounters.push(met(first, second, wins, 0, 100 - wins));
            }
        }
        let within = |rating: &&Rating<usize>| (rating.elo - truth[rating.player]).abs() <= 1.96 * rating.stderr;
        held += ratings(&encounters).iter().filter(within).count();
    }
    assert!((1_115..=1_165).contains(&held), "{held} of 1,200; 1,140 are 95 of 100");
}
