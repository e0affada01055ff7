//! Text as outlines of embedded fonts.

use ttf_parser::{Face, GlyphId, OutlineBuilder};

use crate::picture::{Segment, Shape};
use crate::{Color, Picture, Point};

/// Which part of a text is at the given point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    /// The start of the text.
    Start,
    /// The middle of the text.
    Middle,
    /// The end of the text.
    End,
}

/// An embedded font.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Font {
    /// The usual font.
    Regular,
    /// The bold font, for headings.
    Bold,
    /// The monospaced font.
    Mono,
}

impl Font {
    fn face(self) -> Option<Face<'static>> {
        let bytes: &'static [u8] = match self {
            Self::Regular => include_bytes!("../font/DejaVuSans.ttf"),
            Self::Bold => include_bytes!("../font/DejaVuSans-Bold.ttf"),
            Self::Mono => include_bytes!("../font/DejaVuSansMono.ttf"),
        };
        Face::parse(bytes, 0).ok()
    }
}

impl Picture {
    /// Adds text with its baseline at a point. Characters that the font lacks are skipped.
    pub fn text(&mut self, at: Point, anchor: Anchor, size: f32, font: Font, color: Color, text: &str) {
        let Some(face) = font.face() else { return };
        let scale = size / f32::from(face.units_per_em());
        let glyphs: Vec<(GlyphId, f32)> = text.chars().filter_map(|c| glyph(&face, c, scale)).collect();
        let width: f32 = glyphs.iter().map(|(_, advance)| advance).sum();
        let mut pen = Pen { origin: at, scale, outline: Vec::new() };
        pen.origin.x -= match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width / 2.0,
            Anchor::End => width,
        };
        for (glyph, advance) in glyphs {
            face.outline_glyph(glyph, &mut pen);
            pen.origin.x += advance;
        }
        let text = Some(text.to_owned());
        self.shapes.push(Shape { outline: pen.outline, fill: Some(color), stroke: None, text });
    }
}

fn glyph(face: &Face<'_>, c: char, scale: f32) -> Option<(GlyphId, f32)> {
    let id = face.glyph_index(c)?;
    Some((id, f32::from(face.glyph_hor_advance(id)?) * scale))
}

/// Converts the outline of a glyph to segments at a place and scale.
struct Pen {
    origin: Point,
    scale: f32,
    outline: Vec<Segment>,
}

impl Pen {
    /// Converts a point of the font, whose y axis points upwards from the baseline.
    fn at(&self, x: f32, y: f32) -> Point {
        Point::new(self.origin.x + x * self.scale, self.origin.y - y * self.scale)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        self.outline.push(Segment::Move(self.at(x, y)));
    }

    fn line_to(&mut self, x: f32, y: f32) {
        self.outline.push(Segment::Line(self.at(x, y)));
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.outline.push(Segment::Quad(self.at(x1, y1), self.at(x, y)));
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.outline.push(Segment::Cubic(self.at(x1, y1), self.at(x2, y2), self.at(x, y)));
    }

    fn close(&mut self) {
        self.outline.push(Segment::Close);
    }
}

/// The width of a text.
pub fn text_width(size: f32, font: Font, text: &str) -> f32 {
    let Some(face) = font.face() else { return 0.0 };
    let scale = size / f32::from(face.units_per_em());
    text.chars().filter_map(|c| glyph(&face, c, scale)).map(|(_, advance)| advance).sum()
}

/// The text, cut with `…` if it is wider than `room`.
pub fn fit_text(size: f32, font: Font, text: &str, room: f32) -> String {
    if text_width(size, font, text) <= room {
        return text.to_owned();
    }
    let room = room - text_width(size, font, "…");
    let Some(face) = font.face() else { return String::new() };
    let scale = size / f32::from(face.units_per_em());
    let mut used = 0.0;
    let fits = |c: &char| {
        used += glyph(&face, *c, scale).map_or(0.0, |(_, advance)| advance);
        used <= room
    };
    let start: String = text.chars().take_while(fits).collect();
    format!("{}…", start.trim_end())
}
