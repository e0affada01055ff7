//! One picture of a game at some step: the boards that are fired at, the ships left, what was fired and how likely it was.

use seabattle_core::{Cell, Side};
use seabattle_odds::{Review, Step};
use seabattle_pictures::{Anchor, Dash, Line, Picture, Point, Theme, Weight, words_fitting};

use crate::board::{Plot, Waters};
use crate::story::{Scene, Story, Telling};
use crate::tints::Tints;
use crate::words::{odds_of_shots, outcome, short_shot};

const MARGIN: f32 = 18.0;
const HEADER: f32 = 48.0;
/// Above a board: whose shots these are, and the letters.
const ABOVE: f32 = 40.0;
/// Left of a board: the numbers.
const BESIDE: f32 = 24.0;
const GAP: f32 = 22.0;
/// Below the boards: the last shot, the result and how far the game has come.
const FOOTER: f32 = 62.0;
const LARGEST_BOARD: f32 = 320.0;
const LARGEST_CELL: f32 = 32.0;
/// Cells smaller than this are not told apart.
const SMALLEST_CELL: f32 = 9.0;
const ROSTER_SQUARE: f32 = 8.0;
const ROSTER_LINE: f32 = 14.0;
/// Larger fleets are not counted out in squares.
const MOST_ROSTER_LINES: usize = 3;

/// Whose shots are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Those of both sides, on two boards.
    Both,
    /// Those of one side.
    One(Side),
}

impl Shown {
    pub(crate) fn sides(self) -> Vec<Side> {
        match self {
            Self::Both => Side::ALL.to_vec(),
            Self::One(side) => vec![side],
        }
    }
}

/// The pictures of a game, from the empty boards to its end.
pub struct Frames<'a> {
    story: &'a Story,
    sides: Vec<Side>,
    odds: bool,
    theme: Theme,
    /// How many volleys are told at each step.
    told: Vec<usize>,
    roster_lines: usize,
    cell: f32,
}

impl<'a> Frames<'a> {
    /// With `odds`, boards are coloured by the odds before the latest volley; the story must have been judged.
    pub fn new(story: &'a Story, shown: Shown, odds: bool, theme: Theme) -> Self {
        let size = story.rules().size();
        let longest = f32::from(size.width().max(size.height()));
        let cell = (LARGEST_BOARD / longest).clamp(SMALLEST_CELL, LARGEST_CELL);
        let sides = shown.sides();
        let seen = story.scenes().iter().enumerate().filter(|(_, scene)| sides.contains(&scene.side));
        let mut told: Vec<usize> = std::iter::once(0).chain(seen.map(|(at, _)| at + 1)).collect();
        // The last picture shows the end, whoever brought it about.
        if let [_, .., last] = told.as_mut_slice() {
            *last = story.scenes().len();
        }
        let mut frames = Self { story, sides, odds, theme, told, roster_lines: 0, cell };
        frames.roster_lines = frames.roster(0.0, &[]).lines.min(MOST_ROSTER_LINES);
        frames
    }

    /// Steps, the empty boards not counted.
    pub fn steps(&self) -> usize {
        self.told.len() - 1
    }

    /// The width of every picture, in units.
    pub fn width(&self) -> f32 {
        self.sides.len() as f32 * (BESIDE + self.board_width()) + (self.sides.len() as f32 - 1.0) * GAP + 2.0 * MARGIN
    }

    fn height(&self) -> f32 {
        HEADER + ABOVE + self.board_height() + self.roster_height() + FOOTER
    }

    fn board_width(&self) -> f32 {
        // Narrow boards leave room for words.
        (f32::from(self.story.rules().size().width()) * self.cell).max(240.0)
    }

    fn board_height(&self) -> f32 {
        f32::from(self.story.rules().size().height()) * self.cell
    }

    fn roster_height(&self) -> f32 {
        self.roster_lines as f32 * ROSTER_LINE + 10.0
    }

    /// The picture at a step; past the end, the last one.
    pub fn still(&self, step: usize) -> Picture {
        let step = step.min(self.steps());
        let mut telling = Telling::new(self.story);
        while telling.told < self.told[step] && telling.advance() {}
        self.draw(step, &telling)
    }

    /// Every picture in order, each handed on as soon as it is drawn.
    pub fn each<E>(&self, mut show: impl FnMut(usize, Picture) -> Result<(), E>) -> Result<(), E> {
        let mut telling = Telling::new(self.story);
        for step in 0..=self.steps() {
            while telling.told < self.told[step] && telling.advance() {}
            show(step, self.draw(step, &telling))?;
        }
        Ok(())
    }

    fn draw(&self, step: usize, telling: &Telling<'_>) -> Picture {
        let names = self.story.record().names();
        let title = format!("{} against {}, step {step} of {}", names.a, names.b, self.steps());
        let mut picture = Picture::on(self.theme.paper, self.width(), self.height(), &title);
        self.header(&mut picture, step);
        for (at, &side) in self.sides.iter().enumerate() {
            let left = MARGIN + at as f32 * (BESIDE + self.board_width() + GAP);
            self.waters(&mut picture, side, Point::new(left, HEADER), telling);
        }
        self.footer(&mut picture, step, telling);
        picture
    }

    fn header(&self, picture: &mut Picture, step: usize) {
        let record = self.story.record();
        let names = record.names();
        let right = self.width() - MARGIN;
        let heading = format!("{} against {}", names.a, names.b);
        let heading = words_fitting(17.0, Weight::Bold, &heading, right - MARGIN - 70.0);
        picture.words(Point::new(MARGIN, 26.0), Anchor::Start, 17.0, Weight::Bold, self.theme.ink, &heading);
        let rules = words_fitting(11.5, Weight::Regular, &record.rules().to_string(), right - MARGIN);
        picture.words(Point::new(MARGIN, 43.0), Anchor::Start, 11.5, Weight::Regular, self.theme.grey, &rules);
        let count = format!("{step} / {}", self.steps());
        picture.words(Point::new(right, 26.0), Anchor::End, 13.0, Weight::Regular, self.theme.grey, &count);
    }

    fn waters(&self, picture: &mut Picture, side: Side, at: Point, telling: &Telling<'_>) {
        let known = &telling.known[side];
        let size = self.story.rules().size();
        let plot = Plot { corner: Point::new(at.x + BESIDE, at.y + ABOVE), cell: self.cell, size };
        self.heading(picture, side, Point::new(plot.corner.x, at.y + 16.0), telling);
        let latest = telling.latest[side].and_then(|latest| self.story.scenes().get(latest));
        // In a film of both sides only the newest shot is new.
        let newest = telling.scene().is_some_and(|scene| scene.side == side) || self.sides.len() == 1;
        let cells = |scene: &Scene| scene.shots.iter().map(|shot| shot.cell).collect::<Vec<Cell>>();
        let waters = Waters {
            board: self.story.target_board(side, known),
            fleet: self.story.record().fleets()[side.other()],
            heat: telling.heat(side).filter(|_| self.odds),
            numbers: false,
            last: latest.filter(|_| newest).map(cells).unwrap_or_default(),
            best: latest.filter(|_| newest && self.odds).map(|scene| self.better(scene)).unwrap_or_default(),
        };
        waters.draw(picture, plot, &self.theme);
        let mut roster = self.roster(plot.corner.x, &telling.sunk(side));
        roster.draw(picture, plot.corner.y + plot.height() + 10.0, self);
    }

    /// Cells that would have been likelier than those chosen.
    fn better(&self, scene: &Scene) -> Vec<Cell> {
        let steps = self.judged(scene).into_iter();
        steps.filter(|step| step.judged.loss() > 0.0).map(|step| step.judged.best_cell).collect()
    }

    fn judged(&self, scene: &Scene) -> Vec<Step<'a>> {
        let steps = self.story.analysis().map(|analysis| analysis.steps());
        steps.into_iter().flatten().skip(scene.first).take(scene.shots.len()).collect()
    }

    fn heading(&self, picture: &mut Picture, side: Side, at: Point, telling: &Telling<'_>) {
        let known = &telling.known[side];
        let (shots, hits) = (known.shots().len(), known.hits().len());
        let review = self.story.analysis().map(|analysis| analysis.reviews()[side]);
        let expected = |review: &Review| review.shots().iter().take(shots).map(|judged| judged.chosen).sum::<f64>();
        let expected = review.map_or_else(String::new, |review| format!(", {:.1} expected", expected(review)));
        let counts = format!("{shots} shots, {hits} hits{expected}");
        let width = self.board_width();
        let room = width - seabattle_pictures::words_width(11.5, Weight::Regular, &counts) - 10.0;
        let name = self.story.record().names()[side];
        let name = if name == "you" { "you fire".to_owned() } else { format!("{name} fires") };
        let name = words_fitting(13.0, Weight::Bold, &name, room);
        picture.words(at, Anchor::Start, 13.0, Weight::Bold, self.theme.ink, &name);
        let end = Point::new(at.x + width, at.y);
        picture.words(end, Anchor::End, 11.5, Weight::Regular, self.theme.grey, &counts);
    }

    fn footer(&self, picture: &mut Picture, step: usize, telling: &Telling<'_>) {
        let bottom = self.height();
        let room = self.width() - 2.0 * MARGIN;
        let last = match self.sides.as_slice() {
            [side] => telling.latest[*side].and_then(|latest| self.story.scenes().get(latest)),
            _ => telling.scene(),
        };
        let words = last.map_or_else(|| "The game begins.".to_owned(), |scene| self.caption(scene));
        let words = words_fitting(13.0, Weight::Regular, &words, room);
        let at = Point::new(MARGIN, bottom - FOOTER + 18.0);
        picture.words(at, Anchor::Start, 13.0, Weight::Regular, self.theme.ink, &words);
        if step == self.steps() {
            let words = words_fitting(13.0, Weight::Bold, &self.result(), room);
            let at = Point::new(MARGIN, bottom - FOOTER + 38.0);
            picture.words(at, Anchor::Start, 13.0, Weight::Bold, self.theme.ink, &words);
        }
        let part = step as f32 / self.steps().max(1) as f32;
        let corner = Point::new(MARGIN, bottom - 14.0);
        picture.rectangle(corner, room, 4.0, Some(self.theme.faint), None);
        if part > 0.0 {
            picture.rectangle(corner, room * part, 4.0, Some(self.theme.curves[0]), None);
        }
    }

    fn caption(&self, scene: &Scene) -> String {
        let shots: Vec<String> = scene.shots.iter().map(|&shot| short_shot(self.story.rules(), shot)).collect();
        let words = format!("{}: {}", self.story.record().names()[scene.side], shots.join(", "));
        match odds_of_shots(&self.judged(scene)).as_str() {
            "" => words,
            odds => format!("{words} \u{2013} {odds}"),
        }
    }

    fn result(&self) -> String {
        let mut words = outcome(self.story.record());
        let Some(analysis) = self.story.analysis() else { return words };
        for &side in &self.sides {
            let review = analysis.reviews()[side];
            if let Some(skill) = review.skill() {
                let name = self.story.record().names()[side];
                words += &format!("  {name}: skill {skill:.0}%, luck {:+.1}.", review.luck() + 0.0);
            }
        }
        words.replace('-', "\u{2212}")
    }

    fn roster(&self, left: f32, sunk: &[u16]) -> Roster {
        let rules = self.story.rules();
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
                roster.ships.push(Afloat { x, line: roster.lines - 1, length, sunk: number < sunk });
                x += width + ROSTER_SQUARE;
            }
        }
        roster
    }
}

/// The ships of a fleet as little rows of squares.
struct Roster {
    ships: Vec<Afloat>,
    lines: usize,
}

struct Afloat {
    x: f32,
    line: usize,
    length: u8,
    sunk: bool,
}

impl Roster {
    fn draw(&mut self, picture: &mut Picture, top: f32, frames: &Frames<'_>) {
        if self.lines > MOST_ROSTER_LINES {
            return;
        }
        let tints = Tints::of(&frames.theme);
        for ship in &self.ships {
            let y = top + ship.line as f32 * ROSTER_LINE;
            let width = f32::from(ship.length) * ROSTER_SQUARE;
            let line = Line { colour: frames.theme.grey, width: 1.0, dash: Dash::Solid };
            let fill = if ship.sunk { tints.sunk } else { tints.water };
            picture.rectangle(Point::new(ship.x, y), width, ROSTER_SQUARE, Some(fill), Some(line));
            for square in 0..ship.length {
                let x = ship.x + f32::from(square) * ROSTER_SQUARE;
                if ship.sunk {
                    picture.rectangle(Point::new(x + 2.7, y + 2.7), 2.6, 2.6, Some(tints.mark), None);
                } else if square > 0 {
                    picture.polyline(&[Point::new(x, y), Point::new(x, y + ROSTER_SQUARE)], line);
                }
            }
        }
    }
}
