//! Pictures as frames of an animated GIF.

use std::collections::HashMap;
use std::time::Duration;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use thiserror::Error;

use crate::png::rasterize;
use crate::{Picture, PngError};

/// Why a GIF could not be made.
#[derive(Debug, Error)]
pub enum GifError {
    /// A picture could not be painted.
    #[error(transparent)]
    Picture(#[from] PngError),
    /// The pictures differ in size, or are too large for a GIF.
    #[error("all pictures of an animation must have one size, at most 65535 pixels wide and high")]
    Size,
    /// A [`StopFlag`](seabattle_odds::StopFlag) was set.
    #[error("stopped before the end")]
    Stopped,
    /// The encoder failed.
    #[error("cannot write GIF")]
    Encode(#[from] EncodingError),
}

/// Encodes pictures as an animated GIF. Each frame stores only what differs from the one before.
pub struct GifEncoder {
    scale: f32,
    encoder: Option<Encoder<Vec<u8>>>,
    last: Option<Raster>,
}

/// A painted picture: three bytes for each pixel.
struct Raster {
    width: u16,
    height: u16,
    pixels: Vec<[u8; 3]>,
}

impl GifEncoder {
    /// Makes an encoder with `scale` pixels for each unit of a picture.
    pub fn new(scale: f32) -> Self {
        Self { scale, encoder: None, last: None }
    }

    /// Adds a picture that is shown for some time.
    pub fn add_frame(&mut self, picture: &Picture, time: Duration) -> Result<(), GifError> {
        let raster = Raster::of(picture, self.scale)?;
        let area = match &self.last {
            Some(last) if (last.width, last.height) != (raster.width, raster.height) => return Err(GifError::Size),
            Some(last) => raster.changed(last),
            None => Some(Area { left: 0, top: 0, right: raster.width, bottom: raster.height }),
        };
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            None => {
                let mut encoder = Encoder::new(Vec::new(), raster.width, raster.height, &[])?;
                encoder.set_repeat(Repeat::Infinite)?;
                self.encoder.insert(encoder)
            }
        };
        // A frame without changes still needs its time, so one pixel is stored.
        let area = area.unwrap_or(Area { left: 0, top: 0, right: 1, bottom: 1 });
        let mut frame = raster.frame(area, self.last.as_ref());
        frame.delay = u16::try_from(time.as_millis() / 10).unwrap_or(u16::MAX);
        encoder.write_frame(&frame)?;
        self.last = Some(raster);
        Ok(())
    }

    /// The bytes of the GIF. Empty if there are no frames.
    pub fn finish(self) -> Result<Vec<u8>, GifError> {
        self.encoder.map_or(Ok(Vec::new()), |encoder| Ok(encoder.into_inner()?))
    }
}

/// A rectangle of pixels. `right` and `bottom` are exclusive.
#[derive(Clone, Copy)]
struct Area {
    left: u16,
    top: u16,
    right: u16,
    bottom: u16,
}

impl Raster {
    fn of(picture: &Picture, scale: f32) -> Result<Self, GifError> {
        let pixmap = rasterize(picture, scale)?;
        let side = |pixels: u32| u16::try_from(pixels).map_err(|_| GifError::Size);
        let (width, height) = (side(pixmap.width())?, side(pixmap.height())?);
        let pixels = pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
        Ok(Self { width, height, pixels })
    }

    fn row(&self, y: u16) -> &[[u8; 3]] {
        let width = usize::from(self.width);
        &self.pixels[usize::from(y) * width..][..width]
    }

    /// The smallest area that contains all changed pixels.
    fn changed(&self, last: &Self) -> Option<Area> {
        let mut area: Option<Area> = None;
        for y in 0..self.height {
            let (row, before) = (self.row(y), last.row(y));
            let Some(left) = row.iter().zip(before).position(|(a, b)| a != b) else { continue };
            let right = row.iter().zip(before).rposition(|(a, b)| a != b).map_or(left, |right| right) + 1;
            let (left, right) = (left as u16, right as u16);
            area = Some(match area {
                None => Area { left, top: y, right, bottom: y + 1 },
                Some(area) => Area { left: area.left.min(left), right: area.right.max(right), bottom: y + 1, ..area },
            });
        }
        area
    }

    /// The area as a frame. Pixels that did not change are transparent.
    fn frame(&self, area: Area, last: Option<&Self>) -> Frame<'static> {
        let columns = usize::from(area.left)..usize::from(area.right);
        let rows = area.top..area.bottom;
        let cut = |raster: &Self| -> Vec<[u8; 3]> {
            rows.clone().flat_map(|y| raster.row(y)[columns.clone()].iter().copied()).collect()
        };
        let (now, before) = (cut(self), last.map(cut));
        let changed = |at: usize| before.as_ref().is_none_or(|before| before[at] != now[at]);
        let pixels: Vec<Option<[u8; 3]>> = (0..now.len()).map(|at| changed(at).then_some(now[at])).collect();
        let (width, height) = (area.right - area.left, area.bottom - area.top);
        let mut frame =
            COLOR_MASKS.into_iter().find_map(|mask| indexed(&pixels, mask, width, height)).unwrap_or_default();
        (frame.left, frame.top, frame.dispose) = (area.left, area.top, DisposalMethod::Keep);
        frame
    }
}

/// Masks for color channels, tried until the colors fit a GIF palette. The last leaves at most 64 colors.
const COLOR_MASKS: [u8; 6] = [0xff, 0xfe, 0xfc, 0xf8, 0xf0, 0xc0];

/// A frame of indexed colors, with index 0 for transparent pixels. `None` if there are too many colors.
fn indexed(pixels: &[Option<[u8; 3]>], mask: u8, width: u16, height: u16) -> Option<Frame<'static>> {
    let mut numbers: HashMap<[u8; 3], u8> = HashMap::new();
    let mut palette = vec![0; 3];
    let mut indexed = Vec::with_capacity(pixels.len());
    for pixel in pixels {
        let number = match pixel.map(|channels| channels.map(|channel| channel & mask)) {
            None => 0,
            Some(color) => match numbers.get(&color) {
                Some(&number) => number,
                None => {
                    let number = u8::try_from(numbers.len() + 1).ok()?;
                    palette.extend_from_slice(&color);
                    numbers.insert(color, number);
                    number
                }
            },
        };
        indexed.push(number);
    }
    Some(Frame::from_palette_pixels(width, height, indexed, palette, Some(0)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::GifEncoder;
    use crate::{Color, Picture, Point};

    fn raster(x: f32) -> Picture {
        let mut picture = Picture::new(40.0, 30.0, "a dot that moves");
        picture.circle(Point::new(x, 15.0), 4.0, Some(Color::INK), None);
        picture
    }

    #[test]
    fn an_animation_stores_what_changes() {
        let mut encoder = GifEncoder::new(1.0);
        encoder.add_frame(&raster(10.0), Duration::from_millis(500)).unwrap();
        encoder.add_frame(&raster(12.0), Duration::from_millis(200)).unwrap();
        encoder.add_frame(&raster(12.0), Duration::from_millis(200)).unwrap();
        let bytes = encoder.finish().unwrap();
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(&bytes[..]).unwrap();
        let mut sizes = Vec::new();
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            sizes.push((frame.width, frame.height, frame.delay));
        }
        assert_eq!(sizes.len(), 3);
        assert_eq!(sizes[0], (40, 30, 50));
        assert!(sizes[1].0 < 14 && sizes[1].1 < 12, "{sizes:?}");
        assert_eq!(sizes[2], (1, 1, 20));
    }

    /// The last picture that a viewer shows.
    fn last_shown(bytes: &[u8], width: usize, height: usize) -> Vec<[u8; 3]> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes).unwrap();
        let mut shown = vec![[0; 3]; width * height];
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (at, pixel) in frame.buffer.chunks(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
                let (x, y) = (at % usize::from(frame.width), at / usize::from(frame.width));
                shown[(y + usize::from(frame.top)) * width + x + usize::from(frame.left)] =
                    [pixel[0], pixel[1], pixel[2]];
            }
        }
        shown
    }

    #[test]
    fn frames_with_holes_add_up_to_the_last_picture() {
        let mut encoder = GifEncoder::new(1.0);
        for x in [10.0, 13.0, 30.0] {
            encoder.add_frame(&raster(x), Duration::from_millis(200)).unwrap();
        }
        let wanted: Vec<[u8; 3]> = super::Raster::of(&raster(30.0), 1.0).unwrap().pixels;
        assert_eq!(last_shown(&encoder.finish().unwrap(), 40, 30), wanted);
    }

    #[test]
    fn more_colors_than_a_palette_has_are_made_fewer() {
        let mut picture = Picture::new(40.0, 30.0, "many colors");
        for at in 0..1200_u16 {
            let corner = Point::new(f32::from(at % 40), f32::from(at / 40));
            let color = Color::new((at % 251) as u8, (at / 5) as u8, (at % 83) as u8);
            picture.rectangle(corner, 1.0, 1.0, Some(color), None);
        }
        let mut encoder = GifEncoder::new(1.0);
        encoder.add_frame(&picture, Duration::ZERO).unwrap();
        let shown = last_shown(&encoder.finish().unwrap(), 40, 30);
        let wanted = super::Raster::of(&picture, 1.0).unwrap().pixels;
        let off = |(a, b): (&[u8; 3], &[u8; 3])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap();
        assert!(shown.iter().zip(&wanted).map(off).max().unwrap() < 64);
    }

    #[test]
    fn pictures_of_an_animation_have_one_size() {
        let mut encoder = GifEncoder::new(1.0);
        encoder.add_frame(&raster(10.0), Duration::ZERO).unwrap();
        assert!(encoder.add_frame(&Picture::new(10.0, 10.0, ""), Duration::ZERO).is_err());
        assert!(GifEncoder::new(1.0).finish().unwrap().is_empty());
    }
}
