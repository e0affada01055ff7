//! Calibration: hits occur as often as the odds predict.

use seabattle_core::{Knowledge, Rules, Seed, Shot, layout, uniform_below};
use seabattle_odds::Odds;

/// Over 2,000 games, the hits in each decile of the predictions are within four standard deviations of the prediction.
#[test]
fn predictions_are_calibrated_in_every_decile() {
    for (rules, games) in [("6x6:4,3,2", 2000), ("6x6:3,2,1,1,touching=forbidden,announce=sunk", 300)] {
        let rules: Rules = rules.parse().unwrap();
        let mut deciles = [(0.0, 0.0, 0.0); 10];
        for game in 0..games {
            let seed = Seed::new(9).game(game);
            let mut rng = seed.rng();
            let fleet = layout::uniform(&rules, &mut rng).unwrap();
            let mut knowledge = Knowledge::new(&rules);
            while !knowledge.is_fleet_sunk() {
                let odds = Odds::of(&knowledge).unwrap();
                let likeliest =
                    knowledge.open().iter().max_by(|a, b| odds.probability(*a).total_cmp(&odds.probability(*b)));
                let any = knowledge.open().nth(uniform_below(&mut rng, knowledge.open().len()));
                let cell = if uniform_below(&mut rng, 2) == 0 { likeliest } else { any }.unwrap();
                let predicted = odds.probability(cell);
                let decile = &mut deciles[((predicted * 10.0) as usize).min(9)];
                let outcome = fleet.answer(cell, knowledge.hits());
                decile.0 += predicted;
                decile.1 += predicted * (1.0 - predicted);
                decile.2 += f64::from(u8::from(outcome.is_hit()));
                knowledge.add(Shot { cell, outcome }).unwrap();
            }
        }
        for (predicted, variance, hits) in deciles {
            assert!(
                (hits - predicted).abs() <= 4.0 * f64::sqrt(variance) + 1e-6,
                "{rules}: {hits} hits, {predicted:.1} predicted"
            );
        }
    }
}
