//! A model of where an opponent hunts, and of how long a layout stays hidden from it.

use std::collections::VecDeque;

use seabattle_core::{Cell, Fleet, Knowledge, Ship};

/// The most remembered hunts.
const MAX_HUNTS: usize = 12;

/// The weight of a hunt relative to the next one (exponential decay).
const DECAY: f64 = 0.8;

/// The number of first shots of two hunts that are compared.
const COMPARED_SHOTS: usize = 12;

/// The shares of common cells at which predictability starts to grow, and at which it is complete.
const SIMILARITY_RANGE: [f64; 2] = [0.25, 0.75];

/// The assumed delay, in shots, until a hunt finds a ship it has not found.
const NOT_FOUND_DELAY: usize = 10;

/// The hunting shots of past games, newest game first. A shot is a hunting shot if there were no open hits.
#[derive(Default)]
pub(super) struct OpponentShotModel {
    hunts: VecDeque<Vec<Cell>>,
    /// The similarity of each hunt to the one before, summed with exponential decay.
    similarity: f64,
    similarity_weight: f64,
}

impl OpponentShotModel {
    /// Learns from the shots of one game.
    pub(super) fn add(&mut self, incoming: &Knowledge) {
        let hunt = hunting_shots(incoming);
        if let Some(last_hunt) = self.hunts.front() {
            self.similarity = self.similarity * DECAY + similarity(&hunt, last_hunt);
            self.similarity_weight = self.similarity_weight * DECAY + 1.0;
        }
        self.hunts.truncate(MAX_HUNTS - 1);
        self.hunts.push_front(hunt);
    }

    /// The predictability of the hunts: from 0 if no two are similar, to 1 if all are the same.
    pub(super) fn predictability(&self) -> f64 {
        let similarity = if self.similarity_weight > 0.0 { self.similarity / self.similarity_weight } else { 0.0 };
        ((similarity - SIMILARITY_RANGE[0]) / (SIMILARITY_RANGE[1] - SIMILARITY_RANGE[0])).clamp(0.0, 1.0)
    }

    /// How many hunting shots a layout would have survived: the mean of its ships and of its last ship, averaged over
    /// the hunts.
    pub(super) fn shots_survived(&self, fleet: &Fleet) -> f64 {
        let (mut weighted_sum, mut total_weight, mut weight) = (0.0, 0.0, 1.0);
        for hunt in &self.hunts {
            let found_at =
                |ship: &Ship| hunt.iter().position(|&cell| ship.covers(cell)).unwrap_or(hunt.len() + NOT_FOUND_DELAY);
            let found_after: Vec<usize> = fleet.ships().iter().map(found_at).collect();
            let mean = found_after.iter().sum::<usize>() as f64 / found_after.len().max(1) as f64;
            weighted_sum += weight * (mean + found_after.iter().max().map_or(0.0, |&last| last as f64)) / 2.0;
            total_weight += weight;
            weight *= DECAY;
        }
        if total_weight > 0.0 { weighted_sum / total_weight } else { 0.0 }
    }
}

/// The shots that were fired without open hits.
fn hunting_shots(incoming: &Knowledge) -> Vec<Cell> {
    let mut known = Knowledge::new(incoming.rules());
    let mut hunt = Vec::new();
    for &shot in incoming.shots() {
        if known.open_hits().is_empty() {
            hunt.push(shot.cell);
        }
        if known.add(shot).is_err() {
            break;
        }
    }
    hunt
}

/// The share of cells that two hunts have in common among their first shots.
fn similarity(a: &[Cell], b: &[Cell]) -> f64 {
    let shots = a.len().min(b.len()).min(COMPARED_SHOTS);
    let common_cells = a[..shots].iter().filter(|cell| b[..shots].contains(cell)).count();
    common_cells as f64 / shots.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::OpponentShotModel;
    use seabattle_core::{Cell, Fleet, Rules, Seed, Solo, layout, uniform_below};

    fn play(fleet: &Fleet, mut choose: impl FnMut(&Solo) -> Cell) -> Solo {
        let mut game = Solo::new(fleet.clone());
        while !game.is_over() {
            let cell = choose(&game);
            game.fire(&[cell]).unwrap();
        }
        game
    }

    #[test]
    fn ships_found_last_survive_longest() {
        let rules: Rules = "6x6:3,2".parse().unwrap();
        let mut rng = Seed::new(1).rng();
        let mut model = OpponentShotModel::default();
        for _ in 0..4 {
            let game = play(&layout::any(&rules, &mut rng), |game| game.view().targets().first().unwrap());
            model.add(game.knowledge());
        }
        assert!(model.predictability() > 0.5, "{}", model.predictability());
        let shots_survived = |text: &str| model.shots_survived(&Fleet::parse(&rules, text).unwrap());
        assert!(shots_survived("3 D6 across, 2 A6 across") > shots_survived("3 A1 across, 2 D1 across") + 10.0);
    }

    #[test]
    fn random_shots_are_not_predictable() {
        let rules = Rules::classic();
        let mut rng = Seed::new(2).rng();
        let mut model = OpponentShotModel::default();
        for _ in 0..10 {
            let fleet = layout::any(&rules, &mut rng);
            let mut shot_rng = Seed::new(uniform_below(&mut rng, 1 << 20) as u64).rng();
            let game = play(&fleet, |game| {
                let view = game.view();
                view.targets().nth(uniform_below(&mut shot_rng, view.targets().len())).unwrap()
            });
            model.add(game.knowledge());
        }
        assert_eq!(model.predictability(), 0.0);
        assert!(model.hunts.len() <= super::MAX_HUNTS);
    }
}
