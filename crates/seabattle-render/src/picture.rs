//! Pictures as lists of shapes, independent of the file format.

use crate::Color;

/// A point, in units from the top left.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// The distance to the right.
    pub x: f32,
    /// The distance downwards.
    pub y: f32,
}

impl Point {
    /// Makes a point.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }
}

/// The dashes of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dash {
    /// A continuous line.
    Solid,
    /// Long dashes.
    Long,
    /// Short dashes.
    Short,
    /// Long and short dashes in turn.
    Mixed,
}

impl Dash {
    /// The lengths of dashes and gaps, for a line one unit wide.
    pub(crate) fn pattern(self) -> &'static [f32] {
        match self {
            Self::Solid => &[],
            Self::Long => &[7.0, 3.0],
            Self::Short => &[2.5, 2.0],
            Self::Mixed => &[7.0, 2.5, 1.5, 2.5],
        }
    }
}

/// The style of a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stroke {
    /// The color of the line.
    pub color: Color,
    /// The width of the line, in units.
    pub width: f32,
    /// The dashes of the line.
    pub dash: Dash,
}

/// A segment of an outline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Segment {
    Move(Point),
    Line(Point),
    Quad(Point, Point),
    Cubic(Point, Point, Point),
    Close,
}

/// A filled or stroked outline.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    pub(crate) outline: Vec<Segment>,
    pub(crate) fill: Option<Color>,
    pub(crate) stroke: Option<Stroke>,
    /// The text, if the shape is text.
    pub(crate) text: Option<String>,
}

/// A picture: shapes on a background, in the order in which they are drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) title: String,
    pub(crate) shapes: Vec<Shape>,
}

impl Picture {
    /// Makes a picture with a white background. The title is for screen readers.
    pub fn new(width: f32, height: f32, title: &str) -> Self {
        Self::on(Color::WHITE, width, height, title)
    }

    /// Makes a picture with a background of any color.
    pub fn on(paper: Color, width: f32, height: f32, title: &str) -> Self {
        let mut picture = Self { width, height, title: title.to_owned(), shapes: Vec::new() };
        picture.polygon(&rectangle(0.0, 0.0, width, height), Some(paper), None);
        picture
    }

    /// The width in units.
    pub fn width(&self) -> f32 {
        self.width
    }

    /// The height in units.
    pub fn height(&self) -> f32 {
        self.height
    }

    /// Adds a rectangle with this top left corner.
    pub fn rectangle(&mut self, corner: Point, width: f32, height: f32, fill: Option<Color>, stroke: Option<Stroke>) {
        self.polygon(&rectangle(corner.x, corner.y, width, height), fill, stroke);
    }

    /// Adds a line through points.
    pub fn polyline(&mut self, points: &[Point], stroke: Stroke) {
        self.add(outline(points, false), None, Some(stroke));
    }

    /// Adds a polygon with these corners.
    pub fn polygon(&mut self, points: &[Point], fill: Option<Color>, stroke: Option<Stroke>) {
        self.add(outline(points, true), fill, stroke);
    }

    /// Adds a circle.
    pub fn circle(&mut self, center: Point, radius: f32, fill: Option<Color>, stroke: Option<Stroke>) {
        // Four cubic curves approximate the circle; this handle length makes them round.
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
