//! Pictures one after the other, as GIF.

use std::collections::HashMap;
use std::time::Duration;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use thiserror::Error;

use crate::png::painted;
use crate::{Picture, PngError};

/// Slower is better; the pictures have few colours.
const QUANTIZER_SPEED: i32 = 10;

/// Why a film could not be made.
#[derive(Debug, Error)]
pub enum FilmError {
    /// A picture cannot be painted.
    #[error(transparent)]
    Picture(#[from] PngError),
    /// A GIF is at most 65535 pixels wide and high, and all its pictures are of one size.
    #[error("all pictures of a film are of one size, at most 65535 pixels wide and high")]
    Size,
    /// The encoder failed.
    #[error("cannot write GIF")]
    Encode(#[from] EncodingError),
}

/// A film in the making: of every picture only what differs from the one before is stored.
pub struct Film {
    scale: f32,
    encoder: Option<Encoder<Vec<u8>>>,
    last: Option<Still>,
}

/// Pixels of three bytes.
struct Still {
    width: u16,
    height: u16,
    pixels: Vec<[u8; 3]>,
}

impl Film {
    /// With so many pixels for each unit of its pictures.
    pub fn new(scale: f32) -> Self {
        Self { scale, encoder: None, last: None }
    }

    /// Shows a picture for some time.
    pub fn show(&mut self, picture: &Picture, time: Duration) -> Result<(), FilmError> {
        let still = Still::of(picture, self.scale)?;
        let area = match &self.last {
            Some(last) if (last.width, last.height) != (still.width, still.height) => return Err(FilmError::Size),
            Some(last) => still.changed(last),
            None => Some(Area { left: 0, top: 0, right: still.width, bottom: still.height }),
        };
        let encoder = match &mut self.encoder {
            Some(encoder) => encoder,
            None => {
                let mut encoder = Encoder::new(Vec::new(), still.width, still.height, &[])?;
                encoder.set_repeat(Repeat::Infinite)?;
                self.encoder.insert(encoder)
            }
        };
        // A picture that changes nothing still takes its time: one pixel of it is enough.
        let area = area.unwrap_or(Area { left: 0, top: 0, right: 1, bottom: 1 });
        let mut frame = still.frame(area);
        frame.delay = u16::try_from(time.as_millis() / 10).unwrap_or(u16::MAX);
        encoder.write_frame(&frame)?;
        self.last = Some(still);
        Ok(())
    }

    /// The bytes of the GIF; none if nothing was shown.
    pub fn finish(self) -> Result<Vec<u8>, FilmError> {
        self.encoder.map_or(Ok(Vec::new()), |encoder| Ok(encoder.into_inner()?))
    }
}

/// From left to before right, from top to before bottom.
#[derive(Clone, Copy)]
struct Area {
    left: u16,
    top: u16,
    right: u16,
    bottom: u16,
}

impl Still {
    fn of(picture: &Picture, scale: f32) -> Result<Self, FilmError> {
        let pixmap = painted(picture, scale)?;
        let side = |pixels: u32| u16::try_from(pixels).map_err(|_| FilmError::Size);
        let (width, height) = (side(pixmap.width())?, side(pixmap.height())?);
        let pixels = pixmap.pixels().iter().map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
        Ok(Self { width, height, pixels })
    }

    fn row(&self, y: u16) -> &[[u8; 3]] {
        let width = usize::from(self.width);
        &self.pixels[usize::from(y) * width..][..width]
    }

    /// The smallest area that holds all that differs.
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

    fn frame(&self, area: Area) -> Frame<'static> {
        let columns = usize::from(area.left)..usize::from(area.right);
        let rows = (area.top..area.bottom).map(|y| &self.row(y)[columns.clone()]);
        let pixels: Vec<[u8; 3]> = rows.flatten().copied().collect();
        let (width, height) = (area.right - area.left, area.bottom - area.top);
        let mut frame = few_colours(&pixels, width, height)
            .unwrap_or_else(|| Frame::from_rgb_speed(width, height, pixels.as_flattened(), QUANTIZER_SPEED));
        (frame.left, frame.top, frame.dispose) = (area.left, area.top, DisposalMethod::Keep);
        frame
    }
}

/// The pixels as they are, if their colours fit a palette.
fn few_colours(pixels: &[[u8; 3]], width: u16, height: u16) -> Option<Frame<'static>> {
    let mut numbers: HashMap<[u8; 3], u8> = HashMap::new();
    let mut palette = Vec::new();
    let mut indexed = Vec::with_capacity(pixels.len());
    for pixel in pixels {
        let number = match numbers.get(pixel) {
            Some(&number) => number,
            None => {
                let number = u8::try_from(numbers.len()).ok()?;
                palette.extend_from_slice(pixel);
                numbers.insert(*pixel, number);
                number
            }
        };
        indexed.push(number);
    }
    Some(Frame::from_palette_pixels(width, height, indexed, palette, None))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Film;
    use crate::{Colour, Picture, Point};

    fn still(x: f32) -> Picture {
        let mut picture = Picture::new(40.0, 30.0, "a dot that moves");
        picture.circle(Point::new(x, 15.0), 4.0, Some(Colour::INK), None);
        picture
    }

    #[test]
    fn a_film_stores_what_changes() {
        let mut film = Film::new(1.0);
        film.show(&still(10.0), Duration::from_millis(500)).unwrap();
        film.show(&still(12.0), Duration::from_millis(200)).unwrap();
        film.show(&still(12.0), Duration::from_millis(200)).unwrap();
        let bytes = film.finish().unwrap();
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

    #[test]
    fn pictures_of_a_film_have_one_size() {
        let mut film = Film::new(1.0);
        film.show(&still(10.0), Duration::ZERO).unwrap();
        assert!(film.show(&Picture::new(10.0, 10.0, ""), Duration::ZERO).is_err());
        assert!(Film::new(1.0).finish().unwrap().is_empty());
    }
}
