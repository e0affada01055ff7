//! Error-bar charts: one row for each number.

use crate::chart::tick_step;
use crate::{Anchor, CURVE_COLORS, Color, Dash, Font, Picture, Point, Stroke};

/// Narrow, so that text stays readable on a phone.
const WIDTH: f32 = 480.0;
const LEFT: f32 = 164.0;
const RIGHT: f32 = 20.0;
const TOP: f32 = 10.0;
const BOTTOM: f32 = 46.0;
const LINE: f32 = 24.0;
const LONGEST_NAME: usize = 20;
const MAX_TICKS: f32 = 6.5;

/// A number with its error.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorBar {
    /// The name, left of the bar.
    pub name: String,
    /// The value.
    pub value: f32,
    /// The error in each direction.
    pub error: f32,
}

/// A chart of numbers with their errors, one below the other.
#[derive(Debug, Clone, PartialEq)]
pub struct ErrorBarChart {
    /// The title, for screen readers.
    pub title: String,
    /// The label of the axis.
    pub x_label: String,
    /// The rows, from top to bottom.
    pub bars: Vec<ErrorBar>,
}

impl ErrorBarChart {
    /// Draws the chart. A number that is not finite gets a name and no mark.
    pub fn draw(&self) -> Picture {
        let foot = TOP + LINE * self.bars.len() as f32;
        let mut picture = Picture::new(WIDTH, foot + BOTTOM, &self.title);
        let axis = Axis::new(&self.bars);
        axis.grid(&mut picture, foot);
        let below = Point::new((LEFT + WIDTH - RIGHT) / 2.0, foot + BOTTOM - 8.0);
        picture.text(below, Anchor::Middle, 13.0, Font::Regular, Color::INK, &self.x_label);
        for (at, bar) in self.bars.iter().enumerate() {
            let y = TOP + LINE * (at as f32 + 0.5);
            let name = Point::new(LEFT - 12.0, y + 4.5);
            picture.text(name, Anchor::End, 13.0, Font::Regular, Color::INK, &short(&bar.name));
            axis.bar(&mut picture, bar, y);
        }
        picture
    }
}

/// The range of the horizontal axis.
struct Axis {
    from: f32,
    to: f32,
}

impl Axis {
    /// An axis wide enough for every number with its error.
    fn new(bars: &[ErrorBar]) -> Self {
        let ends = bars.iter().filter(|bar| bar.is_finite());
        let ends = ends.flat_map(|bar| [bar.value - bar.error, bar.value + bar.error]);
        let (from, to) = ends.fold((-1.0, 1.0), |(from, to): (f32, f32), end| (from.min(end), to.max(end)));
        Self { from, to }
    }

    fn at(&self, value: f32) -> f32 {
        LEFT + (value - self.from) / (self.to - self.from) * (WIDTH - LEFT - RIGHT)
    }

    fn grid(&self, picture: &mut Picture, foot: f32) {
        let step = tick_step(self.to - self.from, MAX_TICKS);
        let first = (self.from / step).ceil() as i32;
        for tick in (first..).map(|number| number as f32 * step).take_while(|&tick| tick <= self.to).take(100) {
            let x = self.at(tick);
            let color = if tick == 0.0 { Color::GREY } else { Color::FAINT };
            let line = Stroke { color, width: 1.0, dash: Dash::Solid };
            picture.polyline(&[Point::new(x, TOP), Point::new(x, foot)], line);
            let below = Point::new(x, foot + 16.0);
            picture.text(below, Anchor::Middle, 12.0, Font::Regular, Color::GREY, &label(tick));
        }
    }

    fn bar(&self, picture: &mut Picture, bar: &ErrorBar, y: f32) {
        if !bar.is_finite() {
            return;
        }
        let line = Stroke { color: CURVE_COLORS[0], width: 2.0, dash: Dash::Solid };
        let ends = [bar.value - bar.error, bar.value + bar.error].map(|end| self.at(end));
        picture.polyline(&ends.map(|x| Point::new(x, y)), line);
        for x in ends {
            picture.polyline(&[Point::new(x, y - 4.0), Point::new(x, y + 4.0)], line);
        }
        picture.circle(Point::new(self.at(bar.value), y), 4.2, Some(CURVE_COLORS[0]), None);
    }
}

impl ErrorBar {
    fn is_finite(&self) -> bool {
        self.value.is_finite() && self.error.is_finite()
    }
}

fn label(tick: f32) -> String {
    tick.to_string().replace('-', "−")
}

fn short(name: &str) -> String {
    let start: String = name.chars().take(LONGEST_NAME - 1).collect();
    if name.chars().count() > LONGEST_NAME { start + "…" } else { name.to_owned() }
}
