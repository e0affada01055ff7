//! A game as a moving picture.

use std::time::Duration;

use seabattle_pictures::{Film, FilmError};

use crate::frame::Frames;

/// How long the end is shown before the film begins again.
const AT_THE_END: Duration = Duration::from_secs(5);
const AT_THE_BEGINNING: Duration = Duration::from_millis(800);

/// Steps a second, from 0.1 to 50: viewers of GIFs are no faster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed(f64);

impl Speed {
    /// Steps a second, if there can be so many.
    pub fn new(steps_a_second: f64) -> Option<Self> {
        (0.1..=50.0).contains(&steps_a_second).then_some(Self(steps_a_second))
    }

    fn time(self) -> Duration {
        Duration::from_secs_f64(1.0 / self.0)
    }
}

impl Default for Speed {
    /// Quick enough to be watched to the end, slow enough to be followed.
    fn default() -> Self {
        Self(3.0)
    }
}

/// The bytes of a GIF, so many pixels wide. `watch` hears of every step.
pub fn film(frames: &Frames<'_>, speed: Speed, width: u16, mut watch: impl FnMut(usize)) -> Result<Vec<u8>, FilmError> {
    let mut film = Film::new(f32::from(width) / frames.width());
    frames.each(|step, picture| {
        let time = match step {
            _ if step == frames.steps() => AT_THE_END,
            0 => AT_THE_BEGINNING,
            _ => speed.time(),
        };
        watch(step);
        film.show(&picture, time)
    })?;
    film.finish()
}
