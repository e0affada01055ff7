//! Analyses as JSON.

use seabattle_core::{Rules, Side};
use seabattle_odds::{Analysis, Review, ShotReview, TurningReason};
use serde_json::{Value, json};

/// An analysis as JSON: both sides shot by shot, and the turning points. `docs/analysis.md` describes it.
pub fn analysis_json(rules: &Rules, analysis: &Analysis) -> Value {
    let reviews = analysis.reviews();
    let points = analysis.turning_points().iter().map(|point| {
        let (kind, hits) = match point.reason {
            TurningReason::Lead => ("lead", None),
            TurningReason::Luck(hits) => ("luck", Some(hits)),
            TurningReason::Choice(hits) => ("choice", Some(hits)),
        };
        json!({ "number": point.number, "kind": kind, "hits": hits })
    });
    let numbers = |side: Side| -> Vec<usize> {
        analysis.shots().filter(|step| step.side == side).map(|step| step.number).collect()
    };
    json!({
        "exact": analysis.is_exact(),
        "A": side(rules, reviews.a, &numbers(Side::A)),
        "B": side(rules, reviews.b, &numbers(Side::B)),
        "turning_points": points.collect::<Vec<Value>>(),
    })
}

fn side(rules: &Rules, review: &Review, numbers: &[usize]) -> Value {
    let shots = review.shots().iter().zip(numbers).map(|(review, &number)| shot(rules, review, number));
    json!({
        "hits": review.hits(), "expected": review.expected(), "best": review.best(),
        "skill": review.skill(), "luck": review.luck(), "deviation": review.deviation(),
        "deviations": review.luck_in_deviations(), "shots": shots.collect::<Vec<Value>>(),
    })
}

fn shot(rules: &Rules, review: &ShotReview, number: usize) -> Value {
    json!({
        "number": number, "cell": review.shot.cell.to_string(), "answer": review.shot.to_text(rules),
        "chosen": review.chosen, "best": review.best, "best_cell": review.best_cell.to_string(),
        "rank": review.rank, "loss": review.loss(),
    })
}
