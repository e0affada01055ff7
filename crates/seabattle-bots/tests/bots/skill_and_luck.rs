//! Skill and luck in games of the bots. Luck is zero on average, and more skill means fewer shots.

use seabattle_bots::{BotInfo, catalog, find};
use seabattle_core::{Rules, Seed, Shot, Side, Solo, layout};
use seabattle_odds::{OddsCache, Review};

/// Rules of small boards, where exact odds take little time.
const RULES: [&str; 2] = ["7x7:4,3,2", "8x6:3,2,2,1,touching=forbidden,announce=sunk,turn=salvo:2"];
const GAMES: u64 = 80;

fn play(entry: &BotInfo, rules: &Rules, game: u64, odds_cache: &OddsCache) -> Review {
    let seed = Seed::new(9).game(game);
    let mut solo = Solo::new(layout::uniform(rules, &mut seed.layout().rng()).unwrap());
    let mut bot = entry.make(&seed.side(Side::A));
    bot.start(rules);
    let mut volleys: Vec<Vec<Shot>> = Vec::new();
    while !solo.is_over() {
        let mut volley = Vec::new();
        for _ in 0..solo.shots_due() {
            volley.push(bot.shoot(&solo.view().aiming(&volley)));
        }
        volleys.push(solo.fire(&volley).unwrap().to_vec());
    }
    Review::of(rules, volleys.iter().map(Vec::as_slice), odds_cache, || true).unwrap()
}

#[test]
fn luck_is_zero_on_average_for_every_bot() {
    for rules in RULES {
        let (rules, odds_cache): (Rules, _) = (rules.parse().unwrap(), OddsCache::default());
        for entry in catalog().iter().filter(|entry| !entry.is_slow) {
            let luck: Vec<f64> = (0..GAMES).map(|game| play(entry, &rules, game, &odds_cache).luck()).collect();
            let mean = luck.iter().sum::<f64>() / luck.len() as f64;
            let spread = luck.iter().map(|luck| (luck - mean).powi(2)).sum::<f64>() / (luck.len() - 1) as f64;
            let error = (spread / luck.len() as f64).sqrt();
            assert!(error < 0.3, "{} under {rules}: too few games to tell", entry.name);
            assert!(
                mean.abs() < 4.0 * error,
                "{} under {rules}: luck {mean:+.3} with an error of {error:.3}",
                entry.name
            );
        }
    }
}

#[test]
fn more_skilful_bots_need_fewer_shots() {
    let (rules, odds_cache): (Rules, _) = (RULES[0].parse().unwrap(), OddsCache::default());
    let measured = ["random", "swift-locating", "star", "density"].map(|name| {
        let reviews: Vec<Review> =
            (0..GAMES).map(|game| play(find(name).unwrap(), &rules, game, &odds_cache)).collect();
        let shots = reviews.iter().map(|review| review.shots().len()).sum::<usize>() as f64 / GAMES as f64;
        let skill = reviews.iter().filter_map(Review::skill).sum::<f64>() / GAMES as f64;
        (name, shots, skill)
    });
    assert!(measured.is_sorted_by(|a, b| a.1 > b.1), "the names are in the order of their shots: {measured:?}");
    assert!(measured.is_sorted_by(|a, b| a.2 < b.2), "{measured:?}");
    let hunter = play(find("hunter").unwrap(), &rules, 0, &odds_cache);
    assert_eq!(hunter.skill(), Some(100.0), "hunter fires at the likeliest cell");
}
