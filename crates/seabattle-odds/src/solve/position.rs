//! A position of the solver: what is left of each layout, as far as future answers depend on it.

use seabattle_core::{Announce, CellSet, Fleet, Rules};

/// The most cells of a board that the solver accepts: one bit of a word for each.
pub(super) const MAX_AREA: usize = 64;

/// The cells still to be hit in a layout, ship by ship. Layouts with equal remainders are interchangeable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Remainder<const N: usize> {
    pub(super) ships: [u64; N],
    /// How many layouts have this remainder.
    pub(super) weight: u32,
}

impl<const N: usize> Remainder<N> {
    pub(super) fn occupied(&self) -> u64 {
        self.ships.iter().fold(0, |all, ship| all | ship)
    }
}

/// A position: the remainder of every consistent layout.
///
/// Water and cells hit before are not part of it, so equal positions have equal futures, however they arose.
/// Ships afloat come first. Those of one class are neighbours, in descending order of their bits.
#[derive(Debug, Clone)]
pub(super) struct Position<const N: usize> {
    pub(super) announce: Announce,
    /// The class of each ship, numbered in order of appearance; 0 for all where no answer distinguishes classes.
    pub(super) classes: [u8; N],
    pub(super) afloat: usize,
    pub(super) remainders: Vec<Remainder<N>>,
}

/// A weight that divides evenly among any number of ships that a fleet may have.
pub(super) const SHARES: u32 = 60;

/// Which of several ships of a class to hide.
#[derive(Debug, Clone, Copy)]
pub(super) enum ShipChoice {
    MostCells,
    FewestCells,
}

/// The positions after a shot, by its answer.
pub(super) struct Split<const N: usize> {
    pub(super) miss: Option<Position<N>>,
    pub(super) hits: Vec<Position<N>>,
}

/// How many ships the answers distinguish: with `announce=hit` a fleet counts as one ship.
pub(super) fn distinguishable_ships(rules: &Rules) -> usize {
    if rules.announce() == Announce::Hit { 1 } else { rules.ship_count() }
}

impl<const N: usize> Position<N> {
    /// The position before the first shot.
    pub(super) fn start(rules: &Rules, fleets: &[Fleet]) -> Self {
        let mut classes = [0; N];
        if rules.announce() >= Announce::Which
            && let Some(fleet) = fleets.first()
        {
            for (class, ship) in classes.iter_mut().zip(fleet.ships()) {
                *class = ship.class().index() as u8;
            }
        }
        let remainders = fleets.iter().map(|fleet| remainder_of(rules, fleet)).collect();
        Self::normalized(rules.announce(), classes, remainders)
    }

    pub(super) fn weight(&self) -> u32 {
        self.remainders.iter().map(|remainder| remainder.weight).sum()
    }

    /// How many cells are still to be hit. The number is the same in every remainder: every answer distinguishes hit from miss.
    pub(super) fn cells_left(&self) -> u32 {
        self.remainders.first().map_or(0, |remainder| remainder.occupied().count_ones())
    }

    /// How many layouts cover each cell.
    pub(super) fn counts(&self) -> [u32; MAX_AREA] {
        let mut counts = [0; MAX_AREA];
        for remainder in &self.remainders {
            for cell in cells(remainder.occupied()) {
                counts[cell] += remainder.weight;
            }
        }
        counts
    }

    /// The positions after a shot, one for each answer.
    pub(super) fn fire(&self, cell: usize) -> Split<N> {
        let mut miss = Vec::new();
        let mut hits: Vec<(u8, Vec<Remainder<N>>)> = Vec::new();
        for remainder in &self.remainders {
            let Some(ship) = remainder.ships.iter().position(|ship| ship >> cell & 1 == 1) else {
                miss.push(*remainder);
                continue;
            };
            let mut after_hit = *remainder;
            after_hit.ships[ship] &= !(1 << cell);
            let answer = self.answer(self.classes[ship], after_hit.ships[ship] == 0);
            match hits.iter_mut().find(|(other, _)| *other == answer) {
                Some((_, remainders)) => remainders.push(after_hit),
                None => hits.push((answer, vec![after_hit])),
            }
        }
        let normalized = |remainders| Self::normalized(self.announce, self.classes, remainders);
        Split {
            miss: (!miss.is_empty()).then(|| normalized(miss)),
            hits: hits.into_iter().map(|(_, remainders)| normalized(remainders)).collect(),
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

    /// A certain hit that can be fired at first without loss.
    ///
    /// A cell under a ship in every remainder must be fired at anyway, but not always at once. An example on one row, with E
    /// hit. Either the 2 is on C D and the 3 on E F G, or the 3 is on A B C and the 2 on D E. A shot at D distinguishes
    /// the two: it hits or it sinks. After a shot at C, it sinks either way.
    ///
    /// Firing early loses nothing if it gives all answers that any other order would give. The answers differ only in
    /// the shot that sinks the ship on this cell. So it is enough that this moment can be recognized: the ship is known
    /// cell by cell, or its class is announced and has no other ship afloat.
    pub(super) fn safe_certain_cell(&self, counts: &[u32; MAX_AREA]) -> Option<usize> {
        let weight = self.weight();
        (0..MAX_AREA).find(|&cell| counts[cell] == weight && self.is_sinking_recognized(cell))
    }

    fn is_sinking_recognized(&self, cell: usize) -> bool {
        let at = |remainder: &Remainder<N>| remainder.ships.iter().position(|ship| ship >> cell & 1 == 1);
        let alone = |class: u8| self.classes[..self.afloat].iter().filter(|other| **other == class).count() == 1;
        let Some((first, place)) = self.remainders.first().and_then(|first| Some((first, at(first)?))) else {
            return false;
        };
        let same_ship = |remainder: &Remainder<N>| remainder.ships.contains(&first.ships[place]);
        let same_class =
            |remainder: &Remainder<N>| at(remainder).is_some_and(|other| self.classes[other] == self.classes[place]);
        let lone_class = |remainder: &Remainder<N>| at(remainder).is_some_and(|other| alone(self.classes[other]));
        match self.announce {
            Announce::Hit => true,
            Announce::Sunk => self.remainders.iter().all(same_ship),
            Announce::Which => {
                (alone(self.classes[place]) && self.remainders.iter().all(same_class))
                    || self.remainders.iter().all(same_ship)
            }
            Announce::Named => self.remainders.iter().all(lone_class) || self.remainders.iter().all(same_ship),
        }
    }

    /// The remainders with a ship of the class hidden: it is moved to the end, and they are sorted by the others.
    ///
    /// `choice` selects the hidden ship by the cells that each has left. If several ships qualify, each is hidden in an
    /// equal share of the layouts. Weights are multiplied by [`SHARES`] to keep these shares whole numbers.
    pub(super) fn hiding(&self, class: u8, choice: ShipChoice) -> Vec<Remainder<N>> {
        let last = self.afloat - 1;
        let mut hiding = Vec::with_capacity(self.remainders.len() * 2);
        for remainder in &self.remainders {
            let cells_left = |ship: usize| remainder.ships[ship].count_ones();
            let of_class = (0..=last).filter(|&ship| self.classes[ship] == class);
            let wanted = match choice {
                ShipChoice::MostCells => of_class.clone().map(cells_left).max(),
                ShipChoice::FewestCells => of_class.clone().map(cells_left).min(),
            };
            let chosen = of_class.filter(|&ship| Some(cells_left(ship)) == wanted);
            let weight = remainder.weight * SHARES / chosen.clone().count().max(1) as u32;
            hiding.extend(chosen.map(|ship| {
                let mut ships = remainder.ships;
                ships[ship..=last].rotate_left(1);
                Remainder { ships, weight }
            }));
        }
        hiding.sort_unstable();
        hiding
    }

    /// The position in normal form: without sunk ships, without certain cells of a lone ship, equal remainders merged.
    fn normalized(announce: Announce, classes: [u8; N], remainders: Vec<Remainder<N>>) -> Self {
        let mut position = Self { announce, classes, afloat: 0, remainders };
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
        for remainder in &mut self.remainders {
            order_within_classes(&self.classes, &mut remainder.ships);
        }
    }

    /// Removes sunk ships. Sinkings are announced, so a ship sunk in one remainder is sunk in all.
    fn drop_sunk(&mut self) {
        let Some(first) = self.remainders.first().copied() else {
            return;
        };
        let mut afloat = 0;
        for ship in 0..N {
            if first.ships[ship] == 0 {
                continue;
            }
            self.classes.swap(afloat, ship);
            if afloat != ship {
                for remainder in &mut self.remainders {
                    remainder.ships.swap(afloat, ship);
                }
            }
            afloat += 1;
        }
        self.afloat = afloat;
        self.classes = renumbered(self.classes, afloat);
    }

    /// Removes the certain cells of a lone ship: they can be fired at immediately, and their answers say nothing.
    fn drop_certain(&mut self) {
        let certain = self.remainders.iter().fold(u64::MAX, |all, remainder| all & remainder.ships[0]);
        for remainder in &mut self.remainders {
            remainder.ships[0] &= !certain;
        }
    }

    fn merge_equal(&mut self) {
        self.remainders.sort_unstable();
        self.remainders.dedup_by(|later, earlier| {
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

fn remainder_of<const N: usize>(rules: &Rules, fleet: &Fleet) -> Remainder<N> {
    let bits = |set: &CellSet| set.words().first().copied().unwrap_or(0);
    let mut ships = [0; N];
    if rules.announce() == Announce::Hit {
        ships[0] = bits(fleet.occupied());
    } else {
        for (bitmap, ship) in ships.iter_mut().zip(fleet.ships()) {
            *bitmap = bits(&CellSet::of_ship(rules.size(), ship));
        }
    }
    Remainder { ships, weight: 1 }
}

/// The cells of a bitmap in ascending order.
pub(super) fn cells(mut bitmap: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (bitmap != 0).then(|| bitmap.trailing_zeros() as usize);
        bitmap &= bitmap.wrapping_sub(1);
        lowest
    })
}
