//! A game as a moving picture.

use std::time::Duration;

use crate::{GifEncoder, GifError};

use crate::frames::Frames;

/// How long the end is shown before the film begins again.
const LAST_FRAME_TIME: Duration = Duration::from_secs(5);
const FIRST_FRAME_TIME: Duration = Duration::from_millis(800);

/// Steps a second, from 0.1 to 50: viewers of GIFs are no faster.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed(f64);

impl Speed {
    /// Steps a second, if there can be so many.
    pub fn new(steps_a_second: f64) -> Option<Self> {
        (0.1..=50.0).contains(&steps_a_second).then_some(Self(steps_a_second))
    }

    fn frame_time(self) -> Duration {
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
pub fn animation(
    frames: &Frames<'_>,
    speed: Speed,
    width: u16,
    mut on_step: impl FnMut(usize),
) -> Result<Vec<u8>, GifError> {
    let mut encoder = GifEncoder::new(f32::from(width) / frames.width());
    frames.each(|step, picture| {
        let time = match step {
            _ if step == frames.steps() => LAST_FRAME_TIME,
            0 => FIRST_FRAME_TIME,
            _ => speed.frame_time(),
        };
        on_step(step);
        encoder.add_frame(&picture, time)
    })?;
    encoder.finish()
}
