//! The text of a record.

use std::fmt;

use super::Record;
use crate::{End, Shot, Side, Termination};

const LINE: usize = 80;

impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tag = |name: &str, value: &str| writeln!(f, "[{name} \"{}\"]", escape(value));
        tag("Seabattle", "1")?;
        tag("Rules", &self.rules.to_string())?;
        tag("A", &self.names.a)?;
        tag("B", &self.names.b)?;
        if let Some(seed) = self.seed {
            tag("Seed", &seed.to_string())?;
        }
        tag("First", &self.first.to_string())?;
        if self.solo {
            tag("Solo", "yes")?;
        }
        tag("Result", result(self.end))?;
        if let Some(end) = self.end {
            tag("Ended", &end.termination.to_string())?;
        }
        for side in Side::ALL {
            if let Some(fleet) = &self.fleets[side] {
                tag(&format!("Fleet{side}"), &fleet.to_string())?;
            }
        }
        for (name, value) in &self.more_tags {
            tag(name, value)?;
        }
        writeln!(f)?;
        self.rounds().iter().try_for_each(|round| write_wrapped(f, round))
    }
}

impl Record {
    /// The words of each round: its number, then the turns of both sides.
    fn rounds(&self) -> Vec<Vec<String>> {
        let mut rounds: Vec<Vec<String>> = Vec::new();
        for (side, shots) in &self.turns {
            if *side == self.first || rounds.is_empty() {
                rounds.push(vec![format!("{}.", rounds.len() + 1)]);
            }
            if let Some(round) = rounds.last_mut() {
                round.push(side.to_string());
                round.extend(shots.iter().map(|shot: &Shot| shot.to_text(&self.rules)));
            }
        }
        rounds
    }
}

pub(super) fn result(end: Option<End>) -> &'static str {
    match end {
        Some(End { winner: Some(Side::A), .. }) => "A",
        Some(End { winner: Some(Side::B), .. }) => "B",
        Some(End { winner: None, termination: Termination::Sunk }) => "draw",
        _ => "*",
    }
}

fn escape(value: &str) -> String {
    value.replace('\\', "\\\\").replace('"', "\\\"")
}

fn write_wrapped(f: &mut fmt::Formatter<'_>, words: &[String]) -> fmt::Result {
    let mut used = 0;
    for word in words {
        if used > 0 && used + 1 + word.len() > LINE {
            f.write_str("\n")?;
            used = 0;
        } else if used > 0 {
            f.write_str(" ")?;
            used += 1;
        }
        f.write_str(word)?;
        used += word.len();
    }
    writeln!(f)
}
