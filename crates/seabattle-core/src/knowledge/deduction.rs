//! What follows from the answers: the cells of sunk ships, and the cells that cannot hold a ship.
//!
//! Every conclusion is certain, but not every certain conclusion is found: each ship is looked at alone.

use super::{Knowledge, Sinking};
use crate::{Announce, Cell, CellSet, ClassId, Orientation, Outcome, Ship, Shot, Touching};

impl Knowledge {
    /// The open cells that cannot hold a ship.
    pub fn impossible(&self) -> CellSet {
        let size = self.rules.size();
        let sunk = self.sunk_cells();
        let mut water = &self.misses() | sunk;
        match self.rules.touching() {
            Touching::Allowed => {}
            Touching::Corners => water |= &sunk.beside(),
            Touching::Forbidden => water |= &sunk.grown(),
        }
        let room = !&water;
        let mut possible = CellSet::empty(size);
        for class in self.rules.class_ids().filter(|&class| self.may_be_afloat(class)) {
            for ship in lines_in(&room, class, self.rules.class(class).length()) {
                if self.tolerates_hits(&ship) {
                    possible |= &CellSet::of_ship(size, &ship);
                }
            }
        }
        &self.open - &possible
    }

    /// Deduces the cells of a sunk ship: they are hits, and the sinking shot is among them.
    pub(super) fn deduce_sinking(&mut self, cell: Cell, announced: Option<ClassId>) {
        let (mut place, mut class) = (Agreement::Nothing, Agreement::Nothing);
        let apart = self.rules.touching() != Touching::Allowed;
        let hits = if apart { self.hits.clone() } else { self.open_hits() };
        let runs = Orientation::ALL.map(|orientation| Run::through(cell, orientation, &hits));
        let classes = self.rules.class_ids().filter(|&id| announced.is_none_or(|announced| announced == id));
        for id in classes.filter(|&id| *self.not_yet_sunk(id).end() > 0) {
            let length = self.rules.class(id).length();
            let headings = if length == 1 { &Orientation::ALL[..1] } else { &Orientation::ALL[..] };
            for (&orientation, run) in headings.iter().zip(&runs) {
                // Ships that lie apart are whole runs of hits.
                let whole = runs.iter().all(|run| run.length() <= length) && run.length() == length;
                if apart && !whole {
                    continue;
                }
                for start in run.starts(length) {
                    place.add(CellSet::of_ship(self.rules.size(), &Ship::new(id, length, start, orientation)));
                    class.add(id);
                }
            }
        }
        let cells = place.only();
        if let Some(cells) = &cells {
            self.sunk |= cells;
        }
        self.sinkings.push(Sinking { cell, class: announced.or(class.only()), cells });
    }

    /// Whether a hit contradicts the hits around it.
    ///
    /// It does if a sunk ship does not fit into the hits, if a run of hits needs one ship too many, or if hits touch at
    /// corners where ships may not.
    pub(super) fn contradicts(&self, shot: Shot) -> bool {
        if !shot.outcome.is_hit() {
            return false;
        }
        let size = self.rules.size();
        let own = CellSet::of(size, [shot.cell]);
        let corners = &own.grown() - &(&own.beside() | &own);
        if self.rules.touching() == Touching::Forbidden && corners.intersects(&self.hits) {
            return true;
        }
        if let Outcome::Hit(Some(class)) | Outcome::Sunk(Some(class)) = shot.outcome
            && self.rules.announce() == Announce::Named
        {
            let named = self.shots.iter().filter(
                |shot| matches!(shot.outcome, Outcome::Hit(named) | Outcome::Sunk(named) if named == Some(class)),
            );
            let ships = self.rules.class(class);
            if named.count() >= usize::from(ships.length()) * usize::from(ships.count()) {
                return true;
            }
        }
        match shot.outcome {
            Outcome::Sunk(announced) => !self.could_sink(shot.cell, announced),
            Outcome::Hit(_) | Outcome::Miss => false,
        }
    }

    /// Whether a ship can cover the cell and otherwise only hits that belong to no known sunk ship.
    fn could_sink(&self, cell: Cell, announced: Option<ClassId>) -> bool {
        let hits = self.open_hits();
        let classes = self.rules.class_ids().filter(|&id| announced.is_none_or(|announced| announced == id));
        classes.filter(|&id| *self.not_yet_sunk(id).end() > 0).any(|id| {
            let length = self.rules.class(id).length();
            Orientation::ALL.into_iter().any(|orientation| Run::through(cell, orientation, &hits).length() >= length)
        })
    }

    /// Whether no hit is in the water around a ship. Where ships may not touch, such a hit would be another ship.
    fn tolerates_hits(&self, ship: &Ship) -> bool {
        if self.rules.touching() == Touching::Allowed {
            return true;
        }
        let size = self.rules.size();
        let water = &ship.claim(size, self.rules.touching()) - &CellSet::of_ship(size, ship);
        !water.intersects(&self.hits)
    }
}

/// What all candidates have in common, if anything.
enum Agreement<T> {
    Nothing,
    One(T),
    Several,
}

impl<T: PartialEq> Agreement<T> {
    fn add(&mut self, candidate: T) {
        *self = match std::mem::replace(self, Self::Several) {
            Self::Nothing => Self::One(candidate),
            Self::One(known) if known == candidate => Self::One(known),
            Self::One(_) | Self::Several => Self::Several,
        };
    }

    fn only(self) -> Option<T> {
        match self {
            Self::One(known) => Some(known),
            Self::Nothing | Self::Several => None,
        }
    }
}

/// All placements of a ship inside a set of cells.
fn lines_in(room: &CellSet, class: ClassId, length: u8) -> impl Iterator<Item = Ship> {
    let headings = if length == 1 { &Orientation::ALL[..1] } else { &Orientation::ALL[..] };
    headings.iter().flat_map(move |&orientation| {
        let starts: Vec<Cell> = room.starts(length, orientation).iter().collect();
        starts.into_iter().map(move |start| Ship::new(class, length, start, orientation))
    })
}

/// The members of a set that are in one line with a cell, without a gap.
struct Run {
    cell: Cell,
    orientation: Orientation,
    before: u8,
    after: u8,
}

impl Run {
    fn through(cell: Cell, orientation: Orientation, set: &CellSet) -> Self {
        let inside = |part: &Option<Cell>| part.is_some_and(|part| set.contains(part));
        let count = |step: &dyn Fn(u8) -> Option<Cell>| (1..=u8::MAX).map(step).take_while(inside).count() as u8;
        Self {
            cell,
            orientation,
            before: count(&|steps| cell.step_back(orientation, steps)),
            after: count(&|steps| cell.step(orientation, steps)),
        }
    }

    fn length(&self) -> u8 {
        self.before + 1 + self.after
    }

    /// The first cells of all lines of a length that cover the cell and stay in the run.
    fn starts(&self, length: u8) -> impl Iterator<Item = Cell> + '_ {
        let least = (length - 1).saturating_sub(self.after);
        let most = self.before.min(length - 1);
        (least..=most).filter_map(|steps| self.cell.step_back(self.orientation, steps))
    }
}

#[cfg(test)]
mod tests {
    use crate::{CellSet, Knowledge};

    fn check_impossible(position: &str, picture: &str) {
        let knowledge: Knowledge = position.parse().unwrap();
        let expected: CellSet = picture.parse().unwrap();
        let impossible = knowledge.impossible();
        assert_eq!(impossible, expected, "{position}\n{impossible}");
    }

    #[test]
    fn a_hole_too_small_for_any_ship_is_impossible() {
        check_impossible("4x3:3,2 B1. A2.", "#...\n....\n....");
        check_impossible("3x3:3 B2.", "...\n...\n...");
        check_impossible("3x3:3 A2. B2. C2.", "...\n...\n...");
        check_impossible("3x3:3 B1. B2. B3.", "...\n...\n...");
        check_impossible("3x2:3 B1.", "#.#\n...");
    }

    #[test]
    fn water_around_a_sunk_ship_is_impossible_where_ships_may_not_touch() {
        check_impossible("4x4:2,1,touching=forbidden,announce=sunk B2x C2#", "####\n#..#\n####\n....");
        check_impossible("4x4:2,1,touching=corners,announce=sunk B2x C2#", ".##.\n#..#\n.##.\n....");
        check_impossible("4x4:2,1,announce=sunk B2x C2#", "....\n....\n....\n....");
    }

    #[test]
    fn corners_of_a_hit_are_impossible_where_ships_may_not_touch() {
        check_impossible("4x4:2,1,touching=forbidden,announce=sunk B2x", "#.#.\n....\n#.#.\n....");
    }

    #[test]
    fn only_lengths_still_afloat_count() {
        check_impossible("4x2:3,2 A2x B2x C2#3 D1.", "....\n...#");
        check_impossible("4x2:3,2 A2x B2#2 D1. C1.", "##..\n..##");
    }

    #[test]
    fn a_sunk_ship_is_found_where_only_one_line_of_hits_fits() {
        let check = |position: &str, cells: Option<&str>| {
            let knowledge: Knowledge = position.parse().unwrap();
            let found = knowledge.sinkings().last().unwrap().cells.clone();
            assert_eq!(found, cells.map(|picture| picture.parse().unwrap()), "{position}");
        };
        check("4x2:3,2 A1x B1#2", Some("##..\n...."));
        check("4x2:3,2 A1x C1x B1#2", None);
        check("4x2:3,2 A1x C1x B1#3", Some("###.\n...."));
        check("4x2:3,2,announce=sunk A1x C1x B1#", None);
        check("4x3:3,2,announce=sunk,touching=corners A1x C1x B1#", Some("###.\n....\n...."));
        check("4x2:2,2 A1x B1#2 B2x A2#2", Some("....\n##.."));
    }
}
