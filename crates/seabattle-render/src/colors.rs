//! The colors of a board, derived from a palette.

use crate::{Color, Palette};

/// The number of heat-map shades. It is small, so that a board fits the palette of a GIF.
const SHADES: f64 = 24.0;

/// The colors of the parts of a board.
pub(crate) struct BoardColors {
    pub(crate) water: Color,
    pub(crate) ship: Color,
    pub(crate) miss: Color,
    pub(crate) hit: Color,
    pub(crate) sunk: Color,
    /// The marks on hits and sunk ships.
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

    /// The shade of a cell by its odds relative to the likeliest cell.
    pub(crate) fn heat(&self, relative: f64) -> Color {
        self.water.towards(self.hot, (relative * SHADES).round() / SHADES)
    }
}
