//! Everything that makes one Battleship differ from another, as one plain value.

mod packing;
mod text;

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::{Cell, Orientation, Ship, Size};
use packing::Packing;

pub use text::ParseRulesError;

/// Valid rules: at least one legal fleet exists. Cheap to clone and to compare with a clone of itself.
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
pub struct Rules(Arc<Checked>);

struct Checked {
    draft: RulesDraft,
    classes: Vec<ShipClass>,
    ship_count: usize,
    fleet_cells: usize,
    example: Vec<Ship>,
}

/// Rules that nobody has checked yet; [`RulesDraft::check`] makes them valid or says why not.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct RulesDraft {
    /// Measurements of the board.
    pub size: Size,
    /// Name and length of every ship. Ships of one name are interchangeable.
    pub ships: Vec<(String, u8)>,
    /// How near ships may lie to each other.
    pub touching: Touching,
    /// Who fires when, and how often.
    pub turn: Turn,
    /// What the shooter is told.
    pub announce: Announce,
    /// When the game is over.
    pub ending: Ending,
}

/// How near two ships of a fleet may lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Touching {
    /// Side by side is allowed.
    Allowed,
    /// Corner to corner is allowed, side by side is not.
    Corners,
    /// Water on all eight sides.
    Forbidden,
}

/// Who fires when, and how many shots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Turn {
    /// One shot each.
    Alternate,
    /// A hit gives another shot; a miss ends the turn.
    AgainOnHit,
    /// A fixed number of shots, answered together.
    Salvo(u16),
    /// As many shots as one's own ships afloat, answered together.
    SalvoOfShipsAfloat,
}

/// What the shooter is told of a shot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Announce {
    /// Hit or miss, never that a ship sank.
    Hit,
    /// Also that a ship sank.
    Sunk,
    /// Also which ship sank.
    Which,
    /// Every hit names its ship.
    Named,
}

/// When the game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ending {
    /// As soon as a fleet is sunk.
    AtOnce,
    /// When a fleet is sunk and both sides have had as many turns; both sunk is a draw.
    EqualTurns,
}

/// Ships that cannot be told apart: one name, one length.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ShipClass {
    name: Box<str>,
    length: u8,
    count: u16,
}

impl ShipClass {
    /// The name, as it is announced and typed.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Cells per ship.
    pub fn length(&self) -> u8 {
        self.length
    }

    /// Ships of this class in a fleet.
    pub fn count(&self) -> u16 {
        self.count
    }
}

/// A ship class of some rules, longest first; [`Rules::class`] has its name and length.
///
/// It means something only to the rules it came from, like an index to its list: other rules may panic on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ClassId(u8);

impl ClassId {
    /// Its place in [`Rules::classes`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl Rules {
    /// The most ship classes that rules may have.
    pub const MAX_CLASSES: usize = 64;

    /// 10×10, carrier 5, battleship 4, cruiser 3, submarine 3, destroyer 2; ships may touch;
    /// one shot each in turn; the ship that sinks is named.
    pub fn classic() -> Self {
        preset(RulesDraft::classic())
    }

    /// 10×10, ships of 4, 3, 3, 2, 2, 2, 1, 1, 1, 1 cells that may not touch; a hit shoots again;
    /// sinking is announced.
    pub fn russian() -> Self {
        preset(RulesDraft::russian())
    }

    /// Classic, but each turn has as many shots as one's own ships afloat.
    pub fn salvo() -> Self {
        preset(RulesDraft::salvo())
    }

    /// Measurements of the board.
    #[inline]
    pub fn size(&self) -> Size {
        self.0.draft.size
    }

    /// How near ships may lie to each other.
    #[inline]
    pub fn touching(&self) -> Touching {
        self.0.draft.touching
    }

    /// Who fires when, and how often.
    #[inline]
    pub fn turn(&self) -> Turn {
        self.0.draft.turn
    }

    /// What the shooter is told.
    #[inline]
    pub fn announce(&self) -> Announce {
        self.0.draft.announce
    }

    /// When the game is over.
    #[inline]
    pub fn ending(&self) -> Ending {
        self.0.draft.ending
    }

    /// The ship classes, longest first.
    #[inline]
    pub fn classes(&self) -> &[ShipClass] {
        &self.0.classes
    }

    /// The names under which the classes are known to a game, longest first.
    pub fn class_ids(&self) -> impl DoubleEndedIterator<Item = ClassId> + ExactSizeIterator + use<> {
        (0..self.0.classes.len() as u8).map(ClassId)
    }

    /// One ship class.
    pub fn class(&self, id: ClassId) -> &ShipClass {
        &self.0.classes[id.index()]
    }

    /// The class of this name.
    pub fn class_named(&self, name: &str) -> Option<ClassId> {
        self.class_ids().find(|&id| self.class(id).name.eq_ignore_ascii_case(name))
    }

    /// Ships in a fleet.
    #[inline]
    pub fn ship_count(&self) -> usize {
        self.0.ship_count
    }

    /// Cells that the ships of a fleet cover together.
    #[inline]
    pub fn fleet_cells(&self) -> usize {
        self.0.fleet_cells
    }

    /// A ship of a class at a place, be it on the board or not.
    pub fn ship(&self, class: ClassId, start: Cell, orientation: Orientation) -> Ship {
        Ship::new(class, self.class(class).length, start, orientation)
    }

    /// The same rules, open to change.
    pub fn draft(&self) -> RulesDraft {
        self.0.draft.clone()
    }

    /// One legal layout: the proof that the rules can be played, not a good fleet.
    pub(crate) fn example(&self) -> &[Ship] {
        &self.0.example
    }
}

fn preset(draft: RulesDraft) -> Rules {
    match draft.check() {
        Ok(rules) => rules,
        Err(refusal) => unreachable!("a preset is valid: {refusal}"),
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
    /// A fleet of nothing.
    #[error("a fleet needs at least one ship")]
    NoShips,
    /// A ship of length 0.
    #[error("ship {name}: a ship has at least one cell")]
    NoCells {
        /// Of the ship.
        name: String,
    },
    /// A name that could not be typed or told from other text.
    #[error(
        "ship name {name:?}: a name is its length, or a lower-case letter and up to 19 more letters, digits or hyphens, \
         and none of touching, turn, announce, ending"
    )]
    Name {
        /// As given.
        name: String,
    },
    /// One name for two lengths.
    #[error("ship {name}: all ships of one name have the same length")]
    TwoLengths {
        /// The name used twice.
        name: String,
    },
    /// More classes than a game can tell apart.
    #[error("at most {} different ships, not {count}", Rules::MAX_CLASSES)]
    TooManyClasses {
        /// How many there were.
        count: usize,
    },
    /// A salvo of nothing, or of more shots than any board has cells.
    #[error("a salvo has 1 to 2500 shots, not {shots}")]
    Salvo {
        /// As given.
        shots: u16,
    },
    /// A ship longer than the board.
    #[error("ship {name} has {length} cells, more than a {size} board is long")]
    ShipTooLong {
        /// Of the ship.
        name: String,
        /// Of the ship.
        length: u8,
        /// Of the board.
        size: Size,
    },
    /// The ships have more cells than the board.
    #[error("the ships need {needed} cells{margins}, a {size} board offers {offered}")]
    TooManyCells {
        /// Cells of the ships, with their share of the water between them.
        needed: usize,
        /// How the water between ships was counted, if it was.
        margins: &'static str,
        /// Cells to put them on.
        offered: usize,
        /// Of the board.
        size: Size,
    },
    /// Every layout was tried.
    #[error("no layout of these ships fits a {size} board")]
    NoRoom {
        /// Of the board.
        size: Size,
    },
    /// Neither a layout nor a proof that there is none was found.
    #[error(
        "no layout of these ships on a {size} board was found in {steps} steps of search: take fewer or shorter ships, or a larger board"
    )]
    TooCrowded {
        /// Of the board.
        size: Size,
        /// Length of the search.
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

    /// Valid rules, or the first reason why these cannot be played.
    pub fn check(self) -> Result<Rules, RulesError> {
        self.check_within(packing::MAX_STEPS)
    }

    /// Valid rules, if at most `steps` steps of search find a layout; 200,000 where nothing is said.
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
            Packing::GaveUp { steps } => return Err(RulesError::TooCrowded { size: self.size, steps }),
        };
        Ok(Rules(Arc::new(Checked {
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

    /// Ships of one class stand together, longest first; classes of one length keep their order.
    fn group_ships(&mut self, classes: &[ShipClass]) {
        let place = |name: &str| classes.iter().position(|class| *class.name == *name);
        self.ships.sort_by_key(|(name, _)| place(name));
    }

    /// Bounds that need no search. Where ships may not touch, each ship owns the cells right of it
    /// and below it as well, and no cell is owned twice on a board one cell longer and wider.
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
