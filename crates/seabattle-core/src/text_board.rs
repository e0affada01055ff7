//! Boards as text, with coordinates, for any size.

use crate::{Cell, CellSet, Fleet, FleetBuilder, Knowledge, Orientation, Size, column_letters};

/// What one cell of a drawn board shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Nothing is known.
    Open,
    /// Not shot at, but no ship can lie there.
    Impossible,
    /// A shot into the water.
    Miss,
    /// A ship, hit.
    Hit,
    /// A ship, sunk.
    Sunk,
    /// A ship, not hit.
    Ship,
}

impl Mark {
    /// Every mark.
    pub const ALL: [Self; 6] = [Self::Open, Self::Impossible, Self::Miss, Self::Hit, Self::Sunk, Self::Ship];
}

/// The characters of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// Nothing but ASCII.
    Ascii,
    /// Symbols one column wide.
    #[default]
    Unicode,
}

impl Glyphs {
    /// The character of a mark; all marks differ in shape.
    pub fn of(self, mark: Mark) -> char {
        match (self, mark) {
            (Self::Ascii, Mark::Open) => '.',
            (Self::Ascii, Mark::Impossible) => '-',
            (Self::Ascii, Mark::Miss) => 'o',
            (Self::Ascii, Mark::Hit) => 'x',
            (Self::Ascii, Mark::Sunk) => '#',
            (Self::Ascii, Mark::Ship) => 'S',
            (Self::Unicode, Mark::Open) => '·',
            (Self::Unicode, Mark::Impossible) => '-',
            (Self::Unicode, Mark::Miss) => '○',
            (Self::Unicode, Mark::Hit) => '×',
            (Self::Unicode, Mark::Sunk) => '■',
            (Self::Unicode, Mark::Ship) => '□',
        }
    }
}

/// A board to look at: a mark for every cell, and the cell shot at last.
///
/// ```
/// use seabattle_core::{TextBoard, Glyphs, Knowledge};
///
/// let enemy: Knowledge = "3x2:2,1 A1. B2x".parse()?;
/// assert_eq!(TextBoard::of_enemy(&enemy).lines(Glyphs::Ascii), [
///     "  A B C ",
///     "1 o . . ",
///     "2 . x<. ",
/// ]);
/// # Ok::<(), seabattle_core::ParsePositionError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextBoard {
    size: Size,
    marks: Vec<Mark>,
    last: Option<Cell>,
}

impl TextBoard {
    /// The enemy's waters as a shooter knows them.
    pub fn of_enemy(knowledge: &Knowledge) -> Self {
        let mut board = Self::open(knowledge.rules().size());
        board.mark_shots(knowledge, knowledge.sunk_cells());
        board
    }

    /// One's own fleet with the enemy's shots at it; also the enemy's, once it is revealed.
    pub fn of_fleet(fleet: &Fleet, incoming: &Knowledge) -> Self {
        let mut board = Self::open(fleet.rules().size());
        board.mark(fleet.occupied(), Mark::Ship);
        board.mark_shots(incoming, &fleet.sunk_cells(incoming.hits()));
        board
    }

    /// A fleet in the making.
    pub fn of_builder(builder: &FleetBuilder) -> Self {
        let mut board = Self::open(builder.rules().size());
        let cells = builder.ships().iter().flat_map(|ship| ship.cells());
        board.mark(&CellSet::of(board.size, cells), Mark::Ship);
        board
    }

    /// Marks some cells otherwise.
    pub fn mark(&mut self, cells: &CellSet, mark: Mark) {
        for cell in cells.iter() {
            if self.size.contains(cell) {
                self.marks[self.size.index(cell)] = mark;
            }
        }
    }

    /// Measurements of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// What a cell shows.
    pub fn at(&self, cell: Cell) -> Option<Mark> {
        self.size.contains(cell).then(|| self.marks[self.size.index(cell)])
    }

    /// Whether there is room to mark the cell shot at last.
    pub fn marks_last(&self) -> bool {
        self.is_roomy()
    }

    /// The cell shot at last.
    pub fn last(&self) -> Option<Cell> {
        self.last
    }

    /// The drawing, one text a line, all of [`TextBoard::columns`] columns.
    pub fn lines(&self, glyphs: Glyphs) -> Vec<String> {
        self.painted_lines(|mark| glyphs.of(mark).to_string())
    }

    /// The drawing with every mark painted by the caller, who may add what takes no column, such as colour.
    pub fn painted_lines(&self, paint: impl Fn(Mark) -> String) -> Vec<String> {
        let mut lines = self.header();
        for row in 0..self.size.height() {
            let mut line = format!("{:>label$} ", row + 1, label = self.label_columns());
            for col in 0..self.size.width() {
                let cell = Cell::new(col, row);
                line.push_str(&paint(self.marks[self.size.index(cell)]));
                if self.is_roomy() {
                    line.push(if self.last == Some(cell) { '<' } else { ' ' });
                }
            }
            lines.push(line);
        }
        lines
    }

    /// Columns that a line of the drawing takes.
    pub fn columns(&self) -> usize {
        let cell = if self.is_roomy() { 2 } else { 1 };
        self.label_columns() + 1 + cell * usize::from(self.size.width())
    }

    fn open(size: Size) -> Self {
        Self { size, marks: vec![Mark::Open; size.area()], last: None }
    }

    fn mark_shots(&mut self, knowledge: &Knowledge, sunk: &CellSet) {
        self.mark(&knowledge.misses(), Mark::Miss);
        self.mark(knowledge.hits(), Mark::Hit);
        self.mark(sunk, Mark::Sunk);
        self.last = knowledge.last().map(|shot| shot.cell);
    }

    /// Wide boards leave out the space between cells, so that 50 columns fit a terminal.
    fn is_roomy(&self) -> bool {
        self.size.width() <= 36
    }

    fn label_columns(&self) -> usize {
        self.size.extent(Orientation::Down).to_string().len()
    }

    /// Column letters, from top to bottom where they have two.
    fn header(&self) -> Vec<String> {
        let names: Vec<String> = (0..self.size.width()).map(column_letters).collect();
        let height = names.iter().map(String::len).max().unwrap_or(0);
        let margin = " ".repeat(self.label_columns() + 1);
        let gap = if self.is_roomy() { " " } else { "" };
        let letter = |name: &String, line: usize| {
            let padded = format!("{name:>height$}");
            padded.chars().nth(line).unwrap_or(' ')
        };
        (0..height)
            .map(|line| names.iter().fold(margin.clone(), |text, name| format!("{text}{}{gap}", letter(name, line))))
            .collect()
    }
}
