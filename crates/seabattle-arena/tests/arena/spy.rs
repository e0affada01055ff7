//! A spy remembers every number it was ever told and has the program at hand: it computes the fleets that a built-in
//! enemy would place with any of these numbers, and fires at those that agree with the answers.

use std::cell::Cell as Slot;
use std::collections::BTreeMap;
use std::rc::Rc;

use seabattle_arena::{BuiltInPlayer, Fault, PairSettings, Player, referee};
use seabattle_bots::find;
use seabattle_core::{Bot, BySide, Cell, CellSet, Fleet, Knowledge, Rules, Seed, Side, View};

/// Seeds of matches that a spy tries out before the first game.
const LIKELY_MATCH_SEEDS: u64 = 20;

struct Spy {
    /// What it listens to in place of its own numbers: the numbers of a match that it does not play.
    deaf: Option<u64>,
    suspects: Suspects,
    shooter: Box<dyn Bot>,
    games: u64,
    last_told: Rc<Slot<u64>>,
}

impl Spy {
    fn new(deaf: Option<u64>, last_told: Rc<Slot<u64>>) -> Self {
        let mut spy =
            Self { deaf, suspects: Suspects::default(), shooter: bot("adjacent", &Seed::new(7)), games: 0, last_told };
        for seed in 0..LIKELY_MATCH_SEEDS {
            spy.suspect(&Seed::new(seed));
        }
        spy
    }

    /// Notes the fleets of the enemy under every derivation of a seed that the program knows.
    fn suspect(&mut self, seed: &Seed) {
        let games = [seed.clone(), seed.game(0), seed.game(1), seed.game(0).game(0), seed.game(0).game(1)];
        for game in games {
            for seed in [game.side(Side::A), game.side(Side::B), game] {
                let fleet = bot("random", &seed).place(&Rules::classic());
                self.suspects.add(&fleet);
            }
        }
    }
}

fn bot(name: &str, seed: &Seed) -> Box<dyn Bot> {
    find(name).unwrap().make(seed)
}

/// Fleets with a number each: for every cell one bit per fleet that covers it.
#[derive(Default)]
struct Suspects {
    fleets: Vec<CellSet>,
    covering: BTreeMap<Cell, Vec<u64>>,
    /// Those that agree with the first shots of the game.
    left: Vec<u64>,
    shots: usize,
}

impl Suspects {
    fn add(&mut self, fleet: &Fleet) {
        let (word, bit) = (self.fleets.len() / 64, self.fleets.len() % 64);
        for cell in fleet.occupied().iter() {
            let words = self.covering.entry(cell).or_default();
            words.resize(words.len().max(word + 1), 0);
            words[word] |= 1 << bit;
        }
        self.fleets.push(fleet.occupied().clone());
    }

    /// Every fleet is possible again.
    fn start(&mut self) {
        self.left = vec![u64::MAX; self.fleets.len().div_ceil(64)];
        self.shots = 0;
    }

    /// The latest fleet that agrees with every answer.
    fn latest(&mut self, enemy: &Knowledge) -> Option<&CellSet> {
        for shot in &enemy.shots()[self.shots..] {
            let covering = self.covering.get(&shot.cell).map_or(&[][..], Vec::as_slice);
            for (at, left) in self.left.iter_mut().enumerate() {
                let covering = covering.get(at).copied().unwrap_or(0);
                *left &= if enemy.hits().contains(shot.cell) { covering } else { !covering };
            }
            if self.left.iter().all(|&word| word == 0) {
                self.left.clear();
            }
        }
        self.shots = enemy.shots().len();
        if self.left.is_empty() {
            return None;
        }
        let mut numbers = (0..self.fleets.len()).rev();
        let latest = numbers.find(|&at| self.left.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1))?;
        Some(&self.fleets[latest])
    }
}

impl Player for Spy {
    fn start(&mut self, rules: &Rules, seed: &Seed) -> Result<(), Fault> {
        self.games += 1;
        self.last_told.set(seed.external_seed());
        let heard =
            self.deaf.map_or_else(|| seed.external_seed(), |other| Seed::new(other).game(self.games).external_seed());
        self.suspect(&Seed::new(heard));
        self.suspects.start();
        self.shooter.start(rules);
        Ok(())
    }

    fn place(&mut self, rules: &Rules) -> Result<Fleet, Fault> {
        Ok(self.shooter.place(rules))
    }

    fn shoot(&mut self, view: &View<'_>, _: usize) -> Result<Vec<Cell>, Fault> {
        let open = view.targets();
        let suspected = self.suspects.latest(view.enemy());
        let cell = suspected.and_then(|fleet| fleet.iter().find(|&cell| open.contains(cell)));
        Ok(vec![cell.unwrap_or_else(|| self.shooter.shoot(view))])
    }
}

/// A built-in player whose seed in each game is the number that the spy was told in the game before.
struct Careless<'a> {
    player: BuiltInPlayer<'a>,
    told_to_spy: Rc<Slot<u64>>,
    next: u64,
}

impl Player for Careless<'_> {
    fn start(&mut self, rules: &Rules, _: &Seed) -> Result<(), Fault> {
        let seed = Seed::new(self.next);
        self.next = self.told_to_spy.get();
        self.player.start(rules, &seed)
    }

    fn place(&mut self, rules: &Rules) -> Result<Fleet, Fault> {
        self.player.place(rules)
    }

    fn shoot(&mut self, view: &View<'_>, due: usize) -> Result<Vec<Cell>, Fault> {
        self.player.shoot(view, due)
    }
}

/// Mean and standard error of the spy's shots.
fn shots(games: u64, deaf: Option<u64>, careless: bool) -> (f64, f64) {
    let settings = PairSettings { rules: Rules::classic(), seed: 0x5EC2_E7C0_DE15_4A9B, reveal: true, learn: false };
    let last_told = Rc::new(Slot::new(0));
    let make = |seed: &Seed| bot("random", seed);
    let built_in = BuiltInPlayer::new(&make, false);
    let enemy: Box<dyn Player + '_> = if careless {
        Box::new(Careless { player: built_in, told_to_spy: Rc::clone(&last_told), next: 0 })
    } else {
        Box::new(built_in)
    };
    let mut players = BySide { a: Box::new(Spy::new(deaf, last_told)) as Box<dyn Player + '_>, b: enemy };
    let mut counts = Vec::new();
    for game in (0..games / 2).flat_map(|pair| settings.games(pair)) {
        let played = referee(&mut players, &game);
        counts.push(played.game.unwrap().knowledge(Side::A).shots().len() as f64);
    }
    let mean = counts.iter().sum::<f64>() / counts.len() as f64;
    let variance = counts.iter().map(|count| (count - mean).powi(2)).sum::<f64>() / (counts.len() as f64 - 1.0);
    (mean, (variance / counts.len() as f64).sqrt())
}

#[test]
fn a_spy_learns_nothing_from_what_it_is_told() {
    let (spy, error) = shots(5000, None, false);
    let (honest, honest_error) = shots(5000, Some(99), false);
    let gap = (spy - honest).abs() / error.hypot(honest_error);
    assert!(gap < 3.0, "spy {spy:.2} ± {error:.2}, honest {honest:.2} ± {honest_error:.2}");
}

/// The test above would notice a leak.
#[test]
fn a_spy_told_the_seed_of_the_enemys_next_game_hits_with_every_shot() {
    let (mean, _) = shots(40, None, true);
    assert!(mean < 25.0, "{mean}");
}
