//! The placements of ships on a board, as bit sets of cells.

use seabattle_core::{Cell, CellSet, ClassId, Orientation, Rules, Ship};

/// A set of cells in `N` machine words: two for boards of at most 128 cells, forty for the largest boards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Bits<const N: usize>([u64; N]);

impl<const N: usize> Bits<N> {
    pub(crate) const EMPTY: Self = Self([0; N]);

    pub(crate) fn of(set: &CellSet) -> Self {
        let mut words = [0; N];
        words.iter_mut().zip(set.words()).for_each(|(word, source)| *word = *source);
        Self(words)
    }

    pub(crate) fn get(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 == 1
    }

    pub(crate) fn set(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    pub(crate) fn first(&self) -> Option<usize> {
        let at = self.0.iter().position(|&word| word != 0)?;
        Some(at * 64 + self.0[at].trailing_zeros() as usize)
    }

    pub(crate) fn or(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    pub(crate) fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    pub(crate) fn intersects(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub(crate) fn is_subset(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }
}

impl Bits<2> {
    pub(crate) fn mask(&self) -> u128 {
        u128::from(self.0[0]) | u128::from(self.0[1]) << 64
    }
}

/// A set of cells of a board of at most 128 cells.
pub(crate) type Mask = u128;

/// A placement of a ship.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Placement<const N: usize> {
    pub(crate) start: Cell,
    pub(crate) orientation: Orientation,
    pub(crate) cells: Bits<N>,
    /// The cells of the ship and the water around it that no other ship may enter.
    pub(crate) claim: Bits<N>,
}

/// All placements of ships of one class: those across row by row, then those down row by row.
pub(crate) fn placements<const N: usize>(rules: &Rules, class: ClassId) -> Vec<Placement<N>> {
    ships(rules, class)
        .map(|ship| Placement {
            start: ship.start(),
            orientation: ship.orientation(),
            cells: Bits::of(&CellSet::of_ship(rules.size(), &ship)),
            claim: Bits::of(&ship.claim(rules.size(), rules.touching())),
        })
        .collect()
}

/// All ships of one class within the board, in the order of [`placement_index`].
pub(crate) fn ships(rules: &Rules, class: ClassId) -> impl Iterator<Item = Ship> + '_ {
    let size = rules.size();
    let orientations = if rules.class(class).length() == 1 { &Orientation::ALL[..1] } else { &Orientation::ALL[..] };
    orientations.iter().flat_map(move |&orientation| {
        size.cells().map(move |start| rules.ship(class, start, orientation)).filter(move |ship| ship.is_within(size))
    })
}

/// The cells of a mask in row order.
pub(crate) fn cells(size: seabattle_core::Size, mut mask: Mask) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let index = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            size.cell(index)
        })
    })
}

/// The index of a ship's placement among all placements of its class; `None` outside the board.
pub(crate) fn placement_index(size: seabattle_core::Size, ship: &Ship) -> Option<usize> {
    if !ship.is_within(size) {
        return None;
    }
    let (col, row) = (usize::from(ship.start().col()), usize::from(ship.start().row()));
    let across_in_row = (usize::from(size.width()) + 1).saturating_sub(usize::from(ship.length()));
    Some(match ship.orientation() {
        Orientation::Across => row * across_in_row + col,
        Orientation::Down => across_in_row * usize::from(size.height()) + row * usize::from(size.width()) + col,
    })
}
