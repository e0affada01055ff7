//! The colours of a board, from the palette of all pictures.

use crate::{Color, Palette};

/// So few that the colours of a whole board fit a GIF.
const SHADES: f64 = 24.0;

/// What the parts of a board are painted with.
pub(crate) struct BoardColors {
    pub(crate) water: Color,
    pub(crate) ship: Color,
    pub(crate) miss: Color,
    pub(crate) hit: Color,
    pub(crate) sunk: Color,
    /// On hit and sunk.
    pub(crate) mark: Color,
    pub(crate) ring: Color,
    pub(crate) outline: Color,
    pub(crate) last: Color,
    pub(crate) best: Color,
    hot: Color,
}

impl BoardColors {
    pub(crate) fn of(palette: &Palette) -> Self {
        let deep = palette.curves[0];
        Self {
            water: palette.paper.towards(deep, 0.08),
            ship: palette.paper.towards(palette.grey, 0.45),
            miss: palette.faint,
            hit: palette.curves[1],
            sunk: palette.ink,
            mark: palette.paper,
            ring: palette.grey,
            outline: palette.ink,
            last: palette.curves[3],
            best: palette.curves[2],
            hot: deep,
        }
    }

    /// From water for nothing to the deepest for the likeliest cell.
    pub(crate) fn heat(&self, relative: f64) -> Color {
        self.water.towards(self.hot, (relative * SHADES).round() / SHADES)
    }
}
