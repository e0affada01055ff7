//! Where an opponent looks for ships first, and how long a layout would stay hidden from it.

use std::collections::VecDeque;

use seabattle_core::{Cell, Fleet, Knowledge, Ship};

/// Hunts that are remembered.
const MOST: usize = 12;

/// A hunt counts so much less than the one after it.
const FADING: f64 = 0.8;

/// Shots at the start of two hunts that are compared.
const COMPARED: usize = 12;

/// The share of common cells from which hunts are said to be alike, and from which they are the same.
const ALIKE: [f64; 2] = [0.25, 0.75];

/// A ship that a hunt has not found is found so many shots later.
const LATER: usize = 10;

/// The shots of past games that were fired while nothing was afire, newest game first.
#[derive(Default)]
pub(super) struct OpponentShotModel {
    hunts: VecDeque<Vec<Cell>>,
    /// How much each hunt had in common with the one before, fading.
    common: f64,
    compared: f64,
}

impl OpponentShotModel {
    /// A game has shown these shots.
    pub(super) fn add(&mut self, incoming: &Knowledge) {
        let hunt = hunt(incoming);
        if let Some(last) = self.hunts.front() {
            self.common = self.common * FADING + common(&hunt, last);
            self.compared = self.compared * FADING + 1.0;
        }
        self.hunts.truncate(MOST - 1);
        self.hunts.push_front(hunt);
    }

    /// From 0, where no hunt is like another, to 1, where all are the same.
    pub(super) fn predictability(&self) -> f64 {
        let common = if self.compared > 0.0 { self.common / self.compared } else { 0.0 };
        ((common - ALIKE[0]) / (ALIKE[1] - ALIKE[0])).clamp(0.0, 1.0)
    }

    /// After how many shots of the hunts so far the ships of a layout would have been found: on average, and the last.
    pub(super) fn survival(&self, fleet: &Fleet) -> f64 {
        let (mut sum, mut weights, mut weight) = (0.0, 0.0, 1.0);
        for hunt in &self.hunts {
            let found = |ship: &Ship| hunt.iter().position(|&cell| ship.covers(cell)).unwrap_or(hunt.len() + LATER);
            let found: Vec<usize> = fleet.ships().iter().map(found).collect();
            let mean = found.iter().sum::<usize>() as f64 / found.len().max(1) as f64;
            sum += weight * (mean + found.iter().max().map_or(0.0, |&last| last as f64)) / 2.0;
            weights += weight;
            weight *= FADING;
        }
        if weights > 0.0 { sum / weights } else { 0.0 }
    }
}

/// The shots fired while no ship was known to be hit and afloat.
fn hunt(incoming: &Knowledge) -> Vec<Cell> {
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

/// The share of cells that two hunts have in common at their start.
fn common(a: &[Cell], b: &[Cell]) -> f64 {
    let shots = a.len().min(b.len()).min(COMPARED);
    let both = a[..shots].iter().filter(|cell| b[..shots].contains(cell)).count();
    both as f64 / shots.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::OpponentShotModel;
    use seabattle_core::{Cell, Fleet, Rules, Seed, Solo, layout, uniform_below};

    fn played(fleet: &Fleet, mut next: impl FnMut(&Solo) -> Cell) -> Solo {
        let mut game = Solo::new(fleet.clone());
        while !game.is_over() {
            let cell = next(&game);
            game.fire(&[cell]).unwrap();
        }
        game
    }

    #[test]
    fn ships_that_a_hunt_finds_last_stay_hidden_longest() {
        let rules: Rules = "6x6:3,2".parse().unwrap();
        let mut rng = Seed::new(1).rng();
        let mut model = OpponentShotModel::default();
        for _ in 0..4 {
            let game = played(&layout::any(&rules, &mut rng), |game| game.view().targets().first().unwrap());
            model.add(game.knowledge());
        }
        assert!(model.predictability() > 0.5, "{}", model.predictability());
        let survival = |text: &str| model.survival(&Fleet::parse(&rules, text).unwrap());
        assert!(survival("3 D6 across, 2 A6 across") > survival("3 A1 across, 2 D1 across") + 10.0);
    }

    #[test]
    fn who_shoots_anywhere_is_not_trusted() {
        let rules = Rules::classic();
        let mut rng = Seed::new(2).rng();
        let mut model = OpponentShotModel::default();
        for _ in 0..10 {
            let fleet = layout::any(&rules, &mut rng);
            let mut chance = Seed::new(uniform_below(&mut rng, 1 << 20) as u64).rng();
            let game = played(&fleet, |game| {
                let view = game.view();
                view.targets().nth(uniform_below(&mut chance, view.targets().len())).unwrap()
            });
            model.add(game.knowledge());
        }
        assert_eq!(model.predictability(), 0.0);
        assert!(model.hunts.len() <= super::MOST);
    }
}
