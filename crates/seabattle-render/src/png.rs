//! Pictures as PNG files.

use thiserror::Error;
use tiny_skia::{FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, StrokeDash, Transform};

use crate::picture::{Segment, Stroke};
use crate::{Color, Picture};

/// The largest width and height, in pixels.
const MAX_SIDE: f32 = 20_000.0;

/// Points are moved within this distance, because the rasterizer fails on points much farther away.
const FAR: f32 = 2.0 * MAX_SIDE;

/// Why a picture could not become a PNG.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PngError {
    /// The picture is empty or too large.
    #[error("a picture is 1 to 20000 pixels wide and high")]
    Size,
    /// The encoder failed.
    #[error("cannot write PNG: {reason}")]
    Encode {
        /// The error of the encoder.
        reason: String,
    },
}

/// A picture as the bytes of a PNG file, with `scale` pixels for each unit.
pub fn png(picture: &Picture, scale: f32) -> Result<Vec<u8>, PngError> {
    rasterize(picture, scale)?.encode_png().map_err(|error| PngError::Encode { reason: error.to_string() })
}

/// Paints a picture into pixels.
pub(crate) fn rasterize(picture: &Picture, scale: f32) -> Result<Pixmap, PngError> {
    let side = |units: f32| {
        let pixels = (units * scale).round();
        (1.0..=MAX_SIDE).contains(&pixels).then_some(pixels as u32).ok_or(PngError::Size)
    };
    let mut pixmap = Pixmap::new(side(picture.width)?, side(picture.height)?).ok_or(PngError::Size)?;
    let transform = Transform::from_scale(scale, scale);
    for shape in &picture.shapes {
        let Some(path) = path(&shape.outline) else { continue };
        if let Some(color) = shape.fill {
            pixmap.fill_path(&path, &paint(color), FillRule::Winding, transform, None);
        }
        if let Some(stroke) = &shape.stroke {
            pixmap.stroke_path(&path, &paint(stroke.color), &to_skia(stroke), transform, None);
        }
    }
    Ok(pixmap)
}

fn path(outline: &[Segment]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for segment in outline {
        match *segment {
            Segment::Move(to) => path.move_to(near(to.x), near(to.y)),
            Segment::Line(to) => path.line_to(near(to.x), near(to.y)),
            Segment::Quad(by, to) => path.quad_to(near(by.x), near(by.y), near(to.x), near(to.y)),
            Segment::Cubic(by, and, to) => {
                path.cubic_to(near(by.x), near(by.y), near(and.x), near(and.y), near(to.x), near(to.y));
            }
            Segment::Close => path.close(),
        }
    }
    path.finish()
}

fn near(coordinate: f32) -> f32 {
    if coordinate.is_nan() { 0.0 } else { coordinate.clamp(-FAR, FAR) }
}

fn paint(color: Color) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(color.red, color.green, color.blue, 255);
    paint
}

fn to_skia(stroke: &Stroke) -> tiny_skia::Stroke {
    let pattern: Vec<f32> = stroke.dash.pattern().iter().map(|length| length * stroke.width).collect();
    let dash = if pattern.is_empty() { None } else { StrokeDash::new(pattern, 0.0) };
    tiny_skia::Stroke { width: stroke.width, dash, line_join: LineJoin::Round, ..tiny_skia::Stroke::default() }
}
