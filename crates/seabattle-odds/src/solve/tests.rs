//! The solver against known values, and against exhaustive search by the definition.

use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;

use seabattle_core::{Cell, CellSet, Fleet, Outcome, Rules, layout};

use super::position::Position;
use super::{Limits, Solution, SolveError, solve};

fn solved(rules: &str) -> Solution {
    let rules: Rules = rules.parse().unwrap();
    solve(&rules, Limits::default(), &AtomicBool::new(false)).unwrap()
}

fn solve_error(rules: &str, limits: Limits) -> SolveError {
    solve(&rules.parse().unwrap(), limits, &AtomicBool::new(false)).unwrap_err()
}

/// An exhaustive search that tries every open cell after every answer of the core.
struct BruteForce {
    fleets: Vec<Fleet>,
    /// Whether to use the table. Without it, on the smallest boards, the search is only the definition.
    uses_table: bool,
    transposition_table: HashMap<(Vec<usize>, CellSet), u64>,
}

impl BruteForce {
    fn shots(rules: &Rules, uses_table: bool) -> u64 {
        let fleets: Vec<Fleet> = layout::all(rules).collect();
        let ids: Vec<usize> = (0..fleets.len()).collect();
        let mut search = Self { fleets, uses_table, transposition_table: HashMap::new() };
        search.fewest(ids, &CellSet::full(rules.size()), &CellSet::empty(rules.size()))
    }

    fn fewest(&mut self, ids: Vec<usize>, open: &CellSet, hits: &CellSet) -> u64 {
        if self.fleets[ids[0]].occupied() == hits {
            return 0;
        }
        let position = (ids, open.clone());
        if let Some(shots) = self.transposition_table.get(&position) {
            return *shots;
        }
        let shots = open.iter().map(|cell| self.after(cell, &position.0, open, hits)).min().unwrap();
        if self.uses_table {
            self.transposition_table.insert(position, shots);
        }
        shots
    }

    fn after(&mut self, cell: Cell, ids: &[usize], open: &CellSet, hits: &CellSet) -> u64 {
        let mut answers: BTreeMap<Outcome, Vec<usize>> = BTreeMap::new();
        for &id in ids {
            answers.entry(self.fleets[id].answer(cell, hits)).or_default().push(id);
        }
        let mut open = open.clone();
        open.remove(cell);
        let mut shots = ids.len() as u64;
        for (outcome, ids) in answers {
            let mut hits = hits.clone();
            if outcome.is_hit() {
                hits.insert(cell);
            }
            shots += self.fewest(ids, &open, &hits);
        }
        shots
    }
}

fn check_against_brute_force(boards: &[&str], uses_table: bool) {
    for board in boards {
        for touching in ["allowed", "corners", "forbidden"] {
            for announce in ["hit", "sunk", "which", "named"] {
                let text = format!("{board},touching={touching},announce={announce}");
                if let Ok(rules) = text.parse::<Rules>() {
                    assert_eq!(solved(&text).total_shots, BruteForce::shots(&rules, uses_table), "{text}");
                }
            }
        }
    }
}

#[test]
fn agrees_with_brute_force_without_a_table() {
    let boards = ["1x1:1", "2x2:1", "2x2:2", "3x2:2", "3x2:2,1", "2x3:1,1", "3x2:2,2", "1x5:2,1", "6x1:2,2", "7x1:3,2"];
    check_against_brute_force(&boards, false);
}

#[test]
fn agrees_with_brute_force_on_small_boards() {
    let boards = [
        "3x3:3",
        "3x3:2",
        "3x3:3,2",
        "3x3:2,2",
        "3x3:a=2,b=2",
        "3x3:3,1,1",
        "8x1:3,2,1",
        "8x1:2,2,1",
        "3x2:1,1,1,1,1",
        "3x2:2,1,1,1",
    ];
    check_against_brute_force(&boards, true);
}

fn check(rules: &str, layouts: u64, total_shots: u64, greedy_total_shots: u64, first_shot: &str) {
    let first_shot = first_shot.parse().unwrap();
    assert_eq!(solved(rules), Solution { layouts, total_shots, first_shot, greedy_total_shots }, "{rules}");
}

#[test]
fn known_values() {
    check("3x3:2", 12, 54, 54, "B2");
    check("4x4:2", 24, 146, 146, "B2");
    check("4x4:3", 16, 90, 92, "B2");
    check("5x5:2", 40, 328, 328, "B2");
    check("5x5:3", 30, 207, 213, "C2");
    check("4x4:2,2", 224, 1942, 1958, "B2");
    check("4x4:3,2", 264, 2311, 2352, "B2");
}

#[test]
fn known_values_by_announcement() {
    check("4x4:3,2,announce=hit", 264, 2468, 2474, "B2");
    check("4x4:3,2,announce=sunk", 264, 2332, 2368, "B2");
    check("4x4:3,2,announce=named", 264, 2290, 2307, "B2");
}

#[test]
fn known_values_on_five_by_five() {
    check("5x5:2", 40, 328, 328, "B2");
    check("5x5:3", 30, 207, 213, "C2");
    check("5x5:4", 20, 142, 144, "B2");
}

/// The shots of the greedy player at one fleet, each chosen by counting the consistent layouts.
fn greedy_shots(secret: &Fleet, layouts: &[Fleet]) -> u64 {
    let size = secret.rules().size();
    let mut possible: Vec<&Fleet> = layouts.iter().collect();
    let (mut open, mut hits) = (CellSet::full(size), CellSet::empty(size));
    for shots in 0.. {
        if hits == *secret.occupied() {
            return shots;
        }
        let covering = |cell: &Cell| possible.iter().filter(|fleet| fleet.occupied().contains(*cell)).count();
        let likeliest = open.iter().map(|cell| (covering(&cell), std::cmp::Reverse(cell))).max().unwrap().1.0;
        let answer = secret.answer(likeliest, &hits);
        possible.retain(|fleet| fleet.answer(likeliest, &hits) == answer);
        open.remove(likeliest);
        if answer.is_hit() {
            hits.insert(likeliest);
        }
    }
    unreachable!("the board has an end")
}

#[test]
fn the_greedy_player_is_played_as_described() {
    for board in ["3x3:2", "4x3:3,2", "3x3:2,2", "3x3:2,1,1", "5x5:3"] {
        for announce in ["hit", "sunk", "which", "named"] {
            let text = format!("{board},announce={announce}");
            let layouts: Vec<Fleet> = layout::all(&text.parse().unwrap()).collect();
            let shots: u64 = layouts.iter().map(|secret| greedy_shots(secret, &layouts)).sum();
            assert_eq!(solved(&text).greedy_total_shots, shots, "{text}");
        }
    }
}

#[test]
fn a_board_on_its_side_is_the_same_board() {
    for announce in ["hit", "sunk", "which", "named"] {
        let wide = solved(&format!("5x2:3,2,announce={announce}"));
        let high = solved(&format!("2x5:3,2,announce={announce}"));
        assert_eq!(wide.total_shots, high.total_shots);
    }
}

#[test]
fn problems_that_are_too_large_are_errors() {
    let limits = Limits::default();
    assert!(matches!(solve_error("10x10:2", limits), SolveError::TooLarge { .. }));
    assert!(matches!(solve_error("6x6:1,1,1,1,1,1,1", limits), SolveError::TooManyShips { ships: 7 }));
    assert!(matches!(solve_error("8x8:4,3,2", limits), SolveError::TooManyLayouts { .. }));
    assert_eq!(
        solve_error("3x3:2", Limits { max_layouts: 11, ..limits }),
        SolveError::TooManyLayouts { max_layouts: 11 }
    );
    let little = Limits { max_memory_bytes: 1000, ..limits };
    assert!(matches!(solve_error("4x4:3,2", little), SolveError::OutOfMemory { max_memory_bytes: 1000, .. }));
}

#[test]
fn problems_beyond_the_position_limit_are_refused_before_the_search() {
    let limits = Limits::default();
    assert!(matches!(solve_error("8x8:2", limits), SolveError::TooManyPositions { positions: 50_000_001.., .. }));
    assert!(matches!(solve_error("6x5:3,2", limits), SolveError::TooManyPositions { positions: 50_000_001.., .. }));
    let short = Limits { max_positions: 50_000, ..limits };
    assert!(matches!(solve_error("5x4:3,2", short), SolveError::TooManyPositions { max_positions: 50_000, .. }));
    let none = Limits { max_positions: 0, ..limits };
    assert!(matches!(solve_error("4x4:3,2", none), SolveError::TooManyPositions { max_positions: 0, .. }));
}

#[test]
fn problems_beyond_the_memory_limit_are_refused_before_the_search() {
    let limits = Limits { max_positions: u64::MAX, ..Limits::default() };
    let max = limits.max_memory_bytes;
    let error = solve_error("8x8:2", limits);
    assert!(
        matches!(error, SolveError::TooMuchMemory { bytes, max_memory_bytes } if bytes > max && max_memory_bytes == max)
    );
}

#[test]
fn a_search_longer_than_forecast_ends_at_the_limit() {
    let max_positions = 20_000;
    let error = solve_error("7x6:3", Limits { max_positions, ..Limits::default() });
    assert_eq!(error, SolveError::OutOfPositions { max_positions });
    check("7x6:3", 58, 552, 552, "C3");
}

#[test]
fn errors_name_the_forecast_the_limit_and_a_solution() {
    let positions = SolveError::TooManyPositions { positions: 1_234_567_890, max_positions: 50_000_000 };
    let way_out = "take a smaller board or fewer ships, or raise the limit on positions";
    assert_eq!(positions.to_string(), format!("about 1200 million positions to search, 50 million allowed: {way_out}"));
    let memory = SolveError::TooMuchMemory { bytes: 3 << 30, max_memory_bytes: 512 << 20 };
    let way_out = "take a smaller board or fewer ships, or raise the limit on memory";
    assert_eq!(memory.to_string(), format!("about 3100 MiB of positions to store, 512 MiB allowed: {way_out}"));
}

#[test]
fn a_certain_hit_is_not_always_best_fired_first() {
    let rules: Rules = "7x1:3,2".parse().unwrap();
    let fleets =
        ["3 E1 across, 2 C1 across", "3 A1 across, 2 D1 across"].map(|text| Fleet::parse(&rules, text).unwrap());
    let [c, d, e] = [2, 3, 4];
    let start = Position::<2>::start(&rules, &fleets);
    let after = |position: &Position<2>, cell: usize| position.fire(cell).hits;
    let hit = &after(&start, e)[0];
    assert_eq!((hit.counts()[c], hit.counts()[d]), (2, 2), "both are certain");
    assert_eq!(after(hit, d).len(), 2, "hit or sunk");
    assert_eq!(after(&after(hit, c)[0], d).len(), 1, "sunk either way");
    assert_eq!(hit.safe_certain_cell(&hit.counts()), Some(d));
}

#[test]
fn the_stop_flag_ends_the_search() {
    let rules: Rules = "4x4:3,2".parse().unwrap();
    assert_eq!(solve(&rules, Limits::default(), &AtomicBool::new(true)), Err(SolveError::Stopped));
}
