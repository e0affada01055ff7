//! The numbers of the source documents, reproduced.

use std::num::NonZero;
use std::sync::atomic::AtomicBool;

use seabattle_arena::{Bench, Contender, Layouts, Series};
use seabattle_bots::find;

const GAMES: u64 = 20_000;

/// Mean shots over 20,000 layouts: the band says whether the algorithm is the document's.
pub(crate) fn check(rules: &str, layouts: Layouts, expected: &[(&str, f64, f64)]) {
    let contender = |(name, _, _): &(&str, f64, f64)| {
        let entry = find(name).unwrap();
        Contender { name: entry.name.to_owned(), make: Box::new(|seed| entry.make(seed)) }
    };
    let contenders: Vec<Contender<'_>> = expected.iter().map(contender).collect();
    let bench = Bench {
        rules: rules.parse().unwrap(),
        layouts,
        seed: 1,
        games: GAMES,
        series: Series::default(),
        correction: None,
    };
    let threads = NonZero::new(2).unwrap();
    let report = bench.run(&contenders, threads, &|_| {}, &AtomicBool::new(false)).unwrap();
    for (result, (name, mean, band)) in report.results.iter().zip(expected) {
        let measured = result.shots.mean();
        assert_eq!(result.shots.games(), GAMES);
        assert!(
            (measured - mean).abs() <= *band,
            "{name}: {measured:.3} ± {:.3}, not {mean} ± {band}",
            result.shots.stderr()
        );
    }
}

#[test]
fn the_classic_bots_need_as_many_shots_as_published() {
    check(
        "classic",
        Layouts::Uniform,
        &[
            ("swift-sinking", 92.5, 0.4),
            ("swift-locating", 69.4, 0.4),
            ("swift-example", 62.7, 0.4),
            ("star", 56.5, 0.4),
            ("checkerboard", 61.2, 0.4),
            ("quadrant", 53.6, 0.4),
            ("random", 95.4, 0.3),
            ("density", 45.0, 0.5),
        ],
    );
}

#[test]
fn the_contest_bots_need_as_many_shots_as_published() {
    check("russian", Layouts::Sequential, &[("lattice", 56.5, 0.4), ("blocks", 58.7, 0.4)]);
}
