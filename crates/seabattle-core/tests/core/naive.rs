//! A reference implementation of legal fleets, slow and simple, on lists of coordinates.

use std::collections::BTreeSet;

use seabattle_core::{Cell, Fleet, Rules, Touching};

/// A cell as column and row.
pub(crate) type Point = (i32, i32);

/// A fleet as a set of ships, each its name and its sorted points: one value for each layout.
pub(crate) type Picture = BTreeSet<(String, Vec<Point>)>;

pub(crate) fn point(cell: Cell) -> Point {
    (i32::from(cell.col()), i32::from(cell.row()))
}

/// All straight placements of a ship of this length.
pub(crate) fn places(width: i32, height: i32, length: i32) -> Vec<Vec<Point>> {
    let mut places = BTreeSet::new();
    for row in 0..height {
        for col in 0..width {
            let across: Vec<Point> = (0..length).map(|step| (col + step, row)).collect();
            let down: Vec<Point> = (0..length).map(|step| (col, row + step)).collect();
            let on_board = |line: &Vec<Point>| line.iter().all(|&(col, row)| col < width && row < height);
            places.extend([across, down].into_iter().filter(on_board));
        }
    }
    places.into_iter().collect()
}

/// Whether two ships may be in one fleet, by the distances of their cells.
pub(crate) fn agree(one: &[Point], two: &[Point], touching: Touching) -> bool {
    let pairs = || one.iter().flat_map(|a| two.iter().map(move |b| ((a.0 - b.0).abs(), (a.1 - b.1).abs())));
    match touching {
        Touching::Allowed => pairs().all(|(cols, rows)| cols + rows > 0),
        Touching::Corners => pairs().all(|(cols, rows)| cols + rows > 1),
        Touching::Forbidden => pairs().all(|(cols, rows)| cols.max(rows) > 1),
    }
}

/// All legal fleets, found by trying every placement of every ship.
pub(crate) fn all_fleets(rules: &Rules) -> BTreeSet<Picture> {
    let (width, height) = (i32::from(rules.size().width()), i32::from(rules.size().height()));
    let ships: Vec<(String, Vec<Vec<Point>>)> = rules
        .draft()
        .ships
        .into_iter()
        .map(|(name, length)| (name, places(width, height, i32::from(length))))
        .collect();
    let mut found = BTreeSet::new();
    place_rest(&ships, rules.touching(), &mut Vec::new(), &mut found);
    found
}

fn place_rest(
    ships: &[(String, Vec<Vec<Point>>)],
    touching: Touching,
    placed: &mut Vec<(String, Vec<Point>)>,
    found: &mut BTreeSet<Picture>,
) {
    let Some(((name, places), rest)) = ships.split_first() else {
        found.insert(placed.iter().cloned().collect());
        return;
    };
    for place in places {
        if placed.iter().all(|(_, other)| agree(place, other, touching)) {
            placed.push((name.clone(), place.clone()));
            place_rest(rest, touching, placed, found);
            placed.pop();
        }
    }
}

/// Whether ships of these lengths fit the board.
pub(crate) fn fits(width: i32, height: i32, lengths: &[i32], touching: Touching) -> bool {
    fn search(places: &[Vec<Vec<Point>>], touching: Touching, placed: &mut Vec<Vec<Point>>) -> bool {
        let Some((first, rest)) = places.split_first() else { return true };
        first.iter().any(|place| {
            let fits = placed.iter().all(|other| agree(place, other, touching));
            placed.push(place.clone());
            let found = fits && search(rest, touching, placed);
            placed.pop();
            found
        })
    }
    let places: Vec<_> = lengths.iter().map(|&length| places(width, height, length)).collect();
    search(&places, touching, &mut Vec::new())
}

pub(crate) fn picture(fleet: &Fleet) -> Picture {
    let ship = |ship: &seabattle_core::Ship| {
        let mut points: Vec<Point> = ship.cells().map(point).collect();
        points.sort_unstable();
        (fleet.rules().class(ship.class()).name().to_owned(), points)
    };
    fleet.ships().iter().map(ship).collect()
}
