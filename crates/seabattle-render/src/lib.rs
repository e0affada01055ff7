//! Pictures of games: boards, charts, animations and pages.
//!
//! The crate draws on a [`Picture`] and writes it as SVG, PNG or GIF. One [`Palette`] serves all pictures. It is safe for
//! color-blind readers: hits, misses and sunk ships differ in shape as well as in color. Text is drawn from embedded
//! outlines, so pictures look the same on every machine. The crate reads and writes no files.

mod analysis_json;
mod animation;
mod board;
mod chart;
mod colors;
mod describe;
mod error_bars;
mod frames;
mod gif;
mod heat_map;
mod hits_chart;
mod page;
mod palette;
mod picture;
mod png;
mod replay;
mod svg;
mod text;

pub use self::gif::{GifEncoder, GifError};
pub use analysis_json::analysis_json;
pub use animation::{Speed, animation};
pub use chart::{Chart, Series, YAxis};
pub use describe::{describe_odds, describe_players, describe_result, describe_shot, describe_turning_point, percent};
pub use error_bars::{ErrorBar, ErrorBarChart};
pub use frames::{Frames, ShownSides};
pub use heat_map::heat_map;
pub use hits_chart::hits_chart;
pub use page::page;
pub use palette::{CURVE_COLORS, Color, Palette};
pub use picture::{Dash, Picture, Point, Stroke};
pub use png::{PngError, png};
pub use replay::{CellOdds, Replay, Step};
pub use svg::{svg, svg_shapes};
pub use text::{Anchor, Font, fit_text, text_width};
