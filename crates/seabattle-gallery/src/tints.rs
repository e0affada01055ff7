//! The colours of a board, from the palette of all pictures.

use seabattle_pictures::{Colour, Theme};

/// So few that the colours of a whole board fit a GIF.
const SHADES: f64 = 24.0;

/// What the parts of a board are painted with.
pub(crate) struct Tints {
    pub(crate) water: Colour,
    pub(crate) ship: Colour,
    pub(crate) miss: Colour,
    pub(crate) hit: Colour,
    pub(crate) sunk: Colour,
    /// On hit and sunk.
    pub(crate) mark: Colour,
    pub(crate) ring: Colour,
    pub(crate) hull: Colour,
    pub(crate) last: Colour,
    pub(crate) best: Colour,
    hot: Colour,
}

impl Tints {
    pub(crate) fn of(theme: &Theme) -> Self {
        let deep = theme.curves[0];
        Self {
            water: theme.paper.towards(deep, 0.08),
            ship: theme.paper.towards(theme.grey, 0.45),
            miss: theme.faint,
            hit: theme.curves[1],
            sunk: theme.ink,
            mark: theme.paper,
            ring: theme.grey,
            hull: theme.ink,
            last: theme.curves[3],
            best: theme.curves[2],
            hot: deep,
        }
    }

    /// From water for nothing to the deepest for the likeliest cell.
    pub(crate) fn heat(&self, warmth: f64) -> Colour {
        self.water.towards(self.hot, (warmth * SHADES).round() / SHADES)
    }
}
