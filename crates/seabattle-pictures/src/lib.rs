//! Pictures that look the same everywhere: shapes and letters, as SVG, PNG and GIF, and charts made of them.
//!
//! Letters are drawn from embedded outlines, so no font of the reader's machine matters. One palette serves all
//! pictures; it is safe for colour-blind readers, and nothing is told by colour alone.

mod chart;
mod film;
mod letters;
mod palette;
mod picture;
mod png;
mod ranges;
mod svg;

pub use chart::{Chart, Height, Series};
pub use film::{Film, FilmError};
pub use letters::{Anchor, Weight, words_fitting, words_width};
pub use palette::{Colour, PALETTE, Theme};
pub use picture::{Dash, Line, Picture, Point};
pub use png::{PngError, png};
pub use ranges::{Range, Ranges};
pub use svg::{svg, svg_shapes};
