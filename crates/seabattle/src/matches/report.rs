//! The result of a match as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write;

use seabattle_arena::{Elo, Match, PairCounts, Score, SprtState};
use seabattle_core::{BySide, Side};
use serde::Serialize;

use crate::table::faults;

pub(super) struct MatchResult<'a> {
    pub(super) planned: &'a Match,
    /// The contestants as they were typed.
    pub(super) names: BySide<&'a str>,
    /// The names to show.
    pub(super) display_names: BySide<&'a str>,
    pub(super) score: &'a Score,
}

impl MatchResult<'_> {
    fn counts(&self) -> PairCounts {
        PairCounts::new(self.score.pairs)
    }

    fn elo(&self) -> Option<Elo> {
        self.counts().elo()
    }
}

pub(super) fn text(result: &MatchResult<'_>) -> String {
    let MatchResult { planned, display_names, score, .. } = result;
    let mut out = String::new();
    let mut add_line = |label: &str, text: String| {
        let _ = writeln!(out, "{label:<10}{text}");
    };
    add_line("match", format!("{} against {}", display_names.a, display_names.b));
    add_line("rules", format!("{}, seed {}", planned.settings.rules, planned.settings.seed));
    add_line("games", format!("{} in {} pairs", score.games(), score.games() / 2));
    add_line(
        "score",
        format!("{} won, {} lost, {} drawn ({:.1}%)", score.wins.a, score.wins.b, score.draws, percent(result)),
    );
    add_line("Elo", elo_text(result.elo()));
    add_line("pairs", pairs_text(&score.pairs));
    if let Some(sprt) = &planned.sprt {
        let (low, high) = sprt.bounds();
        let llr = sprt.llr(&result.counts());
        add_line(
            "SPRT",
            format!("{sprt}: LLR {llr:.2} ({low:.2}, {high:.2}), {}", verdict(sprt.state(&result.counts()))),
        );
    }
    add_line("shots", format!("{} and {} in games won", shots(score, Side::A), shots(score, Side::B)));
    for side in Side::ALL {
        if let Some(first) = &score.first_faults[side] {
            add_line("faults", format!("{}: {}; first {first}", display_names[side], faults(&score.faults[side])));
        }
    }
    out
}

fn percent(result: &MatchResult<'_>) -> f64 {
    result.counts().score().map_or(50.0, |score| 100.0 * score)
}

fn elo_text(elo: Option<Elo>) -> String {
    match elo {
        Some(Elo { value, spread: Some(spread) }) => {
            format!("{value:+.1} ± {:.1} (95%), likelihood of superiority {:.1}%", spread.error, 100.0 * spread.los)
        }
        Some(Elo { value, spread: None }) => format!("{value:+.1}, no error estimate: every pair had the same result"),
        None => "no pair".to_owned(),
    }
}

fn pairs_text(pairs: &[u64; 5]) -> String {
    let named = ["0", "½", "1", "1½", "2"].into_iter().zip(pairs);
    named.map(|(points, count)| format!("{points}: {count}")).collect::<Vec<_>>().join("  ")
}

fn verdict(state: SprtState) -> &'static str {
    match state {
        SprtState::Continue => "undecided",
        SprtState::AcceptH0 => "H0 accepted",
        SprtState::AcceptH1 => "H1 accepted",
    }
}

fn shots(score: &Score, side: Side) -> String {
    score.mean_winning_shots(side).map_or("none".to_owned(), |mean| format!("{mean:.2}"))
}

/// The JSON form, seen from A. Numbers that do not exist are null.
#[derive(Serialize)]
struct Json<'a> {
    a: &'a str,
    b: &'a str,
    shown_as: JsonSides<&'a str>,
    rules: String,
    seed: u64,
    games: u64,
    wins: u64,
    losses: u64,
    draws: u64,
    elo: Option<f64>,
    elo_error: Option<f64>,
    normalised_elo: Option<f64>,
    los: Option<f64>,
    pairs: [u64; 5],
    sprt: Option<JsonSprt>,
    winning_shots: JsonSides<Option<f64>>,
    faults: JsonSides<BTreeMap<&'static str, u64>>,
    first_faults: JsonSides<Option<&'a str>>,
}

#[derive(Serialize)]
struct JsonSides<T> {
    a: T,
    b: T,
}

#[derive(Serialize)]
struct JsonSprt {
    test: String,
    llr: f64,
    low: f64,
    high: f64,
    state: &'static str,
}

pub(super) fn json(result: &MatchResult<'_>) -> serde_json::Result<String> {
    let MatchResult { planned, names, display_names, score } = result;
    let elo = result.elo();
    let spread = elo.and_then(|elo| elo.spread);
    let finite = |number: f64| Some(number).filter(|number| number.is_finite());
    let sprt = planned.sprt.as_ref().map(|sprt| {
        let (low, high) = sprt.bounds();
        let state = verdict(sprt.state(&result.counts()));
        JsonSprt { test: sprt.to_string(), llr: sprt.llr(&result.counts()), low, high, state }
    });
    let faults = |side: Side| score.faults[side].iter().map(|(kind, count)| (kind.name(), *count)).collect();
    let json = Json {
        a: names.a,
        b: names.b,
        shown_as: JsonSides { a: display_names.a, b: display_names.b },
        rules: planned.settings.rules.to_string(),
        seed: planned.settings.seed,
        games: score.games(),
        wins: score.wins.a,
        losses: score.wins.b,
        draws: score.draws,
        elo: elo.and_then(|elo| finite(elo.value)),
        elo_error: spread.and_then(|spread| finite(spread.error)),
        normalised_elo: spread.and_then(|spread| finite(spread.normalised)),
        los: spread.map(|spread| spread.los),
        pairs: score.pairs,
        sprt,
        winning_shots: JsonSides { a: score.mean_winning_shots(Side::A), b: score.mean_winning_shots(Side::B) },
        faults: JsonSides { a: faults(Side::A), b: faults(Side::B) },
        first_faults: JsonSides { a: score.first_faults.a.as_deref(), b: score.first_faults.b.as_deref() },
    };
    Ok(serde_json::to_string(&json)? + "\n")
}
