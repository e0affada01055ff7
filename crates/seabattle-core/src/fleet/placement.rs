//! Proposed ships, and all the reasons why they make no fleet.

use std::fmt;

use thiserror::Error;

use crate::{Cell, ClassId, Orientation, Rules, Ship, Size, Touching};

/// A proposal: a ship of this class, there. Nothing about it is checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placement {
    /// Which ship.
    pub class: ClassId,
    /// Where.
    pub shape: Shape,
}

/// Where a proposed ship lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// From a cell on, as long as the ship is.
    Line {
        /// Leftmost or topmost cell.
        start: Cell,
        /// Direction.
        orientation: Orientation,
    },
    /// On these cells, in any order.
    Cells(Vec<Cell>),
}

impl Placement {
    /// A ship from a cell on.
    pub fn line(class: ClassId, start: Cell, orientation: Orientation) -> Self {
        Self { class, shape: Shape::Line { start, orientation } }
    }

    /// A ship on a list of cells.
    pub fn cells(class: ClassId, cells: impl IntoIterator<Item = Cell>) -> Self {
        Self { class, shape: Shape::Cells(cells.into_iter().collect()) }
    }

    /// The first cell, by place.
    fn first_cell(&self) -> Option<Cell> {
        match &self.shape {
            Shape::Line { start, .. } => Some(*start),
            Shape::Cells(cells) => cells.iter().min().copied(),
        }
    }

    /// Reads `carrier A1 across`, or `carrier A1 B1 C1 D1 E1`. A ship of one cell needs no direction.
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

/// Why a text is no placement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ParsePlacementError {
    /// No text.
    #[error("a ship, a cell and a direction are needed, as in carrier A1 across")]
    Empty,
    /// No such ship in these rules.
    #[error("there is no ship {name:?}; the fleet has {known}")]
    Ship {
        /// What stood there.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A ship alone.
    #[error("the {ship} needs a cell and a direction, as in {ship} A1 across")]
    Nowhere {
        /// Its name.
        ship: String,
    },
    /// A ship and a cell alone.
    #[error("the {ship} needs a direction: {ship} {start} across, or {ship} {start} down")]
    NoOrientation {
        /// Its name.
        ship: String,
        /// Its cell.
        start: Cell,
    },
    /// Neither `across` nor `down`.
    #[error("{text:?} is no direction: a ship lies across or down")]
    Orientation {
        /// What stood there.
        text: String,
    },
    /// No cell.
    #[error("{text:?} is no cell: a cell is a column letter and a row number, as in B7")]
    Cell {
        /// What stood there.
        text: String,
    },
    /// More ships than any fleet has.
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

/// As many ships as the largest board has cells.
const MAX_SHIPS: usize = Size::MAX_SIDE as usize * Size::MAX_SIDE as usize;

pub(super) fn parse_list(rules: &Rules, text: &str) -> Result<Vec<Placement>, ParsePlacementError> {
    let parts: Vec<&str> = text.split(',').take(MAX_SHIPS + 1).collect();
    if parts.len() > MAX_SHIPS {
        return Err(ParsePlacementError::TooMany);
    }
    parts.into_iter().map(|part| Placement::parse(rules, part)).collect()
}

/// What an error repeats of a text that may be hostile.
fn shown(text: &str) -> String {
    text.chars().take(30).collect()
}

/// Reasons that are written out; the others are counted.
const MOST_SHOWN: usize = 20;

/// All the reasons why some placements are no fleet, at least one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FleetError {
    /// Each names its ship and, where there is one, its cell.
    pub refusals: Vec<Refusal>,
}

impl fmt::Display for FleetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reasons: Vec<String> = self.refusals.iter().take(MOST_SHOWN).map(Refusal::to_string).collect();
        f.write_str(&reasons.join("; "))?;
        match self.refusals.len().saturating_sub(MOST_SHOWN) {
            0 => Ok(()),
            more => write!(f, "; and {more} more reasons"),
        }
    }
}

impl std::error::Error for FleetError {}

/// One reason why one ship cannot be placed so.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{ship}: {reason}")]
pub struct Refusal {
    /// Name of the ship.
    pub ship: String,
    /// What is wrong with it.
    pub reason: Reason,
}

/// What is wrong with a placement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Reason {
    /// Off the board.
    #[error("{cell} is outside the {size} board")]
    Outside {
        /// The first such cell.
        cell: Cell,
        /// Of the board.
        size: Size,
    },
    /// On another ship.
    #[error("{cell} is taken by the {other}")]
    Overlap {
        /// The first such cell.
        cell: Cell,
        /// The ship that lies there.
        other: String,
    },
    /// Too near to another ship.
    #[error("{cell} touches the {other} at {other_cell}")]
    Touching {
        /// Cell of the ship proposed.
        cell: Cell,
        /// The ship that lies too near.
        other: String,
        /// Its cell.
        other_cell: Cell,
    },
    /// A list of too many or too few cells.
    #[error("{given} cells from {cell}, but it has {length}")]
    WrongLength {
        /// First cell.
        cell: Cell,
        /// Different cells in the list.
        given: usize,
        /// Cells of the ship.
        length: u8,
    },
    /// A list of cells that are not in one row or column.
    #[error("{cell} is not in line with the cells before it")]
    NotStraight {
        /// The first such cell.
        cell: Cell,
    },
    /// A list of cells with a hole.
    #[error("there is a gap at {cell}")]
    Gap {
        /// The first cell that is missing.
        cell: Cell,
    },
    /// A list that has a cell twice.
    #[error("{cell} is named twice")]
    Repeated {
        /// The cell.
        cell: Cell,
    },
    /// A list of nothing.
    #[error("it lies nowhere")]
    NoCells,
    /// Not all ships of the class are there.
    #[error("{count} not placed")]
    Missing {
        /// How many are missing.
        count: u16,
    },
    /// More ships of the class than the rules have.
    #[error("one too many at {cell}, the fleet has {allowed}")]
    TooMany {
        /// First cell of the ship too many.
        cell: Cell,
        /// Ships of the class in a fleet.
        allowed: u16,
    },
}

/// Other ships named as being in the way of one; more would help nobody.
const MOST_CONFLICTS: usize = 8;

/// The ships, if all placements together make a legal fleet.
pub(super) fn check(rules: &Rules, placements: &[Placement]) -> Result<Vec<Ship>, FleetError> {
    let mut ships = Vec::new();
    let mut refusals = Vec::new();
    let mut given = vec![0_u16; rules.classes().len()];
    for placement in placements {
        let given = &mut given[placement.class.index()];
        *given = given.saturating_add(1);
        let class = rules.class(placement.class);
        let surplus = *given > class.count();
        match examine(rules, &ships, placement, surplus) {
            Ok(ship) => ships.push(ship),
            Err(refused) => {
                ships.extend(refused.shape);
                let refuse = |reason| Refusal { ship: class.name().to_owned(), reason };
                refusals.extend(refused.reasons.into_iter().map(refuse));
            }
        }
    }
    for id in rules.class_ids() {
        let class = rules.class(id);
        let count = class.count().saturating_sub(given[id.index()]);
        if count > 0 {
            refusals.push(Refusal { ship: class.name().to_owned(), reason: Reason::Missing { count } });
        }
    }
    if refusals.is_empty() { Ok(ships) } else { Err(FleetError { refusals }) }
}

/// Why a ship cannot be placed so, and what its cells would be, if they are a ship at all.
pub(crate) struct Refused {
    pub(crate) reasons: Vec<Reason>,
    shape: Option<Ship>,
}

/// The ship that a placement means, if it can lie there beside others and is not one too many.
pub(crate) fn examine(rules: &Rules, others: &[Ship], placement: &Placement, surplus: bool) -> Result<Ship, Refused> {
    let shape = shape(rules, placement);
    let mut reasons = Vec::new();
    if surplus && let Some(cell) = placement.first_cell() {
        reasons.push(Reason::TooMany { cell, allowed: rules.class(placement.class).count() });
    }
    match shape {
        Ok(ship) => {
            reasons.extend(place_reasons(rules, others, &ship));
            if reasons.is_empty() { Ok(ship) } else { Err(Refused { reasons, shape: Some(ship) }) }
        }
        Err(more) => {
            reasons.extend(more);
            Err(Refused { reasons, shape: None })
        }
    }
}

/// Why a ship cannot lie where it is proposed beside ships that are there already.
fn place_reasons(rules: &Rules, others: &[Ship], ship: &Ship) -> Vec<Reason> {
    let size = rules.size();
    let outside = ship.cells().find(|&cell| !size.contains(cell));
    let outside = outside.map(|cell| Reason::Outside { cell, size });
    let near = others.iter().filter_map(|other| conflict(rules, ship, other)).take(MOST_CONFLICTS);
    outside.into_iter().chain(near).collect()
}

fn conflict(rules: &Rules, ship: &Ship, other: &Ship) -> Option<Reason> {
    if !ship.conflicts(other, rules.touching()) {
        return None;
    }
    let name = || rules.class(other.class()).name().to_owned();
    if let Some(cell) = ship.cells().find(|&cell| other.covers(cell)) {
        return Some(Reason::Overlap { cell, other: name() });
    }
    let pairs = || ship.cells().flat_map(|cell| other.cells().map(move |other_cell| (cell, other_cell)));
    let (cell, other_cell) = pairs().find(|&(a, b)| touch(a, b, rules.touching()))?;
    Some(Reason::Touching { cell, other: name(), other_cell })
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
fn shape(rules: &Rules, placement: &Placement) -> Result<Ship, Vec<Reason>> {
    match &placement.shape {
        Shape::Line { start, orientation } => Ok(rules.ship(placement.class, *start, *orientation)),
        Shape::Cells(cells) => shape_of_cells(rules, placement.class, cells),
    }
}

fn shape_of_cells(rules: &Rules, class: ClassId, cells: &[Cell]) -> Result<Ship, Vec<Reason>> {
    let mut sorted = cells.to_vec();
    sorted.sort_unstable();
    let mut reasons = Vec::new();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        reasons.push(Reason::Repeated { cell: pair[0] });
    }
    sorted.dedup();
    let Some(&start) = sorted.first() else {
        return Err(vec![Reason::NoCells]);
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
        reasons.push(Reason::NotStraight { cell });
    } else {
        let line = (0..=u8::MAX).map_while(|step| start.step(orientation, step));
        let gap = line.zip(&sorted).find(|(expected, cell)| expected != *cell);
        reasons.extend(gap.map(|(cell, _)| Reason::Gap { cell }));
    }
    let length = rules.class(class).length();
    if sorted.len() != usize::from(length) {
        reasons.push(Reason::WrongLength { cell: start, given: sorted.len(), length });
    }
    if reasons.is_empty() {
        return Ok(rules.ship(class, start, orientation));
    }
    let size = rules.size();
    let outside = sorted.iter().find(|&&cell| !size.contains(cell));
    reasons.extend(outside.map(|&cell| Reason::Outside { cell, size }));
    Err(reasons)
}
