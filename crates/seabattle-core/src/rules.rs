//! The rules of a game as one value: board, fleet, touching, turns, announcements and ending.

mod packing;
mod text;

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::{Cell, Orientation, Ship, Size};
use packing::Packing;

pub use text::ParseRulesError;

/// Valid rules: at least one legal fleet exists. Clones are cheap, and so is comparing two clones.
///
/// ```
/// use seabattle_core::Rules;
///
/// let rules: Rules = "classic,touching=forbidden".parse()?;
/// assert_eq!(rules.ship_count(), 5);
/// assert_eq!(rules.to_string(), "classic,touching=forbidden");
/// assert!("3x3:5".parse::<Rules>().is_err());
/// # Ok::<(), seabattle_core::ParseRulesError>(())
/// ```
#[derive(Clone)]
pub struct Rules(Arc<CheckedRules>);

/// A draft that was checked, with values derived from it.
struct CheckedRules {
    draft: RulesDraft,
    classes: Vec<ShipClass>,
    ship_count: usize,
    fleet_cells: usize,
    example: Vec<Ship>,
}

/// Rules that have not been checked yet; [`RulesDraft::check`] makes them valid or says why not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RulesDraft {
    /// The size of the board.
    pub size: Size,
    /// The name and length of every ship. Ships of one name are interchangeable.
    pub ships: Vec<(String, u8)>,
    /// Whether ships may touch.
    pub touching: Touching,
    /// Who fires when, and how many shots.
    pub turn: Turn,
    /// What the answer to a shot reveals.
    pub announce: Announce,
    /// When a game ends.
    pub ending: Ending,
}

/// Whether two ships of a fleet may be next to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Touching {
    /// Ships may be side by side.
    Allowed,
    /// Ships may be corner to corner, but not side by side.
    Corners,
    /// Every ship has water on all eight sides.
    Forbidden,
}

/// Who fires when, and how many shots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The sides fire one shot each in turn.
    Alternate,
    /// A hit gives another shot; a miss ends the turn.
    AgainOnHit,
    /// A turn has a fixed number of shots, answered together.
    Salvo(u16),
    /// A turn has as many shots as the shooter has ships afloat, answered together.
    SalvoOfShipsAfloat,
}

/// What the answer to a shot reveals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Announce {
    /// The answer is hit or miss. Sinkings stay secret.
    Hit,
    /// The answer also says that a ship sank.
    Sunk,
    /// The answer also names the ship that sank.
    Which,
    /// Every hit names the ship.
    Named,
}

/// When a game ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// The game ends as soon as a fleet is sunk.
    AtOnce,
    /// The game ends when a fleet is sunk and both sides have had equally many turns. If both are sunk, it is a draw.
    EqualTurns,
}

/// A class of interchangeable ships: one name, one length.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShipClass {
    name: Box<str>,
    length: u8,
    count: u16,
}

impl ShipClass {
    /// The name of the class, as it is announced and typed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of cells of each ship.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// The number of ships of this class in a fleet.
    pub fn count(&self) -> u16 {
        self.count
    }
}

/// The identifier of a ship class, numbered from the longest on; [`Rules::class`] has its name and length.
///
/// It is valid only for the rules it came from, like an index of a list. Other rules may panic on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(u8);

impl ClassId {
    /// The index of the class in [`Rules::classes`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Rules {
    /// The most ship classes that rules may have.
    pub const MAX_CLASSES: usize = 64;

    /// The preset `classic`: 10×10, carrier 5, battleship 4, cruiser 3, submarine 3, destroyer 2. Ships may touch,
    /// the sides fire one shot each in turn, and a sunk ship is named.
    pub fn classic() -> Self {
        preset(RulesDraft::classic())
    }

    /// The preset `russian`: 10×10, ships of 4, 3, 3, 2, 2, 2, 1, 1, 1, 1 cells. Ships may not touch,
    /// a hit gives another shot, and sinkings are announced.
    pub fn russian() -> Self {
        preset(RulesDraft::russian())
    }

    /// The preset `salvo`: like `classic`, but each turn has as many shots as the shooter has ships afloat.
    pub fn salvo() -> Self {
        preset(RulesDraft::salvo())
    }

    /// The size of the board.
    #[inline]
    pub fn size(&self) -> Size {
        self.0.draft.size
    }

    /// Whether ships may touch.
    #[inline]
    pub fn touching(&self) -> Touching {
        self.0.draft.touching
    }

    /// Who fires when, and how many shots.
    #[inline]
    pub fn turn(&self) -> Turn {
        self.0.draft.turn
    }

    /// What the answer to a shot reveals.
    #[inline]
    pub fn announce(&self) -> Announce {
        self.0.draft.announce
    }

    /// When a game ends.
    #[inline]
    pub fn ending(&self) -> Ending {
        self.0.draft.ending
    }

    /// The ship classes, longest first.
    #[inline]
    pub fn classes(&self) -> &[ShipClass] {
        &self.0.classes
    }

    /// The identifiers of all ship classes, longest first.
    pub fn class_ids(&self) -> impl DoubleEndedIterator<Item = ClassId> + ExactSizeIterator + use<> {
        (0..self.0.classes.len() as u8).map(ClassId)
    }

    /// A ship class by its identifier.
    pub fn class(&self, id: ClassId) -> &ShipClass {
        &self.0.classes[id.index()]
    }

    /// The ship class with this name.
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        self.class_ids().find(|&id| self.class(id).name.eq_ignore_ascii_case(name))
    }

    /// The number of ships in a fleet.
    #[inline]
    pub fn ship_count(&self) -> usize {
        self.0.ship_count
    }

    /// The number of cells that a fleet covers.
    #[inline]
    pub fn fleet_cells(&self) -> usize {
        self.0.fleet_cells
    }

    /// A ship of a class at a place, on the board or not.
    pub fn ship(&self, class: ClassId, start: Cell, orientation: Orientation) -> Ship {
        Ship::new(class, self.class(class).length, start, orientation)
    }

    /// A draft of the same rules, which can be changed.
    pub fn draft(&self) -> RulesDraft {
        self.0.draft.clone()
    }

    /// One legal layout. It proves that the rules can be played; it is not a good fleet.
    pub(crate) fn example(&self) -> &[Ship] {
        &self.0.example
    }
}

fn preset(draft: RulesDraft) -> Rules {
    match draft.check() {
        Ok(rules) => rules,
        Err(violation) => unreachable!("a preset is valid: {violation}"),
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.draft == other.0.draft
    }
}

impl Eq for Rules {}

impl std::hash::Hash for Rules {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.draft.hash(state);
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rules({self})")
    }
}

/// Why rules cannot be played.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum RulesError {
    /// The fleet has no ship.
    #[error("a fleet needs at least one ship")]
    NoShips,
    /// A ship has the length 0.
    #[error("ship {name}: a ship has at least one cell")]
    NoCells {
        /// The name of the ship.
        name: String,
    },
    /// A name contains characters that are not allowed.
    #[error(
        "ship name {name:?}: a name is its length, or a lower-case letter and up to 19 more letters, digits or hyphens, \
         and none of touching, turn, announce, ending"
    )]
    Name {
        /// The name that was given.
        name: String,
    },
    /// Ships of one name have different lengths.
    #[error("ship {name}: all ships of one name have the same length")]
    TwoLengths {
        /// The name of these ships.
        name: String,
    },
    /// There are more than [`Rules::MAX_CLASSES`] ship classes.
    #[error("at most {} different ships, not {count}", Rules::MAX_CLASSES)]
    TooManyClasses {
        /// The number of classes that were given.
        count: usize,
    },
    /// A salvo has no shot, or more shots than any board has cells.
    #[error("a salvo has 1 to 2500 shots, not {shots}")]
    Salvo {
        /// The number of shots that was given.
        shots: u16,
    },
    /// A ship is longer than the board.
    #[error("ship {name} has {length} cells, more than a {size} board is long")]
    ShipTooLong {
        /// The name of the ship.
        name: String,
        /// The length of the ship.
        length: u8,
        /// The size of the board.
        size: Size,
    },
    /// The ships have more cells than the board.
    #[error("the ships need {needed} cells{margins}, a {size} board offers {offered}")]
    TooManyCells {
        /// The cells that the ships need, with their share of the water between them.
        needed: usize,
        /// How the water between ships was counted; empty if it was not.
        margins: &'static str,
        /// The cells that the board offers.
        offered: usize,
        /// The size of the board.
        size: Size,
    },
    /// No layout fits the board: all were tried.
    #[error("no layout of these ships fits a {size} board")]
    NoRoom {
        /// The size of the board.
        size: Size,
    },
    /// The search found neither a layout nor a proof that there is none.
    #[error(
        "no layout of these ships on a {size} board was found in {steps} steps of search: take fewer or shorter ships, or a larger board"
    )]
    TooCrowded {
        /// The size of the board.
        size: Size,
        /// The number of steps of the search.
        steps: usize,
    },
}

impl RulesDraft {
    fn classic() -> Self {
        let ships = [("carrier", 5), ("battleship", 4), ("cruiser", 3), ("submarine", 3), ("destroyer", 2)];
        Self {
            size: TEN_BY_TEN,
            ships: ships.map(|(name, length)| (name.to_owned(), length)).to_vec(),
            touching: Touching::Allowed,
            turn: Turn::Alternate,
            announce: Announce::Which,
            ending: Ending::AtOnce,
        }
    }

    fn russian() -> Self {
        Self {
            ships: [4, 3, 3, 2, 2, 2, 1, 1, 1, 1].map(|length| (length.to_string(), length)).to_vec(),
            touching: Touching::Forbidden,
            turn: Turn::AgainOnHit,
            announce: Announce::Sunk,
            ..Self::classic()
        }
    }

    fn salvo() -> Self {
        Self { turn: Turn::SalvoOfShipsAfloat, ..Self::classic() }
    }

    /// Checks the draft: valid rules, or the first reason why they cannot be played.
    pub fn check(self) -> Result<Rules, RulesError> {
        self.check_within(packing::MAX_STEPS)
    }

    /// Checks the draft like [`RulesDraft::check`], but searches for a layout for at most `steps` steps, not 200,000.
    ///
    /// A fleet with room to spare needs about as many steps as it has ships.
    pub fn check_within(mut self, steps: usize) -> Result<Rules, RulesError> {
        self.ships.sort_by_key(|(_, length)| std::cmp::Reverse(*length));
        let classes = self.classes()?;
        self.group_ships(&classes);
        if let Turn::Salvo(shots) = self.turn
            && !(1..=2500).contains(&shots)
        {
            return Err(RulesError::Salvo { shots });
        }
        self.check_room()?;
        let example = match packing::pack(self.size, self.touching, &classes, steps) {
            Packing::Fits(ships) => ships,
            Packing::Impossible => return Err(RulesError::NoRoom { size: self.size }),
            Packing::TooManySteps { steps } => return Err(RulesError::TooCrowded { size: self.size, steps }),
        };
        Ok(Rules(Arc::new(CheckedRules {
            ship_count: self.ships.len(),
            fleet_cells: self.cells(),
            draft: self,
            classes,
            example,
        })))
    }

    fn cells(&self) -> usize {
        self.ships.iter().map(|(_, length)| usize::from(*length)).sum()
    }

    #[inline]
    fn classes(&self) -> Result<Vec<ShipClass>, RulesError> {
        let mut classes: Vec<ShipClass> = Vec::new();
        for (name, length) in &self.ships {
            check_ship(name, *length, self.size)?;
            match classes.iter_mut().find(|class| *class.name == **name) {
                Some(class) if class.length != *length => {
                    return Err(RulesError::TwoLengths { name: name.clone() });
                }
                Some(class) => class.count = class.count.saturating_add(1),
                None => classes.push(ShipClass { name: name.as_str().into(), length: *length, count: 1 }),
            }
            if classes.len() > Rules::MAX_CLASSES {
                return Err(RulesError::TooManyClasses { count: classes.len() });
            }
        }
        if classes.is_empty() {
            return Err(RulesError::NoShips);
        }
        Ok(classes)
    }

    /// Sorts the ships by class, longest first; classes of one length keep their order.
    fn group_ships(&mut self, classes: &[ShipClass]) {
        let place = |name: &str| classes.iter().position(|class| *class.name == *name);
        self.ships.sort_by_key(|(name, _)| place(name));
    }

    /// Checks bounds that need no search. Where ships may not touch, each ship also needs the cells to its right
    /// and below it. These do not overlap on a board that is one cell wider and higher.
    fn check_room(&self) -> Result<(), RulesError> {
        let (width, height) = (usize::from(self.size.width()), usize::from(self.size.height()));
        let (needed, offered, margins) = match self.touching {
            Touching::Allowed | Touching::Corners => (self.cells(), width * height, ""),
            Touching::Forbidden => (
                self.ships.iter().map(|(_, length)| 2 * (usize::from(*length) + 1)).sum(),
                (width + 1) * (height + 1),
                " with the water between them and along two edges",
            ),
        };
        if needed > offered {
            return Err(RulesError::TooManyCells { needed, margins, offered, size: self.size });
        }
        Ok(())
    }
}

fn check_ship(name: &str, length: u8, size: Size) -> Result<(), RulesError> {
    if length == 0 {
        return Err(RulesError::NoCells { name: name.to_owned() });
    }
    if !(is_ship_name(name) || *name == length.to_string()) {
        return Err(RulesError::Name { name: name.to_owned() });
    }
    if length > size.width().max(size.height()) {
        return Err(RulesError::ShipTooLong { name: name.to_owned(), length, size });
    }
    Ok(())
}

fn is_ship_name(name: &str) -> bool {
    let follows = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    name.len() <= 20
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(follows)
        && !text::KEYS.contains(&name)
}

const TEN_BY_TEN: Size = match Size::new(10, 10) {
    Some(size) => size,
    None => panic!("10 is a legal side"),
};
