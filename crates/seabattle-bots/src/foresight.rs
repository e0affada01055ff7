//! The likeliest cells judged by what follows: misses of plain greed on a sample of the layouts that are left.

use seabattle_core::{Cell, Knowledge};
use seabattle_odds::{Fitting, Odds};

use crate::endgame::{Endgame, EndgameLimits, Prospect};

/// A sample that stands for more layouts promises too much.
const MOST_LAYOUTS: u128 = 100_000;

/// Layouts of the sample.
const SAMPLE: usize = 1000;

/// Cells that are judged.
const WIDTH: usize = 4;

/// After the shot that is judged, greed alone.
const GREED: EndgameLimits =
    EndgameLimits { layouts: 0, exact: 0, exact_ahead: 0, widths: &[WIDTH], steps: usize::MAX };

/// The best of the likeliest cells; nothing where so many layouts are left that a sample says too little.
pub(crate) fn best_shot(knowledge: &Knowledge, odds: &Odds) -> Option<Cell> {
    if !odds.is_exact() || odds.layouts() > MOST_LAYOUTS {
        return None;
    }
    let layouts = usize::try_from(odds.layouts()).ok()?;
    let shots = likeliest(knowledge, odds);
    let certain = shots.first().filter(|&&cell| odds.probability(cell) > CERTAIN);
    if certain.is_some() {
        return certain.copied();
    }
    let sample = Fitting::every(layouts.div_ceil(SAMPLE), knowledge, layouts)?;
    let prospects = Endgame::new(GREED).prospects(knowledge, &sample, &shots);
    let judged = prospects.iter().map(|prospect| (misses(odds, prospect), prospect.cell));
    judged.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, cell)| cell)
}

/// Rounding aside, a ship is there.
const CERTAIN: f64 = 1.0 - 1e-9;

/// Likeliest first, in row order where equal but for rounding.
fn likeliest(knowledge: &Knowledge, odds: &Odds) -> Vec<Cell> {
    let rounded = |cell: &Cell| (odds.probability(*cell) * 1e9).round() as i64;
    let mut cells: Vec<Cell> = knowledge.open().iter().collect();
    cells.sort_by_key(|cell| std::cmp::Reverse(rounded(cell)));
    cells.truncate(WIDTH);
    cells
}

/// The misses from this shot on: the answers are as likely as the odds say, what follows each is from the sample.
fn misses(odds: &Odds, prospect: &Prospect) -> f64 {
    let after = |answer| prospect.misses.iter().find(|(known, _)| *known == answer).map_or(0.0, |(_, misses)| *misses);
    let answers = odds.answers(prospect.cell);
    let expected: f64 = answers.into_iter().map(|(answer, probability)| probability * after(answer)).sum();
    1.0 - odds.probability(prospect.cell) + expected
}

#[cfg(test)]
mod tests {
    use seabattle_core::Knowledge;
    use seabattle_odds::Odds;

    use super::best_shot;

    fn check(position: &str, expected: &[&str]) {
        let knowledge: Knowledge = position.parse().unwrap();
        let shot = best_shot(&knowledge, &Odds::of(&knowledge).unwrap()).map(|cell| cell.to_string());
        let fits = shot.as_deref().map_or(expected.is_empty(), |shot| expected.contains(&shot));
        assert!(fits, "{position}: {shot:?} is none of {expected:?}");
    }

    #[test]
    fn a_shot_is_one_of_the_likeliest() {
        check("5x5:4,3", &["C3", "C2", "B3", "D3", "C4"]);
        check("6x6:3,2 C3x", &["C2", "B3", "D3", "C4"]);
    }

    #[test]
    fn certain_hits_come_first() {
        check("5x5:3,2,2 C3x B3x D3. C2. C4. B2. B4.", &["A3"]);
    }

    #[test]
    fn too_many_layouts_get_no_answer() {
        check("classic", &[]);
    }
}
