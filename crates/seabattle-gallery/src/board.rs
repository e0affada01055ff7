//! A board in a picture: cells with coordinates, marks that differ in shape, hulls, and the odds as heat.

use seabattle_core::{Cell, Fleet, Mark, Orientation, Ship, Size, TextBoard, column_letters};
use seabattle_pictures::{Anchor, Dash, Line, Picture, Point, Theme, Weight};

use crate::story::Heat;
use crate::tints::Tints;

/// What is to be seen of a board.
pub(crate) struct Waters<'a> {
    pub(crate) board: TextBoard,
    /// Ships whose place is known.
    pub(crate) fleet: Option<&'a Fleet>,
    pub(crate) heat: Option<&'a Heat>,
    /// Whether the heat is written into the cells besides.
    pub(crate) numbers: bool,
    pub(crate) last: Vec<Cell>,
    pub(crate) best: Vec<Cell>,
}

/// Where a board lies and how large its cells are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plot {
    /// The top left corner of the cell A1.
    pub(crate) corner: Point,
    pub(crate) cell: f32,
    pub(crate) size: Size,
}

impl Plot {
    pub(crate) fn width(&self) -> f32 {
        f32::from(self.size.width()) * self.cell
    }

    pub(crate) fn height(&self) -> f32 {
        f32::from(self.size.height()) * self.cell
    }

    fn at(&self, cell: Cell) -> Point {
        let along = |number: u8| f32::from(number) * self.cell;
        Point::new(self.corner.x + along(cell.col()), self.corner.y + along(cell.row()))
    }

    /// The middle of a cell and points around it, in parts of a cell.
    fn around(&self, cell: Cell) -> impl Fn(f32, f32) -> Point + use<> {
        let (corner, side) = (self.at(cell), self.cell);
        move |x: f32, y: f32| Point::new(corner.x + (0.5 + x) * side, corner.y + (0.5 + y) * side)
    }
}

impl Waters<'_> {
    pub(crate) fn draw(&self, picture: &mut Picture, plot: Plot, theme: &Theme) {
        let tints = Tints::of(theme);
        labels(picture, plot, theme);
        for cell in plot.size.cells() {
            self.cell(picture, plot, cell, &tints, theme);
        }
        for ship in self.fleet.iter().flat_map(|fleet| fleet.ships()) {
            hull(picture, plot, ship, &tints);
        }
        for &cell in &self.best {
            brackets(picture, plot, cell, &tints);
        }
        for &cell in &self.last {
            // Paper on both sides of the frame, so that it stands out from whatever it lies on, in grey too.
            for (colour, width) in [(tints.mark, 0.24), (tints.last, 0.12)] {
                let line = Line { colour, width: width * plot.cell, dash: Dash::Solid };
                picture.rectangle(plot.at(cell), plot.cell, plot.cell, None, Some(line));
            }
        }
    }

    fn cell(&self, picture: &mut Picture, plot: Plot, cell: Cell, tints: &Tints, theme: &Theme) {
        let mark = self.board.at(cell).unwrap_or(Mark::Open);
        let warmth = self.heat.map(|heat| heat.warmth(plot.size, cell));
        let fill = match (mark, warmth) {
            (Mark::Miss, _) => tints.miss,
            (Mark::Hit, _) => tints.hit,
            (Mark::Sunk, _) => tints.sunk,
            (Mark::Open | Mark::Impossible | Mark::Ship, Some(warmth)) => tints.heat(warmth),
            (Mark::Ship, None) => tints.ship,
            (Mark::Open | Mark::Impossible, None) => tints.water,
        };
        let gap = (0.03 * plot.cell).min(1.0);
        let corner = plot.at(cell);
        let inner = plot.cell - 2.0 * gap;
        picture.rectangle(Point::new(corner.x + gap, corner.y + gap), inner, inner, Some(fill), None);
        draw_mark(picture, plot, cell, mark, tints);
        if let (true, Some(heat), Mark::Open | Mark::Impossible | Mark::Ship) = (self.numbers, self.heat, mark) {
            let ink = if warmth > Some(0.55) { theme.paper } else { theme.ink };
            let middle = plot.around(cell)(0.0, 0.1);
            let words = format!("{:.1}", 100.0 * heat.probability(plot.size, cell));
            picture.words(middle, Anchor::Middle, 0.285 * plot.cell, Weight::Regular, ink, &words);
        }
    }
}

/// A ring for a miss, a cross for a hit, a square for what is sunk.
pub(crate) fn draw_mark(picture: &mut Picture, plot: Plot, cell: Cell, mark: Mark, tints: &Tints) {
    let by = plot.around(cell);
    let line = |colour| Line { colour, width: 0.085 * plot.cell, dash: Dash::Solid };
    match mark {
        Mark::Miss => picture.circle(by(0.0, 0.0), 0.16 * plot.cell, None, Some(line(tints.ring))),
        Mark::Hit => {
            picture.polyline(&[by(-0.23, -0.23), by(0.23, 0.23)], line(tints.mark));
            picture.polyline(&[by(0.23, -0.23), by(-0.23, 0.23)], line(tints.mark));
        }
        Mark::Sunk => picture.rectangle(by(-0.17, -0.17), 0.34 * plot.cell, 0.34 * plot.cell, Some(tints.mark), None),
        Mark::Open | Mark::Impossible | Mark::Ship => {}
    }
}

pub(crate) fn hull(picture: &mut Picture, plot: Plot, ship: &Ship, tints: &Tints) {
    let length = f32::from(ship.length()) * plot.cell;
    let (width, height) = match ship.orientation() {
        Orientation::Across => (length, plot.cell),
        Orientation::Down => (plot.cell, length),
    };
    let line = Line { colour: tints.hull, width: (0.06 * plot.cell).max(0.8), dash: Dash::Solid };
    picture.rectangle(plot.at(ship.start()), width, height, None, Some(line));
}

/// The corners of a cell: here the best shot would have been.
pub(crate) fn brackets(picture: &mut Picture, plot: Plot, cell: Cell, tints: &Tints) {
    let by = plot.around(cell);
    let lines = [(tints.mark, 0.2), (tints.best, 0.11)].map(|(colour, width)| Line {
        colour,
        width: width * plot.cell,
        dash: Dash::Solid,
    });
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let (far, near) = (0.42, 0.16);
        let corner = [by(near * x, far * y), by(far * x, far * y), by(far * x, near * y)];
        lines.into_iter().for_each(|line| picture.polyline(&corner, line));
    }
}

/// Letters above and numbers beside the cells, as many as there is room for.
pub(crate) fn labels(picture: &mut Picture, plot: Plot, theme: &Theme) {
    let size = (0.4 * plot.cell).clamp(6.5, 13.0);
    let every = if plot.cell < 14.0 { 5 } else { 1 };
    for col in (0..plot.size.width()).filter(|col| col % every == 0) {
        let x = plot.corner.x + (f32::from(col) + 0.5) * plot.cell;
        let at = Point::new(x, plot.corner.y - 0.5 * size);
        picture.words(at, Anchor::Middle, size, Weight::Regular, theme.grey, &column_letters(col));
    }
    for row in (0..plot.size.height()).filter(|row| row % every == 0) {
        let y = plot.corner.y + (f32::from(row) + 0.5) * plot.cell + 0.36 * size;
        let at = Point::new(plot.corner.x - 0.5 * size, y);
        picture.words(at, Anchor::End, size, Weight::Regular, theme.grey, &(row + 1).to_string());
    }
}
