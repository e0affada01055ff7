//! `adjacent`: random cells; after a hit, one of the cells next to it.

use super::{cells_from, neighbors, shots};
use seabattle_core::CellSet;

const RULES: &str = "classic";
const FLEET: &str = "carrier A1 down, battleship C1 across, cruiser E5 down, submarine F5 down, destroyer I10 across";

#[test]
fn cells_beside_a_hit_come_before_all_others() {
    for seed in 0..100 {
        let fired = shots("adjacent", RULES, FLEET, seed);
        let size = seabattle_core::Rules::classic().size();
        let (mut open, mut hits) = (CellSet::full(size), CellSet::empty(size));
        for shot in &fired {
            let candidates = &hits.beside() & &open;
            let allowed = candidates.is_empty() || candidates.contains(shot.cell);
            assert!(allowed, "seed {seed}: {} is not beside a hit, {candidates} are", shot.cell);
            open.remove(shot.cell);
            if shot.outcome.is_hit() {
                hits.insert(shot.cell);
            }
        }
    }
}

#[test]
fn a_lone_ship_is_surrounded_cell_by_cell() {
    let fired = cells_from("E5", "adjacent", "10x10:2,1", "2 E5 across, 1 A1");
    let beside_e5 = neighbors(fired[0], "10x10:2,1");
    assert!(beside_e5.contains(fired[1]), "{}", fired[1]);
    let ship = &neighbors(fired[0], "10x10:2,1") | &neighbors("F5".parse().unwrap(), "10x10:2,1");
    // Two hits and the six cells around them.
    assert!(fired[..8].iter().all(|cell| ship.contains(*cell)), "{fired:?}");
}
