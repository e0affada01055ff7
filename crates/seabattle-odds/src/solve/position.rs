//! What is left of the layouts after some shots, as far as future answers depend on it.

use seabattle_core::{Announce, CellSet, Fleet, Rules};

/// The most cells of a board: one bit each.
pub(super) const MAX_AREA: usize = 64;

/// Cells not yet hit of each ship afloat in some layouts that can no longer be told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rest<const N: usize> {
    pub(super) ships: [u64; N],
    /// How many layouts these are.
    pub(super) weight: u32,
}

impl<const N: usize> Rest<N> {
    pub(super) fn occupied(&self) -> u64 {
        self.ships.iter().fold(0, |all, ship| all | ship)
    }
}

/// Every rest that agrees with the answers so far.
///
/// Water and cells hit before have left the rests, so equal positions have equal futures, however they arose.
/// Ships afloat fill the first places; those of one class stand together, largest bits first.
#[derive(Debug, Clone)]
pub(super) struct Position<const N: usize> {
    pub(super) announce: Announce,
    /// Of each ship, numbered in order of appearance; one class for all where the rules never tell them apart.
    pub(super) classes: [u8; N],
    pub(super) afloat: usize,
    pub(super) rests: Vec<Rest<N>>,
}

/// Divides evenly among as many ships as a fleet may have.
pub(super) const SHARES: u32 = 60;

/// Which of several ships of a class.
#[derive(Debug, Clone, Copy)]
pub(super) enum Choose {
    MostCells,
    FewestCells,
}

/// What may come of a shot.
pub(super) struct Split<const N: usize> {
    pub(super) miss: Option<Position<N>>,
    pub(super) hits: Vec<Position<N>>,
}

/// Ships that the answers tell apart: with `announce=hit` a fleet is one heap of cells.
pub(super) fn heaps(rules: &Rules) -> usize {
    if rules.announce() == Announce::Hit { 1 } else { rules.ship_count() }
}

impl<const N: usize> Position<N> {
    /// Before the first shot.
    pub(super) fn start(rules: &Rules, fleets: &[Fleet]) -> Self {
        let mut classes = [0; N];
        if rules.announce() >= Announce::Which
            && let Some(fleet) = fleets.first()
        {
            for (class, ship) in classes.iter_mut().zip(fleet.ships()) {
                *class = ship.class().index() as u8;
            }
        }
        let rests = fleets.iter().map(|fleet| rest_of(rules, fleet)).collect();
        Self::settled(rules.announce(), classes, rests)
    }

    pub(super) fn weight(&self) -> u32 {
        self.rests.iter().map(|rest| rest.weight).sum()
    }

    /// Cells still to be hit, the same in every rest because every answer tells hit from miss.
    pub(super) fn cells_left(&self) -> u32 {
        self.rests.first().map_or(0, |rest| rest.occupied().count_ones())
    }

    /// How many layouts cover each cell.
    pub(super) fn counts(&self) -> [u32; MAX_AREA] {
        let mut counts = [0; MAX_AREA];
        for rest in &self.rests {
            for cell in cells(rest.occupied()) {
                counts[cell] += rest.weight;
            }
        }
        counts
    }

    /// The positions after a shot, one for each answer.
    pub(super) fn fire(&self, cell: usize) -> Split<N> {
        let mut miss = Vec::new();
        let mut hits: Vec<(u8, Vec<Rest<N>>)> = Vec::new();
        for rest in &self.rests {
            let Some(ship) = rest.ships.iter().position(|ship| ship >> cell & 1 == 1) else {
                miss.push(*rest);
                continue;
            };
            let mut struck = *rest;
            struck.ships[ship] &= !(1 << cell);
            let answer = self.answer(self.classes[ship], struck.ships[ship] == 0);
            match hits.iter_mut().find(|(other, _)| *other == answer) {
                Some((_, rests)) => rests.push(struck),
                None => hits.push((answer, vec![struck])),
            }
        }
        let settled = |rests| Self::settled(self.announce, self.classes, rests);
        Split {
            miss: (!miss.is_empty()).then(|| settled(miss)),
            hits: hits.into_iter().map(|(_, rests)| settled(rests)).collect(),
        }
    }

    fn answer(&self, class: u8, sunk: bool) -> u8 {
        match self.announce {
            Announce::Hit => 0,
            Announce::Sunk => u8::from(sunk),
            Announce::Which if sunk => 1 + class,
            Announce::Which => 0,
            Announce::Named => 2 * class + u8::from(sunk),
        }
    }

    /// A cell under a ship in every rest that may be shot at first without loss.
    ///
    /// Such a cell must be shot at anyway, but not always at once. On a row with the 2 on C D and the 3 on E F G, or
    /// the 3 on A B C and the 2 on D E, and E hit, D tells the two apart as hit or sunk, while after a shot at C it
    /// is sunk either way. Firing early loses nothing if the answers of any other plan can be worked out from those
    /// given then. They differ only in the shot that sinks the struck ship, so it is enough to recognise that
    /// moment: the ship is known cell by cell, or its class is announced and has no other ship afloat.
    pub(super) fn safe_certain_cell(&self, counts: &[u32; MAX_AREA]) -> Option<usize> {
        let weight = self.weight();
        (0..MAX_AREA).find(|&cell| counts[cell] == weight && self.is_recognised(cell))
    }

    fn is_recognised(&self, cell: usize) -> bool {
        let at = |rest: &Rest<N>| rest.ships.iter().position(|ship| ship >> cell & 1 == 1);
        let alone = |class: u8| self.classes[..self.afloat].iter().filter(|other| **other == class).count() == 1;
        let Some((first, place)) = self.rests.first().and_then(|first| Some((first, at(first)?))) else {
            return false;
        };
        let same_ship = |rest: &Rest<N>| rest.ships.contains(&first.ships[place]);
        let same_class = |rest: &Rest<N>| at(rest).is_some_and(|other| self.classes[other] == self.classes[place]);
        let lone_class = |rest: &Rest<N>| at(rest).is_some_and(|other| alone(self.classes[other]));
        match self.announce {
            Announce::Hit => true,
            Announce::Sunk => self.rests.iter().all(same_ship),
            Announce::Which => {
                (alone(self.classes[place]) && self.rests.iter().all(same_class)) || self.rests.iter().all(same_ship)
            }
            Announce::Named => self.rests.iter().all(lone_class) || self.rests.iter().all(same_ship),
        }
    }

    /// The rests with a ship of the class hidden: it stands last, and they are sorted by the others.
    ///
    /// Which ship it is, `choose` tells from the cells that each has left. Of several such ships each is hidden in a
    /// part of the layouts; weights are multiplied by [`SHARES`] to make the parts whole.
    pub(super) fn hiding(&self, class: u8, choose: Choose) -> Vec<Rest<N>> {
        let last = self.afloat - 1;
        let mut hiding = Vec::with_capacity(self.rests.len() * 2);
        for rest in &self.rests {
            let cells_left = |ship: usize| rest.ships[ship].count_ones();
            let of_class = (0..=last).filter(|&ship| self.classes[ship] == class);
            let wanted = match choose {
                Choose::MostCells => of_class.clone().map(cells_left).max(),
                Choose::FewestCells => of_class.clone().map(cells_left).min(),
            };
            let chosen = of_class.filter(|&ship| Some(cells_left(ship)) == wanted);
            let weight = rest.weight * SHARES / chosen.clone().count().max(1) as u32;
            hiding.extend(chosen.map(|ship| {
                let mut ships = rest.ships;
                ships[ship..=last].rotate_left(1);
                Rest { ships, weight }
            }));
        }
        hiding.sort_unstable();
        hiding
    }

    /// The position in its one form: no sunk ships, no certain cells of a lone heap, equal rests together.
    fn settled(announce: Announce, classes: [u8; N], rests: Vec<Rest<N>>) -> Self {
        let mut position = Self { announce, classes, afloat: 0, rests };
        position.order_ships();
        position.drop_sunk();
        if position.afloat == 1 {
            position.drop_certain();
        }
        position.merge_equal();
        position
    }

    fn order_ships(&mut self) {
        if N == 1 {
            return;
        }
        for rest in &mut self.rests {
            order_within_classes(&self.classes, &mut rest.ships);
        }
    }

    /// Sinkings are announced, so a ship sunk in one rest is sunk in all.
    fn drop_sunk(&mut self) {
        let Some(first) = self.rests.first().copied() else {
            return;
        };
        let mut afloat = 0;
        for ship in 0..N {
            if first.ships[ship] == 0 {
                continue;
            }
            self.classes.swap(afloat, ship);
            if afloat != ship {
                for rest in &mut self.rests {
                    rest.ships.swap(afloat, ship);
                }
            }
            afloat += 1;
        }
        self.afloat = afloat;
        self.classes = renumbered(self.classes, afloat);
    }

    /// The cells of a lone heap are alike: one that is certain is shot at at once and tells nothing.
    fn drop_certain(&mut self) {
        let certain = self.rests.iter().fold(u64::MAX, |all, rest| all & rest.ships[0]);
        for rest in &mut self.rests {
            rest.ships[0] &= !certain;
        }
    }

    fn merge_equal(&mut self) {
        self.rests.sort_unstable();
        self.rests.dedup_by(|later, earlier| {
            let equal = later.ships == earlier.ships;
            if equal {
                earlier.weight += later.weight;
            }
            equal
        });
    }
}

pub(super) fn order_within_classes<const N: usize>(classes: &[u8; N], ships: &mut [u64; N]) {
    let mut start = 0;
    for end in 1..=N {
        if end == N || classes[end] != classes[start] {
            ships[start..end].sort_unstable_by(|a, b| b.cmp(a));
            start = end;
        }
    }
}

fn renumbered<const N: usize>(classes: [u8; N], afloat: usize) -> [u8; N] {
    let mut numbers = [u8::MAX; N];
    let mut next = 0;
    for ship in 0..afloat {
        let new_class = ship > 0 && classes[ship] != classes[ship - 1];
        next += u8::from(new_class);
        numbers[ship] = next;
    }
    numbers
}

fn rest_of<const N: usize>(rules: &Rules, fleet: &Fleet) -> Rest<N> {
    let bits = |set: &CellSet| set.words().first().copied().unwrap_or(0);
    let mut ships = [0; N];
    if rules.announce() == Announce::Hit {
        ships[0] = bits(fleet.occupied());
    } else {
        for (bitmap, ship) in ships.iter_mut().zip(fleet.ships()) {
            *bitmap = bits(&CellSet::of_ship(rules.size(), ship));
        }
    }
    Rest { ships, weight: 1 }
}

/// The cells of a bitmap, lowest first.
pub(super) fn cells(mut bitmap: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (bitmap != 0).then(|| bitmap.trailing_zeros() as usize);
        bitmap &= bitmap.wrapping_sub(1);
        lowest
    })
}
