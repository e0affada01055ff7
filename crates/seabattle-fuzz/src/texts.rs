//! The text forms of the core: what is read prints as something that reads the same.

use seabattle_core::{Cell, CellSet, Fleet, Knowledge, Orientation, Placement, Record, Rules, Seed, Shot, layout};

use crate::under_rules;

/// The one-line form of rules. All rules have a legal fleet.
pub fn rules(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(rules) = text.parse::<Rules>() else { return };
    let printed = rules.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(&rules), "{printed}");
    assert_eq!(rules.draft().check().as_ref(), Ok(&rules), "{printed}");
    assert_eq!(layout::any(&rules, &mut Seed::new(1).rng()).rules(), &rules);
}

/// Cells, headings and pictures of sets of cells.
pub fn cells(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(cell) = text.parse::<Cell>() {
        assert_eq!(cell.to_string().parse(), Ok(cell));
    }
    if let Ok(orientation) = text.parse::<Orientation>() {
        assert_eq!(orientation.to_string().parse(), Ok(orientation));
    }
    if let Ok(set) = text.parse::<CellSet>() {
        assert_eq!(set.to_string().parse(), Ok(set));
    }
}

/// The position line. What is known of a cell is known once.
pub fn position(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let Ok(known) = text.parse::<Knowledge>() else { return };
    let printed = known.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(&known), "{printed}");
    for shot in known.shots() {
        assert!(!known.open().contains(shot.cell), "{shot:?} in {printed}");
        assert_eq!(known.hits().contains(shot.cell), shot.outcome.is_hit(), "{shot:?} in {printed}");
    }
    let size = known.rules().size();
    assert_eq!(known.shots().len() + known.open().len(), size.cells().count(), "{printed}");
    assert!(known.sunk_cells().iter().all(|cell| known.hits().contains(cell)), "{printed}");
}

/// Rules in the first line; then a fleet, a ship and a shot in as many ways as there are.
pub fn fleet(data: &[u8]) {
    let Some((rules, text)) = under_rules(data) else { return };
    if let Ok(fleet) = Fleet::parse(&rules, text) {
        let printed = fleet.to_string();
        assert_eq!(Fleet::parse(&rules, &printed).as_ref(), Ok(&fleet), "{printed}");
        assert_eq!(fleet.occupied().len(), rules.fleet_cells(), "{printed}");
    }
    for part in text.split(',') {
        let placement = Placement::parse(&rules, part);
        assert!(placement.is_ok() || placement.is_err_and(|why| !why.to_string().is_empty()));
        if let Ok(shot) = Shot::parse(&rules, part) {
            assert_eq!(Shot::parse(&rules, &shot.to_text(&rules)), Ok(shot), "{part}");
        }
    }
}

/// One record, of bytes that nobody has looked at.
pub fn record(data: &[u8]) {
    if let Ok(record) = Record::from_bytes(data) {
        sound(&record);
    }
}

/// A file of records: each that is read reads the same when it stands alone.
pub fn records(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let read: Vec<Record> = Record::parse_all(text).filter_map(Result::ok).collect();
    let printed: String = read.iter().map(|record| format!("{record}\n")).collect();
    let again: Vec<_> = Record::parse_all(&printed).collect();
    assert_eq!(again, read.iter().cloned().map(Ok).collect::<Vec<_>>(), "{printed}");
    read.iter().for_each(sound);
}

/// A record prints what it is, and replays to what it tells.
pub(crate) fn sound(record: &Record) {
    let printed = record.to_string();
    assert_eq!(printed.parse().as_ref(), Ok(record), "{printed}");
    if let Some(game) = record.replay() {
        assert_eq!(game.end(), record.end(), "{printed}");
        let fired: usize = record.turns().iter().map(|(_, shots)| shots.len()).sum();
        let answered = seabattle_core::Side::ALL.map(|side| game.knowledge(side).shots().len());
        assert_eq!(answered.iter().sum::<usize>(), fired, "{printed}");
    }
}
