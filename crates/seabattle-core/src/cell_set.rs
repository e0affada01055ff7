//! A set of cells of one board, with the operations of sets and a picture as its text form.

mod bits;

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Range, Sub};
use std::str::FromStr;

use thiserror::Error;

use crate::{Cell, Orientation, Ship, Size};
use bits::{Bits, WordOp};

/// A set of cells of one board.
///
/// Boards up to 128 cells, 10×10 among them, take two machine words and no allocation.
/// A cell outside the board is never a member. Operations on two sets expect boards of one size.
///
/// ```
/// use seabattle_core::{CellSet, Orientation};
///
/// let ship: CellSet = "....
///                      .###
///                      ....".parse()?;
/// assert_eq!(ship.len(), 3);
/// assert!(ship.contains("C2".parse()?));
/// assert_eq!(ship.starts(3, Orientation::Across).to_string(), "....\n.#..\n....\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellSet {
    size: Size,
    bits: Bits,
}

impl CellSet {
    /// The empty set.
    pub fn empty(size: Size) -> Self {
        Self { size, bits: Bits::zeros(size.area()) }
    }

    /// The set of all cells.
    pub fn full(size: Size) -> Self {
        Self { size, bits: Bits::ones(size.area()) }
    }

    /// The set of the given cells, without those outside the board.
    pub fn of(size: Size, cells: impl IntoIterator<Item = Cell>) -> Self {
        let mut set = Self::empty(size);
        for cell in cells {
            set.insert(cell);
        }
        set
    }

    /// The cells of a rectangle, as far as they are on the board.
    #[inline]
    pub fn rectangle(size: Size, cols: Range<u8>, rows: Range<u8>) -> Self {
        let clip = |range: Range<u8>, side: u8| {
            let end = range.end.min(side);
            usize::from(range.start.min(end))..usize::from(end)
        };
        let (cols, rows) = (clip(cols, size.width()), clip(rows, size.height()));
        if cols.is_empty() || rows.is_empty() {
            return Self::empty(size);
        }
        Self { size, bits: Bits::rectangle(usize::from(size.width()), size.area(), cols, rows) }
    }

    /// The cells of a ship, as far as they are on the board.
    #[inline]
    pub fn of_ship(size: Size, ship: &Ship) -> Self {
        let (cols, rows) = ship.extent();
        Self::rectangle(size, cols, rows)
    }

    /// The size of the board.
    #[inline]
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whether a cell is a member.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.size.contains(cell) && self.bits.get(self.size.index(cell))
    }

    /// Whether the cell with this index is a member. The index must be on the board.
    #[inline]
    pub(crate) fn has(&self, index: usize) -> bool {
        self.bits.get(index)
    }

    /// Adds the cell with this index. The index must be on the board.
    #[inline]
    pub(crate) fn put(&mut self, index: usize) {
        self.bits.set(index);
    }

    /// Removes the cell with this index. The index must be on the board.
    #[inline]
    pub(crate) fn drop(&mut self, index: usize) {
        self.bits.clear(index);
    }

    /// Adds a cell; has no effect outside the board.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        if self.size.contains(cell) {
            self.bits.set(self.size.index(cell));
        }
    }

    /// Removes a cell.
    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        if self.size.contains(cell) {
            self.bits.clear(self.size.index(cell));
        }
    }

    /// The members as bits, numbered like [`Size::index`], lowest word first; at least two words.
    #[inline]
    pub fn words(&self) -> &[u64] {
        self.bits.words()
    }

    /// The number of members.
    #[inline]
    pub fn len(&self) -> usize {
        self.bits.count()
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.bits.is_zero()
    }

    /// The member with exactly `rank` members before it, row by row.
    #[inline]
    pub fn nth(&self, rank: usize) -> Option<Cell> {
        self.bits.select(rank).map(|index| self.size.cell(index))
    }

    /// The first member, row by row.
    #[inline]
    pub fn first(&self) -> Option<Cell> {
        self.bits.next_from(0).map(|index| self.size.cell(index))
    }

    /// The members, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        std::iter::successors(self.bits.next_from(0), |&last| self.bits.next_from(last + 1))
            .map(|index| self.size.cell(index))
    }

    /// Whether the two sets share a cell.
    pub fn intersects(&self, other: &Self) -> bool {
        self.bits.intersects(&other.bits)
    }

    /// Whether every member is a member of the other set too.
    pub fn is_subset(&self, other: &Self) -> bool {
        (self - other).is_empty()
    }

    /// The cells directly above, below, left or right of a member. A member is included only if it is beside another.
    pub fn beside(&self) -> Self {
        let sideways = &self.moved_left() | &self.moved_right();
        &(&sideways | &self.moved_above()) | &self.moved_below()
    }

    /// The members and all eight cells around each.
    pub fn grown(&self) -> Self {
        let rows = &(self | &self.moved_left()) | &self.moved_right();
        &(&rows | &rows.moved_above()) | &rows.moved_below()
    }

    /// The first cells of all lines of this length that lie wholly inside the set.
    pub fn starts(&self, length: u8, orientation: Orientation) -> Self {
        let reach = self.size.extent(orientation);
        if length > reach {
            return Self::empty(self.size);
        }
        let stride = match orientation {
            Orientation::Across => 1,
            Orientation::Down => usize::from(self.size.width()),
        };
        let mut bits = self.bits.clone();
        for step in 1..usize::from(length) {
            bits = bits.combine(&self.bits.moved_down(step * stride), WordOp::And);
        }
        let starts = self.with(bits);
        match orientation {
            Orientation::Across => &starts & &Self::columns(self.size, 0..reach - length + 1),
            Orientation::Down => starts,
        }
    }

    fn columns(size: Size, columns: Range<u8>) -> Self {
        Self::rectangle(size, columns, 0..size.height())
    }

    fn moved_left(&self) -> Self {
        let inner = self - &Self::columns(self.size, 0..1);
        self.with(inner.bits.moved_down(1))
    }

    fn moved_right(&self) -> Self {
        let width = self.size.width();
        let inner = self - &Self::columns(self.size, width - 1..width);
        self.with(inner.bits.moved_up(1))
    }

    fn moved_above(&self) -> Self {
        self.with(self.bits.moved_down(usize::from(self.size.width())))
    }

    fn moved_below(&self) -> Self {
        let moved = self.with(self.bits.moved_up(usize::from(self.size.width())));
        &moved & &Self::full(self.size)
    }

    fn with(&self, bits: Bits) -> Self {
        Self { size: self.size, bits }
    }

    fn combine(&self, other: &Self, op: WordOp) -> Self {
        debug_assert_eq!(self.size, other.size, "sets of two boards");
        self.with(self.bits.combine(&other.bits, op))
    }
}

/// The union of two sets.
impl BitOr for &CellSet {
    type Output = CellSet;

    fn bitor(self, other: Self) -> CellSet {
        self.combine(other, WordOp::Or)
    }
}

/// Adds all members of another set.
impl BitOrAssign<&Self> for CellSet {
    fn bitor_assign(&mut self, other: &Self) {
        *self = &*self | other;
    }
}

/// The intersection of two sets.
impl BitAnd for &CellSet {
    type Output = CellSet;

    fn bitand(self, other: Self) -> CellSet {
        self.combine(other, WordOp::And)
    }
}

/// The difference of two sets.
impl Sub for &CellSet {
    type Output = CellSet;

    fn sub(self, other: Self) -> CellSet {
        self.combine(other, WordOp::AndNot)
    }
}

/// The complement on the same board.
impl Not for &CellSet {
    type Output = CellSet;

    fn not(self) -> CellSet {
        &CellSet::full(self.size) - self
    }
}

/// Prints a picture: one line for each row, `#` for a member, `.` for any other cell.
impl fmt::Display for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.size.height() {
            let mark = |col| if self.contains(Cell::new(col, row)) { '#' } else { '.' };
            let line: String = (0..self.size.width()).map(mark).collect();
            writeln!(f, "{line}")?;
        }
        Ok(())
    }
}

impl fmt::Debug for CellSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// Why a text is not a picture of a cell set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum ParseCellSetError {
    /// The picture has no row, or too many rows or columns.
    #[error("a picture has 1 to 50 rows of 1 to 50 marks")]
    Size,
    /// The rows have different lengths.
    #[error("row {row} differs in length from the first")]
    Ragged {
        /// The number of the row, counted from 1.
        row: usize,
    },
    /// A character is neither `#` nor `.`.
    #[error("row {row}: a mark is `#` or `.`, not {mark:?}")]
    Mark {
        /// The number of the row, counted from 1.
        row: usize,
        /// The character that was given.
        mark: char,
    },
}

/// Parses the picture that [`CellSet`] prints; white space around the rows is ignored.
impl FromStr for CellSet {
    type Err = ParseCellSetError;

    fn from_str(text: &str) -> Result<Self, ParseCellSetError> {
        let rows: Vec<&str> = text.trim().lines().map(str::trim).collect();
        let side = |count: usize| u8::try_from(count).map_err(|_| ParseCellSetError::Size);
        let first = rows.first().map_or(0, |row| row.chars().count());
        let size = Size::new(side(first)?, side(rows.len())?).ok_or(ParseCellSetError::Size)?;
        let mut set = Self::empty(size);
        for (row_index, row) in (0..size.height()).zip(&rows) {
            let row_number = usize::from(row_index) + 1;
            if row.chars().count() != first {
                return Err(ParseCellSetError::Ragged { row: row_number });
            }
            for (col, mark) in (0..size.width()).zip(row.chars()) {
                match mark {
                    '#' => set.insert(Cell::new(col, row_index)),
                    '.' => {}
                    _ => return Err(ParseCellSetError::Mark { row: row_number, mark }),
                }
            }
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::CellSet;
    use crate::{Cell, Orientation, Size};

    fn picture(text: &str) -> CellSet {
        text.parse().unwrap()
    }

    #[test]
    fn neighbours_do_not_wrap_around_the_edges() {
        let set = picture("#...\n...#\n....");
        assert_eq!(set.beside(), picture(".#.#\n#.#.\n...#"));
        assert_eq!(set.grown(), picture("####\n####\n..##"));
    }

    #[test]
    fn starts_of_lines_do_not_wrap_around_the_edges() {
        let set = picture(".##.\n####\n##.#");
        assert_eq!(set.starts(2, Orientation::Across), picture(".#..\n###.\n#..."));
        assert_eq!(set.starts(2, Orientation::Down), picture(".##.\n##.#\n...."));
        assert_eq!(set.starts(3, Orientation::Down), picture(".#..\n....\n...."));
        assert!(set.starts(4, Orientation::Down).is_empty());
        assert!(set.starts(5, Orientation::Across).is_empty());
    }

    #[test]
    fn large_and_small_boards_answer_alike() {
        for size in [Size::new(7, 3), Size::new(16, 8), Size::new(43, 3), Size::new(50, 50)] {
            let size = size.unwrap();
            let set = CellSet::of(size, size.cells().filter(|cell| (size.index(*cell) * 7) % 11 % 4 != 0));
            let naive_beside = |cell: Cell| {
                let (col, row) = (i16::from(cell.col()), i16::from(cell.row()));
                [(col - 1, row), (col + 1, row), (col, row - 1), (col, row + 1)]
                    .into_iter()
                    .filter_map(|(col, row)| Some(Cell::new(col.try_into().ok()?, row.try_into().ok()?)))
                    .any(|cell| set.contains(cell))
            };
            assert_eq!(set.beside(), CellSet::of(size, size.cells().filter(|&cell| naive_beside(cell))));
            assert_eq!(set.iter().count(), set.len());
            assert_eq!((!&set).len() + set.len(), size.area());
        }
    }

    #[test]
    fn a_cell_outside_is_never_a_member() {
        let mut set = CellSet::empty(Size::new(3, 3).unwrap());
        set.insert(Cell::new(3, 0));
        set.insert(Cell::new(0, 200));
        assert!(set.is_empty());
        assert!(!set.contains(Cell::new(3, 0)));
    }

    #[test]
    fn a_rectangle_is_clipped_to_the_board() {
        for (width, height) in [(16, 8), (11, 11), (3, 3), (50, 50)] {
            let size = Size::new(width, height).unwrap();
            assert!(CellSet::rectangle(size, 0..1, height..height + 1).is_empty());
            assert!(CellSet::rectangle(size, width..200, 0..1).is_empty());
            assert_eq!(CellSet::rectangle(size, 0..200, 0..200), CellSet::full(size));
            assert_eq!(CellSet::rectangle(size, width - 1..200, height - 1..255).len(), 1);
        }
    }

    #[test]
    fn bad_pictures_are_refused() {
        for text in ["", "..\n.", "..\n.x", &".".repeat(51)] {
            assert!(text.parse::<CellSet>().is_err(), "{text:?}");
        }
    }
}
