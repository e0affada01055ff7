//! Pictures of a game, one for each step: boards, ships left, the last shots and their odds.

use crate::{Anchor, Dash, Font, Palette, Picture, Point, Stroke, fit_text, text_width};
use seabattle_core::{Cell, Record, Side};
use seabattle_odds::{AnalyzedShot, Review};

use crate::board::{BoardDrawing, Grid};
use crate::colors::BoardColors;
use crate::describe::{describe_odds, describe_players, describe_result, describe_shot};
use crate::replay::{Cursor, Replay, Step};

const MARGIN: f32 = 18.0;
const HEADER: f32 = 48.0;
/// The space above a board, for the name and the column letters.
const TOP_SPACE: f32 = 40.0;
/// The space left of a board, for the row numbers.
const LEFT_SPACE: f32 = 24.0;
const GAP: f32 = 22.0;
/// The space below the boards, for the last shot, the result and the progress bar.
const FOOTER: f32 = 62.0;
const LARGEST_BOARD: f32 = 320.0;
const LARGEST_CELL: f32 = 32.0;
/// The smallest cell that readers can distinguish.
const SMALLEST_CELL: f32 = 9.0;
const ROSTER_SQUARE: f32 = 8.0;
const ROSTER_LINE: f32 = 14.0;
/// Fleets that need more lines are not drawn below the board.
const MAX_ROSTER_LINES: usize = 3;

/// The sides whose shots are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShownSides {
    /// Both sides, on two boards. In a solo game, its player.
    Both,
    /// One side, on one board.
    One(Side),
}

impl ShownSides {
    pub(crate) fn sides(self, record: &Record) -> Vec<Side> {
        match self {
            Self::Both => record.shooters().to_vec(),
            Self::One(side) => vec![side],
        }
    }
}

/// The pictures of a game, from empty boards to its end.
pub struct Frames<'a> {
    replay: &'a Replay,
    sides: Vec<Side>,
    odds: bool,
    palette: Palette,
    /// The position of the replay cursor at each step.
    positions: Vec<usize>,
    roster_lines: usize,
    cell: f32,
}

impl<'a> Frames<'a> {
    /// Prepares the pictures of a replay. `odds` colors boards by the odds before the latest volley, which the replay
    /// must have.
    pub fn new(replay: &'a Replay, shown: ShownSides, odds: bool, palette: Palette) -> Self {
        let size = replay.rules().size();
        let longest = f32::from(size.width().max(size.height()));
        let cell = (LARGEST_BOARD / longest).clamp(SMALLEST_CELL, LARGEST_CELL);
        let sides = shown.sides(replay.record());
        let seen = replay.steps().iter().enumerate().filter(|(_, step)| sides.contains(&step.side));
        let mut positions: Vec<usize> = std::iter::once(0).chain(seen.map(|(at, _)| at + 1)).collect();
        // The last picture shows the end, even if a hidden side caused it.
        if let [_, .., last] = positions.as_mut_slice() {
            *last = replay.steps().len();
        }
        let mut frames = Self { replay, sides, odds, palette, positions, roster_lines: 0, cell };
        frames.roster_lines = frames.roster(0.0, &[]).lines.min(MAX_ROSTER_LINES);
        frames
    }

    /// The number of steps, without the empty boards at the start.
    pub fn steps(&self) -> usize {
        self.positions.len() - 1
    }

    /// The width of each picture, in units.
    pub fn width(&self) -> f32 {
        self.sides.len() as f32 * (LEFT_SPACE + self.board_width())
            + (self.sides.len() as f32 - 1.0) * GAP
            + 2.0 * MARGIN
    }

    fn height(&self) -> f32 {
        HEADER + TOP_SPACE + self.board_height() + self.roster_height() + FOOTER
    }

    fn board_width(&self) -> f32 {
        // Narrow boards are widened to make room for text.
        (f32::from(self.replay.rules().size().width()) * self.cell).max(240.0)
    }

    fn board_height(&self) -> f32 {
        f32::from(self.replay.rules().size().height()) * self.cell
    }

    fn roster_height(&self) -> f32 {
        self.roster_lines as f32 * ROSTER_LINE + 10.0
    }

    /// The picture at a step. After the last step it is the last picture.
    pub fn still(&self, number: usize) -> Picture {
        let number = number.min(self.steps());
        let mut cursor = Cursor::new(self.replay);
        while cursor.position < self.positions[number] && cursor.advance() {}
        self.draw(number, &cursor)
    }

    /// Draws all pictures in order, and passes each to `receive`.
    pub fn each<E>(&self, mut receive: impl FnMut(usize, Picture) -> Result<(), E>) -> Result<(), E> {
        let mut cursor = Cursor::new(self.replay);
        for number in 0..=self.steps() {
            while cursor.position < self.positions[number] && cursor.advance() {}
            receive(number, self.draw(number, &cursor))?;
        }
        Ok(())
    }

    fn draw(&self, number: usize, cursor: &Cursor<'_>) -> Picture {
        let title = format!("{}, step {number} of {}", describe_players(self.replay.record()), self.steps());
        let mut picture = Picture::on(self.palette.paper, self.width(), self.height(), &title);
        self.draw_header(&mut picture, number);
        for (at, &side) in self.sides.iter().enumerate() {
            let left = MARGIN + at as f32 * (LEFT_SPACE + self.board_width() + GAP);
            self.draw_board(&mut picture, side, Point::new(left, HEADER), cursor);
        }
        self.draw_footer(&mut picture, number, cursor);
        picture
    }

    fn draw_header(&self, picture: &mut Picture, number: usize) {
        let record = self.replay.record();
        let right = self.width() - MARGIN;
        let heading = fit_text(17.0, Font::Bold, &describe_players(record), right - MARGIN - 70.0);
        picture.text(Point::new(MARGIN, 26.0), Anchor::Start, 17.0, Font::Bold, self.palette.ink, &heading);
        let rules = fit_text(11.5, Font::Regular, &record.rules().to_string(), right - MARGIN);
        picture.text(Point::new(MARGIN, 43.0), Anchor::Start, 11.5, Font::Regular, self.palette.grey, &rules);
        let count = format!("{number} / {}", self.steps());
        picture.text(Point::new(right, 26.0), Anchor::End, 13.0, Font::Regular, self.palette.grey, &count);
    }

    fn draw_board(&self, picture: &mut Picture, side: Side, at: Point, cursor: &Cursor<'_>) {
        let known = &cursor.knowledge[side];
        let size = self.replay.rules().size();
        let grid = Grid { corner: Point::new(at.x + LEFT_SPACE, at.y + TOP_SPACE), cell: self.cell, size };
        self.draw_heading(picture, side, Point::new(grid.corner.x, at.y + 16.0), cursor);
        let latest = cursor.latest[side].and_then(|latest| self.replay.steps().get(latest));
        // With two boards, only the one with the newest shot is highlighted.
        let newest = cursor.step().is_some_and(|step| step.side == side) || self.sides.len() == 1;
        let cells = |step: &Step| step.shots.iter().map(|shot| shot.cell).collect::<Vec<Cell>>();
        let drawing = BoardDrawing {
            board: self.replay.target_board(side, known),
            fleet: self.replay.record().fleets()[side.other()],
            odds: cursor.odds(side).filter(|_| self.odds),
            numbers: false,
            last: latest.filter(|_| newest).map(cells).unwrap_or_default(),
            best: latest.filter(|_| newest && self.odds).map(|step| self.better_cells(step)).unwrap_or_default(),
        };
        drawing.draw(picture, grid, &self.palette);
        let mut roster = self.roster(grid.corner.x, &cursor.sunk(side));
        roster.draw(picture, grid.corner.y + grid.height() + 10.0, self);
    }

    /// The cells that were likelier than the chosen ones.
    fn better_cells(&self, step: &Step) -> Vec<Cell> {
        let shots = self.analyzed_shots(step).into_iter();
        shots.filter(|shot| shot.review.loss() > 0.0).map(|shot| shot.review.best_cell).collect()
    }

    fn analyzed_shots(&self, step: &Step) -> Vec<AnalyzedShot<'a>> {
        let shots = self.replay.analysis().map(|analysis| analysis.shots());
        shots.into_iter().flatten().skip(step.first_shot).take(step.shots.len()).collect()
    }

    fn draw_heading(&self, picture: &mut Picture, side: Side, at: Point, cursor: &Cursor<'_>) {
        let known = &cursor.knowledge[side];
        let (shots, hits) = (known.shots().len(), known.hits().len());
        let review = self.replay.analysis().map(|analysis| analysis.reviews()[side]);
        let expected = |review: &Review| review.shots().iter().take(shots).fold(0.0, |sum, review| sum + review.chosen);
        let expected = review.map_or_else(String::new, |review| format!(", {:.1} expected", expected(review)));
        let counts = format!("{shots} shots, {hits} hits{expected}");
        let width = self.board_width();
        let room = width - text_width(11.5, Font::Regular, &counts) - 10.0;
        let name = self.replay.record().names()[side];
        let name = if name == "you" { "you fire".to_owned() } else { format!("{name} fires") };
        let name = fit_text(13.0, Font::Bold, &name, room);
        picture.text(at, Anchor::Start, 13.0, Font::Bold, self.palette.ink, &name);
        let end = Point::new(at.x + width, at.y);
        picture.text(end, Anchor::End, 11.5, Font::Regular, self.palette.grey, &counts);
    }

    fn draw_footer(&self, picture: &mut Picture, number: usize, cursor: &Cursor<'_>) {
        let bottom = self.height();
        let room = self.width() - 2.0 * MARGIN;
        let last = match self.sides.as_slice() {
            [side] => cursor.latest[*side].and_then(|latest| self.replay.steps().get(latest)),
            _ => cursor.step(),
        };
        let words = last.map_or_else(|| "The game begins.".to_owned(), |step| self.caption(step));
        let words = fit_text(13.0, Font::Regular, &words, room);
        let at = Point::new(MARGIN, bottom - FOOTER + 18.0);
        picture.text(at, Anchor::Start, 13.0, Font::Regular, self.palette.ink, &words);
        if number == self.steps() {
            let words = fit_text(13.0, Font::Bold, &self.result(), room);
            let at = Point::new(MARGIN, bottom - FOOTER + 38.0);
            picture.text(at, Anchor::Start, 13.0, Font::Bold, self.palette.ink, &words);
        }
        let part = number as f32 / self.steps().max(1) as f32;
        let corner = Point::new(MARGIN, bottom - 14.0);
        picture.rectangle(corner, room, 4.0, Some(self.palette.faint), None);
        if part > 0.0 {
            picture.rectangle(corner, room * part, 4.0, Some(self.palette.curves[0]), None);
        }
    }

    fn caption(&self, step: &Step) -> String {
        let shots: Vec<String> = step.shots.iter().map(|&shot| describe_shot(self.replay.rules(), shot)).collect();
        let words = format!("{}: {}", self.replay.record().names()[step.side], shots.join(", "));
        match describe_odds(&self.analyzed_shots(step)).as_str() {
            "" => words,
            odds => format!("{words} \u{2013} {odds}"),
        }
    }

    fn result(&self) -> String {
        let mut words = describe_result(self.replay.record());
        let Some(analysis) = self.replay.analysis() else { return words };
        for &side in &self.sides {
            let review = analysis.reviews()[side];
            if let Some(skill) = review.skill() {
                let name = self.replay.record().names()[side];
                words += &format!("  {name}: skill {skill:.0}%, luck {:+.1}.", review.luck() + 0.0);
            }
        }
        words.replace('-', "\u{2212}")
    }

    fn roster(&self, left: f32, sunk: &[u16]) -> Roster {
        let rules = self.replay.rules();
        let mut roster = Roster { ships: Vec::new(), lines: 1 };
        let (mut x, right) = (left, left + self.board_width());
        for class in rules.class_ids() {
            let (length, count) = (rules.class(class).length(), rules.class(class).count());
            let width = f32::from(length) * ROSTER_SQUARE;
            let sunk = sunk.get(class.index()).copied().unwrap_or(0);
            for number in 0..count {
                if x > left && x + width > right {
                    (x, roster.lines) = (left, roster.lines + 1);
                }
                roster.ships.push(RosterShip { x, line: roster.lines - 1, length, sunk: number < sunk });
                x += width + ROSTER_SQUARE;
            }
        }
        roster
    }
}

/// The ships of a fleet as rows of small squares.
struct Roster {
    ships: Vec<RosterShip>,
    lines: usize,
}

/// A ship of the roster: its place, its length, and whether it is sunk.
struct RosterShip {
    x: f32,
    line: usize,
    length: u8,
    sunk: bool,
}

impl Roster {
    fn draw(&mut self, picture: &mut Picture, top: f32, frames: &Frames<'_>) {
        if self.lines > MAX_ROSTER_LINES {
            return;
        }
        let colors = BoardColors::of(&frames.palette);
        for ship in &self.ships {
            let y = top + ship.line as f32 * ROSTER_LINE;
            let width = f32::from(ship.length) * ROSTER_SQUARE;
            let line = Stroke { color: frames.palette.grey, width: 1.0, dash: Dash::Solid };
            let fill = if ship.sunk { colors.sunk } else { colors.water };
            picture.rectangle(Point::new(ship.x, y), width, ROSTER_SQUARE, Some(fill), Some(line));
            for square in 0..ship.length {
                let x = ship.x + f32::from(square) * ROSTER_SQUARE;
                if ship.sunk {
                    picture.rectangle(Point::new(x + 2.7, y + 2.7), 2.6, 2.6, Some(colors.mark), None);
                } else if square > 0 {
                    picture.polyline(&[Point::new(x, y), Point::new(x, y + ROSTER_SQUARE)], line);
                }
            }
        }
    }
}
