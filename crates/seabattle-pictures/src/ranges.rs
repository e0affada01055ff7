//! Numbers with their errors, one line for each, best first.

use crate::chart::tick_step;
use crate::{Anchor, Colour, Dash, Line, PALETTE, Picture, Point, Weight};

/// Narrow, so that letters stay readable on a phone.
const WIDTH: f32 = 480.0;
const LEFT: f32 = 164.0;
const RIGHT: f32 = 20.0;
const TOP: f32 = 10.0;
const BOTTOM: f32 = 46.0;
const LINE: f32 = 24.0;
const LONGEST_NAME: usize = 20;
const MOST_TICKS: f32 = 6.5;

/// A number that lies between two others.
#[derive(Debug, Clone, PartialEq)]
pub struct Range {
    /// Beside it.
    pub name: String,
    /// The number.
    pub value: f32,
    /// How far it may be off, either way.
    pub error: f32,
}

/// Numbers one below the other over a common axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranges {
    /// What is shown, for readers who cannot see it.
    pub title: String,
    /// What the number is.
    pub x_label: String,
    /// From top to bottom.
    pub ranges: Vec<Range>,
}

impl Ranges {
    /// The picture of the numbers; one that is not finite has a name and no mark.
    pub fn draw(&self) -> Picture {
        let foot = TOP + LINE * self.ranges.len() as f32;
        let mut picture = Picture::new(WIDTH, foot + BOTTOM, &self.title);
        let axis = Axis::new(&self.ranges);
        axis.grid(&mut picture, foot);
        let below = Point::new((LEFT + WIDTH - RIGHT) / 2.0, foot + BOTTOM - 8.0);
        picture.words(below, Anchor::Middle, 13.0, Weight::Regular, Colour::INK, &self.x_label);
        for (at, range) in self.ranges.iter().enumerate() {
            let y = TOP + LINE * (at as f32 + 0.5);
            let name = Point::new(LEFT - 12.0, y + 4.5);
            picture.words(name, Anchor::End, 13.0, Weight::Regular, Colour::INK, &short(&range.name));
            axis.bar(&mut picture, range, y);
        }
        picture
    }
}

/// Where numbers lie between left and right.
struct Axis {
    from: f32,
    to: f32,
}

impl Axis {
    /// Wide enough for every number with its error.
    fn new(ranges: &[Range]) -> Self {
        let ends = ranges.iter().filter(|range| range.is_finite());
        let ends = ends.flat_map(|range| [range.value - range.error, range.value + range.error]);
        let (from, to) = ends.fold((-1.0, 1.0), |(from, to): (f32, f32), end| (from.min(end), to.max(end)));
        Self { from, to }
    }

    fn at(&self, value: f32) -> f32 {
        LEFT + (value - self.from) / (self.to - self.from) * (WIDTH - LEFT - RIGHT)
    }

    fn grid(&self, picture: &mut Picture, foot: f32) {
        let step = tick_step(self.to - self.from, MOST_TICKS);
        let first = (self.from / step).ceil() as i32;
        for tick in (first..).map(|number| number as f32 * step).take_while(|&tick| tick <= self.to).take(100) {
            let x = self.at(tick);
            let colour = if tick == 0.0 { Colour::GREY } else { Colour::FAINT };
            let line = Line { colour, width: 1.0, dash: Dash::Solid };
            picture.polyline(&[Point::new(x, TOP), Point::new(x, foot)], line);
            let below = Point::new(x, foot + 16.0);
            picture.words(below, Anchor::Middle, 12.0, Weight::Regular, Colour::GREY, &label(tick));
        }
    }

    fn bar(&self, picture: &mut Picture, range: &Range, y: f32) {
        if !range.is_finite() {
            return;
        }
        let line = Line { colour: PALETTE[0], width: 2.0, dash: Dash::Solid };
        let ends = [range.value - range.error, range.value + range.error].map(|end| self.at(end));
        picture.polyline(&ends.map(|x| Point::new(x, y)), line);
        for x in ends {
            picture.polyline(&[Point::new(x, y - 4.0), Point::new(x, y + 4.0)], line);
        }
        picture.circle(Point::new(self.at(range.value), y), 4.2, Some(PALETTE[0]), None);
    }
}

impl Range {
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
