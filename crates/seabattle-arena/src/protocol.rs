//! The line protocol between the arena and a bot, as values and as text. `docs/protocol.md` describes it.

mod command;
mod fields;
mod reply;
mod serve;

pub use command::{ArenaCommand, CommandError, GameOutcome};
pub use fields::FieldsError;
pub use reply::{Reply, ReplyError};
pub use serve::{ServeError, serve};

use seabattle_core::{Cell, Fleet, FleetError, Placement, Rules};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The maximum length of a line without its newline. Every fleet of all rules fits.
pub const MOST_BYTES: usize = 65_536;

/// A text from a line, cut to a safe length for error messages.
fn shown(text: &str) -> String {
    const MOST: usize = 60;
    let mut shown: String = text.chars().take(MOST).collect();
    if text.chars().nth(MOST).is_some() {
        shown.push('…');
    }
    shown
}

/// The text of a fleet: both ends of every ship, in the order of the rules.
fn fleet_text(fleet: &Fleet) -> String {
    let mut ships = fleet.ships().to_vec();
    let order: Vec<_> = fleet.rules().draft().ships.into_iter().map(|(name, _)| name).collect();
    let place = |name: &str| order.iter().position(|other| other == name);
    ships.sort_by_key(|ship| place(fleet.rules().class(ship.class()).name()));
    let word = |ship: &seabattle_core::Ship| match ship.cells().last() {
        Some(last) if last != ship.start() => format!("{}-{last}", ship.start()),
        _ => ship.start().to_string(),
    };
    ships.iter().map(word).collect::<Vec<_>>().join(" ")
}

/// Makes a fleet from both ends of its ships, in the order of the rules.
pub(crate) fn fleet_of(rules: &Rules, ships: &[(Cell, Cell)]) -> Result<Fleet, FleetError> {
    let listed = rules.draft().ships;
    let surplus = listed.last();
    let names = listed.iter().chain(surplus).map(|(name, _)| name);
    let placement = |(&(from, to), name): (&(Cell, Cell), &String)| {
        Some(Placement::cells(rules.class_named(name)?, between(from, to)))
    };
    let placements: Vec<Placement> = ships.iter().zip(names).filter_map(placement).collect();
    Fleet::new(rules, &placements)
}

/// All cells from one end of a ship to the other. If the ends are not in line, only the ends, so that the error names them.
fn between(from: Cell, to: Cell) -> Vec<Cell> {
    if from.col() != to.col() && from.row() != to.row() {
        return vec![from, to];
    }
    let cols = from.col().min(to.col())..=from.col().max(to.col());
    let rows = from.row().min(to.row())..=from.row().max(to.row());
    rows.flat_map(|row| cols.clone().map(move |col| Cell::new(col, row))).collect()
}

#[cfg(test)]
mod tests {
    use seabattle_core::{Cell, Rules};

    use super::{Reply, fleet_of};

    fn ships(line: &str) -> Vec<(Cell, Cell)> {
        match Reply::parse(line) {
            Ok(Reply::Fleet(ships)) => ships,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_ends_of_a_ship_come_in_either_order() {
        let rules: Rules = "5x5:3,2".parse().unwrap();
        let forth = fleet_of(&rules, &ships("fleet B2-D2 E4-E5"));
        assert!(forth.is_ok());
        assert_eq!(fleet_of(&rules, &ships("fleet D2-B2 E5-E4")), forth);
    }
}
