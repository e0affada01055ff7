//! A picture as a list of shapes, whatever it will be written as.

use crate::Color;

/// A place, in units from the top left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

impl Point {
    /// A place.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }
}

/// How a line is broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dash {
    /// Not at all.
    Solid,
    /// Long pieces.
    Long,
    /// Short pieces.
    Short,
    /// A long piece and a short one in turn.
    Mixed,
}

impl Dash {
    /// Lengths of pieces and gaps, for a line one unit wide.
    pub(crate) fn pattern(self) -> &'static [f32] {
        match self {
            Self::Solid => &[],
            Self::Long => &[7.0, 3.0],
            Self::Short => &[2.5, 2.0],
            Self::Mixed => &[7.0, 2.5, 1.5, 2.5],
        }
    }
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// Of the ink.
    pub color: Color,
    /// In units.
    pub width: f32,
    /// Whole or broken.
    pub dash: Dash,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Segment {
    Move(Point),
    Line(Point),
    Quad(Point, Point),
    Cubic(Point, Point, Point),
    Close,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    pub(crate) outline: Vec<Segment>,
    pub(crate) fill: Option<Color>,
    pub(crate) stroke: Option<Stroke>,
    /// What is written here, where the shape is writing.
    pub(crate) text: Option<String>,
}

/// Shapes on paper, in the order in which they are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) title: String,
    pub(crate) shapes: Vec<Shape>,
}

impl Picture {
    /// White paper of this size; the title is for readers who cannot see it.
    pub fn new(width: f32, height: f32, title: &str) -> Self {
        Self::on(Color::WHITE, width, height, title)
    }

    /// Paper of any colour.
    pub fn on(paper: Color, width: f32, height: f32, title: &str) -> Self {
        let mut picture = Self { width, height, title: title.to_owned(), shapes: Vec::new() };
        picture.polygon(&rectangle(0.0, 0.0, width, height), Some(paper), None);
        picture
    }

    /// Its width in units.
    pub fn width(&self) -> f32 {
        self.width
    }

    /// Its height in units.
    pub fn height(&self) -> f32 {
        self.height
    }

    /// A rectangle by its top left corner and its measures.
    pub fn rectangle(&mut self, corner: Point, width: f32, height: f32, fill: Option<Color>, stroke: Option<Stroke>) {
        self.polygon(&rectangle(corner.x, corner.y, width, height), fill, stroke);
    }

    /// A line through points.
    pub fn polyline(&mut self, points: &[Point], stroke: Stroke) {
        self.add(outline(points, false), None, Some(stroke));
    }

    /// An area with these corners.
    pub fn polygon(&mut self, points: &[Point], fill: Option<Color>, stroke: Option<Stroke>) {
        self.add(outline(points, true), fill, stroke);
    }

    /// A disc.
    pub fn circle(&mut self, center: Point, radius: f32, fill: Option<Color>, stroke: Option<Stroke>) {
        // The usual four curves; the handle that makes them round.
        let handle = radius * 0.552_284_8;
        let at = |x: f32, y: f32| Point::new(center.x + x, center.y + y);
        let outline = vec![
            Segment::Move(at(radius, 0.0)),
            Segment::Cubic(at(radius, handle), at(handle, radius), at(0.0, radius)),
            Segment::Cubic(at(-handle, radius), at(-radius, handle), at(-radius, 0.0)),
            Segment::Cubic(at(-radius, -handle), at(-handle, -radius), at(0.0, -radius)),
            Segment::Cubic(at(handle, -radius), at(radius, -handle), at(radius, 0.0)),
            Segment::Close,
        ];
        self.add(outline, fill, stroke);
    }

    fn add(&mut self, outline: Vec<Segment>, fill: Option<Color>, stroke: Option<Stroke>) {
        self.shapes.push(Shape { outline, fill, stroke, text: None });
    }
}

/// The corners of a rectangle.
pub(crate) fn rectangle(x: f32, y: f32, width: f32, height: f32) -> [Point; 4] {
    [Point::new(x, y), Point::new(x + width, y), Point::new(x + width, y + height), Point::new(x, y + height)]
}

fn outline(points: &[Point], closed: bool) -> Vec<Segment> {
    let mut segments: Vec<Segment> = points.iter().map(|&point| Segment::Line(point)).collect();
    if let Some(first) = segments.first_mut()
        && let Segment::Line(point) = *first
    {
        *first = Segment::Move(point);
    }
    if closed {
        segments.push(Segment::Close);
    }
    segments
}
