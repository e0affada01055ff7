//! Games to look at: boards, films, charts and pages of records, and of what the odds say about them.
//!
//! Everything here is drawn with the shapes, letters and colours of `seabattle-pictures`; hits, misses and sunk ships
//! differ in shape as well as in colour.

mod board;
mod chart;
mod film;
mod frame;
mod odds;
mod page;
mod story;
mod tints;
mod told;
mod words;

pub use chart::hits;
pub use film::{Speed, film};
pub use frame::{Frames, Shown};
pub use odds::heat_map;
pub use page::page;
pub use story::{Heat, Scene, Story};
pub use told::told;
pub use words::{odds_of_shots, outcome, percent, players, short_shot, turning_point};
