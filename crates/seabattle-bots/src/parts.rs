//! Code that several bots share.

pub(crate) mod bit_planes;
pub(crate) mod cached_odds;
pub(crate) mod contest_bot;
pub(crate) mod direction;
pub(crate) mod endgame;
pub(crate) mod human_like;
pub mod learning;
pub(crate) mod line_follower;
pub(crate) mod open_hits;
pub(crate) mod opening_cache;
pub(crate) mod placement_counter;
pub mod placing;
pub(crate) mod random_choice;
pub(crate) mod shot_cursor;
