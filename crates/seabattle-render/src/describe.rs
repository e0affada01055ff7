//! Sentences about games, for pictures, pages and the terminal.

use seabattle_core::{End, Outcome, Record, Rules, Shot, Termination};
use seabattle_odds::{AnalyzedShot, TurningReason};

/// A probability in whole percent. Only impossible is `0%`, and only certain is `100%`.
pub fn percent(probability: f64) -> String {
    match (100.0 * probability).round() as i32 {
        _ if probability <= 0.0 => "0%".to_owned(),
        0 => "<1%".to_owned(),
        100 if probability < 1.0 - 1e-12 => ">99%".to_owned(),
        whole => format!("{whole}%"),
    }
}

/// Describes a shot with its answer, such as `E5 hit`.
pub fn describe_shot(rules: &Rules, shot: Shot) -> String {
    let name = |class| {
        let class = rules.class(class);
        let nameless = class.name().starts_with(|c: char| c.is_ascii_digit());
        if nameless { format!("ship of {}", class.length()) } else { class.name().to_owned() }
    };
    let answer = match shot.outcome {
        Outcome::Miss => "miss".to_owned(),
        Outcome::Hit(None) => "hit".to_owned(),
        Outcome::Hit(Some(class)) => format!("{} hit", name(class)),
        Outcome::Sunk(None) => "sunk".to_owned(),
        Outcome::Sunk(Some(class)) => format!("{} sunk", name(class)),
    };
    format!("{} {answer}", shot.cell)
}

/// Describes who plays: both names, or the one of a solo game.
pub fn describe_players(record: &Record) -> String {
    let names = record.names();
    match record.is_solo() {
        true => format!("{} alone", names[record.first()]),
        false => format!("{} against {}", names.a, names.b),
    }
}

/// Describes who won, and how if not by sinking. In a solo game, how many shots it took.
pub fn describe_result(record: &Record) -> String {
    if let (true, Some(End { winner: Some(side), termination: Termination::Sunk })) = (record.is_solo(), record.end()) {
        let shots: usize = record.turns().iter().map(|(_, shots)| shots.len()).sum();
        return format!("{} sank the fleet in {shots} shots.", record.names()[side]);
    }
    let how = |termination: Termination| {
        if termination == Termination::Sunk { String::new() } else { format!(" ({termination})") }
    };
    match record.end() {
        Some(End { winner: Some(side), termination: ended }) => format!("{} won{}.", record.names()[side], how(ended)),
        Some(End { winner: None, termination: Termination::Sunk }) => "A draw.".to_owned(),
        Some(End { winner: None, termination: ended }) => format!("No winner{}.", how(ended)),
        None => "The game is not over.".to_owned(),
    }
}

/// Describes why a shot was a turning point.
pub fn describe_turning_point(shot: &AnalyzedShot<'_>, reason: TurningReason) -> String {
    let review = shot.review;
    match reason {
        TurningReason::Lead => format!("ahead from here to the end, with a hit at {}", percent(review.chosen)),
        TurningReason::Luck(hits) if hits > 0.0 => format!("a hit at {}", percent(review.chosen)),
        TurningReason::Luck(_) => format!("a miss at {}", percent(review.chosen)),
        TurningReason::Choice(_) => {
            format!("chose {}, {} had {}", percent(review.chosen), review.best_cell, percent(review.best))
        }
    }
}

/// Describes the odds of a volley: those of a single shot, or the sums of several.
pub fn describe_odds(shots: &[AnalyzedShot<'_>]) -> String {
    match shots {
        [] => String::new(),
        [shot] if shot.review.loss() <= 0.0 => format!("{}, the best", percent(shot.review.chosen)),
        [shot] => {
            let review = shot.review;
            format!("{}, best {} with {}", percent(review.chosen), review.best_cell, percent(review.best))
        }
        _ => {
            let sum = |of: fn(&AnalyzedShot<'_>) -> f64| shots.iter().map(of).sum::<f64>();
            let (chosen, best) = (sum(|shot| shot.review.chosen), sum(|shot| shot.review.best));
            format!("{chosen:.1} expected hits, {best:.1} for the best cells")
        }
    }
}
