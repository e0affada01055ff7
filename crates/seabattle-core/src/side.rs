//! The two sides of a game, and pairs of values indexed by side.

use std::fmt;
use std::ops::{Index, IndexMut};

/// One of the two sides of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side named first.
    A,
    /// The side named second.
    B,
}

impl Side {
    /// Both sides.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The opposite side.
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::A => "A",
            Self::B => "B",
        })
    }
}

/// A pair of values, one for each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct BySide<T> {
    /// The value of side A.
    pub a: T,
    /// The value of side B.
    pub b: T,
}

impl<T> BySide<T> {
    /// Calls a function for each side.
    pub fn new(mut make: impl FnMut(Side) -> T) -> Self {
        Self { a: make(Side::A), b: make(Side::B) }
    }

    /// The same pair with both values by reference.
    pub fn as_ref(&self) -> BySide<&T> {
        BySide { a: &self.a, b: &self.b }
    }

    /// Applies a function to both values.
    pub fn map<U>(self, mut change: impl FnMut(T) -> U) -> BySide<U> {
        BySide { a: change(self.a), b: change(self.b) }
    }
}

impl<T> Index<Side> for BySide<T> {
    type Output = T;

    #[inline]
    fn index(&self, side: Side) -> &T {
        match side {
            Side::A => &self.a,
            Side::B => &self.b,
        }
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::A => &mut self.a,
            Side::B => &mut self.b,
        }
    }
}
