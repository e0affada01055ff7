//! Games as animated GIFs.

use std::time::Duration;

use seabattle_odds::StopFlag;

use crate::{GifEncoder, GifError};

use crate::frames::Frames;

/// How long the last frame is shown.
const LAST_FRAME_TIME: Duration = Duration::from_secs(5);
const FIRST_FRAME_TIME: Duration = Duration::from_millis(800);

/// The speed of an animation: 0.1 to 50 steps a second. GIF viewers cannot show more.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Speed(f64);

impl Speed {
    /// Makes a speed, or `None` if it is out of range.
    pub fn new(steps_a_second: f64) -> Option<Self> {
        (0.1..=50.0).contains(&steps_a_second).then_some(Self(steps_a_second))
    }

    fn frame_time(self) -> Duration {
        Duration::from_secs_f64(1.0 / self.0)
    }
}

impl Default for Speed {
    /// Three steps a second.
    fn default() -> Self {
        Self(3.0)
    }
}

/// A game as a GIF that is `width` pixels wide. `on_step` is called with the number of each step. A [`StopFlag`] that the
/// thread watches ends it with [`GifError::Stopped`].
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
        if StopFlag::stops_this_thread() {
            return Err(GifError::Stopped);
        }
        on_step(step);
        encoder.add_frame(&picture, time)
    })?;
    encoder.finish()
}
