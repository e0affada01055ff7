//! Proposed placements of ships, and everything that can be wrong with them.

use std::fmt;

use thiserror::Error;

use crate::{Cell, ClassId, Orientation, Rules, Ship, Size, Touching};

/// A proposed placement of a ship. Nothing about it has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// The class of the ship.
    pub class: ClassId,
    /// The cells of the ship.
    pub shape: Shape,
}

/// The cells of a proposed ship.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// The ship starts at a cell and has the length of its class.
    Line {
        /// The leftmost or topmost cell.
        start: Cell,
        /// How the ship points.
        orientation: Orientation,
    },
    /// The ship has these cells, in any order.
    Cells(Vec<Cell>),
}

impl Placement {
    /// A placement by the first cell and the orientation.
    pub fn line(class: ClassId, start: Cell, orientation: Orientation) -> Self {
        Self { class, shape: Shape::Line { start, orientation } }
    }

    /// A placement by a list of cells.
    pub fn cells(class: ClassId, cells: impl IntoIterator<Item = Cell>) -> Self {
        Self { class, shape: Shape::Cells(cells.into_iter().collect()) }
    }

    /// The leftmost or topmost cell, if there is one.
    fn first_cell(&self) -> Option<Cell> {
        match &self.shape {
            Shape::Line { start, .. } => Some(*start),
            Shape::Cells(cells) => cells.iter().min().copied(),
        }
    }

    /// Parses `carrier A1 across` or `carrier A1 B1 C1 D1 E1`. A ship of one cell needs no orientation.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, ParsePlacementError> {
        let mut words = text.split_whitespace();
        let name = words.next().ok_or(ParsePlacementError::Empty)?;
        let class = rules.class_named(name).ok_or_else(|| ParsePlacementError::ship(rules, name))?;
        let rest: Vec<&str> = words.take(usize::from(Size::MAX_SIDE) + 1).collect();
        let cell = |word: &str| word.parse::<Cell>().map_err(|_| ParsePlacementError::cell(word));
        match *rest.as_slice() {
            [] => Err(ParsePlacementError::Nowhere { ship: name.to_owned() }),
            [start] if rules.class(class).length() == 1 => Ok(Self::line(class, cell(start)?, Orientation::Across)),
            [start] => Err(ParsePlacementError::NoOrientation { ship: name.to_owned(), start: cell(start)? }),
            [start, last] if last.parse::<Cell>().is_err() => {
                let orientation = last.parse().map_err(|_| ParsePlacementError::Orientation { text: shown(last) })?;
                Ok(Self::line(class, cell(start)?, orientation))
            }
            _ => Ok(Self::cells(class, rest.into_iter().map(cell).collect::<Result<Vec<_>, _>>()?)),
        }
    }
}

/// Why a text is not a placement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParsePlacementError {
    /// The text is empty.
    #[error("a ship, a cell and a direction are needed, as in carrier A1 across")]
    Empty,
    /// The rules have no such ship.
    #[error("there is no ship {name:?}; the fleet has {known}")]
    Ship {
        /// The name that was given.
        name: String,
        /// The names of the ships in the rules.
        known: String,
    },
    /// A ship has no cell.
    #[error("the {ship} needs a cell and a direction, as in {ship} A1 across")]
    Nowhere {
        /// The name of the ship.
        ship: String,
    },
    /// A ship has no orientation.
    #[error("the {ship} needs a direction: {ship} {start} across, or {ship} {start} down")]
    NoOrientation {
        /// The name of the ship.
        ship: String,
        /// The first cell of the ship.
        start: Cell,
    },
    /// A word is neither `across` nor `down`.
    #[error("{text:?} is not a direction: a ship points across or down")]
    Orientation {
        /// The text that was given.
        text: String,
    },
    /// A word is not a cell.
    #[error("{text:?} is not a cell: a cell is a column letter and a row number, as in B7")]
    Cell {
        /// The text that was given.
        text: String,
    },
    /// The text has more ships than any fleet.
    #[error("more than {} ships", MAX_SHIPS)]
    TooMany,
}

impl ParsePlacementError {
    fn ship(rules: &Rules, name: &str) -> Self {
        let known: Vec<&str> = rules.classes().iter().map(|class| class.name()).collect();
        Self::Ship { name: shown(name), known: known.join(", ") }
    }

    fn cell(text: &str) -> Self {
        Self::Cell { text: shown(text) }
    }
}

/// The most ships of a list: the number of cells of the largest board.
const MAX_SHIPS: usize = Size::MAX_SIDE as usize * Size::MAX_SIDE as usize;

pub(super) fn parse_list(rules: &Rules, text: &str) -> Result<Vec<Placement>, ParsePlacementError> {
    let parts: Vec<&str> = text.split(',').take(MAX_SHIPS + 1).collect();
    if parts.len() > MAX_SHIPS {
        return Err(ParsePlacementError::TooMany);
    }
    parts.into_iter().map(|part| Placement::parse(rules, part)).collect()
}

/// The first characters of a text, for an error message.
fn shown(text: &str) -> String {
    text.chars().take(30).collect()
}

/// The most violations that an error message lists; it counts the others.
const MAX_LISTED: usize = 20;

/// Everything that is wrong with some placements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetError {
    /// The violations, at least one. Each names its ship and, where there is one, its cell.
    pub violations: Vec<Violation>,
}

impl fmt::Display for FleetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messages: Vec<String> = self.violations.iter().take(MAX_LISTED).map(Violation::to_string).collect();
        f.write_str(&messages.join("; "))?;
        match self.violations.len().saturating_sub(MAX_LISTED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more reasons"),
        }
    }
}

impl std::error::Error for FleetError {}

/// One thing that is wrong with the placement of one ship.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{ship}: {kind}")]
pub struct Violation {
    /// The name of the ship.
    pub ship: String,
    /// What is wrong with its placement.
    pub kind: ViolationKind,
}

/// What is wrong with a placement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ViolationKind {
    /// The ship is not wholly on the board.
    #[error("{cell} is outside the {size} board")]
    Outside {
        /// The first cell for which this is so.
        cell: Cell,
        /// The size of the board.
        size: Size,
    },
    /// The ship overlaps another ship.
    #[error("{cell} is taken by the {other}")]
    Overlap {
        /// The first cell for which this is so.
        cell: Cell,
        /// The name of the other ship.
        other: String,
    },
    /// The ship is too near to another ship.
    #[error("{cell} touches the {other} at {other_cell}")]
    Touching {
        /// The cell of the proposed ship.
        cell: Cell,
        /// The name of the other ship.
        other: String,
        /// Its cell.
        other_cell: Cell,
    },
    /// The list has too many or too few cells.
    #[error("{given} cells from {cell}, but it has {length}")]
    WrongLength {
        /// The first cell of the list.
        cell: Cell,
        /// The number of different cells in the list.
        given: usize,
        /// The number of cells of the ship.
        length: u8,
    },
    /// The cells are not in one row or column.
    #[error("{cell} is not in line with the cells before it")]
    NotStraight {
        /// The first cell for which this is so.
        cell: Cell,
    },
    /// The list leaves out a cell between two others.
    #[error("there is a gap at {cell}")]
    Gap {
        /// The first missing cell.
        cell: Cell,
    },
    /// The list has a cell twice.
    #[error("{cell} is named twice")]
    Repeated {
        /// The repeated cell.
        cell: Cell,
    },
    /// The list is empty.
    #[error("it has no cells")]
    NoCells,
    /// Some ships of a class are missing.
    #[error("{count} not placed")]
    Missing {
        /// The number of missing ships.
        count: u16,
    },
    /// There are more ships of a class than the rules have.
    #[error("one too many at {cell}, the fleet has {allowed}")]
    TooMany {
        /// The first cell of the ship that is one too many.
        cell: Cell,
        /// The number of ships of the class in a fleet.
        allowed: u16,
    },
}

/// The most conflicts that are listed for one ship.
const MAX_CONFLICTS: usize = 8;

/// Checks all placements together: the ships of a legal fleet, or all violations.
pub(super) fn check(rules: &Rules, placements: &[Placement]) -> Result<Vec<Ship>, FleetError> {
    let mut ships = Vec::new();
    let mut violations = Vec::new();
    let mut given = vec![0_u16; rules.classes().len()];
    for placement in placements {
        let given = &mut given[placement.class.index()];
        *given = given.saturating_add(1);
        let class = rules.class(placement.class);
        let surplus = *given > class.count();
        match validate(rules, &ships, placement, surplus) {
            Ok(ship) => ships.push(ship),
            Err(refused) => {
                ships.extend(refused.shape);
                let refuse = |kind| Violation { ship: class.name().to_owned(), kind };
                violations.extend(refused.kinds.into_iter().map(refuse));
            }
        }
    }
    for id in rules.class_ids() {
        let class = rules.class(id);
        let count = class.count().saturating_sub(given[id.index()]);
        if count > 0 {
            violations.push(Violation { ship: class.name().to_owned(), kind: ViolationKind::Missing { count } });
        }
    }
    if violations.is_empty() { Ok(ships) } else { Err(FleetError { violations }) }
}

/// What is wrong with a placement, and the ship that it means, if its cells have the shape of one.
pub(crate) struct InvalidPlacement {
    pub(crate) kinds: Vec<ViolationKind>,
    shape: Option<Ship>,
}

/// Checks one placement beside other ships; `surplus` says that the fleet has no more ships of the class.
pub(crate) fn validate(
    rules: &Rules,
    others: &[Ship],
    placement: &Placement,
    surplus: bool,
) -> Result<Ship, InvalidPlacement> {
    let shape = shape(rules, placement);
    let mut kinds = Vec::new();
    if surplus && let Some(cell) = placement.first_cell() {
        kinds.push(ViolationKind::TooMany { cell, allowed: rules.class(placement.class).count() });
    }
    match shape {
        Ok(ship) => {
            kinds.extend(place_reasons(rules, others, &ship));
            if kinds.is_empty() { Ok(ship) } else { Err(InvalidPlacement { kinds, shape: Some(ship) }) }
        }
        Err(more) => {
            kinds.extend(more);
            Err(InvalidPlacement { kinds, shape: None })
        }
    }
}

/// The conflicts of a ship with the edge of the board and with other ships.
fn place_reasons(rules: &Rules, others: &[Ship], ship: &Ship) -> Vec<ViolationKind> {
    let size = rules.size();
    let outside = ship.cells().find(|&cell| !size.contains(cell));
    let outside = outside.map(|cell| ViolationKind::Outside { cell, size });
    let near = others.iter().filter_map(|other| conflict(rules, ship, other)).take(MAX_CONFLICTS);
    outside.into_iter().chain(near).collect()
}

fn conflict(rules: &Rules, ship: &Ship, other: &Ship) -> Option<ViolationKind> {
    if !ship.conflicts(other, rules.touching()) {
        return None;
    }
    let name = || rules.class(other.class()).name().to_owned();
    if let Some(cell) = ship.cells().find(|&cell| other.covers(cell)) {
        return Some(ViolationKind::Overlap { cell, other: name() });
    }
    let pairs = || ship.cells().flat_map(|cell| other.cells().map(move |other_cell| (cell, other_cell)));
    let (cell, other_cell) = pairs().find(|&(a, b)| touch(a, b, rules.touching()))?;
    Some(ViolationKind::Touching { cell, other: name(), other_cell })
}

fn touch(a: Cell, b: Cell, touching: Touching) -> bool {
    let (cols, rows) = (a.col().abs_diff(b.col()), a.row().abs_diff(b.row()));
    match touching {
        Touching::Allowed => false,
        Touching::Corners => cols + rows <= 1,
        Touching::Forbidden => cols <= 1 && rows <= 1,
    }
}

/// The ship that a placement means, if its cells have the shape of one.
fn shape(rules: &Rules, placement: &Placement) -> Result<Ship, Vec<ViolationKind>> {
    match &placement.shape {
        Shape::Line { start, orientation } => Ok(rules.ship(placement.class, *start, *orientation)),
        Shape::Cells(cells) => shape_of_cells(rules, placement.class, cells),
    }
}

fn shape_of_cells(rules: &Rules, class: ClassId, cells: &[Cell]) -> Result<Ship, Vec<ViolationKind>> {
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    let mut kinds = Vec::new();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        kinds.push(ViolationKind::Repeated { cell: pair[0] });
    }
    sorted.dedup();
    let Some(&start) = sorted.first() else {
        return Err(vec![ViolationKind::NoCells]);
    };
    let orientation = match sorted.get(1) {
        Some(second) if second.row() != start.row() => Orientation::Down,
        _ => Orientation::Across,
    };
    let in_line = |cell: &Cell| match orientation {
        Orientation::Across => cell.row() == start.row(),
        Orientation::Down => cell.col() == start.col(),
    };
    if let Some(&cell) = sorted.iter().find(|cell| !in_line(cell)) {
        kinds.push(ViolationKind::NotStraight { cell });
    } else {
        let line = (0..=u8::MAX).map_while(|step| start.step(orientation, step));
        let gap = line.zip(&sorted).find(|(expected, cell)| expected != *cell);
        kinds.extend(gap.map(|(cell, _)| ViolationKind::Gap { cell }));
    }
    let length = rules.class(class).length();
    if sorted.len() != usize::from(length) {
        kinds.push(ViolationKind::WrongLength { cell: start, given: sorted.len(), length });
    }
    if kinds.is_empty() {
        return Ok(rules.ship(class, start, orientation));
    }
    let size = rules.size();
    let outside = sorted.iter().find(|&&cell| !size.contains(cell));
    kinds.extend(outside.map(|&cell| ViolationKind::Outside { cell, size }));
    Err(kinds)
}
