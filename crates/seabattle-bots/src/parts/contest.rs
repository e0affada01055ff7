//! What the two bots of the contest share: a hunt along a fixed walk, and a ship sunk between and beyond its hits.

use seabattle_core::{Bot, Cell, CellSet, Fleet, Outcome, Rules, Seed, SeededRng, Shot, Size, Touching, View, layout};

use crate::parts::random_choice::any_target;
use crate::parts::direction::Compass;
use crate::parts::shot_cursor::Watch;

/// The order of the hunt; cells that are known already are passed over.
pub(crate) trait Walk: Iterator<Item = Cell> {
    fn new(size: Size) -> Self;
}

pub(crate) struct Contestant<W> {
    rng: SeededRng,
    watch: Watch,
    walk: Option<W>,
    /// Hits on the ship that is being sunk.
    wounded: Vec<Cell>,
    /// Certainly water, around ships that were sunk.
    impossible: Option<CellSet>,
}

impl<W: Walk> Contestant<W> {
    pub(crate) fn new(seed: &Seed) -> Self {
        Self { rng: seed.rng(), watch: Watch::default(), walk: None, wounded: Vec::new(), impossible: None }
    }

    fn learn(&mut self, shot: Shot, rules: &Rules) {
        match shot.outcome {
            Outcome::Miss => {}
            Outcome::Hit(_) => self.wounded.push(shot.cell),
            Outcome::Sunk(_) => {
                self.wounded.push(shot.cell);
                let ship = CellSet::of(rules.size(), self.wounded.drain(..));
                if let (Some(impossible), Touching::Forbidden) = (&mut self.impossible, rules.touching()) {
                    *impossible |= &ship.grown();
                }
            }
        }
    }

    /// Cells that may hold a ship, as far as this bot can tell.
    fn unknown(&self, view: &View<'_>) -> CellSet {
        let targets = view.targets();
        self.impossible.as_ref().map_or_else(|| targets.clone().into_owned(), |impossible| &*targets - impossible)
    }

    /// The next shot at the wounded ship.
    fn finish(&mut self, view: &View<'_>, unknown: &CellSet) -> Option<Cell> {
        let size = unknown.size();
        let cell = match *self.wounded {
            [] => return None,
            [only] => {
                let mut around = Compass::CLOCKWISE.into_iter().filter_map(|direction| direction.from(only, size));
                around.find(|&cell| unknown.contains(cell))
            }
            [..] => line(&self.wounded, unknown),
        };
        if cell.is_none() && view.aimed().is_empty() {
            self.wounded.clear();
        }
        cell
    }
}

/// Where a ship with these hits can go on: between them, then before the first, then after the last.
fn line(hits: &[Cell], unknown: &CellSet) -> Option<Cell> {
    let (&first, &last) = (hits.iter().min()?, hits.iter().max()?);
    let size = unknown.size();
    let (onwards, back) =
        if first.row() == last.row() { (Compass::East, Compass::West) } else { (Compass::South, Compass::North) };
    let between = std::iter::successors(Some(first), |&cell| onwards.from(cell, size)).take_while(|&cell| cell < last);
    between.chain(back.from(first, size)).chain(onwards.from(last, size)).find(|&cell| unknown.contains(cell))
}

impl<W: Walk> Bot for Contestant<W> {
    fn start(&mut self, rules: &Rules) {
        self.watch = Watch::default();
        self.walk = Some(W::new(rules.size()));
        self.wounded.clear();
        self.impossible = Some(CellSet::empty(rules.size()));
    }

    fn place(&mut self, rules: &Rules) -> Fleet {
        layout::any(rules, &mut self.rng)
    }

    fn shoot(&mut self, view: &View<'_>) -> Cell {
        for &shot in self.watch.news(view) {
            self.learn(shot, view.rules());
        }
        let unknown = self.unknown(view);
        self.finish(view, &unknown)
            .or_else(|| self.walk.as_mut()?.find(|&cell| unknown.contains(cell)))
            .or_else(|| view.targets().first())
            .unwrap_or_else(|| any_target(view, &mut self.rng))
    }
}
