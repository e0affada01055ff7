//! The rules that a network is trained for, with its ship classes sorted into slots.

use seabattle_core::{Announce, ClassId, Rules, Touching};

/// The number of slots of every network, used or not.
pub(crate) const SLOTS: usize = 5;

/// A slot: the ships of one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) length: u8,
    /// The number of ships; 0 if the slot is not used.
    pub(crate) ships: u8,
}

/// The board and the ship classes of a network.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FleetSlots {
    /// The number of cells along a side of the board.
    pub(crate) side: u8,
    pub(crate) touching: bool,
    pub(crate) slots: [Slot; SLOTS],
}

impl FleetSlots {
    /// Whether these are the rules, regardless of turns and endings.
    pub(crate) fn fit(&self, rules: &Rules) -> bool {
        let touching = if self.touching { Touching::Allowed } else { Touching::Forbidden };
        let used = self.slots.iter().filter(|slot| slot.ships > 0).count();
        (rules.size().width(), rules.size().height()) == (self.side, self.side)
            && rules.touching() == touching
            && self.announces_enough(rules.announce())
            && rules.classes().len() == used
            && rules.class_ids().all(|class| self.slot_of(rules, class).is_some())
    }

    /// Whether answers reveal which ship sank: by name, or by its cells if ships cannot touch and lengths are distinct.
    fn announces_enough(&self, announce: Announce) -> bool {
        let used = || self.slots.iter().filter(|slot| slot.ships > 0);
        let length_reveals_class =
            !self.touching && used().all(|slot| used().filter(|other| other.length == slot.length).count() == 1);
        announce == Announce::Which || announce == Announce::Sunk && length_reveals_class
    }

    /// The slot of ships of a length; the first if there are several.
    pub(crate) fn slot_of_length(&self, length: usize) -> Option<usize> {
        self.slots.iter().position(|slot| slot.ships > 0 && usize::from(slot.length) == length)
    }

    /// The slot of a class: equal classes take equal slots in order.
    pub(crate) fn slot_of(&self, rules: &Rules, class: ClassId) -> Option<usize> {
        let length_and_count = |class: ClassId| (rules.class(class).length(), rules.class(class).count());
        let before = rules.class_ids().take_while(|&other| other != class);
        let equal_classes_before = before.filter(|&other| length_and_count(other) == length_and_count(class)).count();
        let fits = |slot: &Slot| (slot.length, u16::from(slot.ships)) == length_and_count(class);
        (0..SLOTS).filter(|&at| fits(&self.slots[at])).nth(equal_classes_before)
    }

    /// Two slots that differ only in their names.
    pub(crate) fn interchangeable_slots(&self) -> Option<(usize, usize)> {
        let used = (0..SLOTS).filter(|&at| self.slots[at].ships > 0);
        used.flat_map(|a| (a + 1..SLOTS).map(move |b| (a, b))).find(|&(a, b)| self.slots[a] == self.slots[b])
    }

    pub(crate) fn area(&self) -> usize {
        usize::from(self.side) * usize::from(self.side)
    }

    pub(crate) fn fleet_cells(&self) -> usize {
        self.slots.iter().map(|slot| usize::from(slot.length) * usize::from(slot.ships)).sum()
    }
}
