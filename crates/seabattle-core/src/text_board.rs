//! Boards as text, with coordinates, for any size.

use crate::{Cell, CellSet, Fleet, FleetBuilder, Knowledge, Orientation, Size, column_letters};

/// What a cell of a text board shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mark {
    /// Nothing is known.
    Open,
    /// The cell was not shot at, but cannot hold a ship.
    Impossible,
    /// A miss.
    Miss,
    /// A hit on a ship that is afloat.
    Hit,
    /// A cell of a sunk ship.
    Sunk,
    /// A cell of a ship that was not hit.
    Ship,
}

impl Mark {
    /// All marks.
    pub const ALL: [Self; 6] = [Self::Open, Self::Impossible, Self::Miss, Self::Hit, Self::Sunk, Self::Ship];
}

/// The set of characters for marks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Glyphs {
    /// Only ASCII characters.
    Ascii,
    /// Unicode symbols, each one column wide.
    #[default]
    Unicode,
}

impl Glyphs {
    /// The character of a mark. All marks differ in shape, not only in color.
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

/// A board as text: a mark for every cell, and the cell of the last shot.
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
    /// The enemy's board as a shooter knows it.
    pub fn of_enemy(knowledge: &Knowledge) -> Self {
        let mut board = Self::open(knowledge.rules().size());
        board.mark_shots(knowledge, knowledge.sunk_cells());
        board
    }

    /// A fleet with the shots at it: one's own, or the enemy's once it is revealed.
    pub fn of_fleet(fleet: &Fleet, incoming: &Knowledge) -> Self {
        let mut board = Self::open(fleet.rules().size());
        board.mark(fleet.occupied(), Mark::Ship);
        board.mark_shots(incoming, &fleet.sunk_cells(incoming.hits()));
        board
    }

    /// The fleet of a builder.
    pub fn of_builder(builder: &FleetBuilder) -> Self {
        let mut board = Self::open(builder.rules().size());
        let cells = builder.ships().iter().flat_map(|ship| ship.cells());
        board.mark(&CellSet::of(board.size, cells), Mark::Ship);
        board
    }

    /// Changes the mark of some cells.
    pub fn mark(&mut self, cells: &CellSet, mark: Mark) {
        for cell in cells.iter() {
            if self.size.contains(cell) {
                self.marks[self.size.index(cell)] = mark;
            }
        }
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The mark of a cell; `None` outside the board.
    pub fn at(&self, cell: Cell) -> Option<Mark> {
        self.size.contains(cell).then(|| self.marks[self.size.index(cell)])
    }

    /// Whether the board is narrow enough to mark the cell of the last shot.
    pub fn marks_last(&self) -> bool {
        self.is_roomy()
    }

    /// The cell of the last shot.
    pub fn last(&self) -> Option<Cell> {
        self.last
    }

    /// The lines of the board, each [`TextBoard::columns`] columns wide.
    pub fn lines(&self, glyphs: Glyphs) -> Vec<String> {
        self.painted_lines(|mark| glyphs.of(mark).to_string())
    }

    /// The lines of the board with marks painted by the caller. The text of a mark may contain escape codes for color.
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

    /// The number of columns of a line.
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

    /// Whether there is a space between cells. Wide boards have none, so that 50 columns fit a terminal.
    fn is_roomy(&self) -> bool {
        self.size.width() <= 36
    }

    fn label_columns(&self) -> usize {
        self.size.extent(Orientation::Down).to_string().len()
    }

    /// The lines with the column letters: two where columns have two letters.
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
