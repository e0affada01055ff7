//! Line charts. Curves differ in color, dashes and marks.

use crate::picture::rectangle;
use crate::{Anchor, Color, Dash, Font, Palette, Picture, Point, Stroke};

const WIDTH: f32 = 960.0;
const HEIGHT: f32 = 560.0;
const LEFT: f32 = 62.0;
const RIGHT: f32 = 220.0;
const TOP: f32 = 78.0;
const BOTTOM: f32 = 56.0;
const MAX_TICKS: f32 = 12.5;
const MAX_GRID_LINES: f32 = 8.5;
const DASHES: [Dash; 4] = [Dash::Solid, Dash::Long, Dash::Short, Dash::Mixed];

/// A curve with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// A note after the name in the legend.
    pub note: String,
    /// The index of the color, to give related curves one color. By default each curve has its own.
    pub color: Option<usize>,
    /// Points with rising x.
    pub points: Vec<(f32, f32)>,
}

/// The scale of the vertical axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum YAxis {
    /// Shares from 0 to 1, labelled in percent.
    Percent,
    /// Numbers from 0 to this one.
    UpTo(f32),
}

impl YAxis {
    fn top(self) -> f32 {
        match self {
            Self::Percent => 1.0,
            Self::UpTo(top) => top.max(1.0),
        }
    }

    /// The horizontal grid lines with their labels.
    fn ticks(self) -> Vec<(f32, String)> {
        match self {
            Self::Percent => {
                (0..=100_u8).step_by(20).map(|part| (f32::from(part) / 100.0, format!("{part}%"))).collect()
            }
            Self::UpTo(_) => {
                let step = tick_step(self.top(), MAX_GRID_LINES);
                let ticks = (0..).map(|number| number as f32 * step).take_while(|&tick| tick <= self.top());
                ticks.take(100).map(|tick| (tick, tick.to_string())).collect()
            }
        }
    }
}

/// A line chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// The title.
    pub title: String,
    /// The subtitle.
    pub subtitle: String,
    /// The label of the horizontal axis.
    pub x_label: String,
    /// The range of the horizontal axis.
    pub x_range: (f32, f32),
    /// The scale of the vertical axis.
    pub y_axis: YAxis,
    /// The curves, in the order of the legend.
    pub series: Vec<Series>,
}

impl Chart {
    /// Draws the chart on white.
    pub fn draw(&self) -> Picture {
        self.draw_in(&Palette::LIGHT)
    }

    /// Draws the chart with a palette.
    pub fn draw_in(&self, palette: &Palette) -> Picture {
        let names: Vec<&str> = self.series.iter().map(|series| series.name.as_str()).collect();
        let title = format!("{}. {}. {}", self.title, self.subtitle, names.join(", "));
        let height = HEIGHT.max(TOP + BOTTOM + 24.0 * self.series.len() as f32);
        let mut picture = Picture::on(palette.paper, WIDTH, height, &title);
        let plot = Plot { chart: self, height, palette };
        plot.titles(&mut picture);
        plot.grid(&mut picture);
        for (at, series) in self.series.iter().enumerate() {
            plot.curve(&mut picture, at, series);
            plot.legend(&mut picture, at, series);
        }
        picture
    }
}

/// The area of a chart, which maps values to points.
struct Plot<'a> {
    chart: &'a Chart,
    height: f32,
    palette: &'a Palette,
}

impl Plot<'_> {
    fn at(&self, x: f32, y: f32) -> Point {
        let (from, to) = self.chart.x_range;
        let along = ((x - from) / (to - from).max(f32::EPSILON)).clamp(0.0, 1.0);
        let bottom = self.height - BOTTOM;
        Point::new(
            LEFT + along * (WIDTH - LEFT - RIGHT),
            bottom - (y / self.chart.y_axis.top()).clamp(0.0, 1.0) * (bottom - TOP),
        )
    }

    fn titles(&self, picture: &mut Picture) {
        picture.text(Point::new(LEFT, 34.0), Anchor::Start, 20.0, Font::Bold, self.palette.ink, &self.chart.title);
        picture.text(
            Point::new(LEFT, 56.0),
            Anchor::Start,
            13.0,
            Font::Regular,
            self.palette.grey,
            &self.chart.subtitle,
        );
        let below = Point::new((LEFT + WIDTH - RIGHT) / 2.0, self.height - 14.0);
        picture.text(below, Anchor::Middle, 13.0, Font::Regular, self.palette.ink, &self.chart.x_label);
    }

    fn grid(&self, picture: &mut Picture) {
        let (from, to) = self.chart.x_range;
        let faint = Stroke { color: self.palette.faint, width: 1.0, dash: Dash::Solid };
        for (height, words) in self.chart.y_axis.ticks() {
            let (start, end) = (self.at(from, height), self.at(to, height));
            picture.polyline(&[start, end], faint);
            let label = Point::new(start.x - 8.0, start.y + 4.5);
            picture.text(label, Anchor::End, 12.0, Font::Regular, self.palette.grey, &words);
        }
        let step = tick_step(to - from, MAX_TICKS);
        let first = (from / step).ceil() as i32;
        for tick in (first..).map(|number| number as f32 * step).take_while(|&tick| tick <= to).take(100) {
            let (top, foot) = (self.at(tick, self.chart.y_axis.top()), self.at(tick, 0.0));
            picture.polyline(&[top, foot], faint);
            let label = Point::new(foot.x, foot.y + 18.0);
            picture.text(label, Anchor::Middle, 12.0, Font::Regular, self.palette.grey, &format!("{tick}"));
        }
    }

    fn curve(&self, picture: &mut Picture, at: usize, series: &Series) {
        let points: Vec<Point> = series.points.iter().map(|&(x, y)| self.at(x, y)).collect();
        picture.polyline(&points, self.style(at));
        // Marks of different curves are at different heights, so that they do not overlap.
        let highest = series.points.iter().map(|&(_, y)| y).fold(0.0, f32::max);
        let wanted = [0.22, 0.5, 0.78].map(|share: f32| highest * (share + 0.02 * (at % 5) as f32 - 0.04));
        for height in wanted {
            if let Some(&(x, y)) = series.points.iter().find(|(_, y)| *y >= height) {
                self.mark(picture, self.at(x, y), at);
            }
        }
    }

    fn legend(&self, picture: &mut Picture, at: usize, series: &Series) {
        let y = TOP + 10.0 + 24.0 * at as f32;
        let x = WIDTH - RIGHT + 18.0;
        picture.polyline(&[Point::new(x, y), Point::new(x + 34.0, y)], self.style(at));
        self.mark(picture, Point::new(x + 17.0, y), at);
        picture.text(Point::new(x + 42.0, y + 4.5), Anchor::Start, 12.5, Font::Regular, self.palette.ink, &series.name);
        let end = Point::new(WIDTH - 14.0, y + 4.5);
        picture.text(end, Anchor::End, 12.5, Font::Regular, self.palette.grey, &series.note);
    }

    fn style(&self, at: usize) -> Stroke {
        Stroke { color: self.color(at), width: 2.0, dash: DASHES[at % DASHES.len()] }
    }

    fn color(&self, at: usize) -> Color {
        let number = self.chart.series.get(at).and_then(|series| series.color).unwrap_or(at);
        self.palette.curves[number % self.palette.curves.len()]
    }

    /// Draws the mark of a curve; eight curves have different ones.
    fn mark(&self, picture: &mut Picture, at: Point, number: usize) {
        let ink = self.color(number);
        let around = Some(Stroke { color: ink, width: 1.6, dash: Dash::Solid });
        let hollow = Some(self.palette.paper);
        let by = |x: f32, y: f32| Point::new(at.x + x, at.y + y);
        match number % 8 {
            0 => picture.circle(at, 4.2, Some(ink), None),
            1 => picture.polygon(&rectangle(at.x - 3.8, at.y - 3.8, 7.6, 7.6), hollow, around),
            2 => picture.polygon(&[by(0.0, -5.2), by(4.8, 3.6), by(-4.8, 3.6)], Some(ink), None),
            3 => picture.polygon(&[by(0.0, -5.4), by(5.4, 0.0), by(0.0, 5.4), by(-5.4, 0.0)], hollow, around),
            4 => picture.circle(at, 4.0, hollow, around),
            5 => picture.polygon(&rectangle(at.x - 3.8, at.y - 3.8, 7.6, 7.6), Some(ink), None),
            6 => picture.polygon(&[by(0.0, 5.2), by(4.8, -3.6), by(-4.8, -3.6)], hollow, around),
            _ => picture.polygon(&[by(0.0, -5.4), by(5.4, 0.0), by(0.0, 5.4), by(-5.4, 0.0)], Some(ink), None),
        }
    }
}

/// The smallest round step between ticks that gives at most `most` of them.
pub(crate) fn tick_step(range: f32, most: f32) -> f32 {
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0];
    steps.into_iter().find(|step| range / step <= most).unwrap_or(1000.0)
}
