//! Draws boards: cells with coordinates, marks that differ in shape, ships, and odds as a heat map.

use crate::{Anchor, Dash, Font, Palette, Picture, Point, Stroke};
use seabattle_core::{Cell, Fleet, Mark, Orientation, Ship, Size, TextBoard, column_letters};

use crate::colors::BoardColors;
use crate::replay::CellOdds;

/// What to draw of a board.
pub(crate) struct BoardDrawing<'a> {
    pub(crate) board: TextBoard,
    /// Ships to outline, if their places are known.
    pub(crate) fleet: Option<&'a Fleet>,
    pub(crate) odds: Option<&'a CellOdds>,
    /// Whether the odds are also written into the cells.
    pub(crate) numbers: bool,
    pub(crate) last: Vec<Cell>,
    pub(crate) best: Vec<Cell>,
}

/// The place of a board in a picture, and the size of its cells.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    /// The top left corner of A1.
    pub(crate) corner: Point,
    pub(crate) cell: f32,
    pub(crate) size: Size,
}

impl Grid {
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

    /// Maps offsets from the middle of a cell, in parts of a cell, to points.
    fn around(&self, cell: Cell) -> impl Fn(f32, f32) -> Point + use<> {
        let (corner, side) = (self.at(cell), self.cell);
        move |x: f32, y: f32| Point::new(corner.x + (0.5 + x) * side, corner.y + (0.5 + y) * side)
    }
}

impl BoardDrawing<'_> {
    pub(crate) fn draw(&self, picture: &mut Picture, grid: Grid, palette: &Palette) {
        let colors = BoardColors::of(palette);
        draw_coordinates(picture, grid, palette);
        for cell in grid.size.cells() {
            self.cell(picture, grid, cell, &colors, palette);
        }
        for ship in self.fleet.iter().flat_map(|fleet| fleet.ships()) {
            draw_ship(picture, grid, ship, &colors);
        }
        for &cell in &self.best {
            draw_best_cell(picture, grid, cell, &colors);
        }
        for &cell in &self.last {
            // A wider frame in the background color, so that the frame is visible on every color.
            for (color, width) in [(colors.mark, 0.24), (colors.last, 0.12)] {
                let line = Stroke { color, width: width * grid.cell, dash: Dash::Solid };
                picture.rectangle(grid.at(cell), grid.cell, grid.cell, None, Some(line));
            }
        }
    }

    fn cell(&self, picture: &mut Picture, grid: Grid, cell: Cell, colors: &BoardColors, palette: &Palette) {
        let mark = self.board.at(cell).unwrap_or(Mark::Open);
        let relative = self.odds.map(|odds| odds.relative(grid.size, cell));
        let fill = match (mark, relative) {
            (Mark::Miss, _) => colors.miss,
            (Mark::Hit, _) => colors.hit,
            (Mark::Sunk, _) => colors.sunk,
            (Mark::Open | Mark::Impossible | Mark::Ship, Some(relative)) => colors.heat(relative),
            (Mark::Ship, None) => colors.ship,
            (Mark::Open | Mark::Impossible, None) => colors.water,
        };
        let gap = (0.03 * grid.cell).min(1.0);
        let corner = grid.at(cell);
        let inner = grid.cell - 2.0 * gap;
        picture.rectangle(Point::new(corner.x + gap, corner.y + gap), inner, inner, Some(fill), None);
        draw_mark(picture, grid, cell, mark, colors);
        if let (true, Some(odds), Mark::Open | Mark::Impossible | Mark::Ship) = (self.numbers, self.odds, mark) {
            let ink = if relative > Some(0.55) { palette.paper } else { palette.ink };
            let middle = grid.around(cell)(0.0, 0.1);
            let words = format!("{:.1}", 100.0 * odds.probability(grid.size, cell));
            picture.text(middle, Anchor::Middle, 0.285 * grid.cell, Font::Regular, ink, &words);
        }
    }
}

/// Draws a ring for a miss, a cross for a hit, a square for a sunk ship.
pub(crate) fn draw_mark(picture: &mut Picture, grid: Grid, cell: Cell, mark: Mark, colors: &BoardColors) {
    let by = grid.around(cell);
    let line = |color| Stroke { color, width: 0.085 * grid.cell, dash: Dash::Solid };
    match mark {
        Mark::Miss => picture.circle(by(0.0, 0.0), 0.16 * grid.cell, None, Some(line(colors.ring))),
        Mark::Hit => {
            picture.polyline(&[by(-0.23, -0.23), by(0.23, 0.23)], line(colors.mark));
            picture.polyline(&[by(0.23, -0.23), by(-0.23, 0.23)], line(colors.mark));
        }
        Mark::Sunk => picture.rectangle(by(-0.17, -0.17), 0.34 * grid.cell, 0.34 * grid.cell, Some(colors.mark), None),
        Mark::Open | Mark::Impossible | Mark::Ship => {}
    }
}

pub(crate) fn draw_ship(picture: &mut Picture, grid: Grid, ship: &Ship, colors: &BoardColors) {
    let length = f32::from(ship.length()) * grid.cell;
    let (width, height) = match ship.orientation() {
        Orientation::Across => (length, grid.cell),
        Orientation::Down => (grid.cell, length),
    };
    let line = Stroke { color: colors.outline, width: (0.06 * grid.cell).max(0.8), dash: Dash::Solid };
    picture.rectangle(grid.at(ship.start()), width, height, None, Some(line));
}

/// Marks the corners of a cell that was the best shot.
pub(crate) fn draw_best_cell(picture: &mut Picture, grid: Grid, cell: Cell, colors: &BoardColors) {
    let by = grid.around(cell);
    let lines = [(colors.mark, 0.2), (colors.best, 0.11)].map(|(color, width)| Stroke {
        color,
        width: width * grid.cell,
        dash: Dash::Solid,
    });
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
        let (far, near) = (0.42, 0.16);
        let corner = [by(near * x, far * y), by(far * x, far * y), by(far * x, near * y)];
        lines.into_iter().for_each(|line| picture.polyline(&corner, line));
    }
}

/// Draws column letters and row numbers, every fifth on large boards.
pub(crate) fn draw_coordinates(picture: &mut Picture, grid: Grid, palette: &Palette) {
    let size = (0.4 * grid.cell).clamp(6.5, 13.0);
    let every = if grid.cell < 14.0 { 5 } else { 1 };
    for col in (0..grid.size.width()).filter(|col| col % every == 0) {
        let x = grid.corner.x + (f32::from(col) + 0.5) * grid.cell;
        let at = Point::new(x, grid.corner.y - 0.5 * size);
        picture.text(at, Anchor::Middle, size, Font::Regular, palette.grey, &column_letters(col));
    }
    for row in (0..grid.size.height()).filter(|row| row % every == 0) {
        let y = grid.corner.y + (f32::from(row) + 0.5) * grid.cell + 0.36 * size;
        let at = Point::new(grid.corner.x - 0.5 * size, y);
        picture.text(at, Anchor::End, size, Font::Regular, palette.grey, &(row + 1).to_string());
    }
}
